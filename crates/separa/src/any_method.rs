//! A method with its parameters, whatever its type: what parameters by name are turned into, once.

use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::method::{AnyFit, Fit, Method};
use crate::model::Labels;
use crate::model_file::Tensors;
use crate::params::{Checked, Init, Named, Scaling, to_map};
use crate::pass::PassRule;
use crate::registry::MethodEntry;
use std::fmt::Debug;

/// A method with typed parameters behind one interface. Implemented for every [`Method`].
pub trait AnyMethod: Debug + Send + Sync {
    /// What a registry knows about the method; it need not be registered.
    fn entry(&self) -> &'static MethodEntry;

    /// All parameters by name, defaults included.
    fn params(&self) -> Named;

    /// Refuses parameters that no data could make right.
    fn check(&self) -> Result<()>;

    /// How many clusters are asked for.
    fn n_clusters(&self) -> usize;

    /// Asks for another number of clusters.
    fn set_n_clusters(&mut self, k: usize);

    /// Begins from this partition, if the method takes one. Says whether it does.
    fn begin_from(&mut self, labels: &[i32]) -> bool;

    /// Whether a partition that was found in scaled columns can be one of the method's initializations: it takes one, was
    /// not told where to begin, and looks at scaled columns, too.
    fn takes_suggestions(&self) -> bool;

    /// Whether labels to begin from were given.
    fn begins_from_labels(&self) -> bool;

    /// Lets outliers take part, if the method can exclude them. Says whether it can.
    fn keep_outliers(&mut self) -> bool;

    /// Adapts the parameters to a part of the data: whatever belongs to single rows is left out, and there are
    /// no more landmarks than rows.
    fn restrict_to(&mut self, rows: usize);

    /// Whether the boundaries between clusters can be curved in the features.
    fn is_curved(&self) -> bool;

    /// Whether the table holds measures of pairs of rows instead of features.
    fn is_precomputed(&self) -> bool;

    /// The regulariser that labels of this method are judged with.
    fn quality_reg(&self) -> f64;

    /// Fits the data, without judging the result.
    fn solve(&self, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<AnyFit>;

    /// The rule of a model, or of passes, as [`Method::passes`] has it.
    fn passes(&self, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>>;

    /// A copy.
    fn boxed(&self) -> Box<dyn AnyMethod>;
}

impl Clone for Box<dyn AnyMethod> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

impl<M> AnyMethod for M
where
    M: Method + Debug + Send + Sync + 'static,
    M::Model: Send,
{
    fn entry(&self) -> &'static MethodEntry {
        const { &MethodEntry::of::<M>() }
    }

    fn params(&self) -> Named {
        to_map(self)
    }

    fn check(&self) -> Result<()> {
        M::check(self)
    }

    fn n_clusters(&self) -> usize {
        M::n_clusters(self)
    }

    fn set_n_clusters(&mut self, k: usize) {
        M::set_n_clusters(self, k);
    }

    fn begin_from(&mut self, labels: &[i32]) -> bool {
        self.init_mut().map(|init| *init = Init::Labels(Labels::from(labels))).is_some()
    }

    fn takes_suggestions(&self) -> bool {
        let open = matches!(self.clone().init_mut(), Some(Init::Auto));
        M::SUGGESTIONS && open && !M::is_curved(self) && self.scaling() != Scaling::None
    }

    fn begins_from_labels(&self) -> bool {
        matches!(self.clone().init_mut(), Some(Init::Labels(_)))
    }

    fn keep_outliers(&mut self) -> bool {
        self.robust_mut().map(|robust| *robust = false).is_some()
    }

    fn restrict_to(&mut self, rows: usize) {
        self.for_part(rows);
    }

    fn is_curved(&self) -> bool {
        M::is_curved(self)
    }

    fn is_precomputed(&self) -> bool {
        M::is_precomputed(self)
    }

    fn quality_reg(&self) -> f64 {
        M::quality_reg(self)
    }

    fn solve(&self, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<AnyFit> {
        if let Some(kind) = data.grouping() {
            self.entry().check_takes(kind)?;
        }
        let Fit { model, labels, report } = M::solve(self.clone(), data, ctx)?;
        Ok(Fit { model: Box::new(model), labels, report })
    }

    fn passes(&self, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
        M::passes(&Checked::new(self.clone())?, tensors)
    }

    fn boxed(&self) -> Box<dyn AnyMethod> {
        Box::new(self.clone())
    }
}

//! A classifier with its parameters, whatever its type.

use crate::context::Ctx;
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::method::{AnyFit, Classifier, Fit};
use crate::model_file::Tensors;
use crate::params::{Checked, Named, to_map};
use crate::pass::ClassPassRule;
use crate::registry::ClassifierEntry;
use crate::report::Learnt;
use std::fmt::Debug;

/// A classifier with typed parameters behind one interface. Implemented for every [`Classifier`].
pub trait AnyClassifier: Debug + Send + Sync {
    /// What a registry knows about the classifier; it need not be registered.
    fn entry(&self) -> &'static ClassifierEntry;

    /// All parameters by name, defaults included.
    fn params(&self) -> Named;

    /// Refuses parameters that no data could make right.
    fn check(&self) -> Result<()>;

    /// Learns from rows whose classes are known.
    fn solve(&self, data: &Dataset<'_>, target: &Target, ctx: &mut Ctx<'_>) -> Result<AnyFit>;

    /// The rule of a sample, or of passes, as [`Classifier::passes`] has it.
    fn passes(&self, tensors: &Tensors, learnt: &Learnt) -> Result<Option<Box<dyn ClassPassRule>>>;
}

impl<C> AnyClassifier for C
where
    C: Classifier + Debug + Send + Sync + 'static,
    C::Model: Send,
{
    fn entry(&self) -> &'static ClassifierEntry {
        const { &ClassifierEntry::of::<C>() }
    }

    fn params(&self) -> Named {
        to_map(self)
    }

    fn check(&self) -> Result<()> {
        C::check(self)
    }

    fn solve(&self, data: &Dataset<'_>, target: &Target, ctx: &mut Ctx<'_>) -> Result<AnyFit> {
        let Fit { model, labels, report } = C::solve(self.clone(), data, target, ctx)?;
        Ok(Fit { model: Box::new(model), labels, report })
    }

    fn passes(&self, tensors: &Tensors, learnt: &Learnt) -> Result<Option<Box<dyn ClassPassRule>>> {
        C::passes(&Checked::new(self.clone())?, tensors, learnt)
    }
}

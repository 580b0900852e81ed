//! What every method and every classifier is: checked parameters and a run.

use crate::clusterer::{Auto, Clusterer};
use crate::clustering::{Clustering, Trained};
use crate::context::Ctx;
use crate::data::{AsRows, Dataset, Grouping, Target};
use crate::error::{Error, Result};
use crate::model::{Labels, Model};
use crate::model_file::Tensors;
use crate::params::{Checked, ClusterParams, Params, Scaling};
use crate::pass::{ClassPassRule, PassRule};
use crate::report::{Learnt, Report};
use crate::scaled_model::{self, ScaledModel, Wanted};
use crate::trainer::Trainer;

/// A clustering method: parameters and the one thing to write, [`Method::run`].
pub trait Method: Params + ClusterParams {
    /// What a fit returns to label new rows.
    type Model: Model + 'static;

    /// Whether [`Dataset::bags`] may be clustered; elsewhere they are refused before [`Method::run`].
    const BAGS: bool = false;

    /// Whether it has a use for [`Dataset::sequences`]; elsewhere they are refused as bags are.
    const SEQUENCES: bool = false;

    /// Whether the boundaries of its clusters are flat in the input columns, or in those of the
    /// `kernel` where it has one.
    const FLAT: bool = true;

    /// Whether its models give probabilities, by [`Model::proba`].
    const PROBA: bool = false;

    /// Whether the boundaries of its clusters can be curved in the input columns.
    fn is_curved(&self) -> bool {
        !Self::FLAT || !self.is_kernel_linear()
    }

    /// Whether it scales columns by itself. Elsewhere [`Method::run`] sees columns that were scaled.
    const SCALES: bool = false;
    /// Whether `run` takes a partition that was suggested ([`Ctx`]) as one of its initializations.
    const SUGGESTIONS: bool = false;

    /// Fits checked parameters to data whose columns were scaled as the parameters ask.
    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>>;

    /// Rebuilds a model from what [`Model::tensors`] stored.
    fn load(tensors: &Tensors) -> Result<Self::Model>;

    /// The rule of `tensors` in the middle of passes over all rows ([`PassRule`]): a model that is to be improved, or
    /// one that is being improved. None if iterations need all rows at once.
    fn passes(p: &Checked<Self>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
        let _ = (p, tensors);
        Ok(None)
    }

    /// With this number of clusters and the defaults.
    fn new(n_clusters: usize) -> Self {
        let mut method = Self::default();
        method.set_n_clusters(n_clusters);
        method
    }

    /// With a number of clusters that is found, and the defaults.
    fn auto() -> Auto<Self> {
        Auto(Self::default())
    }

    /// Fits the rows and judges the result: [`Clusterer`] with its defaults.
    fn fit(self, rows: &(impl AsRows + ?Sized)) -> Result<Clustering>
    where
        Self: std::fmt::Debug + Send + Sync + 'static,
        Self::Model: Send,
    {
        Clusterer::new(self).fit(rows)
    }

    /// Checks the parameters and runs on `ctx.threads` threads, without judging the result.
    fn solve(self, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<ScaledModel<Self::Model>>>
    where
        Self: Send + Sync,
        Self::Model: Send,
    {
        let params = Checked::new(self)?;
        match data.grouping() {
            Some(kind) if !takes::<Self>(kind) => {
                return Err(no_groups(Self::NAME, kind, Vec::new()));
            }
            _ => {}
        }
        let threads = ctx.threads;
        let plain = Self::SCALES || params.ignores_scaling();
        let scaling = if plain { Scaling::None } else { params.scaling() };
        let wanted = Wanted { method: Self::NAME, scaling, k: params.n_clusters() };
        threads.install(|| {
            scaled_model::fit(&wanted, data, ctx, |data, ctx| Self::run(&params, data, ctx))
        })
    }
}

/// A classifier: as [`Method`], for rows whose classes are known.
///
/// Labels are classes by number; the names are in [`Report::learnt`].
pub trait Classifier: Params {
    /// What a training returns to classify new rows.
    type Model: Model + 'static;

    /// Learns the classes of `target` from checked parameters and columns that were scaled as they ask.
    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<Self::Model>>;

    /// Rebuilds a model from what [`Model::tensors`] stored.
    fn load(tensors: &Tensors) -> Result<Self::Model>;

    /// The rule of a sample, or one in the middle of passes over all rows ([`ClassPassRule`]), with what it learnt. None
    /// if it needs all rows at once.
    fn passes(
        p: &Checked<Self>,
        tensors: &Tensors,
        learnt: &Learnt,
    ) -> Result<Option<Box<dyn ClassPassRule>>> {
        let _ = (p, tensors, learnt);
        Ok(None)
    }

    /// Learns from rows whose classes are known: [`Trainer`] with its defaults.
    fn fit(self, rows: &(impl AsRows + ?Sized), target: &Target) -> Result<Trained>
    where
        Self: std::fmt::Debug + Send + Sync + 'static,
        Self::Model: Send,
    {
        Trainer::new(self).fit(rows, target)
    }

    /// Checks the parameters and the target and trains on `ctx.threads` threads.
    fn solve(
        self,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<ScaledModel<Self::Model>>>
    where
        Self: Send + Sync,
        Self::Model: Send,
    {
        let params = Checked::new(self)?;
        if data.bags().is_some() {
            let (method, why) = (Self::NAME.into(), "learns from rows, not bags of rows");
            return Err(Error::GroupsNotTaken { method, why, kinds: "bags", methods: Vec::new() });
        }
        target.check(Self::NAME, |i| data.weight(i), data.n())?;
        let threads = ctx.threads;
        let wanted = Wanted { method: Self::NAME, scaling: params.scaling(), k: target.k() };
        threads.install(|| {
            let train =
                |data: &Dataset<'_>, ctx: &mut Ctx<'_>| Self::train(&params, data, target, ctx);
            scaled_model::fit(&wanted, data, ctx, train)
        })
    }
}

/// What a run returns.
#[derive(Debug, Clone)]
pub struct Fit<M> {
    /// Labels new rows.
    pub model: M,
    /// One label per row; −1 for rows that belong to no cluster.
    pub labels: Labels,
    /// How the run went.
    pub report: Report,
}

impl<M: Model> Fit<M> {
    /// A run that has nothing to tell but its rule, which labels the rows.
    pub fn by_rule(model: M, data: &Dataset<'_>) -> Result<Self> {
        Ok(Self { labels: model.predict_on(data)?, model, report: Report::idle() })
    }
}

fn takes<M: Method>(kind: Grouping) -> bool {
    match kind {
        Grouping::Bags => M::BAGS,
        Grouping::Sequences => M::SEQUENCES,
    }
}

/// A method that has no use for bags or sequences, and those that have.
pub(crate) fn no_groups(method: &str, kind: Grouping, methods: Vec<&'static str>) -> Error {
    let why = match kind {
        Grouping::Bags => "clusters rows, not bags of rows",
        Grouping::Sequences => "has no use for sequences of rows",
    };
    Error::GroupsNotTaken { method: method.into(), why, kinds: kind.many(), methods }
}

/// A fit whose method was chosen by name.
pub type AnyFit = Fit<Box<dyn Model>>;

//! What every method is: parameters that are checked, a run, a model, a report.

use crate::counted::Counted;
use crate::dataset::{Dataset, Grouping};
use crate::error::{Error, Result};
use crate::persist::Tensors;
use crate::progress::{Event, Observer, Silent};
use crate::target::Target;
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::par;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Cluster numbers from 0 in order of first appearance; −1 for rows set aside as outliers.
pub type Labels = Vec<i32>;

/// One parameter as people see it: feeds errors, help, docs and parity tests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ParamSpec {
    pub name: &'static str,
    pub expected: &'static str,
    pub default: &'static str,
    pub doc: &'static str,
}

/// Plain public fields with defaults; [`Checked`] turns them into something that can run.
pub trait Params: Clone + Default + Serialize + DeserializeOwned {
    /// The name as typed.
    const NAME: &'static str;
    /// The Python class.
    const CLASS: &'static str;
    /// One line for lists of methods.
    const ABOUT: &'static str;
    const SPECS: &'static [ParamSpec];
    fn check(&self) -> Result<()>;
}

/// Parameters that passed their check.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<P>(P);

impl<P: Params> Checked<P> {
    pub fn new(params: P) -> Result<Self> {
        params.check()?;
        Ok(Self(params))
    }
}

impl<P> std::ops::Deref for Checked<P> {
    type Target = P;
    fn deref(&self) -> &P {
        &self.0
    }
}

/// A clustering method: parameters and the one thing to write, [`Method::run`].
pub trait Method: Params {
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

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>>;

    /// Rebuilds a model from what [`Model::tensors`] stored.
    fn load(tensors: &Tensors) -> Result<Self::Model>;

    /// Checks the parameters and runs on `ctx.threads` threads.
    fn fit(self, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>>
    where
        Self: Send + Sync,
        Self::Model: Send,
    {
        let params = Checked::new(self)?;
        match data.grouping() {
            Some(kind) if !takes::<Self>(kind) => return Err(no_groups(Self::NAME, kind)),
            _ => {}
        }
        let threads = ctx.threads;
        threads.install(|| Self::run(&params, data, ctx))
    }
}

/// A classifier: as [`Method`], for rows whose classes are known.
///
/// Labels are classes by number; the names are in [`Report::trained`].
pub trait Classifier: Params {
    type Model: Model + 'static;

    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<Self::Model>>;

    /// Rebuilds a model from what [`Model::tensors`] stored.
    fn load(tensors: &Tensors) -> Result<Self::Model>;

    /// Checks the parameters and the target and trains on `ctx.threads` threads.
    fn fit(self, data: &Dataset<'_>, target: &Target, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>>
    where
        Self: Send + Sync,
        Self::Model: Send,
    {
        let params = Checked::new(self)?;
        if data.bags().is_some() {
            return Err(Error::Data(format!("{} learns from rows, not bags of rows", Self::NAME)));
        }
        target.check(Self::NAME, |i| data.weight(i), data.n())?;
        let threads = ctx.threads;
        threads.install(|| Self::train(&params, data, target, ctx))
    }
}

/// Everything a run may use besides data and parameters.
pub struct Ctx<'a> {
    pub seed: u64,
    pub threads: Threads,
    pub memory: MemoryBudget,
    pub observer: Box<dyn Observer + 'a>,
    cancelled: bool,
    /// Within a start: see [`crate::driver::best_of`].
    pub(crate) nested: bool,
}

impl std::fmt::Debug for Ctx<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ctx").field("seed", &self.seed).field("threads", &self.threads).finish()
    }
}

impl<'a> Ctx<'a> {
    /// A quiet run on all threads with no limit on memory.
    pub fn new(seed: u64) -> Self {
        Self::observed(seed, Silent)
    }

    pub fn observed(seed: u64, observer: impl Observer + 'a) -> Self {
        Self {
            seed,
            threads: Threads::default(),
            memory: MemoryBudget::default(),
            observer: Box::new(observer),
            cancelled: false,
            nested: false,
        }
    }

    /// Rings the bell; true when the work should end now.
    pub fn emit(&mut self, event: Event) -> bool {
        self.cancelled |= self.observer.on(&event).is_break();
        self.cancelled
    }

    pub fn cancelled(&self) -> bool {
        self.cancelled
    }
}

/// How many threads a fit uses; the answer does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Threads(pub Option<usize>);

impl Threads {
    /// Runs `work` in a pool of this size, or in the caller's pool where no size is given.
    pub fn install<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        match self.0 {
            None => work(),
            Some(n) => rayon::ThreadPoolBuilder::new()
                .num_threads(n.max(1))
                .build()
                .expect("the operating system gives a few threads")
                .install(work),
        }
    }
}

/// What a fit may use beyond the data, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryBudget(pub Option<u64>);

impl MemoryBudget {
    pub fn allows(self, needed: u64) -> bool {
        self.0.is_none_or(|budget| needed <= budget)
    }

    /// The most landmarks of a few round numbers, below `n`, whose `needed` bytes are allowed: for
    /// methods that take them by themselves where all rows are too many.
    pub fn landmarks(self, n: usize, needed: impl Fn(usize) -> u64) -> Option<usize> {
        [500, 200, 100, 50].into_iter().find(|&m| m < n && self.allows(needed(m)))
    }

    /// An error that names the remedy where `needed` bytes are too many.
    pub fn require(
        self,
        method: &'static str,
        needed: u64,
        remedy: impl Into<String>,
    ) -> Result<()> {
        match self.0 {
            Some(budget) if needed > budget => {
                Err(Error::Memory { method, needed, budget, remedy: remedy.into() })
            }
            _ => Ok(()),
        }
    }
}

/// Where a fit begins.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Init {
    /// The method's own starts.
    #[default]
    Auto,
    /// One kind of start, by name.
    Named(String),
    /// A given partition: one label a row.
    Labels(Labels),
}

impl Serialize for Init {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => out.serialize_str("auto"),
            Self::Named(name) => out.serialize_str(name),
            // A model file says that labels were given, not which: they belong to the data.
            Self::Labels(_) => out.serialize_str("given"),
        }
    }
}

impl<'de> Deserialize<'de> for Init {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Name(String),
            Labels(Labels),
        }
        Ok(match Raw::deserialize(from)? {
            Raw::Name(name) if name == "auto" => Self::Auto,
            Raw::Name(name) => Self::Named(name),
            Raw::Labels(labels) => Self::Labels(labels),
        })
    }
}

/// Why the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    Converged,
    MaxIter,
    Stalled,
    Cancelled,
}

/// One start and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StartReport {
    pub name: String,
    /// What the choice between starts went by: larger is better.
    pub score: f64,
    pub iterations: usize,
    pub chosen: bool,
}

/// Settings by name.
pub type Settings = serde_json::Map<String, serde_json::Value>;

/// What a classifier promises and what it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The names of the classes, in the order of the labels.
    pub classes: Vec<String>,
    /// The classes are text, even where their names read as numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text: bool,
    /// Share of the training rows that get their own class.
    pub accuracy: f64,
    /// The same of rows held out in cross-validation, with the settings that did best: a little too
    /// high, for they were chosen by it. None where nothing was to be chosen.
    pub held_out: Option<f64>,
    /// Settings as they were used: chosen by cross-validation, from the data, or given.
    pub settings: Settings,
    /// One of each pair of classes, or of each class against the rest; none where the classifier
    /// promises nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
}

/// The worst-case accuracy of one boundary.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    pub class: usize,
    /// None for all others together.
    pub against: Option<usize>,
    /// Whatever the distributions, with the moments (and the regulariser) that the boundary was found
    /// from at least this share of each side is on its side.
    pub alpha: [f64; 2],
    /// The regulariser: without it the number above means nothing.
    pub reg: f64,
    /// The share of the training rows of each side that is on its side.
    pub rate: [f64; 2],
}

/// How the fit went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The method's own objective at the end.
    pub objective: f64,
    pub iterations: usize,
    pub stop: Stop,
    pub starts: Vec<StartReport>,
    /// The objective after each round of the chosen start.
    pub trace: Vec<f64>,
    /// Rows that stand for each cluster, the most typical first, by their place in the table (from
    /// 0); empty where the method names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub typical: Vec<Vec<usize>>,
    /// Rows that took no part in the fit, by their place in the table: the quality leaves them out.
    #[serde(skip)]
    pub aside: Vec<usize>,
    /// How the number of clusters was found; none where it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
    /// What a classifier learnt; none of a clustering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trained: Option<Trained>,
    /// Sentences a user should read.
    pub warnings: Vec<String>,
    /// Sentences a user may read.
    pub notices: Vec<String>,
}

impl Report {
    /// Of a fit with nothing to do.
    pub fn idle() -> Self {
        Self {
            objective: 0.0,
            iterations: 0,
            stop: Stop::Converged,
            starts: Vec::new(),
            trace: Vec::new(),
            typical: Vec::new(),
            aside: Vec::new(),
            counted: None,
            trained: None,
            warnings: Vec::new(),
            notices: Vec::new(),
        }
    }
}

/// What a run returns.
#[derive(Debug, Clone)]
pub struct Fit<M> {
    pub model: M,
    pub labels: Labels,
    pub report: Report,
}

/// A rule that labels rows, seen or not.
pub trait Model: Send + Sync + std::fmt::Debug {
    fn n_features(&self) -> usize;
    fn n_clusters(&self) -> usize;

    /// One column for two clusters (cluster 1 where it is ≥ 0), else one column a cluster
    /// (the largest wins, the first of equals).
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense>;

    /// The label of every row. Rows must be finite; the first that is not is named.
    fn predict(&self, x: MatrixRef<'_>) -> Result<Labels> {
        labels_of(&self.decision(x)?)
    }

    /// Whether it labels bags of rows or rows of sequences, by [`Model::predict_on`], instead of rows.
    fn grouping(&self) -> Option<Grouping> {
        None
    }

    /// Refuses bags or sequences where the model was fitted on something else.
    fn check_grouping(&self, found: Option<Grouping>) -> Result<()> {
        match self.grouping() == found {
            true => Ok(()),
            false => Err(Error::Data(other_groups(self.grouping(), found))),
        }
    }

    /// [`Model::decision`] of a checked table: of its rows, or of its bags where it has them.
    fn decision_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        self.check_grouping(data.grouping())?;
        self.decision(data.x())
    }

    /// [`Model::predict`] of a checked table: of its rows, or of its bags where it has them.
    fn predict_on(&self, data: &Dataset<'_>) -> Result<Labels> {
        match data.grouping() {
            None => self.predict(data.x()),
            Some(_) => labels_of(&self.decision_on(data)?),
        }
    }

    /// Probabilities of the clusters, where the model has them.
    fn proba(&self) -> Option<&dyn Proba> {
        None
    }

    /// A linear rule in the units of the table, where the model is one: one row of weights and
    /// one intercept per column of the decision.
    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        None
    }

    /// The weight of each fitted row in the rule, where the rule is made of them.
    fn row_weights(&self) -> Option<&[f64]> {
        None
    }

    /// What [`Method::load`] needs.
    fn tensors(&self) -> Tensors;

    /// Refuses rows of another width.
    fn check_width(&self, x: MatrixRef<'_>) -> Result<()> {
        if x.cols() == self.n_features() {
            return Ok(());
        }
        Err(Error::Features { found: x.cols(), expected: self.n_features(), missing: Vec::new() })
    }
}

/// A model that says how sure it is.
pub trait Proba {
    /// P(cluster | row): one column a cluster, every row sums to 1, and the largest (the first of
    /// equals) is the cluster of [`Model::predict`], unless that decodes whole sequences (crf's
    /// likeliest path need not go through the likeliest states).
    fn proba(&self, x: MatrixRef<'_>) -> Result<Dense>;

    /// [`Proba::proba`] of a checked table: of its rows, or of what it is made of besides.
    fn proba_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        match data.grouping() {
            None => self.proba(data.x()),
            found => Err(Error::Data(other_groups(None, found))),
        }
    }
}

/// What a model was fitted on, what it is given instead, and what to do.
fn other_groups(fitted: Option<Grouping>, found: Option<Grouping>) -> String {
    let words = |kind: Option<Grouping>| match kind {
        None => "rows",
        Some(Grouping::Bags) => "bags of rows",
        Some(Grouping::Sequences) => "sequences of rows",
    };
    match (fitted, found) {
        (Some(kind), None) => format!(
            "the model was fitted on {}; name the column that says which {} a row belongs to (--{1}), or \
             give it a list of tables",
            words(fitted),
            kind.one()
        ),
        (None, Some(kind)) => format!(
            "the model was fitted on rows, not on {}; give it one table, without --{}",
            words(found),
            kind.one()
        ),
        _ => format!("the model was fitted on {}, not on {}", words(fitted), words(found)),
    }
}

fn takes<M: Method>(kind: Grouping) -> bool {
    match kind {
        Grouping::Bags => M::BAGS,
        Grouping::Sequences => M::SEQUENCES,
    }
}

/// A method that has no use for bags or sequences.
pub(crate) fn no_groups(method: &str, kind: Grouping) -> Error {
    Error::Data(match kind {
        Grouping::Bags => format!("{method} clusters rows, not bags of rows"),
        Grouping::Sequences => format!("{method} has no use for sequences of rows"),
    })
}

/// The labels that decision values stand for; a value that is not a number names its row.
pub(crate) fn labels_of(decision: &Dense) -> Result<Labels> {
    let label = |row: &[f64]| -> i32 {
        if let [value] = row {
            return i32::from(*value >= 0.0);
        }
        (1..row.len()).fold(0, |best, c| if row[c] > row[best] { c } else { best }) as i32
    };
    let mut labels = vec![0; decision.rows()];
    par::fill_chunks(&mut labels, 1, |range, part| {
        for (i, l) in range.zip(part) {
            let row = decision.row(i);
            *l = if row.iter().any(|v| v.is_nan()) { i32::MIN } else { label(row) };
        }
    });
    match labels.iter().position(|l| *l == i32::MIN) {
        Some(i) => Err(Error::Data(format!(
            "row {} holds a value that is not a finite number; drop the row or fill it in",
            i + 1
        ))),
        None => Ok(labels),
    }
}

/// A parameter error in the one sentence shape.
pub(crate) fn bad_param<P: Params, T>(
    name: &'static str,
    expected: impl Into<String>,
    found: impl std::fmt::Display,
) -> Result<T> {
    Err(Error::Param { method: P::NAME, name, expected: expected.into(), found: found.to_string() })
}

/// Refuses more clusters or landmarks than there is something to cluster.
pub(crate) fn check_counts<P: Params>(
    data: &Dataset<'_>,
    n_clusters: usize,
    landmarks: usize,
) -> Result<()> {
    let (n, things) = (data.n(), data.things());
    if n_clusters > n {
        let expected = format!("at most the number of {things} ({n})");
        return bad_param::<P, ()>("n_clusters", expected, n_clusters);
    }
    if landmarks > n {
        let expected =
            format!("at most the number of {things} ({n}), or 0 to do without landmarks");
        return bad_param::<P, ()>("landmarks", expected, landmarks);
    }
    Ok(())
}

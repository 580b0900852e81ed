//! k-means in the units of the table: the baseline that everyone knows.
//!
//! Problem   min Σᵢ wᵢ ‖xᵢ − c(i)‖²  over n_clusters centres.
//! Returns   the best of n_init runs of Lloyd's algorithm, each from greedy k-means++ centres.
//! Cost      n·d·k a round at most; rows that cannot change their label are not read.
//! See       Lloyd (1982); Arthur & Vassilvitskii (2007).

use crate::assign::canonical;
use crate::dataset::Dataset;
use crate::driver::{Candidate, best_of};
use crate::error::{Error, Result};
use crate::estimator::{
    Checked, Ctx, Fit, Init, Labels, Method, Model, ParamSpec, Params, Report, Stop, bad_param,
};
use crate::persist::Tensors;
use crate::progress::Event;
use crate::start::lloyd::{KMeansRun, Limits, Table, clearly_less};
use crate::start::plus_plus::Seeding;
use separa_math::kernel::nearest::Nearest;
use separa_math::kernel::tally::Tally;
use separa_math::matrix::{Dense, MatrixRef, pick};
use separa_math::rng::Rng;
use serde::{Deserialize, Serialize};

/// k-means. It sees units: a feature in larger numbers weighs more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KMeans {
    pub n_clusters: usize,
    pub init: Init,
    pub n_init: usize,
    pub max_iter: usize,
    pub tol: f64,
}

impl Default for KMeans {
    fn default() -> Self {
        Self { n_clusters: 2, init: Init::Auto, n_init: 10, max_iter: 300, tol: 1e-4 }
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const INITS: &str = "auto, greedy, k-means++, random, or one label a row";

impl Params for KMeans {
    const NAME: &'static str = "kmeans";
    const CLASS: &'static str = "KMeans";
    const ABOUT: &'static str =
        "k-means: nearest centre in the units of the table, so rescaling a feature changes it";
    const SPECS: &'static [ParamSpec] = &[
        ParamSpec { name: "n_clusters", expected: WHOLE, default: "2", doc: "number of clusters" },
        ParamSpec {
            name: "init",
            expected: INITS,
            default: "auto",
            doc: "starting centres: auto and greedy are greedy k-means++, random draws rows, labels start from their means",
        },
        ParamSpec {
            name: "n_init",
            expected: "a whole number from 1 to 10000",
            default: "10",
            doc: "restarts, of which the one with the least inertia is kept; given labels are one start",
        },
        ParamSpec {
            name: "max_iter",
            expected: WHOLE,
            default: "300",
            doc: "rounds of one restart at most",
        },
        ParamSpec {
            name: "tol",
            expected: "a number, 0 or more",
            default: "0.0001",
            doc: "stop when the centres' squared shift is at most this share of the columns' mean variance",
        },
    ];

    fn check(&self) -> Result<()> {
        for (name, value) in
            [("n_clusters", self.n_clusters), ("n_init", self.n_init), ("max_iter", self.max_iter)]
        {
            if value == 0 {
                return bad_param::<Self, ()>(name, WHOLE, value);
            }
        }
        if self.n_init > 10_000 {
            return bad_param::<Self, ()>("n_init", "a whole number from 1 to 10000", self.n_init);
        }
        if !(self.tol >= 0.0 && self.tol.is_finite()) {
            return bad_param::<Self, ()>("tol", "a number, 0 or more", self.tol);
        }
        match &self.init {
            Init::Named(name) if seeding(name).is_none() => {
                bad_param::<Self, ()>("init", INITS, format!("\"{name}\""))
            }
            _ => Ok(()),
        }
    }
}

fn seeding(name: &str) -> Option<Seeding> {
    match name {
        "greedy" => Some(Seeding::Greedy),
        "k-means++" => Some(Seeding::PlusPlus),
        "random" => Some(Seeding::Random),
        _ => None,
    }
}

/// The centres; a row belongs to the nearest.
#[derive(Debug, Clone)]
pub struct KMeansModel {
    centers: Dense,
    rule: Nearest,
}

impl KMeansModel {
    fn new(centers: Dense) -> Self {
        Self { rule: Nearest::new(&centers), centers }
    }

    /// One row a cluster, in the units of the table.
    pub fn centers(&self) -> &Dense {
        &self.centers
    }
}

impl Model for KMeansModel {
    fn n_features(&self) -> usize {
        self.centers.cols()
    }
    fn n_clusters(&self) -> usize {
        self.centers.rows()
    }

    /// x·c − ½‖c‖² up to what all columns share; the difference of the two for two clusters.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        Ok(self.rule.scores(&x))
    }

    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let (weights, intercepts) = self.rule.linear();
        Some((weights.clone(), intercepts.to_vec()))
    }

    fn tensors(&self) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.put_matrix("centers", &self.centers);
        tensors
    }
}

/// Where a restart begins.
enum Start {
    Drawn(Seeding, u64),
    Centers(Dense),
}

impl Method for KMeans {
    type Model = KMeansModel;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<KMeansModel>> {
        if p.n_clusters > data.n() {
            let expected = format!("at most the number of rows ({})", data.n());
            return bad_param::<Self, _>("n_clusters", expected, p.n_clusters);
        }
        ctx.memory.require(
            Self::NAME,
            memory(p, data),
            "use fewer clusters, or raise the limit (--memory, max_memory)",
        )?;
        let x = data.x();
        let table = Table::new(&x, data.weights());
        let limits = Limits { max_iter: p.max_iter, tol: p.tol };

        let mut best = f64::INFINITY;
        let (run, starts) = best_of(ctx, starts(p, data)?, |ctx, start| {
            let centers = match start {
                Start::Centers(centers) => centers,
                Start::Drawn(how, task) => {
                    table.seed(p.n_clusters, how, &mut Rng::new(ctx.seed, task))
                }
            };
            let run = table.lloyd(centers, limits, &mut |iteration, objective, changed| {
                ctx.emit(Event::Iteration { iteration, max_iter: p.max_iter, objective, changed })
            });
            if clearly_less(run.inertia, best) {
                best = run.inertia;
            }
            let score = -run.inertia.max(best);
            Ok(Candidate { score, iterations: run.iterations, value: run })
        })?;

        let (run, model, labels) = number(&table, run, limits);
        let used = model.n_clusters();
        let mut warnings = Vec::new();
        if used < p.n_clusters {
            warnings.push(format!(
                "found {used} clusters instead of {}: the table has no more distinct rows",
                p.n_clusters
            ));
        }
        let nearest: Vec<u32> = labels.iter().map(|&l| l as u32).collect();
        let report = Report {
            objective: table.exact_inertia(&nearest, model.centers()),
            iterations: run.iterations,
            stop: if ctx.cancelled() { Stop::Cancelled } else { run.stop },
            starts,
            trace: run.trace,
            warnings,
            notices: Vec::new(),
        };
        Ok(Fit { model, labels, report })
    }

    fn load(tensors: &Tensors) -> Result<KMeansModel> {
        let centers = tensors.matrix("centers")?;
        if centers.rows() == 0 || centers.cols() == 0 {
            let shape = format!("{} x {}", centers.rows(), centers.cols());
            return Err(Error::Model(format!(
                "tensor \"centers\" is {shape}, expected at least 1 x 1"
            )));
        }
        if centers.data().iter().any(|v| !v.is_finite()) {
            return Err(Error::Model("tensor \"centers\" holds an infinite value".into()));
        }
        Ok(KMeansModel::new(centers))
    }
}

/// Bytes beyond the data: distances and trials of a start, labels and scores, sums of the chunks
/// under way.
fn memory(p: &KMeans, data: &Dataset<'_>) -> u64 {
    let (n, d, k) = (data.n() as u64, data.d() as u64, p.n_clusters as u64);
    let trials = 2 + (p.n_clusters as f64).ln() as u64;
    let threads = rayon::current_num_threads() as u64;
    8 * (n * (3 + 2 * trials + k.min(16)) + k * d * (4 + 2 * threads))
}

fn starts(p: &KMeans, data: &Dataset<'_>) -> Result<Vec<(String, Start)>> {
    let (name, how) = match &p.init {
        Init::Labels(labels) => {
            return Ok(vec![("given labels".into(), Start::Centers(means(p, data, labels)?))]);
        }
        Init::Auto => ("greedy", Seeding::Greedy),
        Init::Named(name) => (name.as_str(), seeding(name).expect("check knows every name")),
    };
    let start = |i: usize| (format!("{name} {}", i + 1), Start::Drawn(how, i as u64));
    Ok((0..p.n_init).map(start).collect())
}

/// The weighted means of given labels; rows marked −1 take no part.
fn means(p: &KMeans, data: &Dataset<'_>, labels: &[i32]) -> Result<Dense> {
    let k = p.n_clusters;
    if labels.len() != data.n() {
        let expected = format!("one label a row ({})", data.n());
        return bad_param::<KMeans, _>("init", expected, format!("{} labels", labels.len()));
    }
    if let Some(l) = labels.iter().find(|l| **l < -1 || **l >= k as i32) {
        return bad_param::<KMeans, _>("init", format!("labels from 0 to {}, or -1", k - 1), l);
    }
    // Rows that take no part are a cluster of their own, left out below.
    let slots: Vec<u32> = labels.iter().map(|&l| if l < 0 { k as u32 } else { l as u32 }).collect();
    let tally = Tally::of(&data.x(), data.weights(), &slots, k + 1);
    if let Some(c) = tally.count[..k].iter().position(|n| *n == 0) {
        let expected =
            format!("labels that give each of the {k} clusters a row of positive weight");
        return bad_param::<KMeans, _>("init", expected, format!("none for cluster {c}"));
    }
    let means = tally.means().1.into_vec();
    Ok(Dense::from_vec(k, data.d(), means[..k * data.d()].to_vec())?)
}

/// Numbers the clusters by first appearance and drops centres without rows.
///
/// A row as near to one centre as to another goes by their numbers, so renumbering may move it:
/// Lloyd's algorithm then goes on from there.
fn number(
    table: &Table<'_>,
    mut run: KMeansRun,
    limits: Limits,
) -> (KMeansRun, KMeansModel, Labels) {
    for _ in 0..4 {
        let old: Labels = run.labels.iter().map(|&l| l as i32).collect();
        let (labels, order) = canonical(&old);
        let model = KMeansModel::new(pick(&run.centers, &order));
        if order.iter().copied().eq(0..run.centers.rows()) {
            return (run, model, labels);
        }
        let now: Labels = model.rule.labels(table.rows).iter().map(|&l| l as i32).collect();
        if now == labels {
            return (run, model, labels);
        }
        let before = (run.iterations, run.trace);
        run = table.lloyd(model.centers, limits, &mut |_, _, _| false);
        run.iterations += before.0;
        run.trace.splice(0..0, before.1);
    }
    // Only rows without weight can still be torn between two centres: the rule has the last word.
    let model = KMeansModel::new(run.centers.clone());
    let labels = model.rule.labels(table.rows).iter().map(|&l| l as i32).collect();
    (run, model, labels)
}

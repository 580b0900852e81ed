//! k-means in the units of the table: the baseline that everyone knows.
//!
//! Problem   min Σᵢ wᵢ ‖xᵢ − c(i)‖²  over n_clusters centres.
//! Returns   the best of n_init runs of Lloyd's algorithm, each from greedy k-means++ centres.
//! Cost      n·d·k a round at most; rows that cannot change their label are not read.
//! See       Lloyd (1982); Arthur & Vassilvitskii (2007).

use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::kmeans::{INITS, Restarts, Rounded, seeding};
use crate::method::{Fit, Method};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::params::{Checked, Init, ParamSpec, Params, bad_param, cluster_params};
use crate::report::Report;
use separa_math::kmeans::{KMeansData, Limits, Nearest};
use separa_math::matrix::{Dense, MatrixRef};
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
        let table = KMeansData::new(&x, data.weights());
        let limits = Limits { max_iter: p.max_iter, tol: p.tol };

        let restarts = Restarts { k: p.n_clusters, init: &p.init, n_init: p.n_init, limits };
        let Rounded { centers, labels, run, starts } = restarts.run::<Self>(&table, ctx)?;
        let model = KMeansModel::new(centers);
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
            stop: ctx.stop(run.converged),
            starts,
            trace: run.trace,
            warnings,
            ..Report::idle()
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

cluster_params!([] KMeans: n_clusters init);

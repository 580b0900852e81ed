//! k-means: the baseline that everyone knows.
//!
//! Problem   min Σᵢ wᵢ ‖xᵢ − c(i)‖²  over n_clusters centres.
//! Returns   the best of n_init runs of Lloyd's algorithm, each from greedy k-means++ centres.
//! Cost      n·d·k an iteration at most; rows that cannot change their label are not read.
//! See       Lloyd (1982); Arthur & Vassilvitskii (2007).

mod passes;

use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::kmeans::{Restarts, Rounded};
use crate::method::{Fit, Method};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes};
use crate::params::{Checked, Init, Params, Scaling, bad_param};
use crate::pass::PassRule;
use crate::report::Report;
use separa_math::kmeans::{KMeansData, Limits, Nearest};
use separa_math::matrix::{Dense, MatrixRef};

params! {
    /// k-means.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let found = KMeans::new(2).n_init(3).fit(&[[1.0, 2.0], [1.2, 1.9], [8.0, 9.0], [8.1, 9.2]])?;
    /// assert_eq!(found.labels(), [0, 0, 1, 1]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct KMeans(
        "kmeans",
        "KMeans",
        "k-means: nearest centre, the baseline that everyone knows",
    ) with shared {
        n_clusters = 2;
        scaling = Scaling::Auto;
        init = Init::Auto;
        /// Restarts, of which the one with the lowest inertia is kept; given labels are one.
        n_init = 10;
        max_iter = 300;
        /// Stop when the squared shift of the centres is at most this fraction of the columns' mean
        /// variance.
        tol = 1e-4;
    }
}

/// The centres; a row belongs to the nearest.
#[derive(Debug, Clone)]
pub struct KMeansModel {
    centers: Dense,
    rule: Nearest,
}

impl KMeansModel {
    /// One row a cluster, in the columns that the model sees.
    pub fn new(centers: Dense) -> Self {
        Self { rule: Nearest::new(&centers), centers }
    }

    /// One row a cluster, in the columns that the model sees: scaled ones where a scaler goes before it.
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
    const SUGGESTIONS: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<KMeansModel>> {
        if p.n_clusters > data.n() {
            let expected = format!("at most the number of rows ({})", data.n());
            return bad_param::<Self, _>("n_clusters", expected, p.n_clusters);
        }
        ctx.memory.require(
            Self::NAME,
            memory(p, data),
            Remedy::FewerClusters.or(Remedy::RaiseMemory),
        )?;
        let x = data.x();
        let table = KMeansData::new(&x, data.weights());
        let limits = Limits { max_iter: p.max_iter, tol: p.tol };

        let restarts = Restarts { k: p.n_clusters, init: &p.init, n_init: p.n_init, limits };
        let found = restarts.run::<Self>(&table, ctx)?;
        let report = found.report(&table, ctx);
        let Rounded { centers, labels, .. } = found;
        let model = KMeansModel::new(centers);
        let used = model.n_clusters();
        let mut notes = Vec::new();
        if used < p.n_clusters {
            let text = format!(
                "found {used} clusters instead of {}: the table has no more distinct rows",
                p.n_clusters
            );
            notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
        }
        let report = Report { notes, ..report };
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

    fn passes(p: &Checked<Self>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
        passes::begin(p, tensors)
    }
}

/// Bytes beyond the data: distances and trials of an initialization, labels and scores, sums of the chunks
/// under way.
fn memory(p: &KMeans, data: &Dataset<'_>) -> u64 {
    let (n, d, k) = (data.n() as u64, data.d() as u64, p.n_clusters as u64);
    let trials = 2 + (p.n_clusters as f64).ln() as u64;
    let threads = rayon::current_num_threads() as u64;
    8 * (n * (3 + 2 * trials + k.min(16)) + k * d * (4 + 2 * threads))
}

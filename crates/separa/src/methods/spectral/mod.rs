//! Spectral clustering: k-means among the leading eigenvectors of a graph of rows.
//!
//! Problem   relaxed normalised cut: the leading vectors of A·u = λ·D·u, A the affinities, D their
//!           row sums; then k-means on the rows of these vectors.
//! Given     rows with an affinity (neighbours, Gaussian, self-tuning), or the affinities.
//! Returns   labels, and a rule for new rows by Nyström's extension of the vectors.
//! Cost      knn: n²d/2 for the neighbours, then products with a sparse matrix; others n²d/2 + n² a
//!           product, or n·m·d + n·m² with m landmarks. Where that is more than about a minute, m rows
//!           stand for all: m²d/2, and n·m·d to join the others to them.
//! See       Shi & Malik (2000); Ng, Jordan & Weiss (2002); Zelnik-Manor & Perona (2004);
//!           Fowlkes, Belongie, Chung & Malik (2004).

mod affinities;
mod cut;
mod embed;
mod extension;
mod model;
mod params;
mod vectors;

pub use model::SpectralModel;
pub use params::{Affinity, GraphKind, NcutThreshold, Spectral, Variant};

use crate::assign::scaled_weights;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::kmeans::{Restarts, check_labels};
use crate::method::{Fit, Method};
use crate::model::{Labels, Model};
use crate::model_file::Tensors;
use crate::note::{Note, codes};
use crate::params::{Checked, Init, check_counts};
use crate::progress::Event;
use crate::report::{Report, Stop};
use cut::{Cuttable, places};
use embed::{SpectralEmbedding, embed};
use separa_math::kmeans::{KMeansData, Limits, Nearest};
use separa_math::matrix::Dense;
use separa_math::rng::Rng;

/// The stream of a sample of the rows, away from those of k-means.
const SAMPLE_STREAM: u64 = 0x6c6e;

/// What every step of a fit reads.
struct Job<'a> {
    p: &'a Spectral,
    data: &'a Dataset<'a>,
    /// Rows of positive weight, or a sample of them: the others are labelled at the end and take no part.
    kept: Vec<usize>,
    /// Their weights, 1 on average.
    weights: Vec<f64>,
}

impl Method for Spectral {
    type Model = SpectralModel;

    const FLAT: bool = false;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<SpectralModel>> {
        let n = data.n();
        check_counts::<Self>(data, p.n_clusters, p.landmarks)?;
        if let Init::Labels(labels) = &p.init {
            check_labels::<Self>(labels, n, p.n_clusters)?;
        }
        let kept: Vec<usize> = (0..n).filter(|&i| data.weight(i) > 0.0).collect();
        let (weights, _) = scaled_weights(data, &kept);
        let mut job = Job { p, data, kept, weights };

        let mut notes = Vec::new();
        let SpectralEmbedding { extension, rows, graph } = embed(&mut job, &mut notes, ctx)?;
        let (centers, labels, mut report) = match p.threshold {
            NcutThreshold::KMeans => job.round(&rows, ctx)?,
            how => job.cut(&rows, graph.as_ref(), how, ctx),
        };
        let model = SpectralModel::new(extension, centers);
        if model.n_clusters() < p.n_clusters {
            let text = format!(
                "found {} clusters instead of {}: the graph separates no more rows",
                model.n_clusters(),
                p.n_clusters
            );
            notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
        }
        report.notes = notes;
        Ok(Fit { model, labels, report })
    }

    fn load(tensors: &Tensors) -> Result<SpectralModel> {
        SpectralModel::load(tensors)
    }
}

impl Job<'_> {
    /// Goes on with so many of the rows, drawn at random, in order.
    fn keep_some(&mut self, m: usize, seed: u64) {
        let drawn = Rng::new(seed, SAMPLE_STREAM).sample(self.kept.len(), m);
        self.kept = drawn.into_iter().map(|r| self.kept[r]).collect();
        self.kept.sort_unstable();
        self.weights = scaled_weights(self.data, &self.kept).0;
    }

    /// k-means among the embedded rows.
    fn round(&self, rows: &Dense, ctx: &mut Ctx<'_>) -> Result<(Dense, Labels, Report)> {
        let p = self.p;
        let table = KMeansData::new(rows, self.data.weights());
        let limits = Limits { max_iter: p.max_iter, tol: p.tol };
        let restarts = Restarts { k: p.n_clusters, init: &p.init, n_init: p.n_init, limits };
        let found = restarts.run::<Spectral>(&table, ctx)?;
        let report = found.report(&table, ctx);
        Ok((found.centers, found.labels, report))
    }

    /// The second vector, the one column of `rows`, cut in two.
    fn cut(
        &self,
        rows: &Dense,
        graph: &dyn Cuttable,
        how: NcutThreshold,
        ctx: &mut Ctx<'_>,
    ) -> (Dense, Labels, Report) {
        let line: Vec<f64> = self.kept.iter().map(|&i| rows[(i, 0)]).collect();
        let places = places(graph, &line);
        let chosen = match how {
            NcutThreshold::Zero => places.iter().find(|place| place.low < 0.0 && place.high >= 0.0),
            _ => places.iter().reduce(|a, b| if b.ncut < a.ncut { b } else { a }),
        };
        let Some(place) = chosen else {
            return (Dense::zeros(1, 1), vec![0; rows.rows()], Report::idle());
        };
        let at = match how {
            NcutThreshold::Zero if place.high > 0.0 => 0.0,
            // A row at zero itself belongs above it.
            _ => place.low + 0.5 * (place.high - place.low),
        };
        // A cut is the rule of two centres as far from it as the two sides are on average.
        let mean = |side: bool| {
            let part: Vec<f64> = line.iter().copied().filter(|v| (*v >= at) == side).collect();
            part.iter().sum::<f64>() / part.len() as f64
        };
        let half = 0.5 * (mean(true) - mean(false));
        let half = if rows[(0, 0)] < at { half } else { -half };
        let centers = Dense::from_vec(2, 1, vec![at - half, at + half]).expect("two numbers");
        let labels = Nearest::new(&centers).labels(rows);
        let (objective, changed) = (place.ncut, rows.rows());
        ctx.emit(Event::Iteration { iteration: 1, max_iter: 1, objective, changed });
        let stop = if ctx.cancelled() { Stop::Cancelled } else { Stop::Converged };
        let report =
            Report { objective, iterations: 1, stop, trace: vec![objective], ..Report::idle() };
        (centers, labels.iter().map(|&l| l as i32).collect(), report)
    }
}

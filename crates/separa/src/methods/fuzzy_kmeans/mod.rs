//! Fuzzy k-means: centres that every row belongs to, with a probability.
//!
//! Problem   min −σ²·Σᵢ wᵢ log Σⱼ exp(−‖xᵢ − cⱼ‖²/σ²)  over n_clusters centres.
//! Given     rows; σ², by default twice the variance that a column has within the clusters of k-means, so
//!           that memberships are the posteriors of round Gaussian clusters of equal weight.
//! Returns   the lowest of n_init runs of EM: memberships P(j|x) ∝ exp(−‖x − cⱼ‖²/σ²), then centres as
//!           means weighted by them. Every iteration lowers the objective; σ² → 0 is k-means.
//! Cost      2·n·d·k an iteration.
//! See       Dai & Hu (2010), (10)-(11) and Proposition 1.

mod passes;

use crate::assign::number;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::driver::{Candidate, best_of};
use crate::entropy::{agree, softmax};
use crate::error::{Error, Result};
use crate::kmeans::{initializations, means as label_means};
use crate::method::{Fit, Method};
use crate::model::{Model, Proba};
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes};
use crate::params::{Checked, Init, Params, Scaling, check_counts};
use crate::pass::PassRule;
use crate::progress::Event;
use crate::report::{Report, Stop};
use separa_math::kmeans::{KMeansData, Limits, Nearest, Seeding};
use separa_math::matrix::{Columns, Dense, MatrixRef, gather, pick, project_into};
use separa_math::par;
use separa_math::rng::Rng;

word_or_number! {
    /// σ² of fuzzy k-means.
    pub enum Sigma2 {
        /// In the squared unit of the scaled columns.
        Value(f64), positive();
        /// Twice the variance that k-means leaves within its clusters.
        Auto = "auto",
    }
}

params! {
    /// Fuzzy k-means.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows: Vec<[f64; 1]> = (0..20).map(|i| [f64::from(i % 2) * 4.0 + f64::from(i) * 0.05]).collect();
    /// let found = FuzzyKMeans::new(2).fit(&rows)?;
    /// let proba = found.proba(&[[0.5], [2.5]])?;
    /// assert!(proba[(0, 0)] > proba[(1, 0)]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct FuzzyKMeans(
        "fuzzy-kmeans",
        "FuzzyKMeans",
        "fuzzy k-means: every row belongs to every centre with a probability",
    ) with shared {
        n_clusters = 2;
        scaling = Scaling::Auto;
        /// Softness σ² of exp(−‖x − c‖²/σ²); auto is twice the variance within the clusters of k-means,
        /// towards 0 it is k-means.
        sigma2: Sigma2 = Sigma2::Auto;
        init = Init::Auto;
        n_init = 10;
        max_iter = 1000;
        /// Stop when an iteration lowers the objective by at most this fraction of the rows' spread.
        tol = 1e-6;
    }
}

/// Centres with their softness; a row belongs to the nearest most.
#[derive(Debug, Clone)]
pub struct FuzzyKMeansModel {
    centers: Dense,
    sigma2: f64,
    rule: Nearest,
}

impl FuzzyKMeansModel {
    fn new(centers: Dense, sigma2: f64) -> Self {
        Self { rule: Nearest::new(&centers), centers, sigma2 }
    }

    /// One row a cluster, in the columns that the model sees: scaled ones where a scaler goes before it.
    pub fn centers(&self) -> &Dense {
        &self.centers
    }

    /// σ²: the squared distance over which memberships fall by a factor of e.
    pub fn sigma2(&self) -> f64 {
        self.sigma2
    }

    /// Some centres, in another order.
    fn reorder(&mut self, order: &[usize]) {
        *self = Self::new(pick(&self.centers, order), self.sigma2);
    }

    /// 2·score/σ² less the largest, which comes off first: σ² may be the least number.
    fn sharpened(&self, scores: &[f64]) -> Vec<f64> {
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scores.iter().map(|s| 2.0 * (s - top) / self.sigma2).collect()
    }
}

impl Model for FuzzyKMeansModel {
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

    fn proba(&self) -> Option<&dyn Proba> {
        Some(self)
    }

    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let (weights, intercepts) = self.rule.linear();
        Some((weights.clone(), intercepts.to_vec()))
    }

    fn tensors(&self) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.put_matrix("centers", &self.centers);
        tensors.put_vector("sigma2", &[self.sigma2]);
        tensors
    }
}

impl Proba for FuzzyKMeansModel {
    fn proba(&self, x: MatrixRef<'_>) -> Result<Dense> {
        let decision = self.decision(x)?;
        let k = self.n_clusters();
        let mut out = Dense::zeros(x.rows(), k);
        par::fill_chunks(out.data_mut(), k, |range, part| {
            for (i, p) in range.zip(part.chunks_exact_mut(k)) {
                match decision.row(i) {
                    _ if k == 1 => p[0] = 1.0,
                    [gap] => softmax(&self.sharpened(&[0.0, *gap]), p),
                    scores => softmax(&self.sharpened(scores), p),
                }
            }
        });
        agree(&decision, &mut out)?;
        Ok(out)
    }
}

impl Method for FuzzyKMeans {
    type Model = FuzzyKMeansModel;
    const PROBA: bool = true;
    const SUGGESTIONS: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>> {
        check_counts::<Self>(data, p.n_clusters, 0)?;
        let (n, d, k) = (data.n() as u64, data.d() as u64, p.n_clusters as u64);
        let threads = rayon::current_num_threads() as u64;
        let needed = 8 * (n * (2 * k + 14) + k * d * (6 + 2 * threads));
        let remedy = Remedy::FewerClusters.or(Remedy::RaiseMemory);
        ctx.memory.require(Self::NAME, needed, remedy)?;
        let x = data.x();
        let table = KMeansData::new(&x, data.weights());
        let em = Em::new(p, data, &table, ctx)?;
        let initializations = initializations::<Self>(
            p.n_clusters,
            &p.init,
            p.n_init,
            &table,
            ctx.suggested.as_deref(),
        )?;
        let (run, initializations) = best_of(ctx, initializations, |ctx, start| {
            let run = em.run(start.centers(p.n_clusters, &table, ctx.seed), p, ctx);
            Ok(Candidate { score: -run.objective, iterations: run.trace.len(), value: run })
        })?;
        let mut model = FuzzyKMeansModel::new(run.centers, em.sigma2);
        let labels = number(&mut model, |m| m.predict(x), FuzzyKMeansModel::reorder)?;
        let mut notes = Vec::new();
        if model.n_clusters() < p.n_clusters {
            let text = format!(
                "found {} clusters instead of {}: the other centres are nearest to no row (sigma2 is {:.3e})",
                model.n_clusters(),
                p.n_clusters,
                em.sigma2
            );
            notes.push(Note::warning(codes::FEWER_CLUSTERS, text).with(Remedy::lower("sigma2")));
        }
        let report = Report {
            objective: run.objective,
            iterations: run.trace.len(),
            stop: if ctx.cancelled() { Stop::Cancelled } else { run.stop },
            initializations,
            trace: run.trace,
            notes,
            ..Report::idle()
        };
        Ok(Fit { model, labels, report })
    }

    fn load(tensors: &Tensors) -> Result<Self::Model> {
        let centers = tensors.matrix("centers")?;
        let sigma2 = tensors.vector("sigma2")?;
        let wrong = || Error::Model("its centres or their softness are impossible".into());
        match sigma2.as_slice() {
            [s] if *s > 0.0 && centers.rows() > 0 && centers.cols() > 0 => {
                Ok(FuzzyKMeansModel::new(centers, *s))
            }
            _ => Err(wrong()),
        }
    }

    fn passes(p: &Checked<Self>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
        passes::begin(p, tensors)
    }
}

/// Iterations of memberships and means.
struct Em<'a> {
    data: Dataset<'a>,
    /// The mean of the rows: distances are taken from it, so that an offset costs no digits.
    origin: Vec<f64>,
    /// ‖x − origin‖² of every row, and their weighted sum.
    squares: Vec<f64>,
    spread: f64,
    sigma2: f64,
}

struct Run {
    centers: Dense,
    objective: f64,
    stop: Stop,
    trace: Vec<f64>,
}

impl<'a> Em<'a> {
    fn new(
        p: &FuzzyKMeans,
        data: &Dataset<'a>,
        table: &KMeansData<'_>,
        ctx: &Ctx<'_>,
    ) -> Result<Self> {
        let x = data.x();
        let all = vec![0; x.rows()];
        let origin = label_means::<FuzzyKMeans>(1, table, &all)?.into_vec();
        let mut squares = vec![0.0; x.rows()];
        let base: f64 = origin.iter().map(|v| v * v).sum();
        par::fill_chunks(&mut squares, 1, |range, part| {
            for (i, out) in range.zip(part) {
                // Columns that a sparse row does not store are at 0; a row without zeros, stored either
                // way, needs no `base`, beside which a large origin would leave no digits.
                let stored = || x.row_values(i).iter().enumerate().filter(|(_, v)| **v != 0.0);
                let whole = stored().count() == origin.len();
                let change = stored().map(|(q, v)| {
                    let m = origin[x.column_of(i, q)];
                    (v - m) * (v - m) - if whole { 0.0 } else { m * m }
                });
                let sum = change.sum::<f64>();
                *out = if whole { sum } else { (base + sum).max(0.0) };
            }
        });
        let spread = (0..x.rows()).map(|i| data.weight(i) * squares[i]).sum::<f64>();
        let mut em = Self { data: *data, origin, squares, spread, sigma2: 1.0 };
        em.sigma2 = match p.sigma2 {
            Sigma2::Value(v) => v,
            Sigma2::Auto => em.width(p, table, ctx.seed),
        };
        Ok(em)
    }

    /// Twice the variance of a column within the clusters of a quick k-means.
    fn width(&self, p: &FuzzyKMeans, table: &KMeansData<'_>, seed: u64) -> f64 {
        let centers = table.seed(p.n_clusters, Seeding::Greedy, &mut Rng::new(seed, 1 << 32));
        let limits = Limits { max_iter: 30, tol: 1e-4 };
        let run = table.lloyd(centers, limits, &mut |_, _, _| false);
        let inertia = table.exact_inertia(&run.labels, &run.centers);
        let mass: f64 = (0..self.data.n()).map(|i| self.data.weight(i)).sum();
        let within = 2.0 * inertia / (mass * self.data.d() as f64);
        // Rows that all lie on centres have no width; any will do that is small beside their spread.
        let least = 1e-9 * self.spread / mass;
        let width = within.max(least);
        if width > 0.0 { width } else { 1.0 }
    }

    fn run(&self, mut centers: Dense, p: &FuzzyKMeans, ctx: &mut Ctx<'_>) -> Run {
        let (mut trace, mut stop) = (Vec::new(), Stop::MaxIter);
        let mut memberships = Dense::zeros(self.data.n(), centers.rows());
        loop {
            // E-step: memberships, and the objective of the centres they belong to.
            let objective = self.assign(&centers, &mut memberships);
            let fell = trace.last().map_or(f64::INFINITY, |last| last - objective);
            trace.push(objective);
            let iteration = trace.len();
            let event = Event::Iteration { iteration, max_iter: p.max_iter, objective, changed: 0 };
            if ctx.emit(event) {
                stop = Stop::Cancelled;
                break;
            }
            if fell <= p.tol * self.spread {
                stop = Stop::Converged;
                break;
            }
            if iteration == p.max_iter {
                break;
            }
            // M-step: means.
            self.means(&memberships, &mut centers);
        }
        let objective = trace[trace.len() - 1];
        Run { centers, objective, stop, trace }
    }

    /// P(j|x) times the row's weight, and −σ²·Σ w log Z.
    fn assign(&self, centers: &Dense, out: &mut Dense) -> f64 {
        let (x, k, s) = (self.data.x(), centers.rows(), self.sigma2);
        let mut shifted = centers.clone();
        for line in shifted.data_mut().chunks_exact_mut(self.origin.len()) {
            line.iter_mut().zip(&self.origin).for_each(|(c, o)| *c -= o);
        }
        // 2(x−o)·(c−o) − ‖c−o‖²; divided by σ² once the row's largest is off, as σ² may be the least number.
        let mut offsets = vec![0.0; k];
        for (c, offset) in offsets.iter_mut().enumerate() {
            let line = shifted.row_mut(c);
            let square: f64 = line.iter().map(|v| v * v).sum();
            line.iter_mut().for_each(|v| *v *= 2.0);
            let at: f64 = line.iter().zip(&self.origin).map(|(v, o)| v * o).sum();
            *offset = -square - at;
        }
        project_into(&x, &Columns::pack(shifted.view()), &offsets, out.data_mut());
        // The largest of every row, and log Σ exp of what it leads by.
        let mut logs = Dense::zeros(x.rows(), 2);
        let scores = &*out;
        par::fill_chunks(logs.data_mut(), 2, |range, part| {
            for (i, log) in range.zip(part.chunks_exact_mut(2)) {
                let row = scores.row(i);
                log[0] = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                log[1] = row.iter().map(|u| ((u - log[0]) / s).exp()).sum::<f64>().ln();
            }
        });
        par::fill_chunks(out.data_mut(), k, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(k)) {
                let (w, log) = (self.data.weight(i), logs.row(i));
                line.iter_mut().for_each(|u| *u = w * ((*u - log[0]) / s - log[1]).exp());
            }
        });
        let mut total = 0.0;
        let map = |range: std::ops::Range<usize>| -> f64 {
            let log = |i: usize| logs[(i, 0)] + s * logs[(i, 1)];
            range.map(|i| self.data.weight(i) * (self.squares[i] - log(i))).sum()
        };
        par::fold_chunks(x.rows(), map, |part| total += part);
        total
    }

    /// Centres as means; one that no row belongs to stays.
    fn means(&self, memberships: &Dense, centers: &mut Dense) {
        let sums = gather(&self.data.x(), memberships);
        let mut mass = vec![0.0; centers.rows()];
        for i in 0..memberships.rows() {
            mass.iter_mut().zip(memberships.row(i)).for_each(|(m, v)| *m += v);
        }
        for (c, &mass) in mass.iter().enumerate().filter(|(_, m)| **m > 0.0) {
            let places = centers.row_mut(c).iter_mut().zip(sums.row(c));
            places.for_each(|(to, s)| *to = s / mass);
        }
    }
}

//! Where a search begins.

use super::anneal::{Found, Search, Watch};
use super::columns::mean_of;
use super::settings::Settings;
use super::{Against, Conditional, Strengths, anneal, objective};
use crate::choice::KernelChoice;
use crate::estimator::Init;
use crate::start::lloyd::{Limits, Table};
use crate::start::plus_plus::Seeding;
use separa_math::linalg::{EigOptions, SymOp, Which, eig_few, norm};
use separa_math::matrix::{Dense, Rows, gather, project};
use separa_math::optim::lbfgs::{self, Options};
use separa_math::rng::Rng;
use std::ops::ControlFlow;

/// Rounds of k-means before a search: it need not come to rest.
const ROUNDS: usize = 20;
/// Iterations of the fit to labels.
const FIT: usize = 30;

/// One start.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    /// Down the path from w near 0, with the noise of this stream.
    Anneal(u64),
    /// From the labels of k-means, drawn from this stream.
    KMeans(u64),
    /// From k-means on the leading eigenvectors of the kernel as an affinity.
    Spectral,
    Labels(Vec<i32>),
}

/// The starts that were asked for; `sample` picks the labels of the rows at hand. With a kernel the second
/// is spectral: shapes that its eigenvectors unfold are out of reach of k-means.
pub(crate) fn starts(s: &Settings, sample: Option<&[usize]>) -> Vec<(String, Start)> {
    let anneal = |i: usize| (format!("anneal {}", i + 1), Start::Anneal(i as u64));
    let kmeans = |i: usize| (format!("kmeans {}", i + 1), Start::KMeans(i as u64));
    match &s.init {
        Init::Labels(labels) => {
            let labels = match sample {
                Some(index) => index.iter().map(|&i| labels[i]).collect(),
                None => labels.clone(),
            };
            vec![("given labels".into(), Start::Labels(labels))]
        }
        Init::Named(name) if name == "kmeans" => (0..s.n_init).map(kmeans).collect(),
        Init::Named(_) => (0..s.n_init).map(anneal).collect(),
        Init::Auto => {
            let each = |i: usize| if i.is_multiple_of(2) { anneal(i / 2) } else { kmeans(i / 2) };
            let mut starts: Vec<(String, Start)> = (0..s.n_init).map(each).collect();
            if s.kernel != KernelChoice::Linear {
                starts.insert(1, ("spectral".into(), Start::Spectral));
                starts.truncate(s.n_init);
            }
            starts
        }
    }
}

/// Rows to draw k-means from: scaled, without being centred.
#[allow(missing_debug_implementations)]
pub(crate) struct Scene<'a> {
    pub rows: &'a dyn Rows,
    pub shares: &'a [f64],
    pub seed: u64,
}

impl Scene<'_> {
    fn kmeans(&self, rows: &dyn Rows, k: usize, task: u64) -> Vec<i32> {
        let table = Table::new(rows, Some(self.shares));
        let mut rng = Rng::new(self.seed, (1 << 32) | task);
        let centers = table.seed(k, Seeding::Greedy, &mut rng);
        let limits = Limits { max_iter: ROUNDS, tol: 1e-4 };
        let run = table.lloyd(centers, limits, &mut |_, _, _| false);
        run.labels.iter().map(|&l| l as i32).collect()
    }

    /// Ng, Jordan & Weiss's: the k leading eigenvectors of D^-½·K·D^-½, every row of length one; the
    /// kernel K = ΦΦᵀ is known by its features. None where it is no affinity, or the eigenvectors fail.
    fn embedding(&self, k: usize) -> Option<Dense> {
        let n = self.rows.n_rows();
        let mean = mean_of(self.rows, self.shares);
        let mean = Dense::from_vec(1, mean.len(), mean).expect("one row");
        let degrees = project(self.rows, mean.view(), &[0.0]).into_vec();
        if degrees.iter().any(|d| *d <= 0.0) {
            return None;
        }
        let roots = degrees.iter().zip(self.shares).map(|(d, s)| (s / d).sqrt()).collect();
        let affinity = Affinity { rows: self.rows, roots };
        let options = EigOptions { tol: 1e-6, max_products: 2000, block: 0, seed: self.seed };
        let found = eig_few(&affinity, k, Which::Largest, &options).ok()?;
        let mut out = Dense::zeros(n, found.vectors.rows());
        for i in 0..n {
            let line = out.row_mut(i);
            line.iter_mut().enumerate().for_each(|(c, v)| *v = found.vectors[(c, i)]);
            let length = norm(line);
            if length > 0.0 {
                line.iter_mut().for_each(|v| *v /= length);
            }
        }
        Some(out)
    }
}

/// D^-½·ΦΦᵀ·D^-½, weights of the rows included.
struct Affinity<'a> {
    rows: &'a dyn Rows,
    roots: Vec<f64>,
}

impl SymOp for Affinity<'_> {
    fn dim(&self) -> usize {
        self.roots.len()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.dim();
        let m = x.len() / n;
        let mut shares = Dense::zeros(n, m);
        for i in 0..n {
            (0..m).for_each(|c| shares[(i, c)] = x[c * n + i] * self.roots[i]);
        }
        let sums = gather(self.rows, &shares);
        let images = project(self.rows, sums.view(), &vec![0.0; m]);
        for i in 0..n {
            (0..m).for_each(|c| out[c * n + i] = images[(i, c)] * self.roots[i]);
        }
    }
}

impl Start {
    /// Runs the search from this start.
    pub fn run(
        self,
        posterior: &mut dyn Conditional,
        search: &Search,
        scene: &Scene<'_>,
        watch: &mut Watch<'_>,
    ) -> Found {
        match self {
            Self::Anneal(task) => {
                let mut rng = Rng::new(scene.seed, task);
                anneal(posterior, search, &mut rng, watch)
            }
            Self::KMeans(task) => {
                let labels = scene.kmeans(scene.rows, posterior.n_clusters(), task);
                from_labels(&labels, posterior, search, watch)
            }
            Self::Spectral => {
                let k = posterior.n_clusters();
                let embedding = scene.embedding(k);
                let rows = embedding.as_ref().map_or(scene.rows, |e| e as &dyn Rows);
                let labels = scene.kmeans(rows, k, 1 << 20);
                from_labels(&labels, posterior, search, watch)
            }
            Self::Labels(labels) => from_labels(&labels, posterior, search, watch),
        }
    }
}

/// Fits the labels, then searches from there at the last λ.
fn from_labels(
    labels: &[i32],
    posterior: &mut dyn Conditional,
    search: &Search,
    watch: &mut Watch<'_>,
) -> Found {
    posterior.hold_labels(labels);
    let plain = Strengths { balance: 0.0, ..search.strengths };
    let options = Options { max_iter: FIT, tol: 10.0 * search.tol, ..Options::default() };
    let w = vec![0.0; posterior.n_params()];
    let fit = |w: &[f64], grad: &mut [f64]| objective(posterior, w, plain, Against::Held, grad);
    let w = lbfgs::minimise(fit, w, &options, |_| ControlFlow::Continue(())).x;
    search.settle(posterior, w, 0, watch)
}

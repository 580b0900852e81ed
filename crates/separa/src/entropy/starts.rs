//! Where a search begins.

use super::anneal::{Found, Search, Watch};
use super::settings::Settings;
use super::{Against, Conditional, Strengths, anneal, objective};
use crate::estimator::Init;
use crate::start::lloyd::{Limits, Table};
use crate::start::plus_plus::Seeding;
use separa_math::matrix::Rows;
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
    Labels(Vec<i32>),
}

/// The starts that were asked for; `sample` picks the labels of the rows at hand.
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
            (0..s.n_init).map(each).collect()
        }
    }
}

/// Rows to draw k-means from: scaled, without being centred.
#[allow(missing_debug_implementations)]
pub(crate) struct Scene<'a> {
    pub rows: &'a dyn Rows,
    pub weights: Option<&'a [f64]>,
    pub seed: u64,
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
                let w = vec![0.0; posterior.n_params()];
                anneal(posterior, search, w, &mut rng, watch)
            }
            Self::KMeans(task) => {
                let table = Table::new(scene.rows, scene.weights);
                let mut rng = Rng::new(scene.seed, (1 << 32) | task);
                let centers = table.seed(posterior.n_clusters(), Seeding::Greedy, &mut rng);
                let limits = Limits { max_iter: ROUNDS, tol: 1e-4 };
                let run = table.lloyd(centers, limits, &mut |_, _, _| false);
                let labels: Vec<i32> = run.labels.iter().map(|&l| l as i32).collect();
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

//! Where a search begins.

use super::anneal::{EntropyMinimum, EntropySearch, Watch};
use super::settings::RowParams;
use super::{Against, Conditional, Strengths, anneal, objective};
use crate::kmeans::GAPS;
use crate::params::{Init, KernelChoice, typical_rows};
use crate::start::spectral::{groups_at_widths, lines_at_widths};
use separa_math::distance::{Measure, Metric, median_gamma};
use separa_math::kmeans::{KMeansData, Limits, Seeding};
use separa_math::matrix::{Rows, Stored, Subset};
use separa_math::optim::lbfgs::{self, LbfgsOptions};
use separa_math::rng::Rng;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Spectral initializations that go on after a glance, and its iterations.
const KEPT: usize = 3;
const GLANCE: usize = 5;
/// Rows that spectral initializations look at.
const LOOKED_AT: usize = 1000;

/// Bytes of spectral initializations: squared distances and affinities of some rows, and distances to them.
pub(super) fn bytes(n: usize) -> u64 {
    let few = n.min(LOOKED_AT) as u64;
    8 * few * (4 * few + n as u64)
}
/// Iterations of k-means before a search: it need not come to rest.
const ROUNDS: usize = 20;
/// Iterations of the fit to labels.
const FIT: usize = 30;

/// One initialization.
#[derive(Debug, Clone)]
pub(crate) enum EntropyInit {
    /// Down the path from w near 0, with the noise of this stream.
    Anneal(u64),
    /// From the labels of k-means, drawn from this stream.
    KMeans(u64),
    Labels(Vec<i32>),
}

/// The initializations that were asked for; `sample` picks the labels of the rows at hand. With a kernel the second
/// is spectral, at several widths.
pub(super) fn initializations<L>(
    s: &RowParams<L>,
    scene: &Scene<'_>,
    sample: Option<&[usize]>,
    suggested: Option<&[i32]>,
    posterior: &mut dyn Conditional,
    search: &EntropySearch,
) -> Vec<(String, EntropyInit)> {
    let anneal = |i: usize| (format!("anneal {}", i + 1), EntropyInit::Anneal(i as u64));
    let kmeans = |i: usize| (format!("kmeans {}", i + 1), EntropyInit::KMeans(i as u64));
    let of_labels = |labels: &[i32]| match sample {
        Some(index) => EntropyInit::Labels(index.iter().map(|&i| labels[i]).collect()),
        None => EntropyInit::Labels(labels.to_vec()),
    };
    match &s.init {
        Init::Labels(labels) => vec![("given labels".into(), of_labels(labels))],
        Init::Named(name) if name == "kmeans" => (0..s.n_init).map(kmeans).collect(),
        Init::Named(_) => (0..s.n_init).map(anneal).collect(),
        Init::Auto => {
            let each = |i: usize| if i.is_multiple_of(2) { anneal(i / 2) } else { kmeans(i / 2) };
            if s.kernel == KernelChoice::Linear || s.n_init == 1 {
                let gaps = suggested.map(|labels| (GAPS.to_owned(), of_labels(labels)));
                return (0..s.n_init).map(each).chain(gaps).collect();
            }
            let spectral = promising(scene.spectral(s.n_clusters), posterior, search);
            let others = (1..s.n_init - 1).map(each);
            std::iter::once(anneal(0)).chain(spectral).chain(others).collect()
        }
    }
}

/// Of some labels those of least objective after a glance.
fn promising(
    found: Vec<(String, Vec<i32>)>,
    posterior: &mut dyn Conditional,
    search: &EntropySearch,
) -> Vec<(String, EntropyInit)> {
    let mut ranked: Vec<(f64, (String, EntropyInit))> = Vec::with_capacity(found.len());
    for (name, labels) in found {
        let w = fitted(&labels, posterior, search, GLANCE);
        ranked.push((search.value(posterior, &w), (name, EntropyInit::Labels(labels))));
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.into_iter().take(KEPT).map(|(_, start)| start).collect()
}

/// Rows to draw k-means from: scaled, without being centred.
#[allow(missing_debug_implementations)]
pub(crate) struct Scene<'a> {
    pub rows: &'a dyn Rows,
    pub shares: &'a [f64],
    pub seed: u64,
}

impl Scene<'_> {
    fn kmeans(&self, k: usize, task: u64) -> Vec<i32> {
        let table = KMeansData::new(self.rows, Some(self.shares));
        let mut rng = Rng::new(self.seed, (1 << 32) | task);
        let centers = table.seed(k, Seeding::Greedy, &mut rng);
        let limits = Limits { max_iter: ROUNDS, tol: 1e-4 };
        let run = table.lloyd(centers, limits, &mut |_, _, _| false);
        run.labels.iter().map(|&l| l as i32).collect()
    }

    /// Spectral clustering of the rows at several widths, each partition once: shapes that k-means cannot
    /// tell apart. Of many rows some are looked at, and the others go with the nearest of these.
    fn spectral(&self, k: usize) -> Vec<(String, Vec<i32>)> {
        let kept: Vec<usize> = (0..self.rows.n_rows()).filter(|&i| self.shares[i] > 0.0).collect();
        if kept.len() <= k {
            return Vec::new();
        }
        let drawn = Rng::new(self.seed, 0x7370).sample(kept.len(), LOOKED_AT);
        let index: Vec<usize> = drawn.into_iter().map(|r| kept[r]).collect();
        let few = Stored::of(self.rows, &index);
        let shares: Vec<f64> = index.iter().map(|&i| self.shares[i]).collect();
        let squares = Measure::from(Metric::SqEuclidean).matrix(&few, &few);
        let typical = typical_rows(&shares, self.seed);
        let gamma = median_gamma(&Subset { rows: &few, index: &typical }, self.seed);
        // Where eigenvectors fail there are other initializations.
        let groups = groups_at_widths(&squares, gamma, &shares, k, self.seed);
        let mut found = groups.unwrap_or_default();
        if k == 2 {
            let lines = lines_at_widths(&squares, gamma, &shares, self.seed).unwrap_or_default();
            found.extend(lines.into_iter().map(|(name, _, line)| (name, halves(&line, &shares))));
        }
        let nearest = self.nearest(&few);
        let mut out: Vec<(String, Vec<i32>)> = Vec::new();
        for (name, labels) in found {
            let labels: Vec<i32> = nearest.iter().map(|&r| labels[r] as i32).collect();
            if !out.iter().any(|(_, other)| is_same_partition(other, &labels)) {
                out.push((name, labels));
            }
        }
        out
    }

    /// The nearest of a few rows, for every row.
    fn nearest(&self, few: &Stored) -> Vec<usize> {
        let squares = Measure::from(Metric::SqEuclidean).matrix(self.rows, few);
        let least = |i: usize| {
            let line = squares.row(i);
            (1..line.len()).fold(0, |best, r| if line[r] < line[best] { r } else { best })
        };
        (0..squares.rows()).map(least).collect()
    }
}

/// The lower half of the rows along a line, and the upper.
fn halves(line: &[f64], shares: &[f64]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..line.len()).collect();
    order.sort_unstable_by(|&i, &j| line[i].total_cmp(&line[j]).then(i.cmp(&j)));
    let (half, mut sum) = (0.5 * shares.iter().sum::<f64>(), 0.0);
    let mut labels = vec![0; line.len()];
    for i in order {
        labels[i] = u32::from(sum + 0.5 * shares[i] > half);
        sum += shares[i];
    }
    labels
}

/// Whether two labelings differ by the names of their clusters only.
fn is_same_partition(a: &[i32], b: &[i32]) -> bool {
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    a.iter()
        .zip(b)
        .all(|(x, y)| *there.entry(x).or_insert(y) == y && *back.entry(y).or_insert(x) == x)
}

impl EntropyInit {
    /// Runs the search from this initialization.
    pub fn run(
        self,
        posterior: &mut dyn Conditional,
        search: &EntropySearch,
        scene: &Scene<'_>,
        watch: &mut Watch<'_>,
    ) -> EntropyMinimum {
        match self {
            Self::Anneal(task) => {
                let mut rng = Rng::new(scene.seed, task);
                anneal(posterior, search, &mut rng, watch)
            }
            Self::KMeans(task) => {
                let labels = scene.kmeans(posterior.n_clusters(), task);
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
    search: &EntropySearch,
    watch: &mut Watch<'_>,
) -> EntropyMinimum {
    let w = fitted(labels, posterior, search, FIT);
    search.settle(posterior, w, 0, watch)
}

/// The weights that labels lead to.
fn fitted(
    labels: &[i32],
    posterior: &mut dyn Conditional,
    search: &EntropySearch,
    max_iter: usize,
) -> Vec<f64> {
    posterior.hold_labels(labels);
    let plain = Strengths { balance: 0.0, ..search.strengths };
    let options = LbfgsOptions { max_iter, tol: 10.0 * search.tol, ..LbfgsOptions::default() };
    let w = vec![0.0; posterior.n_params()];
    let fit = |w: &[f64], grad: &mut [f64]| objective(posterior, w, plain, Against::Held, grad);
    lbfgs::minimise(fit, w, &options, |_| ControlFlow::Continue(())).x
}

//! Random halves of the rows, and clusters of all rows by k-means on some of them.

use separa_math::kmeans::{Limits, Restarts, kmeans, nearest};
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;

/// When a run of k-means ends.
const LIMITS: Limits = Limits { max_iter: 100, tol: 1e-4 };

/// The numbers below `n` in two random halves.
pub fn halves(n: usize, rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut order);
    let second = order.split_off(n / 2);
    (order, second)
}

/// k-means on some rows.
#[derive(Debug, Clone, Copy)]
pub struct ByKMeans<'a> {
    pub rows: &'a Dense,
    pub weights: Option<&'a [f64]>,
    pub k: usize,
    pub n_init: usize,
    pub seed: u64,
}

impl ByKMeans<'_> {
    /// The cluster of every row, from the rows `seen`.
    pub fn labels(&self, seen: &[usize]) -> Vec<u32> {
        let Self { rows, k, n_init, seed, .. } = *self;
        let weights: Option<Vec<f64>> = self.weights.map(|w| seen.iter().map(|&i| w[i]).collect());
        let restarts = Restarts { n_init, limits: LIMITS, seed };
        let run = kmeans(&pick(rows, seen), weights.as_deref(), k, restarts, &mut || false);
        nearest(rows, run.centers.view())
    }
}

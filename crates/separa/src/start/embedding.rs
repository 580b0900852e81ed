//! Starting partitions of standardised rows: k-means where it is cheap.
//!
//! k-means runs on a seeded sample of rows in their leading principal directions; every row then
//! joins the nearest centre. An initialization has to be near, not optimal, and this one costs little more
//! than a pass over the rows.

use super::spectral;
use crate::error::Result;
use separa_math::distance::Metric;
use separa_math::kmeans::{Limits, Pause, Restarts, kmeans};
use separa_math::linalg::leading_subspace;
use separa_math::matrix::{Dense, Rows, Subset, project};
use separa_math::moments::Moments;
use separa_math::neighbours::{Graph, Join, Neighbours, Weight};
use separa_math::optim::mpm::{self, Side};
use separa_math::par;
use separa_math::rng::Rng;

/// Rows that k-means sees at most.
const SAMPLE: usize = 16_384;
/// Directions that k-means sees at most; in narrower tables these are all of them, turned.
const DIRECTIONS: usize = 32;
/// Rows in a graph of neighbours at most, neighbours of each, and the stream they are drawn from.
const GRAPH_ROWS: usize = 2000;
const VOTERS: usize = 7;
const GRAPH_STREAM: u64 = 0x67;
const SUBSPACE_ROUNDS: usize = 6;
const LIMITS: Limits = Limits { max_iter: 100, tol: 1e-4 };

/// Rows seen along a few directions.
pub struct Embedding<'a> {
    rows: &'a dyn Rows,
    /// One direction a row.
    basis: Dense,
    /// The sampled rows and their weights.
    sample: Vec<usize>,
    weights: Option<Vec<f64>>,
    seed: u64,
}

impl<'a> Embedding<'a> {
    /// `order` are the rows that weigh something, in the order in which some are drawn; `covariance` is that of the
    /// rows; `scale` gives each column its length in the space where distances are taken (None: one and all).
    pub fn new(
        rows: &'a dyn Rows,
        order: &[usize],
        weights: Option<&[f64]>,
        covariance: &Dense,
        scale: Option<&[f64]>,
        seed: u64,
    ) -> Result<Self> {
        let d = rows.n_cols();
        let length = |j: usize| scale.map_or(1.0, |s| s[j]);
        let mut basis = {
            let mut seen = covariance.clone();
            for i in 0..d {
                let line = seen.row_mut(i);
                line.iter_mut().enumerate().for_each(|(j, v)| *v *= length(i) * length(j));
            }
            leading_subspace(&seen, DIRECTIONS, SUBSPACE_ROUNDS, seed)?
        };
        for r in 0..basis.rows() {
            basis.row_mut(r).iter_mut().enumerate().for_each(|(j, v)| *v *= length(j));
        }
        let drawn = Rng::new(seed, 0x73).sample(order.len(), SAMPLE);
        let sample: Vec<usize> = drawn.into_iter().map(|r| order[r]).collect();
        let weights = weights.map(|w| sample.iter().map(|&i| w[i]).collect());
        Ok(Self { rows, basis, sample, weights, seed })
    }

    fn points(&self, directions: usize) -> Dense {
        let q = directions.min(self.basis.rows());
        let basis = self.basis.data()[..q * self.basis.cols()].to_vec();
        let basis = Dense::from_vec(q, self.basis.cols(), basis).expect("the first rows");
        project(&Subset { rows: self.rows, index: &self.sample }, basis.view(), &vec![0.0; q])
    }

    /// k-means in `directions` leading directions; `pause` is asked between restarts.
    pub fn kmeans(
        &self,
        k: usize,
        n_init: usize,
        directions: usize,
        pause: &mut Pause<'_>,
    ) -> Vec<u32> {
        let points = self.points(directions);
        let restarts = Restarts { n_init, limits: LIMITS, seed: self.seed };
        self.nearest(&kmeans(&points, self.weights.as_deref(), k, restarts, pause).centers)
    }

    /// The parts of a graph of nearest neighbours, on a sample; every other row is in that of its nearest sampled row.
    /// Clusters of any shape, which k-means would cut.
    pub fn graph_parts(&self, k: usize) -> Result<Vec<u32>> {
        let drawn = Rng::new(self.seed, GRAPH_STREAM).sample(self.sample.len(), GRAPH_ROWS);
        let index: Vec<usize> = drawn.iter().map(|&r| self.sample[r]).collect();
        let weights = self.weights.as_ref().map(|w| drawn.iter().map(|&r| w[r]).collect());
        let points = self.points_at(&index);
        let nearest = Neighbours::among(Metric::Euclidean, &points, VOTERS);
        let graph = Graph::new(&nearest, Weight::SelfTuning { neighbour: VOTERS }, Join::Union);
        let weights: Vec<f64> = weights.unwrap_or_else(|| vec![1.0; index.len()]);
        let parts = spectral::parts(graph, &weights, k, self.seed)?;
        let all = Neighbours::between(Metric::Euclidean, &self.all_points(), &points, 1);
        Ok((0..self.rows.n_rows()).map(|i| parts[all.row(i).0[0] as usize]).collect())
    }

    /// Some rows along the leading directions.
    pub fn points_at(&self, index: &[usize]) -> Dense {
        let rows = Subset { rows: self.rows, index };
        project(&rows, self.basis.view(), &vec![0.0; self.basis.rows()])
    }

    /// All rows along the leading directions.
    pub fn all_points(&self) -> Dense {
        project(self.rows, self.basis.view(), &vec![0.0; self.basis.rows()])
    }

    pub fn directions(&self) -> usize {
        self.basis.rows()
    }

    /// Over-splits, then merges the closest pair until k clusters are left. The initialization for
    /// clusters of very unequal size, which k-means would rather cut in two than leave alone.
    pub fn merged(
        &self,
        k: usize,
        n_init: usize,
        reg: f64,
        pause: &mut Pause<'_>,
    ) -> Result<Vec<u32>> {
        let many = (2 * k).max(k + 6).min(self.sample.len());
        let points = self.points(self.directions());
        let restarts = Restarts { n_init, limits: LIMITS, seed: self.seed };
        let run = kmeans(&points, self.weights.as_deref(), many, restarts, pause);
        let labels: Vec<i32> = run.labels.iter().map(|&l| l as i32).collect();
        let mut parts: Vec<(Moments, Vec<usize>)> =
            Moments::by_label(&points, self.weights.as_deref(), &labels, many)
                .into_iter()
                .enumerate()
                .filter(|(_, m)| m.n() > 0.0)
                .map(|(c, m)| (m, vec![c]))
                .collect();
        while parts.len() > k {
            let (i, j) = least_separated(&parts, reg)?;
            let (moments, members) = parts.remove(j);
            parts[i].0.merge(&moments);
            parts[i].1.extend(members);
        }
        let mut owner = vec![0; many];
        for (c, (_, members)) in parts.iter().enumerate() {
            members.iter().for_each(|&m| owner[m] = c as u32);
        }
        let fine = self.nearest(&run.centers);
        Ok(fine.into_iter().map(|l| owner[l as usize]).collect())
    }

    /// The nearest centre of every row, in the embedding: ‖Bz − c‖² is −2(zᵀBᵀc − ½‖c‖²) and what
    /// does not depend on c.
    fn nearest(&self, centers: &Dense) -> Vec<u32> {
        let (k, q, d) = (centers.rows(), centers.cols(), self.basis.cols());
        let mut weights = Dense::zeros(k, d);
        for c in 0..k {
            for r in 0..q {
                let factor = centers[(c, r)];
                let from = self.basis.row(r);
                weights.row_mut(c).iter_mut().zip(from).for_each(|(w, b)| *w += factor * b);
            }
        }
        let offsets: Vec<f64> =
            (0..k).map(|c| -0.5 * centers.row(c).iter().map(|v| v * v).sum::<f64>()).collect();
        let scores = project(self.rows, weights.view(), &offsets);
        let first_largest = |row: &[f64]| {
            (1..k).fold(0, |best, c| if row[c] > row[best] { c } else { best }) as u32
        };
        let mut labels = vec![0; self.rows.n_rows()];
        par::fill_chunks(&mut labels, 1, |range, part| {
            range.zip(part).for_each(|(i, l)| *l = first_largest(scores.row(i)));
        });
        labels
    }
}

fn least_separated(parts: &[(Moments, Vec<usize>)], reg: f64) -> Result<(usize, usize)> {
    let covs: Vec<Dense> = parts.iter().map(|(m, _)| m.covariance_plus(reg)).collect();
    let side = |c: usize| Side { mean: parts[c].0.mean(), cov: &covs[c] };
    let mut best = (f64::INFINITY, (0, 1));
    for i in 0..parts.len() {
        for j in i + 1..parts.len() {
            let kappa = mpm::solve(side(i), side(j))?.kappa;
            if kappa < best.0 {
                best = (kappa, (i, j));
            }
        }
    }
    Ok(best.1)
}

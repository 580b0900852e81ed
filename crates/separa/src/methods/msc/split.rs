//! One part in two.

use super::choices::RowWeights;
use super::cut::{self, Cut};
use super::direction::{Alpha, DirectionProblem};
use super::params::Msc;
use super::plan::DistanceStorage;
use super::source::{DistanceSource, StoredDistances};
use crate::error::Result;
use separa_math::linalg::{EigOptions, Precision};
use separa_math::rng::Rng;

/// What all splits share.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub params: &'a Msc,
    pub source: DistanceSource<'a>,
    /// How often each row counts; 1 on average.
    pub counts: &'a [f64],
    /// What the values of a split are multiplied by, so that weights count as copies of rows.
    pub unit: f64,
    /// α as given, one a row.
    pub alpha: Option<&'a [f64]>,
    pub plan: DistanceStorage,
    pub seed: u64,
}

/// A split that may be made.
#[derive(Debug)]
pub(super) struct Halves {
    /// The rows that distances are taken to.
    pub marks: Vec<usize>,
    pub coef: Vec<f64>,
    pub cut: Cut,
    /// The rows below the threshold, and the others.
    pub sides: [Vec<usize>; 2],
    /// ‖Dw‖² or −zᵀDz.
    pub value: f64,
    pub upside_down: bool,
    pub converged: bool,
    /// All distances are equal, so that no split is better than another.
    pub arbitrary: bool,
    /// The smaller side holds less than min_cluster_size asks.
    pub thin: bool,
}

impl Setting<'_> {
    /// The best split of a part; `None` where its rows coincide.
    pub fn split(&self, part: &[usize]) -> Result<Option<Halves>> {
        if part.len() < 2 {
            return Ok(None);
        }
        let (places, distances) = self.distances(part);
        let marks: Vec<usize> = places.iter().map(|&l| part[l]).collect();
        let counts: Vec<f64> = part.iter().map(|&i| self.counts[i]).collect();
        let alpha = self.alpha(part);
        let problem = DirectionProblem {
            counts: &counts,
            marks: &places,
            alpha: &alpha,
            objective: self.params.objective,
            options: self.options(),
        };
        let Some(mut direction) = problem.solve(&distances)? else { return Ok(None) };
        let arbitrary = part.len() > 2 && all_equal(&distances);
        if arbitrary {
            direction.coef = in_order(part.len());
        }
        let f = self.source.scores(part, &marks, &direction.coef, &distances);
        let floor = self.floor();
        let best = cut::best(&cut::Given {
            f: &f,
            distances: &distances,
            counts: &counts,
            marks: &places,
            rule: self.params.threshold,
            zero: direction.zero,
            floor,
            compare: self.params.n_clusters > 2,
        });
        let Some(cut) = best else { return Ok(None) };
        let mut sides = [Vec::new(), Vec::new()];
        part.iter().zip(&f).for_each(|(&i, &v)| sides[usize::from(v >= cut.threshold)].push(i));
        Ok(Some(Halves {
            marks,
            coef: direction.coef,
            cut,
            sides,
            value: (direction.value * self.unit).min(f64::MAX),
            upside_down: direction.upside_down && !arbitrary,
            converged: direction.converged,
            arbitrary,
            thin: cut.smaller < floor * (1.0 - 1e-12),
        }))
    }

    /// f less the value that stands for 0, for every row of a part with these distances.
    pub fn values(&self, part: &[usize], distances: &StoredDistances) -> Result<Option<Vec<f64>>> {
        let counts: Vec<f64> = part.iter().map(|&i| self.counts[i]).collect();
        let alpha = self.alpha(part);
        let problem = DirectionProblem {
            counts: &counts,
            marks: &(0..part.len()).collect::<Vec<_>>(),
            alpha: &alpha,
            objective: self.params.objective,
            options: self.options(),
        };
        let direction = problem.solve(distances)?;
        Ok(direction.map(|d| {
            let f = self.source.scores(part, part, &d.coef, distances);
            f.iter().map(|v| v - d.zero).collect()
        }))
    }

    /// The places of the marks within a part, and the distances to them.
    fn distances(&self, part: &[usize]) -> (Vec<usize>, StoredDistances) {
        match self.plan {
            DistanceStorage::Landmarks(m) if m < part.len() => {
                // A part is known by its first row: parts never share a row.
                let places =
                    Rng::new(self.seed, (0x6c6d << 32) + part[0] as u64).sample(part.len(), m);
                let marks: Vec<usize> = places.iter().map(|&l| part[l]).collect();
                let distances = self.source.to(part, &marks);
                (places, distances)
            }
            DistanceStorage::Landmarks(_) => {
                ((0..part.len()).collect(), self.source.among(part, Precision::Double))
            }
            DistanceStorage::All(precision) => {
                ((0..part.len()).collect(), self.source.among(part, precision))
            }
        }
    }

    fn alpha(&self, part: &[usize]) -> Alpha {
        match (&self.params.weights, self.alpha) {
            (_, Some(alpha)) => Alpha::Given(part.iter().map(|&i| alpha[i]).collect()),
            (RowWeights::Uniform | RowWeights::Given(_), None) => Alpha::Uniform,
            (RowWeights::Distance, None) => Alpha::Distance,
            (RowWeights::Perron, None) => Alpha::Perron,
        }
    }

    fn options(&self) -> EigOptions {
        let (tol, max_products) = (self.params.tol, self.params.max_iter);
        EigOptions { tol, max_products, seed: self.seed, ..EigOptions::default() }
    }

    /// The least number of rows of a side.
    fn floor(&self) -> f64 {
        let total: f64 = self.counts.iter().sum();
        self.params.min_cluster_size.rows_of_k(total, self.params.n_clusters.max(2))
    }
}

/// Whether all distances of different rows are equal, to rounding.
fn all_equal(distances: &StoredDistances) -> bool {
    let StoredDistances::All(d) = distances else { return false };
    let first = d.get(1, 0);
    let same = |v: f64| (v - first).abs() <= 1e-9 * first;
    // The first unequal pair ends it, nearly always in the first row.
    (1..d.n()).all(|i| (0..i).all(|j| same(d.get(i, j))))
}

/// w of a split in the order of the rows, which is as good as any where all distances are equal.
fn in_order(n: usize) -> Vec<f64> {
    let first = n.div_ceil(2);
    let (a, b) = (1.0 / first as f64, 1.0 / (n - first) as f64);
    let length = ((a + b) * n as f64).sqrt();
    (0..n).map(|i| if i < first { a / length } else { -b / length }).collect()
}

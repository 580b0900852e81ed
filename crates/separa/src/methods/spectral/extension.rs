//! From rows to the embedding: one formula for rows that were fitted and rows that were not.

use super::vectors::ExtensionWeights;
use separa_math::distance::Metric;
use separa_math::kernel::exp::exp;
use separa_math::kernel::mercer::Kernel;
use separa_math::kernel::sums::{weighted_sums, weighted_sums_of};
use separa_math::matrix::{Dense, Rows, Stored, Subset, project};
use separa_math::neighbours::Neighbours;

/// What joins a row to the points.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExtensionKind {
    /// One for the nearest points, so many.
    Knn(usize),
    Rbf {
        gamma: f64,
    },
    /// exp(−d²/(s·sⱼ)), s the distance to the nearest point but so many (or `spare`, where it is 0).
    SelfTuning {
        neighbor: usize,
        scales: Vec<f64>,
        spare: f64,
    },
    /// The columns of the row itself.
    Given,
}

/// Points, what joins rows to them, and the weights that make the embedding of it.
#[derive(Debug, Clone)]
pub(super) struct Extension {
    pub kind: ExtensionKind,
    /// Training rows or landmarks; none where affinities are given.
    pub points: Option<Stored>,
    /// As [`ExtensionWeights::rows`].
    pub weights: Dense,
    pub floor: f64,
    /// Whether rows are scaled to length one.
    pub unit: bool,
}

impl Extension {
    pub fn new(
        kind: ExtensionKind,
        points: Option<Stored>,
        weights: ExtensionWeights,
        unit: bool,
    ) -> Self {
        Self { kind, points, weights: weights.rows, floor: weights.floor, unit }
    }

    pub fn n_features(&self) -> usize {
        self.points.as_ref().map_or(self.weights.cols(), Rows::n_cols)
    }

    /// The embedding of any rows.
    pub fn embed(&self, rows: &dyn Rows) -> Dense {
        let mut sums = self.sums(rows);
        // A row too far from all points to be joined to any goes where the nearest point is.
        let below = sums.cols() - 1;
        let lost: Vec<usize> = (0..sums.rows())
            .filter(|&i| sums[(i, below)] <= self.floor.max(f64::MIN_POSITIVE))
            .collect();
        if let Some(points) = self.points.as_ref().filter(|_| !lost.is_empty()) {
            let lost_rows = Subset { rows, index: &lost };
            let nearest = Neighbours::between(Metric::Euclidean, &lost_rows, points, 1);
            let homes: Vec<usize> = (0..lost.len()).map(|r| nearest.row(r).0[0] as usize).collect();
            let known: Vec<usize> =
                (0..lost.len()).filter(|&r| homes[r] < points.n_rows()).collect();
            let index: Vec<usize> = known.iter().map(|&r| homes[r]).collect();
            let there = self.sums(&Subset { rows: points, index: &index });
            for (p, &r) in known.iter().enumerate() {
                sums.row_mut(lost[r]).copy_from_slice(there.row(p));
            }
        }
        self.finish(&sums)
    }

    /// The embedding of the training rows of a graph of neighbours, whose lists are known: the same
    /// bits as [`Extension::embed`].
    pub fn embed_known(&self, nearest: &Neighbours) -> Dense {
        let n = nearest.n_rows();
        let ExtensionKind::Knn(count) = self.kind else {
            unreachable!("only graphs have neighbours")
        };
        let mut sums = Dense::zeros(n, self.weights.rows());
        for i in 0..n {
            let list = with_itself(nearest, i, count);
            self.add(list, sums.row_mut(i));
        }
        self.finish(&sums)
    }

    /// Weighted sums of affinities: above, one a vector; below, the last.
    fn sums(&self, rows: &dyn Rows) -> Dense {
        let Some(points) = &self.points else {
            return project(rows, self.weights.view(), &vec![0.0; self.weights.rows()]);
        };
        match &self.kind {
            ExtensionKind::Rbf { gamma } => {
                weighted_sums(Kernel::Rbf { gamma: *gamma }, rows, points, &self.weights)
            }
            ExtensionKind::SelfTuning { neighbor, scales, spare } => {
                let nearest = Neighbours::between(Metric::Euclidean, rows, points, neighbor + 1);
                let scale: Vec<f64> =
                    (0..rows.n_rows()).map(|i| last_scale(&nearest, i, *spare)).collect();
                let metric = Metric::SqEuclidean;
                weighted_sums_of(metric, rows, points, &self.weights, &|i, cols, values| {
                    let line = values.iter_mut().zip(&scales[cols]);
                    line.for_each(|(v, s)| *v = -*v / (scale[i] * s));
                    exp(values);
                })
            }
            ExtensionKind::Knn(count) => {
                let nearest = Neighbours::between(Metric::Euclidean, rows, points, *count);
                let mut sums = Dense::zeros(rows.n_rows(), self.weights.rows());
                for i in 0..rows.n_rows() {
                    self.add(nearest.row(i).0.iter().copied(), sums.row_mut(i));
                }
                sums
            }
            ExtensionKind::Given => unreachable!("given affinities have no points"),
        }
    }

    fn add(&self, list: impl IntoIterator<Item = u32>, line: &mut [f64]) {
        // A row that is no number has no neighbours.
        for j in list.into_iter().filter(|j| (*j as usize) < self.weights.cols()) {
            for (r, sum) in line.iter_mut().enumerate() {
                *sum += self.weights[(r, j as usize)];
            }
        }
    }

    /// Sums above over the sum below, then to length one.
    fn finish(&self, sums: &Dense) -> Dense {
        let q = sums.cols() - 1;
        let mut out = Dense::zeros(sums.rows(), q.max(1));
        for i in 0..sums.rows() {
            let below = sums[(i, q)];
            if below.is_nan() {
                out.row_mut(i).fill(f64::NAN);
            }
            if below <= self.floor.max(f64::MIN_POSITIVE) || below.is_nan() {
                continue;
            }
            let line = out.row_mut(i);
            line.iter_mut().zip(&sums.row(i)[..q]).for_each(|(o, s)| *o = s / below);
            if self.unit {
                let length = line.iter().map(|v| v * v).sum::<f64>().sqrt();
                if length > 0.0 {
                    line.iter_mut().for_each(|v| *v /= length);
                }
            }
        }
        out
    }
}

/// The first `count` of row i and its neighbours, nearest first, equal distances by the lower index.
fn with_itself(nearest: &Neighbours, i: usize, count: usize) -> impl Iterator<Item = u32> + '_ {
    let (others, distances) = nearest.row(i);
    let before =
        others.iter().zip(distances).take_while(|(j, d)| **d == 0.0 && **j < i as u32).count();
    let list = others[..before].iter().copied().chain(std::iter::once(i as u32));
    list.chain(others[before..].iter().copied()).take(count)
}

/// The distance to the last neighbour that is known.
pub(super) fn last_scale(nearest: &Neighbours, i: usize, spare: f64) -> f64 {
    nearest.row(i).1.last().copied().filter(|s| *s > 0.0).unwrap_or(spare)
}

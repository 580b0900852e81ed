//! What is measured between two rows, and its matrices.

use super::pairs::Pairs;
use crate::kernel::mercer::Kernel;
use crate::linalg::{Precision, SymMatrix};
use crate::matrix::{Dense, Rows};
use serde::{Deserialize, Serialize};

/// A distance of two rows.
///
/// Rows without a direction (all zero for the cosine, all equal numbers for the correlation) are at
/// distance 1 from the others and 0 from one another. The triangle inequality holds for
/// `Euclidean`, `Manhattan` and `Chebyshev`, and for the square roots of the other three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// ‖x − y‖
    #[default]
    Euclidean,
    /// ‖x − y‖²
    SqEuclidean,
    /// Σ|xⱼ − yⱼ|
    Manhattan,
    /// max|xⱼ − yⱼ|
    Chebyshev,
    /// 1 − xᵀy / ‖x‖‖y‖
    Cosine,
    /// The cosine distance of the rows, each less its own mean.
    Correlation,
}

/// A metric, a kernel, or the distance that a kernel induces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    Metric(Metric),
    Kernel(Kernel),
    /// (2.3) of Chen, maximal separation clustering: √(k(x,x) + k(y,y) − 2k(x,y)).
    Induced(Kernel),
}

impl From<Metric> for Measure {
    fn from(metric: Metric) -> Self {
        Self::Metric(metric)
    }
}

impl From<Kernel> for Measure {
    fn from(kernel: Kernel) -> Self {
        Self::Kernel(kernel)
    }
}

impl Measure {
    /// Every row with every point: one line a row. Each value is a function of its row and its point
    /// alone, sparse or dense, wherever they stand; distances of equal rows are exactly 0.
    pub fn matrix(self, rows: &dyn Rows, points: &dyn Rows) -> Dense {
        Pairs::new(self, rows, points).matrix()
    }

    /// Every row with every row. The values are those of [`Measure::matrix`], rounded to `precision`
    /// at the end; blocks above the diagonal are copies.
    pub fn symmetric(self, rows: &dyn Rows, precision: Precision) -> SymMatrix {
        let pairs = Pairs::among(self, rows);
        let mut out = SymMatrix::zeros(rows.n_rows(), precision);
        out.fill(|rows, cols, block| pairs.block(rows, cols, block));
        out
    }
}

impl Metric {
    /// As [`Measure::matrix`].
    pub fn matrix(self, rows: &dyn Rows, points: &dyn Rows) -> Dense {
        Measure::from(self).matrix(rows, points)
    }

    /// As [`Measure::symmetric`].
    pub fn symmetric(self, rows: &dyn Rows, precision: Precision) -> SymMatrix {
        Measure::from(self).symmetric(rows, precision)
    }
}

//! Kernels of rows.

use crate::distance::Measure;
use crate::linalg::{Precision, SymMatrix};
use crate::matrix::{Dense, Rows};

/// A similarity of two rows; positive definite but for `Tanh` (and `Poly` with `coef0` < 0).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// xᵀy
    Linear,
    /// exp(−gamma·‖x − y‖²)
    Rbf {
        /// 1 over the squared width.
        gamma: f64,
    },
    /// exp(−gamma·Σ|xⱼ − yⱼ|)
    Laplacian {
        /// 1 over the width.
        gamma: f64,
    },
    /// (gamma·xᵀy + coef0)^degree
    Poly {
        /// The factor of the product.
        gamma: f64,
        /// The power.
        degree: u32,
        /// What is added before it.
        coef0: f64,
    },
    /// tanh(gamma·xᵀy + coef0)
    Tanh {
        /// The factor of the product.
        gamma: f64,
        /// What is added to it.
        coef0: f64,
    },
    /// xᵀy / ‖x‖‖y‖; 0 with a row of zeros
    Cosine,
}

impl Kernel {
    /// As [`Measure::matrix`].
    pub fn matrix(self, rows: &dyn Rows, points: &dyn Rows) -> Dense {
        Measure::from(self).matrix(rows, points)
    }

    /// As [`Measure::symmetric`].
    pub fn symmetric(self, rows: &dyn Rows, precision: Precision) -> SymMatrix {
        Measure::from(self).symmetric(rows, precision)
    }

    /// The distance that this kernel induces.
    pub fn distance(self) -> Measure {
        Measure::Induced(self)
    }
}

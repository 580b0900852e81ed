//! Kernels of rows, and the features they induce.

use crate::distance::Measure;
use crate::error::Result;
use crate::linalg::{Precision, SymMatrix, sym_eig};
use crate::matrix::{Dense, Rows};

/// A similarity of two rows; positive definite but for `Tanh` (and `Poly` with `coef0` < 0).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// xᵀy
    Linear,
    /// exp(−gamma·‖x − y‖²)
    Rbf { gamma: f64 },
    /// exp(−gamma·Σ|xⱼ − yⱼ|)
    Laplacian { gamma: f64 },
    /// (gamma·xᵀy + coef0)^degree
    Poly { gamma: f64, degree: u32, coef0: f64 },
    /// tanh(gamma·xᵀy + coef0)
    Tanh { gamma: f64, coef0: f64 },
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

/// The matrix P (one row a feature) for which the features P·k(x) of the points reproduce their
/// kernel: Nyström's map. With all rows as points it is kernel PCA without centring.
pub fn nystroem(kernel: &Kernel, points: &Dense) -> Result<Dense> {
    map_of(&kernel.matrix(points, points), 1e-10)
}

/// The map of [`nystroem`] from the kernel matrix of the points. Axes with less than `least` of the first
/// one's weight are left out, and with them all that a kernel has of negative ones.
pub fn map_of(gram: &Dense, least: f64) -> Result<Dense> {
    let m = gram.rows();
    let eig = sym_eig(gram)?;
    let top = eig.values[m - 1].max(f64::MIN_POSITIVE);
    let kept: Vec<usize> = (0..m).rev().filter(|&i| eig.values[i] > least * top).collect();
    let mut map = Dense::zeros(kept.len(), m);
    for (r, &i) in kept.iter().enumerate() {
        let scale = 1.0 / eig.values[i].sqrt();
        map.row_mut(r).iter_mut().zip(eig.vectors.row(i)).for_each(|(p, v)| *p = scale * v);
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{product, product_nt};
    use crate::rng::Rng;

    #[test]
    fn nystroem_features_of_the_points_reproduce_their_kernel() {
        let mut rng = Rng::new(4, 0);
        let x = Dense::from_vec(40, 4, (0..160).map(|_| rng.normal()).collect()).unwrap();
        let kernel = Kernel::Rbf { gamma: 0.3 };
        let k = kernel.matrix(&x, &x);
        let map = nystroem(&kernel, &x).unwrap();
        let features = product_nt(k.view(), map.view());
        let again = product_nt(features.view(), features.view());
        let worst =
            again.data().iter().zip(k.data()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{worst}");
        assert_eq!(product(map.view(), k.view()).rows(), map.rows());
    }
}

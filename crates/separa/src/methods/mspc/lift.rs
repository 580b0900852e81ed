//! From standardised columns to the space where MSPC works, where that is another one.

use super::params::{KernelName, Mspc};
use crate::error::{Error, Result};
use crate::params::Gamma;
use separa_math::distance::median_gamma;
use separa_math::kernel::mercer::{Kernel, nystroem};
use separa_math::linalg::{product, product_nt, sym_eig};
use separa_math::matrix::{Dense, Rows, pick, project};
use separa_math::moments::Moments;
use separa_math::rng::Rng;

/// Kernel features of standardised rows: y = map · k(z) + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Lift {
    pub kernel: Kernel,
    /// Landmark rows.
    pub points: Dense,
    /// One row a feature: Nyström's map, centred and scaled so that the mean variance is 1.
    pub map: Dense,
    pub offset: Vec<f64>,
}

impl Lift {
    /// Draws landmarks among the rows that weigh something and centres on the weighted rows.
    pub fn learn(rows: &dyn Rows, weights: Option<&[f64]>, p: &Mspc, seed: u64) -> Result<Self> {
        let usable: Vec<usize> =
            (0..rows.n_rows()).filter(|&i| weights.is_none_or(|w| w[i] > 0.0)).collect();
        let drawn = Rng::new(seed, 0x6c).sample(usable.len(), p.landmarks);
        let index: Vec<usize> = drawn.into_iter().map(|r| usable[r]).collect();
        let points = pick(rows, &index);
        let kernel = match p.kernel {
            KernelName::Poly => Kernel::Poly {
                gamma: match p.gamma {
                    Gamma::Value(g) => g,
                    Gamma::Median => 1.0 / rows.n_cols() as f64,
                },
                degree: p.degree,
                coef0: p.coef0,
            },
            _ => Kernel::Rbf {
                gamma: match p.gamma {
                    Gamma::Value(g) => g,
                    Gamma::Median => median_gamma(&points, seed),
                },
            },
        };
        let map = nystroem(&kernel, &points)?;
        let mut lift = Self { offset: vec![0.0; map.rows()], kernel, points, map };
        if lift.map.rows() == 0 {
            return Err(Error::ConstantKernel);
        }
        let moments = Moments::of(&lift.apply(rows), weights);
        let mean_variance = moments.variances().iter().sum::<f64>() / lift.map.rows() as f64;
        let scale = if mean_variance > 0.0 { mean_variance.sqrt().recip() } else { 1.0 };
        lift.map.data_mut().iter_mut().for_each(|v| *v *= scale);
        lift.offset = moments.mean().iter().map(|m| -m * scale).collect();
        Ok(lift)
    }

    pub fn apply(&self, rows: &dyn Rows) -> Dense {
        project(&self.kernel.matrix(rows, &self.points), self.map.view(), &self.offset)
    }
}

/// More columns than rows: the coordinates of the rows in their own span, where every mean, every
/// direction (Σ+λI)⁻¹δ and so every rule lives.
pub struct Span {
    /// One row a table row.
    pub coordinates: Dense,
    /// One row a coordinate, orthonormal.
    pub basis: Dense,
}

impl Span {
    /// Cost: N²d for the Gram matrix and its eigenvectors.
    pub fn of(rows: &dyn Rows) -> Result<Self> {
        let n = rows.n_rows();
        let all: Vec<usize> = (0..n).collect();
        let z = pick(rows, &all);
        let eig = sym_eig(&product_nt(z.view(), z.view()))?;
        let top = eig.values[n - 1].max(0.0);
        let kept: Vec<usize> =
            (0..n).rev().filter(|&i| eig.values[i] > 1e-12 * n as f64 * top).collect();
        let mut turn = Dense::zeros(kept.len(), n);
        for (r, &i) in kept.iter().enumerate() {
            let scale = 1.0 / eig.values[i].sqrt();
            turn.row_mut(r).iter_mut().zip(eig.vectors.row(i)).for_each(|(t, v)| *t = scale * v);
        }
        let basis = product(turn.view(), z.view());
        let coordinates = project(&z, basis.view(), &vec![0.0; basis.rows()]);
        Ok(Self { coordinates, basis })
    }

    /// Directions in the span's coordinates as directions of the columns.
    pub fn directions(&self, w: &Dense) -> Dense {
        product(w.view(), self.basis.view())
    }
}

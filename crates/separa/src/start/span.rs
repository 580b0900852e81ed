//! More columns than rows: the few coordinates that rows have in their own span.

use crate::error::Result;
use separa_math::linalg::{product, product_nt, sym_eig};
use separa_math::matrix::{Dense, Rows, pick, project};

/// More columns than rows: the coordinates of the rows in their own span, where every mean, every
/// direction (Σ+λI)⁻¹δ and so every rule lives.
pub struct Span {
    /// One row per table row.
    pub coordinates: Dense,
    /// One row per coordinate, orthonormal.
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

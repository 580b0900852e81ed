//! The largest variance of scaled rows in any direction.

use crate::error::Result;
use separa_math::linalg::{EigOptions, SymOp, Which, eig_few};
use separa_math::matrix::{Columns, Dense, Rows, gather, project_into};
use separa_math::par;
use separa_math::scaling::Scaler;

/// The largest variance of the scaled rows in any direction; clip limits do not count.
pub(crate) fn top_variance(
    rows: &dyn Rows,
    scaler: &Scaler,
    shares: &[f64],
    seed: u64,
) -> Result<f64> {
    let options = EigOptions { tol: 1e-4, max_products: 400, block: 2, seed };
    let found = eig_few(&Covariance { rows, scaler, shares }, 1, Which::Largest, &options)?;
    Ok(found.values.first().copied().unwrap_or(0.0).max(0.0))
}

/// The covariance of the scaled rows, known by its products.
struct Covariance<'a> {
    rows: &'a dyn Rows,
    scaler: &'a Scaler,
    shares: &'a [f64],
}

impl SymOp for Covariance<'_> {
    fn dim(&self) -> usize {
        self.scaler.columns.len()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let d = self.dim();
        let m = x.len() / d;
        let columns = &self.scaler.columns;
        let mut weights = Dense::from_vec(m, d, x.to_vec()).expect("whole vectors");
        let mut offsets = vec![0.0; m];
        for (line, offset) in weights.data_mut().chunks_exact_mut(d).zip(&mut offsets) {
            line.iter_mut().zip(columns).for_each(|(w, c)| *w *= c.factor);
            *offset = -line.iter().zip(columns).map(|(w, c)| w * c.shift).sum::<f64>();
        }
        let mut images = Dense::zeros(self.rows.n_rows(), m);
        project_into(self.rows, &Columns::pack(weights.view()), &offsets, images.data_mut());
        par::fill_chunks(images.data_mut(), m, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(m)) {
                line.iter_mut().for_each(|v| *v *= self.shares[i]);
            }
        });
        // The images sum to 0 but for rounding, which a large shift would multiply: it is taken off again.
        let sums = gather(self.rows, &images);
        let totals: Vec<f64> =
            (0..m).map(|c| (0..images.rows()).map(|i| images[(i, c)]).sum()).collect();
        for (c, line) in out.chunks_exact_mut(d).enumerate() {
            for (j, (o, column)) in line.iter_mut().zip(columns).enumerate() {
                *o = column.factor * (sums[(c, j)] - totals[c] * column.shift);
            }
        }
    }
}

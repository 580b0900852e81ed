//! Scores that are linear in the rows: f = W·z + b, z the rows centred and scaled.
//!
//! Centring and scaling are folded into the weights, so rows are read as they are stored.

use separa_math::matrix::{Columns, Dense, Rows, gather, project_into};
use separa_math::par;
use separa_math::scaling::Scaler;
use std::ops::Range;

/// The rows of a table and how they are seen. Parameters: the weights of every cluster, then the biases.
#[allow(missing_debug_implementations)]
#[derive(Clone, Copy)]
pub(crate) struct Affine<'a> {
    pub rows: &'a dyn Rows,
    pub scaler: &'a Scaler,
    pub k: usize,
}

impl Affine<'_> {
    pub fn n_params(&self) -> usize {
        self.k * (self.rows.n_cols() + 1)
    }

    /// Weights (one row a cluster) and intercepts for rows as they are stored.
    pub fn rule(&self, w: &[f64]) -> (Dense, Vec<f64>) {
        let (k, d) = (self.k, self.rows.n_cols());
        let (mut weights, mut intercepts) = (Dense::zeros(k, d), w[k * d..k * (d + 1)].to_vec());
        for c in 0..k {
            let line = weights.row_mut(c);
            for (j, column) in self.scaler.columns.iter().enumerate() {
                line[j] = w[c * d + j] * column.factor;
                intercepts[c] -= line[j] * column.shift;
            }
        }
        (weights, intercepts)
    }

    /// f of every row at w.
    pub fn score(&self, w: &[f64], out: &mut Dense) {
        let (weights, intercepts) = self.rule(w);
        project_into(self.rows, &Columns::pack(weights.view()), &intercepts, out.data_mut());
    }

    /// Writes the gradient in w, from that in the scores of every row.
    pub fn gradient(&self, slopes: &Dense, grad: &mut [f64]) {
        let (k, d) = (self.k, self.rows.n_cols());
        let sums = gather(self.rows, slopes);
        let mut totals = vec![0.0; k];
        let map = |range: Range<usize>| {
            let mut part = vec![0.0; k];
            range.for_each(|i| part.iter_mut().zip(slopes.row(i)).for_each(|(a, v)| *a += v));
            part
        };
        par::fold_chunks(self.rows.n_rows(), map, |part| {
            totals.iter_mut().zip(part).for_each(|(a, v)| *a += v);
        });
        for c in 0..k {
            let line = &mut grad[c * d..(c + 1) * d];
            for ((g, s), column) in line.iter_mut().zip(sums.row(c)).zip(&self.scaler.columns) {
                *g = column.factor * (s - totals[c] * column.shift);
            }
        }
        grad[k * d..].copy_from_slice(&totals);
    }
}

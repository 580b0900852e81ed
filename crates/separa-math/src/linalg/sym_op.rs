//! Symmetric matrices known by their products, and products made of others.

use super::{dot_lanes, norm, orthonormalise};
use crate::matrix::Dense;
use crate::par;

/// A symmetric matrix known by its products. Vectors are rows, one after the other.
pub trait SymOp: Sync {
    /// Order of the matrix.
    fn dim(&self) -> usize;

    /// out ← A x.
    fn apply(&self, x: &[f64], out: &mut [f64]);

    /// Each row of `out` ← A · the same row of `x`. Worth writing where a pass over A is dear.
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.dim().max(1);
        x.chunks_exact(n).zip(out.chunks_exact_mut(n)).for_each(|(x, out)| self.apply(x, out));
    }

    /// Orthonormal rows outside of which eigenvectors are looked for: see [`Projected`].
    fn excluded(&self) -> Option<&Dense> {
        None
    }
}

impl SymOp for Dense {
    fn dim(&self) -> usize {
        self.rows()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        par::fill_chunks(out, 1, |rows, out| {
            rows.zip(out).for_each(|(i, o)| *o = dot_lanes(self.row(i), x));
        });
    }
}

/// The fraction of an image below which it is taken for rounding error.
const ROUNDING: f64 = 1e-14;

/// P A P, where P = I − Σ ccᵀ/cᵀc takes the span of a few vectors c away.
///
/// Its eigenvectors orthogonal to every c are those of QᵀAQ, Q a basis of the null space of the c.
/// The c themselves, which P maps to 0, are excluded from the search, so they do not stand in for an
/// eigenvalue 0 of the problem.
#[allow(missing_debug_implementations)]
pub struct Projected<'a> {
    op: &'a dyn SymOp,
    away: Dense,
}

impl<'a> Projected<'a> {
    /// The rows of `vectors` are the c; they need be neither orthogonal nor independent.
    pub fn new(op: &'a dyn SymOp, vectors: &Dense) -> Self {
        let n = op.dim();
        let mut rows = op.excluded().map_or_else(Vec::new, |e| e.data().to_vec());
        rows.extend_from_slice(vectors.data());
        let count = rows.len().checked_div(n).unwrap_or(0);
        let mut all = Dense::from_vec(count, n, rows).expect("every c has the operator's length");
        // Twice: rows that almost depend on others are orthogonal only to the rounding of the first.
        (0..2).for_each(|_| orthonormalise(&mut all));
        let kept: Vec<f64> = (0..count)
            .map(|i| all.row(i))
            .filter(|row| row.iter().any(|v| *v != 0.0))
            .flatten()
            .copied()
            .collect();
        let count = kept.len().checked_div(n).unwrap_or(0);
        let away = Dense::from_vec(count, n, kept).expect("whole rows were kept");
        Self { op, away }
    }

    /// x ← P x. Twice, because the second pass removes what rounding left of the first.
    pub fn project(&self, x: &mut [f64]) {
        for _ in 0..2 {
            for i in 0..self.away.rows() {
                let c = self.away.row(i);
                let h = dot_lanes(c, x);
                x.iter_mut().zip(c).for_each(|(v, c)| *v -= h * c);
            }
        }
    }
}

impl SymOp for Projected<'_> {
    fn dim(&self) -> usize {
        self.op.dim()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.dim().max(1);
        let mut inside = x.to_vec();
        inside.chunks_exact_mut(n).for_each(|x| self.project(x));
        self.op.apply_rows(&inside, out);
        for image in out.chunks_exact_mut(n) {
            let before = norm(image);
            self.project(image);
            // Nothing but rounding is left where A maps into the span of the c: it has no spectrum.
            if norm(image) <= ROUNDING * before {
                image.fill(0.0);
            }
        }
    }
    fn excluded(&self) -> Option<&Dense> {
        Some(&self.away)
    }
}

/// A², as two products with A.
#[allow(missing_debug_implementations)]
pub struct Squared<'a>(pub &'a dyn SymOp);

impl SymOp for Squared<'_> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let mut once = vec![0.0; x.len()];
        self.0.apply_rows(x, &mut once);
        self.0.apply_rows(&once, out);
    }
    fn excluded(&self) -> Option<&Dense> {
        self.0.excluded()
    }
}

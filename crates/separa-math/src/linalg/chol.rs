//! Cholesky factors.

use super::{split, view, view_mut, zero_upper};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::matrix::Dense;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{MatMut, Spec};

/// a = LLᵀ for a symmetric positive definite a.
#[derive(Debug, Clone)]
pub struct Chol {
    /// Lower triangle; what is above the diagonal is not read.
    factor: Dense,
}

impl Chol {
    /// Reads the lower triangle of `a`. Cost: n³/3 multiply-adds.
    pub fn new(mut a: Dense) -> Result<Self> {
        interrupt::check();
        let n = a.rows();
        let par = split(n);
        let params = Spec::default();
        let mut memory =
            MemBuffer::new(llt::factor::cholesky_in_place_scratch::<f64>(n, par, params));
        let done = llt::factor::cholesky_in_place(
            view_mut(&mut a),
            Default::default(),
            par,
            MemStack::new(&mut memory),
            params,
        );
        zero_upper::after_wide_code();
        match done {
            Ok(_) => Ok(Self { factor: a }),
            Err(llt::factor::LltError::NonPositivePivot { index }) => {
                Err(Error::NotPositiveDefinite { pivot: index, size: n })
            }
        }
    }

    /// Order of the matrix.
    pub fn size(&self) -> usize {
        self.factor.rows()
    }

    /// The factor's row i: its first i + 1 entries count.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.factor.row(i)[..=i]
    }

    /// x ← a⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.size();
        llt::solve::solve_in_place(
            view(self.factor.view()),
            MatMut::from_column_major_slice_mut(x, n, 1),
            faer::Par::Seq,
            MemStack::new(&mut []),
        );
        zero_upper::after_wide_code();
    }

    /// Rows of `x` ← rows of (a⁻¹xᵀ)ᵀ: one right-hand side a row.
    pub fn solve_rows(&self, x: &mut Dense) {
        (0..x.rows()).for_each(|r| self.solve(x.row_mut(r)));
    }

    /// Columns of `x` ← L⁻¹ columns of `x`.
    pub(super) fn half_solve(&self, x: &mut Dense) {
        let par = split(self.size());
        faer::linalg::triangular_solve::solve_lower_triangular_in_place(
            view(self.factor.view()),
            view_mut(x),
            par,
        );
        zero_upper::after_wide_code();
    }

    /// x ← L⁻ᵀx.
    pub(super) fn back_solve(&self, x: &mut [f64]) {
        let n = self.size();
        faer::linalg::triangular_solve::solve_upper_triangular_in_place(
            view(self.factor.view()).transpose(),
            MatMut::from_column_major_slice_mut(x, n, 1),
            faer::Par::Seq,
        );
        zero_upper::after_wide_code();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{product_nt, times};
    use crate::rng::Rng;

    #[test]
    fn solve_undoes_the_matrix_for_every_size_from_0_to_64() {
        for n in 0..=64 {
            let mut rng = Rng::new(n as u64, 1);
            let b = Dense::from_vec(n, n + 2, (0..n * (n + 2)).map(|_| rng.normal()).collect());
            let b = b.unwrap();
            let mut a = product_nt(b.view(), b.view());
            (0..n).for_each(|i| a[(i, i)] += 1.0);
            let x: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
            let mut y = times(&a, &x);
            Chol::new(a).unwrap().solve(&mut y);
            // Conditioned by the unit diagonal added above: the error stays near n · 1e-16 · cond.
            assert!(x.iter().zip(&y).all(|(p, q)| (p - q).abs() < 1e-9), "size {n}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let a = Dense::from_vec(2, 2, vec![1.0, 2.0, 2.0, 1.0]).unwrap();
        assert!(matches!(Chol::new(a), Err(Error::NotPositiveDefinite { size: 2, .. })));
    }
}

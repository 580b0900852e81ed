//! Symmetric eigenvalues, and two symmetric matrices made diagonal at once.

use super::{Chol, fix_sign, split, view, zero_upper};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::matrix::Dense;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd;
use faer::{Mat, Spec};

/// a = Σ valueᵢ vᵢvᵢᵀ, values ascending.
#[derive(Debug, Clone)]
pub struct Eig {
    /// Ascending.
    pub values: Vec<f64>,
    /// Row i holds the eigenvector of value i, of length one, its largest entry positive.
    pub vectors: Dense,
}

/// All eigenpairs of a symmetric matrix (lower triangle read). Cost: about 9n³.
pub fn sym_eig(a: &Dense) -> Result<Eig> {
    interrupt::check();
    let n = a.rows();
    let (par, params) = (split(n), Spec::default());
    let mut values = faer::diag::Diag::<f64>::zeros(n);
    let mut vectors = Mat::<f64>::zeros(n, n);
    let mut memory = MemBuffer::new(evd::self_adjoint_evd_scratch::<f64>(
        n,
        evd::ComputeEigenvectors::Yes,
        par,
        params,
    ));
    let done = evd::self_adjoint_evd(
        view(a.view()),
        values.as_mut(),
        Some(vectors.as_mut()),
        par,
        MemStack::new(&mut memory),
        params,
    );
    zero_upper::after_wide_code();
    done.map_err(|_| Error::EigenNotConverged { size: n })?;
    let mut rows = Dense::zeros(n, n);
    for i in 0..n {
        (0..n).for_each(|j| rows[(i, j)] = vectors[(j, i)]);
        fix_sign(rows.row_mut(i));
    }
    Ok(Eig { values: (0..n).map(|i| values.column_vector()[i]).collect(), vectors: rows })
}

/// Two symmetric matrices a (definite) and b in one basis: vᵢᵀ a vⱼ = δᵢⱼ, vᵢᵀ b vⱼ = δᵢⱼ·valueᵢ.
#[derive(Debug, Clone)]
pub struct SimultaneousDiagonal {
    /// In the order of the vectors.
    pub values: Vec<f64>,
    /// Row i is vᵢ.
    pub vectors: Dense,
}

impl SimultaneousDiagonal {
    /// Problem  b v = value · a v.   Cost  one Cholesky, two triangular solves, one eigenproblem.
    pub fn new(a: Dense, b: &Dense) -> Result<Self> {
        let chol = Chol::new(a)?;
        // L⁻¹ b L⁻ᵀ: solve from the left, turn, solve again.
        let mut middle = b.clone();
        chol.half_solve(&mut middle);
        let mut middle = middle.transposed();
        chol.half_solve(&mut middle);
        let Eig { values, mut vectors } = sym_eig(&middle)?;
        (0..vectors.rows()).for_each(|i| chol.back_solve(vectors.row_mut(i)));
        Ok(Self { values, vectors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{dot, quadratic, times};
    use crate::rng::Rng;

    fn symmetric(n: usize, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 2);
        let mut a = Dense::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                a[(i, j)] = rng.normal();
                a[(j, i)] = a[(i, j)];
            }
        }
        a
    }

    #[test]
    fn eigenvectors_are_orthonormal_and_satisfy_av_lv_for_every_size_from_0_to_64() {
        for n in (0..=64).chain([200, 257]) {
            let a = symmetric(n, n as u64);
            let eig = sym_eig(&a).unwrap();
            for i in 0..n {
                let v = eig.vectors.row(i);
                let av = times(&a, v);
                let worst =
                    (0..n).map(|j| (av[j] - eig.values[i] * v[j]).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-12 * (n as f64 + 1.0), "size {n}: residual {worst}");
                for j in 0..=i {
                    let want = if i == j { 1.0 } else { 0.0 };
                    assert!((dot(v, eig.vectors.row(j)) - want).abs() < 1e-12 * (n as f64 + 1.0));
                }
            }
            assert!(eig.values.windows(2).all(|w| w[0] <= w[1]));
        }
    }

    #[test]
    fn eigenvectors_have_the_same_bits_on_any_number_of_threads() {
        let a = symmetric(300, 9);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| sym_eig(&a).unwrap().vectors.into_vec())
        };
        let one = run(1);
        assert!([2, 3, 4].into_iter().all(|t| run(t) == one));
    }

    #[test]
    fn both_matrices_are_diagonal_in_the_common_basis() {
        for n in [1, 2, 7, 40] {
            let mut a = symmetric(n, 3);
            (0..n).for_each(|i| a[(i, i)] += 4.0 * (n as f64).sqrt());
            let b = symmetric(n, 4);
            let both = SimultaneousDiagonal::new(a.clone(), &b).unwrap();
            for i in 0..n {
                let v = both.vectors.row(i);
                assert!((quadratic(&a, v) - 1.0).abs() < 1e-10);
                assert!((quadratic(&b, v) - both.values[i]).abs() < 1e-10);
                for j in 0..i {
                    assert!(dot(both.vectors.row(j), &times(&b, v)).abs() < 1e-10);
                }
            }
        }
    }
}

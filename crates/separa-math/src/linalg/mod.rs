//! Dense linear algebra: the only room that names the linear algebra crate.
//!
//! Products run on the calling worker (callers are chunk-parallel); factorisations of large
//! matrices split into a constant number of parts, because their bits follow the split and must
//! not follow the machine.

mod absolute;
mod band;
mod block;
mod chol;
mod eig;
mod few;
mod krylov;
mod sparse_sym;
mod subspace;
mod sym_op;
mod sym_rows;
mod symmetric;
mod symmetric_product;
mod zero_upper;

pub use absolute::absolute;
pub use chol::Chol;
pub use eig::{Eig, SimultaneousDiagonal, sym_eig};
pub use few::{EigOptions, Eigs, Which, eig_few};
pub use sparse_sym::SparseSym;
pub use subspace::{leading_subspace, orthonormalise};
pub use sym_op::{Projected, Squared, SymOp};
pub use sym_rows::SymRows;
pub use symmetric::{Precision, SymMatrix};

use crate::matrix::{Dense, DenseRef};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};

fn view(a: DenseRef<'_>) -> MatRef<'_, f64> {
    MatRef::from_row_major_slice_with_stride(a.data(), a.rows(), a.cols(), a.stride().max(1))
}

fn view_mut(a: &mut Dense) -> MatMut<'_, f64> {
    let (rows, cols) = (a.rows(), a.cols());
    MatMut::from_row_major_slice_mut(a.data_mut(), rows, cols)
}

/// How a factorisation of size n is split: a constant of n, never of the machine.
fn split(n: usize) -> Par {
    if n >= 192 { Par::rayon(4) } else { Par::Seq }
}

/// c += alpha · xᵀx, lower triangle only. Cost: rows · d²/2 multiply-adds.
pub fn add_gram_lower(c: &mut Dense, alpha: f64, x: DenseRef<'_>) {
    let x = view(x);
    triangular::matmul(
        view_mut(c),
        BlockStructure::TriangularLower,
        Accum::Add,
        x.transpose(),
        BlockStructure::Rectangular,
        x,
        BlockStructure::Rectangular,
        alpha,
        Par::Seq,
    );
    zero_upper::after_wide_code();
}

/// a · b.
pub fn product(a: DenseRef<'_>, b: DenseRef<'_>) -> Dense {
    multiply(view(a), view(b))
}

/// a · bᵀ.
pub fn product_nt(a: DenseRef<'_>, b: DenseRef<'_>) -> Dense {
    multiply(view(a), view(b).transpose())
}

fn multiply(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Dense {
    let mut out = Dense::zeros(a.nrows(), b.ncols());
    let size = a.nrows().max(b.ncols());
    faer::linalg::matmul::matmul(view_mut(&mut out), Accum::Replace, a, b, 1.0, split(size));
    zero_upper::after_wide_code();
    out
}

/// Copies the lower triangle to the upper one.
pub fn mirror_lower(a: &mut Dense) {
    const TILE: usize = 32;
    let n = a.rows();
    for i0 in (0..n).step_by(TILE) {
        for j0 in (0..=i0).step_by(TILE) {
            for i in i0..(i0 + TILE).min(n) {
                for j in j0..(j0 + TILE).min(i) {
                    a[(j, i)] = a[(i, j)];
                }
            }
        }
    }
}

/// Σ aᵢbᵢ in order.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// a · x, for symmetric or general a.
pub fn times(a: &Dense, x: &[f64]) -> Vec<f64> {
    (0..a.rows()).map(|i| dot_lanes(a.row(i), x)).collect()
}

/// xᵀ a x.
pub fn quadratic(a: &Dense, x: &[f64]) -> f64 {
    dot(x, &times(a, x))
}

/// A dot product in eight lanes folded in order: fast, and a function of its arguments alone.
pub fn dot_lanes(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut acc = [0.0; LANES];
    let (mut xs, mut ys) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    for (x, y) in (&mut xs).zip(&mut ys) {
        for l in 0..LANES {
            acc[l] += x[l] * y[l];
        }
    }
    acc.iter().sum::<f64>() + dot(xs.remainder(), ys.remainder())
}

/// a·b + c, fused where the build has the instruction.
#[inline(always)]
fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// ‖a‖.
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Flips `v` so that its entry of largest magnitude (the first of equals) is positive.
pub fn fix_sign(v: &mut [f64]) {
    let mut top = 0;
    for (j, x) in v.iter().enumerate() {
        if x.abs() > v[top].abs() {
            top = j;
        }
    }
    if v.get(top).is_some_and(|x| *x < 0.0) {
        v.iter_mut().for_each(|x| *x = -*x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use proptest::prelude::*;

    fn random(rows: usize, cols: usize, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let data = (0..rows * cols).map(|_| rng.normal()).collect();
        Dense::from_vec(rows, cols, data).unwrap()
    }

    fn naive(a: &Dense, b: &Dense) -> Dense {
        let mut out = Dense::zeros(a.rows(), b.cols());
        for i in 0..a.rows() {
            for j in 0..b.cols() {
                out[(i, j)] = (0..a.cols()).map(|l| a[(i, l)] * b[(l, j)]).sum();
            }
        }
        out
    }

    fn assert_close(a: &Dense, b: &Dense, tol: f64) {
        assert_eq!((a.rows(), a.cols()), (b.rows(), b.cols()));
        for (x, y) in a.data().iter().zip(b.data()) {
            assert!((x - y).abs() <= tol, "{x} {y}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        // Versions of the product crate before 0.1.22 were wrong on some shapes.
        #[test]
        fn products_of_random_shapes_equal_the_triple_loop(
            m in 1usize..70, n in 1usize..70, l in 1usize..90, seed in 0u64..1000
        ) {
            let (a, b) = (random(m, l, seed), random(l, n, seed + 1));
            let slow = naive(&a, &b);
            assert_close(&product(a.view(), b.view()), &slow, 1e-12 * l as f64);
            assert_close(&product_nt(a.view(), b.transposed().view()), &slow, 1e-12 * l as f64);
            let mut gram = Dense::zeros(l, l);
            add_gram_lower(&mut gram, 2.0, a.view());
            mirror_lower(&mut gram);
            let mut twice = naive(&a.transposed(), &a);
            twice.data_mut().iter_mut().for_each(|v| *v *= 2.0);
            assert_close(&gram, &twice, 1e-12 * m as f64);
        }
    }

    #[test]
    fn lanes_and_plain_dot_agree() {
        for n in 0..40 {
            let (a, b) = (random(1, n, 5), random(1, n, 6));
            let gap = dot_lanes(a.data(), b.data()) - dot(a.data(), b.data());
            assert!(gap.abs() < 1e-13 * (n as f64 + 1.0));
        }
    }
}

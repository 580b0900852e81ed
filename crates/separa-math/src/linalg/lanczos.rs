//! A few top eigenpairs of a symmetric operator that is only known by its products.

use super::{dot_lanes, fix_sign, norm, sym_eig};
use crate::error::Result;
use crate::matrix::Dense;
use crate::rng::Rng;

/// A symmetric matrix known by its products.
pub trait SymOp: Sync {
    fn dim(&self) -> usize;
    /// out ← A x.
    fn apply(&self, x: &[f64], out: &mut [f64]);
}

impl SymOp for Dense {
    fn dim(&self) -> usize {
        self.rows()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (i, o) in out.iter_mut().enumerate() {
            *o = dot_lanes(self.row(i), x);
        }
    }
}

/// Below this size all pairs are computed: cheaper, and free of doubt about multiplicities.
const SMALL: usize = 96;

/// The `k` algebraically largest eigenpairs, largest first; rows are the vectors.
///
/// Problem   A v = θ v.      Given  products with A, a seed for the first vector.
/// Returns   pairs with ‖Av − θv‖ ≤ tol · |θ₁|, or the best of a basis of min(n, 12k + 60) vectors.
/// Cost      one product and one orthogonalisation a step.   See  Lanczos (1950), Paige (1972);
/// full reorthogonalisation keeps the basis orthonormal. Equal eigenvalues may come up short:
/// callers that count copies use the dense path.
pub fn top_eig(op: &dyn SymOp, k: usize, tol: f64, seed: u64) -> Result<(Vec<f64>, Dense)> {
    let n = op.dim();
    let k = k.min(n);
    if n <= SMALL {
        return dense_top(op, k);
    }
    let steps = n.min(12 * k + 60);
    let mut rng = Rng::new(seed, 0x6c61);
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(steps);
    let mut projected = Dense::zeros(steps, steps);
    let mut next: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
    let mut image = vec![0.0; n];
    loop {
        let length = norm(&next);
        next.iter_mut().for_each(|v| *v /= length);
        basis.push(next.clone());
        let m = basis.len();
        op.apply(&next, &mut image);
        next.copy_from_slice(&image);
        // Twice is enough: the second pass removes what rounding left of the first.
        for pass in 0..2 {
            for (j, q) in basis.iter().enumerate() {
                let h = dot_lanes(q, &next);
                next.iter_mut().zip(q).for_each(|(v, w)| *v -= h * w);
                if pass == 0 {
                    projected[(m - 1, j)] = h;
                }
            }
        }
        let beta = norm(&next);
        let due = m >= k && (m.is_multiple_of(5) || m == steps);
        let small = due.then(|| ritz(&projected, m)).transpose()?;
        if let Some(eig) = &small {
            let scale = eig.values[m - 1].abs().max(f64::MIN_POSITIVE);
            let settled =
                (0..k).all(|i| beta * eig.vectors[(m - 1 - i, m - 1)].abs() <= tol * scale);
            if settled || m == steps || beta <= f64::EPSILON * scale {
                return Ok(lift(eig, &basis, k.min(m)));
            }
        } else if beta == 0.0 {
            let eig = ritz(&projected, m)?;
            return Ok(lift(&eig, &basis, k.min(m)));
        }
    }
}

/// An approximate basis of the `k` leading eigenvectors of a dense matrix, leading one first: rows
/// are orthonormal and diagonalise `a` within their span.
///
/// Cost      `rounds` products of a with k vectors. Enough where a subspace is a first guess, as in
/// starts; [`top_eig`] is for eigenvectors that are the answer.   See  Bauer (1957).
pub fn leading_subspace(a: &Dense, k: usize, rounds: usize, seed: u64) -> Result<Dense> {
    let n = a.rows();
    let k = k.min(n);
    if n <= SMALL {
        return Ok(dense_top(a, k)?.1);
    }
    let mut rng = Rng::new(seed, 0x7375);
    let mut basis = Dense::from_vec(k, n, (0..k * n).map(|_| rng.normal()).collect())?;
    for _ in 0..rounds {
        basis = super::product(basis.view(), a.view());
        orthonormalise(&mut basis);
    }
    let image = super::product(basis.view(), a.view());
    let eig = sym_eig(&super::product_nt(basis.view(), image.view()))?;
    let mut turn = Dense::zeros(k, k);
    (0..k).for_each(|i| turn.row_mut(i).copy_from_slice(eig.vectors.row(k - 1 - i)));
    let mut turned = super::product(turn.view(), basis.view());
    (0..k).for_each(|i| fix_sign(turned.row_mut(i)));
    Ok(turned)
}

/// Makes the rows orthonormal (Gram-Schmidt, twice); a row that depends on earlier ones becomes 0.
pub fn orthonormalise(rows: &mut Dense) {
    let n = rows.cols();
    for i in 0..rows.rows() {
        let (done, rest) = rows.data_mut().split_at_mut(i * n);
        let row = &mut rest[..n];
        let before = norm(row);
        for _ in 0..2 {
            for q in done.chunks_exact(n.max(1)) {
                let h = dot_lanes(q, row);
                row.iter_mut().zip(q).for_each(|(v, w)| *v -= h * w);
            }
        }
        let length = norm(row);
        let scale = if length > 1e-10 * before { 1.0 / length } else { 0.0 };
        row.iter_mut().for_each(|v| *v *= scale);
    }
}

fn ritz(projected: &Dense, m: usize) -> Result<super::Eig> {
    let mut t = Dense::zeros(m, m);
    for i in 0..m {
        t.row_mut(i)[..=i].copy_from_slice(&projected.row(i)[..=i]);
    }
    sym_eig(&t)
}

fn lift(eig: &super::Eig, basis: &[Vec<f64>], k: usize) -> (Vec<f64>, Dense) {
    let (m, n) = (basis.len(), basis[0].len());
    let mut vectors = Dense::zeros(k, n);
    for i in 0..k {
        let out = vectors.row_mut(i);
        for (c, q) in eig.vectors.row(m - 1 - i).iter().zip(basis) {
            out.iter_mut().zip(q).for_each(|(v, w)| *v += c * w);
        }
        fix_sign(out);
    }
    ((0..k).map(|i| eig.values[m - 1 - i]).collect(), vectors)
}

fn dense_top(op: &dyn SymOp, k: usize) -> Result<(Vec<f64>, Dense)> {
    let n = op.dim();
    let mut a = Dense::zeros(n, n);
    let mut unit = vec![0.0; n];
    for i in 0..n {
        unit[i] = 1.0;
        op.apply(&unit, a.row_mut(i));
        unit[i] = 0.0;
    }
    let eig = sym_eig(&a)?;
    let mut vectors = Dense::zeros(k, n);
    (0..k).for_each(|i| vectors.row_mut(i).copy_from_slice(eig.vectors.row(n - 1 - i)));
    Ok(((0..k).map(|i| eig.values[n - 1 - i]).collect(), vectors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{dot, product_nt};

    fn gram(n: usize, m: usize) -> Dense {
        let mut rng = Rng::new(11, 0);
        let b = Dense::from_vec(n, m, (0..n * m).map(|_| rng.normal()).collect()).unwrap();
        product_nt(b.view(), b.view())
    }

    #[test]
    fn top_pairs_equal_the_full_decomposition() {
        for n in [1, 5, 96, 97, 300] {
            let a = gram(n, n + 20);
            let k = 4.min(n);
            let (values, vectors) = top_eig(&a, k, 1e-12, 1).unwrap();
            let full = sym_eig(&a).unwrap();
            for i in 0..k {
                assert!((values[i] / full.values[n - 1 - i] - 1.0).abs() < 1e-10, "size {n}");
                let cosine = dot(vectors.row(i), full.vectors.row(n - 1 - i)).abs();
                assert!((cosine - 1.0).abs() < 1e-8, "size {n}, pair {i}: {cosine}");
            }
        }
    }

    #[test]
    fn a_leading_subspace_holds_the_variance_of_the_top_eigenvectors() {
        let a = gram(200, 12);
        let basis = leading_subspace(&a, 12, 6, 1).unwrap();
        let kept: f64 = (0..12).map(|i| crate::linalg::quadratic(&a, basis.row(i))).sum();
        let all: f64 = (0..200).map(|i| a[(i, i)]).sum();
        assert!((kept / all - 1.0).abs() < 1e-9, "{kept} of {all}");
        assert!((0..12).all(|i| (0..i).all(|j| dot(basis.row(i), basis.row(j)).abs() < 1e-12)));
    }

    #[test]
    fn a_row_that_depends_on_earlier_ones_becomes_zero() {
        let mut a = Dense::from_vec(3, 3, vec![1., 2., 2., 2., 4., 4., 0., 0., 1.]).unwrap();
        orthonormalise(&mut a);
        assert_eq!(a.row(1), [0.0; 3]);
        assert!((norm(a.row(2)) - 1.0).abs() < 1e-14 && dot(a.row(0), a.row(2)).abs() < 1e-14);
    }

    #[test]
    fn an_operator_of_low_rank_ends_early_and_right() {
        let a = gram(200, 3);
        let (values, _) = top_eig(&a, 3, 1e-12, 1).unwrap();
        let full = sym_eig(&a).unwrap();
        assert!((0..3).all(|i| (values[i] / full.values[199 - i] - 1.0).abs() < 1e-10));
    }
}

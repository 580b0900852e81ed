//! Approximate leading subspaces, and orthonormal rows.

use super::{dot_lanes, fix_sign, norm, sym_eig};
use crate::error::Result;
use crate::interrupt;
use crate::matrix::Dense;
use crate::rng::Rng;

/// Up to this size the full decomposition is cheaper.
const SMALL: usize = 96;

/// An approximate basis of the `k` leading eigenvectors of a dense matrix, leading one first: rows
/// are orthonormal and diagonalise `a` within their span.
///
/// Cost      `iterations` products of a with k vectors. Enough where a subspace is a first guess, as in
/// starts; [`eig_few`](super::eig_few) is for eigenvectors that are the answer.   See  Bauer (1957).
pub fn leading_subspace(a: &Dense, k: usize, iterations: usize, seed: u64) -> Result<Dense> {
    let n = a.rows();
    let k = k.min(n);
    if n <= SMALL {
        return Ok(top_rows(&sym_eig(a)?.vectors, k));
    }
    let mut rng = Rng::new(seed, 0x7375);
    let mut basis = Dense::from_vec(k, n, (0..k * n).map(|_| rng.normal()).collect())?;
    for _ in 0..iterations {
        interrupt::check();
        basis = super::product(basis.view(), a.view());
        orthonormalise(&mut basis);
    }
    let image = super::product(basis.view(), a.view());
    let eig = sym_eig(&super::product_nt(basis.view(), image.view()))?;
    let mut turned = super::product(top_rows(&eig.vectors, k).view(), basis.view());
    (0..k).for_each(|i| fix_sign(turned.row_mut(i)));
    Ok(turned)
}

/// The last `k` rows, last first.
fn top_rows(ascending: &Dense, k: usize) -> Dense {
    let mut top = Dense::zeros(k, ascending.cols());
    (0..k).for_each(|i| top.row_mut(i).copy_from_slice(ascending.row(ascending.rows() - 1 - i)));
    top
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
}

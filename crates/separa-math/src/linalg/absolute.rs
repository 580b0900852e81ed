//! The absolute value of a symmetric matrix.

use super::{mirror_lower, product_nt, sym_eig};
use crate::error::Result;
use crate::matrix::Dense;

/// |a| = Σ |valueᵢ| vᵢvᵢᵀ: of the split a = a⁺ − a⁻ into two positive semidefinite matrices whose
/// product is zero, the sum a⁺ + a⁻. So a⁺ = (|a| + a)/2 and a⁻ = (|a| − a)/2.
///
/// Given  a symmetric matrix (lower triangle read).   Cost  one decomposition and one product.
pub fn absolute(a: &Dense) -> Result<Dense> {
    let eig = sym_eig(a)?;
    let columns = eig.vectors.transposed();
    let mut scaled = columns.clone();
    for i in 0..scaled.rows() {
        scaled.row_mut(i).iter_mut().zip(&eig.values).for_each(|(v, value)| *v *= value.abs());
    }
    let mut out = product_nt(scaled.view(), columns.view());
    mirror_lower(&mut out);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::product;
    use crate::rng::Rng;

    fn worst(a: &Dense, b: &Dense) -> f64 {
        a.data().iter().zip(b.data()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn the_two_parts_of_an_indefinite_gram_are_semidefinite_orthogonal_and_add_up() {
        for n in [0, 1, 2, 9, 40] {
            let mut rng = Rng::new(n as u64, 5);
            let mut a = Dense::zeros(n, n);
            for i in 0..n {
                for j in 0..=i {
                    a[(i, j)] = rng.normal();
                    a[(j, i)] = a[(i, j)];
                }
            }
            let sum = absolute(&a).unwrap();
            let mut plus = sum.clone();
            let mut minus = sum.clone();
            for ((p, m), v) in plus.data_mut().iter_mut().zip(minus.data_mut()).zip(a.data()) {
                (*p, *m) = (0.5 * (*p + v), 0.5 * (*m - v));
            }
            // A symmetric square root without a decomposition: |a|² = a².
            let tol = 1e-12 * (n * n + 1) as f64;
            let squares = [&sum, &a].map(|m| product(m.view(), m.view()));
            assert!(worst(&squares[0], &squares[1]) < tol);
            for part in [&plus, &minus, &sum] {
                assert!(sym_eig(part).unwrap().values.iter().all(|v| *v > -tol));
            }
            assert!(worst(&product(plus.view(), minus.view()), &Dense::zeros(n, n)) < tol);
        }
    }

    #[test]
    fn a_semidefinite_matrix_is_its_own_absolute_value() {
        let x = Dense::from_vec(3, 2, vec![1.0, 2.0, -0.5, 3.0, 0.0, 1.0]).unwrap();
        let gram = product_nt(x.view(), x.view());
        assert!(worst(&absolute(&gram).unwrap(), &gram) < 1e-13);
    }
}

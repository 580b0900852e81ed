//! Checks of matrices that were computed elsewhere.

use crate::error::{Error, Result};
use crate::interrupt;
use crate::matrix::{Dense, MatrixRef};
use crate::par;
use rayon::prelude::*;

/// The largest difference of a pair of mirrored entries, as a fraction of the largest entry.
const SYMMETRY: f64 = 1e-8;
/// Rows and columns that are compared with their mirror at a time.
const TILE: usize = 256;

/// A matrix of distances: square, finite, none negative, symmetric, zero on the diagonal (both to
/// 1e-8 of the largest entry).
pub fn check_distances(a: &Dense) -> Result<()> {
    const WHAT: &str = "distance matrix";
    let top = check_square_and_finite(WHAT, a)?;
    for i in 0..a.rows() {
        for j in 0..a.rows() {
            if a[(i, j)] < 0.0 {
                return entry(WHAT, a, i, j, "a distance >= 0");
            }
        }
        if a[(i, i)] > SYMMETRY * top {
            return entry(WHAT, a, i, i, "0, the distance of a row from itself");
        }
    }
    check_symmetric(WHAT, a, top)
}

/// A kernel matrix: square, finite and symmetric (to 1e-8 of the largest entry).
pub fn check_kernel(a: &Dense) -> Result<()> {
    const WHAT: &str = "kernel matrix";
    let top = check_square_and_finite(WHAT, a)?;
    check_symmetric(WHAT, a, top)
}

/// A matrix of affinities, dense or sparse: square, none negative, symmetric (to 1e-8 of the largest
/// entry). Its numbers were found finite upstairs.
pub fn check_affinities(a: MatrixRef<'_>) -> Result<()> {
    const WHAT: &str = "affinity matrix";
    let n = a.rows();
    if n != a.cols() {
        return Err(Error::Shape {
            what: WHAT,
            found: format!("{n} x {}", a.cols()),
            expected: "as many rows as columns".into(),
        });
    }
    let at = |i: usize, j: usize| match a {
        MatrixRef::Dense(a) => a.row(i)[j],
        MatrixRef::Sparse(a) => {
            let (columns, values) = a.row(i);
            columns.binary_search(&(j as u32)).map_or(0.0, |p| values[p])
        }
    };
    let name = |i: usize, j: usize, expected: String| {
        Err(Error::Entry {
            what: WHAT,
            row: i + 1,
            column: j + 1,
            found: at(i, j).to_string(),
            expected,
        })
    };
    let mut top = 0.0_f64;
    for i in 0..n {
        if let Some(p) = a.row_values(i).iter().position(|v| *v < 0.0) {
            return name(i, a.column_of(i, p), "an affinity >= 0".into());
        }
        top = a.row_values(i).iter().fold(top, |t, v| t.max(*v));
    }
    let (mut worst, mut pair) = (SYMMETRY * top, None);
    for i in 0..n {
        for (p, v) in a.row_values(i).iter().enumerate() {
            let j = a.column_of(i, p);
            let gap = (v - at(j, i)).abs();
            if gap > worst {
                (worst, pair) = (gap, Some((i.max(j), i.min(j))));
            }
        }
    }
    let Some((i, j)) = pair else { return Ok(()) };
    let expected =
        format!("{} as in row {}, column {} (a symmetric matrix)", at(j, i), j + 1, i + 1);
    name(i, j, expected)
}

/// Returns the largest magnitude.
fn check_square_and_finite(what: &'static str, a: &Dense) -> Result<f64> {
    if a.rows() != a.cols() {
        return Err(Error::Shape {
            what,
            found: format!("{} x {}", a.rows(), a.cols()),
            expected: "as many rows as columns".into(),
        });
    }
    for i in 0..a.rows() {
        if let Some(j) = a.row(i).iter().position(|v| !v.is_finite()) {
            return entry(what, a, i, j, "a finite number").map(|()| 0.0);
        }
    }
    Ok(a.data().iter().fold(0.0, |top, v| v.abs().max(top)))
}

/// A gap and its pair.
type Gap = (f64, Option<(usize, usize)>);

/// The larger gap; of equal ones the first pair by rows, in whatever order they come.
fn worse(a: Gap, b: Gap) -> Gap {
    let earlier = b.0 == a.0 && a.1.is_some() && b.1.is_some() && b.1 < a.1;
    if b.0 > a.0 || earlier { b } else { a }
}

/// Names the pair that differs most.
fn check_symmetric(what: &'static str, a: &Dense, top: f64) -> Result<()> {
    let tiles: Vec<_> = par::chunks(a.rows(), TILE).collect();
    let bands = tiles.par_iter().enumerate().map(|(r, rows)| {
        interrupt::check();
        let mut found = (SYMMETRY * top, None);
        for cols in &tiles[..=r] {
            for i in rows.clone() {
                for j in cols.start..cols.end.min(i) {
                    let gap = (a[(i, j)] - a[(j, i)]).abs();
                    found = worse(found, (gap, Some((i, j))));
                }
            }
        }
        found
    });
    let (_, at) = bands.collect::<Vec<_>>().into_iter().fold((SYMMETRY * top, None), worse);
    let Some((i, j)) = at else { return Ok(()) };
    let expected =
        format!("{} as in row {}, column {} (a symmetric matrix)", a[(j, i)], j + 1, i + 1);
    entry(what, a, i, j, &expected)
}

fn entry(what: &'static str, a: &Dense, i: usize, j: usize, expected: &str) -> Result<()> {
    Err(Error::Entry {
        what,
        row: i + 1,
        column: j + 1,
        found: a[(i, j)].to_string(),
        expected: expected.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(changes: &[(usize, usize, f64)]) -> Dense {
        let mut a = Dense::zeros(4, 4);
        for i in 0..4_usize {
            for j in 0..4 {
                a[(i, j)] = i.abs_diff(j) as f64;
            }
        }
        changes.iter().for_each(|&(i, j, v)| a[(i, j)] = v);
        a
    }

    fn message(changes: &[(usize, usize, f64)]) -> String {
        check_distances(&square(changes)).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_row_and_column_counted_from_one() {
        assert_eq!(
            message(&[(0, 1, -1.0)]),
            "distance matrix: row 1, column 2 holds -1, expected a distance >= 0"
        );
        assert_eq!(
            message(&[(2, 2, 0.5)]),
            "distance matrix: row 3, column 3 holds 0.5, expected 0, the distance of a row from itself"
        );
        assert_eq!(
            message(&[(3, 0, f64::NAN)]),
            "distance matrix: row 4, column 1 holds NaN, expected a finite number"
        );
        // The worst pair, not the first.
        assert_eq!(
            message(&[(1, 0, 1.25), (3, 2, 2.5)]),
            "distance matrix: row 4, column 3 holds 2.5, expected 1 as in row 3, column 4 (a symmetric matrix)"
        );
        assert_eq!(
            check_kernel(&Dense::zeros(2, 3)).unwrap_err().to_string(),
            "kernel matrix has shape 2 x 3, expected as many rows as columns"
        );
        let skew = check_kernel(&square(&[(0, 1, 1.5)])).unwrap_err().to_string();
        assert_eq!(
            skew,
            "kernel matrix: row 2, column 1 holds 1, expected 1.5 as in row 1, column 2 (a symmetric matrix)"
        );
    }

    #[test]
    fn rounding_is_forgiven_and_kernels_may_be_negative() {
        check_distances(&square(&[(1, 0, 1.0 + 1e-9), (2, 2, 1e-9)])).unwrap();
        check_kernel(&square(&[(1, 1, -3.0)])).unwrap();
        check_distances(&Dense::zeros(0, 0)).unwrap();
        check_distances(&Dense::zeros(3, 3)).unwrap();
    }

    #[test]
    fn affinities_are_checked_alike_dense_and_sparse() {
        use crate::matrix::CsrRef;
        let both = |changes: &[(usize, usize, f64)]| {
            let dense = square(changes);
            let copy = crate::test_tables::sparse_copy(&dense);
            let of = |a: MatrixRef<'_>| check_affinities(a).map_err(|e| e.to_string());
            let sparse: CsrRef<'_> = copy.view();
            let (a, b) = (of(dense.view().into()), of(sparse.into()));
            assert_eq!(a, b);
            a
        };
        assert_eq!(both(&[(2, 2, 5.0)]), Ok(()));
        assert_eq!(
            both(&[(0, 1, -1.0)]).unwrap_err(),
            "affinity matrix: row 1, column 2 holds -1, expected an affinity >= 0"
        );
        assert_eq!(
            both(&[(0, 3, 0.0)]).unwrap_err(),
            "affinity matrix: row 4, column 1 holds 3, expected 0 as in row 1, column 4 (a symmetric matrix)"
        );
        let flat = check_affinities(Dense::zeros(2, 3).view().into()).unwrap_err().to_string();
        assert_eq!(flat, "affinity matrix has shape 2 x 3, expected as many rows as columns");
    }
}

//! Weighted sums of a measure over points, without its matrix.

use crate::distance::{Measure, Pairs};
use crate::linalg::dot_lanes;
use crate::matrix::{Dense, Rows};
use rayon::prelude::*;
use std::ops::Range;

/// Rows that run together, and points at most that they meet at a time.
const ROWS: usize = 128;
const POINTS: usize = 1024;

/// Turns the values of a row with some points into others.
pub type Change<'a> = dyn Fn(usize, Range<usize>, &mut [f64]) + Sync + 'a;

/// Σⱼ k(x, pⱼ)·cᵣⱼ for every row x (one line each) and every row r of `weights`. A line is a
/// function of its row and the points alone.
pub fn weighted_sums(
    measure: impl Into<Measure>,
    rows: &dyn Rows,
    points: &dyn Rows,
    weights: &Dense,
) -> Dense {
    weighted_sums_of(measure, rows, points, weights, &|_, _, _| {})
}

/// As [`weighted_sums`], with values that `change(row, points, values)` turns into others first.
pub fn weighted_sums_of(
    measure: impl Into<Measure>,
    rows: &dyn Rows,
    points: &dyn Rows,
    weights: &Dense,
    change: &Change<'_>,
) -> Dense {
    let (n, m, q) = (rows.n_rows(), points.n_rows(), weights.rows());
    let mut out = Dense::zeros(n, q);
    if q == 0 {
        return out;
    }
    let pairs = Pairs::new(measure, rows, points);
    let width = pairs.group().min(POINTS);
    for first in (0..m).step_by(width) {
        let cols = first..(first + width).min(m);
        let packed = pairs.pack(cols.clone());
        let lines = out.data_mut().par_chunks_mut(ROWS * q).enumerate();
        lines.for_each_init(Vec::new, |buffer, (c, lines)| {
            let rows = c * ROWS..c * ROWS + lines.len() / q;
            buffer.resize(rows.len() * cols.len(), 0.0);
            pairs.fill(rows.clone(), &packed, buffer);
            let values = buffer.chunks_exact_mut(cols.len());
            for ((i, values), line) in rows.zip(values).zip(lines.chunks_exact_mut(q)) {
                change(i, cols.clone(), values);
                for (r, sum) in line.iter_mut().enumerate() {
                    *sum += dot_lanes(values, &weights.row(r)[cols.clone()]);
                }
            }
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::mercer::Kernel;
    use crate::linalg::product_nt;
    use crate::matrix::pick;
    use crate::test_tables::normals;

    #[test]
    fn sums_equal_the_product_with_the_matrix_and_a_row_has_its_sums_alone() {
        let (x, points, weights) = (normals(300, 5, 1), normals(1500, 5, 2), normals(3, 1500, 3));
        let kernel = Kernel::Rbf { gamma: 0.1 };
        let sums = weighted_sums(kernel, &x, &points, &weights);
        let slow = product_nt(kernel.matrix(&x, &points).view(), weights.view());
        let gap = sums.data().iter().zip(slow.data()).map(|(a, b)| (a - b).abs());
        assert!(gap.fold(0.0, f64::max) < 1e-11);
        for i in [0, 137, 299] {
            let alone = weighted_sums(kernel, &pick(&x, &[i]), &points, &weights);
            assert_eq!(alone.data(), sums.row(i));
        }
        let twice = weighted_sums_of(kernel, &x, &points, &weights, &|_, _, values| {
            values.iter_mut().for_each(|v| *v *= 2.0);
        });
        assert!(twice.data().iter().zip(sums.data()).all(|(a, b)| *a == 2.0 * b));
        assert_eq!(weighted_sums(kernel, &x, &points, &Dense::zeros(0, 1500)).cols(), 0);
    }
}

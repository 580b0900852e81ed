//! Mean and deviation of every column.

use super::{Column, LEAST_SPREAD, Scaler, ScalingKind};
use crate::matrix::{Dense, MatrixRef, Rows, gather};
use crate::par;
use std::ops::Range;

/// Mean and standard deviation of every column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnStats {
    /// The means.
    pub mean: Vec<f64>,
    /// The deviations; 0 exactly for a column of one value.
    pub deviation: Vec<f64>,
}

impl ColumnStats {
    /// Of rows whose weights sum to 1. Zeros are counted instead of visited, dense or sparse: the bits are
    /// the same, and sparse rows stay sparse.
    pub fn of(x: MatrixRef<'_>, weights: &[f64]) -> Self {
        let mean = means(&x, weights);
        let d = x.cols();
        let (lo, hi) = sparse_ranges(x, weights);
        let peak: Vec<f64> = (0..d).map(|j| (hi[j] - mean[j]).max(mean[j] - lo[j])).collect();
        // Squares of fractions of the peak: neither 1e-300 nor 1e150 leaves the range of numbers.
        let map = |rows: Range<usize>| {
            let mut sums = vec![(0.0, 0.0); d];
            for i in rows.filter(|&i| weights[i] > 0.0) {
                for (p, &v) in x.row_values(i).iter().enumerate().filter(|(_, v)| **v != 0.0) {
                    let j = x.column_of(i, p);
                    let t = (v - mean[j]) / peak[j];
                    sums[j].0 += weights[i] * t * t;
                    sums[j].1 += weights[i];
                }
            }
            sums
        };
        let mut sums = vec![(0.0, 0.0); d];
        par::fold_chunks(x.rows(), map, |part| {
            sums.iter_mut().zip(part).for_each(|(s, p)| *s = (s.0 + p.0, s.1 + p.1));
        });
        let deviation = (0..d).map(|j| {
            if hi[j] <= lo[j] {
                return 0.0;
            }
            let (square, seen): (f64, f64) = sums[j];
            let zero = mean[j] / peak[j];
            peak[j] * (square + (1.0 - seen).max(0.0) * zero * zero).sqrt()
        });
        Self { deviation: deviation.collect(), mean }
    }

    /// All columns, centred and divided as `kind` says; those without a deviation become 0.
    pub fn scaler(&self, kind: ScalingKind) -> Scaler {
        let top = self.deviation.iter().copied().fold(0.0, f64::max);
        let total: f64 = self.deviation.iter().map(|s| s * s).sum();
        let factor = |s: &f64| match kind {
            _ if *s <= LEAST_SPREAD => 0.0,
            ScalingKind::Standard => 1.0 / s,
            ScalingKind::Auto if top * top > 0.5 * total => 1.0 / s,
            ScalingKind::Shared => 1.0 / top,
            ScalingKind::Auto | ScalingKind::None => 1.0,
        };
        Scaler::centred(&self.mean, &self.deviation.iter().map(factor).collect::<Vec<_>>())
    }

    /// The mean variance on a scale, of the columns that have one.
    pub fn mean_variance(&self, scaler: &Scaler) -> f64 {
        let each = scaler.columns.iter().filter(|c| c.factor > 0.0);
        let square = |c: &Column| (self.deviation[c.source] * c.factor).powi(2);
        let (sum, count) = each.fold((0.0, 0), |(sum, count), c| (sum + square(c), count + 1));
        sum / f64::from(count.max(1))
    }
}

/// The mean of every column, of rows whose weights sum to 1.
pub fn means(rows: &dyn Rows, weights: &[f64]) -> Vec<f64> {
    let weights = Dense::from_vec(weights.len(), 1, weights.to_vec()).expect("one weight per row");
    gather(rows, &weights).into_vec()
}

/// Smallest and largest value of every column over rows that weigh something; zeros need not be stored.
fn sparse_ranges(x: MatrixRef<'_>, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let d = x.cols();
    let empty = || (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d], vec![0usize; d], 0);
    let map = |rows: Range<usize>| {
        let (mut lo, mut hi, mut seen, mut count) = empty();
        for i in rows.filter(|&i| weights[i] > 0.0) {
            count += 1;
            for (p, &v) in x.row_values(i).iter().enumerate() {
                let j = x.column_of(i, p);
                (lo[j], hi[j]) = (v.min(lo[j]), v.max(hi[j]));
                seen[j] += 1;
            }
        }
        (lo, hi, seen, count)
    };
    let (mut lo, mut hi, mut seen, mut count) = empty();
    par::fold_chunks(x.rows(), map, |part| {
        for j in 0..d {
            (lo[j], hi[j]) = (part.0[j].min(lo[j]), part.1[j].max(hi[j]));
            seen[j] += part.2[j];
        }
        count += part.3;
    });
    for j in (0..d).filter(|&j| seen[j] < count) {
        (lo[j], hi[j]) = (lo[j].min(0.0), hi[j].max(0.0));
    }
    (lo, hi)
}

/// Variances times scale², and the scale: a power of two that brings the largest number near one, where its
/// square is out of range, else 1.
pub(super) fn variances_in_range(rows: &dyn Rows, weights: Option<&[f64]>) -> (Vec<f64>, f64) {
    let mut top = 0.0_f64;
    let map = |range: Range<usize>| {
        let (mut row, mut top) = (vec![0.0; rows.n_cols()], 0.0_f64);
        for i in range {
            let values = match rows.sparse() {
                Some(x) => x.row(i).1,
                None => {
                    rows.copy_row(i, &mut row);
                    &row
                }
            };
            top = values.iter().fold(top, |t, v| t.max(v.abs()));
        }
        top
    };
    par::fold_chunks(rows.n_rows(), map, |part| top = top.max(part));
    let scale = match (1e-60..=1e60).contains(&top) || top == 0.0 {
        true => 1.0,
        false => (-top.log2().floor()).exp2(),
    };
    (variances(rows, weights, scale), scale)
}

/// Variances of the columns times scale², in one pass.
pub fn variances(rows: &dyn Rows, weights: Option<&[f64]>, scale: f64) -> Vec<f64> {
    let (n, d) = (rows.n_rows(), rows.n_cols());
    let mut first = vec![0.0; d];
    if n > 0 {
        // A row without a weight may lie anywhere.
        let heavy = |w: &[f64]| w.iter().position(|w| *w > 0.0);
        rows.copy_row(weights.and_then(heavy).unwrap_or(0), &mut first);
        first.iter_mut().for_each(|v| *v *= scale);
    }
    let (mut mass, mut sums, mut squares) = (0.0, vec![0.0; d], vec![0.0; d]);
    let map = |range: Range<usize>| {
        let (mut row, mut mass) = (vec![0.0; d], 0.0);
        let (mut sums, mut squares) = (vec![0.0; d], vec![0.0; d]);
        for i in range {
            rows.copy_row(i, &mut row);
            let w = weights.map_or(1.0, |w| w[i]);
            mass += w;
            for j in 0..d {
                // About a first row: an offset costs no digits.
                let gap = row[j] * scale - first[j];
                sums[j] += w * gap;
                squares[j] += w * gap * gap;
            }
        }
        (mass, sums, squares)
    };
    par::fold_chunks(n, map, |(m, s, q)| {
        mass += m;
        sums.iter_mut().zip(s).for_each(|(a, b)| *a += b);
        squares.iter_mut().zip(q).for_each(|(a, b)| *a += b);
    });
    let variance = |(s, q): (&f64, &f64)| (q / mass - (s / mass) * (s / mass)).max(0.0);
    sums.iter().zip(&squares).map(variance).collect()
}

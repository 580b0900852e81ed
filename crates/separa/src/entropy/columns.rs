//! What columns are centred on and divided by, and the largest variance that is left.

use super::posterior::Frame;
use crate::error::Result;
use separa_math::linalg::{EigOptions, SymOp, Which, eig_few};
use separa_math::matrix::{Columns, Dense, MatrixRef, Rows, gather, project_into};
use separa_math::par;
use std::ops::Range;

/// Mean and standard deviation of every column.
#[derive(Debug)]
pub(crate) struct Spread {
    pub mean: Vec<f64>,
    pub deviation: Vec<f64>,
}

impl Spread {
    /// Zeros are counted instead of visited, dense or sparse: the bits are the same, and sparse rows
    /// stay sparse. A column of one value has deviation 0 exactly.
    pub fn of(x: MatrixRef<'_>, shares: &[f64]) -> Self {
        let mean = mean_of(&x, shares);
        let d = x.cols();
        let range = Ranges::of(x, shares);
        let peak: Vec<f64> =
            (0..d).map(|j| (range.hi[j] - mean[j]).max(mean[j] - range.lo[j])).collect();
        // Squares of shares of the peak: neither 1e-300 nor 1e150 leaves the range of numbers.
        let map = |rows: Range<usize>| {
            let mut sums = vec![(0.0, 0.0); d];
            for i in rows.filter(|&i| shares[i] > 0.0) {
                for (p, &v) in x.row_values(i).iter().enumerate().filter(|(_, v)| **v != 0.0) {
                    let j = x.column_of(i, p);
                    let t = (v - mean[j]) / peak[j];
                    sums[j].0 += shares[i] * t * t;
                    sums[j].1 += shares[i];
                }
            }
            sums
        };
        let mut sums = vec![(0.0, 0.0); d];
        par::fold_chunks(x.rows(), map, |part| {
            sums.iter_mut().zip(part).for_each(|(s, p)| *s = (s.0 + p.0, s.1 + p.1));
        });
        let deviation = (0..d).map(|j| {
            if range.hi[j] <= range.lo[j] {
                return 0.0;
            }
            let (square, seen): (f64, f64) = sums[j];
            let zero = mean[j] / peak[j];
            peak[j] * (square + (1.0 - seen).max(0.0) * zero * zero).sqrt()
        });
        Self { deviation: deviation.collect(), mean }
    }

    /// The mean variance in a frame, of the columns that have one.
    pub fn mean_square(&self, frame: &Frame) -> f64 {
        let each = self.deviation.iter().zip(&frame.factor).filter(|(_, f)| **f > 0.0);
        let (sum, count) =
            each.fold((0.0, 0), |(sum, count), (s, f)| (sum + (s * f) * (s * f), count + 1));
        sum / f64::from(count.max(1))
    }

    /// Columns centred, and divided by their deviations (`free` of units) or all by the largest one.
    pub fn frame(&self, free: bool) -> Frame {
        let top = self.deviation.iter().copied().fold(0.0, f64::max);
        let factor = |s: &f64| match (*s > 0.0, free) {
            (false, _) => 0.0,
            (true, true) => 1.0 / s,
            (true, false) => 1.0 / top,
        };
        Frame { factor: self.deviation.iter().map(factor).collect(), shift: self.mean.clone() }
    }
}

/// The mean of every column.
pub(super) fn mean_of(rows: &dyn Rows, shares: &[f64]) -> Vec<f64> {
    let shares = Dense::from_vec(shares.len(), 1, shares.to_vec()).expect("one share a row");
    gather(rows, &shares).into_vec()
}

/// Smallest and largest value of every column over rows that count.
struct Ranges {
    lo: Vec<f64>,
    hi: Vec<f64>,
}

impl Ranges {
    fn of(x: MatrixRef<'_>, shares: &[f64]) -> Self {
        let d = x.cols();
        let empty = || (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d], vec![0usize; d], 0);
        let map = |rows: Range<usize>| {
            let (mut lo, mut hi, mut seen, mut count) = empty();
            for i in rows.filter(|&i| shares[i] > 0.0) {
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
        // Zeros that are not stored.
        for j in (0..d).filter(|&j| seen[j] < count) {
            (lo[j], hi[j]) = (lo[j].min(0.0), hi[j].max(0.0));
        }
        Self { lo, hi }
    }
}

/// The largest variance of z = (x − shift)·factor in any direction.
pub(crate) fn top_variance(
    rows: &dyn Rows,
    frame: &Frame,
    shares: &[f64],
    seed: u64,
) -> Result<f64> {
    let options = EigOptions { tol: 1e-4, max_products: 400, block: 2, seed };
    let found = eig_few(&Covariance { rows, frame, shares }, 1, Which::Largest, &options)?;
    Ok(found.values.first().copied().unwrap_or(0.0).max(0.0))
}

/// The covariance of z, known by its products.
struct Covariance<'a> {
    rows: &'a dyn Rows,
    frame: &'a Frame,
    shares: &'a [f64],
}

impl SymOp for Covariance<'_> {
    fn dim(&self) -> usize {
        self.frame.shift.len()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let d = self.dim();
        let m = x.len() / d;
        let Frame { shift, factor } = self.frame;
        let mut weights = Dense::from_vec(m, d, x.to_vec()).expect("whole vectors");
        let mut offsets = vec![0.0; m];
        for (line, offset) in weights.data_mut().chunks_exact_mut(d).zip(&mut offsets) {
            line.iter_mut().zip(factor).for_each(|(w, f)| *w *= f);
            *offset = -line.iter().zip(shift).map(|(w, s)| w * s).sum::<f64>();
        }
        let mut images = Dense::zeros(self.rows.n_rows(), m);
        project_into(self.rows, &Columns::pack(weights.view()), &offsets, images.data_mut());
        par::fill_chunks(images.data_mut(), m, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(m)) {
                line.iter_mut().for_each(|v| *v *= self.shares[i]);
            }
        });
        // The images sum to 0 but for rounding, which a large shift would multiply: it is taken off again.
        let sums = gather(self.rows, &images);
        let totals: Vec<f64> =
            (0..m).map(|c| (0..images.rows()).map(|i| images[(i, c)]).sum()).collect();
        for (c, line) in out.chunks_exact_mut(d).enumerate() {
            for (j, o) in line.iter_mut().enumerate() {
                *o = factor[j] * (sums[(c, j)] - totals[c] * shift[j]);
            }
        }
    }
}

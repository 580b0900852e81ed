//! A scaler that a few outliers cannot move, and the rows that hold them.
//!
//! Per column: median, s = (q90 − q10)/2.563, clip at median ± 5s, then mean and deviation of what is left.
//! Every test is one of order or of ratios, so a change of units changes nothing. Clipping and leaving out
//! outlier rows are both needed; `benchmarks/outliers.py` measures what they buy.
//!
//! The contraharmonic scale of a column is Σ(x−m)²/Σ|x−m|, m the mean: its standard deviation over
//! E|z| (Geary's ratio), which is 1 for a balanced two-valued column, .80 for a Gaussian and small for rare
//! values and heavy tails, which a standard deviation blows up.

use super::{Column, Scaled, Scaler, varies};
use crate::interrupt;
use crate::matrix::{MatrixRef, Rows};
use crate::par;
use crate::rng::Rng;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;

/// Quantiles are read off at most this many rows, drawn by the seed.
const SAMPLE: usize = 8192;
/// (q90 − q10) of a Gaussian in standard deviations.
const DECILE_SPAN: f64 = 2.563;
/// The distance of a Gaussian's quartiles in standard deviations.
const QUARTILE_SPAN: f64 = 1.349;
/// Where values are clipped, in robust deviations from the median.
const CLIP: f64 = 5.0;

/// A scaler, and what it found on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct RobustFit {
    /// Columns without spread are left out: constant ones, or, if robust, those with one value in 96 % of
    /// the rows.
    pub scaler: Scaler,
    /// Rows with more than half of their entries beyond the clip limits, ascending; they do not count.
    pub outliers: Vec<usize>,
    /// Nearly all columns span the same range, as pixels and counts do.
    pub same_range: bool,
    /// Whether one value fills 96 % of the rows, for each kept column.
    rare: Vec<bool>,
}

/// What becomes of a column with one value in 96 % of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rare {
    /// It is left out.
    Drop,
    /// It is kept, without clip limits.
    Keep,
}

/// A column on its way to being scaled.
#[derive(Debug, Clone, Copy)]
struct Rough {
    column: Column,
    /// It holds two values only.
    binary: bool,
    /// One value fills 96 % of the rows.
    rare: bool,
}

impl RobustFit {
    /// Fits the scaler. With `robust` off: mean and standard deviation of every column that varies.
    pub fn of(x: MatrixRef<'_>, weights: Option<&[f64]>, robust: bool, seed: u64) -> Self {
        Self::with(x, weights, robust.then_some(Rare::Drop), seed)
    }

    /// `rare` is none for plain means and deviations.
    fn with(x: MatrixRef<'_>, weights: Option<&[f64]>, rare: Option<Rare>, seed: u64) -> Self {
        let rows = Weighted { x, weights };
        let ranges = rows.ranges();
        let rough = rare.map_or_else(Vec::new, |rare| rows.robust_columns(&ranges, rare, seed));
        // Where no column varies in the middle of its rows (sparse counts), all that vary are kept.
        let plain = rough.is_empty();
        let rough = if plain { plain_columns(&ranges) } else { rough };
        let n_features = x.cols();
        let columns: Vec<Column> = rough.iter().map(|r| r.column).collect();
        let clipped = Scaler { n_features, columns };
        let limited = rough.iter().filter(|r| !r.rare).map(|r| r.column).collect();
        let limited = Scaler { n_features, columns: limited };
        let outliers = if plain { Vec::new() } else { limited.outliers(x) };
        let (columns, rare) = rows.standardise(&rough, &clipped, &outliers).into_iter().unzip();
        let scaler = Scaler { n_features, columns };
        let same_range = same_range(&scaler.columns, &ranges);
        Self { scaler, outliers, same_range, rare }
    }

    /// For each kept column what its factor is multiplied by to become 1 over its contraharmonic scale:
    /// E|z|/E z² over the rows that are no outliers. It is 1 for two values.
    pub fn contraharmonic(&self, x: MatrixRef<'_>, weights: Option<&[f64]>) -> Vec<f64> {
        let (view, d) = (self.scaler.view(x), self.scaler.columns.len());
        let (mut sum, mut square) = (vec![0.0; d], vec![0.0; d]);
        let map = |range: Range<usize>| {
            let (mut sum, mut square) = (vec![0.0; d], vec![0.0; d]);
            let mut row = vec![0.0; d];
            for i in range {
                let w = weights.map_or(1.0, |w| w[i]);
                if w > 0.0 && self.outliers.binary_search(&i).is_err() {
                    view.copy_row(i, &mut row);
                    for j in 0..d {
                        sum[j] += w * row[j].abs();
                        square[j] += w * row[j] * row[j];
                    }
                }
            }
            (sum, square)
        };
        par::fold_chunks(x.rows(), map, |(s, q)| {
            sum.iter_mut().zip(s).for_each(|(a, b)| *a += b);
            square.iter_mut().zip(q).for_each(|(a, b)| *a += b);
        });
        sum.iter().zip(&square).map(|(s, q)| s / q).collect()
    }
}

impl Scaler {
    /// Clip limits and factors of all columns, for methods that see distances: nothing is subtracted, zeros stay
    /// zeros, columns without spread become 0. With `contraharmonic` off a column is divided by its standard
    /// deviation, unless it holds two values or one value in 96 % of the rows: rare values must not look like
    /// far ones, so these always have their contraharmonic scale.
    pub fn unit_free(
        x: MatrixRef<'_>,
        weights: Option<&[f64]>,
        contraharmonic: bool,
        seed: u64,
    ) -> Self {
        let fit = RobustFit::with(x, weights, Some(Rare::Keep), seed);
        let ratio = fit.contraharmonic(x, weights);
        let mut columns: Vec<Column> =
            (0..x.cols()).map(|j| Column::unclipped(j, 0.0, 0.0)).collect();
        for ((c, ratio), rare) in fit.scaler.columns.iter().zip(ratio).zip(fit.rare) {
            let factor = c.factor * if contraharmonic || rare { ratio } else { 1.0 };
            // A spread below 1e-300 cannot be told from none.
            if factor.is_finite() {
                // A zero that is not stored stays one.
                let (lo, hi) = match x {
                    MatrixRef::Sparse(_) => (c.lo.min(0.0), c.hi.max(0.0)),
                    MatrixRef::Dense(_) => (c.lo, c.hi),
                };
                columns[c.source] = Column { source: c.source, lo, hi, shift: 0.0, factor };
            }
        }
        Self { n_features: x.cols(), columns }
    }

    /// Gives the columns that came from one feature of the user's table, all together, the weight of one: each
    /// of L kept columns is multiplied by 1/√L. `features` names the feature of every column of the table; without it
    /// every column is one.
    pub fn weigh_features(&mut self, features: Option<&[usize]>) {
        let Some(features) = features else { return };
        let mut count = HashMap::new();
        for c in self.columns.iter().filter(|c| c.factor > 0.0) {
            *count.entry(features[c.source]).or_insert(0.0) += 1.0;
        }
        for c in self.columns.iter_mut().filter(|c| c.factor > 0.0) {
            let together: f64 = count[&features[c.source]];
            c.factor /= together.sqrt();
        }
    }
}

/// Smallest and largest value of every column.
struct Ranges {
    lo: Vec<f64>,
    hi: Vec<f64>,
}

/// Columns that vary, without clip: shift by some value of the column, factor 1/range.
fn plain_columns(Ranges { lo, hi }: &Ranges) -> Vec<Rough> {
    (0..lo.len()).filter(|&j| varies(lo[j], hi[j])).map(|j| plain_column(j, lo[j], hi[j])).collect()
}

fn plain_column(j: usize, lo: f64, hi: f64) -> Rough {
    let column = Column::unclipped(j, lo, 1.0 / (hi - lo));
    Rough { column, binary: false, rare: false }
}

/// Eight or more columns, nine tenths of them within a quarter of the median range.
fn same_range(columns: &[Column], Ranges { lo, hi }: &Ranges) -> bool {
    let mut spans: Vec<f64> = columns.iter().map(|c| hi[c.source] - lo[c.source]).collect();
    spans.sort_unstable_by(f64::total_cmp);
    let Some(median) = spans.get(spans.len() / 2).copied() else { return false };
    let near = spans.iter().filter(|s| (0.8 * median..=1.25 * median).contains(*s)).count();
    spans.len() >= 8 && 10 * near >= 9 * spans.len()
}

/// Rows that count as often as they weigh.
struct Weighted<'a> {
    x: MatrixRef<'a>,
    weights: Option<&'a [f64]>,
}

impl Weighted<'_> {
    fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// Over rows that weigh something.
    fn ranges(&self) -> Ranges {
        let d = self.x.cols();
        let empty = || Ranges { lo: vec![f64::INFINITY; d], hi: vec![f64::NEG_INFINITY; d] };
        let mut total = empty();
        let map = |range: Range<usize>| {
            let Ranges { mut lo, mut hi } = empty();
            let mut buffer = Vec::new();
            let block = self.x.block(range.clone(), &mut buffer);
            for (i, row) in range.zip(block.chunks_exact(d)) {
                if self.weight(i) > 0.0 {
                    lo.iter_mut().zip(row).for_each(|(a, v)| *a = a.min(*v));
                    hi.iter_mut().zip(row).for_each(|(a, v)| *a = a.max(*v));
                }
            }
            Ranges { lo, hi }
        };
        par::fold_chunks(self.x.rows(), map, |part| {
            total.lo.iter_mut().zip(part.lo).for_each(|(a, v)| *a = a.min(v));
            total.hi.iter_mut().zip(part.hi).for_each(|(a, v)| *a = a.max(v));
        });
        total
    }

    /// Clipped columns, from quantiles of a sample of the rows.
    fn robust_columns(&self, ranges: &Ranges, rare: Rare, seed: u64) -> Vec<Rough> {
        const TOGETHER: usize = 16;
        let weighty: Vec<usize> = (0..self.x.rows()).filter(|&i| self.weight(i) > 0.0).collect();
        let drawn = Rng::new(seed, 0x66).sample(weighty.len(), SAMPLE);
        let rows: Vec<usize> = drawn.into_iter().map(|r| weighty[r]).collect();
        // The smallest weight counts as one row, so that the scale of weights does not matter.
        let unit = weighty.iter().map(|&i| self.weight(i)).fold(f64::INFINITY, f64::min);
        let weights: Option<Vec<f64>> =
            self.weights.map(|w| rows.iter().map(|&i| w[i] / unit).collect());
        let d = self.x.cols();
        let firsts: Vec<usize> = (0..d).step_by(TOGETHER).collect();
        let found: Vec<Vec<Rough>> = firsts
            .par_iter()
            .map(|&first| {
                interrupt::check();
                let last = (first + TOGETHER).min(d);
                let mut values = sampled(self.x, &rows, first..last);
                (first..last)
                    .zip(&mut values)
                    .map(|(j, values)| (j, values, ranges.lo[j], ranges.hi[j]))
                    .filter(|(_, _, lo, hi)| varies(*lo, *hi))
                    .filter_map(|(j, v, lo, hi)| {
                        let found = robust_column(j, v, weights.as_deref(), lo, hi);
                        let kept = || Rough { rare: true, ..plain_column(j, lo, hi) };
                        found.or_else(|| (rare == Rare::Keep).then(kept))
                    })
                    .collect()
            })
            .collect();
        found.into_iter().flatten().collect()
    }

    /// Mean 0 and variance 1 over the rows that are no outliers; columns left without spread are dropped.
    fn standardise(
        &self,
        rough: &[Rough],
        clipped: &Scaler,
        outliers: &[usize],
    ) -> Vec<(Column, bool)> {
        let view: Scaled<_> = clipped.view(self.x);
        let d = rough.len();
        let (mut n, mut sum, mut square) = (0.0, vec![0.0; d], vec![0.0; d]);
        let map = |range: Range<usize>| {
            let (mut n, mut sum, mut square) = (0.0, vec![0.0; d], vec![0.0; d]);
            let mut row = vec![0.0; d];
            for i in range {
                let w = self.weight(i);
                if w > 0.0 && outliers.binary_search(&i).is_err() {
                    view.copy_row(i, &mut row);
                    n += w;
                    for j in 0..d {
                        sum[j] += w * row[j];
                        square[j] += w * row[j] * row[j];
                    }
                }
            }
            (n, sum, square)
        };
        par::fold_chunks(self.x.rows(), map, |(m, s, q)| {
            n += m;
            sum.iter_mut().zip(s).for_each(|(a, b)| *a += b);
            square.iter_mut().zip(q).for_each(|(a, b)| *a += b);
        });
        let finish = |(j, Rough { column, binary, rare }): (usize, &Rough)| {
            let mean = sum[j] / n;
            let deviation = (square[j] / n - mean * mean).max(0.0).sqrt();
            // Two values keep half their distance as scale: a rare one must not look like a far one.
            let scale = if *binary { 1.0 } else { deviation };
            (deviation > 1e-12).then(|| {
                let shift = column.shift + mean / column.factor;
                (Column { shift, factor: column.factor / scale, ..*column }, *rare)
            })
        };
        rough.iter().enumerate().filter_map(finish).collect()
    }
}

/// The values of some columns in some rows.
fn sampled(x: MatrixRef<'_>, rows: &[usize], columns: Range<usize>) -> Vec<Vec<f64>> {
    let mut values = vec![Vec::with_capacity(rows.len()); columns.len()];
    for &i in rows {
        match x {
            MatrixRef::Dense(x) => {
                let row = &x.row(i)[columns.clone()];
                values.iter_mut().zip(row).for_each(|(to, v)| to.push(*v));
            }
            MatrixRef::Sparse(x) => {
                let (places, stored) = x.row(i);
                let mut p = places.partition_point(|&j| (j as usize) < columns.start);
                for (to, j) in values.iter_mut().zip(columns.clone()) {
                    let here = p < places.len() && places[p] as usize == j;
                    to.push(if here { stored[p] } else { 0.0 });
                    p += usize::from(here);
                }
            }
        }
    }
    values
}

/// The clip limits of a column that ranges from `lo` to `hi`; none if 96 % of its values are the same.
fn robust_column(
    source: usize,
    values: &mut [f64],
    weights: Option<&[f64]>,
    lo: f64,
    hi: f64,
) -> Option<Rough> {
    if values.contains(&lo) && values.contains(&hi) && values.iter().all(|v| *v == lo || *v == hi) {
        // Two values have no tails to clip.
        let column = Column::unclipped(source, lo, 2.0 / (hi - lo));
        return Some(Rough { column, binary: true, rare: false });
    }
    // One row in fifty decides the outer quantiles: a column of fewer non-zeros needs no sorting.
    let stored = values.iter().filter(|v| **v != 0.0).count();
    if weights.is_none() && 100 * stored < values.len() {
        return None;
    }
    let q = quantiles(values, weights, [0.02, 0.10, 0.50, 0.90, 0.98]);
    let [q02, q10, median, q90, q98] = q;
    // Never a test on a standard deviation: its rounding moves with the data's offset.
    if q98 <= q02 {
        return None;
    }
    let s = if q90 > q10 {
        (q90 - q10) / DECILE_SPAN
    } else {
        clipped_deviation(values, weights, q02, q98)
    };
    let (lo, hi) = (median - CLIP * s, median + CLIP * s);
    let column = Column { source, lo, hi, shift: median, factor: 1.0 / s };
    Some(Rough { column, binary: false, rare: false })
}

/// Linear interpolation between order statistics; an integer weight counts as so many copies.
fn quantiles(values: &mut [f64], weights: Option<&[f64]>, at: [f64; 5]) -> [f64; 5] {
    let Some(w) = weights else {
        let n = values.len();
        let mut out = at;
        let mut end = n;
        // From the top down: each selection leaves the smaller values in front for the next.
        for slot in out.iter_mut().rev() {
            let h = *slot * (n - 1) as f64;
            let low = h.floor() as usize;
            let above = if low + 1 < end {
                *values[..end].select_nth_unstable_by(low + 1, f64::total_cmp).1
            } else {
                values[low + 1..].iter().copied().fold(f64::INFINITY, f64::min)
            };
            end = (low + 2).min(end);
            let below = *values[..end].select_nth_unstable_by(low, f64::total_cmp).1;
            end = low + 1;
            let part = h - low as f64;
            *slot = if part > 0.0 { below + part * (above - below) } else { below };
        }
        return out;
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let total: f64 = w.iter().sum();
    let value_at = |t: f64| {
        let mut sum = 0.0;
        for &i in &order {
            sum += w[i];
            if sum > t {
                return values[i];
            }
        }
        values[order[order.len() - 1]]
    };
    at.map(|q| {
        let h = (q * (total - 1.0)).max(0.0);
        let (below, above) = (value_at(h.floor()), value_at(h.floor() + 1.0));
        below + (h - h.floor()) * (above - below)
    })
}

fn clipped_deviation(values: &[f64], weights: Option<&[f64]>, lo: f64, hi: f64) -> f64 {
    let w = |r: usize| weights.map_or(1.0, |w| w[r]);
    let n: f64 = (0..values.len()).map(w).sum();
    let unit = |v: f64| (v.max(lo).min(hi) - lo) / (hi - lo);
    let mean = values.iter().enumerate().map(|(r, v)| w(r) * unit(*v)).sum::<f64>() / n;
    let var =
        values.iter().enumerate().map(|(r, v)| w(r) * (unit(*v) - mean).powi(2)).sum::<f64>() / n;
    var.sqrt() * (hi - lo)
}

/// The median, and the spread of the middle half; where most values are the same, that of all.
pub(super) fn median_and_spread(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let middle = quantile(&values, 0.5);
    let spread = middle_spread(&values);
    if spread > 0.0 {
        return (middle, spread);
    }
    let squares: f64 = values.iter().map(|v| (v - middle).powi(2)).sum();
    (middle, (squares / values.len().max(1) as f64).sqrt())
}

/// The standard deviation of a Gaussian whose middle half is as wide as that of these ascending values.
pub fn middle_spread(sorted: &[f64]) -> f64 {
    (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / QUARTILE_SPAN
}

/// A quantile of ascending values, linear between neighbours; 0 of none.
pub fn quantile(sorted: &[f64], at: f64) -> f64 {
    let at = at * sorted.len().saturating_sub(1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    match sorted.get(high) {
        Some(above) => sorted[low] + (above - sorted[low]) * at.fract(),
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{Dense, pick};
    use crate::test_tables::{normals, sparse_copy};

    fn scaled(x: &Dense, contraharmonic: bool) -> Dense {
        let scaler = Scaler::unit_free(x.view().into(), None, contraharmonic, 0);
        pick(&scaler.view(x), &(0..x.rows()).collect::<Vec<_>>())
    }

    fn column(values: Vec<f64>) -> Dense {
        Dense::from_vec(values.len(), 1, values).unwrap()
    }

    fn factor(x: &Dense, contraharmonic: bool) -> f64 {
        Scaler::unit_free(x.view().into(), None, contraharmonic, 0).columns[0].factor
    }

    #[test]
    fn the_contraharmonic_scale_is_the_sum_of_squares_over_the_sum_of_absolute_deviations() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i * i % 97) + 3.0).collect();
        let mean = values.iter().sum::<f64>() / 200.0;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let absolute: f64 = values.iter().map(|v| (v - mean).abs()).sum();
        let x = column(values);
        assert!((factor(&x, true) * squares / absolute - 1.0).abs() < 1e-12);
        assert!((factor(&x, false) * (squares / 200.0).sqrt() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn two_values_and_rare_values_are_divided_by_half_their_distance_by_either_scaling() {
        let every = |step: usize, high: f64| {
            column((0..500).map(|i| if i % step == 0 { high } else { 7.0 }).collect())
        };
        let two = every(5, 11.0);
        let rare =
            column((0..500).map(|i| if i == 3 { 1e9 } else { f64::from(i / 499) }).collect());
        for contraharmonic in [false, true] {
            assert!((factor(&two, contraharmonic) - 0.5).abs() < 1e-12);
            let z = scaled(&rare, contraharmonic);
            assert!((z[(3, 0)] - 2.0).abs() < 1e-6, "{}", z[(3, 0)]);
        }
    }

    #[test]
    fn other_units_change_no_scaled_value() {
        let x = normals(300, 6, 5);
        let mut other = x.clone();
        for i in 0..300 {
            for (j, v) in other.row_mut(i).iter_mut().enumerate() {
                *v *= 10f64.powf(j as f64 * 2.3 - 6.0);
            }
        }
        for contraharmonic in [false, true] {
            let (a, b) = (scaled(&x, contraharmonic), scaled(&other, contraharmonic));
            assert!(a.data().iter().zip(b.data()).all(|(a, b)| (a - b).abs() < 1e-12 * 300.0));
        }
    }

    #[test]
    fn a_column_whose_spread_cannot_be_inverted_becomes_zero() {
        let tiny = column((0..100).map(|i| f64::from(i) * 1e-322).collect());
        for contraharmonic in [false, true] {
            assert_eq!(factor(&tiny, contraharmonic), 0.0);
            assert_eq!(factor(&column(vec![4.0; 9]), contraharmonic), 0.0);
            let huge = column((0..100).map(|i| f64::from(i) * 1e148).collect());
            let z = scaled(&huge, contraharmonic);
            assert!(z.data().iter().all(|v| v.is_finite()) && z[(99, 0)] > 1.0);
        }
    }

    #[test]
    fn sparse_rows_stay_sparse_and_have_the_bits_of_dense_ones() {
        let mut x = normals(120, 9, 3);
        x.data_mut().iter_mut().enumerate().filter(|(p, _)| p % 5 != 0).for_each(|(_, v)| *v = 0.0);
        // A single number in a column.
        (0..120).for_each(|i| x[(i, 8)] = if i == 7 { 3.0 } else { 0.0 });
        let (copy, all) = (sparse_copy(&x), (0..120).collect::<Vec<_>>());
        for contraharmonic in [false, true] {
            let dense = Scaler::unit_free(x.view().into(), None, contraharmonic, 0);
            let sparse = Scaler::unit_free(copy.view().into(), None, contraharmonic, 0);
            assert_eq!(dense.factors(), sparse.factors());
            let stored = sparse.copy(copy.view().into());
            assert!(stored.sparse().is_some());
            assert_eq!(pick(&stored, &all), pick(&dense.view(&x), &all));
        }
    }

    #[test]
    fn columns_of_one_feature_weigh_together_as_one_column_does() {
        let mut x = normals(60, 4, 1);
        // Columns 1 and 2 are the two indicators of one category.
        (0..60).for_each(|i| (x[(i, 1)], x[(i, 2)]) = ((i % 2) as f64, ((i + 1) % 2) as f64));
        let mut scaler = Scaler::unit_free(x.view().into(), None, true, 0);
        let before = scaler.factors();
        scaler.weigh_features(Some(&[0, 5, 5, 2]));
        let after = scaler.factors();
        assert_eq!((after[0], after[3]), (before[0], before[3]));
        // Two different rows lie as far apart as by a single 0/1 column.
        let apart = after[1].powi(2) + after[2].powi(2);
        assert!((apart - before[1].powi(2)).abs() < 1e-12);
    }
}

//! The robust front: from the table's columns to clipped, z-scored ones; gross rows set aside.
//!
//! Per column: median, s = (q90 − q10)/2.563, clip at median ± 5s, then z-score. Every test is one
//! of order or of ratios, so a change of units changes nothing. Clipping and setting aside are both
//! needed; `benchmarks/outliers.py` measures what they buy.

use crate::data::Dataset;
use rayon::prelude::*;
use separa_math::matrix::{Column, MatrixRef, Rows, Scaled};
use separa_math::par;
use separa_math::rng::Rng;

/// Quantiles are read off at most this many rows, drawn by the seed.
const SAMPLE: usize = 8192;
/// (q90 − q10) of a Gaussian in standard deviations.
const DECILE_SPAN: f64 = 2.563;
const CLIP: f64 = 5.0;

/// The map of columns, and what it left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    pub n_features: usize,
    pub columns: Vec<Column>,
    /// Columns without spread: constant, or, in the robust front, one value in 96 % of the rows.
    pub dropped: Vec<usize>,
    /// Rows with more than half of their entries beyond the clip, ascending.
    pub aside: Vec<usize>,
    /// Nearly all columns span the same range, as pixels and counts do.
    pub alike: bool,
}

impl Front {
    /// Learns the map. With `robust` off: mean and standard deviation of every column that varies.
    pub fn learn(data: &Dataset<'_>, robust: bool, seed: u64) -> Self {
        let range = ranges(data);
        let found = if robust { robust_columns(data, &range, seed) } else { Vec::new() };
        // Where no column varies in the middle of its rows (sparse counts), all that vary are kept.
        let sparse = found.is_empty();
        let found = if sparse { plain_columns(&range) } else { found };
        let (rough, binary): (Vec<Column>, Vec<bool>) = found.into_iter().unzip();
        let aside = if sparse { Vec::new() } else { beyond(data.x(), &rough) };
        let columns = standardise(data, &rough, &binary, &aside);
        let kept: Vec<usize> = columns.iter().map(|c| c.source).collect();
        let dropped = (0..data.d()).filter(|j| kept.binary_search(j).is_err()).collect();
        let alike = look_alike(&columns, &range);
        Self { n_features: data.d(), columns, dropped, aside, alike }
    }

    pub fn view<'a>(&'a self, x: MatrixRef<'a>) -> Scaled<'a> {
        Scaled::new(x, &self.columns)
    }

    /// The length of each kept column: its deviation in the table's units.
    pub fn lengths(&self) -> Vec<f64> {
        self.columns.iter().map(|c| 1.0 / c.factor).collect()
    }

    /// The same columns, clipped and centred but in the table's units.
    pub fn unscaled(&self) -> Vec<Column> {
        self.columns.iter().map(|c| Column { factor: 1.0, ..*c }).collect()
    }

    /// Rows of `x` that this front would set aside.
    pub fn beyond(&self, x: MatrixRef<'_>) -> Vec<usize> {
        beyond(x, &self.columns)
    }
}

/// Columns that vary, without clip: shift by some value of the column, factor 1/range.
fn plain_columns((lo, hi): &Ranges) -> Vec<(Column, bool)> {
    (0..lo.len())
        .filter(|&j| hi[j] > lo[j])
        .map(|j| (unclipped(j, lo[j], 1.0 / (hi[j] - lo[j])), false))
        .collect()
}

fn unclipped(source: usize, shift: f64, factor: f64) -> Column {
    Column { source, lo: f64::NEG_INFINITY, hi: f64::INFINITY, shift, factor }
}

/// Smallest and largest value of every column.
type Ranges = (Vec<f64>, Vec<f64>);

/// Eight or more columns, nine tenths of them within a quarter of the median range.
fn look_alike(columns: &[Column], (lo, hi): &Ranges) -> bool {
    let mut spans: Vec<f64> = columns.iter().map(|c| hi[c.source] - lo[c.source]).collect();
    spans.sort_unstable_by(f64::total_cmp);
    let Some(median) = spans.get(spans.len() / 2).copied() else { return false };
    let near = spans.iter().filter(|s| (0.8 * median..=1.25 * median).contains(*s)).count();
    spans.len() >= 8 && 10 * near >= 9 * spans.len()
}

/// Ranges over rows that weigh something.
fn ranges(data: &Dataset<'_>) -> Ranges {
    let d = data.d();
    let start = (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d]);
    let mut total = start.clone();
    let x = data.x();
    let map = |range: std::ops::Range<usize>| {
        let (mut lo, mut hi) = start.clone();
        let mut buffer = Vec::new();
        let block = x.block(range.clone(), &mut buffer);
        for (i, row) in range.zip(block.chunks_exact(d)) {
            if data.weight(i) > 0.0 {
                lo.iter_mut().zip(row).for_each(|(a, v)| *a = a.min(*v));
                hi.iter_mut().zip(row).for_each(|(a, v)| *a = a.max(*v));
            }
        }
        (lo, hi)
    };
    par::fold_chunks(data.n(), map, |(lo, hi)| {
        total.0.iter_mut().zip(lo).for_each(|(a, v)| *a = a.min(v));
        total.1.iter_mut().zip(hi).for_each(|(a, v)| *a = a.max(v));
    });
    total
}

/// Clipped columns, each with whether it holds two values only.
fn robust_columns(data: &Dataset<'_>, (lo, hi): &Ranges, seed: u64) -> Vec<(Column, bool)> {
    const GROUP: usize = 16;
    let weighty: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    let drawn = Rng::new(seed, 0x66).sample(weighty.len(), SAMPLE);
    let rows: Vec<usize> = drawn.into_iter().map(|r| weighty[r]).collect();
    // The smallest weight counts as one row, so that the scale of weights does not matter.
    let unit = weighty.iter().map(|&i| data.weight(i)).fold(f64::INFINITY, f64::min);
    let weights: Option<Vec<f64>> =
        data.weights().map(|w| rows.iter().map(|&i| w[i] / unit).collect());
    let groups: Vec<usize> = (0..data.d()).step_by(GROUP).collect();
    let found: Vec<Vec<(Column, bool)>> = groups
        .par_iter()
        .map(|&first| {
            let last = (first + GROUP).min(data.d());
            let mut values = gather(data.x(), &rows, first..last);
            (first..last)
                .zip(&mut values)
                .filter(|(j, _)| hi[*j] > lo[*j])
                .filter_map(|(j, v)| robust_column(j, v, weights.as_deref(), (lo[j], hi[j])))
                .collect()
        })
        .collect();
    found.into_iter().flatten().collect()
}

/// The sampled values of some columns.
fn gather(x: MatrixRef<'_>, rows: &[usize], columns: std::ops::Range<usize>) -> Vec<Vec<f64>> {
    let mut values = vec![Vec::with_capacity(rows.len()); columns.len()];
    for &i in rows {
        match x {
            MatrixRef::Dense(x) => {
                let row = &x.row(i)[columns.clone()];
                values.iter_mut().zip(row).for_each(|(to, v)| to.push(*v));
            }
            MatrixRef::Sparse(x) => {
                let (places, stored) = x.row(i);
                let at = places.partition_point(|&j| (j as usize) < columns.start);
                let mut p = at;
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

fn robust_column(
    source: usize,
    values: &mut [f64],
    weights: Option<&[f64]>,
    (lo, hi): (f64, f64),
) -> Option<(Column, bool)> {
    if values.contains(&lo) && values.contains(&hi) && values.iter().all(|v| *v == lo || *v == hi) {
        // Two values have no tails to clip.
        return Some((unclipped(source, lo, 2.0 / (hi - lo)), true));
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
    Some((Column { source, lo, hi, shift: median, factor: 1.0 / s }, false))
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

/// Rows with more than half of their entries outside the clip.
fn beyond(x: MatrixRef<'_>, columns: &[Column]) -> Vec<usize> {
    let view = Scaled::new(x, columns);
    let mut out = Vec::new();
    let map = |range: std::ops::Range<usize>| -> Vec<usize> {
        let mut row = vec![0.0; x.cols()];
        range
            .filter(|&i| {
                x.copy_row(i, &mut row);
                let outside = columns
                    .iter()
                    .map(|c| usize::from(row[c.source] < c.lo || row[c.source] > c.hi))
                    .sum::<usize>();
                2 * outside > columns.len()
            })
            .collect()
    };
    par::fold_chunks(view.n_rows(), map, |part| out.extend(part));
    out
}

/// Mean 0 and variance 1 over the rows that are not aside; columns left without spread are dropped.
fn standardise(
    data: &Dataset<'_>,
    rough: &[Column],
    binary: &[bool],
    aside: &[usize],
) -> Vec<Column> {
    let view = Scaled::new(data.x(), rough);
    let d = rough.len();
    let (mut n, mut sum, mut square) = (0.0, vec![0.0; d], vec![0.0; d]);
    let map = |range: std::ops::Range<usize>| {
        let (mut n, mut sum, mut square) = (0.0, vec![0.0; d], vec![0.0; d]);
        let mut row = vec![0.0; d];
        for i in range {
            let w = data.weight(i);
            if w > 0.0 && aside.binary_search(&i).is_err() {
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
    par::fold_chunks(data.n(), map, |(m, s, q)| {
        n += m;
        sum.iter_mut().zip(s).for_each(|(a, b)| *a += b);
        square.iter_mut().zip(q).for_each(|(a, b)| *a += b);
    });
    let finish = |(j, c): (usize, &Column)| {
        let mean = sum[j] / n;
        let deviation = (square[j] / n - mean * mean).max(0.0).sqrt();
        // Two values keep half their distance as scale: a rare one must not look like a far one.
        let scale = if binary[j] { 1.0 } else { deviation };
        (deviation > 1e-12).then(|| Column {
            shift: c.shift + mean / c.factor,
            factor: c.factor / scale,
            ..*c
        })
    };
    rough.iter().enumerate().filter_map(finish).collect()
}

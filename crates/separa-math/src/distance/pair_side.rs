//! One side of a pairwise matrix: its rows as the measure sees them, and a number of each.

use crate::matrix::{CsrRef, Rows, fma};
use crate::par;
use std::ops::Range;

/// Lanes of a sum, as in [`crate::linalg::dot_lanes`].
const LANES: usize = 8;

/// Rows as given, or each less its own mean.
enum Source<'a> {
    Given(&'a dyn Rows),
    Centred(Centred<'a>),
}

/// The rows of one side.
pub(super) struct PairSide<'a> {
    source: Source<'a>,
    /// A number of each row, of the measure's choice; empty where it needs none.
    pub own: Vec<f64>,
}

impl<'a> PairSide<'a> {
    pub fn new(rows: &'a dyn Rows, centred: bool) -> Self {
        let source = if centred { Source::Centred(Centred(rows)) } else { Source::Given(rows) };
        Self { source, own: Vec::new() }
    }

    pub fn rows(&self) -> &dyn Rows {
        match &self.source {
            Source::Given(rows) => *rows,
            Source::Centred(rows) => rows,
        }
    }

    /// Sets every row's number to `f`(‖x‖²). The square is the chain of the products, so that for
    /// equal rows ‖x‖² = xᵀy bit for bit.
    pub fn set_own(&mut self, f: impl Fn(f64) -> f64 + Sync) {
        let mut own = vec![0.0; self.rows().n_rows()];
        let rows = self.rows();
        par::fill_chunks(&mut own, 1, |range, part| {
            let mut buffer = Vec::new();
            for (i, out) in range.zip(part) {
                let values = match rows.sparse() {
                    Some(x) => x.row(i).1,
                    None => rows.block(i..i + 1, &mut buffer),
                };
                *out = f(values.iter().fold(0.0, |acc, v| fma(*v, *v, acc)));
            }
        });
        self.own = own;
    }
}

/// ‖a − b‖², in lanes folded in order.
pub fn square_distance(a: &[f64], b: &[f64]) -> f64 {
    let mut acc = [0.0; LANES];
    let (xs, x_rest) = a.as_chunks::<LANES>();
    let (ys, y_rest) = b.as_chunks::<LANES>();
    for (x, y) in xs.iter().zip(ys) {
        for l in 0..LANES {
            acc[l] += (x[l] - y[l]) * (x[l] - y[l]);
        }
    }
    let rest = x_rest.iter().zip(y_rest).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    acc.iter().sum::<f64>() + rest
}

/// ‖x − y‖² of row `i` of `a` and row `j` of `b`, by differences: no digits are lost.
pub(super) fn square_apart(a: &dyn Rows, i: usize, b: &dyn Rows, j: usize) -> f64 {
    if let (Some(x), Some(y)) = (a.sparse(), b.sparse()) {
        return sparse_square_apart(x.row(i), y.row(j), x.cols());
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    square_distance(a.block(i..i + 1, &mut left), b.block(j..j + 1, &mut right))
}

/// As [`square_distance`] bit for bit: columns where both rows are 0 add nothing, the others go to
/// the lanes that it puts them in.
fn sparse_square_apart(a: (&[u32], &[f64]), b: (&[u32], &[f64]), d: usize) -> f64 {
    let whole = (d - d % LANES) as u32;
    let (mut lanes, mut rest) = ([0.0; LANES], 0.0);
    let mut see = |j: u32, gap: f64| {
        let lane = if j < whole { &mut lanes[j as usize % LANES] } else { &mut rest };
        *lane += gap * gap;
    };
    let (mut p, mut q) = (0, 0);
    while p < a.0.len() || q < b.0.len() {
        let (i, j) = (a.0.get(p).copied(), b.0.get(q).copied());
        let column = i.unwrap_or(u32::MAX).min(j.unwrap_or(u32::MAX));
        let x = if i == Some(column) { a.1[p] } else { 0.0 };
        let y = if j == Some(column) { b.1[q] } else { 0.0 };
        see(column, x - y);
        p += usize::from(i == Some(column));
        q += usize::from(j == Some(column));
    }
    lanes.iter().sum::<f64>() + rest
}

/// ½‖x/‖x‖ − y/‖y‖‖², which is 1 − cos with all its digits.
pub(super) fn half_square_of_units(
    a: &dyn Rows,
    i: usize,
    norm_a: f64,
    b: &dyn Rows,
    j: usize,
    norm_b: f64,
) -> f64 {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let unit = |row: &[f64], norm: f64| -> Vec<f64> { row.iter().map(|v| v / norm).collect() };
    let x = unit(a.block(i..i + 1, &mut left), norm_a);
    let y = unit(b.block(j..j + 1, &mut right), norm_b);
    0.5 * square_distance(&x, &y)
}

/// Rows less their own mean, made while they are read.
struct Centred<'a>(&'a dyn Rows);

impl Rows for Centred<'_> {
    fn n_rows(&self) -> usize {
        self.0.n_rows()
    }
    fn n_cols(&self) -> usize {
        self.0.n_cols()
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        self.0.copy_row(i, out);
        let Some(&first) = out.first() else { return };
        // Less the first number, then less the mean of the rest: equal numbers become exact zeros.
        out.iter_mut().for_each(|v| *v -= first);
        let mean = out.iter().sum::<f64>() / out.len() as f64;
        out.iter_mut().for_each(|v| *v -= mean);
    }
}

/// The points of a block by feature, for products of two sparse tables.
pub(super) struct Inverted {
    starts: Vec<usize>,
    points: Vec<u32>,
    values: Vec<f64>,
}

impl Inverted {
    pub fn of(x: CsrRef<'_>, rows: Range<usize>) -> Self {
        let mut starts = vec![0; x.cols() + 2];
        let count = rows.clone().map(|i| x.row(i).0);
        count.flatten().for_each(|&j| starts[j as usize + 2] += 1);
        (2..starts.len()).for_each(|j| starts[j] += starts[j - 1]);
        let total = starts.last().copied().unwrap_or(0);
        let (mut points, mut values) = (vec![0; total], vec![0.0; total]);
        for (p, i) in rows.enumerate() {
            let (places, row) = x.row(i);
            for (&j, &v) in places.iter().zip(row) {
                // Shifted by one: the start of feature j moves to its end, where j + 1 starts.
                let at = &mut starts[j as usize + 1];
                (points[*at], values[*at]) = (p as u32, v);
                *at += 1;
            }
        }
        Self { starts, points, values }
    }

    /// The products of one row with the points, each the chain that dense rows give.
    pub fn dots(&self, row: (&[u32], &[f64]), out: &mut [f64]) {
        out.fill(0.0);
        for (&j, &v) in row.0.iter().zip(row.1) {
            let range = self.starts[j as usize]..self.starts[j as usize + 1];
            for (&p, &w) in self.points[range.clone()].iter().zip(&self.values[range]) {
                out[p as usize] = fma(v, w, out[p as usize]);
            }
        }
    }
}

//! Rows far from the rest, and whether they are a cluster.
//!
//! Clip limits and outliers are there for errors. Where what they hold back is one small cluster, they hide it: clipped
//! rows lie closer, and the iterations of a method can run over the gap.

use super::apart::Apart;
use crate::data::Dataset;
use separa_math::matrix::Rows;
use separa_math::scaling::{Column, RobustFit};

/// So many outliers are enough for a cluster.
const MANY: usize = super::ROWS_PER_PIECE;
/// A value so many times as far out as the clip limit is an error.
const GROSS: f64 = 2.0;
/// How far a cluster reaches beyond those of its rows that were seen, in clip limits.
const REACH: f64 = 0.4;

/// Rows beyond the clip limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Far {
    /// There are none, or they are errors.
    Errors,
    /// Outliers that are many enough for a cluster, wherever they lie.
    Many,
    /// The rows of one small cluster, and no others.
    Cluster,
}

/// What the rows are that the robust scaler holds back; `outliers` are those of weight.
pub(super) fn far(data: &Dataset<'_>, fit: &RobustFit, outliers: &[usize], seed: u64) -> Far {
    let all: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    let found = Apart::COUNTED.find(data, &all, seed);
    match found {
        Some(found) if explains(data, &fit.scaler.columns, outliers, &all, &found) => Far::Cluster,
        _ if outliers.len() >= MANY => Far::Many,
        _ => Far::Errors,
    }
}

/// Whether the rows that were found are held back, and nothing else is that is not where they are.
fn explains(
    data: &Dataset<'_>,
    columns: &[Column],
    outliers: &[usize],
    all: &[usize],
    found: &[usize],
) -> bool {
    let mut row = vec![0.0; data.d()];
    let mut limits: Vec<Limits> = columns.iter().map(Limits::of).collect();
    let mut held = false;
    for &i in found {
        data.x().copy_row(i, &mut row);
        for limit in &mut limits {
            held |= limit.beyond(&row) > 1.0;
            limit.take(&row);
        }
    }
    let mut no_gross = |i: usize, most: f64| {
        data.x().copy_row(i, &mut row);
        limits.iter().all(|limit| limit.beyond(&row) <= most || limit.holds(&row))
    };
    held && outliers.iter().all(|&i| no_gross(i, 1.0)) && all.iter().all(|&i| no_gross(i, GROSS))
}

/// The clip limits of a column, and what the rows of a cluster span there.
struct Limits {
    source: usize,
    middle: f64,
    half: f64,
    least: f64,
    most: f64,
}

impl Limits {
    fn of(column: &Column) -> Self {
        let (middle, half) = match column.lo.is_finite() && column.hi.is_finite() {
            true => (0.5 * (column.lo + column.hi), 0.5 * (column.hi - column.lo)),
            false => (0.0, f64::INFINITY),
        };
        let (least, most) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { source: column.source, middle, half, least, most }
    }

    /// How far out the row's value is, in clip limits.
    fn beyond(&self, row: &[f64]) -> f64 {
        (row[self.source] - self.middle).abs() / self.half
    }

    fn take(&mut self, row: &[f64]) {
        self.least = self.least.min(row[self.source]);
        self.most = self.most.max(row[self.source]);
    }

    /// Whether the row's value is where those of the cluster are.
    fn holds(&self, row: &[f64]) -> bool {
        let (value, reach) = (row[self.source], REACH * self.half);
        self.least - reach <= value && value <= self.most + reach
    }
}

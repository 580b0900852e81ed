//! Columns of labelled rows with mean 0 and standard deviation 1, constant ones left out.

use super::groups::Groups;
use separa_math::matrix::MatrixRef;
use separa_math::scaling::{GroupedStats, Scaler};

/// Wider tables are seen through this many columns: those whose cluster means differ most. A
/// measure on fewer columns is a lower bound of the one on all.
pub(super) const MOST_COLUMNS: usize = 1024;

/// How the table is scaled, and the unit of every column of it.
#[derive(Debug)]
pub(super) struct Standardised {
    pub scaler: Scaler,
    /// Standard deviation of each column, 1 where it is constant.
    pub deviations: Vec<f64>,
}

/// Of the rows in `groups`, with at most `most` columns.
pub(super) fn standardise(
    x: MatrixRef<'_>,
    weights: Option<&[f64]>,
    groups: &Groups,
    most: usize,
) -> Standardised {
    let n_features = x.cols();
    let mut index: Vec<usize> = groups.members.iter().flatten().copied().collect();
    index.sort_unstable();
    match GroupedStats::of(x, weights, &index, &groups.of_row, groups.k()) {
        Some(stats) => Standardised { scaler: stats.scaler(most), deviations: stats.deviations() },
        None => Standardised {
            scaler: Scaler { n_features, columns: Vec::new() },
            deviations: vec![1.0; n_features],
        },
    }
}

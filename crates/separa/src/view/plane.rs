//! A table of two columns as it is: its rows, and what a rule says everywhere between them.

use super::sample;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::{Labels, Model};
use separa_math::matrix::{DenseRef, Rows};

/// Rows of a plane at most, but for small clusters that would be lost.
const MOST: usize = 2_000;
/// Values further out than this many times the spread of the inner 99 % are drawn at the edge.
const FAR: f64 = 1.5;

/// Rows of a table of two columns over the regions of a rule.
#[derive(Debug, Clone)]
pub struct RegionPlot {
    /// How many rows there are.
    pub n: usize,
    /// Those that are drawn, by their place, ascending.
    pub rows: Vec<usize>,
    /// The two values of each.
    pub points: Vec<(f64, f64)>,
    /// The label of each.
    pub labels: Labels,
    /// The background: what the rule says everywhere.
    pub regions: Regions,
}

/// What a rule says at the middle of every cell of a grid.
#[derive(Debug, Clone)]
pub struct Regions {
    /// The corner with the smallest values.
    pub low: (f64, f64),
    /// The corner with the largest values.
    pub high: (f64, f64),
    /// Row by row, from `low` on.
    pub cells: Labels,
}

impl RegionPlot {
    /// None where the table has not just two columns; `labels` are 0 to k − 1.
    pub fn of(
        data: &Dataset<'_>,
        labels: &[i32],
        model: &dyn Model,
        seed: u64,
    ) -> Result<Option<Self>> {
        if data.d() != 2 {
            return Ok(None);
        }
        let rows = sample::draw(labels, model.n_clusters(), MOST, seed);
        let mut row = [0.0; 2];
        let mut point = |&i: &usize| {
            data.x().copy_row(i, &mut row);
            (row[0], row[1])
        };
        let points: Vec<(f64, f64)> = rows.iter().map(&mut point).collect();
        let labels = rows.iter().map(|&i| labels[i]).collect();
        let regions = Regions::of(&points, model)?;
        Ok(Some(Self { n: data.n(), rows, points, labels, regions }))
    }
}

impl Regions {
    /// Cells across and up.
    pub const SIDE: usize = 60;

    /// Asks the rule all over the range in which `points` are drawn.
    pub fn of(points: &[(f64, f64)], model: &dyn Model) -> Result<Self> {
        let side = Self::SIDE;
        let (x, y) = (range(points.iter().map(|p| p.0)), range(points.iter().map(|p| p.1)));
        let middle =
            |(low, high): (f64, f64), i: usize| low + (high - low) * (i as f64 + 0.5) / side as f64;
        let cell = |c: usize| [middle(x, c % side), middle(y, c / side)];
        let grid: Vec<f64> = (0..side * side).flat_map(cell).collect();
        let cells = model.predict(DenseRef::new(side * side, 2, &grid)?.into())?;
        Ok(Self { low: (x.0, y.0), high: (x.1, y.1), cells })
    }
}

/// The range in which values are drawn: a little room around them, and a few that are far out do not squeeze the
/// rest. A range without width is widened around its value.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let mut sorted: Vec<f64> = values.into_iter().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let Some((&first, &last)) = sorted.first().zip(sorted.last()) else { return (0.0, 1.0) };
    let cut = sorted.len() / 200;
    let (inner_low, inner_high) = (sorted[cut], sorted[sorted.len() - 1 - cut]);
    let reach = FAR * (inner_high - inner_low);
    let low = if reach > 0.0 { first.max(inner_low - reach) } else { first };
    let high = if reach > 0.0 { last.min(inner_high + reach) } else { last };
    let room = 0.03 * (high - low);
    widened(low - room, high + room)
}

/// The range itself, or where it has no width some around its value.
pub fn widened(low: f64, high: f64) -> (f64, f64) {
    let half = if high - low > f64::EPSILON * low.abs().max(high.abs()) {
        0.0
    } else {
        (0.1 * low.abs()).max(0.5)
    };
    (low - half, high + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wild_value_does_not_squeeze_the_range() {
        let (low, high) = range((0..1000).map(f64::from).chain([1e9]));
        assert!(low < 0.0 && (999.0..3000.0).contains(&high));
        assert_eq!(range([]), (0.0, 1.0));
        let (low, high) = range([7.0; 3]);
        assert!((low - 6.3).abs() < 1e-12 && (high - 7.7).abs() < 1e-12);
    }
}

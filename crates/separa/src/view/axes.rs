//! Directions to look along.
//!
//! Two clusters are seen along what decided them (across) and the first principal direction among those
//! uncorrelated with it (up). More are seen along the two directions that tell their means apart best,
//! measured by the spread within clusters.

use super::ViewOptions;
use super::directions::{discriminants, main_scores};
use crate::error::Result;
use separa_math::matrix::Dense;

/// What an axis shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisKind {
    /// The decision value of two clusters: the boundary is at 0.
    Decision,
    /// The first or second direction that separates clusters.
    Discriminant(usize),
    /// The main direction of what is uncorrelated with the first axis.
    Orthogonal,
    /// The main directions of all rows.
    Principal(usize),
    /// Nothing: rows are spread so that they do not hide each other.
    Nothing,
    /// A column in its own unit.
    Column(usize),
}

/// One value for each row that is drawn.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Which quantity it shows.
    pub kind: AxisKind,
    /// The value of each row that is drawn.
    pub values: Vec<f64>,
}

/// The rows that are drawn.
#[derive(Debug)]
pub struct AxisInput<'a> {
    pub raw: &'a Dense,
    pub z: &'a Dense,
    pub labels: &'a [i32],
    pub k: usize,
    /// Their decision values, in as many columns as the model gives.
    pub scores: &'a Dense,
}

/// Across and up first, then the columns that are shown.
pub fn choose(
    table: &AxisInput<'_>,
    shown: &[usize],
    features: bool,
    options: &ViewOptions<'_>,
) -> Result<Vec<Axis>> {
    let column = |&j: &usize| Axis { kind: AxisKind::Column(j), values: table.raw.column(j) };
    let mut axes = best(table, options.seed)?;
    // Two columns with a curved boundary: nothing shows it better than the plane itself.
    if features && table.raw.cols() == 2 && !options.flat {
        let mut plane: Vec<Axis> = [0, 1].iter().map(column).collect();
        plane.append(&mut axes);
        return Ok(plane);
    }
    axes.extend(shown.iter().map(column));
    Ok(axes)
}

/// Across and up.
fn best(table: &AxisInput<'_>, seed: u64) -> Result<Vec<Axis>> {
    let AxisInput { z, labels, k, scores, .. } = *table;
    let across = match k {
        2 => vec![Axis { kind: AxisKind::Decision, values: scores.column(0) }],
        _ => discriminating(z, labels, k)?,
    };
    let mut axes = across;
    complete(&mut axes, z, seed);
    Ok(axes)
}

/// The two directions that separate clusters best, as many as there are.
pub fn discriminating(z: &Dense, labels: &[i32], k: usize) -> Result<Vec<Axis>> {
    let axis = |(i, values)| Axis { kind: AxisKind::Discriminant(i + 1), values };
    Ok(discriminants(z, labels, k)?.into_iter().enumerate().map(axis).collect())
}

/// Adds main directions until there are two axes.
pub fn complete(axes: &mut Vec<Axis>, z: &Dense, seed: u64) {
    while axes.len() < 2 {
        let known: Vec<&[f64]> = axes.iter().map(|axis| axis.values.as_slice()).collect();
        let kind = match axes.first().map(|axis| axis.kind) {
            None => AxisKind::Principal(1),
            Some(AxisKind::Principal(_)) => AxisKind::Principal(2),
            Some(_) => AxisKind::Orthogonal,
        };
        let found = main_scores(z, &known, seed).map(|values| Axis { kind, values });
        let place = axes.len();
        axes.push(found.unwrap_or_else(|| spread(z.rows(), place)));
    }
}

/// Rows in an even scatter. Across and up have ratios of their own: with one for both, rows that have neither
/// would lie on a line.
fn spread(n: usize, place: usize) -> Axis {
    // Powers of 1/ρ with ρ³ = ρ + 1: what the golden ratio is for a line, this is for a plane (Roberts 2018).
    const EVEN: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    let ratio = EVEN[place.min(1)];
    let values = (0..n).map(|i| (i as f64 * ratio).fract()).collect();
    Axis { kind: AxisKind::Nothing, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_is_left_rows_are_spread() {
        let z = Dense::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        let table =
            AxisInput { raw: &z, z: &z, labels: &[0; 4], k: 1, scores: &Dense::zeros(4, 0) };
        let kinds: Vec<AxisKind> = best(&table, 0).unwrap().iter().map(|axis| axis.kind).collect();
        assert_eq!(kinds, [AxisKind::Principal(1), AxisKind::Nothing]);
    }

    #[test]
    fn equal_rows_fill_the_plane() {
        let mut axes = Vec::new();
        complete(&mut axes, &Dense::zeros(400, 3), 0);
        assert!(axes.iter().all(|axis| axis.kind == AxisKind::Nothing));
        // A line would cross few of ten by ten squares; four rows a square leave none empty by far.
        let mut seen = [false; 100];
        for (x, y) in axes[0].values.iter().zip(&axes[1].values) {
            seen[(x * 10.0) as usize * 10 + (y * 10.0) as usize] = true;
        }
        assert!(seen.iter().filter(|s| **s).count() > 90);
    }
}

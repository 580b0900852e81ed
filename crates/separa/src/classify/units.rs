//! Columns on one scale.

use super::choices::Columns;
use separa_math::gauss::{Cell, Shape};
use separa_math::kernel::space::Units;
use separa_math::matrix::Rows;
use separa_math::par;

/// One factor a column: 1 over its standard deviation, 0 where it has none; all 1 where columns share
/// their units.
pub fn factors(rows: &dyn Rows, weights: Option<&[f64]>, columns: Columns) -> Vec<f64> {
    if columns == Columns::Shared {
        return vec![1.0; rows.n_cols()];
    }
    factors_of(&whole(rows, weights))
}

/// The same from the variances of all rows.
pub fn factors_of(whole: &Cell) -> Vec<f64> {
    let factor = |s: &f64| {
        let root = (s / whole.weight).sqrt();
        if root > 0.0 && (1.0 / root).is_finite() { 1.0 / root } else { 0.0 }
    };
    whole.scatter.iter().map(factor).collect()
}

/// Means and variances of all rows.
fn whole(rows: &dyn Rows, weights: Option<&[f64]>) -> Cell {
    let d = rows.n_cols();
    let mut whole = Cell::empty(d, Shape::Diag);
    par::fold_chunks(
        rows.n_rows(),
        |range| {
            let (mut cell, mut row) = (Cell::empty(d, Shape::Diag), vec![0.0; d]);
            for i in range {
                rows.copy_row(i, &mut row);
                cell.add(&row, weights.map_or(1.0, |w| w[i]));
            }
            cell
        },
        |part| whole.merge(&part),
    );
    whole
}

/// A view of rows on these scales; as they are where all factors are 1.
pub fn scaled(factors: &[f64]) -> Units {
    let plain = factors.iter().all(|f| *f == 1.0);
    Units::from_factors((!plain).then(|| factors.to_vec()))
}

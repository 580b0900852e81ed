//! Columns on one scale.

use super::choices::Columns;
use separa_math::gauss::Cell;
use separa_math::kernel::space::Units;
use separa_math::matrix::Rows;

/// One factor a column: 1 over its standard deviation, 0 where it has none; all 1 where columns share
/// their units.
pub fn factors(rows: &dyn Rows, weights: Option<&[f64]>, columns: Columns) -> Vec<f64> {
    if columns == Columns::Shared {
        return vec![1.0; rows.n_cols()];
    }
    Units::scores(rows, weights).factors().unwrap_or_default().to_vec()
}

/// The same from the variances of the first rows of a stream.
pub fn factors_of(whole: &Cell) -> Vec<f64> {
    let factor = |s: &f64| {
        let root = (s / whole.weight).sqrt();
        if root > 0.0 && (1.0 / root).is_finite() { 1.0 / root } else { 0.0 }
    };
    whole.scatter.iter().map(factor).collect()
}

/// A view of rows on these scales; as they are where all factors are 1.
pub fn scaled(factors: &[f64]) -> Units {
    let plain = factors.iter().all(|f| *f == 1.0);
    Units::from_factors((!plain).then(|| factors.to_vec()))
}

//! Columns as they are shown: in one measure for pictures, in their own units for people.

use super::group_means;
use separa_math::matrix::{Dense, pick};
use separa_math::scaling::{Scaler, quantile};

/// Values further from the middle than this are drawn no further away.
const FURTHEST: f64 = 6.0;
/// Columns in their own middle and spread, so that neither units nor outliers decide a picture.
#[derive(Debug)]
pub struct RobustColumns {
    pub rows: Dense,
}

impl RobustColumns {
    pub fn of(raw: &Dense) -> Self {
        let index: Vec<usize> = (0..raw.rows()).collect();
        let mut rows = pick(&Scaler::quartiles(raw).view(raw), &index);
        rows.data_mut().iter_mut().for_each(|v| *v = v.clamp(-FURTHEST, FURTHEST));
        Self { rows }
    }
}

/// The `most` columns along which the clusters differ most: by the fraction of a column's variance that lies
/// between the clusters, the first of equals.
pub fn telling(z: &RobustColumns, labels: &[i32], k: usize, most: usize) -> Vec<usize> {
    let (means, counts) = group_means(&z.rows, labels, k);
    let n: f64 = counts.iter().sum();
    let share = |j: usize| {
        let used = || (0..labels.len()).filter(|i| labels[*i] >= 0).map(|i| z.rows[(i, j)]);
        let mean = used().sum::<f64>() / n.max(1.0);
        let total: f64 = used().map(|v| (v - mean).powi(2)).sum();
        let between: f64 = (0..k).map(|c| counts[c] * (means[(c, j)] - mean).powi(2)).sum();
        if total > 0.0 { between / total } else { 0.0 }
    };
    let mut ranked: Vec<(f64, usize)> = (0..z.rows.cols()).map(|j| (share(j), j)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().take(most).map(|(_, j)| j).collect()
}

/// One column, cluster by cluster.
#[derive(Debug, Clone)]
pub struct ColumnView {
    /// Its place in the table, from 0.
    pub column: usize,
    /// None for clusters without rows.
    pub groups: Vec<Option<Spread>>,
}

/// How some values are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// At 5, 25, 50, 75 and 95 %.
    pub quantiles: [f64; 5],
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| quantile(&values, share));
        (!values.is_empty()).then_some(Self { quantiles })
    }
}

pub fn spreads(raw: &Dense, labels: &[i32], k: usize, shown: &[usize]) -> Vec<ColumnView> {
    let of_group = |j: usize, c: usize| {
        let members = (0..labels.len()).filter(|i| labels[*i] == c as i32);
        Spread::of(members.map(|i| raw[(i, j)]).collect())
    };
    let view = |&column: &usize| ColumnView {
        column,
        groups: (0..k).map(|c| of_group(column, c)).collect(),
    };
    shown.iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_numpy() {
        // numpy.quantile([1, 2, 4, 8], [.05, .25, .5, .75, .95]), NumPy 2.3
        let spread = Spread::of(vec![8.0, 1.0, 4.0, 2.0]).unwrap();
        let wanted = [1.15, 1.75, 3.0, 5.0, 7.4];
        assert!(spread.quantiles.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(Spread::of(Vec::new()), None);
    }

    #[test]
    fn neither_units_nor_gross_rows_move_the_picture() {
        let values: Vec<f64> = (0..101).map(f64::from).collect();
        let plain = RobustColumns::of(&Dense::from_vec(101, 1, values.clone()).unwrap());
        let mut wild = values;
        wild[100] = 1e9;
        let scaled: Vec<f64> = wild.iter().map(|v| 1000.0 * v).collect();
        let other = RobustColumns::of(&Dense::from_vec(101, 1, scaled).unwrap());
        let pairs = plain.rows.data().iter().zip(other.rows.data()).take(100);
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(other.rows[(100, 0)], FURTHEST);
    }

    #[test]
    fn constant_and_mostly_constant_columns_are_drawn() {
        let mut values = vec![0.0; 20];
        let flat = RobustColumns::of(&Dense::from_vec(20, 1, values.clone()).unwrap());
        assert_eq!(flat.rows.data(), [0.0; 20]);
        values[3] = 1.0;
        let mostly = RobustColumns::of(&Dense::from_vec(20, 1, values).unwrap());
        assert!(mostly.rows[(3, 0)] > 4.0 && mostly.rows[(0, 0)] == 0.0);
    }

    #[test]
    fn the_column_that_tells_groups_apart_comes_first() {
        let rows: Vec<f64> = (0..60).flat_map(|i| [f64::from(i % 7), f64::from(i % 2)]).collect();
        let labels: Vec<i32> = (0..60).map(|i| i % 2).collect();
        let z = RobustColumns::of(&Dense::from_vec(60, 2, rows).unwrap());
        assert_eq!(telling(&z, &labels, 2, 5), [1, 0]);
    }
}

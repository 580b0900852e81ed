//! Gower's distance: the mean over features of |x − y| / range, and 0 or 1 for categories.

use crate::matrix::Rows;
use std::collections::BTreeMap;

/// Factors of the columns with which Gower's distance is the Manhattan distance of the scaled rows.
///
/// Given     rows, and for every column the feature that it came from (each its own where it is None).
/// Returns   for a feature of one column 1/(p·range), p the features that vary. For the columns of one feature, which are
///           the indicators of a category, half of that each: two different categories differ in two of them.
///           0 for columns that do not vary.
/// Cost      one pass over the rows.
/// See       Gower, A general coefficient of similarity and some of its properties (1971).
pub fn gower_factors(rows: &dyn Rows, features: Option<&[usize]>) -> Vec<f64> {
    let d = rows.n_cols();
    let (mut low, mut high) = (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d]);
    let mut row = vec![0.0; d];
    for i in 0..rows.n_rows() {
        rows.copy_row(i, &mut row);
        low.iter_mut().zip(&row).for_each(|(l, v)| *l = l.min(*v));
        high.iter_mut().zip(&row).for_each(|(h, v)| *h = h.max(*v));
    }
    let varies = |j: &usize| high[*j] > low[*j];
    let feature = |j: usize| features.map_or(j, |features| features[j]);
    let mut columns = BTreeMap::new();
    (0..d).filter(varies).for_each(|j| *columns.entry(feature(j)).or_insert(0) += 1);
    let factor = |j: usize| match columns.get(&feature(j)) {
        Some(own) if varies(&j) => {
            let share = if *own > 1 { 0.5 } else { 1.0 };
            share / (columns.len() as f64 * (high[j] - low[j]))
        }
        _ => 0.0,
    };
    (0..d).map(factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Metric;
    use crate::matrix::Dense;
    use crate::rng::Rng;

    /// Two measurements, a category of three levels, a binary category, a constant.
    fn mixed(n: usize) -> (Vec<[f64; 2]>, Vec<usize>, Vec<usize>, Dense) {
        let mut rng = Rng::new(4, 0);
        let numbers: Vec<[f64; 2]> =
            (0..n).map(|_| [rng.normal(), 1000.0 * rng.uniform()]).collect();
        let colour: Vec<usize> = (0..n).map(|_| rng.below(3)).collect();
        let sex: Vec<usize> = (0..n).map(|_| rng.below(2)).collect();
        let mut x = Vec::new();
        for i in 0..n {
            x.extend(numbers[i]);
            x.extend((0..3).map(|level| f64::from(u8::from(colour[i] == level))));
            x.extend([sex[i] as f64, 7.0]);
        }
        (numbers, colour, sex, Dense::from_vec(n, 7, x).unwrap())
    }

    #[test]
    fn the_manhattan_distance_of_scaled_rows_is_gowers_by_its_definition() {
        let n = 30;
        let (numbers, colour, sex, x) = mixed(n);
        let factors = gower_factors(&x, Some(&[0, 1, 2, 2, 2, 3, 4]));
        let mut scaled = x.clone();
        for i in 0..n {
            scaled.row_mut(i).iter_mut().zip(&factors).for_each(|(v, f)| *v *= f);
        }
        let found = Metric::Manhattan.matrix(&scaled, &scaled);
        let range = |c: usize| {
            let all = || numbers.iter().map(|row| row[c]);
            all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
        };
        let ranges = [range(0), range(1)];
        for i in 0..n {
            for j in 0..n {
                let gap = |c: usize| (numbers[i][c] - numbers[j][c]).abs() / ranges[c];
                let mismatch = |levels: &[usize]| f64::from(u8::from(levels[i] != levels[j]));
                let gower = (gap(0) + gap(1) + mismatch(&colour) + mismatch(&sex)) / 4.0;
                assert!((found[(i, j)] - gower).abs() < 1e-14, "{i}, {j}");
            }
        }
    }

    #[test]
    fn units_do_not_matter_and_equal_rows_have_no_factors() {
        let (_, _, _, x) = mixed(20);
        let mut other = x.clone();
        (0..20).for_each(|i| other[(i, 1)] = 0.25 * other[(i, 1)] - 3.0);
        let (a, b) = (gower_factors(&x, None), gower_factors(&other, None));
        assert!((4.0 * a[1] - b[1]).abs() < 1e-12 * b[1]);
        // Six columns vary, each a feature of its own.
        assert!((a[5] - 1.0 / 6.0).abs() < 1e-15 && a[6] == 0.0);
        let equal = Dense::from_vec(3, 2, vec![1.0; 6]).unwrap();
        assert_eq!(gower_factors(&equal, None), [0.0, 0.0]);
    }
}

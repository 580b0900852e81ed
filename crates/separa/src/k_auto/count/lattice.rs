//! Between the steps of counts and codes every place is empty, and none is a gap: values that many rows
//! share are blurred.

use rayon::prelude::*;
use separa_math::rng::Rng;
use std::collections::BTreeMap;

/// Columns with no more different values than this are counts or codes.
const CODES: usize = 32;

/// Blurs columns whose values many rows share; returns how many hold counts or codes.
pub(super) fn blur(columns: &mut [Vec<f64>], seed: u64) -> usize {
    let steps: Vec<Option<Steps>> = columns.par_iter().map(|column| Steps::of(column)).collect();
    // Columns that tell the same rows apart are one code, written twice: blurred each by itself, the mean of
    // many would show the steps again.
    let mut codes: BTreeMap<&[u8], usize> = BTreeMap::new();
    let source: Vec<usize> = steps
        .iter()
        .enumerate()
        .map(|(j, steps)| match steps.as_ref().map(|s| s.code.as_slice()) {
            Some(code) if !code.is_empty() => *codes.entry(code).or_insert(j),
            _ => j,
        })
        .collect();
    columns.par_iter_mut().zip(&steps).zip(&source).for_each(|((column, steps), source)| {
        let Some(steps) = steps else { return };
        let mut rng = Rng::new(seed, 1000 + *source as u64);
        let before = variance(column);
        column.iter_mut().for_each(|v| *v += steps.width * (rng.uniform() - 0.5));
        if steps.two {
            // A rare value is many deviations away: its blur must not drown the other columns.
            let scale = (before / variance(column)).sqrt();
            column.iter_mut().for_each(|v| *v *= scale);
        }
    });
    steps.iter().flatten().filter(|s| !s.code.is_empty()).count()
}

fn variance(column: &[f64]) -> f64 {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
}

/// The steps of a column.
#[derive(Debug)]
struct Steps {
    /// How far values are spread: over the median step, two values over two, so that one-hot columns, which
    /// are never 1 together, leave no gap either. Negative where the first value is the larger one.
    width: f64,
    two: bool,
    /// Of counts and codes: the value of every row, numbered by first appearance.
    code: Vec<u8>,
}

impl Steps {
    /// None where few rows share a value.
    fn of(column: &[f64]) -> Option<Self> {
        let mut values = column.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        if values.len() < 2 || 4 * values.len() > column.len() {
            return None;
        }
        let mut gaps: Vec<f64> = values.windows(2).map(|w| w[1] - w[0]).collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let step = gaps[gaps.len() / 2];
        if values.len() > CODES {
            return Some(Self { width: step, two: false, code: Vec::new() });
        }
        let mut seen: Vec<f64> = Vec::new();
        let mut number = |v: &f64| {
            let at = seen.iter().position(|s| s == v).unwrap_or_else(|| {
                seen.push(*v);
                seen.len() - 1
            });
            at as u8
        };
        let code: Vec<u8> = column.iter().map(&mut number).collect();
        let side = if seen[0] < seen[1] { 1.0 } else { -1.0 };
        let two = values.len() == 2;
        let reach = if two { 2.0 } else { 1.0 };
        Some(Self { width: reach * side * step, two, code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_written_twice_stays_one_column() {
        let code: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
        let other: Vec<f64> = code.iter().map(|v| 5.0 - 3.0 * v).collect();
        let mut columns = [code, other];
        assert_eq!(blur(&mut columns, 1), 2);
        // One falls as the other rises, and neither varies more than before.
        assert!((variance(&columns[0]) - 0.25).abs() < 1e-12);
        let both: Vec<f64> = columns[0].iter().zip(&columns[1]).map(|(a, b)| 3.0 * a + b).collect();
        assert!(variance(&both) < 1e-20);
        let mut values = columns[0].clone();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        assert_eq!(values.len(), 40);
    }

    #[test]
    fn measured_values_stay_as_they_are_and_rounded_ones_move_half_a_step() {
        let fine: Vec<f64> = (0..400).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let rounded: Vec<f64> = (0..400).map(|i| f64::from(i % 50)).collect();
        let mut columns = [fine.clone(), rounded.clone()];
        assert_eq!(blur(&mut columns, 1), 0);
        assert_eq!(columns[0], fine);
        assert!(columns[1].iter().zip(&rounded).all(|(a, b)| (a - b).abs() <= 0.5));
    }
}

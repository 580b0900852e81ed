//! Values beyond the clip all lie at it: a heap at the end of a long tail, and before it a gap that is
//! none. They are spread as the tail before them goes on.

use rayon::prelude::*;
use separa_math::rng::Rng;
use separa_math::scaling::Column;

/// How far before the clip the tail is looked at, in deviations.
const REACH: f64 = 1.0;
/// The new tail is this much thinner than the old one was: that one falls, too.
const THINNER: f64 = 1.5;
/// Deviations that the tail may go on, on average.
const LONGEST: f64 = 3.0;
/// Apart from the streams of the blur.
const STREAM: u64 = 1 << 40;

/// Spreads values at the clip of their column, which is scaled by `scales`.
pub(super) fn spread(columns: &mut [Vec<f64>], scales: &[Column], seed: u64) {
    columns.par_iter_mut().zip(scales).enumerate().for_each(|(j, (column, scale))| {
        for (side, clip) in [(1.0, scale.hi), (-1.0, scale.lo)] {
            let end = side * (clip - scale.shift) * scale.factor;
            extend(column, side, end, &mut Rng::new(seed, STREAM + j as u64));
        }
    });
}

fn extend(column: &mut [f64], side: f64, end: f64, rng: &mut Rng) {
    // Scaling iterations.
    let end = end - 1e-9;
    let heap = column.iter().filter(|v| side * **v >= end).count();
    let before = column.iter().filter(|v| (end - REACH..end).contains(&(side * **v))).count();
    // What has no tail before it was not cut off from one: a group of its own, or erroneous values.
    if heap < 2 || before == 0 {
        return;
    }
    let length = (THINNER * REACH * heap as f64 / before as f64).min(LONGEST);
    for v in column.iter_mut().filter(|v| side * **v >= end) {
        *v -= side * length * (1.0 - rng.uniform()).ln();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_testkit::clouds::Source;

    fn clipped(lo: f64, hi: f64) -> [Column; 1] {
        [Column { source: 0, lo, hi, shift: 0.0, factor: 1.0 }]
    }

    #[test]
    fn a_clipped_tail_goes_on() {
        let mut source = Source::new(3);
        let tail: Vec<f64> = (0..4000).map(|_| source.normal().exp()).collect();
        let mut columns = [tail.iter().map(|v| v.min(5.0)).collect::<Vec<f64>>()];
        spread(&mut columns, &clipped(-5.0, 5.0), 1);
        // Nothing before the clip has moved, and what was at it thins out.
        let stays = |(a, b): (&f64, &f64)| if *b < 5.0 { a == b } else { *a >= 5.0 };
        assert!(columns[0].iter().zip(&tail).all(stays));
        let within = |low: f64| columns[0].iter().filter(|v| **v >= low && **v < low + 1.0).count();
        let counts: Vec<usize> = [3.0, 4.0, 5.0, 6.0, 7.0].into_iter().map(within).collect();
        assert!(counts.windows(2).all(|w| w[0] > w[1]), "{counts:?}");
    }

    #[test]
    fn a_column_that_is_turned_round_is_spread_alike() {
        let column: Vec<f64> = (0..40).map(|i| f64::from(i).clamp(4.0, 30.0) / 8.0).collect();
        let (mut one, mut other) = ([column.clone()], [column.iter().map(|v| -v).collect()]);
        spread(&mut one, &clipped(0.5, 3.75), 2);
        spread(&mut other, &clipped(-3.75, -0.5), 2);
        assert!(one[0].iter().zip(&other[0]).all(|(a, b): (&f64, &f64)| *a == -b));
        assert!(one[0] != column);
    }

    #[test]
    fn what_was_not_clipped_stays() {
        // Many zeros at the end of a column, a constant one, and a group far from all others at the clip.
        let zeros: Vec<f64> = (0..40).map(|i| (f64::from(i) - 20.0).max(0.0) / 8.0).collect();
        let group: Vec<f64> =
            (0..40).map(|i| if i < 30 { f64::from(i) / 30.0 } else { 5.0 }).collect();
        for column in [zeros, vec![1.0; 9], group] {
            let mut columns = [column.clone()];
            spread(&mut columns, &clipped(-5.0, 5.0), 0);
            assert_eq!(columns[0], column);
        }
    }
}

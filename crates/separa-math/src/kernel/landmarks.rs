//! A few rows that stand for all: distances or kernels to them are the features of a large table.

use crate::distance::Measure;
use crate::matrix::{Dense, Rows, pick};
use crate::rng::Rng;

/// `m` distinct rows drawn at random, or all where there are fewer.
pub fn draw(rows: &dyn Rows, m: usize, seed: u64) -> Dense {
    pick(rows, &Rng::new(seed, 0x6c6d).sample(rows.n_rows(), m))
}

/// The measure of every row with every landmark: drawn rows, or points found otherwise (centres).
pub fn features(measure: impl Into<Measure>, rows: &dyn Rows, landmarks: &Dense) -> Dense {
    measure.into().matrix(rows, landmarks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Metric;

    #[test]
    fn landmarks_are_distinct_rows_and_repeat_with_the_seed() {
        let x = Dense::from_vec(50, 1, (0..50).map(f64::from).collect()).unwrap();
        let a = draw(&x, 10, 3);
        assert_eq!(a, draw(&x, 10, 3));
        assert_ne!(a, draw(&x, 10, 4));
        assert!(a.data().windows(2).all(|w| w[0] < w[1]));
        assert_eq!(draw(&x, 99, 3), x);
    }

    #[test]
    fn features_are_distances_to_the_landmarks() {
        let x = Dense::from_vec(5, 1, vec![0.0, 1.0, 2.0, 5.0, 9.0]).unwrap();
        let marks = Dense::from_vec(2, 1, vec![1.0, 9.0]).unwrap();
        let f = features(Metric::Euclidean, &x, &marks);
        assert_eq!(f.data(), [1.0, 9.0, 0.0, 8.0, 1.0, 7.0, 4.0, 4.0, 8.0, 0.0]);
    }
}

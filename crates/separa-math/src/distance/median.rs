//! Widths that follow the data.

use super::measure::{Measure, Metric};
use super::pairs::Pairs;
use crate::matrix::{Rows, pick};
use crate::rng::Rng;

/// 1 / the median squared distance of randomly drawn pairs of rows.
pub fn median_gamma(rows: &dyn Rows, seed: u64) -> f64 {
    1.0 / median_square(Metric::Euclidean, rows, seed)
}

/// The median of d² over randomly drawn pairs of rows that differ; 1 where none was drawn.
pub fn median_square(distance: impl Into<Measure>, rows: &dyn Rows, seed: u64) -> f64 {
    const PAIRS: usize = 2000;
    let n = rows.n_rows();
    if n == 0 {
        return 1.0;
    }
    let mut rng = Rng::new(seed, 0x6d65);
    let (left, right): (Vec<usize>, Vec<usize>) =
        (0..PAIRS).map(|_| (rng.below(n), rng.below(n))).unzip();
    let (a, b) = (pick(rows, &left), pick(rows, &right));
    let pairs = Pairs::new(distance, &a, &b);
    let square = |p: usize| {
        let mut out = [0.0];
        pairs.block(p..p + 1, p..p + 1, &mut out);
        out[0] * out[0]
    };
    let mut squares: Vec<f64> = (0..PAIRS).map(square).filter(|s| *s > 0.0).collect();
    squares.sort_unstable_by(f64::total_cmp);
    squares.get(squares.len() / 2).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Dense;

    fn points(n: usize, d: usize) -> Dense {
        let mut rng = Rng::new(4, 0);
        Dense::from_vec(n, d, (0..n * d).map(|_| rng.normal()).collect()).unwrap()
    }

    #[test]
    fn the_median_width_scales_with_the_data() {
        let x = points(200, 3);
        let mut y = x.clone();
        y.data_mut().iter_mut().for_each(|v| *v *= 10.0);
        let ratio = median_gamma(&x, 1) / median_gamma(&y, 1);
        assert!((ratio - 100.0).abs() < 1e-9);
        let metric = Metric::Manhattan;
        let ratio = median_square(metric, &y, 1) / median_square(metric, &x, 1);
        assert!((ratio - 100.0).abs() < 1e-9);
    }

    #[test]
    fn the_median_square_of_normal_rows_is_that_of_chi_squared() {
        // ‖x − y‖²/2 is χ² with 3 degrees of freedom: median 2.366; 2000 pairs give it to 5 %.
        let square = median_square(Metric::Euclidean, &points(5000, 3), 7);
        assert!((square / 4.732 - 1.0).abs() < 0.1, "{square}");
    }

    #[test]
    fn rows_that_all_coincide_have_width_one() {
        let x = Dense::from_vec(4, 2, [3.0, 1.0].repeat(4)).unwrap();
        assert_eq!(median_square(Metric::Cosine, &x, 0), 1.0);
        assert_eq!(median_gamma(&x, 0), 1.0);
        assert_eq!(median_gamma(&Dense::zeros(0, 2), 0), 1.0);
    }
}

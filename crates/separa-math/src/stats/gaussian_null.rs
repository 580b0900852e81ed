//! One Gaussian cut in two: what it scores, and whether a projection scores more.
//!
//! A normal variable cut at its q-quantile leaves two truncated normals whose means and variances
//! are known, so κ of the cut has a closed form κ₀(q); its sampling error on n projected rows was
//! fitted once by simulation (constants below).

use super::special::{normal_cdf, normal_pdf, normal_quantile};
use crate::optim::mpm::probability;

/// Gap and standard deviations of a standard normal's two parts when cut at the q-quantile.
fn cut(q: f64) -> (f64, [f64; 2]) {
    let z = normal_quantile(q);
    let f = normal_pdf(z);
    let (low, high) = (f / q, f / (1.0 - q));
    let sd = |variance: f64| variance.max(0.0).sqrt();
    (low + high, [sd(1.0 - z * low - low * low), sd(1.0 + z * high - high * high)])
}

/// κ₀: the separation κ of a Gaussian cut at its q-quantile, κ₀(½) = 1.32361 (MSP 2/π).
pub fn kappa_null(q: f64) -> f64 {
    let (gap, [low, high]) = cut(q);
    gap / (low + high)
}

/// The MSP of a Gaussian cut at its q-quantile, both variances raised by `ridge` times its own.
///
/// With regularisation λ and hyperplane w the ridge is λ wᵀΛw / wᵀΣ̂w: the same handicap the MSP
/// beside it carries, so that the two can be compared. At λ = 0 it is κ₀²/(1 + κ₀²).
pub fn msp_null(q: f64, ridge: f64) -> f64 {
    // Beyond these fractions the truncated variances drown in rounding.
    let (gap, [low, high]) = cut(q.clamp(1e-4, 1.0 - 1e-4));
    probability(gap / ((low * low + ridge).sqrt() + (high * high + ridge).sqrt()))
}

/// p-value of "these projections are one Gaussian" against "cut in two they lie further apart".
///
/// Given     t ascending, fitted neither in direction nor in `share` to these rows.
/// Returns   1 − Φ(Z), Z the standardised ln κ − ln κ₀.
pub fn gaussian_p_value(t: &[f64], share: f64) -> f64 {
    let n = t.len();
    if n < 4 {
        return 1.0;
    }
    let m = (share.clamp(0.05, 0.95) * n as f64).round() as usize;
    let m = m.clamp(2, n - 2);
    let (low, high) = (spread(&t[..m]), spread(&t[m..]));
    let gap = high.0 - low.0;
    if gap <= 0.0 {
        return 1.0;
    }
    let kappa = gap / (low.1 + high.1);
    let (n, q) = (n as f64, m as f64 / n as f64);
    let u = 1.0 / (q * (1.0 - q)) - 4.0;
    let bias = (0.622 + u * (0.2993 - u * 0.0042)) / n;
    let sd = 0.7292 + u * (0.04612 - u * 0.00116);
    let z = n.sqrt() * (kappa.ln() - kappa_null(q).ln() - bias) / sd;
    // κ is infinite where both parts are constant.
    normal_cdf(-z)
}

/// Mean and standard deviation (1/n).
fn spread(t: &[f64]) -> (f64, f64) {
    let n = t.len() as f64;
    let mean = t.iter().sum::<f64>() / n;
    (mean, (t.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_testkit::clouds::Source;

    #[test]
    fn a_gaussian_cut_in_half_has_msp_two_over_pi() {
        assert!((kappa_null(0.5) - 1.32361).abs() < 5e-6);
        assert!((msp_null(0.5, 0.0) - std::f64::consts::FRAC_2_PI).abs() < 1e-12);
        assert!((kappa_null(0.2) - kappa_null(0.8)).abs() < 1e-12);
        assert!((0..=1000).all(|i| msp_null(f64::from(i) / 1000.0, 0.0).is_finite()));
    }

    #[test]
    fn kappa_null_is_that_of_a_large_sample() {
        let mut t = Source::new(1).normals(400_000);
        t.sort_by(f64::total_cmp);
        for q in [0.1, 0.3, 0.5] {
            let m = (q * t.len() as f64) as usize;
            let (low, high) = (spread(&t[..m]), spread(&t[m..]));
            let kappa = (high.0 - low.0) / (low.1 + high.1);
            // Four standard errors: sd 0.73 to 1.0 of ln κ over √n.
            assert!((kappa / kappa_null(q) - 1.0).abs() < 0.007, "{q} {kappa}");
        }
    }

    #[test]
    fn tied_or_few_projections_give_a_p_value_all_the_same() {
        assert_eq!(gaussian_p_value(&[1.0; 10], 0.5), 1.0);
        assert_eq!(gaussian_p_value(&[1.0, 2.0, 3.0], 0.5), 1.0);
        assert_eq!(gaussian_p_value(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], 0.5), 0.0);
    }
}

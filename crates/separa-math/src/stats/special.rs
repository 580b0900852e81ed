//! The few special functions that closed-form p-values need, to about 1e-13 relative.
//!
//! Checked against SciPy (`golden/quality.json`).

use std::f64::consts::{LN_2, TAU};

/// Beyond this the normal tail is taken from its continued fraction.
const TAIL: f64 = 2.5;

/// The standard normal density.
pub fn normal_pdf(x: f64) -> f64 {
    (-0.5 * x * x).exp() / TAU.sqrt()
}

/// Φ(x), the standard normal distribution function; small values keep their relative accuracy.
///
/// The middle by the series Φ(x) = ½ + φ(x) Σ x^(2k+1)/(1·3·…·(2k+1)) (Marsaglia 2004, "Evaluating
/// the normal distribution"), the tails by Laplace's continued fraction (Abramowitz & Stegun 26.2.14).
pub fn normal_cdf(x: f64) -> f64 {
    if x < -TAIL {
        return upper_tail(-x);
    }
    if x > TAIL {
        return 1.0 - upper_tail(x);
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * normal_pdf(x)
}

/// 1 − Φ(x) for x > 0: φ(x) / (x + 1/(x + 2/(x + 3/(x + …)))), from the inside out.
fn upper_tail(x: f64) -> f64 {
    let mut inner = x;
    // 130 levels reach 1e-15 at x = 2.5; larger x need fewer.
    for level in (1..=130).rev() {
        inner = x + f64::from(level) / inner;
    }
    normal_pdf(x) / inner
}

/// Φ⁻¹(p): −∞ at 0, ∞ at 1.
///
/// A first value from Abramowitz & Stegun 26.2.23 (error below 4.5e-4), then Halley's steps on Φ.
pub fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    // The lower half only: there Φ is relatively accurate. 1 − p is exact for p ≥ ½.
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let t = (-2.0 * p.ln()).sqrt();
    let top = 2.515517 + t * (0.802853 + t * 0.010328);
    let mut x = top / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for _ in 0..3 {
        let step = (normal_cdf(x) - p) / normal_pdf(x);
        x -= step / (1.0 + 0.5 * x * step);
    }
    x
}

/// ln Γ(x) for x > 0, by Stirling's formula with its error term.
pub fn ln_gamma(x: f64) -> f64 {
    // Γ(x) = Γ(x + m) / (x (x+1) … (x+m−1)) brings small arguments to where the series is sharp.
    let (mut y, mut product) = (x, 1.0);
    while y < 15.0 {
        product *= y;
        y += 1.0;
    }
    (y - 0.5) * y.ln() - y + 0.5 * TAU.ln() + stirling_series(y) - product.ln()
}

/// ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π] for x ≥ 15 (Abramowitz & Stegun 6.1.41).
fn stirling_series(x: f64) -> f64 {
    let r = 1.0 / (x * x);
    (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r / 1188.0)))) / x
}

/// ln n! − [(n + ½) ln n − n + ½ ln 2π] for n ≥ 1.
fn stirling_error(n: f64) -> f64 {
    if n >= 15.0 {
        return stirling_series(n);
    }
    ln_gamma(n + 1.0) - ((n + 0.5) * n.ln() - n + 0.5 * TAU.ln())
}

/// P(Bin(n, ½) = c) without cancellation for large n (the saddle-point form of Loader 2000).
fn fair_binomial_pmf(n: u64, c: u64) -> f64 {
    if c == 0 || c == n {
        return (-(n as f64) * LN_2).exp();
    }
    let (total, low, high) = (n as f64, c as f64, (n - c) as f64);
    let u = (low - high) / total;
    // n times the divergence of (c/n, 1 − c/n) from (½, ½).
    let divergence = 0.5 * total * ((1.0 + u) * u.ln_1p() + (1.0 - u) * (-u).ln_1p());
    let error = stirling_error(total) - stirling_error(low) - stirling_error(high);
    (total / (TAU * low * high)).sqrt() * (error - divergence).exp()
}

/// P(Bin(n, ½) ≤ c).
pub fn fair_binomial_cdf(n: u64, c: u64) -> f64 {
    if c >= n {
        return 1.0;
    }
    if 2 * c >= n {
        return 1.0 - fair_binomial_cdf_below(n, n - c - 1);
    }
    fair_binomial_cdf_below(n, c)
}

/// The lower tail for c < n/2: terms fall from c downwards.
fn fair_binomial_cdf_below(n: u64, c: u64) -> f64 {
    let mut term = fair_binomial_pmf(n, c);
    let mut sum = term;
    for j in (1..=c).rev() {
        term *= j as f64 / (n - j + 1) as f64;
        sum += term;
        if term < 1e-18 * sum {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(name: &str, at: f64, got: f64, want: f64) {
        // 1e-16 for values that are exactly 0.
        assert!(
            (got - want).abs() <= 1e-16 + 1e-10 * want.abs(),
            "{name}({at}) = {got}, SciPy has {want}"
        );
    }

    #[test]
    fn values_agree_with_scipy_to_1e_10() {
        let golden = separa_testkit::golden("quality.json");
        let compare = |name: &str, f: fn(f64) -> f64| {
            let [x, y] = ["x", "y"].map(|k| separa_testkit::numbers(&golden[name][k]));
            x.iter().zip(&y).for_each(|(x, y)| assert_near(name, *x, f(*x), *y));
        };
        compare("normal_cdf", normal_cdf);
        compare("normal_quantile", normal_quantile);
        compare("ln_gamma", ln_gamma);
        for line in golden["fair_binomial_cdf"].as_array().unwrap() {
            let (n, c) = (line[0].as_u64().unwrap(), line[1].as_u64().unwrap());
            assert_near("binomial", c as f64, fair_binomial_cdf(n, c), line[2].as_f64().unwrap());
        }
    }

    #[test]
    fn quantile_undoes_the_distribution_function() {
        for p in [1e-300, 1e-20, 1e-5, 0.01, 0.3, 0.5] {
            let back = normal_cdf(normal_quantile(p));
            assert!((back / p - 1.0).abs() < 1e-11, "{p} {back}");
        }
        assert!(normal_quantile(0.5).abs() < 1e-15);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn binomial_tail_equals_the_sum_of_pascals_triangle() {
        for n in 0u64..=60 {
            let (mut choose, mut sum) = (1.0, 0.0);
            for c in 0..=n {
                sum += choose;
                let want = sum / 2f64.powi(n as i32);
                assert!((fair_binomial_cdf(n, c) / want - 1.0).abs() < 1e-13, "{n} {c}");
                choose = choose * (n - c) as f64 / (c + 1) as f64;
            }
        }
    }
}

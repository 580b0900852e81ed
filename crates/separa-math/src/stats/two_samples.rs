//! Tests of two samples: tails of their statistics, and p-values of many tests together.

use super::special::ln_gamma;

/// P(χ² with `df` degrees of freedom ≥ x): the regularised incomplete gamma function Q(df/2, x/2).
///
/// How   by its series below df + 2, else by its continued fraction (Abramowitz & Stegun 6.5.29, 6.5.31).
pub fn chi_squared_tail(x: f64, df: f64) -> f64 {
    let (a, x) = (0.5 * df, 0.5 * x);
    if x.is_nan() || x <= 0.0 || a <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > 1e-17 * sum {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    // Lentz's method.
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..10_000 {
        let an = -f64::from(i) * (f64::from(i) - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        let step = c * d;
        fraction *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// P(the Kolmogorov–Smirnov distance of two samples ≥ `distance`), `n` = n₁n₂/(n₁ + n₂), with Stephens' (1970)
/// correction for small n.
pub fn kolmogorov_tail(distance: f64, n: f64) -> f64 {
    let root = n.sqrt();
    let at = (root + 0.12 + 0.11 / root) * distance;
    // The series needs too many terms where the answer is 1.
    if at < 0.2 {
        return 1.0;
    }
    let term = |j: i32| {
        let size = (-2.0 * (f64::from(j) * at).powi(2)).exp();
        if j % 2 == 1 { size } else { -size }
    };
    (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// Fisher's exact test, one-sided: P(at least `a` of the hits are in the first sample), given the hits of both.
///
/// Given   [hits, rows] of the two samples.
pub fn more_often_tail([a, n]: [usize; 2], [b, m]: [usize; 2]) -> f64 {
    let hits = a + b;
    let choose = |n: usize, k: usize| {
        let f = |v: usize| ln_gamma(v as f64 + 1.0);
        f(n) - f(k) - f(n - k)
    };
    let all = choose(n + m, hits);
    let first = a.max(hits.saturating_sub(m));
    let terms = (first..=hits.min(n)).map(|i| choose(n, i) + choose(m, hits - i) - all);
    // Largest first: beyond the mode they only fall.
    let mut sum = 0.0;
    for term in terms {
        let term = term.exp();
        sum += term;
        if term < 1e-18 * sum {
            break;
        }
    }
    sum.clamp(0.0, 1.0)
}

/// p-values of many tests, adjusted so that the chance of any false finding at α is α at most (Holm 1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut out = vec![0.0; p.len()];
    let mut least = 0.0f64;
    for (rank, &i) in order.iter().enumerate() {
        least = least.max((p.len() - rank) as f64 * p[i]).min(1.0);
        out[i] = least;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, want: f64, relative: f64) {
        assert!((got - want).abs() <= relative * want.abs() + 1e-15, "{got}, expected {want}");
    }

    // SciPy 1.17.1.
    #[test]
    fn tails_agree_with_scipy() {
        // chi2.sf(x, df).
        for (x, df, want) in [
            (0.1, 1.0, 0.7518296340458492),
            (3.84, 1.0, 0.05004352124870519),
            (1.0, 4.0, 0.9097959895689501),
            (9.0, 4.0, 0.06109948096033269),
            (30.0, 2.0, 3.0590232050182594e-07),
            (12.3, 11.0, 0.3415208582761478),
            (250.0, 200.0, 0.009379131668826098),
            (900.0, 3.0, 8.851690237125443e-195),
        ] {
            near(chi_squared_tail(x, df), want, 1e-11);
        }
        // kstwobign.sf(λ) with λ = (√n + 0.12 + 0.11 / √n) D.
        for (distance, n, want) in [
            (0.05, 400.0, 0.26333388238031297),
            (0.1, 250.0, 0.012432141728521395),
            (0.2, 30.0, 0.16014114551077294),
            (0.9, 4.0, 0.0009392157686869079),
            (0.3, 300.0, 3.204223703057472e-24),
        ] {
            near(kolmogorov_tail(distance, n), want, 1e-9);
        }
        // fisher_exact([[a, n − a], [b, m − b]], alternative="greater").
        for (one, two, want) in [
            ([3, 10], [1, 20], 0.09523809523809522),
            ([0, 5], [2, 9], 1.0),
            ([30, 1000], [5, 1000], 9.577787785718685e-06),
            ([1, 1], [40, 4000], 0.010247438140464884),
            ([90, 5000], [40, 4000], 0.0009125249544202177),
        ] {
            near(more_often_tail(one, two), want, 1e-8);
        }
    }

    #[test]
    fn holm_by_hand() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}

//! The framework's theorems, on small tables.

use super::anneal::EntropySearch;
use super::posterior::Posterior;
use super::variance::top_variance;
use super::*;
use crate::methods::{Hinge, Softmax};
use proptest::prelude::*;
use separa_math::matrix::Dense;
use separa_math::rng::Rng;
use separa_math::scaling::{ColumnStats, Scaler, ScalingKind};

fn normals(n: usize, d: usize, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 0);
    Dense::from_vec(n, d, (0..n * d).map(|_| rng.normal()).collect()).unwrap()
}

/// Positive fractions that sum to 1.
fn shares(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 1);
    let raw: Vec<f64> = (0..n).map(|_| 0.2 + rng.uniform()).collect();
    let total: f64 = raw.iter().sum();
    raw.iter().map(|v| v / total).collect()
}

/// Columns centred, the largest variance 1.
fn scaler(x: &Dense, shares: &[f64]) -> Scaler {
    let mut scaler = ColumnStats::of(x.view().into(), shares).scaler(ScalingKind::Standard);
    let top = top_variance(x, &scaler, shares, 0).unwrap();
    scaler.columns.iter_mut().for_each(|c| c.factor /= top.sqrt());
    scaler
}

/// A posterior that stands for any link.
fn posterior<'a, L: Link>(
    x: &'a Dense,
    scaler: &'a Scaler,
    shares: &'a [f64],
    k: usize,
) -> Posterior<'a, L> {
    Posterior::new(x, scaler, shares, k)
}

fn assert_gradient(model: &mut dyn Conditional, w: &[f64], s: Strengths, against: Against) {
    let mut grad = vec![0.0; w.len()];
    objective(model, w, s, against, &mut grad);
    let mut at = |w: &[f64]| objective(model, w, s, against, &mut vec![0.0; w.len()]);
    for j in 0..w.len() {
        let slope = |h: f64| {
            let (mut up, mut down) = (w.to_vec(), w.to_vec());
            up[j] += h;
            down[j] -= h;
            (at(&up) - at(&down)) / (2.0 * h)
        };
        // Truncation h² times the third derivative, and cancellation ε/h. A hinge may bend within h of
        // w, so that a smaller h has to do.
        let slopes = [1e-5, 1e-6, 1e-7].map(slope);
        let near = |s: &f64| (s - grad[j]).abs() < 1e-7 * (1.0 + s.abs());
        assert!(slopes.iter().any(near), "{j}: {slopes:?} {}", grad[j]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn gradient_matches_central_difference(
        k in 2usize..5, d in 1usize..4, balance in 0.0f64..3.0, reg in 0.01f64..1.0, seed in 0u64..500
    ) {
        let (x, shares) = (normals(30, d, seed), shares(30, seed));
        let scaler = scaler(&x, &shares);
        let s = Strengths { reg, balance, share: 1.0 - 0.5 * balance / 3.0 };
        let w: Vec<f64> = normals(1, k * (d + 1), seed + 1).into_vec();
        let mut soft = posterior::<Softmax>(&x, &scaler, &shares, k);
        assert_gradient(&mut soft, &w, s, Against::Themselves);
        let mut hinge = posterior::<Hinge>(&x, &scaler, &shares, k);
        assert_gradient(&mut hinge, &w, s, Against::Themselves);
        let other: Vec<f64> = normals(1, w.len(), seed + 2).into_vec();
        for temperature in [0.0, 0.4] {
            soft.hold(&other, temperature);
            assert_gradient(&mut soft, &w, s, Against::Held);
            hinge.hold(&other, temperature);
            assert_gradient(&mut hinge, &w, s, Against::Held);
        }
    }

    #[test]
    fn entropy_and_mean_equal_their_definitions(k in 2usize..5, seed in 0u64..500) {
        let (x, shares) = (normals(20, 2, seed), shares(20, seed));
        let scaler = scaler(&x, &shares);
        let w: Vec<f64> = normals(1, 3 * k, seed + 1).into_vec();
        let found = posterior::<Softmax>(&x, &scaler, &shares, k).forward(&w, Against::Themselves);
        let (mut loss, mut mean) = (0.0, vec![0.0; k]);
        for i in 0..20 {
            let z = |j: usize| (x[(i, j)] - scaler.columns[j].shift) * scaler.columns[j].factor;
            let u = |c: usize| (w[2 * c] * z(0) + w[2 * c + 1] * z(1) + w[2 * k + c]).exp();
            let total: f64 = (0..k).map(u).sum();
            for c in 0..k {
                let p = u(c) / total;
                loss -= shares[i] * p * p.ln();
                mean[c] += shares[i] * p;
            }
        }
        prop_assert!((loss - found.loss).abs() < 1e-12);
        prop_assert!(mean.iter().zip(&found.mean).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

/// Whether the objective near 0 is nowhere below that at 0, along the leading direction and others.
fn zero_is_stable<L: Link>(share: f64, k: usize, balance: f64) -> bool {
    let x = {
        let mut x = normals(60, 3, 7);
        (0..60).for_each(|i| x[(i, 0)] = x[(i, 1)] + 0.3 * x[(i, 0)]);
        x
    };
    let shares = shares(60, 7);
    let scaler = scaler(&x, &shares);
    let critical = L::STEEPNESS * L::STEEPNESS / (2.0 * k as f64);
    let s = Strengths { reg: share * critical, balance, share: 1.0 };
    let mut model = posterior::<L>(&x, &scaler, &shares, k);
    let mut value = |w: &[f64]| {
        let mut grad = vec![0.0; w.len()];
        objective(&mut model, w, s, Against::Themselves, &mut grad)
    };
    let zero = value(&vec![0.0; 4 * k]);
    let mut rng = Rng::new(1, 0);
    // Enough random directions in 4k dimensions to find one of negative curvature, if the worst of them is
    // sharpened by a few steps of the power method on the Hessian, here taken by differences.
    (0..20).all(|_| {
        let mut v: Vec<f64> = (0..4 * k).map(|_| rng.normal()).collect();
        for _ in 0..200 {
            let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
            v.iter_mut().for_each(|v| *v *= 1e-3 / length);
            // v − t·∇f(v) with a step that keeps the steepest fall.
            let mut grad = vec![0.0; v.len()];
            objective(
                &mut posterior::<L>(&x, &scaler, &shares, k),
                &v,
                s,
                Against::Themselves,
                &mut grad,
            );
            v.iter_mut().zip(&grad).for_each(|(v, g)| *v -= g / (2.0 * critical * L::STEEPNESS));
        }
        let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
        v.iter_mut().for_each(|v| *v *= 0.01 / length);
        value(&v) >= zero
    })
}

#[test]
fn w_0_is_stable_iff_lambda_is_above_the_critical_value() {
    for k in [2, 3, 4] {
        for balance in [0.0, 1.0] {
            assert!(zero_is_stable::<Softmax>(1.02, k, balance), "{k} {balance}");
            assert!(!zero_is_stable::<Softmax>(0.98, k, balance), "{k} {balance}");
        }
    }
    assert!(zero_is_stable::<Hinge>(1.02, 2, 1.0));
    assert!(!zero_is_stable::<Hinge>(0.98, 2, 1.0));
}

#[test]
fn em_never_raises_the_renyi_objective() {
    let (x, shares) = (normals(80, 3, 3), shares(80, 3));
    let scaler = scaler(&x, &shares);
    for temperature in [0.0, 0.3, 0.5, 0.9] {
        for k in [2, 3] {
            let search = EntropySearch {
                critical: 0.25,
                strengths: Strengths { reg: 0.01, balance: 1.0, share: 1.0 },
                optimizer: Optimizer::Em,
                temperature,
                max_iter: 40,
                tol: 1e-9,
            };
            let w = normals(1, 4 * k, 5).into_vec();
            let mut soft = posterior::<Softmax>(&x, &scaler, &shares, k);
            let found = search.settle(&mut soft, w.clone(), 0, &mut |_, _| false);
            assert!(found.trace.windows(2).all(|t| t[1] <= t[0] + 1e-12), "{:?}", found.trace);
            assert!(found.trace[0] > found.objective + 1e-6, "nothing was gained");
            let mut hinge = posterior::<Hinge>(&x, &scaler, &shares, k);
            let found = search.settle(&mut hinge, w, 0, &mut |_, _| false);
            assert!(found.trace.windows(2).all(|t| t[1] <= t[0] + 1e-12), "{:?}", found.trace);
        }
    }
}

#[test]
fn renyi_entropy_of_order_near_one_is_shannons_and_of_infinite_order_the_surest_label() {
    let (x, shares) = (normals(50, 2, 9), shares(50, 9));
    let scaler = scaler(&x, &shares);
    let w = normals(1, 9, 2).into_vec();
    let mut model = posterior::<Softmax>(&x, &scaler, &shares, 3);
    let shannon = model.forward(&w, Against::Themselves).loss;
    assert!((model.hold(&w, 1.0 - 1e-6) - shannon).abs() < 1e-4);
    assert!(model.hold(&w, 0.0) < model.hold(&w, 0.5) && model.hold(&w, 0.5) < shannon);
}

/// (9) and its parts for f: the hinge weighted by the posterior, and log Z.
fn relative_margin(f: f64) -> (f64, f64) {
    let xi = [(1.0 + f).max(0.0), (1.0 - f).max(0.0)];
    let z: f64 = xi.iter().map(|x| (-x).exp()).sum();
    (xi.iter().map(|x| (-x).exp() / z * x).sum(), z.ln())
}

#[test]
fn equation_9_is_the_entropy_of_the_hinge_posterior() {
    for f in [-3.0, -1.2, -0.4, 0.0, 0.9, 2.5] {
        let mut p = [0.0; 2];
        super::posterior::posterior_of::<Hinge>(&[-0.5 * f, 0.5 * f], &mut p);
        let (hinge, log_z) = relative_margin(f);
        assert!((entropy(&p) - hinge - log_z).abs() < 1e-12);
    }
}

#[test]
fn corollary_5_holds_without_log_z_and_proposition_4_does_not_hold() {
    let grid: Vec<f64> = (0..400).map(|i| 0.02 * f64::from(i)).collect();
    for f in &grid {
        // The weighted hinge is at least the smaller one: an upper bound of maximum margin clustering.
        let (hinge, _) = relative_margin(*f);
        assert!(hinge >= (1.0 - f.abs()).max(0.0) - 1e-15);
    }
    // With log Z it is no bound: at f = 0 the hinge is 1 and the whole log 2.
    let (hinge, log_z) = relative_margin(0.0);
    assert!((hinge - 1.0).abs() < 1e-15 && (hinge + log_z - 2.0_f64.ln()).abs() < 1e-12);
    // log Z rises up to |f| = 1, to 0.127, and falls again: it does not hold f within a range.
    let logs: Vec<f64> = grid.iter().map(|f| relative_margin(*f).1).collect();
    let top = (0..logs.len()).fold(0, |b, i| if logs[i] > logs[b] { i } else { b });
    assert!((grid[top] - 1.0).abs() < 1e-9 && (logs[top] - 0.1269).abs() < 1e-4);
    // And the whole of (9) falls in |f| throughout.
    let whole: Vec<f64> = grid.iter().map(|f| relative_margin(*f)).map(|(a, b)| a + b).collect();
    assert!(whole.windows(2).all(|w| w[1] < w[0]));
}

#[test]
fn proposition_6_the_modified_logistic_loss_is_within_log_2_over_r_of_the_hinge() {
    for r in [1.0, 5.0, 40.0] {
        let gap = |m: f64| (1.0 + (-r * (m - 1.0)).exp()).ln() / r - (1.0 - m).max(0.0);
        let gaps: Vec<f64> = (0..=800).map(|i| gap(-3.0 + 0.01 * f64::from(i))).collect();
        let top = gaps.iter().copied().fold(0.0, f64::max);
        assert!(gaps.iter().all(|g| *g > -1e-12));
        assert!((top - 2.0_f64.ln() / r).abs() < 1e-9, "{r}: {top}");
    }
}

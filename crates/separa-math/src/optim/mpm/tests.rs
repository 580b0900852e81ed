use super::*;
use crate::linalg::product_nt;
use crate::rng::Rng;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, ZeroConeT,
};
use proptest::prelude::*;

struct Problem {
    means: [Vec<f64>; 2],
    covs: [Dense; 2],
}

impl Problem {
    fn random(d: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed, 0);
        let means = [0, 1].map(|_| (0..d).map(|_| rng.normal()).collect());
        let covs = [0, 1].map(|_| {
            let data = (0..d * (d + 3)).map(|_| rng.normal()).collect();
            let b = Dense::from_vec(d, d + 3, data).unwrap();
            let mut cov = product_nt(b.view(), b.view());
            (0..d).for_each(|i| cov[(i, i)] += 0.05);
            cov
        });
        Self { means, covs }
    }

    fn sides(&self) -> (Side<'_>, Side<'_>) {
        (
            Side { mean: &self.means[0], cov: &self.covs[0] },
            Side { mean: &self.means[1], cov: &self.covs[1] },
        )
    }

    fn solve(&self) -> Mpm {
        let (one, two) = self.sides();
        solve(one, two).unwrap()
    }

    /// κ of the definition at any w.
    fn kappa(&self, w: &[f64]) -> f64 {
        let gap = dot(w, &self.means[0]) - dot(w, &self.means[1]);
        gap / self.covs.iter().map(|c| quadratic(c, w).sqrt()).sum::<f64>()
    }
}

/// Lanckriet et al.'s iterative least squares: w ← (S₁/β₁ + S₂/β₂)⁻¹d with β the current σ.
fn iterative_least_squares(p: &Problem) -> f64 {
    let d: Vec<f64> = p.means[0].iter().zip(&p.means[1]).map(|(a, b)| a - b).collect();
    let mut w = d.clone();
    for _ in 0..500 {
        let beta = [0, 1].map(|k| quadratic(&p.covs[k], &w).sqrt());
        let mut next = d.clone();
        let m = mixture(&p.covs[0], &p.covs[1], 1.0 / beta[0], 1.0 / beta[1]);
        Chol::new(m).unwrap().solve(&mut next);
        let gap = dot(&next, &d);
        w = next.iter().map(|v| v / gap).collect();
    }
    p.kappa(&w)
}

/// min t₁ + t₂ s.t. wᵀd = 1, ‖Lₖᵀw‖ ≤ tₖ, as a second-order cone program over (w, t).
fn clarabel_socp(p: &Problem) -> f64 {
    let d = p.means[0].len();
    let n = d + 2;
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut rhs = Vec::new();
    let mut gap: Vec<f64> = p.means[0].iter().zip(&p.means[1]).map(|(a, b)| a - b).collect();
    gap.resize(n, 0.0);
    rows.push(gap);
    rhs.push(1.0);
    for k in 0..2 {
        let factor = Chol::new(p.covs[k].clone()).unwrap();
        let mut bound = vec![0.0; n];
        bound[d + k] = -1.0;
        rows.push(bound);
        for j in 0..d {
            let mut row = vec![0.0; n];
            (j..d).for_each(|i| row[i] = -factor.row(i)[j]);
            rows.push(row);
        }
        rhs.resize(rows.len(), 0.0);
    }
    let a = CscMatrix::from(&rows);
    let quadratic_part = CscMatrix::zeros((n, n));
    let mut cost = vec![0.0; n];
    cost[d] = 1.0;
    cost[d + 1] = 1.0;
    let cones =
        [ZeroConeT(1), SecondOrderConeT(d + 1), SecondOrderConeT(d + 1), NonnegativeConeT(0)];
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-12,
        tol_gap_rel: 1e-12,
        tol_feas: 1e-12,
        ..DefaultSettings::default()
    };
    let mut solver =
        DefaultSolver::new(&quadratic_part, &cost, &a, &rhs, &cones[..3], settings).unwrap();
    solver.solve();
    1.0 / solver.solution.obj_val
}

#[test]
fn mpm_value_agrees_with_clarabel_socp() {
    for d in [1, 2, 3, 8, 20] {
        let p = Problem::random(d, 40 + d as u64);
        let (ours, theirs) = (p.solve().kappa, clarabel_socp(&p));
        assert!((ours / theirs - 1.0).abs() < 1e-7, "d = {d}: {ours} against {theirs}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn mpm_agrees_with_iterative_least_squares(d in 1usize..25, seed in 0u64..5000) {
        let p = Problem::random(d, seed);
        let (ours, theirs) = (p.solve().kappa, iterative_least_squares(&p));
        prop_assert!((ours / theirs - 1.0).abs() < 1e-10, "{} {}", ours, theirs);
    }

    #[test]
    fn no_direction_has_a_larger_kappa(d in 1usize..12, seed in 0u64..5000) {
        let p = Problem::random(d, seed);
        let best = p.solve();
        prop_assert!((p.kappa(&best.w) / best.kappa - 1.0).abs() < 1e-12);
        let mut rng = Rng::new(seed, 9);
        for _ in 0..50 {
            let step = 10f64.powf(-4.0 * rng.uniform());
            let w: Vec<f64> = best.w.iter().map(|v| v + step * norm(&best.w) * rng.normal()).collect();
            prop_assert!(p.kappa(&w) <= best.kappa * (1.0 + 1e-12));
        }
    }

    #[test]
    fn both_sides_of_the_bias_identity_agree(d in 1usize..12, seed in 0u64..5000) {
        let p = Problem::random(d, seed);
        let m = p.solve();
        let from_one = m.kappa * m.sigma[0] - dot(&m.w, &p.means[0]);
        let from_two = -m.kappa * m.sigma[1] - dot(&m.w, &p.means[1]);
        prop_assert!((from_one - from_two).abs() < 1e-10 * (1.0 + from_one.abs()));
        prop_assert_eq!(m.b, from_one);
    }
}

#[test]
fn factors_and_diagonals_agree_on_wide_problems() {
    for d in [30, 97, 200] {
        let p = Problem::random(d, 7);
        let (one, two) = p.sides();
        let gap: Vec<f64> = one.mean.iter().zip(two.mean).map(|(a, b)| a - b).collect();
        let fast = finish(one, two, &gap, by_factors(one, two, &gap, 0.3).unwrap());
        let slow = finish(one, two, &gap, by_diagonals(one, two, &gap).unwrap());
        assert!((fast.kappa / slow.kappa - 1.0).abs() < 1e-12);
        let off: Vec<f64> = fast.w.iter().zip(&slow.w).map(|(a, b)| a - b).collect();
        assert!(norm(&off) < 1e-8 * norm(&slow.w));
    }
}

#[test]
fn in_one_dimension_kappa_is_the_gap_over_the_sum_of_deviations() {
    let (a, b) =
        (Dense::from_vec(1, 1, vec![4.0]).unwrap(), Dense::from_vec(1, 1, vec![9.0]).unwrap());
    let m = solve(Side { mean: &[7.0], cov: &a }, Side { mean: &[-3.0], cov: &b }).unwrap();
    assert!((m.kappa - 2.0).abs() < 1e-14);
    assert!((m.p() - 0.8).abs() < 1e-14);
    // The boundary lies κσ₁ = 4 below the first mean.
    assert!((-m.b / m.w[0] - 3.0).abs() < 1e-12);
}

#[test]
fn equal_means_give_zero_and_a_gap_without_variance_gives_certainty() {
    let eye = Dense::identity(2);
    let same = solve(Side { mean: &[1.0, 2.0], cov: &eye }, Side { mean: &[1.0, 2.0], cov: &eye })
        .unwrap();
    assert_eq!((same.kappa, same.p()), (0.0, 0.0));
    let flat = Dense::from_vec(2, 2, vec![1.0, 0.0, 0.0, 0.0]).unwrap();
    let sure =
        solve(Side { mean: &[0.0, 1.0], cov: &flat }, Side { mean: &[0.5, 0.0], cov: &flat })
            .unwrap();
    assert_eq!((sure.kappa, sure.p()), (f64::INFINITY, 1.0));
    assert!(dot(&sure.w, &[0.0, 1.0]) + sure.b > 0.0 && dot(&sure.w, &[0.5, 0.0]) + sure.b < 0.0);
}

#[test]
fn duplicated_columns_do_not_change_kappa() {
    let p = Problem::random(3, 5);
    let twice = |a: &Dense| {
        let mut out = Dense::zeros(6, 6);
        for i in 0..6 {
            (0..6).for_each(|j| out[(i, j)] = a[(i % 3, j % 3)]);
        }
        out
    };
    let wide: Vec<Vec<f64>> = p.means.iter().map(|m| [m.as_slice(), m].concat()).collect();
    let covs = [twice(&p.covs[0]), twice(&p.covs[1])];
    let m = solve(Side { mean: &wide[0], cov: &covs[0] }, Side { mean: &wide[1], cov: &covs[1] })
        .unwrap();
    assert!((m.kappa / p.solve().kappa - 1.0).abs() < 1e-9);
}

#[test]
fn one_side_without_variance_is_solved_in_the_limit() {
    let (point, cloud) = (Dense::zeros(2, 2), Dense::identity(2));
    let m = solve(Side { mean: &[3.0, 4.0], cov: &point }, Side { mean: &[0.0, 0.0], cov: &cloud })
        .unwrap();
    // Only the cloud has a spread: κ = distance over its deviation.
    assert!((m.kappa - 5.0).abs() < 1e-6, "{}", m.kappa);
}

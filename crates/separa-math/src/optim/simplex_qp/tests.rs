use super::*;
use crate::linalg::{dot_lanes, product_nt, quadratic, times};
use crate::matrix::Dense;
use crate::optim::simplex::project;
use crate::rng::Rng;
use proptest::prelude::*;

/// Rows made on demand, to go through the cache.
struct OnDemand<'a>(&'a Dense);

impl SymRows for OnDemand<'_> {
    fn size(&self) -> usize {
        self.0.rows()
    }
    fn diagonal(&self, out: &mut [f64]) {
        self.0.diagonal(out);
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.copy_from_slice(self.0.row(i));
    }
}

fn symmetric(n: usize, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 1);
    let mut a = Dense::zeros(n, n);
    for i in 0..n {
        for j in 0..=i {
            a[(i, j)] = rng.normal();
            a[(j, i)] = a[(i, j)];
        }
    }
    a
}

/// Semidefinite on 1⊥ only: a Gram of `rank` features, less a multiple of 11ᵀ.
fn semidefinite(n: usize, rank: usize, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 2);
    let x = Dense::from_vec(n, rank, (0..n * rank).map(|_| rng.normal()).collect()).unwrap();
    let mut a = product_nt(x.view(), x.view());
    a.data_mut().iter_mut().for_each(|v| *v -= 5.0);
    a
}

fn vector(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 3);
    (0..n).map(|_| rng.normal()).collect()
}

fn value(a: &Dense, b: &[f64], x: &[f64]) -> f64 {
    0.5 * quadratic(a, x) + dot(b, x)
}

fn uniform(n: usize) -> Vec<f64> {
    vec![1.0 / n as f64; n]
}

/// Accelerated projected gradient with a constant step.
fn slow(a: &Dense, b: &[f64], cap: f64) -> f64 {
    let n = b.len();
    let top = (0..n).map(|i| a.row(i).iter().map(|v| v.abs()).sum::<f64>()).fold(0.0, f64::max);
    let (mut x, mut y) = (uniform(n), uniform(n));
    for t in 0..20_000 {
        let mut next: Vec<f64> =
            (0..n).map(|i| y[i] - (dot_lanes(a.row(i), &y) + b[i]) / top).collect();
        project(&mut next, cap);
        let push = t as f64 / (t + 3) as f64;
        y = next.iter().zip(&x).map(|(p, q)| p + push * (p - q)).collect();
        x = next;
    }
    value(a, b, &x)
}

fn assert_feasible(x: &[f64], cap: f64) {
    assert!(x.iter().all(|v| (0.0..=cap).contains(v)), "{x:?}");
    assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

/// The gap anew, from x alone.
fn gap(a: &Dense, b: &[f64], x: &[f64], cap: f64) -> f64 {
    let g: Vec<f64> = times(a, x).iter().zip(b).map(|(p, q)| p + q).collect();
    let low = (0..x.len()).filter(|&i| x[i] < cap).map(|i| g[i]).fold(f64::INFINITY, f64::min);
    let high = (0..x.len()).filter(|&i| x[i] > 0.0).map(|i| g[i]).fold(f64::MIN, f64::max);
    high - low
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn where_a_is_semidefinite_across_the_simplex_the_optimum_is_that_of_projected_gradient(
        n in 2usize..30, rank in 1usize..12, seed in 0u64..10_000, capped in any::<bool>()
    ) {
        let (a, b) = (semidefinite(n, rank, seed), vector(n, seed));
        let cap = if capped { 2.5 / n as f64 } else { f64::INFINITY };
        let options = SimplexQpOptions { cap, tol: 1e-10, ..SimplexQpOptions::default() };
        let found = solve(&a, &b, &uniform(n), &options);
        assert_feasible(&found.x, cap);
        prop_assert!(found.converged);
        prop_assert!(gap(&a, &b, &found.x, cap) < 1e-7);
        prop_assert!((found.value - value(&a, &b, &found.x)).abs() < 1e-10);
        let want = slow(&a, &b, cap);
        // The gap bounds what is left, and the reference is not exact either.
        prop_assert!((found.value - want).abs() < 1e-5 * (1.0 + want.abs()), "{} {want}", found.value);
    }

    #[test]
    fn where_a_is_not_semidefinite_no_move_between_two_variables_gains(
        n in 2usize..25, seed in 0u64..10_000, capped in any::<bool>()
    ) {
        let (a, b) = (symmetric(n, seed), vector(n, seed));
        let cap = if capped { 3.0 / n as f64 } else { f64::INFINITY };
        let found = solve(&a, &b, &uniform(n), &SimplexQpOptions { cap, ..SimplexQpOptions::default() });
        assert_feasible(&found.x, cap);
        prop_assert!(found.converged);
        let reached = value(&a, &b, &found.x);
        for i in 0..n {
            for j in (0..n).filter(|j| *j != i) {
                let room = found.x[i].min(cap - found.x[j]);
                for share in [1.0, 0.5, 0.1, 1e-3] {
                    let mut x = found.x.clone();
                    x[i] -= share * room;
                    x[j] += share * room;
                    prop_assert!(value(&a, &b, &x) > reached - 1e-6, "{i} to {j}");
                }
            }
        }
    }

    #[test]
    fn the_value_never_rises_and_the_cache_changes_nothing(n in 2usize..25, seed in 0u64..10_000) {
        let (a, b) = (symmetric(n, seed), vector(n, seed));
        let after = |max_steps| solve(&a, &b, &uniform(n), &SimplexQpOptions { max_steps, ..SimplexQpOptions::default() });
        let mut last = value(&a, &b, &uniform(n));
        let all = after(10_000);
        for steps in 0..=all.steps.min(60) {
            let now = after(steps).value;
            prop_assert!(now <= last + 1e-12, "step {steps}: {last} to {now}");
            last = now;
        }
        for cache_rows in [0, 2, 5, 100] {
            let options = SimplexQpOptions { cache_rows, max_steps: 10_000, ..SimplexQpOptions::default() };
            prop_assert_eq!(&solve(&OnDemand(&a), &b, &uniform(n), &options), &all);
        }
    }
}

#[test]
fn a_diagonal_gives_shares_by_the_inverse_and_a_line_its_least_entry() {
    let mut a = Dense::zeros(3, 3);
    (0..3).for_each(|i| a[(i, i)] = [1.0, 2.0, 4.0][i]);
    let options = SimplexQpOptions { tol: 1e-12, ..SimplexQpOptions::default() };
    let found = solve(&a, &[0.0; 3], &[1.0, 0.0, 0.0], &options);
    for (x, want) in found.x.iter().zip([4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0]) {
        assert!((x - want).abs() < 1e-10, "{:?}", found.x);
    }
    let found = solve(&Dense::zeros(3, 3), &[1.0, -2.0, 0.0], &uniform(3), &options);
    assert_eq!(found.x, [0.0, 1.0, 0.0]);
    let capped = SimplexQpOptions { cap: 0.75, ..options };
    let found = solve(&Dense::zeros(3, 3), &[1.0, -2.0, 0.0], &uniform(3), &capped);
    assert!((found.x[1] - 0.75).abs() + (found.x[2] - 0.25).abs() < 1e-15, "{:?}", found.x);
}

#[test]
fn a_hump_ends_in_a_corner_though_the_start_has_no_slope() {
    // −½‖x‖²: the centre is a maximum without a gap.
    let mut a = Dense::zeros(4, 4);
    (0..4).for_each(|i| a[(i, i)] = -1.0);
    let found = solve(&a, &[0.0; 4], &uniform(4), &SimplexQpOptions::default());
    assert!(found.converged && found.value == -0.5, "{found:?}");
    assert_eq!(found.x.iter().filter(|x| **x == 1.0).count(), 1);
}

#[test]
fn one_variable_and_a_warm_start_at_the_optimum_take_no_step() {
    let a = semidefinite(12, 12, 5);
    let b = vector(12, 5);
    let options = SimplexQpOptions { tol: 1e-9, ..SimplexQpOptions::default() };
    let first = solve(&a, &b, &uniform(12), &options);
    let again = solve(&a, &b, &first.x, &SimplexQpOptions { tol: 1e-8, ..options });
    assert_eq!((again.steps, &again.x), (0, &first.x));
    let lone = solve(&Dense::identity(1), &[3.0], &[1.0], &options);
    assert_eq!((lone.x, lone.value, lone.steps), (vec![1.0], 3.5, 0));
}

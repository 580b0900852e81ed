use super::*;
use crate::linalg::{dot, product_nt, quadratic, times};
use crate::matrix::Dense;
use crate::rng::Rng;
use oracle::primal_value;
use proptest::prelude::*;

mod classes;
mod linear;
mod oracle;
mod starts;

/// Any kernel, pair by pair.
fn gram(x: &Dense, kernel: impl Fn(&[f64], &[f64]) -> f64) -> Dense {
    let mut k = Dense::zeros(x.rows(), x.rows());
    for i in 0..x.rows() {
        (0..x.rows()).for_each(|j| k[(i, j)] = kernel(x.row(i.min(j)), x.row(i.max(j))));
    }
    k
}

fn rbf(x: &Dense, gamma: f64) -> Dense {
    let square =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    gram(x, |a, b| (-gamma * square(a, b)).exp())
}

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

/// Two clouds that overlap, with labels, and a weight for each row between 0.1 and 2.
struct Cloud {
    x: Dense,
    labels: Vec<bool>,
    c: Vec<f64>,
}

impl Cloud {
    fn new(n: usize, d: usize, apart: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed, 11);
        let labels: Vec<bool> = (0..n).map(|i| i % 2 == 0 || i % 7 == 3).collect();
        let mut x = Dense::zeros(n, d);
        for i in 0..n {
            (0..d).for_each(|j| x[(i, j)] = rng.normal());
            x[(i, 0)] += if labels[i] { apart } else { -apart };
        }
        let c = (0..n).map(|_| 0.1 + 1.9 * rng.uniform()).collect();
        Self { x, labels, c }
    }

    fn linear(&self) -> Dense {
        product_nt(self.x.view(), self.x.view())
    }

    fn rbf(&self, gamma: f64) -> Dense {
        rbf(&self.x, gamma)
    }

    fn dual(&self) -> Dual {
        Dual::classes(&self.labels, &self.c).unwrap()
    }

    /// The labels with every `each`-th changed.
    fn flipped(&self, each: usize) -> Vec<bool> {
        self.labels.iter().enumerate().map(|(i, l)| l ^ (i % each == 0)).collect()
    }
}

fn exact() -> SvmOptions {
    SvmOptions { tol: 1e-9, ..SvmOptions::default() }
}

fn near(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * (1.0 + a.abs().max(b.abs()))
}

/// Feasible, with scores and values that belong to β, and as optimal as it says: all anew from β.
fn assert_sound(k: &Dense, dual: &Dual, found: &SvmSolution) {
    let (square, cost, losses) = assert_feasible(k, dual, found);
    if dual.bound.is_infinite() {
        let weight: f64 = dual.high.iter().zip(&dual.low).map(|(h, l)| h - l).sum();
        // A loss is a weight times a slack that is rounded.
        let rounding = 1e-12 * weight;
        assert!((found.gap - square - cost - losses).abs() < 1e-9 * (1.0 + cost.abs()) + rounding);
        assert!(found.gap <= (found.violation + 1e-9) * (weight + 1.0), "{found:?}");
    }
}

/// Returns βᵀKβ, Σ hᵢ(βᵢ) and the sum of the losses.
fn assert_feasible(k: &Dense, dual: &Dual, found: &SvmSolution) -> (f64, f64, f64) {
    let n = dual.size();
    let size: f64 = found.beta.iter().map(|v| v.abs()).sum::<f64>() + 1.0;
    // Every step moves two values by the same amount, rounded twice, and there can be 1e5 steps.
    assert!(
        found.beta.iter().sum::<f64>().abs() < 1e-10 * size,
        "{}",
        found.beta.iter().sum::<f64>()
    );
    let scores = times(k, &found.beta);
    let top = k.data().iter().fold(1.0, |top: f64, v| top.max(v.abs()));
    let (mut least, mut most, mut cost, mut losses) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
    for i in 0..n {
        let (x, q, low, high) = (found.beta[i], dual.linear[i], dual.low[i], dual.high[i]);
        if dual.bound.is_infinite() {
            assert!((low..=high).contains(&x), "{low} {x} {high}");
        }
        assert!((scores[i] - found.scores[i]).abs() < 1e-10 * size * top);
        let outside = if x > high { x - high } else { (low - x).max(0.0) };
        cost += q * (x - (x - high).max(0.0) + (low - x).max(0.0));
        cost += if outside > 0.0 { dual.bound * outside } else { 0.0 };
        let up = if x < low {
            -dual.bound
        } else if x < high {
            q
        } else {
            dual.bound
        };
        let down = if x > high {
            dual.bound
        } else if x > low {
            q
        } else {
            -dual.bound
        };
        least = least.min(scores[i] + up);
        most = most.max(scores[i] + down);
        let slack = -scores[i] - found.b - q;
        losses += (high * slack).max(low * slack);
    }
    let square = quadratic(k, &found.beta);
    assert!(near(found.objective, 0.5 * square + cost, 1e-9), "{found:?}");
    assert!((most - least).max(0.0) <= found.violation + 1e-9 * size * top);
    (square, cost, losses)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_dual_meets_the_primal_of_an_interior_point_for_any_boxes_and_linear_term(
        n in 3usize..24, d in 1usize..5, seed in 0u64..10_000, b in prop::option::of(1.5..3.0_f64)
    ) {
        let cloud = Cloud::new(n, d, 0.5, seed);
        let mut rng = Rng::new(seed, 12);
        let mut draw = |sign: f64| -> Vec<f64> {
            (0..n).map(|_| sign * (3.0 * rng.uniform() - 1.0).max(0.0)).collect()
        };
        let (mut low, mut high) = (draw(-1.0), draw(1.0));
        (low[0], high[1]) = (-1.0, 1.0);
        let linear = (0..n).map(|_| rng.normal().clamp(-1.5, 1.5)).collect();
        let mut dual = Dual::new(linear, low, high).unwrap();
        if let Some(b) = b {
            dual = dual.bounded(b).unwrap();
        }
        let k = cloud.linear();
        let found = solve(&k, &dual, None, &exact()).unwrap();
        prop_assert!(found.converged);
        assert_sound(&k, &dual, &found);
        let want = primal_value(&cloud.x, &dual);
        prop_assert!(near(-found.objective, want, 1e-6), "{} {want}", found.objective);
        prop_assert!(found.gap.abs() < 1e-5 * (1.0 + want), "{}", found.gap);
    }

    #[test]
    fn shrinking_changes_the_way_and_not_the_answer(
        n in 40usize..200, every in 1usize..200, seed in 0u64..10_000
    ) {
        let cloud = Cloud::new(n, 3, 0.7, seed);
        let (k, dual) = (cloud.rbf(0.5), cloud.dual());
        let options = [every, usize::MAX].map(|shrink_every| SvmOptions { shrink_every, ..exact() });
        let [with, without] = options.map(|o| solve(&k, &dual, None, &o).unwrap());
        assert_sound(&k, &dual, &with);
        prop_assert!(with.converged && without.converged);
        prop_assert!(near(with.objective, without.objective, 1e-9));
        prop_assert!((with.b - without.b).abs() < 1e-6, "{} {}", with.b, without.b);
    }

    #[test]
    fn rows_made_on_demand_in_any_memory_give_the_bits_of_stored_ones(
        n in 4usize..120, seed in 0u64..10_000
    ) {
        let cloud = Cloud::new(n, 3, 0.7, seed);
        let k = cloud.rbf(0.5);
        let options = SvmOptions { shrink_every: 30, ..exact() };
        let want = solve(&k, &cloud.dual(), None, &options).unwrap();
        for lines in [0, 3, 10, 1000] {
            let options = SvmOptions { cache_bytes: lines * n * 8, ..options };
            prop_assert_eq!(&solve(&OnDemand(&k), &cloud.dual(), None, &options).unwrap(), &want);
        }
    }

    #[test]
    fn an_indefinite_kernel_ends_where_no_short_move_gains(n in 4usize..60, seed in 0u64..10_000) {
        let cloud = Cloud::new(n, 3, 0.3, seed);
        let k = gram(&cloud.x, |a, b| (dot(a, b) - 0.5).tanh());
        let dual = cloud.dual();
        let found = solve(&k, &dual, None, &SvmOptions { tol: 1e-6, ..SvmOptions::default() }).unwrap();
        prop_assert!(found.converged, "{} steps", found.steps);
        prop_assert!(found.steps < 100 * n + 1000, "{} steps", found.steps);
        assert_feasible(&k, &dual, &found);
        let mut last = 0.0;
        for max_steps in 0..found.steps.min(40) {
            let now = solve(&k, &dual, None, &SvmOptions { max_steps, ..exact() }).unwrap();
            prop_assert!(now.objective <= last + 1e-12 && !now.converged);
            last = now.objective;
        }
    }
}

#[test]
fn a_relative_gap_is_reached_where_it_is_asked_for() {
    let cloud = Cloud::new(300, 4, 0.5, 6);
    let (k, dual) = (cloud.rbf(0.3), cloud.dual());
    let rough = solve(&k, &dual, None, &SvmOptions::default()).unwrap();
    let fine = solve(&k, &dual, None, &SvmOptions { gap: 1e-9, ..SvmOptions::default() }).unwrap();
    assert!(rough.gap > 1e-7 * rough.objective.abs(), "{}", rough.gap);
    assert!(fine.gap <= 1e-9 * fine.objective.abs() * 1.01 && fine.converged);
    assert!(fine.steps > rough.steps);
}

#[test]
fn a_tolerance_below_rounding_ends_too() {
    for c in [0.1, 10.0, 1e3] {
        let mut cloud = Cloud::new(200, 3, 0.5, 9);
        cloud.c.fill(c);
        let (k, dual) = (cloud.rbf(0.5), cloud.dual());
        let found =
            solve(&k, &dual, None, &SvmOptions { tol: 0.0, shrink_every: 100, ..exact() }).unwrap();
        assert!(found.steps < 1_000_000, "{} steps", found.steps);
        // Scores are sums of Σ|β|, losses are scores times c.
        let size: f64 = found.beta.iter().map(|v| v.abs()).sum();
        assert!(found.gap.abs() < 1e-15 * 200.0 * c * (1.0 + size), "{} {size}", found.gap);
    }
}

#[test]
fn steps_that_are_used_up_leave_a_feasible_point_and_say_so() {
    let cloud = Cloud::new(200, 3, 0.5, 7);
    let (k, dual) = (cloud.rbf(0.5), cloud.dual());
    for max_steps in [0, 1, 77, 260] {
        let found = solve(&k, &dual, None, &SvmOptions { max_steps, ..exact() }).unwrap();
        assert!(!found.converged && found.steps == max_steps);
        assert_sound(&k, &dual, &found);
    }
}

//! Theorems on the steps themselves.

use super::choices::{Balance, OutputBound};
use super::iterations::{self, Begin, upper};
use super::machine::{Answer, HingeInput, HingeProblem};
use super::params::Armc;
use super::rest;
use crate::context::Ctx;
use proptest::prelude::*;
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::times;
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::rng::Rng;

fn cloud(n: usize, d: usize, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 0);
    let shift = |i: usize| if i.is_multiple_of(3) { 1.5 } else { -0.5 };
    let data = (0..n * d).map(|p| rng.normal() + shift(p / d)).collect();
    Dense::from_vec(n, d, data).unwrap()
}

fn machine<'a>(params: &'a Armc, gram: &'a Dense, weights: &'a [f64]) -> HingeProblem<'a> {
    HingeProblem { params, space: HingeInput::Kernel(gram), weights, cache: 1 << 20, seed: 0 }
}

fn kernel(which: usize) -> Kernel {
    [Kernel::Linear, Kernel::Rbf { gamma: 0.3 }, Kernel::Laplacian { gamma: 0.2 }][which % 3]
}

/// Σ wᵢ max(0, 1 − yᵢfᵢ).
fn losses(f: &[f64], side: &[bool], weights: &[f64]) -> f64 {
    let y = |up: bool| if up { 1.0 } else { -1.0 };
    (0..f.len()).map(|i| weights[i] * (1.0 - y(side[i]) * f[i]).max(0.0)).sum()
}

/// The objective at (f, labels), anew from β.
fn objective(p: &Armc, gram: &Dense, answer: &Answer, side: &[bool], weights: &[f64]) -> f64 {
    let scores = times(gram, &answer.beta);
    let square: f64 = scores.iter().zip(&answer.beta).map(|(s, b)| s * b).sum();
    let f: Vec<f64> = scores.iter().map(|s| s + answer.b).collect();
    losses(&f, side, weights) + p.reg * square
}

fn random_side(n: usize, share: f64, seed: u64) -> Vec<bool> {
    let mut rng = Rng::new(seed, 9);
    let line: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
    upper(&line, &vec![1.0; n], share * n as f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn theorem_7_the_objective_never_rises(
        n in 6usize..70, d in 1usize..4, which in 0usize..3, seed in 0u64..100_000,
        share in 0.2..0.8_f64, reg in 0.05..5.0_f64,
        bound in prop::option::of(1.1..4.0_f64), weighted in any::<bool>()
    ) {
        let x = cloud(n, d, seed);
        let gram = kernel(which).matrix(&x, &x);
        let mut rng = Rng::new(seed, 4);
        let weights: Vec<f64> =
            (0..n).map(|_| if weighted { 0.2 + 2.0 * rng.uniform() } else { 1.0 }).collect();
        let bound = bound.map_or(OutputBound::None, OutputBound::Value);
        let p = Armc { reg, bound, ..Armc::default() };
        let m = machine(&p, &gram, &weights);
        let begin = Begin { side: random_side(n, share, seed), say: Vec::new() };
        let mass = begin.side.iter().zip(&weights).filter(|(up, _)| **up).map(|(_, w)| w).sum();
        let run = iterations::run(&m, begin, mass, &mut Ctx::new(0)).unwrap();
        for pair in run.trace.windows(2) {
            // Each of the two values is exact to the machine's gap.
            prop_assert!(pair[1] <= pair[0] * (1.0 + 2.0 * p.tol), "{:?}", run.trace);
        }
        // The value is that of its own coefficients, and no label step would lower it.
        let value = objective(&p, &gram, &run.answer, &run.side, &weights);
        if bound == OutputBound::None {
            prop_assert!((value - run.answer.value).abs() <= 1e-7 * (1.0 + value), "{value}");
        }
        let next = upper(&run.answer.scores, &weights, mass);
        let f: Vec<f64> = run.answer.f().collect();
        prop_assert!(losses(&f, &next, &weights) >= losses(&f, &run.side, &weights) - 1e-9);
    }

    #[test]
    fn theorem_7_holds_for_features_too(
        n in 6usize..70, d in 1usize..6, seed in 0u64..100_000, share in 0.2..0.8_f64,
        reg in 0.05..5.0_f64
    ) {
        let x = cloud(n, d, seed);
        let weights = vec![1.0; n];
        let p = Armc { reg, ..Armc::default() };
        let space = HingeInput::Features(MatrixRef::from(x.view()));
        let m = HingeProblem { params: &p, space, weights: &weights, cache: 0, seed: 0 };
        let begin = Begin { side: random_side(n, share, seed), say: Vec::new() };
        let mass = begin.side.iter().filter(|up| **up).count() as f64;
        let run = iterations::run(&m, begin, mass, &mut Ctx::new(0)).unwrap();
        for pair in run.trace.windows(2) {
            prop_assert!(pair[1] <= pair[0] * (1.0 + 2.0 * p.tol), "{:?}", run.trace);
        }
    }

    #[test]
    fn the_objective_of_clusters_together_never_rises(
        n in 12usize..70, k in 3usize..6, which in 0usize..3, seed in 0u64..100_000,
        reg in 0.05..5.0_f64, weighted in any::<bool>()
    ) {
        let x = cloud(n, 2, seed);
        let gram = kernel(which).matrix(&x, &x);
        let mut rng = Rng::new(seed, 4);
        let weights: Vec<f64> =
            (0..n).map(|_| if weighted { 0.2 + 2.0 * rng.uniform() } else { 1.0 }).collect();
        let p = Armc { reg, ..Armc::default() };
        let mut labels: Vec<i32> = (0..n).map(|i| (i % k) as i32).collect();
        rng.shuffle(&mut labels);
        let m = machine(&p, &gram, &weights);
        let found = rest::iterate(&m, labels, k, &mut Ctx::new(0)).unwrap();
        for pair in found.trace.windows(2) {
            prop_assert!(pair[1] <= pair[0] * (1.0 + 2.0 * p.tol), "{:?}", found.trace);
        }
    }

    #[test]
    fn the_label_step_by_sorting_is_the_end_of_switching_pairs(
        n in 2usize..40, share in 0.05..0.95_f64, seed in 0u64..100_000
    ) {
        let mut rng = Rng::new(seed, 1);
        let f: Vec<f64> = (0..n).map(|_| 2.0 * rng.normal()).collect();
        let weights = vec![1.0; n];
        let sorted = upper(&f, &weights, share * n as f64);
        let count = (share * n as f64).round().clamp(1.0, (n - 1) as f64) as usize;
        prop_assert_eq!(sorted.iter().filter(|up| **up).count(), count);
        // (13), from labels of the same balance, as often as a pair satisfies it.
        let mut side: Vec<bool> = (0..n).map(|i| i < count).collect();
        rng.shuffle(&mut side);
        let loss = |y: f64, f: f64| (1.0 - y * f).max(0.0);
        while let Some((k, l)) = (0..n).flat_map(|k| (0..n).map(move |l| (k, l))).find(|&(k, l)| {
            side[k] && !side[l]
                && loss(1.0, f[k]) + loss(-1.0, f[l]) > loss(1.0, f[l]) + loss(-1.0, f[k])
        }) {
            (side[k], side[l]) = (false, true);
        }
        prop_assert_eq!(side, sorted);
    }

    #[test]
    fn the_machine_meets_its_gap_and_its_bound(
        n in 6usize..80, which in 0usize..3, seed in 0u64..100_000, bound in 1.0..2.5_f64
    ) {
        let x = cloud(n, 2, seed);
        let gram = kernel(which).matrix(&x, &x);
        let (weights, side) = (vec![1.0; n], random_side(n, 0.5, seed));
        for bound in [OutputBound::None, OutputBound::Value(bound)] {
            let p = Armc { bound, ..Armc::default() };
            let answer = machine(&p, &gram, &weights).solve(&side, &weights, None).unwrap();
            prop_assert!(answer.converged && answer.gap <= 1e-6, "{}", answer.gap);
            if let OutputBound::Value(b) = bound {
                let top = answer.f().fold(0.0, |top: f64, f| top.max(f.abs()));
                prop_assert!(top <= b * (1.0 + 1e-12), "{top} {b}");
            }
        }
    }

    #[test]
    fn a_free_bound_is_the_best_of_all_fixed_ones(n in 10usize..50, seed in 0u64..10_000) {
        let x = cloud(n, 2, seed);
        let gram = Kernel::Rbf { gamma: 0.2 }.matrix(&x, &x);
        let side = random_side(n, 0.5, seed);
        let weights = vec![1.0; n];
        let solve = |p: &Armc| machine(p, &gram, &weights).solve(&side, &weights, None).unwrap();
        let free = Armc { bound: OutputBound::Free, mu: 0.05, reg: 0.05, ..Armc::default() };
        let found = solve(&free);
        prop_assume!(found.price.is_none());
        for b in [1.0, 1.05, 1.2, 1.5, 2.0, 4.0] {
            let fixed = solve(&Armc { bound: OutputBound::Value(b), ..free.clone() });
            let value = fixed.value + free.mu * b;
            prop_assert!(found.value <= value * (1.0 + 1e-5), "{} {value} at {b}", found.value);
        }
    }
}

#[test]
fn ties_go_to_the_lower_row_and_no_side_is_left_empty() {
    assert_eq!(upper(&[0.0; 4], &[1.0; 4], 2.0), [true, true, false, false]);
    assert_eq!(upper(&[1.0, 2.0], &[1.0; 2], 0.1), [false, true]);
    assert_eq!(upper(&[1.0, 2.0], &[1.0; 2], 1.9), [false, true]);
    // Half a row counts as one; heavy rows come as near as they can.
    assert_eq!(upper(&[3.0, 2.0, 1.0], &[1.0; 3], 1.5), [true, true, false]);
    assert_eq!(upper(&[3.0, 2.0, 1.0], &[1.0, 5.0, 1.0], 2.0), [true, false, false]);
    assert_eq!(Armc::default().balance, Balance::Fraction(0.5));
}

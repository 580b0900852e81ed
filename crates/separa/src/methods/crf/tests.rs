use super::*;
use crate::entropy::{Against, Optimizer, Strengths, objective};
use separa_math::matrix::Dense;
use separa_math::rng::Rng;

/// Sequences of 7, 1 and 5 rows with three columns, of unequal weights.
struct Small {
    x: Dense,
    scaler: Scaler,
    sequences: Sequences,
    weights: Vec<f64>,
}

fn small() -> Small {
    let mut rng = Rng::new(3, 0);
    let x = Dense::from_vec(13, 3, (0..39).map(|_| rng.normal()).collect()).unwrap();
    let scaler = Scaler::centred(&[0.1, -0.2, 0.0], &[1.0, 0.5, 2.0]);
    let sequences = Sequences::new(vec![0..7, 7..8, 8..13]);
    let weights = vec![0.05, 0.15, 0.1];
    Small { x, scaler, sequences, weights }
}

const STIFFNESS: Stiffness = Stiffness { last: 0.02, slope: 3.0, reg: 0.04 };

impl Small {
    fn posterior(&self) -> ChainPosterior<'_> {
        let affine = Affine { rows: &self.x, scaler: &self.scaler, k: 3 };
        ChainPosterior::new(affine, (&self.sequences, &self.weights), STIFFNESS)
    }
}

#[test]
fn the_gradient_of_the_objective_matches_central_differences() {
    let s = small();
    let mut posterior = s.posterior();
    let mut rng = Rng::new(5, 0);
    let w: Vec<f64> = (0..posterior.n_params()).map(|_| rng.normal()).collect();
    assert_eq!(w.len(), 3 * 4 + 9);
    posterior.hold(&w.iter().map(|v| 0.5 * v).collect::<Vec<_>>(), 0.5);
    for (reg, balance, share) in [(0.04, 1.0, 1.0), (0.1, 0.0, 0.1), (0.1, 2.0, 0.5)] {
        for against in [Against::Themselves, Against::Held] {
            let strengths = Strengths { reg, balance, share };
            let mut value = |w: &[f64], grad: &mut [f64]| {
                objective(&mut posterior, w, strengths, against, grad)
            };
            let (mut grad, mut spare) = (vec![0.0; w.len()], vec![0.0; w.len()]);
            value(&w, &mut grad);
            for i in 0..w.len() {
                let mut moved = w.clone();
                moved[i] = w[i] + 1e-5;
                let above = value(&moved, &mut spare);
                moved[i] = w[i] - 1e-5;
                let numeric = (above - value(&moved, &mut spare)) / 2e-5;
                // Rounding over the step and the third derivative times its square.
                let gap = (grad[i] - numeric).abs();
                assert!(gap < 1e-8, "{against:?} {i}: {} instead of {numeric}", grad[i]);
            }
        }
    }
}

#[test]
fn held_labels_cost_their_log_likelihood_and_renyi_entropies_bound_shannon_s() {
    let s = small();
    let mut posterior = s.posterior();
    let w: Vec<f64> = (0..21).map(|i| f64::from(i % 5) * 0.3 - 0.6).collect();
    // T = 0 keeps the best path, whose probability is the largest: Rényi's entropy of order ∞.
    let shannon = posterior.forward(&w, Against::Themselves).loss;
    let mut last = shannon;
    for temperature in [0.9, 0.5, 0.1, 0.0] {
        let renyi = posterior.hold(&w, temperature);
        assert!(renyi < last, "{temperature}: {renyi} above {last}");
        last = renyi;
    }
    let least = posterior.forward(&w, Against::Held).loss;
    assert!((least - last).abs() < 1e-12);
    posterior.hold_labels(&[0, 1, 2, 0, 1, 2, 0, -1, 1, 1, 1, 1, 2]);
    assert!(posterior.forward(&w, Against::Held).loss > least);
}

#[test]
fn em_comes_to_rest_where_the_renyi_objective_has_no_slope() {
    let s = small();
    let mut rng = Rng::new(8, 0);
    let start: Vec<f64> = (0..21).map(|_| rng.normal()).collect();
    for temperature in [0.3, 0.9] {
        // At the last λ, and on the way there, where transitions follow λ.
        for reg in [STIFFNESS.reg, 0.1] {
            let search = Search {
                critical: 1.0 / 6.0,
                strengths: Strengths { reg, balance: 1.0, share: 1.0 },
                optimizer: Optimizer::Em,
                temperature,
                max_iter: 2000,
                tol: 1e-9,
            };
            let mut posterior = s.posterior();
            let found = search.settle(&mut posterior, start.clone(), 0, &mut |_, _| false);
            assert!(found.converged && found.trace.len() > 3, "{:?}", found.trace);
            assert!(found.trace.windows(2).all(|t| t[1] <= t[0]), "{:?}", found.trace);
            for i in 0..21 {
                let mut at = |step: f64| {
                    let mut moved = found.w.clone();
                    moved[i] += step;
                    search.value(&mut posterior, &moved)
                };
                let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
                // A last turn that gains 1e-11 at curvatures near λ leaves slopes of a few 1e-6.
                assert!(slope.abs() < 1e-4, "{temperature} {reg} {i}: {slope}");
            }
        }
    }
}

#[test]
fn no_split_is_stable_above_the_critical_values_and_one_is_below() {
    // Columns as the search sees them: centred, largest variance 1.
    let mut x = Dense::zeros(64, 1);
    (0..64).for_each(|i| x[(i, 0)] = if i / 8 % 2 == 0 { 1.0 } else { -1.0 });
    let scaler = Scaler::identity(1);
    let sequences = Sequences::new(std::iter::once(0..64).collect());
    let weights = [1.0 / 64.0];
    let (k, critical) = (2, 0.25);
    // Steps over rows, over 2k².
    let own = (63.0 / 64.0) / 8.0;
    for (share, stable) in [(1.05, true), (0.95, false)] {
        let stiffness = Stiffness { last: share * own, slope: 0.0, reg: 1.0 };
        let affine = Affine { rows: &x, scaler: &scaler, k };
        let mut posterior = ChainPosterior::new(affine, (&sequences, &weights), stiffness);
        // Emissions alone, then transitions alone, a little away from 0.
        for w in
            [[1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, -1.0, -1.0, 1.0]]
        {
            let w: Vec<f64> = w.iter().map(|v| 1e-3 * v).collect();
            let strengths = Strengths { reg: share * critical, balance: 1.0, share: 1.0 };
            let mut value = |w: &[f64]| {
                objective(&mut posterior, w, strengths, Against::Themselves, &mut [0.0; 8])
            };
            assert_eq!(value(&w) > value(&[0.0; 8]), stable, "{share} {w:?}");
        }
    }
}

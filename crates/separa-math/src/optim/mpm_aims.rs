//! Minimax probability machines whose sides may differ in their worst-case probabilities.
//!
//! Problem   with κᵢ = √(αᵢ/(1−αᵢ)) and wᵀ(μ₁−μ₂) = 1 the pair (α₁, α₂) is reachable where κ₁σ₁ + κ₂σ₂ = 1.
//!           Minimax: α₁ = α₂. Weighted: min max(p₁(1−α₁), p₂(1−α₂)). Accuracy: max p₁α₁ + p₂α₂.
//!           Floor: max α₁ with α₂ given.
//! Given     means and covariances of the sides.      Returns  w, b, both α.
//! Cost      one problem of [`mpm`](super::mpm) for Minimax, about fifty of them for the others.
//! See       Huang, Yang, King, Lyu & Chan (2004), JMLR 5; Huang, Yang, King & Lyu (2004), CVPR.
//!
//! σ₁ and σ₂ are convex in w, so every pair worth having minimises rσ₁ + σ₂ for some r > 0: that is the
//! minimax problem with S₁ times r², and a search over r in one variable is the whole of it.

use super::mpm::{Side, probability, solve};
use crate::error::Result;
use crate::linalg::dot;
use crate::matrix::Dense;

/// What is best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// The smaller of the two probabilities is largest.
    Minimax,
    /// The larger of p₁(1−α₁) and p₂(1−α₂) is least; p₁ + p₂ = 1.
    Weighted([f64; 2]),
    /// p₁α₁ + p₂α₂, with p₁ + p₂ = 1.
    Accuracy([f64; 2]),
    /// α₁, with α₂ at least this.
    Floor(f64),
}

/// A hyperplane wᵀx + b = 0, side 1 where it is ≥ 0, with the worst-case probability of each side.
#[derive(Debug, Clone, PartialEq)]
pub struct MpmBoundary {
    /// Normal of the hyperplane.
    pub w: Vec<f64>,
    /// Its offset.
    pub b: f64,
    /// The worst-case probability of each side.
    pub alpha: [f64; 2],
    /// √wᵀSw of each side, in units of the gap between the means.
    pub sigma: [f64; 2],
}

/// log r at most, and steps of the coarse search on each side of 0.
const REACH: f64 = 5.0;
const STEPS: i32 = 12;

/// The plane; `None` where no plane keeps the floor.
pub fn solve_for(one: Side<'_>, two: Side<'_>, aim: Aim) -> Result<Option<MpmBoundary>> {
    let plain = solve(one, two)?;
    let certain = plain.sigma[0] + plain.sigma[1] == 0.0;
    let minimax = MpmBoundary { alpha: [plain.p(); 2], w: plain.w, b: plain.b, sigma: plain.sigma };
    // Equal means or no variance in between: there is nothing to trade.
    if aim == Aim::Minimax || certain {
        let short = matches!(aim, Aim::Floor(least) if minimax.alpha[1] < least);
        return Ok((!short).then_some(minimax));
    }
    let mut best: Option<(f64, MpmBoundary)> = None;
    let mut look = |t: f64| -> Result<f64> {
        let (value, plane) = at(one, two, aim, t)?;
        if value > best.as_ref().map_or(f64::NEG_INFINITY, |b| b.0) {
            best = plane.map(|plane| (value, plane)).or(best.take());
        }
        Ok(value)
    };
    let mut top = (f64::NEG_INFINITY, 0.0);
    for step in -STEPS..=STEPS {
        let t = REACH * f64::from(step) / f64::from(STEPS);
        let value = look(t)?;
        if value > top.0 {
            top = (value, t);
        }
    }
    // Golden section around the best of the coarse search.
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let width = REACH / f64::from(STEPS);
    let (mut low, mut high) = (top.1 - width, top.1 + width);
    let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut fa, mut fb) = (look(a)?, look(b)?);
    for _ in 0..24 {
        if fa >= fb {
            (high, b, fb) = (b, a, fa);
            a = high - GOLDEN * (high - low);
            fa = look(a)?;
        } else {
            (low, a, fa) = (a, b, fb);
            b = low + GOLDEN * (high - low);
            fb = look(b)?;
        }
    }
    Ok(best.map(|b| b.1))
}

/// The best plane whose direction minimises eᵗσ₁ + σ₂, and what it is worth.
fn at(one: Side<'_>, two: Side<'_>, aim: Aim, t: f64) -> Result<(f64, Option<MpmBoundary>)> {
    let mut scaled: Dense = one.cov.clone();
    let square = (2.0 * t).exp();
    scaled.data_mut().iter_mut().for_each(|v| *v *= square);
    let found = solve(Side { mean: one.mean, cov: &scaled }, two)?;
    let sigma = [found.sigma[0] / t.exp(), found.sigma[1]];
    let (value, kappa) = split(sigma, aim);
    if value == f64::NEG_INFINITY {
        return Ok((value, None));
    }
    let b = kappa[0] * sigma[0] - dot(&found.w, one.mean);
    Ok((value, Some(MpmBoundary { w: found.w, b, alpha: kappa.map(probability), sigma })))
}

/// The best κ₁, κ₂ with κ₁σ₁ + κ₂σ₂ = 1, and their worth.
fn split(sigma: [f64; 2], aim: Aim) -> (f64, [f64; 2]) {
    let [s1, s2] = sigma;
    match aim {
        Aim::Minimax => {
            let kappa = 1.0 / (s1 + s2);
            (kappa, [kappa; 2])
        }
        Aim::Floor(alpha) => {
            let kappa = (alpha / (1.0 - alpha)).sqrt();
            let rest = 1.0 - kappa * s2;
            if rest < 0.0 { (f64::NEG_INFINITY, [0.0; 2]) } else { (rest / s1, [rest / s1, kappa]) }
        }
        Aim::Weighted([p1, p2]) => {
            // u = κ₁σ₁ again: side 1's error falls with it and side 2's rises, so both are equal at the best.
            let errors =
                |u: f64| [p1 / (1.0 + (u / s1).powi(2)), p2 / (1.0 + ((1.0 - u) / s2).powi(2))];
            let (mut low, mut high) = (0.0, 1.0);
            loop {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                let [one, two] = errors(middle);
                if one > two { low = middle } else { high = middle }
            }
            let [one, two] = errors(high);
            (-one.max(two), [high / s1, (1.0 - high) / s2])
        }
        Aim::Accuracy([p1, p2]) => {
            // u = κ₁σ₁, the fraction of the gap that side 1 gets; a few maxima are possible.
            let worth = |u: f64| p1 * probability(u / s1) + p2 * probability((1.0 - u) / s2);
            let grid = |u: f64, step: f64| {
                (-50..=50)
                    .map(|i| (u + step * f64::from(i)).clamp(0.0, 1.0))
                    .map(|u| (worth(u), u))
                    .fold((f64::NEG_INFINITY, 0.5), |best, v| if v.0 > best.0 { v } else { best })
            };
            let mut best = grid(0.5, 0.01);
            for step in [4e-4, 1.6e-5, 6.4e-7, 2.6e-8] {
                best = grid(best.1, step);
            }
            (best.0, [best.1 / s1, (1.0 - best.1) / s2])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{product_nt, quadratic};
    use crate::rng::Rng;
    use proptest::prelude::*;

    fn problem(d: usize, seed: u64) -> ([Vec<f64>; 2], [Dense; 2]) {
        let mut rng = Rng::new(seed, 0);
        let means = [0, 1].map(|_| (0..d).map(|_| 2.0 * rng.normal()).collect());
        let covs = [0, 1].map(|_| {
            let b = Dense::from_vec(d, d + 2, (0..d * (d + 2)).map(|_| rng.normal()).collect());
            let b = b.unwrap();
            product_nt(b.view(), b.view())
        });
        (means, covs)
    }

    /// Both worst-case probabilities of any plane (Marshall & Olkin).
    fn worst(w: &[f64], b: f64, means: &[Vec<f64>; 2], covs: &[Dense; 2]) -> [f64; 2] {
        [(0, 1.0), (1, -1.0)].map(|(k, sign)| {
            let reach: f64 = sign * (dot(w, &means[k]) + b);
            probability(reach.max(0.0) / quadratic(&covs[k], w).sqrt())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn no_plane_nearby_or_anywhere_reaches_more(d in 1usize..6, seed in 0u64..500, p in 0.1f64..0.9) {
            let (means, covs) = problem(d, seed);
            let (one, two) = (Side { mean: &means[0], cov: &covs[0] }, Side { mean: &means[1], cov: &covs[1] });
            let minimax = solve_for(one, two, Aim::Minimax).unwrap().unwrap();
            let floor = 0.8 * minimax.alpha[1];
            let mut rng = Rng::new(seed, 1);
            let aims = [
                Aim::Minimax, Aim::Weighted([p, 1.0 - p]), Aim::Accuracy([p, 1.0 - p]), Aim::Floor(floor),
            ];
            for aim in aims {
                let worth = |a: [f64; 2]| match aim {
                    Aim::Minimax => a[0].min(a[1]),
                    Aim::Weighted([p, q]) => -(p * (1.0 - a[0])).max(q * (1.0 - a[1])),
                    Aim::Accuracy([p, q]) => p * a[0] + q * a[1],
                    Aim::Floor(least) => if a[1] >= least - 1e-9 { a[0] } else { 0.0 },
                };
                let found = solve_for(one, two, aim).unwrap().unwrap();
                let reached = worst(&found.w, found.b, &means, &covs);
                // What is promised is what the plane has, on both sides.
                for k in 0..2 {
                    prop_assert!((reached[k] - found.alpha[k]).abs() < 1e-9, "{:?} {:?}", reached, found.alpha);
                }
                let best = worth(found.alpha);
                prop_assert!(best >= worth(minimax.alpha) - 1e-9);
                for trial in 0..300 {
                    let step = if trial % 2 == 0 { 3.0 } else { 10f64.powf(-3.0 * rng.uniform()) };
                    let size = dot(&found.w, &found.w).sqrt();
                    let w: Vec<f64> = found.w.iter().map(|v| v + step * size * rng.normal()).collect();
                    let ends = [dot(&w, &means[0]), dot(&w, &means[1])];
                    let b = -(ends[0] + (ends[1] - ends[0]) * rng.uniform());
                    // The search in one variable settles to about 1e-5 of its width.
                    prop_assert!(worth(worst(&w, b, &means, &covs)) <= best + 1e-6, "{:?}", aim);
                }
            }
        }
    }

    #[test]
    fn a_floor_at_the_minimax_value_gives_the_minimax_plane_and_a_higher_one_costs_the_other_side()
    {
        let (means, covs) = problem(4, 3);
        let (one, two) =
            (Side { mean: &means[0], cov: &covs[0] }, Side { mean: &means[1], cov: &covs[1] });
        let minimax = solve_for(one, two, Aim::Minimax).unwrap().unwrap();
        let same = solve_for(one, two, Aim::Floor(minimax.alpha[1])).unwrap().unwrap();
        assert!((same.alpha[0] - minimax.alpha[0]).abs() < 1e-7);
        let higher = solve_for(one, two, Aim::Floor(1.1 * minimax.alpha[1])).unwrap().unwrap();
        assert!(higher.alpha[0] < minimax.alpha[0]);
        assert!((higher.alpha[1] - 1.1 * minimax.alpha[1]).abs() < 1e-9);
        assert!(solve_for(one, two, Aim::Floor(0.999_999)).unwrap().is_none());
    }

    #[test]
    fn equal_weights_give_the_minimax_plane_and_others_equal_errors_times_their_weights() {
        let (means, covs) = problem(4, 3);
        let (one, two) =
            (Side { mean: &means[0], cov: &covs[0] }, Side { mean: &means[1], cov: &covs[1] });
        let minimax = solve_for(one, two, Aim::Minimax).unwrap().unwrap();
        let same = solve_for(one, two, Aim::Weighted([0.5; 2])).unwrap().unwrap();
        assert!((0..2).all(|k| (same.alpha[k] - minimax.alpha[k]).abs() < 1e-7));
        assert!((same.b - minimax.b).abs() < 1e-3 * minimax.b.abs());
        // Equal where side 1's whole weight is more than side 2's least error.
        let ratio = 1.0 - 0.5 * minimax.alpha[0];
        let [p, q] = [ratio / (1.0 + ratio), 1.0 / (1.0 + ratio)];
        let rare = solve_for(one, two, Aim::Weighted([p, q])).unwrap().unwrap();
        assert!(rare.alpha[0] < minimax.alpha[0] && rare.alpha[1] > minimax.alpha[1]);
        assert!((p * (1.0 - rare.alpha[0]) - q * (1.0 - rare.alpha[1])).abs() < 1e-12);
        // A side that is next to nothing gives all it has.
        let gone = solve_for(one, two, Aim::Weighted([1e-9, 1.0 - 1e-9])).unwrap().unwrap();
        assert!(gone.alpha[0] < 1e-9 && gone.alpha[1] > rare.alpha[1]);
    }

    #[test]
    fn equal_means_have_nothing_to_trade() {
        let eye = Dense::identity(2);
        let side = Side { mean: &[1.0, 2.0], cov: &eye };
        let same = solve_for(side, side, Aim::Accuracy([0.9, 0.1])).unwrap().unwrap();
        assert_eq!(same.alpha, [0.0; 2]);
        assert!(solve_for(side, side, Aim::Floor(0.5)).unwrap().is_none());
    }
}

//! `variant = "exact"`: projected gradient on Q.

use super::objective::{AlphaProblem, Point};
use super::{Learnt, METHOD, Rows, Watch, uniform};
use crate::error::{Error, Result};
use crate::report::Stop;
use separa_math::linalg::{SymOp, dot};
use separa_math::optim::simplex;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Exact {
    /// λ = ρ·n. Between 0.2 and 0.5; at 0.5 uniform weights are optimal but for the spectral term.
    pub rho: f64,
    /// The weight of the spectral term.
    pub h: f64,
    pub max_iter: usize,
    /// Done when five iterations together lower Q by less than this fraction of it.
    pub tol: f64,
    pub rows: Rows,
    pub seed: u64,
}

impl Default for Exact {
    fn default() -> Self {
        Self { rho: 0.5, h: 1.0, max_iter: 50, tol: 1e-4, rows: Rows::Unit, seed: 0 }
    }
}

/// Halvings of a step before it counts as too short to matter.
const HALVINGS: usize = 30;
/// The fraction of the fall that the slope promises which a step must bring (Armijo).
const ENOUGH: f64 = 1e-4;
/// The fraction of Q below which the fall that a slope promises is lost in rounding.
const FLAT: f64 = 1e-9;
/// Iterations that must bring little before the work is done: next to uniform weights at ρ = ½ the slope
/// is nearly zero, and grows from there.
const WINDOW: usize = 5;

/// Descends on Q of (9″) from uniform weights.
///
/// The weights stay below 2/λ: there S ≥ 0 for every K ≥ 0, so no degree is negative and the values
/// of L are singular values as the paper has it. With λ = ρn uniform weights are well inside.
/// The first step moves no weight by more than 1/n; later ones have the length of Barzilai & Borwein
/// (1988), and all are halved until Q falls enough. So Q never rises.
///
/// With |K| in place of K entries of S may be negative all the same: there a step whose degrees are
/// negative, or sink towards 0 where values of L are without bound, is halved, and the bound from
/// below only makes steps shorter than they need be.
pub(crate) fn learn_exact(
    k: &dyn SymOp,
    held: Option<&dyn SymOp>,
    n_clusters: usize,
    options: &Exact,
    watch: Watch<'_>,
) -> Result<Learnt> {
    let n = k.dim();
    let lambda = options.rho * n as f64;
    if !(options.rho > 0.0 && options.rho <= 1.0) {
        return Err(Error::Param {
            method: METHOD,
            name: "rho",
            expected: "above 0 and at most 1 (0.2 to 0.5 is usual)".into(),
            found: options.rho.to_string(),
        });
    }
    let problem = AlphaProblem::new(k, n_clusters, lambda, options.h, options.seed).held_by(held);
    let start = problem.weigh(uniform(n));
    problem.check(&start)?;
    let mut point = problem.at(start)?;
    let mut trace = vec![point.q];
    let mut gradient = problem.gradient(&point);
    let mut length = first_length(&gradient);
    let stop = loop {
        if trace.len() > options.max_iter {
            break Stop::MaxIter;
        }
        let (next, used) = match step(&problem, &point, &gradient, length)? {
            Step::Taken(next, used) => (*next, used),
            Step::Flat => break Stop::Converged,
            Step::Stuck => break Stop::Stalled,
        };
        let before = std::mem::replace(&mut point, next);
        let slope = std::mem::replace(&mut gradient, problem.gradient(&point));
        length = next_length(&before, &slope, &point, &gradient).unwrap_or(2.0 * used);
        trace.push(point.q);
        if watch(trace.len() - 1, point.q) {
            break Stop::Cancelled;
        }
        let ago = trace.len().checked_sub(WINDOW + 1);
        if ago.is_some_and(|ago| trace[ago] - point.q <= options.tol * point.q.abs().max(1.0)) {
            break Stop::Converged;
        }
    };
    let point = problem.refine(point)?;
    Ok(Learnt::new(point, lambda, options.rows, (trace, stop)))
}

enum Step {
    /// With the length that was used.
    Taken(Box<Point>, f64),
    /// The slope promises no fall worth having.
    Flat,
    /// No step is short enough: the gap μ_c − μ_{c+1} is closed, and Q has a kink here.
    Stuck,
}

/// The first point along the projected gradient where Q is low enough.
fn step(
    problem: &AlphaProblem<'_>,
    from: &Point,
    gradient: &[f64],
    mut length: f64,
) -> Result<Step> {
    let old = &from.weights.alpha;
    for halvings in 0..HALVINGS {
        let mut alpha: Vec<f64> = old.iter().zip(gradient).map(|(a, g)| a - length * g).collect();
        simplex::project(&mut alpha, 2.0 / problem.lambda);
        let moved: f64 = alpha.iter().zip(old).map(|(a, b)| (a - b) * (a - b)).sum();
        let promise: f64 = alpha.iter().zip(old).zip(gradient).map(|((a, b), g)| (b - a) * g).sum();
        if halvings == 0 && promise <= FLAT * from.q.abs().max(1.0) {
            return Ok(Step::Flat);
        }
        let bar = from.q - ENOUGH * moved / length;
        let weights = problem.weigh(alpha);
        // The eigenvalues of L are not negative: without them Q is a bound from below.
        if weights.flat <= bar && problem.sound(&weights, &from.weights) {
            let point = problem.at(weights)?;
            if point.q <= bar && point.q < from.q {
                return Ok(Step::Taken(Box::new(point), length));
            }
        }
        length *= 0.5;
    }
    Ok(Step::Stuck)
}

/// Moves the weight of the steepest slope by 1/n.
fn first_length(gradient: &[f64]) -> f64 {
    let n = gradient.len() as f64;
    let mean = gradient.iter().sum::<f64>() / n;
    let top = gradient.iter().fold(0.0, |top: f64, g| top.max((g - mean).abs()));
    if top > 0.0 { 1.0 / (n * top) } else { 1.0 }
}

/// sᵀs/sᵀy of the last step s and the change y of the gradient, where the curvature is positive.
fn next_length(before: &Point, slope: &[f64], now: &Point, gradient: &[f64]) -> Option<f64> {
    let pairs = now.weights.alpha.iter().zip(&before.weights.alpha);
    let s: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
    let y: Vec<f64> = gradient.iter().zip(slope).map(|(a, b)| a - b).collect();
    let curvature = dot(&s, &y);
    (curvature > 0.0).then(|| dot(&s, &s) / curvature)
}

//! Boundaries from moments: the minimax probability machine in any space of features.

use super::choices::AimChoice;
use super::class_pairs::ClassPair;
use crate::error::Result;
use separa_math::linalg::dot;
use separa_math::matrix::Dense;
use separa_math::moments::Moments;
use separa_math::optim::mpm::Side;
use separa_math::optim::mpm_aims::{Aim, Plane as Found, solve_for};

/// One boundary over some functions of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    pub coef: Vec<f64>,
    pub b: f64,
    /// The worst-case accuracy of each side; none where nothing is promised.
    pub alpha: Option<[f64; 2]>,
    /// A floor was asked for that no boundary keeps.
    pub short: bool,
    /// The solver reached its tolerance.
    pub converged: bool,
}

impl Plane {
    /// The same boundary over the functions that `map` (one feature a row) made the features from.
    pub fn through(mut self, map: &Dense) -> Self {
        let mut coef = vec![0.0; map.cols()];
        for (w, line) in self.coef.iter().zip((0..map.rows()).map(|r| map.row(r))) {
            coef.iter_mut().zip(line).for_each(|(c, m)| *c += w * m);
        }
        self.coef = coef;
        self
    }
}

/// How boundaries are found from moments.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Times the mean variance of the axes, or for `whole` times the sum of their variances.
    pub reg: f64,
    pub whole: bool,
    pub aim: AimChoice,
    pub floor: f64,
    /// Minimax weighs the errors of both sides by their masses.
    pub weighted: bool,
}

/// One boundary for each pair, from the moments of each class and the weight of its rows, which moments of
/// summaries do not know. Values are in standard deviations.
pub fn minimax(
    classes: &[Moments],
    masses: &[f64],
    pairs: &[ClassPair],
    rule: Rule,
) -> Result<Vec<Plane>> {
    let rest = |one: usize| {
        let mut all = Moments::empty(classes[one].d());
        classes.iter().enumerate().filter(|(c, _)| *c != one).for_each(|(_, m)| all.merge(m));
        all
    };
    let solve = |pair: &ClassPair| {
        let others;
        let two = match pair.two {
            Some(two) => &classes[two],
            None => {
                others = rest(pair.one);
                &others
            }
        };
        let other = |c: &usize| pair.side(*c) == Some(false);
        let against: f64 = (0..classes.len()).filter(other).map(|c| masses[c]).sum();
        boundary([&classes[pair.one], two], [masses[pair.one], against], rule)
    };
    use rayon::prelude::*;
    pairs.par_iter().map(solve).collect()
}

fn boundary([one, two]: [&Moments; 2], masses: [f64; 2], rule: Rule) -> Result<Plane> {
    let trace = |m: &Moments| m.variances().iter().sum::<f64>();
    let axes = if rule.whole { 1.0 } else { one.d() as f64 };
    let typical = 0.5 * (trace(one) + trace(two)) / axes;
    // Without any variance the means alone decide, whatever is added.
    let add = if typical > 0.0 { rule.reg * typical } else { 1.0 };
    let covs = [one, two].map(|m| m.covariance_plus(add));
    let sides =
        [Side { mean: one.mean(), cov: &covs[0] }, Side { mean: two.mean(), cov: &covs[1] }];
    let share = masses[0] / (masses[0] + masses[1]);
    let (aim, swapped) = match rule.aim {
        AimChoice::Minimax if rule.weighted => (Aim::Weighted([share, 1.0 - share]), false),
        AimChoice::Minimax => (Aim::Minimax, false),
        AimChoice::Accuracy => (Aim::Accuracy([share, 1.0 - share]), false),
        // The rarer side is the one whose accuracy is raised.
        AimChoice::Biased => (Aim::Floor(rule.floor), masses[0] > masses[1]),
    };
    let [first, second] = if swapped { [sides[1], sides[0]] } else { sides };
    let found = solve_for(first, second, aim)?;
    let short = found.is_none();
    let found = match found {
        Some(found) => found,
        None => solve_for(first, second, Aim::Minimax)?.expect("the minimax plane always exists"),
    };
    Ok(finish(found, swapped, short, [one.mean(), two.mean()]))
}

/// In units of the sum of both standard deviations, side one where it is ≥ 0.
fn finish(found: Found, swapped: bool, short: bool, means: [&[f64]; 2]) -> Plane {
    let Found { w, b, alpha, sigma } = found;
    let total = sigma[0] + sigma[1];
    let scale = if total > 0.0 { 1.0 / total } else { 1.0 } * if swapped { -1.0 } else { 1.0 };
    let alpha = if swapped { [alpha[1], alpha[0]] } else { alpha };
    let coef: Vec<f64> = w.iter().map(|v| v * scale).collect();
    debug_assert!(dot(&coef, means[0]) >= dot(&coef, means[1]));
    Plane { coef, b: b * scale, alpha: Some(alpha), short, converged: true }
}

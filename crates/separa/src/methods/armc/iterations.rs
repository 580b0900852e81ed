//! Algorithm 2 for two sides: machine and labels in turns.

use super::machine::{Answer, HingeProblem};
use crate::context::Ctx;
use crate::error::Result;
use crate::progress::Event;
use crate::report::Stop;

/// Where the iterations came to rest.
#[derive(Debug, Clone)]
pub(super) struct ArmcRun {
    pub answer: Answer,
    /// The labels that the answer was fitted to.
    pub side: Vec<bool>,
    pub iterations: usize,
    pub stop: Stop,
    pub trace: Vec<f64>,
    /// The objective over its [`level`]: 1 says nothing, 0 all.
    pub relative: f64,
}

/// Labels to begin with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Begin {
    pub side: Vec<bool>,
    /// Rows that have a say in the first iteration; all where it is empty.
    pub say: Vec<bool>,
}

/// Iterations until the labels rest. `mass` is what the upper side should weigh.
pub(super) fn run(
    machine: &HingeProblem<'_>,
    begin: Begin,
    mass: f64,
    ctx: &mut Ctx<'_>,
) -> Result<ArmcRun> {
    let max_iter = machine.params.max_iter;
    let Begin { mut side, say } = begin;
    let mut weights = machine.weights.to_vec();
    weights.iter_mut().zip(&say).filter(|(_, say)| !**say).for_each(|(w, _)| *w = 0.0);
    let (mut trace, mut stop) = (Vec::new(), Stop::MaxIter);
    let mut answer: Option<Answer> = None;
    // Rows without a say in the first iteration have one in the next, whether labels change or not.
    let partial = say.contains(&false);
    let mut free = !say.is_empty();
    let (answer, iterations) = loop {
        // M-step.
        let now = machine.solve(&side, &weights, answer.as_ref())?;
        trace.push(now.value);
        let iterations = trace.len();
        // E-step.
        let next = upper(&now.scores, machine.weights, mass);
        let changed = next.iter().zip(&side).filter(|(a, b)| a != b).count();
        let event =
            Event::Iteration { iteration: iterations, max_iter, objective: now.value, changed };
        if ctx.emit(event) {
            stop = Stop::Cancelled;
            break (now, iterations);
        }
        // Rows of different weights may not come to the same balance again: labels that cost more are
        // not taken. The first labels, where they were given, need not be balanced at all.
        let cost = |side: &[bool]| losses(&now, side, machine.weights);
        if (changed == 0 && !(free && partial)) || (!free && cost(&next) >= cost(&side)) {
            stop = Stop::Converged;
            break (now, iterations);
        }
        if iterations == max_iter {
            break (now, iterations);
        }
        side = next;
        if free {
            weights.copy_from_slice(machine.weights);
            free = false;
        }
        answer = Some(now);
    };
    let relative = answer.value / level(&side, machine.weights);
    Ok(ArmcRun { answer, side, iterations, stop, trace, relative })
}

/// The E-step: the rows of largest value, the lower of equals first, until they weigh `mass`; of the two
/// nearest the larger. The labels of least loss with this balance, for max(0, 1 − f) − max(0, 1 + f)
/// falls with f: what switching pairs (13) ends with.
pub(super) fn upper(scores: &[f64], weights: &[f64], mass: f64) -> Vec<bool> {
    let n = scores.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by(|&i, &j| scores[j].total_cmp(&scores[i]).then(i.cmp(&j)));
    let mut side = vec![false; n];
    let mut sum = 0.0;
    // Neither side is left empty.
    for (at, &i) in order.iter().take(n.saturating_sub(1)).enumerate() {
        let next = sum + weights[i];
        if at > 0 && (next - mass) > (mass - sum) * (1.0 + 1e-12) {
            break;
        }
        side[i] = true;
        sum = next;
    }
    side
}

/// Σ wᵢ max(0, 1 − yᵢfᵢ).
fn losses(answer: &Answer, side: &[bool], weights: &[f64]) -> f64 {
    let loss = |((f, up), w): ((f64, &bool), &f64)| w * (1.0 - if *up { f } else { -f }).max(0.0);
    answer.f().zip(side).zip(weights).map(loss).sum()
}

/// What the objective of a split is measured by: four times the product of its sides' weights over their
/// sum, which is all of the weight for halves and the cost of f = ±1, twice the smaller side, is near. One
/// Gaussian cut at any fraction between 0.3 and 0.7 comes to about the same.
pub(super) fn level(side: &[bool], weights: &[f64]) -> f64 {
    let (mut up, mut all) = (0.0, 0.0);
    for (side, w) in side.iter().zip(weights) {
        up += if *side { *w } else { 0.0 };
        all += w;
    }
    4.0 * (up / all) * (all - up)
}

//! More than two clusters: each against all others, together.
//!
//! Problem   min Σ_c [Σᵢ wᵢ max(0, 1 − y_ci f_c(xᵢ)) + λ‖w_c‖²]  over labels, y_c = +1 in cluster c,
//!           with the sizes of the clusters that the initialization has.
//! Returns   labels and functions that rest; the largest f_c labels a row.
//!
//! The E-step switches pairs as (13) does, for two clusters at a time: with their rows sorted by what
//! one label costs more than the other, the first of them get one label and the rest the other. So the
//! objective never rises, as for two clusters.
//!
//! Each machine has its own bias, and nothing makes these comparable: where some cluster's f is the
//! largest for no row, the biases are moved until the clusters have their sizes again.

mod biases;
mod first;
mod switch;

use super::basis::ArmcBasis;
use super::initializations::Part;
use super::iterations::level;
use super::machine::{Answer, HingeInput, HingeProblem};
use super::split::{FEW, Job, SplitFunction, THIN};
use crate::context::Ctx;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::progress::Event;
use crate::report::{InitializationReport, Stop};
use biases::{biases, largest, sizes};
use first::{drawn, first_labels, kept};
use separa_math::kernel::gram_rows::GramRows;
use switch::{switch, told};

/// Labels to begin with; below 0 where a row has none, and so no say in the first iteration.
pub(super) type First = Vec<i32>;

#[derive(Debug)]
pub(super) struct Together {
    pub answers: Vec<Answer>,
    /// What to add to f before the largest is taken.
    pub biases: Vec<f64>,
    /// Other biases than the machines have.
    pub shifted: bool,
    /// A cluster has no row, or less than its part of `min_cluster_size`.
    pub thin: bool,
    pub trace: Vec<f64>,
    pub stop: Stop,
    /// The mean over clusters of the objective over its level.
    pub relative: f64,
}

/// Rules of all clusters, how they were found, and where.
#[derive(Debug)]
pub(super) struct OneVsRest {
    pub rules: Vec<(SplitFunction, f64)>,
    pub together: Together,
    pub initializations: Vec<InitializationReport>,
    /// No label of a random initialization moved.
    pub frozen: bool,
}

pub(super) fn fit(job: &Job<'_>, k: usize, ctx: &mut Ctx<'_>) -> Result<OneVsRest> {
    let all: Vec<usize> = (0..job.table.n()).collect();
    let drawn = drawn(job, k);
    let weights = job.weights(&drawn);
    let gram = job.basis.gram(&drawn);
    let local =
        Part { basis: &job.basis, index: &drawn, weights: &weights, gram: &gram, seed: job.seed };
    let machine = job.machine(HingeInput::Kernel(&gram), &weights);
    let (mut best, initializations) =
        best_of(ctx, first_labels(job, &local, k)?, |ctx, labels| {
            let found = iterate(&machine, labels, k, ctx)?;
            let score = if found.thin { -found.relative - THIN } else { -found.relative };
            Ok(Candidate { score, iterations: found.trace.len(), value: found })
        })?;
    let frozen = !ctx.cancelled() && drawn.len() >= FEW && job.is_frozen(&machine)?;
    let mut among = &drawn;
    if drawn.len() < all.len() && !ctx.cancelled() {
        drop(gram);
        let scores: Vec<Vec<f64>> =
            best.answers.iter().map(|a| job.basis.scores(&all, &drawn, &a.beta)).collect();
        let scores: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let labels = all.iter().map(|&i| largest(&scores, &best.biases, i) as i32).collect();
        best = on_all(job, kept(labels, k), k, ctx)?;
        among = &all;
    }
    let biases = best.biases.iter();
    let rules = best.answers.iter().zip(biases).map(|(a, b)| (job.rule(among, a), *b)).collect();
    Ok(OneVsRest { rules, together: best, initializations, frozen })
}

fn on_all(job: &Job<'_>, labels: First, k: usize, ctx: &mut Ctx<'_>) -> Result<Together> {
    let weights = &job.table.weights;
    match &job.basis {
        ArmcBasis::Features(_, features) => {
            iterate(&job.machine(HingeInput::Features(features.matrix()), weights), labels, k, ctx)
        }
        ArmcBasis::Kernel(rows, kernel) if job.plan.cached => {
            let made = GramRows::new(*kernel, *rows);
            iterate(&job.machine(HingeInput::Kernel(&made), weights), labels, k, ctx)
        }
        _ => {
            let gram = job.basis.gram(&(0..labels.len()).collect::<Vec<_>>());
            iterate(&job.machine(HingeInput::Kernel(&gram), weights), labels, k, ctx)
        }
    }
}

pub(super) fn iterate(
    machine: &HingeProblem<'_>,
    first: First,
    k: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Together> {
    let max_iter = machine.params.max_iter;
    let mut trace = Vec::new();
    let mut answers: Vec<Answer> = Vec::new();
    let mut labels: Vec<u32> = first.iter().map(|l| (*l).max(0) as u32).collect();
    let mut weights = machine.weights.to_vec();
    weights.iter_mut().zip(&first).filter(|(_, l)| **l < 0).for_each(|(w, _)| *w = 0.0);
    let mut free = first.iter().any(|l| *l < 0);
    let stop = loop {
        // M-step, one machine a cluster.
        let mut now = Vec::with_capacity(k);
        for c in 0..k {
            let side: Vec<bool> = labels.iter().map(|l| *l == c as u32).collect();
            now.push(machine.solve(&side, &weights, answers.get(c))?);
        }
        answers = now;
        let objective = answers.iter().map(|a| a.value).sum();
        trace.push(objective);
        // E-step.
        let next =
            if free { told(&answers, &first) } else { switch(&answers, machine.weights, &labels) };
        let changed = next.iter().zip(&labels).filter(|(a, b)| a != b).count();
        let event = Event::Iteration { iteration: trace.len(), max_iter, objective, changed };
        if ctx.emit(event) {
            break Stop::Cancelled;
        }
        if changed == 0 && !free {
            break Stop::Converged;
        }
        if trace.len() == max_iter {
            break Stop::MaxIter;
        }
        labels = next;
        if free {
            weights.copy_from_slice(machine.weights);
            free = false;
        }
    };
    let each = |(c, a): (usize, &Answer)| {
        let side: Vec<bool> = labels.iter().map(|l| *l == c as u32).collect();
        a.value / level(&side, machine.weights)
    };
    let relative = answers.iter().enumerate().map(each).sum::<f64>() / k as f64;
    let (biases, shifted) = biases(&answers, machine.weights, &labels);
    let total: f64 = machine.weights.iter().sum();
    let scores: Vec<&[f64]> = answers.iter().map(|a| &a.scores[..]).collect();
    let least = sizes(&scores, &biases, machine.weights).into_iter().fold(total, f64::min);
    // As a split does of halves.
    let thin = least == 0.0 || least < machine.params.min_cluster_size.rows_of_k(total, k);
    Ok(Together { answers, biases, shifted, thin, trace, stop, relative })
}

//! More than two clusters: each against all others, together.
//!
//! Problem   min Σ_c [Σᵢ wᵢ max(0, 1 − y_ci f_c(xᵢ)) + λ‖w_c‖²]  over labels, y_c = +1 in cluster c,
//!           with the sizes of the clusters that the start has.
//! Returns   labels and functions that rest; the largest f_c labels a row.
//!
//! The E-step switches pairs as (13) does, for two clusters at a time: with their rows sorted by what
//! one label costs more than the other, the first of them get one label and the rest the other. So the
//! objective never rises, as for two clusters.
//!
//! Each machine has its own bias, and nothing makes these comparable: where some cluster's f is the
//! largest for no row, the biases are moved until the clusters have their sizes again.

use super::basis::Basis;
use super::machine::{Answer, Machine, Space};
use super::rounds::{level, upper};
use super::split::{FEW, Job, Rule, THIN};
use super::starts::{Part, spectral_groups};
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::estimator::{Ctx, Init, StartReport, Stop};
use crate::progress::Event;
use crate::start::lloyd::{Limits, Restarts, kmeans};
use separa_math::kernel::gram_rows::GramRows;
use separa_math::matrix::Subset;
use separa_math::rng::Rng;

/// Sweeps over all pairs of clusters at most, and over all biases.
const SWEEPS: usize = 20;
const TURNS: usize = 50;

/// Labels to begin with; below 0 where a row has none, and so no say in the first round.
pub(super) type First = Vec<i32>;

#[derive(Debug)]
pub(super) struct Together {
    pub answers: Vec<Answer>,
    /// What to add to f before the largest is taken.
    pub biases: Vec<f64>,
    /// Other biases than the machines have.
    pub shifted: bool,
    /// A cluster has no row, or less than its part of `min_share`.
    pub thin: bool,
    pub trace: Vec<f64>,
    pub stop: Stop,
    /// The mean over clusters of the objective over its level.
    pub relative: f64,
}

/// Rules of all clusters, how they were found, and where.
#[derive(Debug)]
pub(super) struct Found {
    pub rules: Vec<(Rule, f64)>,
    pub together: Together,
    pub starts: Vec<StartReport>,
    /// No label of a random start moved.
    pub frozen: bool,
}

pub(super) fn fit(job: &Job<'_>, k: usize, ctx: &mut Ctx<'_>) -> Result<Found> {
    let all: Vec<usize> = (0..job.table.n()).collect();
    let drawn = drawn(job, k);
    let weights = job.weights(&drawn);
    let gram = job.basis.gram(&drawn);
    let local =
        Part { basis: &job.basis, index: &drawn, weights: &weights, gram: &gram, seed: job.seed };
    let machine = job.machine(Space::Kernel(&gram), &weights);
    let (mut best, starts) = best_of(ctx, first_labels(job, &local, k)?, |ctx, labels| {
        let found = rounds(&machine, labels, k, ctx)?;
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
    Ok(Found { rules, together: best, starts, frozen })
}

/// The rows that starts are tried on; where labels are given, one of every cluster among them.
fn drawn(job: &Job<'_>, k: usize) -> Vec<usize> {
    let mut drawn = Rng::new(job.seed, 0x7361).sample(job.table.n(), job.plan.sample.max(k));
    if let Init::Labels(labels) = &job.params.init {
        let given = job.table.labels(labels);
        for c in 0..k as i32 {
            if !drawn.iter().any(|&i| given[i] == c) {
                drawn.extend(given.iter().position(|l| *l == c));
            }
        }
        drawn.sort_unstable();
    }
    drawn
}

fn on_all(job: &Job<'_>, labels: First, k: usize, ctx: &mut Ctx<'_>) -> Result<Together> {
    let weights = &job.table.weights;
    match &job.basis {
        Basis::Features(_, features) => {
            rounds(&job.machine(Space::Features(features.matrix()), weights), labels, k, ctx)
        }
        Basis::Kernel(rows, kernel) if job.plan.cached => {
            let made = GramRows::new(*kernel, *rows);
            rounds(&job.machine(Space::Kernel(&made), weights), labels, k, ctx)
        }
        _ => {
            let gram = job.basis.gram(&(0..labels.len()).collect::<Vec<_>>());
            rounds(&job.machine(Space::Kernel(&gram), weights), labels, k, ctx)
        }
    }
}

/// Every cluster keeps a row: those without take the first of the largest.
fn kept(mut labels: First, k: usize) -> First {
    for c in 0..k as i32 {
        if !labels.contains(&c) {
            let mut count = vec![0; k];
            labels.iter().filter(|l| **l >= 0).for_each(|&l| count[l as usize] += 1);
            let largest = (1..k).fold(0, |b, c| if count[c] > count[b] { c } else { b }) as i32;
            let place = labels.iter().position(|l| *l == largest).expect("k is at most n");
            labels[place] = c;
        }
    }
    labels
}

fn first_labels(job: &Job<'_>, local: &Part<'_>, k: usize) -> Result<Vec<(String, First)>> {
    let p = job.params;
    if let Init::Labels(labels) = &p.init {
        let given = job.table.labels(labels);
        let mine = local.index.iter().map(|&i| given[i]).collect();
        return Ok(vec![("given labels".into(), kept(mine, k))]);
    }
    let wants = |name: &str| match &p.init {
        Init::Named(one) => one == name,
        _ => true,
    };
    let mut out: Vec<(String, Vec<u32>)> = Vec::new();
    if wants("spectral") || job.basis.rows().is_none() {
        out.extend(spectral_groups(local, k)?);
    }
    if let Some(rows) = job.basis.rows()
        && (wants("kmeans") || wants("kernel-pca"))
    {
        let own = Subset { rows, index: local.index };
        let limits = Limits { max_iter: 100, tol: 1e-4 };
        let restarts = Restarts { n_init: p.n_init.min(10), limits, seed: job.seed };
        let run = kmeans(&own, Some(local.weights), k, restarts, &mut || false);
        out.push(("k-means".into(), run.labels));
    }
    if wants("random") {
        let mut rng = Rng::new(job.seed, 0x7272);
        let mut labels: Vec<u32> = (0..local.index.len()).map(|i| (i % k) as u32).collect();
        rng.shuffle(&mut labels);
        out.push(("random".into(), labels));
    }
    let signed = |labels: Vec<u32>| labels.into_iter().map(|l| l as i32).collect();
    Ok(out.into_iter().map(|(name, labels)| (name, kept(signed(labels), k))).collect())
}

pub(super) fn rounds(
    machine: &Machine<'_>,
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
    let thin = least == 0.0 || least < machine.params.min_share * total * 2.0 / k as f64;
    Ok(Together { answers, biases, shifted, thin, trace, stop, relative })
}

/// Rows without a label get that of the largest f.
fn told(answers: &[Answer], first: &[i32]) -> Vec<u32> {
    let scores: Vec<&[f64]> = answers.iter().map(|a| &a.scores[..]).collect();
    let biases: Vec<f64> = answers.iter().map(|a| a.b).collect();
    let label = |(i, l): (usize, &i32)| match *l {
        l if l < 0 => largest(&scores, &biases, i) as u32,
        l => l as u32,
    };
    first.iter().enumerate().map(label).collect()
}

/// The function that is the largest for row i, the first of equals.
fn largest(scores: &[&[f64]], biases: &[f64], i: usize) -> usize {
    let value = |c: usize| scores[c][i] + biases[c];
    (1..biases.len()).fold(0, |best, c| if value(c) > value(best) { c } else { best })
}

/// What the rows weigh for which each function is the largest.
fn sizes(scores: &[&[f64]], biases: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; biases.len()];
    weights.iter().enumerate().for_each(|(i, w)| out[largest(scores, biases, i)] += w);
    out
}

/// The biases of the machines; where they leave a cluster without a row, those that give every cluster
/// the weight of its labels, one after the other against all others until none moves.
fn biases(answers: &[Answer], weights: &[f64], labels: &[u32]) -> (Vec<f64>, bool) {
    let scores: Vec<&[f64]> = answers.iter().map(|a| &a.scores[..]).collect();
    let own: Vec<f64> = answers.iter().map(|a| a.b).collect();
    if sizes(&scores, &own, weights).iter().all(|s| *s > 0.0) {
        return (own, false);
    }
    let (k, n) = (own.len(), labels.len());
    let mut wanted = vec![0.0; k];
    labels.iter().zip(weights).for_each(|(l, w)| wanted[*l as usize] += w);
    let mut moved = own;
    for _ in 0..TURNS {
        let before = moved.clone();
        for c in 0..k {
            // By how much f less its bias is above the best of the others: the cluster gets the most.
            let lead = |i: usize| {
                let others = (0..k).filter(|o| *o != c).map(|o| scores[o][i] + moved[o]);
                scores[c][i] - others.fold(f64::NEG_INFINITY, f64::max)
            };
            let lead: Vec<f64> = (0..n).map(lead).collect();
            let inside = upper(&lead, weights, wanted[c]);
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for (lead, inside) in lead.iter().zip(&inside) {
                if *inside {
                    least = least.min(*lead);
                } else {
                    most = most.max(*lead);
                }
            }
            moved[c] = -0.5 * (least + most);
        }
        if moved == before {
            break;
        }
    }
    (moved, true)
}

/// Labels of no larger loss, with the sizes as they are, where no two clusters gain by switching rows.
fn switch(answers: &[Answer], weights: &[f64], labels: &[u32]) -> Vec<u32> {
    let k = answers.len() as u32;
    // What a row costs more inside the cluster than outside.
    let cost: Vec<Vec<f64>> = answers
        .iter()
        .map(|a| a.f().map(|f| (1.0 - f).max(0.0) - (1.0 + f).max(0.0)).collect())
        .collect();
    let mut labels = labels.to_vec();
    for _ in 0..SWEEPS {
        let mut moved = false;
        for a in 0..k {
            for b in a + 1..k {
                let rows: Vec<usize> =
                    (0..labels.len()).filter(|&i| labels[i] == a || labels[i] == b).collect();
                let gain: Vec<f64> =
                    rows.iter().map(|&i| cost[b as usize][i] - cost[a as usize][i]).collect();
                let own: Vec<f64> = rows.iter().map(|&i| weights[i]).collect();
                let is_a = |&i: &usize| labels[i] == a;
                let mass: f64 = rows.iter().filter(|i| is_a(i)).map(|&i| weights[i]).sum();
                let side = upper(&gain, &own, mass);
                let worth = |(r, i): (usize, &usize)| {
                    let change = f64::from(u8::from(side[r])) - f64::from(u8::from(is_a(i)));
                    change * gain[r] * own[r]
                };
                let gained: f64 = rows.iter().enumerate().map(worth).sum();
                if gained > 1e-12 * mass {
                    moved = true;
                    rows.iter().zip(&side).for_each(|(&i, up)| labels[i] = if *up { a } else { b });
                }
            }
        }
        if !moved {
            break;
        }
    }
    labels
}

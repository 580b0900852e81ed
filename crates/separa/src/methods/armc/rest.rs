//! More than two clusters: each against all others, together.
//!
//! Problem   min Σ_c [Σᵢ wᵢ max(0, 1 − y_ci f_c(xᵢ)) + λ‖w_c‖²]  over labels, y_c = +1 in cluster c,
//!           with the sizes of the clusters that the start has.
//! Returns   labels and functions that rest; the largest f_c labels a row.
//!
//! The E-step switches pairs as (13) does, for two clusters at a time: with their rows sorted by what
//! one label costs more than the other, the first of them get one label and the rest the other. So the
//! objective never rises, as for two clusters.

use super::basis::Basis;
use super::machine::{Answer, Machine, Space};
use super::rounds::{level, upper};
use super::split::{Job, Rule};
use super::starts::{Part, spectral_groups};
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::estimator::{Ctx, Init, StartReport, Stop};
use crate::progress::Event;
use crate::start::lloyd::{Limits, Restarts, kmeans};
use separa_math::kernel::gram_rows::GramRows;
use separa_math::matrix::Subset;
use separa_math::rng::Rng;

/// Sweeps over all pairs of clusters at most.
const SWEEPS: usize = 20;

#[derive(Debug)]
pub(super) struct Together {
    pub answers: Vec<Answer>,
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
}

pub(super) fn fit(job: &Job<'_>, k: usize, ctx: &mut Ctx<'_>) -> Result<Found> {
    let all: Vec<usize> = (0..job.table.n()).collect();
    let drawn = Rng::new(job.seed, 0x7361).sample(all.len(), job.plan.sample.max(k));
    let weights = job.weights(&drawn);
    let gram = job.basis.gram(&drawn);
    let local =
        Part { basis: &job.basis, index: &drawn, weights: &weights, gram: &gram, seed: job.seed };
    let machine = job.machine(Space::Kernel(&gram), &weights);
    let (mut best, starts) = best_of(ctx, first_labels(job, &local, k)?, |ctx, labels| {
        let found = rounds(&machine, labels, k, ctx)?;
        Ok(Candidate { score: -found.relative, iterations: found.trace.len(), value: found })
    })?;
    let mut among = &drawn;
    if drawn.len() < all.len() && !ctx.cancelled() {
        drop(gram);
        let scores: Vec<Vec<f64>> =
            best.answers.iter().map(|a| job.basis.scores(&all, &drawn, &a.beta)).collect();
        let value = |c: usize, i: usize| scores[c][i] + best.answers[c].b;
        let first = |i: usize| {
            (1..k).fold(0, |best, c| if value(c, i) > value(best, i) { c } else { best }) as u32
        };
        let labels = kept(all.iter().map(|&i| first(i)).collect(), k);
        best = on_all(job, labels, k, ctx)?;
        among = &all;
    }
    let rules = best.answers.iter().map(|a| (job.rule(among, a), a.b)).collect();
    Ok(Found { rules, together: best, starts })
}

fn on_all(job: &Job<'_>, labels: Vec<u32>, k: usize, ctx: &mut Ctx<'_>) -> Result<Together> {
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
fn kept(mut labels: Vec<u32>, k: usize) -> Vec<u32> {
    for c in 0..k as u32 {
        if !labels.contains(&c) {
            let mut count = vec![0; k];
            labels.iter().for_each(|&l| count[l as usize] += 1);
            let largest = (1..k).fold(0, |b, c| if count[c] > count[b] { c } else { b }) as u32;
            let place = labels.iter().position(|l| *l == largest).expect("k is at most n");
            labels[place] = c;
        }
    }
    labels
}

fn first_labels(job: &Job<'_>, local: &Part<'_>, k: usize) -> Result<Vec<(String, Vec<u32>)>> {
    let p = job.params;
    if let Init::Labels(labels) = &p.init {
        let mut given = vec![0; job.table.n()];
        for (i, place) in job.table.home.iter().enumerate().rev() {
            place.iter().for_each(|&r| given[r] = labels[i].max(0) as u32);
        }
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
    Ok(out.into_iter().map(|(name, labels)| (name, kept(labels, k))).collect())
}

fn rounds(
    machine: &Machine<'_>,
    mut labels: Vec<u32>,
    k: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Together> {
    let max_iter = machine.params.max_iter;
    let mut trace = Vec::new();
    let mut answers: Vec<Answer> = Vec::new();
    let stop = loop {
        // M-step, one machine a cluster.
        let mut now = Vec::with_capacity(k);
        for c in 0..k {
            let side: Vec<bool> = labels.iter().map(|l| *l == c as u32).collect();
            now.push(machine.solve(&side, machine.weights, answers.get(c))?);
        }
        answers = now;
        let objective = answers.iter().map(|a| a.value).sum();
        trace.push(objective);
        // E-step.
        let next = switch(&answers, machine.weights, &labels);
        let changed = next.iter().zip(&labels).filter(|(a, b)| a != b).count();
        let event = Event::Iteration { iteration: trace.len(), max_iter, objective, changed };
        if ctx.emit(event) {
            break Stop::Cancelled;
        }
        if changed == 0 {
            break Stop::Converged;
        }
        if trace.len() == max_iter {
            break Stop::MaxIter;
        }
        labels = next;
    };
    let each = |(c, a): (usize, &Answer)| {
        let side: Vec<bool> = labels.iter().map(|l| *l == c as u32).collect();
        a.value / level(&side, machine.weights)
    };
    let relative = answers.iter().enumerate().map(each).sum::<f64>() / k as f64;
    Ok(Together { answers, trace, stop, relative })
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

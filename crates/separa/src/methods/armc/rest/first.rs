//! The labels that all clusters together begin with.

use super::First;
use crate::error::Result;
use crate::methods::armc::initializations::{Part, spectral_groups};
use crate::methods::armc::split::Job;
use crate::params::Init;
use separa_math::kmeans::{Limits, Restarts, kmeans};
use separa_math::matrix::Subset;
use separa_math::rng::Rng;

/// The rows that initializations are tried on; where labels are given, one of every cluster among them.
pub(super) fn drawn(job: &Job<'_>, k: usize) -> Vec<usize> {
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

pub(super) fn first_labels(
    job: &Job<'_>,
    local: &Part<'_>,
    k: usize,
) -> Result<Vec<(String, First)>> {
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

/// Every cluster keeps a row: those without take the first of the largest.
pub(super) fn kept(mut labels: First, k: usize) -> First {
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

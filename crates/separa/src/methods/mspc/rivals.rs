//! Initializations that end in different clusters of about the same quality.
//!
//! One pair of halves can prefer either (MNIST 3 and 8: errors of 7 % and 22 %, with criteria that differ by less than the
//! seed changes them). So such rivals are judged on more halves, then by their neighbours, and if they are still close a
//! note says that another seed, or other rows, can lead to the other clusters.

use super::starts::Tried;
use crate::context::Ctx;
use crate::error::Result;
use crate::note::{Note, codes};
use crate::report::StartReport;
use crate::start::scaling::Distances;
use crate::start::standardised::Standardised;
use separa_math::distance::Metric;
use separa_math::matrix::Subset;
use separa_math::neighbours::Neighbours;
use separa_math::rng::Rng;
use separa_math::stats::adjusted_rand;

/// The criterion of two initializations differs by less on one pair of halves: more pairs decide.
const CLOSE: f64 = 0.05;
/// Labels that agree more (adjusted Rand index) are the same clusters.
const ALIKE: f64 = 0.95;
/// More halvings, and the difference of mean criteria that they cannot decide.
const HALVINGS: u64 = 3;
const UNSURE: f64 = 0.02;
const STREAM: u64 = 0x7269_0000;
/// Neighbours that are asked then, on so many rows at most, and the difference that they cannot decide.
const NEIGHBOURS: usize = 7;
const ROWS: usize = 2000;
const UNKNOWN: f64 = 0.01;

/// The place of the best, and a note if another is about as good. `starts` get the scores that decided, `space` is where
/// rows have neighbours.
pub(super) fn decide(
    shared: &Standardised<'_>,
    space: Distances<'_>,
    tried: &[Tried],
    best: usize,
    ctx: &Ctx<'_>,
    starts: &mut [StartReport],
) -> Result<(usize, Option<Note>)> {
    let near = |i: &usize| tried[best].score - tried[*i].score < CLOSE;
    let rivals: Vec<usize> = (0..tried.len()).filter(near).collect();
    if rivals.iter().all(|&i| agreement(shared, &tried[i], &tried[best]) >= ALIKE) {
        return Ok((best, None));
    }
    let means = judged(shared, tried, &rivals, ctx.seed)?;
    rivals.iter().zip(&means).for_each(|(&i, mean)| starts[i].score = *mean);
    let top = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let even = rivals.iter().zip(&means).filter(|(_, mean)| top - **mean < UNSURE);
    let even: Vec<usize> = even.map(|(i, _)| *i).collect();
    let known = known(shared, space, tried, &even, ctx.seed)?;
    let first_largest = |a: usize, b: usize| if known[b] > known[a] { b } else { a };
    let winner = (0..even.len()).fold(0, first_largest);
    let chosen = even[winner];
    starts.iter_mut().enumerate().for_each(|(i, start)| start.chosen = i == chosen);
    let close = |r: &usize| known[winner] - known[*r] < UNKNOWN;
    let alike = (0..even.len()).filter(close);
    let alike = alike.map(|r| agreement(shared, &tried[even[r]], &tried[chosen]));
    let least = alike.fold(1.0, f64::min);
    Ok((chosen, (least < ALIKE).then(|| note(least))))
}

/// The mean score of every rival over the first pair of halves and some more.
fn judged(
    shared: &Standardised<'_>,
    tried: &[Tried],
    rivals: &[usize],
    seed: u64,
) -> Result<Vec<f64>> {
    let mut sums: Vec<f64> = rivals.iter().map(|&i| tried[i].criterion).collect();
    for task in 0..HALVINGS {
        let seed = Rng::new(seed, STREAM + task).next_u64();
        let halved = Standardised::new(shared.rows, shared.weights, shared.reg, seed)?;
        for (sum, &i) in sums.iter_mut().zip(rivals) {
            *sum += halved
                .cross_fitted(&tried[i].settled.labels, tried[i].settled.vote.n_clusters())?
                .beyond_null;
        }
    }
    let mean = |(sum, &i): (&f64, &usize)| {
        sum / (1 + HALVINGS) as f64 + tried[i].score - tried[i].criterion
    };
    Ok(sums.iter().zip(rivals).map(mean).collect())
}

/// How much more often than by chance neighbours share their cluster, for each of the rivals.
fn known(
    shared: &Standardised<'_>,
    space: Distances<'_>,
    tried: &[Tried],
    rivals: &[usize],
    seed: u64,
) -> Result<Vec<f64>> {
    if rivals.len() < 2 {
        return Ok(vec![0.0; rivals.len()]);
    }
    let points = space.embedding(shared, &shared.total.covariance(), seed)?.all_points();
    let drawn = Rng::new(seed, STREAM + HALVINGS).sample(shared.order.len(), ROWS);
    let index: Vec<usize> = drawn.into_iter().map(|r| shared.order[r]).collect();
    let rows = Subset { rows: &points, index: &index };
    let nearest = Neighbours::among(Metric::Euclidean, &rows, NEIGHBOURS);
    let of = |&i: &usize| {
        let labels: Vec<u32> = index.iter().map(|&r| tried[i].settled.labels[r]).collect();
        let same = |r: usize| {
            let near = nearest.row(r).0;
            let same = near.iter().filter(|&&o| labels[o as usize] == labels[r]).count();
            same as f64 / near.len().max(1) as f64
        };
        let n = labels.len() as f64;
        let mean = (0..labels.len()).map(same).sum::<f64>() / n;
        let size = |c: u32| labels.iter().filter(|l| **l == c).count() as f64 / n;
        let chance: f64 =
            (0..tried[i].settled.vote.n_clusters() as u32).map(|c| size(c).powi(2)).sum();
        if chance < 1.0 { (mean - chance) / (1.0 - chance) } else { 0.0 }
    };
    Ok(rivals.iter().map(of).collect())
}

/// The adjusted Rand index over the rows that weigh something.
fn agreement(shared: &Standardised<'_>, a: &Tried, b: &Tried) -> f64 {
    let k = a.settled.vote.n_clusters();
    let mut counts = vec![vec![0.0; k]; k];
    let (a, b) = (&a.settled.labels, &b.settled.labels);
    shared.order.iter().for_each(|&i| counts[a[i] as usize][b[i] as usize] += 1.0);
    adjusted_rand(&counts)
}

fn note(alike: f64) -> Note {
    let text = format!(
        "another initialization leads to other clusters (adjusted Rand index {alike:.2}) that are separated about as well, on \
         held-out rows and by their neighbours: another seed, or a few other rows, can give those"
    );
    Note::notice(codes::RIVAL_CLUSTERS, text)
}

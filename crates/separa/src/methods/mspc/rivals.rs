//! Initializations that end in different clusters of about the same quality.
//!
//! One pair of halves can prefer either (MNIST 3 and 8: errors of 7 % and 22 %, with criteria that differ by less than the
//! seed changes them), and what an initialization leads to shows only after its last iteration. So all rivals are iterated
//! to their end. There the criterion, on more halves, and what neighbours know of the clusters decide together; if these
//! are even, too, a note says that another seed, or other rows, can lead to the other clusters.

use super::initializations::Tried;
use super::rule::MspcRule;
use crate::context::Ctx;
use crate::error::Result;
use crate::note::{Note, codes};
use crate::report::{InitializationReport, Report};
use crate::start::scaling::Distances;
use crate::start::standardised::Standardised;
use separa_math::distance::Metric;
use separa_math::neighbours::Neighbours;
use separa_math::rng::Rng;
use separa_math::stats::adjusted_rand;

/// The criterion of two initializations differs by less before the last iterations: both go on.
const CLOSE: f64 = 0.03;
/// Labels that agree more (adjusted Rand index) are the same clusters.
const ALIKE: f64 = 0.95;
/// More halvings of tables with at most so many values; in larger ones one pair of halves is as sure.
const HALVINGS: u64 = 3;
const HALVED: usize = 2 << 20;
const STREAM: u64 = 0x7269_0000;
/// Neighbours that are asked at the end, on so many rows at most.
const NEIGHBOURS: usize = 7;
const ROWS: usize = 2000;
/// The difference of the sums of both judges that decides nothing.
const EVEN: f64 = 0.03;

/// Where an initialization ended.
pub struct End {
    /// Its place among the initializations.
    pub place: usize,
    /// What its kind adds to the criterion, or costs.
    pub lead: f64,
    pub rule: MspcRule,
    pub report: Report,
    pub labels: Vec<u32>,
}

/// The places of the best and of its rivals, each with clusters of its own. In a wide table, where the last iterations cost
/// most, two go on: the clusters of the graph of neighbours (their place is `by_graph`) and the best others.
pub fn of(
    shared: &Standardised<'_>,
    tried: &[Tried],
    best: usize,
    by_graph: Option<usize>,
) -> Vec<usize> {
    let near = |i: &usize| *i == best || tried[best].score - tried[*i].score < CLOSE;
    let mut places: Vec<usize> = (0..tried.len()).filter(near).collect();
    places.sort_by(|&a, &b| tried[b].score.total_cmp(&tried[a].score).then(a.cmp(&b)));
    let mut kept: Vec<usize> = Vec::new();
    for i in places {
        let labels = |r: usize| tried[r].settled.labels.as_slice();
        if kept.iter().all(|&other| agreement(shared, labels(i), labels(other)) < ALIKE) {
            kept.push(i);
        }
    }
    if let Some(graph) = by_graph {
        let other = kept.iter().copied().find(|&i| i != graph);
        kept.retain(|&i| i == graph || Some(i) == other);
    }
    kept
}

/// Which of the ends is the best, and a note if another is about as good. `initializations` get the scores that decided, `space` is
/// where rows have neighbours.
pub fn decide(
    shared: &Standardised<'_>,
    space: Distances<'_>,
    ends: &[End],
    ctx: &Ctx<'_>,
    initializations: &mut [InitializationReport],
) -> Result<(usize, Option<Note>)> {
    let alike = |a: usize, b: usize| agreement(shared, &ends[a].labels, &ends[b].labels);
    if (1..ends.len()).all(|i| alike(i, 0) >= ALIKE) {
        return Ok((0, None));
    }
    let mut sums = judged(shared, ends, ctx.seed)?;
    ends.iter().zip(&sums).for_each(|(end, mean)| initializations[end.place].score = *mean);
    sums.iter_mut()
        .zip(known(shared, space, ends, ctx.seed)?)
        .for_each(|(sum, known)| *sum += known);
    let first_largest = |a: usize, b: usize| if sums[b] > sums[a] { b } else { a };
    let best = (0..ends.len()).fold(0, first_largest);
    initializations
        .iter_mut()
        .enumerate()
        .for_each(|(i, start)| start.chosen = i == ends[best].place);
    let even = (0..ends.len()).filter(|&i| sums[best] - sums[i] < EVEN);
    let least = even.map(|i| alike(i, best)).fold(1.0, f64::min);
    Ok((best, (least < ALIKE).then(|| note(least))))
}

/// The mean score of every end over the first pair of halves and some more.
fn judged(shared: &Standardised<'_>, ends: &[End], seed: u64) -> Result<Vec<f64>> {
    let criterion = |halved: &Standardised<'_>, end: &End| -> Result<f64> {
        Ok(halved.cross_fitted(&end.labels, end.rule.n_clusters())?.beyond_null)
    };
    let first = ends.iter().map(|end| criterion(shared, end));
    let mut sums = first.collect::<Result<Vec<f64>>>()?;
    let values = shared.order.len() * shared.rows.n_cols();
    let more = if values <= HALVED { HALVINGS } else { 0 };
    for task in 0..more {
        let seed = Rng::new(seed, STREAM + task).next_u64();
        let halved = Standardised::new(shared.rows, shared.weights, shared.reg, seed)?;
        for (sum, end) in sums.iter_mut().zip(ends) {
            *sum += criterion(&halved, end)?;
        }
    }
    let mean = |(sum, end): (&f64, &End)| sum / (1 + more) as f64 + end.lead;
    Ok(sums.iter().zip(ends).map(mean).collect())
}

/// How much more often than by chance neighbours share their cluster, for each of the ends.
fn known(
    shared: &Standardised<'_>,
    space: Distances<'_>,
    ends: &[End],
    seed: u64,
) -> Result<Vec<f64>> {
    let drawn = Rng::new(seed, STREAM + HALVINGS).sample(shared.order.len(), ROWS);
    let index: Vec<usize> = drawn.into_iter().map(|r| shared.order[r]).collect();
    let points = space.embedding(shared, &shared.total.covariance(), seed)?.points_at(&index);
    let nearest = Neighbours::among(Metric::Euclidean, &points, NEIGHBOURS);
    let of = |end: &End| {
        let labels: Vec<u32> = index.iter().map(|&r| end.labels[r]).collect();
        let same = |r: usize| {
            let near = nearest.row(r).0;
            let same = near.iter().filter(|&&o| labels[o as usize] == labels[r]).count();
            same as f64 / near.len().max(1) as f64
        };
        let n = labels.len() as f64;
        let mean = (0..labels.len()).map(same).sum::<f64>() / n;
        let size = |c: u32| labels.iter().filter(|l| **l == c).count() as f64 / n;
        let chance: f64 = (0..end.rule.n_clusters() as u32).map(|c| size(c).powi(2)).sum();
        if chance < 1.0 { (mean - chance) / (1.0 - chance) } else { 0.0 }
    };
    Ok(ends.iter().map(of).collect())
}

/// The adjusted Rand index over the rows that weigh something.
fn agreement(shared: &Standardised<'_>, a: &[u32], b: &[u32]) -> f64 {
    let k = 1 + a.iter().chain(b).copied().max().unwrap_or(0) as usize;
    let mut counts = vec![vec![0.0; k]; k];
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

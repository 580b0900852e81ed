//! How similar a new row is to the fitted ones: the graph's own rule, asked for one more row.

use super::similarity::X;
use separa_math::distance::Metric;
use separa_math::kernel::exp::exp;
use separa_math::kernel::mercer::Kernel;
use separa_math::kernel::sums::{weighted_sums, weighted_sums_of};
use separa_math::matrix::{Dense, Rows, Stored, Subset, pick, project};
use separa_math::neighbours::{Neighbours, anchor_weights, express, jaccard};

/// Anchors that a row has.
pub(super) const NEAR: usize = 3;

/// What joins a new row to the fitted rows.
#[derive(Debug, Clone)]
pub(super) enum SimilarityRule {
    /// Its k nearest, those with more weight that would count it among theirs.
    Blend {
        k: usize,
        share: f64,
        scales: Vec<f64>,
    },
    /// Rows that share neighbours with it.
    Shared {
        k: usize,
        lists: Vec<u32>,
        scales: Vec<f64>,
    },
    SelfTuned {
        k: usize,
        scales: Vec<f64>,
    },
    Rbf {
        gamma: f64,
    },
    /// The rows that express it.
    Pursuit {
        most: usize,
    },
    /// Landmarks and what each says about each cluster.
    Anchors {
        anchors: Dense,
        says: Dense,
    },
    /// The columns of the row itself.
    Given,
}

/// Fitted rows, to whom they belong and what they weigh.
pub(super) struct Electorate<'a> {
    /// None where similarities or landmarks replace them.
    pub points: Option<&'a Stored>,
    pub labels: &'a [u32],
    pub alpha: &'a [f64],
    pub k: usize,
}

impl Electorate<'_> {
    /// One row a cluster: αⱼ where row j belongs to it, else 0.
    fn ballots(&self) -> Dense {
        let mut out = Dense::zeros(self.k, self.labels.len());
        for (j, (&l, a)) in self.labels.iter().zip(self.alpha).enumerate() {
            out[(l as usize, j)] = *a;
        }
        out
    }
}

impl SimilarityRule {
    /// Σⱼ αⱼ·s(x, xⱼ) over each cluster, up to a positive factor a row. A row that is similar to
    /// none has one vote for the cluster of the nearest.
    pub fn votes(&self, rows: &dyn Rows, voters: &Electorate<'_>) -> Dense {
        let mut out = match (self, voters.points) {
            (Self::Given, _) => project(rows, voters.ballots().view(), &vec![0.0; voters.k]),
            (Self::Anchors { anchors, says }, _) => by_anchors(rows, anchors, says),
            (Self::Rbf { gamma }, Some(points)) => {
                weighted_sums(Kernel::Rbf { gamma: *gamma }, rows, points, &voters.ballots())
            }
            (Self::SelfTuned { k, scales }, Some(points)) => {
                self_tuned(rows, points, *k, scales, &voters.ballots())
            }
            (Self::Blend { k, share, scales }, Some(points)) => {
                blend(rows, points, *k, *share, scales, voters)
            }
            (Self::Shared { k, lists, scales }, Some(points)) => {
                shared(rows, points, *k, lists, scales, voters)
            }
            (Self::Pursuit { most }, Some(points)) => pursuit(rows, points, *most, voters),
            _ => unreachable!("rules of distances have points"),
        };
        self.rescue(rows, voters, &mut out);
        out
    }

    fn rescue(&self, rows: &dyn Rows, voters: &Electorate<'_>, out: &mut Dense) {
        let none = |i: &usize| out.row(*i).iter().all(|v| *v <= 0.0);
        let lost: Vec<usize> = (0..out.rows()).filter(none).collect();
        let Some(points) = voters.points.filter(|_| !lost.is_empty()) else { return };
        let nearest =
            Neighbours::between(Metric::Euclidean, &Subset { rows, index: &lost }, points, 1);
        for (r, &i) in lost.iter().enumerate() {
            let home = nearest.row(r).0[0] as usize;
            if let Some(&l) = voters.labels.get(home) {
                out.row_mut(i)[l as usize] = 1.0;
            }
        }
    }
}

fn by_anchors(rows: &dyn Rows, anchors: &Dense, says: &Dense) -> Dense {
    let z = anchor_weights(rows, anchors, NEAR);
    let mut out = Dense::zeros(rows.n_rows(), says.cols());
    for i in 0..rows.n_rows() {
        let (places, values) = z.row(i);
        for (&a, v) in places.iter().zip(values).filter(|(a, _)| (**a as usize) < says.rows()) {
            let line = out.row_mut(i).iter_mut().zip(says.row(a as usize));
            line.for_each(|(o, s)| *o += v * s);
        }
    }
    out
}

/// Distance to the last of the list, or where rows coincide the least that is known.
fn scale_of(distances: &[f64], scales: &[f64]) -> f64 {
    let least = || scales.iter().copied().fold(f64::INFINITY, f64::min);
    distances.last().copied().filter(|s| *s > 0.0).unwrap_or_else(least)
}

fn self_tuned(
    rows: &dyn Rows,
    points: &Stored,
    k: usize,
    scales: &[f64],
    ballots: &Dense,
) -> Dense {
    let nearest = Neighbours::between(Metric::Euclidean, rows, points, k);
    let own: Vec<f64> = (0..rows.n_rows()).map(|i| scale_of(nearest.row(i).1, scales)).collect();
    weighted_sums_of(Metric::SqEuclidean, rows, points, ballots, &|i, cols, values| {
        let line = values.iter_mut().zip(&scales[cols]);
        line.for_each(|(v, s)| *v = -*v / (own[i] * s));
        exp(values);
    })
}

fn blend(
    rows: &dyn Rows,
    points: &Stored,
    k: usize,
    share: f64,
    scales: &[f64],
    voters: &Electorate<'_>,
) -> Dense {
    let nearest = Neighbours::between(Metric::Euclidean, rows, points, k);
    let mut out = Dense::zeros(rows.n_rows(), voters.k);
    for i in 0..rows.n_rows() {
        let (places, distances) = nearest.row(i);
        let own = scale_of(distances, scales);
        let power = |(j, d): (&u32, &f64)| match scales.get(*j as usize) {
            Some(s) => -d * d / (own * s),
            None => f64::NEG_INFINITY,
        };
        let powers: Vec<f64> = places.iter().zip(distances).map(power).collect();
        // Less the largest: far from all rows the fractions still tell.
        let top = powers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for ((&j, d), p) in places.iter().zip(distances).zip(&powers) {
            let Some((&l, s)) = voters.labels.get(j as usize).zip(scales.get(j as usize)) else {
                continue;
            };
            // The row would be among the neighbours of row j.
            let mutual = if d <= s { 1.0 } else { 0.0 };
            out[(i, l as usize)] += (share + mutual) * (p - top).exp() * voters.alpha[j as usize];
        }
    }
    out
}

fn shared(
    rows: &dyn Rows,
    points: &Stored,
    k: usize,
    lists: &[u32],
    scales: &[f64],
    voters: &Electorate<'_>,
) -> Dense {
    let nearest = Neighbours::between(Metric::Euclidean, rows, points, k);
    let mut out = Dense::zeros(rows.n_rows(), voters.k);
    for i in 0..rows.n_rows() {
        let (places, distances) = nearest.row(i);
        let mut own = places.to_vec();
        own.sort_unstable();
        for (&j, d) in places.iter().zip(distances) {
            let j = j as usize;
            let Some(s) = scales.get(j) else { continue };
            let mutual = if d <= s { 1.0 } else { 0.0 };
            let weight = (X + mutual) * jaccard(&own, &lists[j * k..(j + 1) * k]);
            out[(i, voters.labels[j] as usize)] += weight * voters.alpha[j];
        }
    }
    out
}

fn pursuit(rows: &dyn Rows, points: &Stored, most: usize, voters: &Electorate<'_>) -> Dense {
    let all: Vec<usize> = (0..points.n_rows()).collect();
    let points = pick(points, &all);
    let mut out = Dense::zeros(rows.n_rows(), voters.k);
    let mut row = vec![0.0; rows.n_cols()];
    for i in 0..rows.n_rows() {
        rows.copy_row(i, &mut row);
        let found = express(&row, &points, most, &|_| false);
        for (&j, v) in found.places.iter().zip(&found.values) {
            let l = voters.labels[j as usize] as usize;
            out[(i, l)] += v.abs() * voters.alpha[j as usize];
        }
    }
    out
}

//! Do the neighbours of a row know its cluster? The discriminative
//! principle of Yang & Li (2022) as a judge.
//!
//! Every row is voted on by its nearest neighbours, itself left out: v is the label with the most weight among them. Near is
//! what is near along the principal axes of z-scored columns, half-whitened: an axis of variance λ counts as one of √λ.
//! (I(label; v) − E) / (√(H ln k) − E), H the entropy of the labels and E the mean for labels at random, is 1 if neighbours
//! always know and clusters are of equal size, 0 for one cluster and, on average, for labels at random, however many.
//! Clusters can have any shape; small ones gain little, so that a few outliers against the rest are worth little. It chooses
//! between labellings with the same number of clusters; it is no test: a single Gaussian that is split in two scores well, too.

use super::columns::standardise;
use super::groups::{Groups, UNJUDGED_BAGS};
use crate::data::Dataset;
use crate::error::{Error, Result};
use separa_math::distance::Metric;
use separa_math::kernel::principal::PrincipalAxes;
use separa_math::matrix::{Dense, pick};
use separa_math::neighbours::{Graph, Join, Neighbours, Weight};
use separa_math::rng::Rng;
use separa_math::scaling::Scaler;
use separa_math::stats::VoteTable;

/// Neighbours that vote; mutual ones count eleven times as much.
const VOTERS: usize = 5;
/// The power of an axis's variance that it is divided by.
const HALF_WHITENED: f64 = 0.25;
const BLEND: Join = Join::Blend { share: 0.1 };
/// Multiplications that the neighbours may cost; more rows are sampled, at most and at least so many.
const EFFORT: f64 = 4e9;
const MOST: f64 = 4000.0;
const LEAST: f64 = 200.0;
/// The stream of the sample.
const STREAM: u64 = 0x766f;

/// Rows and their nearest neighbours, to judge any number of labellings by.
#[derive(Debug, Clone)]
pub struct Neighbourhood {
    /// The rows that are looked at.
    index: Vec<usize>,
    graph: Graph,
}

impl Neighbourhood {
    /// Cost: n²d/2 multiplications at most for the n rows that are looked at: at most 4,000, fewer of wide tables.
    pub fn new(data: &Dataset<'_>, seed: u64) -> Result<Self> {
        if data.bags().is_some() {
            return Err(Error::NotJudged { why: UNJUDGED_BAGS.into() });
        }
        let used: Vec<usize> = (0..data.n()).filter(|i| data.weight(*i) > 0.0).collect();
        let most = (EFFORT / data.d() as f64).sqrt().clamp(LEAST, MOST) as usize;
        let drawn = Rng::new(seed, STREAM).sample(used.len(), most);
        let index: Vec<usize> = drawn.into_iter().map(|i| used[i]).collect();
        let groups = Groups::of(&vec![0; data.n()], data.weights());
        let mut scaler = standardise(data.x(), data.weights(), &groups, usize::MAX).scaler;
        scaler.weigh_features(data.features());
        let rows = pick(&scaler.view(data.x()), &index);
        let nearest = Neighbours::among(Metric::Euclidean, &half_whitened(rows, seed)?, VOTERS);
        let graph = Graph::new(&nearest, Weight::SelfTuning { neighbour: VOTERS }, BLEND);
        Ok(Self { index, graph })
    }

    /// [`VoteTable::adjusted`]: 1 at most, about 0 for labels at random. `k` is the number of clusters that were asked
    /// for: those that are missing count against the labels. Rows with a negative label are left out.
    pub fn score(&self, labels: &[i32], k: usize) -> f64 {
        let own: Vec<i32> = self.index.iter().map(|i| labels[*i]).collect();
        let vote = |i: usize, weight: &mut [f64]| {
            weight.fill(0.0);
            let range = self.graph.indptr[i]..self.graph.indptr[i + 1];
            let edges = self.graph.indices[range.clone()].iter().zip(&self.graph.values[range]);
            for (j, w) in edges.filter(|(j, _)| own[**j as usize] >= 0) {
                weight[own[*j as usize] as usize] += w;
            }
        };
        VoteTable::new(&own, |_| 1.0, k, vote).adjusted()
    }
}

/// Rows along their principal axes. Rows without columns are as they are.
fn half_whitened(rows: Dense, seed: u64) -> Result<Dense> {
    if rows.cols() == 0 {
        return Ok(rows);
    }
    let axes = PrincipalAxes::of(&rows, None, &Scaler::identity(rows.cols()), seed)?;
    Ok(axes.whiten(&rows, HALF_WHITENED))
}

/// [`Neighbourhood::score`] of one labelling, for as many clusters as it has.
pub fn separation_score(data: &Dataset<'_>, labels: &[i32], seed: u64) -> Result<f64> {
    // Refuses labels that are not one a row.
    let k = Groups::new(data, labels)?.k();
    Ok(if k < 2 { 0.0 } else { Neighbourhood::new(data, seed)?.score(labels, k) })
}

//! The scaling of columns: standard or contraharmonic, chosen without labels.
//!
//! Problem   both scalings are free of units; which one separates this table's clusters better?
//! Given     a sample of the rows and the number of clusters.
//! Returns   standard, if the clusters of contraharmonic columns show in few columns beside those that made them
//!           ([`shown`]), or if those of standard columns are clearer on held-out rows (J, the held-out criterion
//!           of [`Standardised::cross_fitted`]) and steadier (the agreement of two halves), the two leads added:
//!           [`leads`]; else contraharmonic.
//! Cost      k-means in 32 principal directions and a few iterations of pairwise minimax machines for each
//!           scaling, on at most [`ROWS`] rows.
//!
//! The contraharmonic scale wins on pixels, counts and codes, where a standard deviation blows up rare values; the
//! standard one on rare clusters and beside balanced two-valued noise. Two coins that were tossed for every row make
//! four clusters that are as clear and as steady as any; no other column knows of them, and that tells them from
//! clusters. `benchmarks/scaling.py` measures all three.

use super::embedding::Embedding;
use super::halves::{ByKMeans, halves};
use super::iterations;
use super::span::Span;
use super::standardised::Standardised;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::note::{Note, codes};
use crate::params::Scaling;
use crate::progress::Event;
use rayon::prelude::*;
use separa_math::kmeans::Tally;
use separa_math::matrix::{Dense, Rows, Stored};
use separa_math::moments::Moments;
use separa_math::rng::Rng;
use separa_math::scaling::{RobustFit, Scaler, variances};
use separa_math::stats::adjusted_rand;
use std::borrow::Cow;
use std::collections::HashMap;

/// Rows, and values in all, on which scalings are tried.
const ROWS: usize = 2000;
const VALUES: usize = 2 << 20;
/// Restarts of k-means, iterations, and the tolerance of a trial.
const RESTARTS: usize = 3;
const ITERATIONS: usize = 15;
const TOLERANCE: f64 = 0.001;
/// Clusters of contraharmonic columns must show in other columns at least this many times as much as those of standard
/// ones do: 0.3 to 0.9 do equally well on mixtures and on real tasks.
const SHOWN: f64 = 0.7;
/// What standard columns must lead by: J counts twice, because it is the steadier number, and the agreement of halves
/// once. 0.05 to 0.15 do equally well on mixtures and on real tasks.
const LEAD: f64 = 0.05;
/// Halvings of the rows at most, and how many are made before it is asked whether they have decided.
const HALVINGS: u64 = 16;
const TOGETHER: u64 = 4;
/// The stream of the halves.
const STREAM: u64 = 0x6167_0000;
/// Criteria that differ by less are of the same clusters.
const SAME: f64 = 1e-6;
/// A fitted scaler, and what the user should know about it.
#[derive(Debug)]
pub struct FittedScaling {
    pub scaler: Scaler,
    pub note: Option<Note>,
}

/// The scaler that `scaling` asks for, for methods that see distances; none where the table stays as it is.
pub fn fit(
    data: &Dataset<'_>,
    scaling: Scaling,
    k: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<FittedScaling>> {
    let (contraharmonic, note) = match scaling {
        Scaling::None => return Ok(None),
        Scaling::Standard => (false, None),
        Scaling::Contraharmonic => (true, None),
        Scaling::Auto => {
            let choice = choose(data, k, ctx)?;
            (choice.contraharmonic(), Some(choice.note()))
        }
    };
    let weights = row_weights(data);
    let mut scaler = Scaler::unit_free(data.x(), weights.as_deref(), contraharmonic, ctx.seed);
    scaler.weigh_features(data.features());
    Ok(Some(FittedScaling { scaler, note }))
}

/// What was tried, and how it went: (standard, contraharmonic).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    /// There was nothing to try it on.
    Untried,
    /// Both lead to the same clusters.
    Same,
    /// How far the clusters show in columns that did not make them: too little by contraharmonic ones.
    Unseen { shown: (f64, f64) },
    /// The held-out criterion, and the agreement of two halves.
    Judged { j: (f64, f64), agreement: (f64, f64) },
}

impl Choice {
    pub fn contraharmonic(self) -> bool {
        match self {
            Self::Untried | Self::Same => true,
            Self::Unseen { .. } => false,
            Self::Judged { j, agreement } => !leads(j.0 - j.1, agreement.0 - agreement.1),
        }
    }

    pub fn scaling(self) -> Scaling {
        if self.contraharmonic() { Scaling::Contraharmonic } else { Scaling::Standard }
    }

    /// Which scaling was chosen, and why.
    pub fn note(self) -> Note {
        let (word, other) = match self.contraharmonic() {
            true => (Scaling::Contraharmonic.name(), Scaling::Standard.name()),
            false => (Scaling::Standard.name(), Scaling::Contraharmonic.name()),
        };
        let why = match self {
            Self::Untried => "there were too few rows or clusters to try both".to_owned(),
            Self::Same => "both lead to the same clusters".to_owned(),
            Self::Unseen { shown } => format!(
                "columns that did not make the clusters know {:.2} of them ({other} {:.2})",
                shown.0, shown.1
            ),
            Self::Judged { j, agreement } => {
                let order = |(a, b): (f64, f64)| if word == "standard" { (a, b) } else { (b, a) };
                let ((a, b), (own, others)) = (order(j), order(agreement));
                format!(
                    "held-out log separability {a:.2} ({other} {b:.2}), agreement of two halves {own:.2} \
                     ({other} {others:.2})"
                )
            }
        };
        Note::notice(codes::SCALING_CHOSEN, format!("scaling auto chose {word}: {why}"))
    }
}

/// One weight per row of the table: bags give theirs to their rows.
fn row_weights<'a>(data: &Dataset<'a>) -> Option<Cow<'a, [f64]>> {
    let weights = data.weights()?;
    let Some(bags) = data.bags() else { return Some(weights.into()) };
    let each = bags.iter().zip(weights);
    Some(each.flat_map(|(bag, w)| std::iter::repeat_n(*w, bag.len())).collect())
}

/// Tries both scalings on a seeded sample of the rows.
pub fn choose(data: &Dataset<'_>, k: usize, ctx: &mut Ctx<'_>) -> Result<Choice> {
    ctx.emit(Event::Phase { name: "choosing a scaling" });
    let (x, weights) = (data.x(), row_weights(data));
    let most = (VALUES / x.cols()).clamp(256, ROWS);
    let weighty: Vec<usize> =
        (0..x.rows()).filter(|&i| weights.as_ref().is_none_or(|w| w[i] > 0.0)).collect();
    // Each half needs a few rows per cluster.
    if k < 2 || weighty.len().min(most) < 8 * k {
        return Ok(Choice::Untried);
    }
    let drawn = Rng::new(ctx.seed, 0x7363).sample(weighty.len(), most);
    let index: Vec<usize> = drawn.into_iter().map(|r| weighty[r]).collect();
    let sample = Stored::of(&x, &index);
    let weights: Option<Vec<f64>> = weights.map(|w| index.iter().map(|&i| w[i]).collect());
    let fit = RobustFit::of(sample.matrix(), weights.as_deref(), true, ctx.seed);
    if fit.scaler.columns.is_empty() {
        return Ok(Choice::Untried);
    }
    let weights = without(weights.as_deref(), index.len(), &fit.outliers);
    let ratio = fit.contraharmonic(sample.matrix(), weights.as_deref());
    let mut scaler = fit.scaler;
    scaler.weigh_features(data.features());
    // Iterations of a trial are none of the fit: they are not told.
    let mut quiet = Ctx::new(ctx.seed);
    let sample = data.rescaled(sample.matrix());
    try_both(&scaler, &ratio, &sample, weights.as_deref(), k, &mut quiet)
}

/// Weights with 0 for outliers; none where every row counts once.
pub fn without(weights: Option<&[f64]>, n: usize, outliers: &[usize]) -> Option<Vec<f64>> {
    if outliers.is_empty() {
        return weights.map(<[f64]>::to_vec);
    }
    let mut weights = weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
    outliers.iter().for_each(|&i| weights[i] = 0.0);
    Some(weights)
}

fn try_both(
    scaler: &Scaler,
    ratio: &[f64],
    sample: &Dataset<'_>,
    weights: Option<&[f64]>,
    k: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Choice> {
    let standard = scaler.copy(sample.x());
    let features: Vec<usize> = scaler
        .columns
        .iter()
        .map(|c| sample.features().map_or(c.source, |f| f[c.source]))
        .collect();
    let seen = |labels: &[u32]| shown(&standard, weights, &features, labels, k);
    if standard.n_cols() <= standard.n_rows() {
        let rows = Standardised::new(&standard, weights, 1.0, ctx.seed)?;
        return compare(&rows, Distances::Lengths(ratio), k, seen, ctx);
    }
    let mut other = scaler.clone();
    other.stretch_each(ratio);
    let (own, other) = (Span::of(&standard)?, Span::of(&other.copy(sample.x()))?);
    let rows = Standardised::new(&own.coordinates, weights, 1.0, ctx.seed)?;
    compare(&rows, Distances::Rows(&other.coordinates), k, seen, ctx)
}

fn compare(
    rows: &Standardised<'_>,
    contraharmonic: Distances<'_>,
    k: usize,
    seen: impl Fn(&[u32]) -> f64,
    ctx: &mut Ctx<'_>,
) -> Result<Choice> {
    let cov = rows.total.covariance();
    let points = |distances: Distances<'_>| -> Result<Dense> {
        Ok(distances.embedding(rows, &cov, ctx.seed)?.all_points())
    };
    let (standard, contraharmonic) = (points(Distances::Standard)?, points(contraharmonic)?);
    let (weights, seed) = (rows.weights, ctx.seed);
    let by = |rows| ByKMeans { rows, weights, k, n_init: RESTARTS, seed };
    let both = (by(&standard), by(&contraharmonic));
    let all = &rows.order;
    let starts = (both.0.labels(all), both.1.labels(all));
    let shown = (seen(&starts.0), seen(&starts.1));
    if shown.1 < SHOWN * shown.0 {
        return Ok(Choice::Unseen { shown });
    }
    let criterion = |start: Vec<u32>, ctx: &mut Ctx<'_>| -> Result<f64> {
        let settled = iterations::improve(rows, start, k, ITERATIONS, TOLERANCE, ctx)?;
        Ok(rows.cross_fitted(&settled.labels, k)?.mean_log)
    };
    let j = (criterion(starts.0, ctx)?, criterion(starts.1, ctx)?);
    if (j.0 - j.1).abs() < SAME {
        return Ok(Choice::Same);
    }
    let mut each: Vec<(f64, f64)> = Vec::new();
    while (each.len() as u64) < HALVINGS && (each.is_empty() || !decided(j.0 - j.1, &each)) {
        let next = each.len() as u64;
        let halved = |task: u64| {
            let half = |places: Vec<usize>| places.into_iter().map(|r| all[r]).collect::<Vec<_>>();
            let (first, second) = halves(all.len(), &mut Rng::new(seed, STREAM + task));
            let (first, second) = (half(first), half(second));
            let agree = |by: ByKMeans<'_>| agreement(&by.labels(&first), &by.labels(&second), k);
            (agree(both.0), agree(both.1))
        };
        let more: Vec<(f64, f64)> = (next..next + TOGETHER).into_par_iter().map(halved).collect();
        each.extend(more);
    }
    Ok(Choice::Judged { j, agreement: mean(&each) })
}

/// Whether standard columns lead by enough, in J and in agreement.
fn leads(j: f64, agreement: f64) -> bool {
    2.0 * j + agreement > LEAD
}

fn mean(each: &[(f64, f64)]) -> (f64, f64) {
    let n = each.len() as f64;
    (each.iter().map(|a| a.0).sum::<f64>() / n, each.iter().map(|a| a.1).sum::<f64>() / n)
}

/// Whether three standard errors of the agreement's lead more, or fewer, would change nothing.
fn decided(j: f64, each: &[(f64, f64)]) -> bool {
    let (standard, contraharmonic) = mean(each);
    let (lead, n) = (standard - contraharmonic, each.len() as f64);
    let squares: f64 = each.iter().map(|a| (a.0 - a.1 - lead).powi(2)).sum();
    let error = 3.0 * (squares / (n * (n - 1.0))).sqrt();
    leads(j, lead - error) == leads(j, lead + error)
}

/// How far clusters show in the columns that did not make them: the part of a feature's variance that lies between
/// clusters (less what chance gives), summed over all features but the k − 1 that have most of it.
fn shown(
    rows: &dyn Rows,
    weights: Option<&[f64]>,
    features: &[usize],
    labels: &[u32],
    k: usize,
) -> f64 {
    let (sizes, means) = Tally::of(rows, weights, labels, k).means();
    let n: f64 = sizes.iter().sum();
    let whole = Tally::of(rows, weights, &vec![0; labels.len()], 1).means().1;
    let (whole, spread) = (whole.row(0), variances(rows, weights, 1.0));
    let mut parts: HashMap<usize, f64> = HashMap::new();
    for (j, feature) in features.iter().enumerate() {
        let between = |c: usize| sizes[c] / n * (means[(c, j)] - whole[j]).powi(2);
        let part: f64 = (0..k).filter(|&c| sizes[c] > 0.0).map(between).sum::<f64>() / spread[j];
        let most = parts.entry(*feature).or_insert(0.0);
        *most = most.max(part - (k - 1) as f64 / (n - 1.0));
    }
    let mut parts: Vec<f64> = parts.into_values().collect();
    parts.sort_unstable_by(f64::total_cmp);
    parts.iter().rev().skip(k - 1).sum()
}

/// Where the distances of an initialization are taken.
#[derive(Debug, Clone, Copy)]
pub enum Distances<'a> {
    /// Among standardised rows.
    Standard,
    /// Among standardised rows whose columns have these lengths.
    Lengths(&'a [f64]),
    /// Among other rows, in coordinates that keep their distances.
    Rows(&'a Dense),
}

impl<'a> Distances<'a> {
    /// The leading directions of the rows that weigh something; `cov` is the covariance of standardised rows.
    pub fn embedding(
        self,
        shared: &Standardised<'a>,
        cov: &Dense,
        seed: u64,
    ) -> Result<Embedding<'a>> {
        let (rows, weights) = (shared.rows, shared.weights);
        let order = shared.order.as_slice();
        match self {
            Self::Standard => Embedding::new(rows, order, weights, cov, None, seed),
            Self::Lengths(lengths) => {
                Embedding::new(rows, order, weights, cov, Some(lengths), seed)
            }
            Self::Rows(table) => {
                let cov = Moments::of(table, weights).covariance();
                Embedding::new(table, order, weights, &cov, None, seed)
            }
        }
    }
}

/// Hubert and Arabie's adjusted Rand index of two labellings with labels below `k`.
fn agreement(a: &[u32], b: &[u32], k: usize) -> f64 {
    let mut counts = vec![vec![0.0; k]; k];
    a.iter().zip(b).for_each(|(&a, &b)| counts[a as usize][b as usize] += 1.0);
    adjusted_rand(&counts)
}

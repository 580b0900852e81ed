//! The scaling of columns: standard or contraharmonic, chosen without labels.
//!
//! Problem   both scalings are free of units; which one separates this table's clusters better?
//! Given     a sample of the rows and the number of clusters.
//! Returns   contraharmonic, unless the clusters of standard columns are clearer on held-out rows (J, the
//!           cross-fitted criterion of [`Standardised::cross_fitted`]) and two halves of the rows agree better
//!           on them: the two leads, added, must pass [`LEAD`].
//! Cost      k-means in 32 principal directions and a few iterations of pairwise minimax machines for each
//!           scaling, on at most [`ROWS`] rows.
//!
//! The contraharmonic scale wins on pixels, counts and codes, where a standard deviation blows up rare values; the
//! standard one on rare clusters and beside balanced two-valued noise. `benchmarks/scaling.py` measures both.

use super::embedding::Embedding;
use super::rounds;
use super::span::Span;
use super::standardised::Standardised;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::note::{Note, codes};
use crate::params::Scaling;
use crate::progress::Event;
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored};
use separa_math::moments::Moments;
use separa_math::rng::Rng;
use separa_math::scaling::{RobustFit, Scaler};
use std::borrow::Cow;

/// Rows, and values in all, on which scalings are tried.
const ROWS: usize = 2000;
const VALUES: usize = 2 << 20;
/// Restarts of k-means, iterations, and the tolerance of a trial.
const RESTARTS: usize = 3;
const ITERATIONS: usize = 15;
const TOLERANCE: f64 = 0.001;
/// Differences of the cross-fitted criterion below this are noise: contraharmonic wins.
pub const TIE: f64 = 0.01;
/// What standard columns must lead by, criterion and agreement together. J alone is taken in by balanced two-valued
/// noise, and agreement by coarse clusters; on mixtures and real tasks alike 0.02 to 0.15 do equally well, and larger
/// leads keep what contraharmonic columns win on pixels.
const LEAD: f64 = 0.15;
/// Criteria that differ by less are of the same clusters.
const SAME: f64 = 1e-6;
/// Rows that halves are drawn from.
const HALVED: usize = 2000;

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
    if let Some(features) = data.features() {
        scaler.weigh_features(features);
    }
    Ok(Some(FittedScaling { scaler, note }))
}

/// What was tried, and how it went: (standard, contraharmonic).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    /// There was nothing to try it on.
    Untried,
    /// Both lead to the same clusters.
    Same,
    /// The cross-fitted criterion, and the agreement of two halves.
    Judged { j: (f64, f64), agreement: (f64, f64) },
}

impl Choice {
    /// From the criteria `j` of the two; `contraharmonic` is where that scaling takes its distances.
    pub fn of(
        rows: &Standardised<'_>,
        contraharmonic: Distances<'_>,
        cov: &Dense,
        j: (f64, f64),
        k: usize,
        seed: u64,
    ) -> Result<Self> {
        if (j.0 - j.1).abs() < SAME {
            return Ok(Self::Same);
        }
        let agreement = (
            agreement(rows, Distances::Standard, cov, k, seed)?,
            agreement(rows, contraharmonic, cov, k, seed)?,
        );
        Ok(Self::Judged { j, agreement })
    }

    pub fn contraharmonic(self) -> bool {
        match self {
            Self::Untried | Self::Same => true,
            Self::Judged { j, agreement } => (j.0 - j.1) + (agreement.0 - agreement.1) <= LEAD,
        }
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
    let mut scaler = fit.scaler.clone();
    if let Some(features) = data.features() {
        scaler.weigh_features(features);
    }
    // Iterations of a trial are none of the fit: they are not told.
    let mut quiet = Ctx::new(ctx.seed);
    try_both(&scaler, &ratio, sample.matrix(), weights.as_deref(), k, &mut quiet)
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
    x: MatrixRef<'_>,
    weights: Option<&[f64]>,
    k: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Choice> {
    let standard = scaler.copy(x);
    if standard.n_cols() <= standard.n_rows() {
        let rows = Standardised::new(&standard, weights, 1.0, ctx.seed)?;
        return compare(&rows, Distances::Lengths(ratio), k, ctx);
    }
    let mut other = scaler.clone();
    other.columns.iter_mut().zip(ratio).for_each(|(c, r)| c.factor *= r);
    let (standard, other) = (Span::of(&standard)?, Span::of(&other.copy(x))?);
    let rows = Standardised::new(&standard.coordinates, weights, 1.0, ctx.seed)?;
    compare(&rows, Distances::Rows(&other.coordinates), k, ctx)
}

fn compare(
    rows: &Standardised<'_>,
    contraharmonic: Distances<'_>,
    k: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Choice> {
    let cov = rows.total.covariance();
    let criterion = |distances: Distances<'_>, ctx: &mut Ctx<'_>| -> Result<f64> {
        let embedding = distances.embedding(rows, rows.weights, &cov, ctx.seed)?;
        let start = embedding.kmeans(k, RESTARTS, embedding.directions(), &mut || false);
        let settled = rounds::improve(rows, start, k, ITERATIONS, TOLERANCE, ctx)?;
        Ok(rows.cross_fitted(&settled.labels, k)?.mean_log)
    };
    let j = (criterion(Distances::Standard, ctx)?, criterion(contraharmonic, ctx)?);
    Choice::of(rows, contraharmonic, &cov, j, k, ctx.seed)
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
        rows: &Standardised<'a>,
        weights: Option<&[f64]>,
        cov: &Dense,
        seed: u64,
    ) -> Result<Embedding<'a>> {
        match self {
            Self::Standard => Embedding::new(rows.rows, weights, cov, None, seed),
            Self::Lengths(lengths) => Embedding::new(rows.rows, weights, cov, Some(lengths), seed),
            Self::Rows(table) => {
                let cov = Moments::of(table, weights).covariance();
                Embedding::new(table, weights, &cov, None, seed)
            }
        }
    }
}

/// How far two clusterings by k-means agree on all rows, each from one half of them: the adjusted Rand index,
/// the mean over a few halvings.
pub fn agreement<'a>(
    rows: &Standardised<'a>,
    distances: Distances<'a>,
    cov: &Dense,
    k: usize,
    seed: u64,
) -> Result<f64> {
    const HALVINGS: u64 = 3;
    let n = rows.rows.n_rows();
    let mut sum = 0.0;
    for task in 0..HALVINGS {
        let mut rng = Rng::new(seed, 0x6167_0000 + task);
        let mut drawn = rng.sample(n, HALVED);
        rng.shuffle(&mut drawn);
        let mut weights = [vec![0.0; n], vec![0.0; n]];
        drawn.iter().enumerate().for_each(|(place, &i)| weights[place % 2][i] = rows.weight(i));
        let labels = |half: &[f64]| -> Result<Vec<u32>> {
            let embedding = distances.embedding(rows, Some(half), cov, seed)?;
            Ok(embedding.kmeans(k, RESTARTS, embedding.directions(), &mut || false))
        };
        sum += adjusted_rand(&labels(&weights[0])?, &labels(&weights[1])?, k);
    }
    Ok(sum / HALVINGS as f64)
}

/// Hubert and Arabie's adjusted Rand index of two labellings with labels below `k`.
fn adjusted_rand(a: &[u32], b: &[u32], k: usize) -> f64 {
    let mut table = vec![0.0; k * k];
    a.iter().zip(b).for_each(|(&a, &b)| table[a as usize * k + b as usize] += 1.0);
    let pairs = |n: f64| 0.5 * n * (n - 1.0);
    let row = |r: usize| table[r * k..(r + 1) * k].iter().sum::<f64>();
    let column = |c: usize| (0..k).map(|r| table[r * k + c]).sum::<f64>();
    let both: f64 = table.iter().copied().map(pairs).sum();
    let rows: f64 = (0..k).map(|r| pairs(row(r))).sum();
    let columns: f64 = (0..k).map(|c| pairs(column(c))).sum();
    let expected = rows * columns / pairs(a.len() as f64).max(1.0);
    let most = 0.5 * (rows + columns);
    if most > expected { (both - expected) / (most - expected) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adjusted_rand_index_is_hubert_and_arabies() {
        assert_eq!(adjusted_rand(&[0, 0, 1, 1], &[1, 1, 0, 0], 2), 1.0);
        // scikit-learn 1.5: adjusted_rand_score([0, 0, 1, 2], [0, 0, 1, 1])
        assert!(
            (adjusted_rand(&[0, 0, 1, 2], &[0, 0, 1, 1], 3) - 0.571_428_571_428_571_4).abs()
                < 1e-12
        );
        assert!(adjusted_rand(&[0, 0, 1, 1], &[0, 1, 0, 1], 2) < 0.0);
    }
}

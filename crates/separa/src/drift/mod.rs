//! Whether new rows are distributed like the training rows.
//!
//! Given     what a model keeps of its training rows, and new rows with their labels.
//! Returns   [`Drift`]: fractions of the clusters (χ² test), every feature (Kolmogorov–Smirnov), novel rows (Fisher's
//!           exact test), p-values adjusted for their number (Holm 1979), and one sentence.
//! How       A change counts if it is both unlikely (adjusted p ≤ α) and large enough to matter: with many rows every
//!           difference is unlikely. The chance of any finding where nothing has changed is α at most.

mod features;
mod sentence;

pub(crate) use features::FeatureQuantiles;

use crate::novelty::Novelty;
use separa_math::stats::{chi_squared_tail, holm, more_often_tail};
use serde::Serialize;

/// The largest chance of a finding where nothing has changed, unless another is given.
pub const ALPHA: f64 = 0.01;
/// Changes that count: of the clusters' fractions (rows that would have to move), of a feature's distribution (the
/// largest difference of the distribution functions), of the fraction of novel rows.
pub const CLUSTERS_MOVED: f64 = 0.05;
/// See [`CLUSTERS_MOVED`].
pub const FEATURE_MOVED: f64 = 0.1;
/// See [`CLUSTERS_MOVED`].
pub const NOVEL_MORE: f64 = 0.01;
/// Rows with a p-value of novelty up to this are counted.
const NOVEL_LEVEL: f64 = 0.01;
/// Expected rows in a cell of the χ² test, at least: smaller clusters are put together.
const CELL: f64 = 5.0;

/// What has changed from the training rows to new ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drift {
    /// New rows.
    pub n: usize,
    /// Training rows.
    pub n_training: usize,
    /// The largest chance of a finding where nothing has changed.
    pub alpha: f64,
    /// Whether anything has.
    pub drift: bool,
    /// It in a sentence.
    pub text: String,
    /// The fractions of the clusters.
    pub clusters: ClusterDrift,
    /// Every feature, the largest change first; empty if the model keeps none.
    pub features: Vec<FeatureDrift>,
    /// Rows unlike the training rows; None if the model cannot tell.
    pub novelty: Option<NoveltyDrift>,
}

/// How the fractions of the clusters have changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterDrift {
    /// Whether they have.
    pub drift: bool,
    /// Of each cluster: its part of the training rows.
    pub training: Vec<f64>,
    /// Of each cluster: its part of the new rows.
    pub new: Vec<f64>,
    /// The part of the rows that would have to change their cluster.
    pub moved: f64,
    /// The p-value of "no change".
    pub p: f64,
    /// The same, adjusted for the number of tests.
    pub p_adjusted: f64,
}

/// How a feature has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureDrift {
    /// Whether it has.
    pub drift: bool,
    /// Its column, from 0.
    pub feature: usize,
    /// Its name.
    pub name: String,
    /// Its median in the training rows.
    pub median_training: f64,
    /// Its median in the new rows.
    pub median_new: f64,
    /// The largest difference of the two distribution functions, from 0 to 1.
    pub distance: f64,
    /// The p-value of "no change".
    pub p: f64,
    /// The same, adjusted for the number of tests.
    pub p_adjusted: f64,
}

/// How many rows are unlike the training rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoveltyDrift {
    /// Whether there are more than chance gives.
    pub drift: bool,
    /// The part of the new rows with a p-value of novelty up to 0.01.
    pub fraction: f64,
    /// The same of the training rows.
    pub expected: f64,
    /// The p-value of "no more than that".
    pub p: f64,
    /// The same, adjusted for the number of tests.
    pub p_adjusted: f64,
}

/// What is known of the new rows and of the training rows.
pub(crate) struct DriftInput<'a> {
    pub alpha: f64,
    /// Rows of each cluster in the training.
    pub sizes: &'a [usize],
    pub labels: &'a [i32],
    pub features: Vec<FeatureDrift>,
    /// The novelty of the new rows, and how many of how many training rows have a p-value up to [`DriftInput::level`].
    pub novelty: Option<(&'a Novelty, (usize, usize))>,
}

/// The p-value up to which rows are counted as novel.
pub(crate) fn level(least: f64) -> f64 {
    NOVEL_LEVEL.max(least)
}

/// The findings of all tests together.
pub(crate) fn drift(seen: DriftInput<'_>) -> Drift {
    let DriftInput { alpha, sizes, labels, mut features, novelty } = seen;
    let n = labels.len();
    let mut clusters = cluster_drift(sizes, labels);
    let mut novelty = novelty.map(|(new, (novel, training))| novelty_drift(new, novel, training));
    let mut tests = vec![clusters.p];
    tests.extend(novelty.iter().map(|found| found.p));
    tests.extend(features.iter().map(|found| found.p));
    let mut adjusted = holm(&tests).into_iter();
    let mut next = || adjusted.next().expect("one for each test");
    clusters.p_adjusted = next();
    clusters.drift = clusters.p_adjusted <= alpha && clusters.moved >= CLUSTERS_MOVED;
    if let Some(found) = &mut novelty {
        found.p_adjusted = next();
        let more = found.fraction - found.expected;
        found.drift = found.p_adjusted <= alpha && more >= NOVEL_MORE;
    }
    for found in &mut features {
        found.p_adjusted = next();
        found.drift = found.p_adjusted <= alpha && found.distance >= FEATURE_MOVED;
    }
    features.sort_by(|a, b| b.distance.total_cmp(&a.distance).then(a.feature.cmp(&b.feature)));
    let any = clusters.drift
        || novelty.as_ref().is_some_and(|found| found.drift)
        || features.iter().any(|found| found.drift);
    let n_training = sizes.iter().sum();
    let text = String::new();
    let mut found = Drift { n, n_training, alpha, drift: any, text, clusters, features, novelty };
    found.text = sentence::sentence(&found);
    found
}

fn cluster_drift(sizes: &[usize], labels: &[i32]) -> ClusterDrift {
    let mut counts = vec![0usize; sizes.len()];
    labels.iter().filter(|l| **l >= 0).for_each(|l| counts[*l as usize] += 1);
    let fractions = |counts: &[usize]| -> Vec<f64> {
        let all = counts.iter().sum::<usize>().max(1) as f64;
        counts.iter().map(|c| *c as f64 / all).collect()
    };
    let (training, new) = (fractions(sizes), fractions(&counts));
    let moved = 0.5 * training.iter().zip(&new).map(|(a, b)| (a - b).abs()).sum::<f64>();
    let p = two_samples(sizes, &counts);
    ClusterDrift { drift: false, training, new, moved, p, p_adjusted: 1.0 }
}

/// The p-value of Pearson's χ² test that two lists of counts come from the same fractions.
fn two_samples(a: &[usize], b: &[usize]) -> f64 {
    let (n, m) = (a.iter().sum::<usize>() as f64, b.iter().sum::<usize>() as f64);
    // Cells with few rows share one, which is joined by the next smallest if it has few itself.
    let expected = |cell: &(f64, f64)| (cell.0 + cell.1) * n.min(m) / (n + m);
    let mut cells: Vec<(f64, f64)> =
        a.iter().zip(b).map(|(a, b)| (*a as f64, *b as f64)).filter(|c| c.0 + c.1 > 0.0).collect();
    cells.sort_by(|x, y| expected(y).total_cmp(&expected(x)));
    while let [.., second, last] = &mut cells[..]
        && expected(last) < CELL
    {
        *second = (second.0 + last.0, second.1 + last.1);
        cells.pop();
    }
    if cells.len() < 2 || n == 0.0 || m == 0.0 {
        return 1.0;
    }
    let term = |(a, b): &(f64, f64)| ((m / n).sqrt() * a - (n / m).sqrt() * b).powi(2) / (a + b);
    chi_squared_tail(cells.iter().map(term).sum(), (cells.len() - 1) as f64)
}

fn novelty_drift(new: &Novelty, novel: usize, training: usize) -> NoveltyDrift {
    let level = level(new.least);
    let count = new.p.iter().filter(|p| **p <= level).count();
    NoveltyDrift {
        drift: false,
        fraction: count as f64 / new.p.len().max(1) as f64,
        expected: novel as f64 / training as f64,
        p: more_often_tail([count, new.p.len()], [novel, training]),
        p_adjusted: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_compared_with_scipys_chi_squared() {
        // SciPy 1.17.1: chi2_contingency([[120, 80, 40], [30, 40, 30]], correction=False).
        let p = two_samples(&[120, 80, 40], &[30, 40, 30]);
        assert!((p - 0.001_240_719_913_955_6).abs() < 1e-12, "{p}");
        // The small cells are one: chi2_contingency([[100, 100, 4], …]) would be no χ².
        assert_eq!(two_samples(&[990, 10], &[1, 0]), 1.0);
        assert_eq!(two_samples(&[990, 10], &[0, 1]), 1.0);
        assert_eq!(two_samples(&[5, 5], &[0, 0]), 1.0);
    }

    #[test]
    fn an_empty_cluster_is_a_change_if_rows_enough_are_missing() {
        let labels = vec![0; 200];
        let found = cluster_drift(&[150, 150], &labels);
        assert!(found.p < 1e-10 && found.moved == 0.5 && found.new == [1.0, 0.0]);
    }
}

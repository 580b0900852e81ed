//! Which clusters and rows are stable when the method sees other rows.
//!
//! The method is fitted anew to random halves of the rows, and each new rule labels all of them. A cluster
//! is stable if its Jaccard index, rows in common over rows in either, with the best cluster of
//! a refit, is near 1 (Hennig 2007, "Cluster-wise assessment of cluster stability": below 0.6 do not trust it,
//! above 0.75 it is stable). A row agrees with a refit that puts it where the best one-to-one matching of
//! clusters puts its cluster.

use crate::any_method::AnyMethod;
use crate::clusterer::judge::{self, Origin};
use crate::clusterer::part::PartFit;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::model::Labels;
use crate::note::{Note, codes};
use crate::progress::{Event, Observer};
use crate::quality::Contingency;
use rayon::prelude::*;
use separa_math::interrupt;
use separa_math::rng::Rng;
use serde::{Deserialize, Serialize};

/// Fewer refits say nothing.
pub const FEWEST: usize = 2;
/// Refits at the same time: four halves of n rows need no more memory for pairs of rows than the whole.
const TOGETHER: usize = 4;
/// Streams of the halves, away from those of the fits.
const STREAM: u64 = 0x5742;

/// How well clusters and rows survive a change of rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// Refits that count: fewer than asked for where some failed or the work was cut short.
    pub refits: usize,
    /// Refits that failed, and why the first of them did.
    pub failed: usize,
    /// The first error among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Of each cluster: the mean Jaccard index with the best cluster of each refit.
    pub jaccard: Vec<f64>,
    /// Rows that fewer than [`Stability::SURE`] of the refits agree on.
    pub uncertain: usize,
    /// The mean over all rows.
    pub mean_agreement: f64,
    /// Of each row: the fraction of the refits that put it with its cluster; 0 for outliers.
    #[serde(skip)]
    pub agreement: Vec<f64>,
}

impl Stability {
    /// The note if refits failed.
    pub fn note(&self) -> Option<Note> {
        let (why, of) = (self.why.as_deref()?, self.failed + self.refits);
        let said = format!(
            "{} of {of} refits failed and are left out of the stability: {why}",
            self.failed
        );
        Some(Note::warning(codes::REFITS_FAILED, said))
    }

    /// A row is uncertain where a smaller fraction of the refits agrees on it.
    pub const SURE: f64 = 0.8;
}

/// Refits the method that `origin` tells of to `refits` random halves of the rows.
///
/// `observer` hears of each batch and can end the refits early. The answer is a function of the rows, the
/// parameters and the seed, whatever the number of threads. Cost: `refits` fits to n/2 rows, and as many
/// predictions of n.
pub(crate) fn stability<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    labels: &[i32],
    origin: &Origin<'_>,
    refits: usize,
    observer: &O,
) -> Result<Stability> {
    check(data, origin.method, refits)?;
    let k = clusters(labels);
    if data.n() / 2 < k.max(1) {
        return Err(Error::SmallHalves { rows: data.n(), k });
    }
    let mut found = Vec::with_capacity(refits);
    let mut failed = Vec::new();
    for first in (0..refits).step_by(TOGETHER) {
        let event = Event::Start { index: first, of: refits, name: "refit".to_owned() };
        if observer.clone().on(&event).is_break() {
            break;
        }
        let batch: Vec<Result<Option<Labels>>> = (first..refits.min(first + TOGETHER))
            .into_par_iter()
            .map(|task| {
                let refit = || refit(data, origin, task as u64, observer);
                interrupt::catch(refit).unwrap_or(Ok(None))
            })
            .collect();
        for outcome in batch {
            match outcome {
                Ok(labels) => found.extend(labels),
                Err(e) => failed.push(e),
            }
        }
    }
    let count = failed.len();
    let trouble = failed.into_iter().next();
    if found.len() < FEWEST {
        let before = "two refits were done: the stability is unknown";
        return Err(trouble.unwrap_or(Error::Interrupted { before }));
    }
    let why = trouble.map(|e| e.to_string());
    Ok(Stability { failed: count, why, ..summarise(labels, &found)? })
}

/// Refuses what cannot be halved, and too few refits: before the fit, if one likes.
pub(crate) fn check(data: &Dataset<'_>, method: &dyn AnyMethod, refits: usize) -> Result<()> {
    if refits < FEWEST {
        return Err(Error::FewRefits { least: FEWEST, found: refits });
    }
    if data.grouping().is_some() || judge::unjudged(data, method).is_some() {
        return Err(Error::NoHalves);
    }
    Ok(())
}

fn clusters(labels: &[i32]) -> usize {
    labels.iter().max().map_or(0, |last| last + 1).max(0) as usize
}

/// The labels that a rule from a random half gives to all rows; None where the fit was cut short.
fn refit<O: Observer + Clone>(
    data: &Dataset<'_>,
    origin: &Origin<'_>,
    task: u64,
    observer: &O,
) -> Result<Option<Labels>> {
    let half = Rng::new(origin.seed, STREAM + task).sample(data.n(), data.n() / 2);
    // Another seed each: that an initialization fails now and then is part of what is asked. A fraction of the memory
    // each: then a half is fitted the way the whole was, because it has a quarter of the pairs.
    let seed = origin.seed.wrapping_add(task + 1);
    let how = PartFit { seed, together: TOGETHER as u64, suggest: true };
    let rule = how.rule(data, &half, origin, observer)?;
    rule.map(|rule| rule.predict(data.x())).transpose()
}

fn summarise(labels: &[i32], refits: &[Labels]) -> Result<Stability> {
    let k = clusters(labels);
    let (mut jaccard, mut agreement) = (vec![0.0; k], vec![0.0; labels.len()]);
    let all = refits.len() as f64;
    for other in refits {
        let table = Contingency::new(labels, other)?;
        for (cluster, best) in table.clusters.iter().zip(best_jaccard(&table)) {
            jaccard[*cluster as usize] += best / all;
        }
        let mut matched = vec![None; k];
        for (cluster, class) in table.clusters.iter().zip(table.matching()) {
            matched[*cluster as usize] = class;
        }
        for ((a, label), found) in agreement.iter_mut().zip(labels).zip(other) {
            let agrees = *label >= 0 && matched[*label as usize] == Some(*found);
            *a += f64::from(u8::from(agrees));
        }
    }
    agreement.iter_mut().for_each(|a| *a /= all);
    let kept: Vec<f64> =
        agreement.iter().zip(labels).filter(|(_, l)| **l >= 0).map(|(a, _)| *a).collect();
    Ok(Stability {
        refits: refits.len(),
        failed: 0,
        why: None,
        jaccard,
        uncertain: kept.iter().filter(|a| **a < Stability::SURE).count(),
        mean_agreement: kept.iter().sum::<f64>() / kept.len().max(1) as f64,
        agreement,
    })
}

/// Of each cluster the largest |A ∩ B| / |A ∪ B| over the refit's clusters B.
fn best_jaccard(table: &Contingency) -> Vec<f64> {
    let (rows, columns) = (table.cluster_sizes(), table.class_sizes());
    let best = |(i, counts): (usize, &Vec<f64>)| {
        let index = |(j, both): (usize, &f64)| both / (rows[i] + columns[j] - both);
        counts.iter().enumerate().map(index).fold(0.0, f64::max)
    };
    table.counts.iter().enumerate().map(best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jaccard_and_agreement_of_a_table_by_hand() {
        let labels = [0, 0, 0, 0, 1, 1, -1];
        // The first refit is the same with other numbers; the second loses one row of cluster 0 to 1.
        let refits = [vec![1, 1, 1, 1, 0, 0, 0], vec![0, 0, 0, 1, 1, 1, 1]];
        let found = summarise(&labels, &refits).unwrap();
        // Outliers do not count: {0,1,2} of {0,1,2,3}, and {4,5} of {3,4,5}.
        assert_eq!(found.jaccard, [(1.0 + 0.75) / 2.0, (1.0 + 2.0 / 3.0) / 2.0]);
        assert_eq!(found.agreement, [1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 0.0]);
        assert_eq!((found.refits, found.uncertain), (2, 1));
        assert!((found.mean_agreement - 5.5 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn shares_are_exact() {
        // 28 of 35 are 0.8, not less.
        let refits: Vec<Labels> =
            (0..35).map(|i| if i < 28 { vec![0, 0, 1, 1] } else { vec![0, 1, 0, 1] }).collect();
        let found = summarise(&[0, 0, 1, 1], &refits).unwrap();
        assert_eq!(found.uncertain, 0, "{:?}", found.agreement);
    }

    #[test]
    fn a_refit_with_fewer_clusters_leaves_some_without_a_match() {
        let found = summarise(&[0, 0, 1, 1], &[vec![0; 4], vec![0; 4]]).unwrap();
        assert_eq!(found.jaccard, [0.5, 0.5]);
        assert_eq!(found.mean_agreement, 0.5);
    }
}

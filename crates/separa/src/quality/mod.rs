//! How good is a labelling: with no truth ([`assess`]), and against one ([`External`]).
//!
//! MSP alone is not to be trusted: one Gaussian cut in half scores 2/π at λ = 0, a single far point
//! 0.92, random labels on nearly as many columns as rows 0.85. So [`Quality`] puts beside it what one
//! Gaussian would score, two p-values, its held-out value and the smallest cluster's fraction.

pub(crate) mod all_rows;
pub mod bounds;
mod columns;
mod dcut;
mod exchange;
mod external;
mod gmsp;
mod groups;
mod importance;
mod msp;
mod separation;
mod split_half;
pub(crate) mod verdict;
mod vote;

pub use dcut::dcut;
pub use exchange::{DecisionFunction, exchange};
pub use external::{ClusterPurity, Contingency, External};
pub use gmsp::gmsp;
pub use importance::{FeatureImportance, Importance, ImportanceMethod, importance};
pub use msp::{msp, pairwise_msp};
pub use separation::{Refit, Separation, two_clusters};
pub use vote::{Neighbourhood, separation_score};

use crate::data::Dataset;
use crate::error::Result;
use crate::note::{Note, codes};
use groups::Groups;
pub(crate) use groups::UNJUDGED_BAGS;
use msp::DiscriminantSpace;
use rayon::prelude::*;
pub use separa_math::stats::{kappa_null, msp_null};
use separation::{TestPlan, test_pair};
use serde::{Deserialize, Serialize};

/// With more pairs than this each cluster is compared with its nearest ones only.
const MOST_PAIRS: usize = 300;
const NEAREST: usize = 6;

/// What to assess with.
#[derive(Debug, Clone, Copy)]
pub struct AssessOptions<'a> {
    /// λ: each covariance is raised by λ·diag(Σ̂).
    pub reg: f64,
    /// Of the folds and simulations of the tests.
    pub seed: u64,
    /// How the labels were made: without it p_gauss is not to be believed for labels that were fitted
    /// to these rows ([`Refit`]). Used for two clusters; more are tested pair by pair with the given
    /// labels.
    pub refit: Option<Refit<'a>>,
}

impl Default for AssessOptions<'_> {
    fn default() -> Self {
        Self { reg: 1.0, seed: 0, refit: None }
    }
}

/// Two clusters against each other, on their own rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The first cluster.
    pub a: i32,
    /// The second cluster.
    pub b: i32,
    /// The MSP of the two.
    pub msp: f64,
    /// p (single Gaussian): would one Gaussian, split the same way, score as well?
    pub p_gauss: Option<f64>,
    /// p (unimodal): is there no gap between the two?
    pub p_unimodal: Option<f64>,
}

/// A labelling's quality without a truth. Undefined values are `None`, never NaN or infinite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Held-out agreement: how often rules learnt on two halves of the rows put a row into the same cluster. None for
    /// labels that no method made, and if the rows are too few.
    #[serde(default)]
    pub agreement: Option<f64>,
    /// What that would be by chance.
    #[serde(default)]
    pub agreement_chance: Option<f64>,
    /// Minimum separation probability; of the closest pair for more than two clusters.
    pub msp: f64,
    /// What one Gaussian with that pair's mean and covariance would score, cut along the same
    /// hyperplane at the same fraction with the same λ.
    pub msp_null: Option<f64>,
    /// Is it one Gaussian? The largest over pairs.
    pub p_gauss: Option<f64>,
    /// No gap between the clusters? The largest over pairs.
    pub p_unimodal: Option<f64>,
    /// MSP of a hyperplane from one half on the other; the smallest over pairs.
    #[serde(alias = "cross_fitted_msp")]
    pub msp_held_out: Option<f64>,
    /// The smallest cluster's fraction of the rows.
    #[serde(alias = "min_share")]
    pub min_fraction: f64,
    /// All pairs, or where they are more than 300 those of each cluster with its 6 nearest.
    pub pairs: Vec<Pair>,
    /// Which features separate the same pairs: the largest fractions.
    #[serde(default)]
    pub importance: Vec<Importance>,
}

impl Quality {
    /// Below this a p-value speaks.
    pub const LEVEL: f64 = 0.05;

    /// Whether there is a gap between every two clusters, and along these clusters: what the p-values and the null
    /// level say together. Pairs that could not be tested are no such thing.
    pub fn is_real(&self) -> bool {
        self.has_gap() && self.beyond_one_cloud() && self.untested() == 0
    }

    /// Whether every pair that was tested has a gap.
    pub fn has_gap(&self) -> bool {
        self.p_unimodal.is_some_and(|p| p <= Self::LEVEL)
    }

    /// Whether the clusters are further apart than a single Gaussian that is split in the same place.
    pub fn beyond_one_cloud(&self) -> bool {
        self.msp_null.is_none_or(|null| self.msp > null)
    }

    /// Pairs with a cluster of too few rows to test.
    pub fn untested(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.p_unimodal.is_none()).count()
    }

    /// The two clusters that are least apart, where they have no gap between them but others have: more clusters
    /// may have been asked for than there are. All pairs are asked, so each has its fraction of the level.
    pub fn closest(&self) -> Option<&Pair> {
        let p = |pair: &Pair| pair.p_unimodal.unwrap_or(0.0);
        let level = Self::LEVEL / self.pairs.len().max(1) as f64;
        let apart = self.pairs.iter().any(|pair| pair.p_unimodal.is_some_and(|p| p <= level));
        let worst = self.pairs.iter().max_by(|a, b| p(a).total_cmp(&p(b)))?;
        (apart && p(worst) > Self::LEVEL).then_some(worst)
    }
}

/// What the p-values of labels are worth that were fitted to the very rows they are judged on.
pub fn labels_as_given() -> Note {
    Note::notice(
        codes::LABELS_AS_GIVEN,
        "the p-values take the labels as given: they are optimistic if the clusters were fitted to the same rows",
    )
}

/// Measures a labelling. Rows with a negative label are left out; columns are z-scored inside.
///
/// Cost: one pass for the moments, one small problem a pair, and tests on at most 4,000 rows a pair.
pub fn assess(data: &Dataset<'_>, labels: &[i32], options: &AssessOptions<'_>) -> Result<Quality> {
    if let Some(unit) = data.unit() {
        let table = data.times(unit);
        return assess(&data.rescaled(table.matrix()), labels, options);
    }
    let groups = Groups::new(data, labels)?;
    let space = DiscriminantSpace::new(data, &groups, options.reg)?;
    let pairs = pairs_to_test(&space);
    let (reg, seed) = (options.reg, options.seed);
    let tested: Vec<Option<Separation>> = if groups.k() == 2 {
        let plan = TestPlan::whole(reg, seed, &space.deviations);
        vec![separation::two_groups(data, &groups, &plan, options.refit)?]
    } else {
        let test = |(task, (a, b)): (usize, &(usize, usize))| {
            let plan = TestPlan::pair(reg, seed, task as u64, &space.deviations);
            test_pair(data, [&groups.members[*a], &groups.members[*b]], &plan, None)
        };
        pairs.par_iter().enumerate().map(test).collect::<Result<_>>()?
    };
    summarise(data, &space, &groups, &pairs, &tested)
}

/// All pairs (a < b), or each cluster's nearest ones where there are many.
fn pairs_to_test(space: &DiscriminantSpace) -> Vec<(usize, usize)> {
    let k = space.moments.len();
    let all = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    if k * k.saturating_sub(1) / 2 <= MOST_PAIRS {
        return all.collect();
    }
    let mut near = std::collections::BTreeSet::new();
    for a in 0..k {
        let mut others: Vec<(f64, usize)> =
            (0..k).filter(|b| *b != a).map(|b| (space.distance(a, b), b)).collect();
        others.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        near.extend(others.iter().take(NEAREST).map(|(_, b)| (a.min(*b), a.max(*b))));
    }
    near.into_iter().collect()
}

fn summarise(
    data: &Dataset<'_>,
    space: &DiscriminantSpace,
    groups: &Groups,
    pairs: &[(usize, usize)],
    tested: &[Option<Separation>],
) -> Result<Quality> {
    let mut out = Quality {
        agreement: None,
        agreement_chance: None,
        msp: 0.0,
        msp_null: None,
        p_gauss: largest(tested.iter().flatten().map(|t| t.p_gauss)),
        p_unimodal: largest(tested.iter().flatten().map(|t| t.p_unimodal)),
        msp_held_out: largest(tested.iter().flatten().map(|t| -t.msp_held_out)).map(|m| -m),
        min_fraction: groups.min_share(),
        pairs: Vec::with_capacity(pairs.len()),
        importance: Vec::with_capacity(pairs.len()),
    };
    let most = importance::kept(pairs.len());
    let solve = |&(a, b): &(usize, usize)| -> Result<(f64, Option<f64>, Importance)> {
        let rule = space.pair(a, b)?;
        let shares = importance::shares(space, a, b, &rule);
        Ok((rule.p(), space.null(a, b, &rule), shares.named(data, groups, a, b, most)))
    };
    let solved: Vec<_> = pairs.par_iter().map(solve).collect::<Result<_>>()?;
    for ((pair, (msp, null, importance)), test) in pairs.iter().zip(solved).zip(tested) {
        out.importance.push(importance);
        if out.pairs.is_empty() || msp < out.msp {
            (out.msp, out.msp_null) = (msp, null);
        }
        out.pairs.push(Pair {
            a: groups.ids[pair.0],
            b: groups.ids[pair.1],
            msp,
            p_gauss: test.map(|t| t.p_gauss),
            p_unimodal: test.map(|t| t.p_unimodal),
        });
    }
    Ok(out)
}

fn largest(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.max_by(f64::total_cmp)
}

//! Which features separate: every feature's fraction of what separates two clusters.
//!
//! The minimax hyperplane of a pair sets its means wᵀ(μ_a − μ_b) = κ(σ_a + σ_b) apart, κ the number that
//! MSP is made of. This is a sum over features, so share_j = w_j(μ_a − μ_b)_j / wᵀ(μ_a − μ_b) is exact, and
//! the fractions sum to 1. They have no units: other units change w_j and the means the other way round.
//! A negative fraction is a feature whose means differ against the boundary: it is there to take out what
//! others have in common with it.
//!
//! The pair's own hyperplane is decomposed, not the method's rule, because it is what MSP beside it
//! measures, because every labelling has one, and because the rules of k-means know units. Clusters with
//! curved boundaries are looked at by [`super::exchange`] where that can be paid for.

use super::groups::Groups;
use super::msp::DiscriminantSpace;
use super::pairs_to_test;
use crate::data::Dataset;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::linalg::dot;
use separa_math::optim::mpm::Mpm;
use serde::{Deserialize, Serialize};

/// A quality keeps so many fractions of all its pairs together, or [`LEAST`] of each.
const KEPT: usize = 4000;
const LEAST: usize = 20;

/// How feature importance was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportanceMethod {
    /// Fractions of the distance of the means across the pair's flat minimax boundary.
    #[serde(alias = "boundary")]
    Exact,
    /// What the rule's values lose when the clusters exchange their values of one feature.
    #[serde(alias = "exchange")]
    Permutation,
}

/// Which features separate two clusters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Importance {
    /// The first cluster.
    pub a: i32,
    /// The second cluster.
    pub b: i32,
    /// How it was measured.
    #[serde(alias = "by")]
    pub method: ImportanceMethod,
    /// The largest fractions (without their signs) first; none if nothing separates the two.
    pub features: Vec<FeatureImportance>,
    /// How many more features there are.
    pub rest: usize,
}

/// One feature's fraction of a separation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureImportance {
    /// Its column in the table, from 0.
    pub feature: usize,
    /// Its name, if the table has names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Fractions of all features sum to 1; negative ones work against the others.
    #[serde(alias = "share")]
    pub fraction: f64,
    /// Mean in a minus mean in b, in the units of the table.
    pub difference: f64,
}

/// Every feature's part in separating the clusters, for the pairs that [`super::assess`] judges.
///
/// Constant columns have no fraction; of more than 1,024 columns those have one whose cluster means differ
/// most. `most` limits the features kept of each pair. Cost: one pass for the moments, one small problem a
/// pair.
pub fn importance(
    data: &Dataset<'_>,
    labels: &[i32],
    reg: f64,
    most: usize,
) -> Result<Vec<Importance>> {
    let groups = Groups::new(data, labels)?;
    let space = DiscriminantSpace::new(data, &groups, reg)?;
    let of_pair = |pair: &(usize, usize)| {
        let rule = space.pair(pair.0, pair.1)?;
        Ok(shares(&space, pair.0, pair.1, &rule).named(data, &groups, pair.0, pair.1, most))
    };
    pairs_to_test(&space).par_iter().map(of_pair).collect()
}

/// How many features are kept of each of so many pairs.
pub(super) fn kept(pairs: usize) -> usize {
    LEAST.max(KEPT / pairs.max(1))
}

/// Fractions before they are sorted and named.
#[derive(Debug, Clone)]
pub(super) struct Shares {
    pub method: ImportanceMethod,
    /// Feature, fraction, difference of the means.
    pub all: Vec<(usize, f64, f64)>,
}

/// The fractions of a pair's hyperplane.
pub(super) fn shares(space: &DiscriminantSpace, a: usize, b: usize, rule: &Mpm) -> Shares {
    let w = space.weights(rule);
    let (one, two) = (space.mean(a), space.mean(b));
    let gap: Vec<f64> = one.iter().zip(two).map(|(x, y)| x - y).collect();
    let total = dot(&w, &gap);
    let mut all = Vec::new();
    if total > 0.0 && total.is_finite() {
        let columns = space.scaler.columns.iter().zip(w.iter().zip(&gap));
        all.extend(columns.map(|(c, (w, g))| (c.source, w * g / total, g / c.factor)));
    }
    Shares { method: ImportanceMethod::Exact, all }
}

impl Shares {
    /// The largest ones with the names of their columns.
    pub fn named(
        mut self,
        data: &Dataset<'_>,
        groups: &Groups,
        a: usize,
        b: usize,
        most: usize,
    ) -> Importance {
        self.all.sort_by(|x, y| y.1.abs().total_cmp(&x.1.abs()).then(x.0.cmp(&y.0)));
        let rest = self.all.len().saturating_sub(most);
        self.all.truncate(most);
        let name = |feature: usize| data.names().map(|names| names[feature].clone());
        let features = self.all.into_iter().map(|(feature, fraction, difference)| {
            FeatureImportance { feature, name: name(feature), fraction, difference }
        });
        Importance {
            a: groups.ids[a],
            b: groups.ids[b],
            method: self.method,
            features: features.collect(),
            rest,
        }
    }
}

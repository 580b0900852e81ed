//! The rows that count, by cluster.

use crate::data::Dataset;
use crate::error::{Error, Result};

/// Why bags are not judged.
pub(crate) const UNJUDGED_BAGS: &str =
    "separability (MSP) is measured among rows of columns, which bags have not";

/// Clusters numbered 0..k in ascending order of their labels.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    /// The label each cluster came with.
    pub ids: Vec<i32>,
    /// The cluster of every row of the table; −1 for rows left out.
    pub of_row: Vec<i32>,
    /// The rows of every cluster, ascending.
    pub members: Vec<Vec<usize>>,
    /// The total weight of every cluster.
    pub weight: Vec<f64>,
}

impl Groups {
    /// Of a checked table; the labels must be as many as its rows.
    pub fn new(data: &Dataset<'_>, labels: &[i32]) -> Result<Self> {
        if data.bags().is_some() {
            return Err(Error::NotJudged { why: UNJUDGED_BAGS.into() });
        }
        if labels.len() != data.n() {
            let (found, expected) = (labels.len(), data.n());
            return Err(Error::Length { what: "labels", found, expected, of: "rows" });
        }
        Ok(Self::of(labels, data.weights()))
    }

    /// Leaves out rows with a negative label and rows of weight zero.
    pub fn of(labels: &[i32], weights: Option<&[f64]>) -> Self {
        let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
        let used = || (0..labels.len()).filter(|i| labels[*i] >= 0 && weight(*i) > 0.0);
        let mut ids: Vec<i32> = used().map(|i| labels[i]).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut groups = Self {
            of_row: vec![-1; labels.len()],
            members: vec![Vec::new(); ids.len()],
            weight: vec![0.0; ids.len()],
            ids,
        };
        for i in used() {
            let c = groups.ids.binary_search(&labels[i]).expect("every label was collected");
            groups.of_row[i] = c as i32;
            groups.members[c].push(i);
            groups.weight[c] += weight(i);
        }
        groups
    }

    pub fn k(&self) -> usize {
        self.ids.len()
    }

    /// The smallest cluster's fraction of the weight; 0 without rows.
    pub fn min_share(&self) -> f64 {
        let total: f64 = self.weight.iter().sum();
        let least = self.weight.iter().copied().fold(f64::INFINITY, f64::min);
        if total > 0.0 { least / total } else { 0.0 }
    }
}

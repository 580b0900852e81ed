//! What is said about the decision on a row.

use super::words::CellValue;
use serde::{Deserialize, Serialize};

/// Why a row is in its cluster, and what would move it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The place of the row in its table, from 0.
    pub row: usize,
    /// Its cluster; of an outlier, the cluster that it would have.
    pub cluster: i32,
    /// Whether the model labels it as an outlier (−1).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outlier: bool,
    /// The cluster that came second.
    pub runner_up: i32,
    /// How sure the cluster is ([`Fitted::confidence`](crate::Fitted::confidence)); none of outliers and classifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// By how much its cluster is ahead of the runner-up, in the units of the rule.
    pub margin: f64,
    /// How the contributions were computed.
    pub method: ContributionMethod,
    /// Orders of the columns that were averaged over, if the contributions are sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<usize>,
    /// The margin of what the row is compared with, about 0: rows on the boundary of the two clusters. The contributions
    /// and it add up to the margin.
    pub base: f64,
    /// What every column of the table adds to the margin, the largest (without its sign) first.
    pub contributions: Vec<Contribution>,
    /// Columns that are not listed, and what they add together.
    pub rest: OtherColumns,
    /// The smallest change that was found to move the row to the runner-up; none if no such change was found.
    pub counterfactual: Option<Counterfactual>,
    /// Changes of one column alone that move it there, within the range of the table, the smallest first.
    pub single_changes: Vec<Change>,
    /// Rows of its cluster that are most like it.
    pub exemplars: Vec<NearRow>,
    /// Where they are from.
    pub exemplars_from: ExemplarSource,
}

/// How contributions were computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContributionMethod {
    /// The two clusters are parted by a linear function: each of its terms.
    Exact,
    /// Shapley values by permutation sampling (Štrumbelj & Kononenko 2014).
    Sampled,
}

/// Where exemplars are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExemplarSource {
    /// The exemplars that the method names.
    Model,
    /// The rows of the table.
    Table,
}

/// What one column adds to a margin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// The column.
    pub column: String,
    /// What the row holds in it.
    pub value: CellValue,
    /// What rows on the boundary hold in it, on average, if it is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boundary: Option<f64>,
    /// What it adds to the margin: positive for the cluster, negative for the runner-up.
    pub contribution: f64,
}

/// Columns that are not listed one by one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OtherColumns {
    /// How many.
    pub columns: usize,
    /// What they add to the margin together.
    pub contribution: f64,
}

/// A row that differs from another by some changes and has the runner-up's label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counterfactual {
    /// What is changed, the largest change first.
    pub changes: Vec<Change>,
    /// The root of the summed squares of the changes, each in standard deviations of its column.
    pub distance: f64,
    /// Whether no smaller change of these columns exists.
    pub smallest: bool,
}

/// A change of one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The column.
    pub column: String,
    /// What the row holds.
    pub from: CellValue,
    /// What it would have to hold.
    pub to: CellValue,
    /// The difference in standard deviations of the column.
    pub distance: f64,
}

/// A row like another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NearRow {
    /// Its place in the table, from 0.
    pub row: usize,
    /// The distance, each column in its standard deviations.
    pub distance: f64,
}

//! How a number of clusters was found, as reports and model files tell it.

use serde::{Deserialize, Serialize};

/// A number of clusters that was not given but found, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    pub k: usize,
    /// The number that each run found: samples, pieces and halves are drawn anew in each.
    pub k_by_seed: Vec<usize>,
    /// The largest less the smallest of them.
    pub spread: usize,
    /// Clusters that were looked for at most.
    pub k_max: usize,
    /// One cluster: the p-value of the deepest gap within all rows. More: the largest p-value of a gap
    /// between two of them.
    pub p: f64,
    /// Rows that were looked at in each run.
    pub rows: usize,
    /// Columns that hold counts or codes: their steps were blurred, for they are no gaps.
    pub lattice: usize,
    /// The decisions of the run that was kept, in order.
    pub path: Vec<Decision>,
}

/// Two pieces joined, or one cut in two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub step: Step,
    /// The numbers of the two pieces: those of the beginning are 0, 1, and so on; each piece that a step
    /// makes has the next number.
    pub pieces: [usize; 2],
    /// The number of both together.
    pub whole: usize,
    /// Rows of the two pieces, among those looked at.
    pub sizes: [usize; 2],
    /// Of the gap between them: joined where it is large, cut where it is small.
    pub p: f64,
    /// Pieces after the step.
    pub k: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Merge,
    Split,
}

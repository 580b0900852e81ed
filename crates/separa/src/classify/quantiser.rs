//! The one-pass quantiser by itself: rows to summaries, without classes.

use super::choices::{Columns, Quantizer};
use super::summaries::Quantise;
use super::units::factors;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use separa_math::gauss::Shape;
use separa_math::matrix::Dense;

/// How rows are summarised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TodOptions {
    /// Summaries at most.
    pub count: usize,
    /// The distance up to which a row joins a summary; 0 finds the one that gives `count`.
    pub threshold: f64,
    pub units: Columns,
    /// Of the order in which rows are seen.
    pub seed: u64,
}

/// Gaussian summaries with variances.
#[derive(Debug, Clone, PartialEq)]
pub struct TodSummaries {
    /// Rows, or their weights, in each.
    pub weights: Vec<f64>,
    pub means: Dense,
    /// Their own, not shrunk.
    pub variances: Dense,
    /// One factor a column: distances are those of the columns times it.
    pub factors: Vec<f64>,
}

/// Summarises rows by the threshold order dependent algorithm.
pub fn tod(data: &Dataset<'_>, options: TodOptions) -> Result<TodSummaries> {
    let TodOptions { count, threshold, units, seed } = options;
    let members: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    if !(threshold >= 0.0 && threshold.is_finite()) {
        return Err(Error::Data(format!(
            "the threshold of tod must be a number, 0 or more, got {threshold}"
        )));
    }
    if threshold == 0.0 && (count == 0 || count > members.len()) {
        return Err(Error::Data(format!(
            "the number of summaries of tod must be from 1 to the number of rows ({}), got {count}",
            members.len()
        )));
    }
    let factors = factors(&data.x(), data.weights(), units);
    let (shape, quantizer) = (Shape::Diag, Quantizer::Tod);
    let quantise =
        Quantise { quantizer, threshold, shape, factors: &factors, seed, most: usize::MAX };
    let cells = quantise.run(&data.x(), data.weights(), &[members], count).cells;
    let (mut means, mut variances) =
        (Dense::zeros(cells.len(), data.d()), Dense::zeros(cells.len(), data.d()));
    for (k, cell) in cells.iter().enumerate() {
        means.row_mut(k).copy_from_slice(&cell.mean);
        let line = variances.row_mut(k).iter_mut().zip(&cell.scatter);
        line.for_each(|(v, s)| *v = s / cell.weight);
    }
    let weights = cells.iter().map(|c| c.weight).collect();
    Ok(TodSummaries { weights, means, variances, factors })
}

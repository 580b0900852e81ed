//! The one-pass quantiser by itself: rows to summaries, without classes.

use super::choices::{CovarianceChoice, Quantizer, Scaling};
use super::summaries::Quantise;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::params::ParamValue;
use crate::start;
use separa_math::gauss::{Cell, Shape, Tod};
use separa_math::matrix::{Dense, Rows};
use separa_math::rng::Rng;

/// How rows are summarised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TodOptions {
    /// Summaries at most.
    pub count: usize,
    /// The distance up to which a row joins a summary; 0 finds the one that gives `count`.
    pub threshold: f64,
    /// Which entries of each summary's covariance are kept.
    pub covariance: CovarianceChoice,
    /// How columns are scaled before distances are taken.
    pub scaling: Scaling,
    /// Of the order in which rows are seen.
    pub seed: u64,
}

impl Scaling {
    /// The scaling of this name.
    pub fn named(word: &str) -> Result<Self> {
        serde_json::from_value(word.into()).map_err(|_| Error::Param {
            method: "tod",
            name: "scaling",
            expected: Self::DOMAIN.to_string(),
            found: Self::DOMAIN.misspelt(word),
        })
    }
}

/// Gaussian summaries.
#[derive(Debug, Clone, PartialEq)]
pub struct TodSummaries {
    /// Rows, or their weights, in each.
    pub weights: Vec<f64>,
    /// One row per summary.
    pub means: Dense,
    /// Their own, not shrunk: variances, or the lower triangles of covariances row by row.
    pub covariances: Dense,
    /// One factor a column: distances are those of the columns times it.
    pub factors: Vec<f64>,
    /// The distance up to which a row joined a summary.
    pub threshold: f64,
}

/// Summarises rows by the threshold order dependent algorithm.
///
/// ```
/// use separa::prelude::*;
///
/// use separa::classify::{CovarianceChoice, TodOptions, tod};
/// let values: Vec<f64> = (0..100).map(|i| f64::from(i % 4) * 10.0 + f64::from(i) * 0.01).collect();
/// let data = Dataset::new(separa::DenseRef::new(100, 1, &values)?.into())?;
/// let (covariance, scaling) = (CovarianceChoice::Diag, Scaling::Standard);
/// let found = tod(&data, TodOptions { count: 4, threshold: 0.0, covariance, scaling, seed: 0 })?;
/// assert_eq!(found.weights, [25.0; 4]);
/// # Ok::<(), separa::Error>(())
/// ```
pub fn tod(data: &Dataset<'_>, options: TodOptions) -> Result<TodSummaries> {
    let TodOptions { count, threshold, scaling, seed, .. } = options;
    let members: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    options.check(Some(members.len()))?;
    let factors = match start::scaling::fit(data, scaling, count, &mut Ctx::new(seed))? {
        Some(fitted) => fitted.scaler.factors(),
        None => vec![1.0; data.d()],
    };
    let (shape, quantizer) = (options.covariance.into(), Quantizer::Tod);
    let most = usize::MAX;
    let quantise = Quantise { quantizer, threshold, shape, factors: &factors, seed, most };
    let found = quantise.tod(&data.x(), data.weights(), &members, count, 0);
    Ok(TodSummaries::new(found, &factors))
}

impl TodOptions {
    fn check(self, rows: Option<usize>) -> Result<()> {
        let Self { count, threshold, .. } = self;
        if !(threshold >= 0.0 && threshold.is_finite()) {
            return Err(Error::Param {
                method: "tod",
                name: "threshold",
                expected: "a number, 0 or more".into(),
                found: threshold.to_string(),
            });
        }
        let most = rows.unwrap_or(usize::MAX);
        if threshold == 0.0 && (count == 0 || count > most) {
            return Err(Error::Param {
                method: "tod",
                name: "summaries",
                expected: format!("from 1 to the number of rows ({most})"),
                found: count.to_string(),
            });
        }
        Ok(())
    }
}

impl TodSummaries {
    fn new(tod: Tod, factors: &[f64]) -> Self {
        let (threshold, cells) = (tod.threshold(), tod.into_cells());
        let (d, packed) = cells.first().map_or((0, 0), |c| (c.mean.len(), c.scatter.len()));
        let mut means = Dense::zeros(cells.len(), d);
        let mut covariances = Dense::zeros(cells.len(), packed);
        for (k, cell) in cells.iter().enumerate() {
            means.row_mut(k).copy_from_slice(&cell.mean);
            let line = covariances.row_mut(k).iter_mut().zip(&cell.scatter);
            line.for_each(|(v, s)| *v = s / cell.weight);
        }
        let weights = cells.iter().map(|c| c.weight).collect();
        Self { weights, means, covariances, factors: factors.to_vec(), threshold }
    }

    /// The same with more rows: those of `data` in seeded order, by the threshold and the factors that were
    /// found before. Where the options give no threshold at most `count` summaries are left.
    pub fn see(&self, data: &Dataset<'_>, options: TodOptions) -> Result<Self> {
        options.check(None)?;
        self.same_width(data.d())?;
        let mut tod = self.cells(options.covariance.into());
        let mut order: Vec<usize> = (0..data.n()).collect();
        Rng::new(options.seed, 0x746f).shuffle(&mut order);
        let mut row = vec![0.0; data.d()];
        for i in order {
            data.x().copy_row(i, &mut row);
            tod.see(&row, data.weight(i));
            // Some more than are asked for, so that what is joined can be chosen well.
            if options.threshold == 0.0 && tod.cells().len() > 4 * options.count + 64 {
                tod.coarsen(2 * options.count);
            }
        }
        Ok(self.settled(tod, options))
    }

    /// The same with the rows of `other`, each of its summaries as one heavy row.
    pub fn merge(&self, other: &Self, options: TodOptions) -> Result<Self> {
        options.check(None)?;
        self.same_width(other.means.cols())?;
        let mut tod = self.cells(options.covariance.into());
        tod.merge(&other.cells(options.covariance.into()));
        Ok(self.settled(tod, options))
    }

    fn settled(&self, mut tod: Tod, options: TodOptions) -> Self {
        if options.threshold == 0.0 {
            tod.coarsen(options.count);
        }
        Self::new(tod, &self.factors)
    }

    /// What they were before they were written down.
    fn cells(&self, shape: Shape) -> Tod {
        let mut tod = Tod::new(&self.factors, self.threshold, shape);
        for (k, &weight) in self.weights.iter().enumerate() {
            let scatter = self.covariances.row(k).iter().map(|v| v * weight).collect();
            tod.adopt(Cell { weight, mean: self.means.row(k).to_vec(), scatter });
        }
        tod
    }

    fn same_width(&self, found: usize) -> Result<()> {
        let expected = self.factors.len();
        if found == expected {
            return Ok(());
        }
        Err(Error::Features { found, expected, missing: Vec::new() })
    }
}

//! A rule that labels rows, seen or not.

use crate::data::{Dataset, Grouping};
use crate::error::{Error, Result};
use crate::flat_rule::FlatRule;
use crate::model_file::Tensors;
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::par;

/// Cluster numbers from 0 in order of first appearance; −1 for outliers.
pub type Labels = Vec<i32>;

/// A rule that labels rows, seen or not.
pub trait Model: Send + Sync + std::fmt::Debug {
    /// How many columns a row must have.
    fn n_features(&self) -> usize;
    /// How many labels there are.
    fn n_clusters(&self) -> usize;

    /// One column for two clusters (cluster 1 where it is ≥ 0), else one column a cluster
    /// (the largest wins, the first of equals).
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense>;

    /// The label of every row. Rows must be finite; the first that is not is named.
    fn predict(&self, x: MatrixRef<'_>) -> Result<Labels> {
        labels_of(&self.decision(x)?)
    }

    /// Whether it labels bags of rows or rows of sequences, by [`Model::predict_on`], instead of rows.
    fn grouping(&self) -> Option<Grouping> {
        None
    }

    /// Refuses bags or sequences where the model was fitted on something else.
    fn check_grouping(&self, found: Option<Grouping>) -> Result<()> {
        match self.grouping() == found {
            true => Ok(()),
            false => Err(other_groups(self.grouping(), found)),
        }
    }

    /// [`Model::decision`] of a checked table: of its rows, or of its bags where it has them.
    fn decision_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        self.check_grouping(data.grouping())?;
        self.decision(data.x())
    }

    /// [`Model::predict`] of a checked table: of its rows, or of its bags where it has them.
    fn predict_on(&self, data: &Dataset<'_>) -> Result<Labels> {
        match data.grouping() {
            None => self.predict(data.x()),
            Some(_) => labels_of(&self.decision_on(data)?),
        }
    }

    /// Probabilities of the clusters, where the model has them.
    fn proba(&self) -> Option<&dyn Proba> {
        None
    }

    /// A linear rule in the units of the table, where the model is one: one row of weights and
    /// one intercept per column of the decision.
    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        None
    }

    /// The rule as affine scores of features and what they choose, if it labels single rows by nothing else.
    fn flat(&self) -> Option<FlatRule> {
        self.linear().map(|(weights, intercepts)| FlatRule::linear(weights, intercepts))
    }

    /// The weight of each fitted row in the rule, where the rule is made of them.
    fn row_weights(&self) -> Option<&[f64]> {
        None
    }

    /// Makes it take rows that are to be multiplied by this power of two first: a fit of tiny values saw them so.
    /// Models that a fit returns stand behind a [`ScaledModel`](crate::ScaledModel), which does it for them.
    #[doc(hidden)]
    fn set_unit(&mut self, _unit: f64) {}

    /// What [`Method::load`](crate::Method::load) needs.
    fn tensors(&self) -> Tensors;

    /// Refuses rows of another width.
    fn check_width(&self, x: MatrixRef<'_>) -> Result<()> {
        if x.cols() == self.n_features() {
            return Ok(());
        }
        Err(Error::Features { found: x.cols(), expected: self.n_features(), missing: Vec::new() })
    }
}

/// A model that says how sure it is.
pub trait Proba {
    /// P(cluster | row): one column a cluster, every row sums to 1, and the largest (the first of
    /// equals) is the cluster of [`Model::predict`], unless that decodes whole sequences (crf's
    /// likeliest path need not go through the likeliest states).
    fn proba(&self, x: MatrixRef<'_>) -> Result<Dense>;

    /// [`Proba::proba`] of a checked table: of its rows, or of what it is made of besides.
    fn proba_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        match data.grouping() {
            None => self.proba(data.x()),
            found => Err(other_groups(None, found)),
        }
    }
}

/// What a model was fitted on, and what it is given instead.
fn other_groups(fitted: Option<Grouping>, found: Option<Grouping>) -> Error {
    let words = |kind: Option<Grouping>| match kind {
        None => "rows",
        Some(Grouping::Bags) => "bags of rows",
        Some(Grouping::Sequences) => "sequences of rows",
    };
    match (fitted, found) {
        (Some(kind), None) => Error::GroupsMissing { kind: kind.one() },
        (None, Some(kind)) => Error::GroupsUnexpected { kind: kind.one() },
        _ => Error::GroupsDiffer { fitted: words(fitted), found: words(found) },
    }
}

/// The labels that decision values stand for; a value that is not a number names its row.
pub(crate) fn labels_of(decision: &Dense) -> Result<Labels> {
    let label = |row: &[f64]| -> i32 {
        if let [value] = row {
            return i32::from(*value >= 0.0);
        }
        (1..row.len()).fold(0, |best, c| if row[c] > row[best] { c } else { best }) as i32
    };
    let mut labels = vec![0; decision.rows()];
    par::fill_chunks(&mut labels, 1, |range, part| {
        for (i, l) in range.zip(part) {
            let row = decision.row(i);
            *l = if row.iter().any(|v| v.is_nan()) { i32::MIN } else { label(row) };
        }
    });
    match labels.iter().position(|l| *l == i32::MIN) {
        Some(i) => Err(Error::NotFinite { row: i + 1 }),
        None => Ok(labels),
    }
}

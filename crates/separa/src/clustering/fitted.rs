//! What every fitted rule has, a clustering's or a classifier's.

use crate::assign::sizes;
use crate::data::{AsRows, Dataset, Grouping};
use crate::error::{Error, Result};
use crate::method::AnyFit;
use crate::model::{Labels, Model, Proba};
use crate::note::Note;
use crate::params::Named;
use crate::preparation::Preparation;
use crate::registry;
use crate::report::{Report, StartReport, Stop};
use separa_math::matrix::Dense;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A fitted rule with what is known about its fit.
#[derive(Debug, Clone)]
pub struct Fitted {
    pub(crate) facts: Facts,
    pub(crate) model: Arc<dyn Model>,
    /// Those of the training rows; a rule that was loaded has none.
    pub(crate) labels: Option<Labels>,
    /// Of the fit, in seconds; not stored.
    pub(crate) seconds: f64,
}

/// The facts of a fit that answers and model files hold, whatever was fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub separa: String,
    pub method: String,
    pub params: Named,
    pub seed: u64,
    /// Rows, or bags of rows.
    pub n: usize,
    /// The rows of all bags, if bags were clustered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The sequences that the rows stand in, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequences: Option<usize>,
    pub d: usize,
    pub k: usize,
    pub sizes: Vec<usize>,
    pub feature_names: Option<Vec<String>>,
    /// How the columns of the user's table became features, if something was done to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Preparation>,
    pub objective: Option<f64>,
    pub iterations: usize,
    pub stop: Stop,
    #[serde(default)]
    pub initializations: Vec<StartReport>,
    #[serde(default)]
    pub trace: Vec<Option<f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exemplars: Vec<Vec<usize>>,
    #[serde(default)]
    pub notes: Vec<Note>,
}

impl Fitted {
    /// What `fit` found in `data`.
    pub(crate) fn new(
        method: &str,
        params: Named,
        fit: AnyFit,
        data: &Dataset<'_>,
        seed: u64,
    ) -> Self {
        let mut fitted = Self::of_report(method, params, fit, seed);
        fitted.facts.rows = data.bags().map(|_| data.x().rows());
        fitted.facts.sequences = data.sequences().map(<[_]>::len);
        fitted.facts.feature_names = data.names().map(<[String]>::to_vec);
        fitted
    }

    /// What the fit itself says.
    pub(crate) fn of_report(method: &str, params: Named, fit: AnyFit, seed: u64) -> Self {
        let AnyFit { model, labels, report } = fit;
        let Report { objective, iterations, stop, starts, trace, exemplars, notes, .. } = report;
        // JSON has no infinities.
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let facts = Facts {
            separa: env!("CARGO_PKG_VERSION").into(),
            method: method.into(),
            params,
            seed,
            n: labels.len(),
            rows: None,
            sequences: None,
            d: model.n_features(),
            k: model.n_clusters(),
            sizes: sizes(&labels, model.n_clusters()),
            feature_names: None,
            preparation: None,
            objective: finite(objective),
            iterations,
            stop,
            initializations: starts,
            trace: trace.into_iter().map(finite).collect(),
            exemplars,
            notes,
        };
        Self { facts, model: model.into(), labels: Some(labels), seconds: 0.0 }
    }

    /// The version of separa that fitted it.
    pub fn version(&self) -> &str {
        &self.facts.separa
    }

    /// The method's name.
    pub fn method_name(&self) -> &str {
        &self.facts.method
    }

    /// The method's parameters by name, defaults included.
    pub fn params(&self) -> &Named {
        &self.facts.params
    }

    /// The seed of the fit.
    pub fn seed(&self) -> u64 {
        self.facts.seed
    }

    /// The rule.
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    /// The label of every training row, by number from 0; −1 for marked outliers. Empty if the rule was loaded
    /// from a file, which holds no rows.
    pub fn labels(&self) -> &[i32] {
        self.labels.as_deref().unwrap_or_default()
    }

    /// Whether the labels of the training rows are known.
    pub fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    /// How many rows (or bags) it was fitted on.
    pub fn n(&self) -> usize {
        self.facts.n
    }

    /// The rows of all bags, if bags were clustered.
    pub fn rows(&self) -> Option<usize> {
        self.facts.rows
    }

    /// The sequences that the rows stand in, if they do.
    pub fn sequences(&self) -> Option<usize> {
        self.facts.sequences
    }

    /// The method's name, its Python class, and what it is in a line.
    pub fn described(&self) -> [&str; 3] {
        registry::described(&self.facts.method).unwrap_or([&self.facts.method, "", ""])
    }

    /// How many features it takes.
    pub fn d(&self) -> usize {
        self.facts.d
    }

    /// How many clusters or classes it has.
    pub fn k(&self) -> usize {
        self.facts.k
    }

    /// Rows of each cluster or class.
    pub fn sizes(&self) -> &[usize] {
        &self.facts.sizes
    }

    /// The names of the features, if they were given.
    pub fn feature_names(&self) -> Option<&[String]> {
        self.facts.feature_names.as_deref()
    }

    /// How the columns of the user's table became features, if that is known.
    pub fn preparation(&self) -> Option<&Preparation> {
        self.facts.preparation.as_ref()
    }

    /// Keeps how the columns of the user's table became features: the model file stores it for new rows.
    pub fn prepared_by(&mut self, preparation: Preparation) {
        self.facts.preparation = Some(preparation);
    }

    /// What is labelled, in the singular: "row" or "bag".
    pub fn thing(&self) -> &'static str {
        match self.model.grouping() {
            Some(Grouping::Bags) => "bag",
            _ => "row",
        }
    }

    /// The method's own objective at the end; not a number if it was not finite.
    pub fn objective(&self) -> f64 {
        self.facts.objective.unwrap_or(f64::NAN)
    }

    /// Iterations of the main loop.
    pub fn iterations(&self) -> usize {
        self.facts.iterations
    }

    /// Why the work ended.
    pub fn stop(&self) -> Stop {
        self.facts.stop
    }

    /// Every initialization and what became of it.
    pub fn initializations(&self) -> &[StartReport] {
        &self.facts.initializations
    }

    /// The objective after each iteration of the chosen initialization; not a number where it was not finite.
    pub fn trace(&self) -> impl Iterator<Item = f64> {
        self.facts.trace.iter().map(|value| value.unwrap_or(f64::NAN))
    }

    /// Rows that stand for each cluster, the best first, by their place in the table; empty if the method names
    /// none.
    pub fn exemplars(&self) -> &[Vec<usize>] {
        &self.facts.exemplars
    }

    /// What a user should know, warnings first in weight but in the order they came.
    pub fn notes(&self) -> &[Note] {
        &self.facts.notes
    }

    /// How long the fit took, in seconds; 0 for a rule that was loaded.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Whether the rule is linear in the features.
    pub fn is_linear(&self) -> bool {
        self.model.linear().is_some()
    }

    /// The label of every row, seen or not.
    ///
    /// A table with names must have those of the fit, in its order.
    pub fn predict(&self, rows: &(impl AsRows + ?Sized)) -> Result<Labels> {
        rows.with_rows(|data| self.on(data, |model| model.predict_on(data)))
    }

    /// How each row was decided: one column for two clusters (cluster 1 from 0 up), else one per cluster.
    pub fn decision(&self, rows: &(impl AsRows + ?Sized)) -> Result<Dense> {
        rows.with_rows(|data| self.on(data, |model| model.decision_on(data)))
    }

    /// The probability of every cluster, for methods that have them.
    pub fn proba(&self, rows: &(impl AsRows + ?Sized)) -> Result<Dense> {
        rows.with_rows(|data| self.on(data, |_| self.probabilities()?.proba_on(data)))
    }

    fn on<T>(&self, data: &Dataset<'_>, ask: impl FnOnce(&dyn Model) -> Result<T>) -> Result<T> {
        self.check_columns(data.names(), data.d())?;
        ask(self.model.as_ref())
    }

    fn probabilities(&self) -> Result<&dyn Proba> {
        self.model.proba().ok_or_else(|| Error::NoProbabilities {
            method: self.facts.method.clone(),
            methods: registry::names_of(|entry| entry.proba),
        })
    }

    /// Checks that a table's columns are those of the fit, by name if both have names.
    pub fn check_columns(&self, names: Option<&[String]>, width: usize) -> Result<()> {
        let mismatch = |missing| Error::Features { found: width, expected: self.d(), missing };
        let (Some(mine), Some(theirs)) = (self.feature_names(), names) else {
            return if width == self.d() { Ok(()) } else { Err(mismatch(Vec::new())) };
        };
        let missing: Vec<String> = mine.iter().filter(|m| !theirs.contains(m)).cloned().collect();
        if width != self.d() || !missing.is_empty() {
            return Err(mismatch(missing));
        }
        match (0..width).find(|&j| mine[j] != theirs[j]) {
            Some(j) => Err(Error::ColumnOrder {
                index: j + 1,
                found: theirs[j].clone(),
                expected: mine[j].clone(),
                order: mine.join(", "),
            }),
            None => Ok(()),
        }
    }

    pub(crate) fn add_note(&mut self, note: Note) {
        self.facts.notes.push(note);
    }
}

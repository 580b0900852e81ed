//! What every fitted rule has, a clustering's or a classifier's.

use crate::assign::sizes;
use crate::baseline::Baseline;
use crate::confidence::{self, Calibration, Confidence, Margins};
use crate::data::{AsRows, Dataset, Grouping};
use crate::drift::{self, Drift};
use crate::error::{Error, Result};
use crate::method::AnyFit;
use crate::model::{Labels, Model};
use crate::note::{Note, codes};
use crate::novelty::Novelty;
use crate::params::Named;
use crate::preparation::Preparation;
use crate::registry;
use crate::report::{InitializationReport, Report, Stop};
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
    /// What new rows are compared with.
    pub(crate) baseline: Option<Arc<Baseline>>,
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
    /// From margins to confidence, if there are two clusters or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Calibration>,
    pub objective: Option<f64>,
    pub iterations: usize,
    pub stop: Stop,
    #[serde(default)]
    pub initializations: Vec<InitializationReport>,
    #[serde(default)]
    pub trace: Vec<Option<f64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exemplars: Vec<Vec<usize>>,
    /// How rows that were streamed took part, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamFacts>,
    #[serde(default)]
    pub notes: Vec<Note>,
}

/// How rows that passed by took part in a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamFacts {
    /// Whether all rows took part in every iteration; otherwise the rule is that of the sample.
    pub all_rows: bool,
    /// Rows of the sample that the fit began from, and that p-values, profile and scaling are of.
    pub sample_rows: usize,
    /// Passes over all rows.
    pub passes: usize,
    /// Rows that MSP is of, if the clustering was judged: all of them, or those of the sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msp_rows: Option<usize>,
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
        let Report {
            objective, iterations, stop, initializations, trace, exemplars, notes, ..
        } = report;
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
            confidence: None,
            objective: finite(objective),
            iterations,
            stop,
            initializations,
            trace: trace.into_iter().map(finite).collect(),
            exemplars,
            stream: None,
            notes,
        };
        Self { facts, model: model.into(), labels: Some(labels), baseline: None, seconds: 0.0 }
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

    /// Names the features of a fit that saw none, or names them anew.
    pub fn name_features(&mut self, names: &[String]) -> Result<()> {
        if names.len() != self.d() {
            let (found, expected) = (names.len(), self.d());
            return Err(Error::Length { what: "feature names", found, expected, of: "features" });
        }
        self.facts.feature_names = Some(names.to_vec());
        Ok(())
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
    pub fn initializations(&self) -> &[InitializationReport] {
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

    /// How rows that passed by took part in the fit, if they were streamed.
    pub fn stream(&self) -> Option<StreamFacts> {
        self.facts.stream
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

    /// The probability of every cluster: the method's own if it has them, else the [`Fitted::confidence`] for the cluster
    /// of the row and the rest for the others by their scores. Rows sum to 1.
    ///
    /// Classifiers have none.
    pub fn proba(&self, rows: &(impl AsRows + ?Sized)) -> Result<Dense> {
        rows.with_rows(|data| {
            self.on(data, |model| match (model.proba(), self.k()) {
                (Some(own), _) => own.proba_on(data),
                (None, _) if self.is_classifier() => Err(self.no_proba()),
                (None, ..2) => Ok(Dense::from_vec(data.n(), 1, vec![1.0; data.n()])?),
                _ => {
                    let labels = model.predict_on(data)?;
                    Ok(self.calibrated().proba(&labels, &model.decision_on(data)?))
                }
            })
        })
    }

    /// Whether the method learns from labels.
    pub(crate) fn is_classifier(&self) -> bool {
        registry::is_classifier(&self.facts.method)
    }

    /// Whether the method has probabilities of its own.
    pub fn has_own_proba(&self) -> bool {
        self.model.proba().is_some()
    }

    /// How sure the cluster of every row is: of rows with a confidence of 0.9, nine of ten keep their cluster if the
    /// method is fitted to other rows. With the runner-up and the margin.
    ///
    /// Measured on the refits that the held-out agreement is made of. Without them ([`Fitted::confidence_note`]) it is
    /// the method's own probability, or made of the margins alone.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows = [[1.0, 200.0], [1.1, 220.0], [0.9, 210.0], [5.0, 900.0], [5.2, 880.0], [4.9, 910.0]];
    /// let sure = Mspc::new(2).fit(&rows)?.confidence(&[[5.1, 905.0]])?;
    /// assert!(sure.labels == [1] && sure.runner_up == [0] && sure.confidence[0] > 0.5);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub fn confidence(&self, rows: &(impl AsRows + ?Sized)) -> Result<Confidence> {
        rows.with_rows(|data| {
            self.on(data, |model| {
                let labels = model.predict_on(data)?;
                if self.k() < 2 {
                    return Ok(confidence::of_one_cluster(labels));
                }
                let margins = Margins::of(&model.decision_on(data)?, &labels);
                let calibration = self.calibrated();
                let clusters = labels.iter().map(|label| (*label).max(0)).collect();
                let mut found = calibration.of_margins(clusters, margins);
                if let (Some(own), false) = (model.proba(), calibration.is_measured()) {
                    let proba = own.proba_on(data)?;
                    let each = found.labels.iter().enumerate();
                    found.confidence = each.map(|(i, l)| proba[(i, *l as usize)]).collect();
                }
                Ok(found.marked(&labels))
            })
        })
    }

    /// How margins become confidence; None if the fit did not store it.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.facts.confidence.as_ref()
    }

    /// The note if the confidence was not measured on refits.
    pub fn confidence_note(&self) -> Option<Note> {
        let measured = self.calibration().is_some_and(Calibration::is_measured);
        (self.k() > 1 && !measured).then(|| confidence::unmeasured_note(self.has_own_proba()))
    }

    /// How far rows lie from their clusters, each in the cluster's own covariance, with the p-value of "a row as those of
    /// the training table".
    ///
    /// An error for models that keep nothing to measure it by: of separa 0.1, of bags and measures of pairs, of very wide
    /// tables, and classifiers.
    pub fn novelty(&self, rows: &(impl AsRows + ?Sized)) -> Result<Novelty> {
        rows.with_rows(|data| {
            self.on(data, |model| {
                let kept = self.baseline.as_ref().and_then(|kept| kept.novelty.as_ref());
                let rule = kept.ok_or_else(|| self.no_baseline("novelty"))?;
                Ok(rule.novelty(data.x(), model.predict_on(data)?))
            })
        })
    }

    /// What has changed from the training rows to these: fractions of the clusters, features, novel rows. `alpha` is the
    /// largest chance of a finding where nothing has changed ([`drift::ALPHA`] is usual).
    pub fn drift(&self, rows: &(impl AsRows + ?Sized), alpha: f64) -> Result<Drift> {
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(Error::Alpha { found: alpha });
        }
        rows.with_rows(|data| {
            self.on(data, |model| {
                let kept = self.baseline.as_ref().ok_or_else(|| self.no_baseline("drift"))?;
                let labels = model.predict_on(data)?;
                let name = |j: usize| {
                    let names = data.names();
                    names.map_or_else(|| format!("column {}", j + 1), |names| names[j].clone())
                };
                let features = kept.features.iter().flat_map(|f| f.compare(data.x(), name));
                let novelty = kept.novelty.as_ref().map(|rule| {
                    let found = rule.novelty(data.x(), labels.clone());
                    let training = rule.training_rows(drift::level(found.least));
                    (found, training)
                });
                Ok(drift::drift(drift::DriftInput {
                    alpha,
                    sizes: self.sizes(),
                    labels: &labels,
                    features: features.collect(),
                    novelty: novelty.as_ref().map(|(found, training)| (found, *training)),
                }))
            })
        })
    }

    fn no_baseline(&self, what: &'static str) -> Error {
        let (why, otherwise) = match (registry::is_classifier(&self.facts.method), self.facts.rows)
        {
            (true, _) => ("it is a classifier", " as a clustering"),
            (_, Some(_)) => ("it clusters bags", " to rows of features"),
            _ => (
                "it was fitted by an earlier version, block by block, to measures of pairs, or to a very wide table",
                " to rows of features with this version",
            ),
        };
        Error::NoBaseline { what, why, otherwise }
    }

    fn calibrated(&self) -> Calibration {
        self.calibration().cloned().unwrap_or_else(|| Calibration::unmeasured(self.k(), None))
    }

    fn on<T>(&self, data: &Dataset<'_>, ask: impl FnOnce(&dyn Model) -> Result<T>) -> Result<T> {
        self.check_columns(data.names(), data.d())?;
        ask(self.model.as_ref())
    }

    fn no_proba(&self) -> Error {
        let methods = registry::names_of(|entry| entry.proba);
        Error::NoProbabilities { method: self.facts.method.clone(), methods }
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

    /// Makes the rule of a table that was multiplied by `unit` one of the table itself.
    pub(crate) fn set_unit(&mut self, unit: f64) {
        Arc::get_mut(&mut self.model).expect("a new rule has one owner").set_unit(unit);
        let power = unit.log2();
        let text = format!(
            "all values are tiny: the fit saw them times 2^{power}, and so do parameters in units of the table"
        );
        self.add_note(Note::notice(codes::TINY_VALUES, text));
    }

    pub(crate) fn add_note(&mut self, note: Note) {
        self.facts.notes.push(note);
    }
}

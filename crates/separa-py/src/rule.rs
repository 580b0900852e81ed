//! A fitted rule: labels for rows, seen or not, and the bytes of its model file.

use crate::convert::{self, Table};
use crate::{enter, error};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use separa::export::{Dialect, Language, SqlOptions};
use separa::model_file::{self, Saved};
use separa::registry::{self};
use separa::{Dataset, Dense, Fitted, Grouping, Labels};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Rows that one thread labels sooner than a second one starts.
const ALONE: usize = 4096;

/// A clustering or a trained classifier, as Python holds it.
#[pyclass(frozen, module = "separa._separa")]
#[derive(Debug)]
pub struct Rule(pub Arc<Saved>);

impl From<Saved> for Rule {
    fn from(saved: Saved) -> Self {
        Self(Arc::new(saved))
    }
}

impl Rule {
    /// What a list of tables is to the method.
    fn lists(&self) -> Grouping {
        match registry::find(self.0.method_name()) {
            Ok(entry) if entry.sequences => Grouping::Sequences,
            _ => Grouping::Bags,
        }
    }

    /// Runs `ask` on the rows `x`, on no more threads than they are worth.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
        ask: impl FnOnce(&Fitted, &Dataset<'_>) -> separa::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let table = Table::new(x)?;
        let saved = self.0.clone();
        let threads = if table.rows() <= ALONE { Some(1) } else { threads };
        let work = move |_| {
            saved.model().check_width(table.matrix()?)?;
            Ok((ask(&saved, &table.dataset(saved.feature_names())?)?, table))
        };
        Ok(enter::run(py, threads, None, work)?.0)
    }
}

#[pymethods]
impl Rule {
    /// The rule in the bytes of a model file.
    #[staticmethod]
    #[pyo3(signature = (bytes, labels=None))]
    fn from_bytes(bytes: &[u8], labels: Option<Labels>) -> PyResult<Self> {
        let saved = model_file::from_bytes(bytes).map_err(error::raise)?;
        Ok(Self::from(saved.with_labels(labels)))
    }

    /// The same rule with these names of its clusters.
    fn renamed(&self, names: BTreeMap<usize, String>) -> PyResult<Self> {
        let mut saved = self.0.as_ref().clone();
        let found = saved.clustering_mut().map_err(error::raise)?;
        found.rename(names).map_err(error::raise)?;
        Ok(Self::from(saved))
    }

    /// The same rule with these names of its features.
    fn with_feature_names(&self, names: Vec<String>) -> PyResult<Self> {
        let named = self.0.as_ref().clone().with_feature_names(&names);
        named.map(Self::from).map_err(error::raise)
    }

    /// How the table was prepared, as text.
    fn preparation(&self) -> PyResult<Option<String>> {
        let text = |p| serde_json::to_string(p).map_err(|e| error::model(e.to_string()));
        self.0.preparation().map(text).transpose()
    }

    /// The bytes of the model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.0.to_bytes().map_err(error::raise)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the model file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.to_bytes(py)?;
        separa_io::write_atomic(&path, |out| out.write_all(bytes.as_bytes()))
            .map_err(|e| error::system(e.to_string()))
    }

    /// Reads a model file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let name = path.display();
        let bytes = separa_io::read_model(&path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                error::missing(format!("{name}: no such model file; check the path"))
            }
            _ => error::system(format!("{name}: cannot be read ({e})")),
        })?;
        let saved = model_file::from_bytes(&bytes);
        saved.map(Self::from).map_err(|e| error::model(format!("{name}: {e}")))
    }

    /// The rule in another language, as the bytes of a file.
    fn export<'py>(
        &self,
        py: Python<'py>,
        to: &str,
        dialect: &str,
        table: String,
        keep: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let written = || {
            let dialect = Dialect::named(dialect)?;
            let language = Language::named(to, SqlOptions { dialect, table, keep })?;
            self.0.portable()?.write(&language)
        };
        Ok(PyBytes::new(py, &written().map_err(error::raise)?))
    }

    /// What the model file says, and what Python asks besides.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let saved = self.0.as_ref();
        let mut about = json!(saved);
        if let Value::Object(facts) = &mut about {
            facts.insert("notes".into(), error::told(saved.notes()));
            facts.insert(
                "takes".into(),
                saved.model().grouping().map_or("row", Grouping::one).into(),
            );
            facts.insert("lists".into(), self.lists().one().into());
            facts.insert("proba".into(), saved.model().proba().is_some().into());
        }
        convert::plain(py, &about)
    }

    /// The labels of the training rows, where the rule was fitted and not loaded.
    fn labels<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i32>>> {
        self.0.has_labels().then(|| PyArray1::from_slice(py, self.0.labels()))
    }

    /// The weight of each fitted row in the rule, where the rule is made of them.
    fn row_weights<'py>(&self, py: Python<'py>) -> Option<Vector<'py>> {
        self.0.model().row_weights().map(|weights| PyArray1::from_slice(py, weights))
    }

    /// Weights (one row a column of the decision) and intercepts of a linear rule.
    fn linear<'py>(&self, py: Python<'py>) -> PyResult<Option<(Matrix<'py>, Vector<'py>)>> {
        let Some((weights, intercepts)) = self.0.model().linear() else { return Ok(None) };
        Ok(Some((matrix(py, weights)?, PyArray1::from_vec(py, intercepts))))
    }

    /// The label of every row.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let labels = self.ask(py, x, threads, |rule, data| rule.predict(data))?;
        Ok(PyArray1::from_vec(py, labels))
    }

    /// Decision values: one column for two clusters, else one a cluster.
    fn decision<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Matrix<'py>> {
        let values = self.ask(py, x, threads, |rule, data| rule.decision(data))?;
        matrix(py, values)
    }

    /// Probabilities: one column a cluster.
    fn proba<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Matrix<'py>> {
        let values = self.ask(py, x, threads, |rule, data| rule.proba(data))?;
        matrix(py, values)
    }

    /// Label, distance to the cluster, its p-value; and the note about novel rows.
    fn novelty<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<(Bound<'py, PyArray1<i32>>, Vector<'py>, Vector<'py>)> {
        let found = self.ask(py, x, threads, |rule, data| rule.novelty(data))?;
        Ok((PyArray1::from_vec(py, found.labels), vector(py, found.distance), vector(py, found.p)))
    }

    /// What has changed from the training rows to these.
    fn drift<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        alpha: f64,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(py, x, threads, move |rule, data| rule.drift(data, alpha))?;
        convert::plain(py, &json!(found))
    }

    /// How sure the cluster of every row is.
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Sure<'py>> {
        let found = self.ask(py, x, threads, |rule, data| rule.confidence(data))?;
        Ok((
            PyArray1::from_vec(py, found.labels),
            vector(py, found.confidence),
            PyArray1::from_vec(py, found.runner_up),
            vector(py, found.margin),
        ))
    }
}

/// Label, confidence, runner-up and margin of every row.
type Sure<'py> = (Bound<'py, PyArray1<i32>>, Vector<'py>, Bound<'py, PyArray1<i32>>, Vector<'py>);

pub type Matrix<'py> = Bound<'py, PyArray2<f64>>;
pub type Vector<'py> = Bound<'py, PyArray1<f64>>;

pub fn vector(py: Python<'_>, values: Vec<f64>) -> Vector<'_> {
    PyArray1::from_vec(py, values)
}

pub fn matrix(py: Python<'_>, values: Dense) -> PyResult<Matrix<'_>> {
    let shape = [values.rows(), values.cols()];
    PyArray1::from_vec(py, values.into_vec()).reshape(shape)
}

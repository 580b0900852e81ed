//! A fitted rule: labels for rows, seen or not, and the bytes of its model file.

use crate::convert::{self, Table};
use crate::enter;
use crate::error;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use separa::judge;
use separa::model_file::{self as persist, About, Saved, Training};
use separa::registry::{self, AnyFit, Named};
use separa::{Dataset, Dense, Grouping, Labels, Model, Note};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// Rows that one thread labels sooner than a second one starts.
const ALONE: usize = 4096;

/// A method's rule with what the model file says about it.
#[pyclass(frozen, module = "separa._separa")]
#[derive(Debug)]
pub struct Rule {
    pub method: String,
    pub params: Named,
    pub names: Option<Vec<String>>,
    pub training: Training,
    pub model: Arc<dyn Model>,
    pub labels: Option<Labels>,
    pub trouble: Option<String>,
}

impl Rule {
    /// A fit with what its model file will say, and why it could not be judged where that is so.
    pub fn fitted(
        (method, params, names, training): (&str, Named, Option<Vec<String>>, Training),
        fit: AnyFit,
        trouble: Option<String>,
    ) -> Self {
        let (model, labels) = (Arc::from(fit.model), Some(fit.labels));
        Self { method: method.to_owned(), params, names, training, model, labels, trouble }
    }

    /// What to keep in mind about the quality, where there is one.
    pub fn cautions(&self) -> Vec<Note> {
        match (&self.training.quality, registry::find(&self.method)) {
            (Some(_), Ok(entry)) => judge::cautions(entry, self.model.n_clusters(), &self.params),
            _ => Vec::new(),
        }
    }

    /// What a list of tables is to the method.
    fn lists(&self) -> Grouping {
        match registry::find(&self.method) {
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
        ask: impl FnOnce(&dyn Model, &Dataset<'_>) -> separa::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let table = Table::new(x)?;
        let model = self.model.clone();
        let threads = if table.rows() <= ALONE { Some(1) } else { threads };
        let names = self.names.clone();
        let work = move |_| {
            model.check_width(table.matrix()?)?;
            Ok((ask(model.as_ref(), &table.dataset(names.as_deref())?)?, table))
        };
        Ok(enter::run(py, threads, None, work)?.0)
    }
}

impl From<Saved> for Rule {
    fn from(Saved { header, model }: Saved) -> Self {
        Self {
            method: header.method,
            params: header.params,
            names: header.feature_names,
            training: header.training,
            model: model.into(),
            labels: None,
            trouble: None,
        }
    }
}

#[pymethods]
impl Rule {
    /// The rule in the bytes of a model file.
    #[staticmethod]
    #[pyo3(signature = (bytes, labels=None))]
    fn from_bytes(bytes: &[u8], labels: Option<Labels>) -> PyResult<Self> {
        let saved = persist::from_bytes(bytes).map_err(error::raise)?;
        Ok(Self { labels, ..Self::from(saved) })
    }

    /// The bytes of the model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let about = About {
            method: &self.method,
            params: self.params.clone(),
            feature_names: self.names.as_deref(),
            training: self.training.clone(),
        };
        let bytes = persist::to_bytes(self.model.as_ref(), about).map_err(error::raise)?;
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
        let saved = persist::from_bytes(&bytes);
        saved.map(Self::from).map_err(|e| error::model(format!("{name}: {e}")))
    }

    /// What the model file says, as JSON: method, params, feature names, training.
    fn about(&self) -> PyResult<String> {
        convert::text(&json!({
            "method": self.method,
            "params": self.params,
            "n_features": self.model.n_features(),
            "n_clusters": self.model.n_clusters(),
            "takes": self.model.grouping().map_or("row", Grouping::one),
            "lists": self.lists().one(),
            "proba": self.model.proba().is_some(),
            "feature_names": self.names,
            "training": self.training,
            "cautions": self.cautions(),
            "trouble": self.trouble,
        }))
    }

    /// The labels of the training rows, where the rule was fitted and not loaded.
    fn labels<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i32>>> {
        self.labels.as_ref().map(|labels| PyArray1::from_slice(py, labels))
    }

    /// The weight of each fitted row in the rule, where the rule is made of them.
    fn row_weights<'py>(&self, py: Python<'py>) -> Option<Vector<'py>> {
        self.model.row_weights().map(|weights| PyArray1::from_slice(py, weights))
    }

    /// Weights (one row a column of the decision) and intercepts of a linear rule.
    fn linear<'py>(&self, py: Python<'py>) -> PyResult<Option<(Matrix<'py>, Vector<'py>)>> {
        let Some((weights, intercepts)) = self.model.linear() else { return Ok(None) };
        Ok(Some((matrix(py, weights)?, PyArray1::from_vec(py, intercepts))))
    }

    /// The label of every row.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let labels = self.ask(py, x, threads, |model, data| model.predict_on(data))?;
        Ok(PyArray1::from_vec(py, labels))
    }

    /// Decision values: one column for two clusters, else one a cluster.
    fn decision<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Matrix<'py>> {
        let values = self.ask(py, x, threads, |model, data| model.decision_on(data))?;
        matrix(py, values)
    }

    /// Probabilities: one column a cluster.
    fn proba<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Matrix<'py>> {
        let method = self.method.clone();
        let values = self.ask(py, x, threads, move |model, data| {
            registry::proba(&method, model)?.proba_on(data)
        })?;
        matrix(py, values)
    }
}

pub type Matrix<'py> = Bound<'py, PyArray2<f64>>;
pub type Vector<'py> = Bound<'py, PyArray1<f64>>;

pub fn vector(py: Python<'_>, values: Vec<f64>) -> Vector<'_> {
    PyArray1::from_vec(py, values)
}

pub fn matrix(py: Python<'_>, values: Dense) -> PyResult<Matrix<'_>> {
    let shape = [values.rows(), values.cols()];
    PyArray1::from_vec(py, values.into_vec()).reshape(shape)
}

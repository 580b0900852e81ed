//! Fitting by name.

use crate::compare;
use crate::convert::{self, Columns, Rows};
use crate::enter::{self, Bell};
use crate::error;
use crate::rule::Rule;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::model_file::Saved;
use separa::registry::{self, METHODS, MethodEntry};
use separa::{Clusterer, MemoryBudget, Named};
use serde_json::json;

/// Every method with its parameters.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let method = |e: &MethodEntry| {
        let params = e.params(&Named::new()).expect("defaults pass their own check");
        json!({"name": e.name, "class": e.class, "about": e.about, "sequences": e.sequences, "proba": e.proba, "specs": e.specs, "defaults": params})
    };
    convert::plain(py, &METHODS.iter().map(method).collect::<Vec<_>>())
}

/// A method's parameters, completed by its defaults and checked.
#[pyfunction]
pub fn complete<'py>(method: &str, params: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    let entry = registry::find(method).map_err(error::raise)?;
    let complete = entry.params(&convert::params(params)?).map_err(error::raise)?;
    convert::plain(params.py(), &complete)
}

/// Bytes from "4G", "500M" or a number in words.
#[pyfunction]
pub fn memory_size(text: &str) -> PyResult<u64> {
    let wrong = |e| error::parameter(format!("parameter `max_memory`: {e}"));
    let budget = MemoryBudget::parse(text).map_err(wrong)?;
    Ok(budget.0.expect("a size that was parsed is a limit"))
}

/// How to run a fit, beside what the method is told.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Run<'py> {
    pub seed: u64,
    pub threads: Option<usize>,
    pub memory: Option<u64>,
    judge: bool,
    /// Clusters that `n_clusters="auto"` looks for at most.
    pub k_max: Option<usize>,
    /// Seconds that the whole may take.
    time_limit: Option<f64>,
    pub listener: Option<Bound<'py, PyAny>>,
}

impl Run<'_> {
    /// A request by name, as it is to be run.
    pub fn request(
        &self,
        method: &str,
        params: &Bound<'_, PyDict>,
    ) -> PyResult<Clusterer<'static>> {
        let request = Clusterer::named(method, &convert::params(params)?).map_err(error::raise)?;
        let mut request = request.seed(self.seed).quality(self.judge);
        if let Some(memory) = self.memory {
            request = request.memory(memory);
        }
        if let Some(k_max) = self.k_max {
            request = request.k_max(k_max);
        }
        if let Some(seconds) = self.time_limit {
            let limit = compare::limit(seconds)?;
            request = request.time_limit(limit).count_limit(limit);
        }
        // Before any work: a slip in a name should not wait for the data.
        request.check().map_err(error::raise)?;
        Ok(request)
    }
}

/// Fits `method` to a table and judges the result if `run["judge"]` says so.
#[pyfunction]
pub fn fit(
    py: Python<'_>,
    method: &str,
    params: &Bound<'_, PyDict>,
    x: &Bound<'_, PyAny>,
    columns: Columns,
    weights: Option<&Bound<'_, PyAny>>,
    run: Run<'_>,
) -> PyResult<Rule> {
    let request = run.request(method, params)?;
    let rows = Rows::new(x, columns, weights)?;
    let work = move |bell: Bell| {
        let found = request.observe(bell).fit(&rows.dataset()?)?;
        // The table goes back to the caller, who may let go of Python's objects.
        Ok((found, rows))
    };
    let (mut found, rows) = enter::run(py, run.threads, run.listener.as_ref(), work)?;
    rows.preparation.into_iter().for_each(|done| found.prepared_by(done));
    Ok(Rule::from(Saved::Clustering(Box::new(found))))
}

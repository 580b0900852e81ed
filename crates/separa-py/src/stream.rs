//! Passes over rows that Python reads, wherever it reads them: sums as bytes, in the order of the blocks.

use crate::convert::{self, Table};
use crate::rule::Rule;
use crate::{enter, error};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use separa::model_file::Saved;
use separa::source;
use separa::{Dataset, Stop, Sums};
use serde_json::json;

/// A rule between two passes over all rows.
#[pyclass(module = "separa._separa")]
#[derive(Debug)]
pub struct Passes {
    passes: source::Passes,
    total: Sums,
}

#[pymethods]
impl Passes {
    /// Begins from a clustering of some of the rows: `x` are those it was fitted to.
    #[staticmethod]
    fn begin(rule: &Rule, x: &Bound<'_, PyAny>) -> PyResult<Self> {
        let found = rule.0.clustering().map_err(error::raise)?;
        let table = Table::new(x)?;
        let begun = || -> separa::Result<source::Passes> {
            let sample = Dataset::new(table.matrix()?)?;
            Ok(source::Passes::begin(found)?.judging(found, &sample))
        };
        Ok(Self { passes: begun().map_err(error::raise)?, total: Sums::default() })
    }

    /// Goes on from what [`Passes::to_bytes`] made between two passes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let passes = source::Passes::from_bytes(bytes).map_err(error::raise)?;
        Ok(Self { passes, total: Sums::default() })
    }

    /// Whether all rows take part in the fit, or the rule of the sample stays as it is.
    #[getter]
    fn takes_all_rows(&self) -> bool {
        self.passes.takes_all_rows()
    }

    /// What `pass_sums` needs where the rows are.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.passes.to_bytes().map_err(error::raise)?))
    }

    /// Adds the sums of the next block.
    fn add(&mut self, sums: &[u8]) -> PyResult<()> {
        let sums = Sums::from_bytes(sums).map_err(error::raise)?;
        self.total.add(&sums).map_err(error::raise)
    }

    /// Ends the pass. Returns why there is no other, None if there is one.
    fn step<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let total = std::mem::take(&mut self.total);
        self.passes.step(&total).map_err(error::raise)?;
        convert::plain(py, &json!(self.passes.stop()))
    }

    /// How many passes are done.
    #[getter]
    fn done(&self) -> usize {
        self.passes.done()
    }

    /// The clustering with the rule of all rows; `cancelled` if a pass was left in the middle.
    fn finish(&self, rule: &Rule, cancelled: bool) -> PyResult<Rule> {
        let mut found = rule.0.clustering().map_err(error::raise)?.clone();
        let mut passes = self.passes.clone();
        if cancelled || passes.stop() == Some(Stop::Cancelled) {
            passes.cancel();
        }
        passes.finish(&mut found);
        Ok(Rule::from(Saved::Clustering(Box::new(found))))
    }
}

/// The sums of a block of rows, as bytes.
#[pyfunction]
pub fn pass_sums<'py>(
    py: Python<'py>,
    passes: &[u8],
    x: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let passes = source::Passes::from_bytes(passes).map_err(error::raise)?;
    let table = Table::new(x)?;
    let work = move |_| Ok((passes.sum(table.matrix()?)?.to_bytes(), table));
    Ok(PyBytes::new(py, &enter::run(py, threads, None, work)?.0))
}

/// The sums of blocks that follow each other as those of one block.
#[pyfunction]
pub fn add_sums<'py>(py: Python<'py>, parts: Vec<PyBackedBytes>) -> PyResult<Bound<'py, PyBytes>> {
    let mut total = Sums::default();
    for part in &parts {
        let sums = Sums::from_bytes(part).map_err(error::raise)?;
        total.add(&sums).map_err(error::raise)?;
    }
    let bytes = if parts.is_empty() { Vec::new() } else { total.to_bytes() };
    Ok(PyBytes::new(py, &bytes))
}

/// Which of `n` rows a fit begins from, ascending.
#[pyfunction]
pub fn sample_rows(n: usize, m: usize, seed: u64) -> Vec<usize> {
    source::sample(n, m, seed)
}

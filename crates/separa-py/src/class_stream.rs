//! Passes over rows with known classes that Python reads, wherever it reads them.

use crate::convert::{self, Table};
use crate::rule::Rule;
use crate::{enter, error};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use separa::model_file::Saved;
use separa::source;
use separa::{Dataset, Sums, Target};
use serde_json::json;

/// A classifier between two passes over all rows.
#[pyclass(module = "separa._separa")]
#[derive(Debug)]
pub struct ClassPasses {
    passes: source::ClassPasses,
    total: Sums,
}

#[pymethods]
impl ClassPasses {
    /// Begins from a classifier and the sample that it was trained on.
    #[staticmethod]
    fn begin(rule: &Rule, x: &Bound<'_, PyAny>, classes: Vec<u32>) -> PyResult<Self> {
        let trained = rule.0.trained().ok_or_else(|| error::parameter("expected a classifier"))?;
        let table = Table::new(x)?;
        let begun = || {
            let target = Target::new(classes, trained.classes().to_vec())?;
            source::ClassPasses::begin(trained, &Dataset::new(table.matrix()?)?, &target)
        };
        Ok(Self { passes: begun().map_err(error::raise)?, total: Sums::default() })
    }

    /// Whether all rows take part, or the rule of the sample stays as it is.
    #[getter]
    fn takes_all_rows(&self) -> bool {
        self.passes.takes_all_rows()
    }

    /// What `class_sums` needs where the rows are.
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

    /// The classifier with the rule of all rows.
    fn finish(&self, rule: &Rule) -> PyResult<Rule> {
        let trained = rule.0.trained().ok_or_else(|| error::parameter("expected a classifier"))?;
        let mut trained = trained.clone();
        self.passes.clone().finish(&mut trained);
        Ok(Rule::from(Saved::Trained(Box::new(trained))))
    }
}

/// The sums of a block of rows with the numbers of their classes, as bytes.
#[pyfunction]
pub fn class_sums<'py>(
    py: Python<'py>,
    passes: &[u8],
    x: &Bound<'_, PyAny>,
    classes: Vec<u32>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let passes = source::ClassPasses::from_bytes(passes).map_err(error::raise)?;
    let table = Table::new(x)?;
    let work = move |_| Ok((passes.sum(table.matrix()?, &classes)?.to_bytes(), table));
    Ok(PyBytes::new(py, &enter::run(py, threads, None, work)?.0))
}

/// Which rows of each class a training begins from: ascending places among those of the class.
#[pyfunction]
pub fn class_sample(sizes: Vec<usize>, most: usize, seed: u64) -> Vec<Vec<usize>> {
    source::class_sample(&sizes, most, seed)
}

//! Measures of labellings.

use crate::convert::{self, Rows, Table};
use crate::rule::{Matrix, matrix};
use crate::{enter, error};
use pyo3::prelude::*;
use separa::quality::{self, AssessOptions, Contingency, External, bounds};
use separa::{Dataset, DenseRef, Labels, MatrixRef, MemoryBudget, Metric, Remedy};

/// Runs a measure of rows and labels behind the gate.
fn measure<T: Send + 'static>(
    x: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    ask: impl FnOnce(&Dataset<'_>, &[i32]) -> separa::Result<T> + Send + 'static,
) -> PyResult<T> {
    let rows = Rows::new(x, (None, None), weights)?;
    let labels: Labels = convert::integers(labels, "label")?;
    let work = move |_| Ok((ask(&rows.dataset()?, &labels)?, rows));
    Ok(enter::run(x.py(), None, None, work)?.0)
}

/// Runs a measure of distances and labels behind the gate.
fn between<T: Send + 'static>(
    distances: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyAny>,
    ask: impl FnOnce(DenseRef<'_>, &[i32]) -> separa::Result<T> + Send + 'static,
) -> PyResult<T> {
    let table = Table::new(distances)?;
    let labels: Labels = convert::integers(labels, "label")?;
    let work = move |_| {
        let MatrixRef::Dense(matrix) = table.matrix()? else {
            return Err(separa::Error::SparseDistances);
        };
        Ok((ask(matrix, &labels)?, table))
    };
    Ok(enter::run(distances.py(), None, None, work)?.0)
}

/// The whole quality block.
#[pyfunction]
pub fn assess<'py>(
    x: &Bound<'py, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    reg: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let quality = measure(x, labels, weights, move |data, labels| {
        let options = AssessOptions { reg, seed, ..AssessOptions::default() };
        let quality = quality::assess(data, labels, &options)?;
        Ok((quality.verdict(), quality))
    })?;
    convert::plain(x.py(), &quality)
}

/// Which features separate every pair, the `most` largest fractions of each.
#[pyfunction]
pub fn importance<'py>(
    x: &Bound<'py, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    reg: f64,
    most: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let ask =
        move |data: &Dataset<'_>, labels: &[i32]| quality::importance(data, labels, reg, most);
    convert::plain(x.py(), &measure(x, labels, weights, ask)?)
}

/// How much the neighbours of a row know of its cluster.
#[pyfunction]
pub fn separation_score(
    x: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    seed: u64,
) -> PyResult<f64> {
    measure(x, labels, weights, move |data, labels| quality::separation_score(data, labels, seed))
}

/// Minimum separation probability.
#[pyfunction]
pub fn msp(
    x: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    reg: f64,
) -> PyResult<f64> {
    measure(x, labels, weights, move |data, labels| quality::msp(data, labels, reg))
}

/// The labels in use and their pairs' MSPs.
#[pyfunction]
pub fn pairwise_msp<'py>(
    x: &Bound<'py, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    reg: f64,
) -> PyResult<(Labels, Matrix<'py>)> {
    let ask = move |data: &Dataset<'_>, labels: &[i32]| quality::pairwise_msp(data, labels, reg);
    let (used, values) = measure(x, labels, weights, ask)?;
    Ok((used, matrix(x.py(), values)?))
}

/// Theorem 2's lower bound of MSP.
#[pyfunction]
pub fn separation_bound(
    x: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    reg: f64,
) -> PyResult<f64> {
    measure(x, labels, weights, move |data, labels| bounds::separation_bound(data, labels, reg))
}

/// The distances between all rows, by a metric's name.
#[pyfunction]
pub fn distances<'py>(x: &Bound<'py, PyAny>, metric: &str) -> PyResult<Matrix<'py>> {
    let table = Table::new(x)?;
    let metric: Metric = serde_json::from_value(metric.into()).map_err(|_| {
        error::parameter(format!(
            "parameter `metric` must be one of euclidean, sqeuclidean, manhattan, chebyshev, \
             cosine, correlation, precomputed, got \"{metric}\""
        ))
    })?;
    let budget = MemoryBudget::free();
    let work = move |_| {
        let data = table.dataset(None)?;
        if let Some(kind) = data.grouping() {
            let (method, why) = ("metrics".to_owned(), "take one table, not a list of them");
            let (kinds, methods) = (kind.many(), Vec::new());
            return Err(separa::Error::GroupsNotTaken { method, why, kinds, methods });
        }
        let rows = data.x();
        let needed = 8 * (rows.rows() as u64).pow(2);
        budget.require("metrics", needed, Remedy::FewerRows)?;
        Ok((metric.matrix(&rows, &rows), table))
    };
    matrix(x.py(), enter::run(x.py(), None, None, work)?.0)
}

/// GMSP of a distance matrix.
#[pyfunction]
pub fn gmsp(distances: &Bound<'_, PyAny>, labels: &Bound<'_, PyAny>) -> PyResult<f64> {
    between(distances, labels, quality::gmsp)
}

/// The disparity cut of a distance matrix.
#[pyfunction]
pub fn dcut(
    distances: &Bound<'_, PyAny>,
    labels: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let weights = weights.map(convert::vector).transpose()?;
    between(distances, labels, move |d, l| quality::dcut(d, l, weights.as_ref().map(|w| w.slice())))
}

/// Agreement with known classes.
#[pyfunction]
pub fn external<'py>(
    py: Python<'py>,
    labels: &Bound<'_, PyAny>,
    truth: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let labels: Labels = convert::integers(labels, "label")?;
    let truth: Labels = convert::integers(truth, "class")?;
    let work = move |_| External::new(&labels, &truth);
    convert::plain(py, &enter::run(py, Some(1), None, work)?)
}

/// Every cluster against the classes, and the classes in the order of its counts.
#[pyfunction]
pub fn cluster_table<'py>(
    py: Python<'py>,
    labels: &Bound<'_, PyAny>,
    truth: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let labels: Labels = convert::integers(labels, "label")?;
    let truth: Labels = convert::integers(truth, "class")?;
    let work = move |_| {
        let table = Contingency::new(&labels, &truth)?;
        Ok((table.by_cluster(), table.classes))
    };
    convert::plain(py, &enter::run(py, Some(1), None, work)?)
}

//! Classifiers by name, and the quantiser.

use crate::convert::{self, Rows, Table};
use crate::enter;
use crate::error;
use crate::fit::Run;
use crate::rule::{Matrix, Rule, matrix};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::classify::{Columns, TodOptions, tod as quantise};
use separa::persist::Training;
use separa::registry::{self, CLASSIFIERS, ClassifierEntry, Named};
use separa::{Ctx, Target};
use separa_io::memory;
use serde_json::json;

/// Every classifier with its parameters, as JSON.
#[pyfunction]
pub fn classifiers() -> PyResult<String> {
    let classifier = |e: &ClassifierEntry| {
        let params = (e.params)(&Named::new()).expect("defaults pass their own check");
        json!({"name": e.name, "class": e.class, "about": e.about, "specs": e.specs, "defaults": params})
    };
    convert::text(&CLASSIFIERS.iter().map(classifier).collect::<Vec<_>>())
}

/// Trains `method` on a table: (numbers, names) of its classes.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn train(
    py: Python<'_>,
    method: &str,
    params: &Bound<'_, PyDict>,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    weights: Option<&Bound<'_, PyAny>>,
    target: (Vec<u32>, Vec<String>),
    run: Run<'_>,
) -> PyResult<Rule> {
    let entry = registry::find_classifier(method).map_err(error::raise)?;
    let given = convert::params(params)?;
    let complete = (entry.params)(&given).map_err(error::raise)?;
    let weights = weights.map(convert::vector).transpose()?;
    let target = Target::new(target.0, target.1).map_err(error::raise)?;
    let rows = Rows { table: Table::new(x)?, names, weights };
    let (seed, budget) = (run.seed, memory::budget(run.memory));
    let work = move |bell| {
        let mut ctx = Ctx::observed(seed, bell);
        ctx.memory = budget;
        let fit = (entry.fit)(&given, &rows.dataset()?, &target, &mut ctx)?;
        Ok((fit, rows))
    };
    let (fit, rows) = enter::run(py, run.threads, run.listener.as_ref(), work)?;
    let training = Training::of(&fit, seed, None);
    Ok(Rule::fitted((entry.name, complete, rows.names, training), fit, None))
}

/// Weights, means, variances and the factors of distances.
type Summaries<'py> =
    (Bound<'py, PyArray1<f64>>, Matrix<'py>, Matrix<'py>, Bound<'py, PyArray1<f64>>);

/// Summarises the rows of a table in one pass.
#[pyfunction]
pub fn tod<'py>(
    py: Python<'py>,
    x: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    how: (usize, f64, bool),
    run: (u64, Option<usize>),
) -> PyResult<Summaries<'py>> {
    let ((count, threshold, shared), (seed, threads)) = (how, run);
    let weights = weights.map(convert::vector).transpose()?;
    let rows = Rows { table: Table::new(x)?, names: None, weights };
    let units = if shared { Columns::Shared } else { Columns::Free };
    let options = TodOptions { count, threshold, units, seed };
    let work = move |_| Ok((quantise(&rows.dataset()?, options)?, rows));
    let (found, _) = enter::run(py, threads, None, work)?;
    Ok((
        PyArray1::from_vec(py, found.weights),
        matrix(py, found.means)?,
        matrix(py, found.variances)?,
        PyArray1::from_vec(py, found.factors),
    ))
}

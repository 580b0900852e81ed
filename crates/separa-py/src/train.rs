//! Classifiers by name, and the quantiser.

use crate::convert::{self, Columns, Rows};
use crate::enter::{self, Bell};
use crate::error;
use crate::fit::Run;
use crate::rule::{Matrix, Rule, matrix};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::classify::{CovarianceChoice, Scaling, TodOptions, TodSummaries, tod as quantise};
use separa::model_file::Saved;
use separa::registry::{CLASSIFIERS, ClassifierEntry};
use separa::{Dense, Named, Target, Trainer};
use serde_json::json;

/// Every classifier with its parameters.
#[pyfunction]
pub fn classifiers(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let classifier = |e: &ClassifierEntry| {
        let params = e.params(&Named::new()).expect("defaults pass their own check");
        json!({"name": e.name, "class": e.class, "about": e.about, "specs": e.specs, "defaults": params})
    };
    convert::plain(py, &CLASSIFIERS.iter().map(classifier).collect::<Vec<_>>())
}

/// Trains `method` on a table: (numbers, names) of its classes, and whether they are text.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn train(
    py: Python<'_>,
    method: &str,
    params: &Bound<'_, PyDict>,
    x: &Bound<'_, PyAny>,
    columns: Columns,
    weights: Option<&Bound<'_, PyAny>>,
    target: (Vec<u32>, Vec<String>, bool),
    run: Run<'_>,
) -> PyResult<Rule> {
    let request = Trainer::named(method, &convert::params(params)?).map_err(error::raise)?;
    let mut request = request.seed(run.seed);
    if let Some(memory) = run.memory {
        request = request.memory(memory);
    }
    request.check().map_err(error::raise)?;
    let (numbers, classes, text) = target;
    let target = Target::new(numbers, classes).map_err(error::raise)?.as_text(text);
    let rows = Rows::new(x, columns, weights)?;
    let work = move |bell: Bell| Ok((request.observe(bell).fit(&rows.dataset()?, &target)?, rows));
    let (mut trained, rows) = enter::run(py, run.threads, run.listener.as_ref(), work)?;
    rows.preparation.into_iter().for_each(|done| trained.prepared_by(done));
    Ok(Rule::from(Saved::Trained(Box::new(trained))))
}

/// Weights, means, packed covariances, the factors of distances and the threshold.
type Summaries<'py> =
    (Bound<'py, PyArray1<f64>>, Matrix<'py>, Matrix<'py>, Bound<'py, PyArray1<f64>>, f64);

/// Number of summaries, threshold, the scaling of columns, and whether covariances are full.
type How = (usize, f64, String, bool);

/// Summarises the rows of a table in one pass, after those of `start` where it is given.
#[pyfunction]
pub fn tod<'py>(
    py: Python<'py>,
    x: &Bound<'_, PyAny>,
    columns: Columns,
    weights: Option<&Bound<'_, PyAny>>,
    how: How,
    run: (u64, Option<usize>),
    start: Option<Given<'_>>,
) -> PyResult<Summaries<'py>> {
    let (seed, threads) = run;
    let rows = Rows::new(x, columns, weights)?;
    let (options, start) = (options(how, seed)?, start.map(summaries).transpose()?);
    let work = move |_| {
        let data = rows.dataset()?;
        let found = match &start {
            Some(start) => start.see(&data, options)?,
            None => quantise(&data, options)?,
        };
        Ok((found, rows))
    };
    shown(py, enter::run(py, threads, None, work)?.0)
}

/// The summaries of both.
#[pyfunction]
pub fn tod_merge<'py>(
    py: Python<'py>,
    one: Given<'_>,
    two: Given<'_>,
    how: How,
) -> PyResult<Summaries<'py>> {
    let (one, two) = (summaries(one)?, summaries(two)?);
    shown(py, one.merge(&two, options(how, 0)?).map_err(error::raise)?)
}

/// Summaries as Python holds them.
type Given<'a> = (Bound<'a, PyAny>, Bound<'a, PyAny>, Bound<'a, PyAny>, Bound<'a, PyAny>, f64);

fn options((count, threshold, scaling, full): How, seed: u64) -> PyResult<TodOptions> {
    let scaling = Scaling::named(&scaling).map_err(error::raise)?;
    let covariance = if full { CovarianceChoice::Full } else { CovarianceChoice::Diag };
    Ok(TodOptions { count, threshold, covariance, scaling, seed })
}

fn summaries(
    (weights, means, covariances, factors, threshold): Given<'_>,
) -> PyResult<TodSummaries> {
    let list = |array: &Bound<'_, PyAny>| Ok::<_, PyErr>(convert::vector(array)?.slice().to_vec());
    let (weights, factors) = (list(&weights)?, list(&factors)?);
    let table = |array: &Bound<'_, PyAny>| -> PyResult<Dense> {
        let values = list(array)?;
        let cols = values.len() / weights.len().max(1);
        Dense::from_vec(weights.len(), cols, values).map_err(|e| error::raise(e.into()))
    };
    let (means, covariances) = (table(&means)?, table(&covariances)?);
    Ok(TodSummaries { weights, means, covariances, factors, threshold })
}

fn shown(py: Python<'_>, found: TodSummaries) -> PyResult<Summaries<'_>> {
    Ok((
        PyArray1::from_vec(py, found.weights),
        matrix(py, found.means)?,
        matrix(py, found.covariances)?,
        PyArray1::from_vec(py, found.factors),
        found.threshold,
    ))
}

//! Several methods on one table, and one method on many halves of it.

use crate::convert::{self, Columns, Rows};
use crate::fit::Run;
use crate::rule::{Vector, vector};
use crate::{enter, error};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::compare::{Comparison, cautions};
use separa::{Comparer, Error, Labels, Note};
use serde_json::json;
use std::time::Duration;

/// Runs methods by name on one table and ranks them: the comparison and what to keep in mind.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn compare<'py>(
    py: Python<'py>,
    what: (Vec<String>, Bound<'_, PyDict>),
    x: &Bound<'_, PyAny>,
    columns: Columns,
    weights: Option<&Bound<'_, PyAny>>,
    truth: Option<&Bound<'_, PyAny>>,
    time_limit: Option<f64>,
    run: Run<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (methods, params) = what;
    let names: Vec<&str> = methods.iter().map(String::as_str).collect();
    let mut request = Comparer::named(&names, &convert::params(&params)?).map_err(error::raise)?;
    request = request.seed(run.seed);
    if let Some(k_max) = run.k_max {
        request = request.k_max(k_max);
    }
    if let Some(memory) = run.memory {
        request = request.memory(memory.into());
    }
    if let Some(seconds) = time_limit {
        request = request.time_limit(limit(seconds)?);
    }
    let truth: Option<Labels> = truth.map(|t| convert::integers(t, "class")).transpose()?;
    let rows = Rows::new(x, columns, weights)?;
    let work = move |bell: enter::Bell| {
        let found = request.observe(bell).fit(&rows.dataset()?, truth.as_deref())?;
        Ok((found, rows))
    };
    let (found, _rows): (Comparison, Rows) =
        enter::run(py, run.threads, run.listener.as_ref(), work)?;
    let mut told = json!(found);
    for (i, result) in found.results.iter().enumerate() {
        told["results"][i]["notes"] = error::told(&result.notes());
    }
    told["notes"] = error::told(&cautions(&found));
    convert::plain(py, &told)
}

/// A limit that was given in seconds.
pub fn limit(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(|| {
        error::parameter(format!(
            "parameter `time_limit` must be a number of seconds above 0, or None, got {seconds}"
        ))
    })
}

/// Fits a method, and again to random halves of the rows: labels, how stable
/// clusters are, and the agreement of every row.
#[pyfunction]
pub fn stability<'py>(
    py: Python<'py>,
    what: (String, Bound<'_, PyDict>),
    x: &Bound<'_, PyAny>,
    columns: Columns,
    weights: Option<&Bound<'_, PyAny>>,
    refits: usize,
    run: Run<'_>,
) -> PyResult<(Bound<'py, PyArray1<i32>>, Bound<'py, PyAny>, Vector<'py>)> {
    let request = run.request(&what.0, &what.1)?.quality(false);
    let rows = Rows::new(x, columns, weights)?;
    let work = move |bell: enter::Bell| {
        let data = rows.dataset()?;
        let request = request.stability(refits);
        request.check_on(&data)?;
        let request = request.observe(bell.clone());
        let fitted = request.without_refits().fit(&data)?;
        if bell.stopped() {
            return Err(Error::Interrupted { before: "the refits: the stability is unknown" });
        }
        let found = request.refit(&data, &fitted, refits)?;
        Ok((fitted.labels().to_vec(), found, rows))
    };
    let (labels, found, _rows) = enter::run(py, run.threads, run.listener.as_ref(), work)?;
    let note: Vec<Note> = found.note().into_iter().collect();
    let mut told = json!(found);
    told["notes"] = error::told(&note);
    Ok((PyArray1::from_vec(py, labels), convert::plain(py, &told)?, vector(py, found.agreement)))
}

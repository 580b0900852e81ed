//! Several methods on one table, and one method on many halves of it.

use crate::convert::{self, Rows, Table};
use crate::enter;
use crate::error;
use crate::fit::Run;
use crate::rule::{Vector, vector};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::compare::{self as room, Comparison, Plan};
use separa::judge::Origin;
use separa::k_auto as auto;
use separa::k_auto::count::Options;
use separa::registry;
use separa::stability as refits_of;
use separa::{Ctx, Error, Labels, MemoryBudget};
use separa_io::memory;
use std::time::Duration;

/// Runs methods by name on one table and ranks them, as JSON: the comparison and what to keep in mind.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    what: (Vec<String>, Bound<'_, PyDict>),
    x: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    truth: Option<&Bound<'_, PyAny>>,
    time_limit: Option<f64>,
    run: Run<'_>,
) -> PyResult<String> {
    let (methods, params) = what;
    let names: Vec<&str> = methods.iter().map(String::as_str).collect();
    let methods = room::methods(&names).map_err(error::raise)?;
    let given = convert::params(&params)?;
    let time_limit = time_limit.map(limit).transpose()?;
    let truth: Option<Labels> = truth.map(|t| convert::integers(t, "class")).transpose()?;
    let weights = weights.map(convert::vector).transpose()?;
    let rows = Rows { table: Table::new(x)?, names: None, weights };
    let (seed, asked) = (run.seed, run.memory);
    let k_max = run.k_max.unwrap_or(Options::default().k_max);
    let work = move |bell: enter::Bell| {
        let together = room::together(methods.len()) as u64;
        let memory = match asked {
            Some(_) => memory::budget(asked),
            None => MemoryBudget(memory::budget(None).0.map(|all| all / together)),
        };
        let plan = Plan { methods, given, k_max, seed, time_limit, memory };
        let (quiet, mut bell) = (bell.quiet(), bell);
        let found = room::compare(&rows.dataset()?, &plan, truth.as_deref(), (&quiet, &mut bell))?;
        Ok((found, rows))
    };
    let (found, _rows): (Comparison, Rows) =
        enter::run(py, run.threads, run.listener.as_ref(), work)?;
    convert::text(&(&found, room::cautions(&found)))
}

fn limit(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(|| {
        error::parameter(format!(
            "parameter `time_limit` must be a number of seconds above 0, or None, got {seconds}"
        ))
    })
}

/// Fits a method, and again to random halves of the rows: labels, and as JSON what came back; the agreement
/// of every row.
#[pyfunction]
pub fn stability<'py>(
    py: Python<'py>,
    what: (String, Bound<'_, PyDict>),
    x: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    refits: usize,
    run: Run<'_>,
) -> PyResult<(Bound<'py, PyArray1<i32>>, String, Vector<'py>)> {
    let entry = registry::find(&what.0).map_err(error::raise)?;
    let given = convert::params(&what.1)?;
    let k_max = run.k_max.unwrap_or(Options::default().k_max);
    auto::refuse(entry, &given, k_max).map_err(error::raise)?;
    let weights = weights.map(convert::vector).transpose()?;
    let rows = Rows { table: Table::new(x)?, names: None, weights };
    let (seed, memory) = (run.seed, memory::budget(run.memory));
    let work = move |bell: enter::Bell| {
        let data = rows.dataset()?;
        refits_of::check(&data, &given, refits)?;
        let mut ctx = Ctx::observed(seed, bell.clone());
        ctx.memory = memory;
        let (fit, given) = auto::fit_asked(entry, given, &data, k_max, &mut ctx)?;
        if bell.stopped() {
            return Err(Error::Interrupted { before: "the refits: the stability is unknown" });
        }
        let origin = Origin { entry, given: &given, seed, memory };
        let (quiet, mut bell) = (bell.quiet(), bell);
        let found = refits_of::stability(&data, &fit.labels, &origin, refits, (&quiet, &mut bell))?;
        Ok((fit.labels, found, rows))
    };
    let (labels, found, _rows) = enter::run(py, run.threads, run.listener.as_ref(), work)?;
    let text = convert::text(&(&found, found.trouble()))?;
    Ok((PyArray1::from_vec(py, labels), text, vector(py, found.agreement)))
}

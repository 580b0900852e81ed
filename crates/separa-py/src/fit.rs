//! Fitting by name.

use crate::convert::{self, Rows, Table};
use crate::enter::{self, Bell};
use crate::error;
use crate::rule::Rule;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::judge::{self, Origin};
use separa::k_auto as auto;
use separa::k_auto::count::Options;
use separa::model_file::Training;
use separa::quality::Quality;
use separa::registry::{self, AnyFit, Entry, METHODS, Named};
use separa::{Ctx, Dataset, MemoryBudget, Stop};
use separa_io::memory;
use serde_json::json;

/// Every method with its parameters, as JSON.
#[pyfunction]
pub fn methods() -> PyResult<String> {
    let method = |e: &Entry| {
        let params = (e.params)(&Named::new()).expect("defaults pass their own check");
        json!({"name": e.name, "class": e.class, "about": e.about, "sequences": e.sequences, "proba": e.proba, "specs": e.specs, "defaults": params})
    };
    convert::text(&METHODS.iter().map(method).collect::<Vec<_>>())
}

/// A method's parameters, completed by its defaults and checked, as JSON.
#[pyfunction]
pub fn complete(method: &str, params: &Bound<'_, PyDict>) -> PyResult<String> {
    let entry = registry::find(method).map_err(error::raise)?;
    convert::text(&(entry.params)(&convert::params(params)?).map_err(error::raise)?)
}

/// Bytes from "4G", "500M" or a number in words.
#[pyfunction]
pub fn memory_size(text: &str) -> PyResult<u64> {
    let wrong = |e| error::parameter(format!("parameter `max_memory`: {e}, got \"{text}\""));
    memory::parse_size(text).map_err(wrong)
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
    pub listener: Option<Bound<'py, PyAny>>,
}

/// Fits `method` to a table and judges the result where `run["judge"]` says so.
#[pyfunction]
pub fn fit(
    py: Python<'_>,
    method: &str,
    params: &Bound<'_, PyDict>,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    weights: Option<&Bound<'_, PyAny>>,
    run: Run<'_>,
) -> PyResult<Rule> {
    let entry = registry::find(method).map_err(error::raise)?;
    let given = convert::params(params)?;
    let k_max = run.k_max.unwrap_or(Options::default().k_max);
    // Before any work: a slip in a name should not wait for the data.
    auto::refuse(entry, &given, k_max).map_err(error::raise)?;
    let weights = weights.map(convert::vector).transpose()?;
    let rows = Rows { table: Table::new(x)?, names, weights };
    let memory = memory::budget(run.memory);
    let mut job = Job { entry, given, k_max, seed: run.seed, memory, judged: run.judge };
    let work = move |bell| {
        let done = job.fit(&rows.dataset()?, bell)?;
        // The table goes back to the caller, who may let go of Python's objects.
        Ok((done, rows, job.given))
    };
    let ((fit, judgement), rows, given) = enter::run(py, run.threads, run.listener.as_ref(), work)?;
    let complete = (entry.params)(&given).map_err(error::raise)?;
    let training = Training::of(&fit, run.seed, judgement.quality.as_ref());
    let about = (entry.name, complete, rows.names, training);
    Ok(Rule::fitted(about, fit, judgement.trouble))
}

/// A fit's quality, or why it has none.
#[derive(Debug, Default)]
pub struct Judgement {
    quality: Option<Quality>,
    pub trouble: Option<String>,
}

struct Job {
    entry: &'static Entry,
    given: Named,
    k_max: usize,
    seed: u64,
    memory: MemoryBudget,
    judged: bool,
}

impl Job {
    /// Where the number of clusters is found, the parameters have it afterwards.
    fn fit(&mut self, data: &Dataset<'_>, bell: Bell) -> separa::Result<(AnyFit, Judgement)> {
        let mut ctx = Ctx::observed(self.seed, bell.clone());
        ctx.memory = self.memory;
        let given = std::mem::take(&mut self.given);
        let mut fit;
        (fit, self.given) = auto::fit_asked(self.entry, given, data, self.k_max, &mut ctx)?;
        // Whoever stops a fit does not want to wait for a judgement.
        if !self.judged || fit.report.stop == Stop::Cancelled {
            return Ok((fit, Judgement::default()));
        }
        let unjudged = judge::unjudged(data, &self.given);
        if let Some(why) = unjudged.or_else(|| auto::unjudged(&fit.report)) {
            fit.report.notes.push(why);
            return Ok((fit, Judgement::default()));
        }
        let Self { entry, given, seed, memory, .. } = self;
        let origin = Origin { entry, given, seed: *seed, memory: *memory };
        let judged = judge::fitted(data, &fit, &origin, &bell.quiet());
        // The labels are worth keeping even where they cannot be judged.
        let judgement = match judged {
            Ok(mut judged) => {
                judge::ask_rule(&mut judged.quality, data, &fit, &origin);
                let doubt = auto::doubt(&fit.report, &judged.quality);
                fit.report.notes.extend(judged.caution.into_iter().chain(doubt));
                Judgement { quality: Some(judged.quality), trouble: None }
            }
            Err(e) => {
                Judgement { quality: None, trouble: Some(judge::unknown(&e).sentence(error::word)) }
            }
        };
        Ok((fit, judgement))
    }
}

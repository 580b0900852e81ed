//! A rule in words, and why single rows are where they are.

use crate::convert::{self, Table};
use crate::enter;
use crate::rule::Rule;
use pyo3::prelude::*;
use separa::ExplainOptions;

/// The clusters as rules: their text, and what it is made of.
#[pyfunction]
pub fn rules<'py>(
    py: Python<'py>,
    rule: &Bound<'_, Rule>,
    x: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<(String, Bound<'py, PyAny>)> {
    let table = Table::new(x)?;
    let saved = rule.get().0.clone();
    let work = move |_| {
        saved.model().check_width(table.matrix()?)?;
        Ok((saved.rules(&table.dataset(saved.feature_names())?)?, table))
    };
    let (found, _) = enter::run(py, threads, None, work)?;
    Ok((found.to_string(), convert::plain(py, &found)?))
}

/// Why some rows of a table are where they are, compared with those of `background` or of the table itself.
#[pyfunction]
pub fn explain<'py>(
    py: Python<'py>,
    rule: &Bound<'_, Rule>,
    x: &Bound<'_, PyAny>,
    rows: Vec<usize>,
    background: Option<&Bound<'_, PyAny>>,
    run: (u64, Option<usize>),
) -> PyResult<Bound<'py, PyAny>> {
    let (seed, threads) = run;
    let table = Table::new(x)?;
    let others = background.map(Table::new).transpose()?;
    let saved = rule.get().0.clone();
    let work = move |_| {
        saved.model().check_width(table.matrix()?)?;
        let names = saved.feature_names();
        let others_data = others.as_ref().map(|others| others.dataset(names)).transpose()?;
        let options = ExplainOptions { seed, background: others_data.as_ref() };
        let found = saved.explain(&table.dataset(names)?, &rows, &options)?;
        Ok((found, table, others))
    };
    let (found, _, _) = enter::run(py, threads, None, work)?;
    convert::plain(py, &found)
}

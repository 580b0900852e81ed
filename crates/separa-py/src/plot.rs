//! Numbers for pictures that Python draws: the ones that reports are drawn from.

use crate::convert::{self, Rows};
use crate::report::look_at;
use crate::rule::{Rule, vector};
use crate::{convert::Table, enter};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use separa::view::{AxisKind, Decided, Map, Regions, View};
use separa::{Labels, Profile};
use separa_report::figures::{histogram::Bins, separation};
use separa_report::svg::{palette, path::Mark};

/// The colour and the mark of a cluster, on light paper.
#[pyfunction]
pub fn look(cluster: usize) -> (&'static str, &'static str) {
    (palette::LIGHT[cluster % palette::COUNT], Mark::of(cluster).name())
}

/// Rows, seen or not, as the rule labels them: a sample, axes to draw it along, the margins of rows.
#[pyfunction]
pub fn view<'py>(
    py: Python<'py>,
    rule: &Bound<'_, Rule>,
    x: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (saved, table) = (rule.get().0.clone(), Table::new(x)?);
    let names = saved.feature_names().map(<[String]>::to_vec);
    let work = move |_| {
        saved.model().check_width(table.matrix()?)?;
        let data = table.dataset(saved.feature_names())?;
        let labels = saved.predict(&data)?;
        Ok((look_at(&saved, &data, &labels)?, table))
    };
    let (view, _) = enter::run(py, threads, None, work)?;
    let column = |j: usize| names.as_ref().map_or_else(|| format!("column {j}"), |n| n[j].clone());
    told(py, view, &column)
}

fn told<'py>(
    py: Python<'py>,
    view: View,
    column: &dyn Fn(usize) -> String,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("n", view.n)?;
    dict.set_item("strip", separation::strip(&view))?;
    dict.set_item("rows", PyArray1::from_vec(py, view.rows))?;
    dict.set_item("labels", PyArray1::from_vec(py, view.labels))?;
    let axes = PyList::empty(py);
    for axis in view.axes {
        let decision = axis.kind == AxisKind::Decision;
        axes.append((separation::name(axis.kind, column), decision, vector(py, axis.values)))?;
    }
    dict.set_item("axes", axes)?;
    let ground = |r: Regions| (r.low, r.high, PyArray1::from_vec(py, r.cells));
    dict.set_item("regions", view.regions.map(ground))?;
    let decided = PyDict::new(py);
    decided.set_item("rows", PyArray1::from_vec(py, view.decided.rows))?;
    decided.set_item("labels", PyArray1::from_vec(py, view.decided.labels))?;
    decided.set_item("runner_up", PyArray1::from_vec(py, view.decided.other))?;
    decided.set_item("values", vector(py, view.decided.values))?;
    dict.set_item("decided", decided)?;
    Ok(dict)
}

/// Counts of decision values or margins in equal bins: both ends, and the counts by cluster; none without rows.
#[pyfunction]
pub fn bins(values: Vec<f64>, labels: Vec<i32>, k: usize) -> Option<(f64, f64, Vec<Vec<usize>>)> {
    let rows = (0..labels.len()).collect();
    let decided = Decided { rows, labels, other: Vec::new(), values };
    Bins::of(&decided, k).map(|found| (found.low, found.high, found.counts))
}

/// Where some rows of a table lie along the directions that separate labels best: rows, across, up.
#[pyfunction]
pub fn map<'py>(
    x: &Bound<'py, PyAny>,
    labels: &Bound<'_, PyAny>,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = Rows::new(x, (None, None), None)?;
    let labels: Labels = convert::integers(labels, "label")?;
    let work = move |_| {
        let k = labels.iter().max().map_or(0, |c| (*c + 1).max(0) as usize);
        Ok((Map::of(&rows.dataset()?, &labels, k, seed)?, rows))
    };
    let (map, _) = enter::run(x.py(), None, None, work)?;
    let py = x.py();
    let found = (PyArray1::from_vec(py, map.rows), vector(py, map.across), vector(py, map.up));
    Ok(found.into_pyobject(py)?.into_any())
}

/// What every cluster of a labelling is; none of fewer than two clusters.
#[pyfunction]
pub fn profile<'py>(
    x: &Bound<'py, PyAny>,
    names: Option<Vec<String>>,
    labels: &Bound<'_, PyAny>,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = Rows::new(x, (names, None), None)?;
    let labels: Labels = convert::integers(labels, "label")?;
    let work = move |_| Ok((Profile::of(&rows.dataset()?, &labels, seed), rows));
    let (profile, _) = enter::run(x.py(), None, None, work)?;
    convert::plain(x.py(), &profile)
}

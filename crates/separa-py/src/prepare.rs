//! Columns of data frames to features, as files are prepared.

use crate::convert;
use crate::error;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::preparation::MissingRule;
use separa::{Named, Preparation};
use separa_io::{ColumnValues, Prepared, Table, TableOptions, TimeKind, Values, Words};
use serde_json::Value;

/// A column: what it holds, and its values.
type Given<'py> = (String, String, Bound<'py, PyAny>);
/// Features, their names, the preparation, and what is to be said.
type Done<'py> =
    (Bound<'py, PyArray2<f64>>, Vec<String>, Bound<'py, PyAny>, String, Vec<String>, Vec<usize>);

/// Makes features of columns: by what is found and `options` say, or as a model was prepared (`model`, the text of its
/// preparation).
#[pyfunction]
pub fn prepare<'py>(
    py: Python<'py>,
    columns: Vec<Given<'py>>,
    options: &Bound<'py, PyDict>,
    model: Option<&str>,
) -> PyResult<Done<'py>> {
    let columns = columns
        .into_iter()
        .map(|(name, kind, values)| Ok((name, column(&kind, &values)?)))
        .collect::<PyResult<Vec<_>>>()?;
    let options = read_options(&convert::params(options)?)?;
    let table = Table::from_columns("the table", columns).map_err(wrong)?;
    let prepared = match model {
        None => table.prepare(&options),
        Some(text) => {
            let model: Preparation = serde_json::from_str(text)
                .map_err(|e| error::model(format!("not a usable preparation ({e})")))?;
            table.apply(&model, &options)
        }
    };
    let Prepared { names, values, rows, preparation, notices, source_rows, .. } =
        prepared.map_err(wrong)?;
    let Values::Dense(values) = values else { unreachable!("tables are dense") };
    let preparation = preparation.unwrap_or_default();
    let text = serde_json::to_string(&preparation)
        .map_err(|e| error::data(format!("the preparation cannot be written ({e})")))?;
    let features = PyArray1::from_vec(py, values).reshape([rows, names.len()])?;
    let kept = source_rows.iter().map(|row| *row as usize - 1).collect();
    Ok((features, names, convert::plain(py, &preparation)?, text, notices, kept))
}

fn wrong(e: separa_io::Error) -> PyErr {
    error::data(e.to_string())
}

fn column(kind: &str, values: &Bound<'_, PyAny>) -> PyResult<ColumnValues> {
    let numbers = || convert::vector(values).map(|view| view.slice().to_vec());
    Ok(match kind {
        "number" => ColumnValues::Numbers(numbers()?),
        "boolean" => ColumnValues::Booleans(numbers()?),
        "date" => ColumnValues::Times(numbers()?, TimeKind::Date),
        "datetime" => ColumnValues::Times(numbers()?, TimeKind::DateTime),
        "clock" => ColumnValues::Times(numbers()?, TimeKind::Clock),
        "text" => ColumnValues::Words(Words::from_texts(values.extract::<Vec<Option<String>>>()?)),
        _ => ColumnValues::Unreadable(values.extract()?),
    })
}

fn read_options(given: &Named) -> PyResult<TableOptions> {
    let list = |name: &str| -> Vec<String> {
        let words = given.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        words.iter().map(|w| w.as_str().map_or_else(|| w.to_string(), str::to_owned)).collect()
    };
    let order = given.get("order").and_then(Value::as_object).cloned().unwrap_or_default();
    let words = |value: &Value| -> Vec<String> {
        let all = value.as_array().cloned().unwrap_or_default();
        all.iter().map(|w| w.as_str().unwrap_or_default().to_owned()).collect()
    };
    let missing = match given.get("missing") {
        None | Some(Value::Null) => None,
        Some(word) => Some(serde_json::from_value::<MissingRule>(word.clone()).map_err(|_| {
            error::parameter(format!(
                "`missing` must be one of median, mean, nearest, drop, refuse, got {word}"
            ))
        })?),
    };
    Ok(TableOptions {
        features: list("features"),
        drop: list("drop"),
        id: given.get("id").and_then(Value::as_str).map(str::to_owned),
        categorical: list("categorical"),
        numeric: list("numeric"),
        text: list("text"),
        date: list("date"),
        order: order.iter().map(|(name, value)| (name.clone(), words(value))).collect(),
        na: list("na"),
        missing,
        ..TableOptions::default()
    })
}

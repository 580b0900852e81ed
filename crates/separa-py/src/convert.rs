//! Values across the border: tables and parameters in, arrays and plain objects out.

use crate::error;
use crate::view::View;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use separa::preparation::Preparation;
use separa::{CsrRef, Dataset, DenseRef, Grouping, MatrixRef, Named};
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// A table that came from Python: values viewed, indices of sparse rows copied.
#[derive(Debug)]
pub enum Table {
    Dense(View<f64>),
    Sparse {
        cols: usize,
        indptr: Vec<usize>,
        indices: Vec<u32>,
        values: View<f64>,
    },
    /// Bags or sequences of the rows of a table.
    Groups {
        kind: Grouping,
        rows: Box<Table>,
        ranges: Vec<Range<usize>>,
    },
}

impl Table {
    /// A 2-D array, (columns, row pointer, column indices, values) of sparse rows, or (rows, where
    /// every group of them ends, "bag" or "sequence").
    pub fn new(x: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok((rows, ends, kind)) = x.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>, String)>()
        {
            let known = [Grouping::Bags, Grouping::Sequences];
            let kind = known.into_iter().find(|known| known.one() == kind).ok_or_else(|| {
                error::data(format!("expected rows of bags or sequences, got \"{kind}\""))
            })?;
            let ends: Vec<usize> = integers(&ends, "end of group")?;
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let ranges = starts.zip(&ends).map(|(start, end)| start..*end).collect();
            return Ok(Self::Groups { kind, rows: Box::new(Self::new(&rows)?), ranges });
        }
        if let Ok((cols, indptr, indices, values)) =
            x.extract::<(usize, Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)>()
        {
            return Ok(Self::Sparse {
                cols,
                indptr: integers(&indptr, "row pointer")?,
                indices: integers(&indices, "column index")?,
                values: vector(&values)?,
            });
        }
        let view = vector(x)?;
        match view.shape() {
            [_, _] => Ok(Self::Dense(view)),
            shape => {
                Err(error::data(format!("expected a table with 2 dimensions, got {}", shape.len())))
            }
        }
    }

    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(view) => view.shape()[0],
            Self::Sparse { indptr, .. } => indptr.len().saturating_sub(1),
            Self::Groups { rows, .. } => rows.rows(),
        }
    }

    /// All rows, whatever groups they are in.
    pub fn matrix(&self) -> separa::Result<MatrixRef<'_>> {
        Ok(match self {
            Self::Dense(view) => {
                DenseRef::new(view.shape()[0], view.shape()[1], view.slice())?.into()
            }
            Self::Sparse { cols, indptr, indices, values } => {
                CsrRef::new(*cols, indptr, indices, values.slice())?.into()
            }
            Self::Groups { rows, .. } => rows.matrix()?,
        })
    }

    pub fn dataset<'a>(&'a self, names: Option<&'a [String]>) -> separa::Result<Dataset<'a>> {
        let data = Dataset::with_names(self.matrix()?, names)?;
        match self {
            Self::Groups { kind, ranges, .. } => data.with_groups(*kind, ranges),
            _ => Ok(data),
        }
    }
}

/// What is known of columns: their names, and how the table was prepared, as text.
pub type Columns = (Option<Vec<String>>, Option<String>);

/// Everything a fit or a measure knows about its rows.
#[derive(Debug)]
pub struct Rows {
    table: Table,
    names: Option<Vec<String>>,
    weights: Option<View<f64>>,
    /// How the table was prepared, where it was.
    pub preparation: Option<Preparation>,
    features: Option<Vec<usize>>,
}

impl Rows {
    pub fn new(
        x: &Bound<'_, PyAny>,
        (names, preparation): Columns,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let parse = |text: String| {
            serde_json::from_str(&text)
                .map_err(|e| error::model(format!("not a usable preparation ({e})")))
        };
        let preparation: Option<Preparation> = preparation.map(parse).transpose()?;
        let features = preparation.as_ref().map(Preparation::feature_columns);
        let weights = weights.map(vector).transpose()?;
        Ok(Self { table: Table::new(x)?, names, weights, preparation, features })
    }

    pub fn dataset(&self) -> separa::Result<Dataset<'_>> {
        let mut data = self.table.dataset(self.names.as_deref())?;
        if let Some(features) = &self.features {
            data = data.with_features(features)?;
        }
        match &self.weights {
            Some(weights) => data.with_weights(weights.slice()),
            None => Ok(data),
        }
    }
}

/// A C-ordered array of float64, as the package makes them.
pub fn vector(array: &Bound<'_, PyAny>) -> PyResult<View<f64>> {
    let typed = array.cast::<PyArrayDyn<f64>>().map_err(|_| unshaped(array))?;
    View::new(typed).ok_or_else(|| unshaped(array))
}

fn unshaped(array: &Bound<'_, PyAny>) -> PyErr {
    error::data(format!("expected a C-ordered array of float64, got {}", array.get_type()))
}

/// Whole numbers of any width; a negative one, or one too large, is named with its place.
pub fn integers<T: TryFrom<i64>>(array: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<T>> {
    let convert = |(i, v): (usize, i64)| {
        T::try_from(v).map_err(|_| error::data(format!("{what} {i} is {v}, out of range")))
    };
    if let Ok(narrow) = array.cast::<PyArrayDyn<i32>>() {
        let values = narrow.readonly();
        return values.as_array().iter().map(|v| i64::from(*v)).enumerate().map(convert).collect();
    }
    let wide = array
        .cast::<PyArrayDyn<i64>>()
        .map_err(|_| error::data(format!("expected whole numbers of 32 or 64 bits as {what}")))?;
    let values = wide.readonly();
    values.as_array().iter().copied().enumerate().map(convert).collect()
}

/// Parameters by name, for the registry to check.
pub fn params(given: &Bound<'_, PyDict>) -> PyResult<Named> {
    given
        .iter()
        .map(|(name, value)| Ok((name.extract::<String>()?, json(&name, &value)?)))
        .collect()
}

/// Python's plain values, alone, in lists or by name.
fn json(name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.into());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        // JSON has no infinities; as words they are refused by name.
        let number: f64 = number.extract()?;
        return Ok(if number.is_finite() { number.into() } else { number.to_string().into() });
    }
    if let Ok(number) = value.cast::<PyInt>() {
        // Beyond 64 bits a number is a word, so that its refusal can quote it.
        return Ok(number.extract::<i64>().map_or_else(|_| number.to_string().into(), Value::from));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().map(|entry| json(name, &entry)).collect();
    }
    if let Ok(named) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<String>()?, json(name, &value)?))
        };
        return named.iter().map(entry).collect();
    }
    Err(error::parameter(format!(
        "parameter `{name}` is of type {}, expected a number, a word, true or false, or a list or a dict of these",
        value.get_type()
    )))
}

/// What Python gets of a serialised object: plain dicts, lists, numbers, words, None.
pub fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(value).map_err(|e| error::data(e.to_string()))?;
    object(py, &value)
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (_, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::Array(list) => {
            let items: Vec<_> = list.iter().map(|v| object(py, v)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (name, value) in map {
                dict.set_item(name, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

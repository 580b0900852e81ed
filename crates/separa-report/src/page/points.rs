//! What the script needs to redraw the scatter plot and to name its points.

use crate::figures::separation;
use crate::html::shortened;
use crate::svg::path::Mark;
use crate::svg::{Frame, axes::WIDE};
use crate::{Names, number};
use separa::view::{AxisKind, View};
use serde_json::{Value, json};

/// Letters of a row's or a column's name.
const LETTERS: usize = 60;

pub fn data(view: &View, k: usize, names: Names<'_>, thing: &str) -> Value {
    let frame = Frame { width: WIDE, height: separation::HEIGHT };
    let axes: Vec<Value> = view
        .axes
        .iter()
        .map(|axis| {
            let name = shortened(&separation::name(axis.kind, names.column), LETTERS);
            let values: Vec<Value> = axis.values.iter().map(|v| digits(*v)).collect();
            json!({
                "name": name,
                "decision": axis.kind == AxisKind::Decision,
                "blank": axis.kind == AxisKind::Nothing,
                "values": values,
            })
        })
        .collect();
    let rows: Vec<Value> = view.rows.iter().map(|i| row_name(&(names.row)(*i))).collect();
    json!({
        "thing": thing,
        "k": k,
        "across": frame.across(),
        "up": frame.up(),
        "width": WIDE,
        "height": separation::HEIGHT,
        "strip": separation::strip(view).filter(|_| k == 2),
        "marks": (0..k.min(32)).map(|c| Mark::of(c).outline()).collect::<Vec<_>>(),
        "labels": view.labels,
        "rows": rows,
        "axes": axes,
    })
}

/// Row numbers as numbers, other names as text.
fn row_name(name: &str) -> Value {
    match name.parse::<u64>() {
        Ok(number) if number.to_string() == name => number.into(),
        _ => shortened(name, LETTERS).into(),
    }
}

/// Four digits are finer than any screen.
fn digits(v: f64) -> Value {
    let text = number::value(v);
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbers_where_they_are_counted() {
        assert_eq!(row_name("17"), json!(17));
        assert_eq!(row_name("017"), json!("017"));
        assert_eq!(row_name("Anna"), json!("Anna"));
    }

    #[test]
    fn every_value_is_a_number() {
        for v in [0.0, -1.5, 1e300, 1e-300, 123456789.0] {
            let found = digits(v).as_f64().unwrap();
            assert!((found - v).abs() <= 1e-3 * v.abs(), "{v}: {found}");
        }
        assert_eq!(digits(f64::NAN), Value::Null);
    }
}

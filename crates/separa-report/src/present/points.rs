//! What the script needs to redraw the scatter plot and to name its points.

use crate::figures::separation;
use crate::html::shortened;
use crate::present::profile;
use crate::svg::path::{CROSS, Mark};
use crate::svg::{Frame, Scale, axes};
use crate::{Names, number};
use separa::Profile;
use separa::view::{AxisKind, View};
use serde_json::{Value, json};

/// An axis is told to this part of what it shows: finer than any screen.
const FINEST: f64 = 1e4;
/// Letters of a row's or a column's name.
const LETTERS: usize = 60;

/// What is said of a cluster that is picked.
pub struct Picked<'a> {
    pub sizes: &'a [usize],
    pub n: usize,
    pub profile: Option<&'a Profile>,
}

pub fn data(view: &View, picked: &Picked<'_>, names: Names<'_>, thing: &str) -> Value {
    let k = picked.sizes.len();
    let frame = Frame { width: axes::WIDE, height: separation::HEIGHT };
    let axes: Vec<Value> = view
        .axes
        .iter()
        .map(|axis| {
            let name = shortened(&separation::name(axis.kind, names.column), LETTERS);
            let (low, high) = Scale::around(axis.values.iter().copied(), (0.0, 1.0)).range();
            let step = (high - low) / FINEST;
            let values: Vec<Value> = axis.values.iter().map(|v| digits(*v, step)).collect();
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
        "width": axes::WIDE,
        "height": separation::HEIGHT,
        "room": [axes::ROOM, axes::BESIDE],
        "strip": separation::strip(view).filter(|_| k == 2),
        "marks": (0..k.min(32)).map(|c| Mark::of(c).outline()).collect::<Vec<_>>(),
        "cross": CROSS,
        "labels": view.labels,
        "rows": rows,
        "axes": axes,
        "profile": (0..k).map(|c| picked.told(c, thing)).collect::<Vec<_>>(),
    })
}

impl Picked<'_> {
    /// The size of a cluster, its suggested name, and what sets it apart.
    fn told(&self, c: usize, thing: &str) -> Value {
        let found = self.profile.and_then(|p| p.clusters.iter().find(|p| p.cluster == c as i32));
        let size = self.sizes[c];
        let fraction = number::percent(size as f64 / self.n.max(1) as f64);
        json!({
            "size": format!("{}, {fraction}", number::counted(size, thing)),
            "name": found.map(|p| shortened(&p.name, 2 * LETTERS)),
            "features": found.map_or_else(Vec::new, profile::lines),
        })
    }
}

/// Row numbers as numbers, other names as text.
fn row_name(name: &str) -> Value {
    match name.parse::<u64>() {
        Ok(number) if number.to_string() == name => number.into(),
        _ => shortened(name, LETTERS).into(),
    }
}

/// To about `step`: what counts is how far values are from each other, not from 0.
fn digits(v: f64, step: f64) -> Value {
    match number::rounded(v, step).parse::<f64>() {
        Ok(v) if v.fract() == 0.0 && v.abs() < 1e15 => (v as i64).into(),
        Ok(v) => v.into(),
        Err(_) => Value::Null,
    }
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
    fn values_are_told_as_finely_as_their_axis_is_drawn() {
        for (low, high) in
            [(52.4, 52.6), (101_325.1, 101_325.9), (1.7e9, 1.7e9 + 90.0), (0.0, 1e-9)]
        {
            let step = (high - low) / FINEST;
            let mut told: Vec<String> = (0..=100)
                .map(|i| {
                    let v = low + (high - low) * f64::from(i) / 100.0;
                    let found = digits(v, step);
                    assert!((found.as_f64().unwrap() - v).abs() <= 0.5001 * step, "{v}: {found}");
                    found.to_string()
                })
                .collect();
            told.dedup();
            assert_eq!(told.len(), 101, "{low} to {high}");
        }
    }

    #[test]
    fn every_value_is_a_number() {
        assert_eq!(digits(7.0, 0.001), json!(7));
        for v in [0.0f64, -1.5, 1e300, 1e-300, 123456789.0] {
            for step in [0.0, 1e-3 * v.abs()] {
                let found = digits(v, step).as_f64().unwrap();
                assert!((found - v).abs() <= step, "{v}: {found}");
            }
        }
        assert_eq!(digits(f64::NAN, 1.0), Value::Null);
    }
}

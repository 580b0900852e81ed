//! For separa's own tests: clouds with a known shape, golden values, and slow references.
//!
//! Everything speaks plain row-major `Vec<f64>`, so that no type under test is needed to build the
//! data it is tested on.

pub mod clouds;
pub mod naive;

pub use clouds::{Cloud, Covariance};

/// Reads `golden/<name>` of the workspace.
///
/// # Panics
/// When the file is missing or is not JSON: a golden file is part of the source.
pub fn golden(name: &str) -> serde_json::Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/").to_owned() + name;
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("golden/{name}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("golden/{name}: {e}"))
}

/// The numbers of a JSON array.
///
/// # Panics
/// When an entry is not a number.
pub fn numbers(value: &serde_json::Value) -> Vec<f64> {
    let number = |v: &serde_json::Value| v.as_f64().expect("golden arrays hold numbers");
    value.as_array().expect("a golden array").iter().map(number).collect()
}

/// The integers of a JSON array, as labels.
///
/// # Panics
/// When an entry is not an integer.
pub fn labels(value: &serde_json::Value) -> Vec<i32> {
    let label = |v: &serde_json::Value| v.as_i64().expect("golden labels are integers") as i32;
    value.as_array().expect("a golden array").iter().map(label).collect()
}

/// Notes, or whatever else can be shown, as text.
pub fn sentences<T: ToString>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|one| one.to_string()).collect()
}

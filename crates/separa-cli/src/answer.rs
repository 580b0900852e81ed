//! The JSON answers of commands: what the library found, and what only the command knows.

use separa::Note;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// A serialised clustering or classifier with what the command adds.
pub fn answer(
    found: &impl Serialize,
    seconds: f64,
    notes: &[Note],
    outputs: &Outputs,
) -> Map<String, Value> {
    let mut answer = match serde_json::to_value(found) {
        Ok(Value::Object(facts)) => facts,
        _ => unreachable!("results are structs with named fields"),
    };
    // Rows that lend their values to others are for the model file, not for readers.
    if let Some(Value::Object(preparation)) = answer.get_mut("preparation") {
        preparation.shift_remove("donors");
    }
    let own = [
        ("seconds", Value::from(seconds)),
        ("notes", serde_json::json!(notes)),
        ("outputs", serde_json::json!(outputs)),
    ];
    answer.extend(own.map(|(name, value)| (name.to_owned(), value)));
    answer
}

/// Where the results went.
#[derive(Debug, Serialize)]
pub struct Outputs {
    pub labels: Option<String>,
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Outputs {
    pub fn new(labels: Option<&Path>, model: Option<&Path>, report: Option<&Path>) -> Self {
        let text = |path: &Path| path.display().to_string();
        Self { labels: labels.map(text), model: model.map(text), report: report.map(text) }
    }

    /// What was written, and where.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        let named = |what, path: &Option<String>| path.clone().map(|path| (what, path));
        let all = [
            named("labels", &self.labels),
            named("model", &self.model),
            named("report", &self.report),
        ];
        all.into_iter().flatten().collect()
    }
}

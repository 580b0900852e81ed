//! The JSON answers of commands: what the library found, and what only the command knows.

use crate::table::Classes;
use separa::Note;
use separa::quality::{Contingency, External};
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

/// Agreement with the known classes.
#[derive(Debug, Clone, Serialize)]
pub struct Truth {
    pub error: f64,
    pub accuracy: f64,
    pub nmi: f64,
    pub nmi_max: f64,
    pub ari: f64,
    pub purity: f64,
    pub entropy: f64,
    /// The classes in the order of `counts` below.
    pub classes: Vec<String>,
    pub clusters: Vec<ClusterLine>,
}

/// One cluster against the classes, as in Tables 5 to 7 of Chen & Bi.
#[derive(Debug, Clone, Serialize)]
pub struct ClusterLine {
    pub cluster: i32,
    /// Rows or bags of known class.
    pub size: usize,
    pub purity: f64,
    pub entropy: f64,
    /// Its largest class.
    pub class: String,
    pub counts: Vec<usize>,
}

/// Where the results went.
#[derive(Debug, Serialize)]
pub struct Outputs {
    pub labels: Option<String>,
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Truth {
    pub fn new(labels: &[i32], known: &Classes) -> separa::Result<Self> {
        let table = Contingency::new(labels, &known.numbers)?;
        let External { error, accuracy, nmi, nmi_max, ari, purity, entropy } = External::of(&table);
        let name = |class: &i32| known.names[*class as usize].clone();
        let lines = table.by_cluster().into_iter().map(|line| ClusterLine {
            cluster: line.cluster,
            size: line.size,
            purity: line.purity,
            entropy: line.entropy,
            class: name(&line.class),
            counts: line.counts,
        });
        let (classes, clusters) = (table.classes.iter().map(name).collect(), lines.collect());
        Ok(Self { error, accuracy, nmi, nmi_max, ari, purity, entropy, classes, clusters })
    }
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

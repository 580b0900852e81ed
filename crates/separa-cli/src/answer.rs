//! The result of `cluster` as one object: the same for JSON and for the screen.

use separa::quality::{External, Quality};
use separa::{StartReport, Stop};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

#[derive(Debug, Serialize)]
pub struct Answer {
    /// The version that gave the answer.
    pub separa: &'static str,
    pub method: &'static str,
    pub params: Map<String, Value>,
    pub n: usize,
    pub d: usize,
    pub k: usize,
    pub sizes: Vec<usize>,
    pub objective: f64,
    pub iterations: usize,
    pub stop: Stop,
    /// Of the fit alone, reading and writing not counted.
    pub seconds: f64,
    /// None where the fit was interrupted or cannot be judged; a warning says which.
    pub quality: Option<Quality>,
    pub truth: Option<Truth>,
    pub warnings: Vec<String>,
    pub outputs: Outputs,
    pub starts: Vec<StartReport>,
    pub notices: Vec<String>,
}

/// Agreement with the known classes.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Truth {
    pub error: f64,
    pub accuracy: f64,
    pub nmi: f64,
    pub ari: f64,
    pub purity: f64,
    pub entropy: f64,
}

/// Where the results went.
#[derive(Debug, Serialize)]
pub struct Outputs {
    pub labels: Option<String>,
    pub model: Option<String>,
}

impl From<External> for Truth {
    fn from(e: External) -> Self {
        let External { error, accuracy, nmi, ari, purity, entropy, .. } = e;
        Self { error, accuracy, nmi, ari, purity, entropy }
    }
}

impl Outputs {
    pub fn new(labels: Option<&Path>, model: Option<&Path>) -> Self {
        let text = |path: &Path| path.display().to_string();
        Self { labels: labels.map(text), model: model.map(text) }
    }

    /// What was written, and where.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        let named = |what, path: &Option<String>| path.clone().map(|path| (what, path));
        [named("labels", &self.labels), named("model", &self.model)].into_iter().flatten().collect()
    }
}

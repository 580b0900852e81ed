//! The results of `cluster` and `train` as one object each: the same for JSON and for the screen.

use crate::table::Classes;
use separa::quality::{Contingency, External, Quality};
use separa::stability::Stability;
use separa::validate::CrossValidated;
use separa::{Counted, StartReport, Stop, Trained};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// The result of `cluster`.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The version that gave the answer.
    pub separa: &'static str,
    pub method: &'static str,
    pub params: Map<String, Value>,
    /// Rows, or bags of rows.
    pub n: usize,
    /// The rows of all bags, where bags were clustered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// The sequences that the rows stand in, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequences: Option<usize>,
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
    /// Which clusters are stable, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stability: Option<Stability>,
    pub warnings: Vec<String>,
    pub outputs: Outputs,
    /// How the number of clusters was found, where it was not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto: Option<Counted>,
    pub starts: Vec<StartReport>,
    /// Rows that stand for each cluster, the most typical first, by their place in the file counted
    /// from 0; absent where the method names none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub typical: Vec<Vec<usize>>,
    /// The same rows by the column that names them, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typical_ids: Option<Vec<Vec<String>>>,
    pub notices: Vec<String>,
}

/// The result of `train`.
#[derive(Debug, Serialize)]
pub struct TrainAnswer {
    /// The version that gave the answer.
    pub separa: &'static str,
    pub method: &'static str,
    pub params: Map<String, Value>,
    pub n: usize,
    pub d: usize,
    pub sizes: Vec<usize>,
    #[serde(flatten)]
    pub learnt: Trained,
    pub cv: Option<CrossValidated>,
    pub stop: Stop,
    pub seconds: f64,
    pub warnings: Vec<String>,
    pub outputs: Outputs,
    pub notices: Vec<String>,
}

/// Agreement with the known classes.
#[derive(Debug, Clone, Serialize)]
pub struct Truth {
    pub error: f64,
    pub accuracy: f64,
    pub nmi: f64,
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
        let External { error, accuracy, nmi, ari, purity, entropy, .. } = External::of(&table);
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
        Ok(Self { error, accuracy, nmi, ari, purity, entropy, classes, clusters })
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

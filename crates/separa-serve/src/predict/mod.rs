//! The door to a model: rows in, labels out.

mod about;
mod label;
mod sure;

use crate::room::{Accepts, Answer, Body, Door, Head, Metrics, Problem, Request};
use label::Labeller;
use separa::Grouping;
use separa::model_file::Saved;

/// What can be asked for.
const KNOWN: &str = "POST /predict, GET /, GET /health or GET /metrics";

/// Labels rows with a saved model.
#[derive(Debug)]
pub struct PredictDoor {
    labeller: Labeller,
    name: String,
    max_body: u64,
}

impl PredictDoor {
    /// A door to `saved`, which answers call `name`. A model that labels bags or sequences of rows is not served: the error
    /// says which.
    pub fn new(saved: Saved, name: &str, max_body: u64) -> Result<Self, Grouping> {
        if let Some(kind) = saved.model().grouping() {
            return Err(kind);
        }
        Ok(Self { labeller: Labeller::new(saved), name: name.to_owned(), max_body })
    }
}

impl Door for PredictDoor {
    fn route(&self, head: &Head) -> &'static str {
        match head.path() {
            "/" => "about",
            "/predict" => "predict",
            "/health" => "health",
            "/metrics" => "metrics",
            _ => "unknown",
        }
    }

    fn admit(&self, head: &Head) -> Result<Accepts, Problem> {
        let path = head.path();
        match (self.route(head), head.method()) {
            ("unknown", _) => Err(Problem::unknown_path(path, KNOWN)),
            ("predict", "POST") => Ok(Accepts::Memory(self.max_body)),
            ("predict", other) => Err(Problem::wrong_method(other, path, "POST")),
            (_, "GET" | "HEAD") => Ok(Accepts::Nothing),
            (_, other) => Err(Problem::wrong_method(other, path, "GET")),
        }
    }

    fn answer(&self, request: Request, metrics: &Metrics) -> Result<Answer, Problem> {
        let Request { head, body } = request;
        match (self.route(&head), body) {
            ("predict", Body::Memory(bytes)) => {
                let labelled = self.labeller.label(&head, bytes)?;
                metrics.add_rows(labelled.rows());
                Ok(Answer::json(&labelled))
            }
            ("health", _) => Ok(Answer::json(&serde_json::json!({ "status": "ok" }))),
            ("metrics", _) => Ok(Answer::text("text/plain; version=0.0.4", metrics.text())),
            _ => Ok(Answer::json(&about::about(self.labeller.saved(), &self.name, &head))),
        }
    }
}

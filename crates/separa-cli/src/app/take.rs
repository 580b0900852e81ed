//! What can be taken away from a run: labels, the report, the model.

use super::job::Outcome;
use crate::failure::{Failure, Result};
use crate::outputs;
use separa_io::Shown;
use separa_serve::Answer;
use std::path::Path;

/// The report, which a browser keeps apart from the page: its script cannot ask anything of this server.
pub fn report(outcome: &Outcome) -> Answer {
    Answer::text("text/html; charset=utf-8", outcome.report.clone())
        .with(
            "content-security-policy",
            "sandbox allow-scripts allow-downloads; frame-ancestors 'self'",
        )
        .with("referrer-policy", "no-referrer")
}

/// A file by its name.
pub fn file(outcome: &Outcome, name: &str) -> Result<Answer> {
    let answer = match name {
        "report.html" => report(outcome),
        "rule.separa" => Answer::text("application/octet-stream", outcome.found.to_bytes()?),
        "labels.csv" => Answer::text("text/csv; charset=utf-8", labels(outcome, name)?),
        "labels.parquet" => Answer::text("application/vnd.apache.parquet", labels(outcome, name)?),
        _ => return Err(Failure::new(format!("a run has no {name}; take labels.csv or another"))),
    };
    Ok(answer.with("content-disposition", format!("attachment; filename=\"{name}\"")))
}

/// The same bytes as `separa cluster -o` writes.
fn labels(outcome: &Outcome, name: &str) -> Result<Vec<u8>> {
    let cannot = |e: std::io::Error| Failure::new(format!("{name}: cannot be written ({e})"));
    let folder = tempfile::tempdir().map_err(cannot)?;
    let path = folder.path().join(Path::new(name));
    let names = outcome.input.row_names();
    let id = names.as_ref().map(|(name, values)| (*name, values.as_ref()));
    let found = &outcome.found;
    let sure = found.confidence(&outcome.input.dataset()?)?.marked(found.labels());
    let called = outputs::called(found);
    let more = outcome.input.more_ids();
    let labels = Shown::from(found.labels()).called(&called).sure(outputs::sure(&sure));
    let labels = labels.more_ids(&more);
    separa_io::write_labels(&path, id, labels, None)?;
    std::fs::read(&path).map_err(cannot)
}

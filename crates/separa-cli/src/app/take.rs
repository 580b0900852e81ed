//! What can be taken away from a run: labels, the report, the model, the rule as a query.

use super::job::Outcome;
use crate::commands::{Labelled, labels_into};
use crate::failure::{Failure, Result};
use separa::export::{Dialect, Language, SqlOptions};
use separa::model_file::Saved;
use separa_io::FileSet;
use separa_serve::Answer;
use std::path::Path;

/// The report, which a browser keeps apart from the page: its script cannot ask anything of this server.
pub fn report(outcome: &Outcome) -> Result<Answer> {
    Ok(Answer::text("text/html; charset=utf-8", outcome.report()?.as_bytes())
        .with(
            "content-security-policy",
            "sandbox allow-scripts allow-downloads; frame-ancestors 'self'",
        )
        .with("referrer-policy", "no-referrer"))
}

/// A file by its name.
pub fn file(outcome: &Outcome, name: &str) -> Result<Answer> {
    let answer = match name {
        "report.html" => report(outcome)?,
        "rule.separa" => Answer::text("application/octet-stream", outcome.found().to_bytes()?),
        "labels.csv" => Answer::text("text/csv; charset=utf-8", labels(outcome, name)?),
        "labels.parquet" => Answer::text("application/vnd.apache.parquet", labels(outcome, name)?),
        "labels.xlsx" => Answer::text(
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            labels(outcome, name)?,
        ),
        _ => match name.strip_prefix("rule.").and_then(|rest| rest.strip_suffix(".sql")) {
            Some(dialect) => Answer::text("application/sql; charset=utf-8", sql(outcome, dialect)?),
            None => {
                return Err(Failure::new(format!(
                    "a run has no {name}; take labels.csv or another"
                )));
            }
        },
    };
    Ok(answer.with("content-disposition", attachment(name)))
}

/// The header that makes a browser keep an answer as a file.
pub fn attachment(name: &str) -> String {
    format!("attachment; filename=\"{name}\"")
}

/// The same bytes as `separa export --to sql` writes.
fn sql(outcome: &Outcome, dialect: &str) -> Result<Vec<u8>> {
    let options = SqlOptions::new(Dialect::named(dialect)?);
    let saved = Saved::Clustering(Box::new((*outcome.found()).clone()));
    Ok(saved.portable()?.write(&Language::Sql(options))?)
}

/// The same bytes as `separa cluster -o` writes.
fn labels(outcome: &Outcome, name: &str) -> Result<Vec<u8>> {
    let cannot = |e: std::io::Error| Failure::new(format!("{name}: cannot be written ({e})"));
    let folder = tempfile::tempdir().map_err(cannot)?;
    let path = folder.path().join(Path::new(name));
    let (input, found) = (&*outcome.input, &*outcome.found());
    let mut set = FileSet::default();
    let data = &input.dataset()?;
    labels_into(&mut set, &path, false, &Labelled { input, data, found })?;
    set.commit()?;
    std::fs::read(&path).map_err(cannot)
}

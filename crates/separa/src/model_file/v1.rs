//! Headers of format version 1, which separa 0.1 wrote.

use crate::error::{Error, Result};
use crate::params::with_new_names;
use serde_json::{Map, Value};

/// The header as this version writes it.
pub fn renewed(text: &str) -> Result<String> {
    let damaged = |e: serde_json::Error| Error::Model(format!("its header is damaged: {e}"));
    let mut old: Map<String, Value> = serde_json::from_str(text).map_err(damaged)?;
    let mut training = object(&mut old, "training")?;
    let mut report = object(&mut training, "report")?;
    let mut new = old;
    rename(&mut new, "n_features", "d");
    rename(&mut new, "n_clusters", "k");
    new.extend(training);
    if let Some(Value::Object(learnt)) = report.remove("trained") {
        new.extend(learnt);
    }
    rename(&mut report, "counted", "auto");
    rename(&mut report, "starts", "initializations");
    rename(&mut report, "typical", "exemplars");
    let mut notes = Vec::new();
    for (name, kind) in [("warnings", "warning"), ("notices", "notice")] {
        let Some(Value::Array(texts)) = report.remove(name) else { continue };
        notes.extend(texts.into_iter().map(|text| {
            serde_json::json!({"kind": kind, "code": "unclassified", "text": text, "remedy": null})
        }));
    }
    report.insert("notes".into(), notes.into());
    new.extend(report);
    if let Some(Value::Object(params)) = new.remove("params") {
        new.insert("params".into(), with_new_names(params).into());
    }
    serde_json::to_string(&new).map_err(damaged)
}

fn object(map: &mut Map<String, Value>, name: &str) -> Result<Map<String, Value>> {
    match map.remove(name) {
        Some(Value::Object(inner)) => Ok(inner),
        _ => Err(Error::Model(format!("its header is damaged: `{name}` is missing"))),
    }
}

fn rename(map: &mut Map<String, Value>, old: &str, new: &str) {
    if let Some(value) = map.remove(old) {
        map.insert(new.to_owned(), value);
    }
}

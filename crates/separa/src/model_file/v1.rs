//! Headers of format version 1, which separa 0.1 wrote.

use crate::error::{Error, Result};
use crate::note::codes;
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
            serde_json::json!({"kind": kind, "code": codes::UNCLASSIFIED, "text": text, "remedy": null})
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::k_auto::Counted;
    use serde_json::json;

    #[test]
    fn a_number_that_was_found_arrives_under_its_new_names() {
        let counted = json!({
            "k": 3, "k_by_seed": [3, 3, 4], "spread": 1, "k_max": 24, "p": 0.01, "aside": 2, "rows": 500,
            "lattice": 1, "copies": 7, "stopped": false,
            "path": [{"step": "merge", "pieces": [0, 1], "whole": 20, "sizes": [9, 8], "p": 0.4, "k": 19}],
        });
        let report = json!({"counted": counted, "starts": [], "warnings": ["a"], "notices": ["b"]});
        let old =
            json!({"n_features": 2, "n_clusters": 3, "training": {"n": 500, "report": report}});
        let new: Value = serde_json::from_str(&renewed(&old.to_string()).unwrap()).unwrap();
        assert_eq!((&new["d"], &new["k"], &new["n"]), (&json!(2), &json!(3), &json!(500)));
        let found: Counted = serde_json::from_value(new["auto"].clone()).unwrap();
        assert_eq!(found.k_per_run, [3, 3, 4]);
        let numbers =
            [found.outliers, found.sample_size, found.discrete_features, found.duplicate_rows];
        assert_eq!((numbers, found.history[0].parent), ([2, 500, 1, 7], 20));
        let kinds =
            new["notes"].as_array().unwrap().iter().map(|note| (&note["kind"], &note["text"]));
        let expected = [(json!("warning"), json!("a")), (json!("notice"), json!("b"))];
        assert!(kinds.eq(expected.iter().map(|(kind, text)| (kind, text))));
    }
}

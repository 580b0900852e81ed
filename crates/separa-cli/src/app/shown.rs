//! What the page shows, as JSON, and the page itself.

use super::choices::Choices;
use super::desk::{Desk, Run, State};
use super::explore;
use super::guard::token;
use super::job::Outcome;
use super::progress::STAGES;
use crate::failure::{Failure, Result};
use separa::registry;
use separa_serve::Answer;
use serde_json::{Value, json};

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPTS: [&str; 7] = [
    include_str!("page/words.js"),
    separa_report::MAP_SCRIPT,
    include_str!("page/core.js"),
    include_str!("page/table.js"),
    include_str!("page/explore.js"),
    include_str!("page/result.js"),
    include_str!("page/app.js"),
];

/// The page, in one piece. Its script and its style are named by a number that is used once.
pub fn page() -> Result<Answer> {
    let nonce = token().map_err(|e| Failure::new(format!("no random numbers ({e})")))?;
    let html = PAGE
        .replace("{{nonce}}", &nonce)
        .replace("{{style}}", &[separa_report::figure_style().as_str(), STYLE].concat())
        .replace("{{script}}", &SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    Ok(Answer::text("text/html; charset=utf-8", html)
        .with("content-security-policy", policy)
        .with("referrer-policy", "no-referrer"))
}

/// Everything that changes: tables, runs, how far they are.
pub fn state(desk: &Desk) -> Value {
    let shown: Vec<Value> = desk.runs().iter().map(|(number, run)| one(*number, run)).collect();
    let tables: Vec<Value> = desk
        .tables
        .list()
        .iter()
        .map(|(number, name)| json!({ "table": number, "name": name }))
        .collect();
    let methods: Vec<Value> = registry::METHODS
        .iter()
        .map(|entry| json!({ "name": entry.name, "about": entry.about }))
        .collect();
    json!({
        "separa": env!("CARGO_PKG_VERSION"),
        "stages": STAGES,
        "tables": tables,
        "methods": methods,
        "runs": shown,
    })
}

fn one(number: u32, run: &Run) -> Value {
    let mut shown = json!({
        "run": number,
        "table": run.table,
        "file": run.file,
        "choices": run.choices,
        "progress": run.progress.step(),
    });
    match &run.state {
        State::Waiting => shown["state"] = "waiting".into(),
        State::Running => shown["state"] = "running".into(),
        State::Failed(why) => {
            shown["state"] = "failed".into();
            shown["error"] = why.as_str().into();
        }
        State::Done(outcome) => {
            shown["state"] = "done".into();
            shown["result"] = result(outcome, run);
        }
    }
    shown
}

/// What is known about every run that is done.
fn result(outcome: &Outcome, run: &Run) -> Value {
    let found = outcome.found();
    let names: Vec<(usize, String)> =
        found.names().iter().map(|(cluster, name)| (*cluster, name.clone())).collect();
    json!({
        "method": found.method_name(),
        "k": found.k(),
        "n": found.n(),
        "d": found.d(),
        "sizes": found.sizes(),
        "verdict": found.verdict(),
        "good": separa_report::good(&found),
        "seconds": run.progress.spent().iter().sum::<f64>(),
        "stopped": found.was_interrupted(),
        "names": names,
        "truth": outcome.known.as_ref().map(|known| json!({
            "column": known.column, "ari": known.measures.ari, "accuracy": known.measures.accuracy
        })),
        "command": run.choices.command(&run.file, &names).ok(),
        "python": run.choices.python(&run.file),
    })
}

/// What is known about one run besides: profiles, feature importance, stability, notes.
pub fn details(outcome: &Outcome) -> Value {
    let found = outcome.found();
    let importance = found.quality().map(|quality| quality.importance.clone()).unwrap_or_default();
    json!({
        "profile": found.profile(),
        "importance": importance,
        "columns": outcome.input.table.names,
        "stability": found.stability(),
        "notes": explore::notes(outcome),
    })
}

/// How far the labels of earlier runs on the same table agree with those of this one.
pub fn agreement(desk: &Desk, number: u32) -> Result<Value> {
    let own = desk.outcome(number)?;
    let table = desk.run(number).map(|run| run.table);
    let mut found = Vec::new();
    for (other, its) in desk.runs() {
        let State::Done(theirs) = its.state else { continue };
        if other == number || Some(its.table) != table {
            continue;
        }
        if let Ok(measured) = explore::beside(&own, &theirs) {
            found.push(json!({ "run": other, "ari": measured["ari"], "equal": measured["equal"] }));
        }
    }
    Ok(found.into())
}

/// What is in a table, how it would be prepared with these choices, and the method that suits it.
pub fn look(desk: &Desk, table: u32, choices: &Choices) -> Result<Value> {
    let (look, input) = desk.tables.look(table, choices)?;
    let data = input.as_ref().and_then(|input| input.dataset().ok());
    let suggested = data.as_ref().and_then(separa::suggested);
    Ok(json!({
        "table": table,
        "name": desk.tables.get(table)?.name,
        "look": &*look,
        "suggested": suggested.map(|s| json!({ "methods": s.methods, "kind": s.kind })),
    }))
}

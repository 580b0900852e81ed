//! What the page shows, as JSON, and the page itself.

use super::choices::Choices;
use super::desk::{Desk, Given, Run, State};
use super::guard::token;
use super::job::Outcome;
use crate::failure::{Failure, Result};
use separa::quality::External;
use separa::registry;
use separa_io::Look;
use separa_serve::Answer;
use serde_json::{Value, json};

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
const WORDS: &str = include_str!("page/words.js");
const SCRIPT: &str = include_str!("page/app.js");

/// The page, in one piece. Its script and its style are named by a number that is used once.
pub fn page() -> Result<Answer> {
    let nonce = token().map_err(|e| Failure::new(format!("no random numbers ({e})")))?;
    let html = PAGE
        .replace("{{nonce}}", &nonce)
        .replace("{{style}}", STYLE)
        .replace("{{script}}", &[WORDS, SCRIPT].concat());
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
        .tables()
        .iter()
        .map(|(number, name)| json!({ "table": number, "name": name }))
        .collect();
    let methods: Vec<Value> = registry::METHODS
        .iter()
        .map(|entry| json!({ "name": entry.name, "about": entry.about }))
        .collect();
    json!({
        "separa": env!("CARGO_PKG_VERSION"),
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
            let outcome = outcome.lock().unwrap_or_else(|e| e.into_inner());
            shown["result"] = result(&outcome, run);
        }
    }
    shown
}

fn result(outcome: &Outcome, run: &Run) -> Value {
    let found = &outcome.found;
    let names: Vec<(usize, String)> =
        found.names().iter().map(|(cluster, name)| (*cluster, name.clone())).collect();
    json!({
        "method": found.method_name(),
        "k": found.k(),
        "n": found.n(),
        "d": found.d(),
        "sizes": found.sizes(),
        "verdict": found.verdict(),
        "seconds": found.seconds(),
        "stopped": found.was_interrupted(),
        "names": names,
        "truth": outcome.known.as_ref().map(|known| json!({ "ari": known.measures.ari, "accuracy": known.measures.accuracy })),
        "command": run.choices.command(&run.file, &names).ok(),
        "python": run.choices.python(&run.file),
    })
}

/// How far the labels of earlier runs on the same rows agree with those of this one.
pub fn agreement(desk: &Desk, number: u32) -> Value {
    let Some(Run { state: State::Done(own), table, .. }) = desk.run(number) else {
        return json!([]);
    };
    let labels = own.lock().unwrap_or_else(|e| e.into_inner()).found.labels().to_vec();
    let mut found = Vec::new();
    for (other, its) in desk.runs() {
        let State::Done(theirs) = its.state else { continue };
        if other >= number || its.table != table {
            continue;
        }
        let theirs = theirs.lock().unwrap_or_else(|e| e.into_inner());
        let same = theirs.found.labels().len() == labels.len();
        if let (true, Ok(measured)) = (same, External::new(&labels, theirs.found.labels())) {
            found.push(json!({ "run": other, "ari": measured.ari, "equal": measured.accuracy }));
        }
    }
    found.into()
}

/// What is in a table, and how it would be prepared with these choices.
pub fn look(given: &Given, choices: &Choices) -> Result<Look> {
    let args = choices.args(&given.name)?;
    let options = separa_io::TableOptions {
        truth: args.truth.clone(),
        ..args.columns.complete(args.input.options())
    };
    let path = given.path.display().to_string();
    Ok(separa_io::read_table(&path, &options)?.look(&options)?)
}

//! `separa methods [NAME]`: what there is to choose from.

use crate::failure::{Failure, Result};
use crate::text::{self, columns, columns::left, style};
use separa::ParamSpec;
use separa::registry::{self, CLASSIFIERS, METHODS};
use std::process::ExitCode;

/// What is shown of a method or classifier.
#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    class: &'static str,
    about: &'static str,
    specs: &'static [ParamSpec],
    /// What is not among its parameters.
    beside: &'static str,
}

/// Methods first, then classifiers.
fn entries() -> Vec<Entry> {
    let methods = METHODS.iter().map(|e| {
        let beside = "; the number of clusters is -k";
        Entry { name: e.name, class: e.class, about: e.about, specs: e.specs, beside }
    });
    let classifiers = CLASSIFIERS.iter().map(|e| {
        let beside = " of `separa train`";
        Entry { name: e.name, class: e.class, about: e.about, specs: e.specs, beside }
    });
    methods.chain(classifiers).collect()
}

pub fn run(name: Option<&str>) -> Result<ExitCode> {
    text::print(&match name {
        None => list(),
        Some(name) => match entries().iter().find(|e| e.name == name) {
            Some(entry) => parameters(entry),
            None => return Err(unknown(name)),
        },
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The error of whichever list has something to suggest.
fn unknown(name: &str) -> Failure {
    let suggests = |e: &separa::Error| e.to_string().contains("did you mean");
    match (registry::find(name), registry::find_classifier(name)) {
        (_, Err(e)) if suggests(&e) => e.into(),
        (Err(e), _) | (_, Err(e)) => e.into(),
        _ => unreachable!("the name was not found"),
    }
}

fn list() -> String {
    let mut rows = vec![vec![left("method"), left("in Python"), left("what it does")]];
    let entries = entries();
    let wide = |f: fn(&Entry) -> &str| entries.iter().map(|e| f(e).len()).max().unwrap_or(0);
    let (names, classes) = (wide(|e| e.name), wide(|e| e.class));
    let room =
        columns::SCREEN - 2 - names.max("method".len()) - 3 - classes.max("in Python".len()) - 3;
    for e in &entries {
        for (i, line) in columns::wrap(e.about, room).into_iter().enumerate() {
            let (name, class) = if i == 0 { (e.name, e.class) } else { ("", "") };
            rows.push(vec![left(name).styled(style::TITLE), left(class), left(line)]);
        }
    }
    let hint = format!("`separa methods {}` shows the parameters of a method", METHODS[0].name);
    format!("{}\n{}\n", columns::align(&rows), style::paint(style::DIM, hint))
}

fn parameters(entry: &Entry) -> String {
    let about = columns::wrap(entry.about, columns::SCREEN - entry.name.len() - 2).join("\n  ");
    let mut text = format!("{}: {about}\n\n", style::paint(style::TITLE, entry.name));
    let widest = |f: fn(&ParamSpec) -> usize| entry.specs.iter().map(f).max().unwrap_or(0);
    let names = widest(|s| s.name.len());
    let defaults = widest(|s| s.default_text().len()).max("default".len());
    let mut rows = vec![vec![left("parameter"), left("default"), left("meaning and values")]];
    let room = columns::SCREEN - 2 - names.max("parameter".len()) - 3 - defaults - 3;
    for spec in entry.specs {
        let meaning = columns::wrap(spec.doc, room);
        let first = meaning.first().cloned().unwrap_or_default();
        rows.push(vec![
            left(spec.name).styled(style::TITLE),
            left(spec.default_text()),
            left(first),
        ]);
        for line in meaning.into_iter().skip(1) {
            rows.push(vec![left(""), left(""), left(line)]);
        }
        for line in columns::wrap(&spec.domain.to_string(), room) {
            rows.push(vec![left(""), left(""), left(line).styled(style::DIM)]);
        }
    }
    text.push_str(&columns::align(&rows));
    text.push_str(&format!("\nset one with --set name=value{}\n", entry.beside));
    text
}

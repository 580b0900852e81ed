//! `separa methods [NAME]`: what there is to choose from.

use crate::failure::{ExitCode, Failure, Result};
use crate::text::{self, style};
use separa::ParamSpec;
use separa::registry::{self, CLASSIFIERS, METHODS};
use separa_report::{Cell, Table};

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
    let mut table = Table::new("").text("method").text("in Python").text("what it does");
    for e in entries() {
        table.row(vec![
            Cell::Title(e.name.into()),
            Cell::Name(e.class.into()),
            Cell::Text(e.about.into()),
        ]);
    }
    let hint = format!("`separa methods {}` shows the parameters of a method", METHODS[0].name);
    format!("{}\n{}\n", style::table(&table, text::width()), style::paint(style::DIM, hint))
}

fn parameters(entry: &Entry) -> String {
    let width = text::width();
    let about = style::wrap(entry.about, width - entry.name.len() - 2).join("\n  ");
    let mut table = Table::new("").text("parameter").text("default").text("meaning and values");
    for spec in entry.specs {
        table.row(vec![
            Cell::Title(spec.name.into()),
            Cell::Name(spec.default_text()),
            Cell::Text(spec.doc.into()),
        ]);
        let blank = Cell::Name(String::new());
        table.row(vec![blank.clone(), blank, Cell::Note(spec.domain.to_string())]);
    }
    format!(
        "{}: {about}\n\n{}\nset one with --set name=value{}\n",
        style::paint(style::TITLE, entry.name),
        style::table(&table, width),
        entry.beside
    )
}

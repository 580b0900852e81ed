//! `separa methods [NAME]`: what there is to choose from.

use crate::failure::Result;
use crate::text::{self, columns, columns::left, style};
use separa::registry::{self, Entry, METHODS};
use std::process::ExitCode;

/// Widest line that we print.
const COLUMNS: usize = 100;

pub fn run(name: Option<&str>) -> Result<ExitCode> {
    text::print(&match name {
        None => list(),
        Some(name) => parameters(registry::find(name)?),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut rows = vec![vec![left("method"), left("in Python"), left("what it does")]];
    for e in METHODS {
        rows.push(vec![left(e.name).styled(style::TITLE), left(e.class), left(e.about)]);
    }
    let hint = format!("`separa methods {}` shows the parameters of a method", METHODS[0].name);
    format!("{}\n{}\n", columns::align(&rows), style::paint(style::DIM, hint))
}

fn parameters(entry: &Entry) -> String {
    let mut text = format!("{}: {}\n\n", style::paint(style::TITLE, entry.name), entry.about);
    let widest = |f: fn(&separa::ParamSpec) -> &str| {
        entry.specs.iter().map(|s| f(s).chars().count()).max().unwrap_or(0)
    };
    let (names, defaults) = (widest(|s| s.name), widest(|s| s.default).max("default".len()));
    let mut rows = vec![vec![left("parameter"), left("default"), left("meaning and values")]];
    let room = COLUMNS - 2 - names.max("parameter".len()) - 3 - defaults - 3;
    for spec in entry.specs {
        let meaning = columns::wrap(spec.doc, room);
        let first = meaning.first().cloned().unwrap_or_default();
        rows.push(vec![left(spec.name).styled(style::TITLE), left(spec.default), left(first)]);
        for line in meaning.into_iter().skip(1) {
            rows.push(vec![left(""), left(""), left(line)]);
        }
        for line in columns::wrap(spec.expected, room) {
            rows.push(vec![left(""), left(""), left(line).styled(style::DIM)]);
        }
    }
    text.push_str(&columns::align(&rows));
    text.push_str("\nset one with --set name=value; the number of clusters is -k\n");
    text
}

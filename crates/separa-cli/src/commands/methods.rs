//! `separa methods [NAME]`: what there is to choose from.

use crate::failure::Result;
use crate::text::{self, columns, columns::left, style};
use separa::registry::{self, Entry, METHODS};
use std::process::ExitCode;

pub fn run(name: Option<&str>) -> Result<ExitCode> {
    text::print(&match name {
        None => list(),
        Some(name) => parameters(registry::find(name)?),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut rows = vec![vec![left("method"), left("in Python"), left("what it does")]];
    let wide = |f: fn(&Entry) -> &str| METHODS.iter().map(|e| f(e).len()).max().unwrap_or(0);
    let (names, classes) = (wide(|e| e.name), wide(|e| e.class));
    let room =
        columns::SCREEN - 2 - names.max("method".len()) - 3 - classes.max("in Python".len()) - 3;
    for e in METHODS {
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
    let widest = |f: fn(&separa::ParamSpec) -> &str| {
        entry.specs.iter().map(|s| f(s).chars().count()).max().unwrap_or(0)
    };
    let (names, defaults) = (widest(|s| s.name), widest(|s| s.default).max("default".len()));
    let mut rows = vec![vec![left("parameter"), left("default"), left("meaning and values")]];
    let room = columns::SCREEN - 2 - names.max("parameter".len()) - 3 - defaults - 3;
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

//! What was set, how the fit went, and what to keep in mind.

use crate::document::{Block, Cell, On, Section, Table};
use crate::figures::trace;
use crate::names::ShortNames;
use crate::{Subject, number};
use separa::Stop;
use serde_json::{Map, Value};

/// Initializations that are listed.
const LISTED: usize = 20;

/// How a fit ended, in words.
pub fn ended(stop: Stop) -> &'static str {
    match stop {
        Stop::Converged => "converged",
        Stop::MaxIter => "not converged",
        Stop::Stalled => "no further gain",
        Stop::Cancelled => "interrupted",
        _ => "ended",
    }
}

/// Long names as they stand in the document, and whole.
pub(crate) fn long_names(short: &ShortNames) -> Section {
    let mut table = Table::new("Names that were shortened").text("here").text("in the table");
    for (short, whole) in short.pairs() {
        table.row(vec![Cell::Name(short.to_owned()), Cell::Text(whole.to_owned())]);
    }
    Section::new("names", "Names of features").add(On::Page, Block::Table(table)).clone()
}

/// The course of the objective and the initializations.
pub(crate) fn convergence(subject: &Subject<'_>) -> Section {
    let fitted = subject.fitted;
    let mut section = Section::new("convergence", "Convergence");
    let iterations = number::counted(fitted.iterations(), "iteration");
    let objective = number::objective(fitted.objective());
    let time = subject.time(" in ");
    let ended = ended(fitted.stop());
    section.say(
        On::Page,
        format!("The fit: {ended} after {iterations}{time}; its objective is {objective}."),
    );
    if let Some(drawing) = trace::draw(&fitted.trace().collect::<Vec<_>>()) {
        let caption =
            "The method's own objective after each iteration from the chosen initialization.";
        section.figure(drawing, caption);
    } else if fitted.iterations() == 0 {
        section.missing("This fit has no iterations to draw.");
    }
    if fitted.initializations().len() > 1 {
        let mut table = Table::new("Initializations; the score decides, larger is better");
        table = table.text("initialization").number("score").number("iterations").text("chosen");
        for start in fitted.initializations().iter().take(LISTED) {
            table.row(vec![
                Cell::Name(start.name.clone()),
                Cell::Number(number::objective(start.score), start.score),
                Cell::count(start.iterations),
                Cell::Name(if start.chosen { "yes".into() } else { String::new() }),
            ]);
        }
        section.add(On::Page, Block::Table(table));
        if fitted.initializations().len() > LISTED {
            let rest =
                number::counted(fitted.initializations().len() - LISTED, "more initialization");
            section.missing(format!("{rest} not shown."));
        }
    }
    section
}

/// Everything that decides the result.
pub(crate) fn settings(subject: &Subject<'_>) -> Section {
    let (about, fitted) = (subject.about, subject.fitted);
    let [method, class, what] = fitted.described();
    let method = ("method", format!("{method} ({class} in Python): {what}"));
    let command = about.apply.command.as_deref();
    let table = format!("{}: {}", about.input, subject.size());
    all(command, Some(method), fitted.params(), fitted.seed(), table)
}

/// The same for any result.
pub fn all(
    command: Option<&str>,
    method: Option<(&str, String)>,
    params: &Map<String, Value>,
    seed: u64,
    table: String,
) -> Section {
    let mut section = Section::new("settings", "Settings");
    if let Some(command) = command {
        section.say(On::Page, "This page again:");
        section.add(On::Page, Block::Code { title: "", code: command.to_owned() });
    }
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let params = params.iter().map(|(name, value)| (name.as_str(), shown(value)));
    let last = [
        ("seed", seed.to_string()),
        ("table", table),
        ("separa", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let mut found = Table::new("What was set").text("setting").text("value");
    for (name, value) in method.into_iter().chain(params).chain(last) {
        found.row(vec![Cell::Name(name.to_owned()), Cell::Text(value)]);
    }
    section.add(On::Html, Block::Table(found)).clone()
}

/// `notices` are told elsewhere to who sits at a terminal, `cautions` are not.
pub fn notes(notices: &[String], cautions: &[String]) -> Section {
    let mut section = Section::new("notes", "Notes");
    let all = [notices, cautions].concat();
    if !all.is_empty() {
        section.add(On::Html, Block::List(all));
    }
    if !cautions.is_empty() {
        section.add(On::Terminal, Block::List(cautions.to_vec()));
    }
    section
}

//! What was set, how the fit went, and what to keep in mind.

use super::{Cell, Table, missing};
use crate::figures::{figure, trace};
use crate::html::Html;
use crate::{About, number};
use separa::Stop;
use serde_json::Value;

/// Starts that are listed.
const STARTS: usize = 20;

pub fn convergence(about: &About<'_>) -> Html {
    let report = about.report;
    let mut html = Html::new();
    let ended = match report.stop {
        Stop::Converged => "converged",
        Stop::MaxIter => "had not converged",
        Stop::Stalled => "gained nothing more",
        Stop::Cancelled => "was interrupted",
        _ => "ended",
    };
    let rounds = number::counted(report.iterations, "round");
    let objective = number::objective(report.objective);
    let time = about.seconds.map_or(String::new(), |s| format!(" in {}", number::seconds(s)));
    let said = format!("The fit {ended} after {rounds}{time}; its objective is {objective}.");
    html.raw("<p>").text(&said).raw("</p>");
    match trace::draw(&report.trace) {
        Some(drawing) => html.add(&figure(
            &drawing,
            "The method's own objective after each round of the chosen start.",
        )),
        None => html.add(&missing("This fit has no rounds to draw.")),
    };
    if report.starts.len() > 1 {
        let heads = [("start", false), ("score", true), ("rounds", true), ("chosen", false)];
        let mut table = Table::new("Starts; the score decides, larger is better", &heads);
        for start in report.starts.iter().take(STARTS) {
            table.row(&[
                Cell::Name(start.name.clone()),
                Cell::Number(number::objective(start.score), start.score),
                Cell::Number(number::count(start.iterations), start.iterations as f64),
                Cell::Name(if start.chosen { "yes".into() } else { String::new() }),
            ]);
        }
        html.add(&table.finish());
        if report.starts.len() > STARTS {
            let rest = number::counted(report.starts.len() - STARTS, "more start");
            html.add(&missing(&format!("{rest} not shown.")));
        }
    }
    html
}

pub fn settings(about: &About<'_>) -> Html {
    let mut html = Html::new();
    html.add(&about.apply.again());
    let mut table = Table::new("What was set", &[("setting", false), ("value", false)]);
    let mut say = |name: &str, value: String| {
        table.row(&[Cell::Name(name.to_owned()), Cell::Text(value)]);
    };
    let [method, class, what] = about.method;
    say("method", format!("{method} ({class} in Python): {what}"));
    for (name, value) in about.params {
        say(name, shown(value));
    }
    say("seed", about.seed.to_string());
    say(
        "table",
        format!(
            "{}: {}, {}",
            about.input,
            number::counted(about.n, about.thing),
            number::counted(about.d, "feature")
        ),
    );
    say("separa", env!("CARGO_PKG_VERSION").to_owned());
    html.add(&table.finish());
    html
}

pub fn notices(sentences: &[String]) -> Html {
    let mut html = Html::new();
    if sentences.is_empty() {
        return html;
    }
    html.raw("<ul>");
    for sentence in sentences {
        html.raw("<li>").text(sentence).raw("</li>");
    }
    html.raw("</ul>");
    html
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

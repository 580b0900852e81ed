//! The page of a comparison of methods.

use super::{Cell, Head, Page, Table, counted, missing, settings};
use crate::figures::map;
use crate::html::Html;
use crate::{Compared, number};
use separa::compare::{Comparison, Line, State};
use separa::quality::Contingency;

pub fn page(c: &Compared<'_>) -> String {
    let mut page = Page::default();
    if !c.comparison.lines.is_empty() {
        page.section("ranking", "Ranking", &ranking(c));
        page.section("maps", "The same rows, method by method", &maps(c));
    }
    page.section("trouble", "What went wrong", &trouble(c));
    if let Some(found) = &c.comparison.auto {
        page.section("count", "How many groups", &counted::section(found));
    }
    page.section("notices", "Keep in mind", &settings::notices(c.notices));
    page.section("settings", "Settings", &setting(c));
    let first = c.comparison.lines.first().map_or("", |line| line.method);
    let warnings = remarks(c.comparison);
    let head = Head { input: c.input, kind: "compare", warnings: &warnings };
    page.finish(&head, &sentence(&c.comparison.verdict, first), Some(c.comparison.found))
}

/// What the fits warn of, and where they could not be judged, each with its method.
pub fn remarks(comparison: &Comparison) -> Vec<String> {
    let of = |line: &Line| {
        let method = line.method;
        line.notes.iter().map(move |note| format!("{method}: {note}")).collect::<Vec<_>>()
    };
    comparison.lines.iter().flat_map(of).collect()
}

/// As a sentence of its own; a method keeps its name as it is written.
fn sentence(verdict: &str, first: &str) -> String {
    if !first.is_empty() && verdict.starts_with(first) {
        return format!("{verdict}.");
    }
    let mut letters = verdict.chars();
    let capital = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{capital}{}.", letters.as_str())
}

fn ranking(c: &Compared<'_>) -> Html {
    let mut heads = vec![
        ("rank", true),
        ("method", false),
        ("score", true),
        ("MSP", true),
        ("p, no gap", true),
        ("alike", true),
        ("smallest", true),
        ("time", true),
    ];
    if c.truth.is_some() {
        heads.extend([("accuracy", true), ("ARI", true)]);
    }
    let mut table = Table::new("Methods, the best first", &heads);
    for line in c.comparison.lines.iter().filter(|line| line.rank.is_some()) {
        table.row(&cells(line, c.truth.is_some()));
    }
    let mut html = table.finish();
    html.raw(
        "<p>Ranked without labels by the score: how much the neighbours of a row know of its group, from 0 to 1. \
         Alike is the mean agreement (ARI) with the other methods. A rank is no proof that there are groups: the \
         p-value asks that.</p>",
    );
    if let Some(column) = c.truth {
        html.raw("<p>Accuracy and ARI are against ")
            .name(column)
            .raw("; the ranks do not know it.</p>");
    }
    html
}

fn cells(line: &Line, with_truth: bool) -> Vec<Cell> {
    let cell = |value: Option<f64>, text: fn(f64) -> String| {
        Cell::Number(value.map_or("–".into(), text), value.unwrap_or(f64::NAN))
    };
    let quality = line.quality.as_ref();
    let late = if line.state == State::Done { "" } else { "*" };
    let rank = line.rank.unwrap_or(0);
    let mut cells = vec![
        Cell::Number(rank.to_string(), rank as f64),
        Cell::Name(line.method.to_owned()),
        cell(line.score, number::fraction),
        cell(quality.map(|q| q.msp), number::fraction),
        cell(quality.and_then(|q| q.p_unimodal), number::p_value),
        cell(line.agreement, number::fraction),
        cell(quality.map(|q| q.min_share), number::percent),
        Cell::Number(format!("{}{late}", number::seconds(line.seconds)), line.seconds),
    ];
    if with_truth {
        cells.push(cell(line.truth.map(|t| t.accuracy), number::percent));
        cells.push(cell(line.truth.map(|t| t.ari), number::fraction));
    }
    cells
}

fn maps(c: &Compared<'_>) -> Html {
    let map = match c.map {
        Ok(map) => map,
        Err(why) => return missing(why),
    };
    let mut html = Html::new();
    html.raw(
        "<p>Every map shows the same rows, seen along the directions that separate the groups of the first method best. \
         Groups that go together have the same colour.",
    );
    if map.rows.len() < c.n {
        let (rows, all) = (number::count(map.rows.len()), number::count(c.n));
        html.text(&format!(
            " Drawn: a random sample of {rows} of {all} rows, more of small groups than their share."
        ));
    }
    html.raw("</p><div class=\"multiples\">");
    let lines = c.comparison.lines.iter().filter(|line| line.labels.is_some());
    let first = lines.clone().next().and_then(|line| line.labels.as_deref());
    for line in lines {
        let labels = line.labels.as_deref().unwrap_or_default();
        let labels = recoloured(labels, first.unwrap_or(labels));
        let drawn: Vec<i32> = map.rows.iter().map(|&i| labels[i]).collect();
        let name = format!("{}. {}", line.rank.unwrap_or(0), line.method);
        html.add(&map::draw(map, &drawn, &name));
    }
    html.raw("</div>");
    html
}

/// The labels with the numbers of the groups of `first` that they go with; others get the free numbers.
fn recoloured(labels: &[i32], first: &[i32]) -> Vec<i32> {
    let Ok(table) = Contingency::new(labels, first) else { return labels.to_vec() };
    let matched = table.matching();
    let taken = |n: &i32| matched.contains(&Some(*n));
    let mut free = (0..).filter(|n| !taken(n));
    let mut number = std::collections::HashMap::new();
    for (cluster, class) in table.clusters.iter().zip(&matched) {
        let next = class.unwrap_or_else(|| free.next().expect("numbers do not end"));
        number.insert(*cluster, next);
    }
    labels.iter().map(|l| number.get(l).copied().unwrap_or(-1)).collect()
}

fn trouble(c: &Compared<'_>) -> Html {
    let mut html = Html::new();
    let bad: Vec<&Line> = c.comparison.lines.iter().filter(|l| l.state != State::Done).collect();
    if bad.is_empty() {
        return html;
    }
    html.raw("<ul>");
    for line in bad {
        let why = match (line.state, &line.error) {
            (_, Some(why)) => why.clone(),
            (State::TimeLimit, None) => "stopped at its time limit (*) with its best so far".into(),
            _ => "interrupted".into(),
        };
        html.raw("<li>").text(line.method).raw(": ").text(&why).raw("</li>");
    }
    html.raw("</ul>");
    html
}

fn setting(c: &Compared<'_>) -> Html {
    let mut html = c.apply.again();
    let mut table = Table::new("What was set", &[("setting", false), ("value", false)]);
    let mut say = |name: &str, value: String| {
        table.row(&[Cell::Name(name.to_owned()), Cell::Text(value)]);
    };
    for (name, value) in c.params {
        say(name, value.to_string());
    }
    say("seed", c.seed.to_string());
    let size = (number::counted(c.n, "row"), number::counted(c.d, "feature"));
    say("table", format!("{}: {}, {}", c.input, size.0, size.1));
    say("separa", env!("CARGO_PKG_VERSION").to_owned());
    html.add(&table.finish());
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_go_together_have_one_colour() {
        let first = [0, 0, 0, 1, 1, 1, 2, 2];
        assert_eq!(recoloured(&[5, 5, 5, 3, 3, 3, 9, 9], &first), first);
        // One group more than the first has: it gets a number of its own.
        let more = recoloured(&[0, 0, 7, 1, 1, 1, 2, 2], &first);
        assert_eq!(more, [0, 0, 3, 1, 1, 1, 2, 2]);
        assert_eq!(recoloured(&[-1, 0, 0, 1, 1, 1, 2, 2], &first)[0], -1);
    }

    #[test]
    fn verdicts_become_sentences() {
        assert_eq!(sentence("mspc comes first", "mspc"), "mspc comes first.");
        assert_eq!(sentence("no method found", "mspc"), "No method found.");
        assert_eq!(sentence("no clusters found", ""), "No clusters found.");
    }
}

//! The document of a comparison of methods.

use super::{counted, settings, stability};
use crate::document::{Block, Cell, Document, On, Section, Table};
use crate::figures::map;
use crate::{Compared, number};
use separa::compare::{Comparison, MethodResult, Status};
use separa::quality::Contingency;

/// All methods, ranked, with a map of each.
pub fn document(c: &Compared<'_>) -> Document {
    let found = c.comparison;
    let first = found.results.first().map_or("", |line| line.method);
    let size = format!("{}, {}", number::counted(c.n, "row"), number::counted(c.d, "feature"));
    let mut document = Document {
        title: c.input.to_owned(),
        kind: "compare".to_owned(),
        facts: vec![(c.input.to_owned(), size.clone())],
        warnings: remarks(c),
        verdict: sentence(&found.verdict, first),
        good: Some(found.gap_found),
        ..Document::default()
    };
    if !found.results.is_empty() {
        document.add(ranking(c));
        document.add(maps(c));
    }
    document.add(trouble(found));
    if let Some(found) = &found.auto {
        document.add(counted::section(found));
    }
    document.add(settings::notes(c.notices, c.cautions));
    let table = format!("{}: {size}", c.input);
    document.add(settings::all(c.apply.command.as_deref(), None, c.params, c.seed, table));
    c.apply.closing().into_iter().for_each(|section| document.add(section));
    document
}

/// What the fits warn of, and where they could not be judged, each with its method.
fn remarks(c: &Compared<'_>) -> Vec<String> {
    let of = |line: &MethodResult| {
        let notes = line.notes();
        let said = notes.iter().map(|note| format!("{}: {}", line.method, note.sentence(c.word)));
        said.collect::<Vec<_>>()
    };
    c.comparison.results.iter().flat_map(of).collect()
}

/// As a sentence of its own; a method keeps its name as it is written.
fn sentence(verdict: &str, first: &str) -> String {
    if !first.is_empty() && verdict.starts_with(first) {
        return format!("{verdict}.");
    }
    format!("{}.", stability::sentence_case(verdict))
}

fn ranking(c: &Compared<'_>) -> Section {
    let known = c.truth.is_some();
    // A terminal has no room for everything.
    let spare = if known { On::Html } else { On::Everywhere };
    let mut table = Table::new("Methods, the best first").number("rank").text("method");
    table = table.number("score").column("MSP", true, spare).number("p (unimodal)");
    table = table.number("like others").column("smallest", true, spare).number("time");
    if known {
        table = table.number("accuracy").number("ARI");
    }
    for line in c.comparison.results.iter().filter(|line| line.rank.is_some()) {
        table.row(cells(line, known));
    }
    let mut section = Section::new("ranking", "Ranking");
    section.table(table).say(
        On::Page,
        "Ranked without labels by the score: how much the neighbours of a row know of its cluster, from 0 to 1. \
         “Like others” is the mean adjusted Rand index of its clusters and those of the other methods. A rank is no proof that there are clusters: the p-value \
         asks that.",
    );
    if let Some(column) = c.truth {
        let said = format!("Accuracy and ARI are against {column}; the ranks do not know it.");
        section.say(On::Everywhere, said);
    }
    section
}

fn cells(line: &MethodResult, known: bool) -> Vec<Cell> {
    let cell = |value: Option<f64>, text: fn(f64) -> String| {
        Cell::Number(value.map_or("–".into(), text), value.unwrap_or(f64::NAN))
    };
    let quality = line.quality();
    let late = if line.status == Status::Done { "" } else { "*" };
    let rank = line.rank.unwrap_or(0);
    let mut cells = vec![
        Cell::Number(rank.to_string(), rank as f64),
        Cell::Name(line.method.to_owned()),
        cell(line.score, number::fraction),
        cell(quality.map(|q| q.msp), number::fraction),
        cell(quality.and_then(|q| q.p_unimodal), number::p_value),
        cell(line.agreement, number::fraction),
        cell(quality.map(|q| q.min_fraction), number::percent),
        Cell::Number(format!("{}{late}", number::seconds(line.seconds)), line.seconds),
    ];
    if known {
        cells.push(cell(line.truth.map(|t| t.accuracy), number::fraction));
        cells.push(cell(line.truth.map(|t| t.ari), number::fraction));
    }
    cells
}

fn maps(c: &Compared<'_>) -> Section {
    let mut section = Section::new("maps", "The same rows, method by method");
    let map = match c.map {
        Ok(map) => map,
        Err(why) => return section.missing(why).clone(),
    };
    let mut said = "Every map shows the same rows, seen along the directions that separate the clusters of the first \
                    method best. Clusters that go together have the same colour."
        .to_owned();
    if map.rows.len() < c.n {
        let (rows, all) = (number::count(map.rows.len()), number::count(c.n));
        said.push_str(&format!(
            " Drawn: a random sample of {rows} of {all} rows, with more rows of small clusters."
        ));
    }
    let lines = c.comparison.results.iter().filter(|line| line.clustering.is_some());
    let first =
        lines.clone().next().and_then(|line| line.clustering.as_ref()).map(|found| found.labels());
    let draw = |line: &MethodResult| {
        let labels = line.clustering.as_ref().map(|found| found.labels()).unwrap_or_default();
        let labels = recoloured(labels, first.unwrap_or(labels));
        let drawn: Vec<i32> = map.rows.iter().map(|&i| labels[i]).collect();
        map::draw(map, &drawn, &format!("{}. {}", line.rank.unwrap_or(0), line.method))
    };
    let drawings = lines.map(draw).collect();
    section.say(On::Page, said).add(On::Page, Block::Gallery(drawings)).clone()
}

/// The labels with the numbers of the clusters of `first` that they go with; others get the free numbers.
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

/// Methods that were stopped or failed, each with its reason.
fn trouble(found: &Comparison) -> Section {
    let mut section = Section::new("trouble", "Stopped or failed");
    let why = |line: &MethodResult| {
        let why = match (line.status, &line.error) {
            (_, Some(why)) => why.trim_start_matches(line.method).trim_start_matches(": "),
            (Status::TimeLimit, None) => "stopped at its time limit (*) with its best so far",
            (_, None) if line.rank.is_some() => "interrupted (*) with its best so far",
            _ => "not run, interrupted",
        };
        format!("{}: {why}", line.method)
    };
    let bad: Vec<String> =
        found.results.iter().filter(|l| l.status != Status::Done).map(why).collect();
    if !bad.is_empty() {
        section.add(On::Everywhere, Block::List(bad));
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_that_go_together_have_one_colour() {
        let first = [0, 0, 0, 1, 1, 1, 2, 2];
        assert_eq!(recoloured(&[5, 5, 5, 3, 3, 3, 9, 9], &first), first);
        // One cluster more than the first has: it gets a number of its own.
        let more = recoloured(&[0, 0, 7, 1, 1, 1, 2, 2], &first);
        assert_eq!(more, [0, 0, 3, 1, 1, 1, 2, 2]);
        assert_eq!(recoloured(&[-1, 0, 0, 1, 1, 1, 2, 2], &first)[0], -1);
    }

    #[test]
    fn verdicts_become_sentences() {
        assert_eq!(sentence("mspc comes first", "mspc"), "mspc comes first.");
        assert_eq!(sentence("no method found", "mspc"), "No method found.");
        assert_eq!(sentence("no natural clusters", ""), "No natural clusters.");
    }
}

//! A clustering on one screen: what was read, sizes, quality in plain words, what to do next.

use super::columns::{self, left, right};
use super::{agreement, counted, importance, number, quality, stable, style};
use crate::answer::Answer;
use crate::notes::sentences;
use separa::judge;
use separa::registry;
use separa::{Note, NoteKind, Stop};

/// Clusters shown with a bar; the rest is counted.
const SHOWN: usize = 12;
const BAR: usize = 30;

/// `clarity` is a drawing that stands below the sizes.
pub fn cluster(answer: &Answer, input: &str, truth: Option<&str>, clarity: &str) -> String {
    let mut text = warnings(&answer.notes);
    let things = match (answer.rows, answer.sequences) {
        (Some(rows), _) => {
            format!("{} of {}", number::counted(answer.n, "bag"), number::counted(rows, "row"))
        }
        (None, Some(many)) => {
            format!("{} in {}", number::counted(answer.n, "row"), number::counted(many, "sequence"))
        }
        (None, None) => number::counted(answer.n, "row"),
    };
    text.push_str(&format!(
        "{}: {things}, {}\n",
        style::paint(style::TITLE, input),
        number::counted(answer.d, "feature")
    ));
    text.push_str(&format!(
        "{}: {}, {} after {}, {}\n\n",
        style::paint(style::TITLE, answer.method),
        number::counted(answer.k, "cluster"),
        stop_words(answer.stop),
        number::counted(answer.iterations, "round"),
        number::seconds(answer.seconds)
    ));
    if let Some(found) = &answer.auto {
        text.push_str(&counted::describe(found));
    }
    let titles = ["cluster", if answer.rows.is_some() { "bags" } else { "rows" }];
    text.push_str(&sizes(titles, |c| c.to_string(), &answer.sizes, answer.n));
    text.push_str(clarity);
    text.push_str(&typical(&answer.typical, answer.typical_ids.as_deref()));
    if let Some(found) = &answer.quality {
        text.push('\n');
        text.push_str(&quality::describe(found, judge::reg(answer.method, &answer.params), true));
        text.push_str(&importance::block(found, |c| c.to_string()));
    }
    if let Some(found) = &answer.stability {
        text.push_str(&stable::describe(found, "row"));
    }
    if let (Some(column), Some(measures)) = (truth, &answer.truth) {
        text.push('\n');
        text.push_str(&agreement::describe(column, measures, titles, |c| c.to_string()));
    }
    if let (Some(_), Ok(entry)) = (&answer.quality, registry::find(answer.method)) {
        let found = judge::cautions(entry, answer.k, &answer.params);
        text.push_str(&cautions(&sentences(&found, NoteKind::Notice)));
    }
    text
}

/// The rows that stand for each cluster, by name or counted from 1 as everywhere on the screen.
fn typical(lists: &[Vec<usize>], ids: Option<&[Vec<String>]>) -> String {
    if lists.is_empty() {
        return String::new();
    }
    let mut rows = vec![vec![left("cluster"), left("typical rows")]];
    for (c, list) in lists.iter().enumerate().take(SHOWN) {
        let shown: Vec<String> = match ids {
            Some(ids) => ids[c].clone(),
            None => list.iter().map(|i| (i + 1).to_string()).collect(),
        };
        let mut lines = columns::wrap(&shown.join(", "), columns::SCREEN - 12);
        lines.resize(lines.len().max(1), String::new());
        for (i, line) in lines.into_iter().enumerate() {
            rows.push(vec![left(if i == 0 { c.to_string() } else { String::new() }), left(line)]);
        }
    }
    if lists.len() > SHOWN {
        rows.push(vec![left(format!("{} more", lists.len() - SHOWN)), left("(--json lists them)")]);
    }
    format!("\n{}", columns::align(&rows))
}

/// What to keep in mind, after everything it is about.
pub fn cautions(sentences: &[String]) -> String {
    let mut text = String::new();
    for line in sentences.iter().flat_map(|s| columns::wrap(s, columns::SCREEN)) {
        text.push_str(&format!("{}\n", style::paint(style::DIM, line)));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Each warning on lines of its own, before anything else.
pub fn warnings(notes: &[Note]) -> String {
    let mut text = String::new();
    for sentence in sentences(notes, NoteKind::Warning) {
        for (i, line) in columns::wrap(&sentence, columns::SCREEN - 9).iter().enumerate() {
            let head = if i == 0 {
                style::paint(style::WARNING, "warning:")
            } else {
                " ".repeat("warning:".len())
            };
            text.push_str(&format!("{head} {line}\n"));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// One line a group, with a bar; `name` gives each its name. `group` and `things` head the columns.
pub fn sizes(
    [group, things]: [&str; 2],
    name: impl Fn(usize) -> String,
    sizes: &[usize],
    n: usize,
) -> String {
    let largest = sizes.iter().copied().max().unwrap_or(1).max(1) as f64;
    let mut rows = vec![vec![left(group), right(things), right("share")]];
    for (c, size) in sizes.iter().enumerate().take(SHOWN) {
        rows.push(vec![
            left(name(c)),
            right(number::count(*size)),
            right(number::percent(*size as f64 / n as f64)),
            left(style::bar(*size as f64 / largest, BAR)).styled(style::BAR),
        ]);
    }
    let hidden = &sizes[sizes.len().min(SHOWN)..];
    if !hidden.is_empty() {
        let rest: usize = hidden.iter().sum();
        rows.push(vec![
            left(format!("{} more", hidden.len())),
            right(number::count(rest)),
            right(number::percent(rest as f64 / n as f64)),
        ]);
    }
    let aside = n - sizes.iter().sum::<usize>();
    if aside > 0 {
        rows.push(vec![
            left("set aside"),
            right(number::count(aside)),
            right(number::percent(aside as f64 / n as f64)),
        ]);
    }
    columns::align(&rows)
}

/// The files that were written, then commands to try.
pub fn closing(written: &[(&str, String)], next: &[String]) -> String {
    let mut text = String::new();
    if !written.is_empty() {
        let rows: Vec<_> = written
            .iter()
            .map(|(what, path)| vec![left(*what).styled(style::DIM), left(path.as_str())])
            .collect();
        text.push_str(&format!("\n{}\n", style::paint(style::TITLE, "written")));
        text.push_str(&columns::align(&rows));
    }
    if !next.is_empty() {
        text.push_str(&format!("\n{}\n", style::paint(style::TITLE, "try next")));
        next.iter().for_each(|command| text.push_str(&format!("  {}\n", style::plain(command))));
    }
    text
}

pub fn stop_words(stop: Stop) -> &'static str {
    match stop {
        Stop::Converged => "converged",
        Stop::MaxIter => "not converged",
        Stop::Stalled => "no further gain",
        Stop::Cancelled => "interrupted",
        _ => "ended",
    }
}

//! A comparison of methods on one screen.

use super::columns::{self, Cell, left, right};
use super::{number, style, summary};
use separa::compare::{Comparison, Line, State};

/// Every ranked method on a line, then those that failed, then what to make of it.
pub fn describe(
    found: &Comparison,
    (input, n, d): (&str, usize, usize),
    truth: Option<&str>,
    cautions: &[String],
) -> String {
    let mut text = format!(
        "{}: {}, {}\n\n",
        style::paint(style::TITLE, input),
        number::counted(n, "row"),
        number::counted(d, "feature")
    );
    if !found.lines.is_empty() {
        text.push_str(&table(found, truth.is_some()));
        text.push_str(&trouble(found));
        text.push('\n');
    }
    let colour = if found.found { style::GOOD } else { style::WARNING };
    for line in columns::wrap(&found.verdict, columns::SCREEN - 2) {
        text.push_str(&format!("  {}\n", style::paint(colour, line)));
    }
    if let Some(column) = truth {
        text.push_str(&style::paint(
            style::DIM,
            format!("  accuracy and ARI are against {column}; the ranks do not know it\n"),
        ));
    }
    text.push_str(&summary::cautions(cautions));
    text
}

fn table(found: &Comparison, with_truth: bool) -> String {
    let mut head = vec![right("rank"), left("method"), right("score")];
    match with_truth {
        true => head.extend(["p, no gap", "alike", "time", "accuracy", "ARI"].map(right)),
        false => head.extend(["MSP", "p, no gap", "alike", "smallest", "time"].map(right)),
    }
    let mut rows = vec![head];
    rows.extend(
        found.lines.iter().filter(|line| line.rank.is_some()).map(|line| cells(line, with_truth)),
    );
    columns::align(&rows)
}

fn cells(line: &Line, with_truth: bool) -> Vec<Cell> {
    let optional =
        |value: Option<f64>, text: fn(f64) -> String| right(value.map_or("-".into(), text));
    let quality = line.quality.as_ref();
    let mut cells = vec![
        right(line.rank.map_or(String::new(), |r| r.to_string())),
        left(line.method),
        optional(line.score, number::fraction).styled(style::TITLE),
    ];
    let p = optional(quality.and_then(|q| q.p_unimodal), number::p_value);
    let alike = optional(line.agreement, |a| format!("{a:.2}"));
    let late = if line.state == State::Done { "" } else { "*" };
    let time = right(format!("{}{late}", number::seconds(line.seconds)));
    if with_truth {
        let truth = line.truth.as_ref();
        cells.extend([p, alike, time]);
        cells.push(optional(truth.map(|t| t.accuracy), number::percent));
        cells.push(optional(truth.map(|t| t.ari), number::fraction));
    } else {
        cells.push(optional(quality.map(|q| q.msp), number::fraction));
        cells.extend([p, alike]);
        cells.push(optional(quality.map(|q| q.min_share), number::percent));
        cells.push(time);
    }
    cells
}

/// What was stopped or failed, each with its reason, and what the others warn of.
fn trouble(found: &Comparison) -> String {
    let mut text = String::new();
    let mut say = |sentence: String| {
        for (i, line) in columns::wrap(&sentence, columns::SCREEN - 4).iter().enumerate() {
            text.push_str(&format!("{}{line}\n", if i == 0 { "  " } else { "    " }));
        }
    };
    let stopped = |state| found.lines.iter().any(|l| l.state == state && l.rank.is_some());
    if stopped(State::TimeLimit) {
        say("* stopped at its time limit, the best so far".to_owned());
    }
    if stopped(State::Interrupted) {
        say("* interrupted, the best so far".to_owned());
    }
    for line in found.lines.iter().filter(|line| line.rank.is_none()) {
        match &line.error {
            Some(why) if why.starts_with(line.method) => say(format!("failed: {why}")),
            Some(why) => say(format!("failed: {}: {why}", line.method)),
            None => say(format!("{}: not run, interrupted", line.method)),
        }
    }
    separa_report::remarks(found).into_iter().for_each(say);
    text
}

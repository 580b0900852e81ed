//! A training on one screen: classes, what is promised and what was reached, what to do next.

use super::columns::{self, left, right};
use super::{number, style, summary};
use crate::answer::Outputs;
use separa::validate::CrossValidated;
use separa::{Bound, Learnt, Note, Stop, Trained};
use separa_report::shell_word;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// Boundaries shown; the rest is counted.
const SHOWN: usize = 12;

/// The result of `train` as one object: the same for JSON and for the screen.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The version that gave the answer.
    pub separa: &'static str,
    pub method: String,
    pub params: Map<String, Value>,
    pub n: usize,
    pub d: usize,
    pub sizes: Vec<usize>,
    #[serde(flatten)]
    pub learnt: Learnt,
    pub cv: Option<CrossValidated>,
    pub stop: Stop,
    pub seconds: f64,
    pub outputs: Outputs,
    pub notes: Vec<Note>,
}

impl Answer {
    /// What a classifier says about itself; the rest is the command's.
    pub fn new(trained: &Trained, seconds: f64, notes: &[Note], outputs: Outputs) -> Self {
        Self {
            separa: env!("CARGO_PKG_VERSION"),
            method: trained.method_name().to_owned(),
            params: trained.params().clone(),
            n: trained.n(),
            d: trained.d(),
            sizes: trained.sizes().to_vec(),
            learnt: trained.learnt().clone(),
            cv: trained.cross_validated().cloned(),
            stop: trained.stop(),
            seconds,
            outputs,
            notes: notes.to_vec(),
        }
    }
}

pub fn describe(answer: &Answer, input: &str, model: Option<&Path>) -> String {
    let mut text = summary::warnings(&answer.notes);
    text.push_str(&format!(
        "{}: {}, {}\n",
        style::paint(style::TITLE, input),
        number::counted(answer.n, "row"),
        number::counted(answer.d, "feature")
    ));
    text.push_str(&format!(
        "{}: {} classes, {}\n\n",
        style::paint(style::TITLE, &answer.method),
        answer.learnt.classes.len(),
        number::seconds(answer.seconds)
    ));
    let name = |c: usize| answer.learnt.classes[c].clone();
    text.push_str(&summary::sizes(["class", "rows"], name, &answer.sizes, answer.n));
    text.push_str(&bounds(answer));
    text.push_str(&reached(answer));
    let next = match model {
        Some(model) => format!("separa predict {} NEW.csv", shell_word(&model.to_string_lossy())),
        None => "the same command with --model rule.separa".to_owned(),
    };
    text.push_str(&summary::closing(&answer.outputs.list(), &[next]));
    text
}

/// The bound of each boundary, and the rate of the training rows beside it.
fn bounds(answer: &Answer) -> String {
    let bounds = &answer.learnt.bounds;
    let Some(first) = bounds.first() else { return String::new() };
    let heads = [
        left("boundary"),
        right("at least"),
        right("reached"),
        right("at least"),
        right("reached"),
    ];
    let mut rows = vec![heads.to_vec()];
    let name = |c: usize| answer.learnt.classes[c].as_str();
    for Bound { class, against, alpha, rate, .. } in bounds.iter().take(SHOWN) {
        let other = against.map_or("the rest", name);
        rows.push(vec![
            left(format!("{} | {other}", name(*class))),
            right(number::fraction(alpha[0])),
            right(number::fraction(rate[0])),
            right(number::fraction(alpha[1])),
            right(number::fraction(rate[1])),
        ]);
    }
    let mut text = format!(
        "\n{}\n{}",
        style::paint(style::TITLE, "worst case of each side"),
        columns::align(&rows)
    );
    if bounds.len() > SHOWN {
        text.push_str(&format!("  and {} more (--json lists them)\n", bounds.len() - SHOWN));
    }
    let of = match answer.method.as_str() {
        "mcpm" => "the moments of the summaries, not of the rows: compare the rate beside it",
        _ => "the moments of the training rows",
    };
    let caution = format!("the bound belongs to reg {} and {of}", first.reg);
    text.push_str(&summary::cautions(&[caution]));
    text
}

fn reached(answer: &Answer) -> String {
    let share = |v: f64| number::fraction(v);
    let mut rows =
        vec![vec![left("training rows"), right(share(answer.learnt.accuracy)), left("")]];
    if let Some(held_out) = answer.learnt.held_out {
        let why = left("chosen by it, so a little too high").styled(style::DIM);
        rows.push(vec![left("rows held out"), right(share(held_out)), why]);
    }
    if let Some(cv) = &answer.cv {
        let spread = format!("± {} over {}", share(cv.sd), number::counted(cv.folds.len(), "fold"));
        rows.push(vec![left("cross-validated"), right(share(cv.accuracy)), left(spread)]);
    }
    let mut text =
        format!("\n{}\n{}", style::paint(style::TITLE, "right answers"), columns::align(&rows));
    let used = |(name, value): (&String, &Value)| format!("{name} {value}");
    let settings: Vec<String> = answer.learnt.settings.iter().map(used).collect();
    text.push_str(&summary::cautions(&[format!("used: {}", settings.join(", "))]));
    text
}

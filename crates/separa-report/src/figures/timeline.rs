//! The states of sequences, one strip per sequence.

use crate::StateSequence;
use crate::html::Html;
use crate::svg::{Anchor, Scale, Sheet, axes::WIDE};

/// Sequences that are drawn; of more, the first.
pub const SHOWN: usize = 24;
/// Runs of one state that are drawn per sequence: narrower ones than a dot of the screen are not seen.
const RUNS: usize = 400;
const ROW: f64 = 24.0;
const LEFT: f64 = 120.0;

/// Strips from the first row of a sequence to its last, in the colours of the clusters.
pub fn draw(sequences: &[StateSequence], cluster: &dyn Fn(i32) -> String) -> Html {
    let drawn = &sequences[..sequences.len().min(SHOWN)];
    let longest = drawn.iter().map(|s| s.states.len()).max().unwrap_or(1).max(1);
    let bottom = 8.0 + ROW * drawn.len() as f64;
    let begins = |s: &StateSequence| match s.runs().next() {
        Some((state, length)) => {
            format!("{} begins with {length} in cluster {}", s.name, cluster(state))
        }
        None => format!("{} is empty", s.name),
    };
    let told: Vec<String> = drawn.iter().take(3).map(begins).collect();
    let says = format!("States of {} sequences in order: {}.", drawn.len(), told.join("; "));
    let mut sheet = Sheet::new(WIDE, bottom + 34.0, &says);
    let x = Scale::new((0.0, longest as f64), (LEFT, WIDE - 16.0));
    for (v, text) in x.ticks(6) {
        sheet.line("grid", (x.at(v), 4.0), (x.at(v), bottom));
        sheet.label("tick", (x.at(v), bottom + 20.0), Anchor::Middle, 8, &text);
    }
    for (r, sequence) in drawn.iter().enumerate() {
        let top = 6.0 + ROW * r as f64;
        sheet.label("name", (LEFT - 8.0, top + 15.0), Anchor::End, 16, &sequence.name);
        let mut from = 0;
        for (state, length) in sequence.runs().take(RUNS) {
            let corners =
                [(x.at(from as f64), top), (x.at((from + length) as f64), top + ROW - 6.0)];
            match usize::try_from(state) {
                Ok(c) => sheet.coloured(c, |sheet| sheet.rect("bar", corners[0], corners[1])),
                Err(_) => sheet.rect("bar dull", corners[0], corners[1]),
            }
            from += length;
        }
    }
    sheet.finish()
}

//! How the number of clusters was found, on a few lines.

use super::{columns, number, style};
use separa::{Counted, Decision, Step};

/// Decisions that are shown, the last ones; --json has them all.
const SHOWN: usize = 6;

/// The number, its spread over the runs, and the last decisions.
pub fn describe(found: &Counted) -> String {
    let head = match found.k {
        1 => style::paint(
            style::WARNING,
            format!("{}, labelled 0", separa::k_auto::none_found(found)),
        ),
        k => style::paint(style::TITLE, format!("{} found", number::counted(k, "cluster"))),
    };
    let mut text = format!("{head}\n");
    if found.k_by_seed.len() > 1 {
        let runs = number::counted(found.k_by_seed.len(), "run");
        for line in columns::wrap(&format!("in {runs}: {}", found.runs()), columns::SCREEN - 2) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    let hidden = found.path.len().saturating_sub(SHOWN);
    let shown: Vec<String> = found.path[hidden..].iter().map(decision).collect();
    if !shown.is_empty() {
        let lead = if hidden > 0 { format!("{hidden} earlier steps, ") } else { String::new() };
        for line in columns::wrap(&format!("{lead}{}", shown.join(", ")), columns::SCREEN - 2) {
            text.push_str(&format!("  {}\n", style::paint(style::DIM, line)));
        }
    }
    text.push('\n');
    text
}

/// "240 + 310 rows joined (p 0.61)", kept on one line.
fn decision(d: &Decision) -> String {
    let [a, b] = d.sizes.map(number::count);
    let done = match d.step {
        Step::Merge => "joined",
        Step::Split => "parted",
    };
    format!("{a} + {b} rows {done} (p {})", number::p_value(d.p)).replace(' ', "\u{a0}")
}

//! Rows worth looking at.

use super::{Cell, Table};
use crate::html::Html;
use crate::{Names, number};
use separa::view::{ColumnView, RowLine, View};

/// Columns whose values stand beside a row.
const COLUMNS: usize = 5;
/// Typical rows that are listed.
const TYPICAL: usize = 200;

pub fn section(view: &View, k: usize, names: Names<'_>, thing: &str) -> Html {
    let mut html = Html::new();
    if !view.typical.is_empty() {
        let most = view.typical.len().min(TYPICAL);
        let mut caption = format!("From the middle of each group: {thing}s that stand for it");
        if most < view.typical.len() {
            let shown = view.typical[most - 1].label + 1;
            caption.push_str(&format!(", the first {shown} of {k} groups"));
        }
        if !view.whole() {
            caption.push_str(&among(view.rows.len(), view.n, thing));
        }
        html.add(&lines(&view.typical[..most], false, view, names, (thing, &caption, k)));
    }
    if !view.borderline.is_empty() {
        let mut caption = format!("Close calls: {thing}s that another group nearly had");
        let decided = view.decided.rows.len();
        if decided < view.n {
            caption.push_str(&among(decided, view.n, thing));
        }
        html.add(&lines(&view.borderline, true, view, names, (thing, &caption, k)));
    }
    html
}

/// Where they were looked for, if not among all.
fn among(rows: usize, n: usize, thing: &str) -> String {
    format!(" (among a random sample of {} of {} {thing}s)", number::count(rows), number::count(n))
}

/// What differences in a column are told to: a thousandth of what it spans.
fn step(column: &ColumnView) -> f64 {
    let ends = column.groups.iter().flatten().flat_map(|s| [s.quantiles[0], s.quantiles[4]]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
    (high - low) / 1000.0
}

fn lines(
    rows: &[RowLine],
    close: bool,
    view: &View,
    names: Names<'_>,
    (thing, caption, k): (&str, &str, usize),
) -> Html {
    let columns: Vec<String> =
        view.columns.iter().take(COLUMNS).map(|c| (names.column)(c.column)).collect();
    let steps: Vec<f64> = view.columns.iter().take(COLUMNS).map(step).collect();
    let decided = k > 1;
    let mut heads = vec![(thing, false), ("group", false)];
    if close {
        heads.push(("nearly", false));
    }
    if decided {
        heads.push((if k == 2 { "decision" } else { "lead" }, true));
    }
    heads.extend(columns.iter().map(|name| (name.as_str(), true)));
    let mut table = Table::new(caption, &heads);
    for line in rows {
        let mut cells = vec![Cell::Name((names.row)(line.row)), Cell::Group(line.label)];
        if close {
            cells.push(Cell::Group(line.other));
        }
        if decided {
            let value = line.value.unwrap_or(f64::NAN);
            cells.push(Cell::Number(number::value(value), value));
        }
        let shown = line.cells.iter().zip(&steps);
        cells.extend(shown.map(|(v, step)| Cell::Number(number::value_to(*v, *step), *v)));
        table.row(&cells);
    }
    table.finish()
}

//! Rows to check: exemplars of each cluster, and those that another cluster nearly had.

use crate::document::{Block, Cell, On, Section, Table};
use crate::{Names, number};
use separa::view::{ColumnView, RowLine, View};

/// Features whose values stand beside a row.
const COLUMNS: usize = 5;
/// Exemplars that are listed, and clusters whose exemplars a terminal names.
const EXEMPLARS: usize = 200;
const SHOWN: usize = 12;

/// The rows of `view`; on a terminal those that the method itself names as `exemplars`.
pub fn section(
    view: Option<&View>,
    exemplars: &[Vec<usize>],
    k: usize,
    names: Names<'_>,
    thing: &str,
) -> Section {
    let mut section = Section::new("rows", "Rows to check");
    if let Some(view) = view {
        let lines = Lines { view, k, names, thing };
        section.blocks.extend(lines.exemplars().map(|table| (On::Page, Block::Table(table))));
        section.blocks.extend(lines.borderline().map(|table| (On::Page, Block::Table(table))));
    }
    if !exemplars.is_empty() {
        let mut table = Table::new("Exemplars").text("cluster").text("exemplars").shown(SHOWN);
        for (c, rows) in exemplars.iter().enumerate() {
            // A name stays on one line.
            let shown: Vec<String> =
                rows.iter().map(|i| (names.row)(*i).replace(' ', "\u{a0}")).collect();
            let c = c as i32;
            table.row(vec![Cell::Cluster(c, (names.cluster)(c)), Cell::Text(shown.join(", "))]);
        }
        section.add(On::Terminal, Block::Table(table));
    }
    section
}

struct Lines<'a> {
    view: &'a View,
    k: usize,
    names: Names<'a>,
    thing: &'a str,
}

impl Lines<'_> {
    fn exemplars(&self) -> Option<Table> {
        let (view, thing) = (self.view, self.thing);
        let rows = &view.typical[..view.typical.len().min(EXEMPLARS)];
        let mut caption =
            format!("Exemplars from the middle of each cluster: {thing}s that stand for it");
        if rows.len() < view.typical.len() {
            let shown = rows.last()?.label + 1;
            caption.push_str(&format!(", the first {shown} of {} clusters", self.k));
        }
        self.table(rows, false, self.among(caption, view.rows.len()))
    }

    fn borderline(&self) -> Option<Table> {
        let (view, thing) = (self.view, self.thing);
        let caption = format!("Close calls: {thing}s that another cluster nearly had");
        self.table(&view.borderline, true, self.among(caption, view.decided.rows.len()))
    }

    /// Where they were looked for, if not among all.
    fn among(&self, caption: String, seen: usize) -> String {
        let (thing, n) = (self.thing, self.view.n);
        match seen < n {
            false => caption,
            true => format!(
                "{caption} (among a random sample of {} of {} {thing}s)",
                number::count(seen),
                number::count(n)
            ),
        }
    }

    fn table(&self, rows: &[RowLine], close: bool, caption: String) -> Option<Table> {
        let (names, decided) = (self.names, self.k > 1);
        let columns = || self.view.columns.iter().take(COLUMNS);
        let steps: Vec<f64> = columns().map(step).collect();
        let mut table = Table::new(caption).text(self.thing).text("cluster");
        if close {
            table = table.text("nearly");
        }
        if decided {
            table = table.number(if self.k == 2 { "decision value" } else { "margin" });
        }
        for column in columns() {
            table = table.number((names.column)(column.column));
        }
        let cluster = |c: i32| Cell::Cluster(c, (names.cluster)(c));
        for line in rows {
            let mut cells = vec![Cell::Name((names.row)(line.row)), cluster(line.label)];
            if close {
                cells.push(cluster(line.other));
            }
            if decided {
                let value = line.value.unwrap_or(f64::NAN);
                cells.push(Cell::Number(number::value(value), value));
            }
            let shown = line.cells.iter().zip(&steps);
            cells.extend(shown.map(|(v, step)| Cell::Number(number::value_to(*v, *step), *v)));
            table.row(cells);
        }
        (!rows.is_empty()).then_some(table)
    }
}

/// What differences in a column are told to: a thousandth of what it spans.
fn step(column: &ColumnView) -> f64 {
    let ends = column.groups.iter().flatten().flat_map(|s| [s.quantiles[0], s.quantiles[4]]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
    (high - low) / 1000.0
}

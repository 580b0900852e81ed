//! How many rows each cluster or class has.

use crate::document::{Cell, Section, Table};
use crate::number;

/// Clusters shown where room is scarce; the rest is summed.
const SHOWN: usize = 12;

/// `one` and `thing` head the columns; `name` gives each cluster its name. Rows without a cluster are outliers.
pub fn section(
    title: &'static str,
    [one, thing]: [&str; 2],
    sizes: &[usize],
    n: usize,
    name: &dyn Fn(i32) -> String,
) -> Section {
    let all = n.max(1) as f64;
    let largest = sizes.iter().copied().max().unwrap_or(1).max(1) as f64;
    let counted = |size: usize| [Cell::count(size), Cell::percent(size as f64 / all)];
    let mut table = Table::new(format!("Number of {thing}s in each {one}"))
        .text(one)
        .number(format!("{thing}s"));
    table = table.number("fraction").text("").shown(SHOWN);
    for (c, size) in sizes.iter().enumerate() {
        let mut row = vec![Cell::Cluster(c as i32, name(c as i32))];
        row.extend(counted(*size));
        row.push(Cell::Bar(*size as f64 / largest, c));
        table.row(row);
    }
    let line = |first: Cell, size: usize| [vec![first], counted(size).to_vec()].concat();
    let hidden = &sizes[sizes.len().min(SHOWN)..];
    let more = Cell::Name(format!("{} more", number::count(hidden.len())));
    table.rest = Some(line(more, hidden.iter().sum()));
    let outliers = n.saturating_sub(sizes.iter().sum());
    if outliers > 0 {
        table.footer.push(line(Cell::Cluster(-1, String::new()), outliers));
    }
    Section::new("sizes", title).table(table).clone()
}

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
    let outliers = n.saturating_sub(sizes.iter().sum());
    let parts: Vec<f64> =
        sizes.iter().chain([&outliers]).map(|size| 100.0 * *size as f64 / all).collect();
    // Whole per cents that add up to 100.
    let whole = number::whole(&parts);
    let percent = |size: usize, whole: usize| {
        let part = size as f64 / all;
        let some = (0.005..0.995).contains(&part);
        let text = if some { format!("{whole} %") } else { number::percent(part) };
        [Cell::count(size), Cell::Number(text, part)]
    };
    let mut table = Table::new(format!("Number of {thing}s in each {one}"))
        .text(one)
        .number(format!("{thing}s"));
    table = table.number("fraction").text("").shown(SHOWN);
    for (c, size) in sizes.iter().enumerate() {
        let mut row = vec![Cell::Cluster(c as i32, name(c as i32))];
        row.extend(percent(*size, whole[c]));
        row.push(Cell::Bar(*size as f64 / largest, c));
        table.row(row);
    }
    let line = |first: Cell, size: usize, whole: usize| {
        [vec![first], percent(size, whole).to_vec()].concat()
    };
    let hidden = sizes.len().min(SHOWN)..sizes.len();
    let more = Cell::Name(format!("{} more", number::count(hidden.len())));
    let (size, part) = (sizes[hidden.clone()].iter().sum(), whole[hidden].iter().sum());
    table.rest = Some(line(more, size, part));
    if outliers > 0 {
        let part = whole[sizes.len()];
        table.footer.push(line(Cell::Cluster(-1, String::new()), outliers, part));
    }
    Section::new("sizes", title).table(table).clone()
}

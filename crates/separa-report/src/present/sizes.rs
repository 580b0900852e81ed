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
        sizes.iter().chain([&outliers]).map(|size| 1000.0 * *size as f64 / all).collect();
    // Tenths of per cents that add up to 100.
    let tenths = number::whole(&parts);
    let percent = |size: usize, tenths: usize| {
        let share = size as f64 / all;
        let whole = (0.001..0.999).contains(&share);
        let text =
            if whole { format!("{:.1} %", tenths as f64 / 10.0) } else { number::percent(share) };
        [Cell::count(size), Cell::Number(text, share)]
    };
    let mut table = Table::new(format!("Number of {thing}s in each {one}"))
        .text(one)
        .number(format!("{thing}s"));
    table = table.number("fraction").text("").shown(SHOWN);
    for (c, size) in sizes.iter().enumerate() {
        let mut row = vec![Cell::Cluster(c as i32, name(c as i32))];
        row.extend(percent(*size, tenths[c]));
        row.push(Cell::Bar(*size as f64 / largest, c));
        table.row(row);
    }
    let line = |first: Cell, size: usize, tenths: usize| {
        [vec![first], percent(size, tenths).to_vec()].concat()
    };
    let hidden = sizes.len().min(SHOWN)..sizes.len();
    let more = Cell::Name(format!("{} more", number::count(hidden.len())));
    let (size, part) = (sizes[hidden.clone()].iter().sum(), tenths[hidden].iter().sum());
    table.rest = Some(line(more, size, part));
    if outliers > 0 {
        let part = tenths[sizes.len()];
        table.footer.push(line(Cell::Cluster(-1, String::new()), outliers, part));
    }
    Section::new("sizes", title).table(table).clone()
}

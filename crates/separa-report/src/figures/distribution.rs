//! One feature in its own unit, cluster by cluster.

use crate::html::{Html, shortened};
use crate::number;
use crate::svg::{Anchor, Scale, Sheet};
use separa::view::{ColumnView, Spread};

/// The width of the figure.
pub const WIDTH: f64 = 260.0;
const ROW: f64 = 20.0;
const LEFT: f64 = 34.0;
/// Letters of ticks that have room side by side.
const ROOM: usize = 26;
/// Clusters that are drawn; of more, the first.
pub const GROUPS: usize = 12;

/// Boxes and whiskers of the feature called `name`.
pub fn draw(view: &ColumnView, name: &str) -> Html {
    let groups: Vec<(usize, Spread)> = (0..view.groups.len().min(GROUPS))
        .filter_map(|c| view.groups[c].map(|spread| (c, spread)))
        .collect();
    let height = 34.0 + ROW * groups.len() as f64 + 26.0;
    let told = |(c, s): &(usize, Spread)| format!("cluster {c} {}", number::value(s.quantiles[2]));
    let medians: Vec<String> = groups.iter().map(told).collect();
    let says = format!("{}: medians {}.", shortened(name, 80), medians.join(", "));
    let mut sheet = Sheet::new(WIDTH, height, &says);
    sheet.label("title", (4.0, 18.0), (Anchor::Start, 30), name);
    let ends = groups.iter().flat_map(|(_, s)| [s.quantiles[0], s.quantiles[4]]);
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    let x = Scale::new((low, high), (LEFT, WIDTH - 14.0));
    let bottom = 34.0 + ROW * groups.len() as f64;
    for (v, text) in x.ticks_within(ROOM) {
        sheet.line("grid", (x.at(v), 28.0), (x.at(v), bottom));
        sheet.label("tick", (x.at(v), bottom + 16.0), (Anchor::Middle, 16), &text);
    }
    for (r, (c, spread)) in groups.iter().enumerate() {
        let middle = 30.0 + ROW * (r as f64 + 0.5);
        sheet.label("tick", (LEFT - 8.0, middle + 5.0), (Anchor::End, 3), &c.to_string());
        let [far_low, low, median, high, far_high] = spread.quantiles.map(|q| x.at(q));
        sheet.coloured(*c, |sheet| {
            sheet.line("whisker", (far_low, middle), (far_high, middle));
            sheet.rect("box", (low, middle - 6.0), (high.max(low + 1.0), middle + 6.0));
            sheet.line("median", (median, middle - 6.0), (median, middle + 6.0));
        });
    }
    sheet.finish()
}

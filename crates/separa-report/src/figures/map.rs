//! A small map of a table in the colours of one labelling.

use super::separation;
use crate::html::Html;
use crate::number;
use crate::svg::{Anchor, Scale, Sheet};
use separa::view::Map;

const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 210.0;

/// `labels` are those of the rows on the map; `name` is written above.
pub fn draw(map: &Map, labels: &[i32], name: &str) -> Html {
    let k = labels.iter().max().map_or(0, |c| (*c + 1) as usize);
    let groups = number::counted(k, "cluster");
    let mut sheet = Sheet::new(WIDTH, HEIGHT, &format!("{name}: scatter plot of {groups}"));
    sheet.label("title", (4.0, 18.0), (Anchor::Start, 30), name);
    let x = Scale::around(map.across.iter().copied(), (6.0, WIDTH - 6.0));
    let y = Scale::around(map.up.iter().copied(), (HEIGHT - 6.0, 30.0));
    sheet.line("axis", (4.0, HEIGHT - 2.0), (WIDTH - 4.0, HEIGHT - 2.0));
    separation::points(&mut sheet, labels, k, |i| (x.at(map.across[i]), y.at(map.up[i])));
    sheet.finish()
}

//! What each boundary promises and what it reached.

use crate::html::Html;
use crate::number;
use crate::svg::{Anchor, Scale, Sheet, axes::WIDE};
use separa::Bound;

/// Sides that are drawn.
pub const MOST: usize = 24;
const ROW: f64 = 24.0;
const LEFT: f64 = 190.0;

/// A line for each side of each boundary; `name` gives classes their names.
pub fn draw(bounds: &[Bound], name: impl Fn(usize) -> String) -> Option<Html> {
    let side = |b: &Bound, s: usize| {
        let (class, other) = (name(b.class), b.against.map_or("the rest".into(), &name));
        let said = if s == 0 { format!("{class} | {other}") } else { format!("{other} | {class}") };
        (said, b.alpha[s], b.rate[s])
    };
    let sides: Vec<_> = bounds.iter().flat_map(|b| [side(b, 0), side(b, 1)]).take(MOST).collect();
    if sides.is_empty() {
        return None;
    }
    let bottom = 10.0 + ROW * sides.len() as f64;
    let kept = sides.iter().filter(|(_, alpha, rate)| rate >= alpha).count();
    let says = format!(
        "Promised and reached share of {}; {kept} reached what was promised.",
        number::counted(sides.len(), "side")
    );
    let mut sheet = Sheet::new(WIDE, bottom + 30.0, &says);
    let x = Scale::new((0.0, 1.0), (LEFT, WIDE - 16.0));
    for (v, text) in x.ticks(4) {
        sheet.line("grid", (x.at(v), 4.0), (x.at(v), bottom));
        sheet.label("tick", (x.at(v), bottom + 20.0), (Anchor::Middle, 6), &text);
    }
    for (r, (said, alpha, rate)) in sides.iter().enumerate() {
        let y = 10.0 + ROW * (r as f64 + 0.5);
        sheet.label("tick", (LEFT - 8.0, y + 5.0), (Anchor::End, 22), said);
        sheet.line("span", (x.at(*alpha), y), (x.at(*rate), y));
        sheet.line("promise", (x.at(*alpha), y - 7.0), (x.at(*alpha), y + 7.0));
        sheet.dot("reached", (x.at(*rate), y), 5.0);
    }
    Some(sheet.finish())
}

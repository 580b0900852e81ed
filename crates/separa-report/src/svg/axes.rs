//! The frame of a figure: axes with ticks and names.

use super::{Anchor, Scale, Sheet};

/// Width of figures that stand alone.
pub const WIDE: f64 = 480.0;
/// Room for ticks and names, large enough for the larger letters of a phone.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 52.0;
/// Letters of ticks that have room side by side.
pub const ROOM: usize = 48;
/// Letters of ticks that have room beside the axis that goes up.
pub const BESIDE: usize = 7;
/// Letters of an axis's name.
const LETTERS: usize = 44;

/// Where the data of a figure are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Of the whole figure.
    pub width: f64,
    /// Of the whole figure.
    pub height: f64,
}

impl Frame {
    /// From left to right.
    pub fn across(&self) -> (f64, f64) {
        (LEFT, self.width - RIGHT)
    }

    /// From the bottom up.
    pub fn up(&self) -> (f64, f64) {
        (self.height - BOTTOM, TOP)
    }

    /// Lines, ticks and names; an axis without a name has no ticks.
    pub fn draw(&self, sheet: &mut Sheet, x: (&Scale, &str), y: (&Scale, &str)) {
        let ((left, right), (bottom, top)) = (self.across(), self.up());
        if !x.1.is_empty() {
            for (v, text) in x.0.ticks_within(ROOM) {
                let at = x.0.at(v);
                sheet.line("grid", (at, bottom), (at, top));
                sheet.label("tick", (at, bottom + 18.0), (Anchor::Middle, LETTERS), &text);
            }
        }
        if !y.1.is_empty() {
            let ticks = y.0.ticks(5);
            // What does not fit beside the axis stands within the frame.
            let within = ticks.iter().any(|(_, text)| text.len() > BESIDE);
            for (v, text) in ticks {
                let at = y.0.at(v);
                sheet.line("grid", (left, at), (right, at));
                let (place, anchor) = match within {
                    true => ((left + 4.0, at - 4.0), Anchor::Start),
                    false => ((left - 6.0, at + 5.0), Anchor::End),
                };
                sheet.label("tick", place, (anchor, LETTERS), &text);
            }
        }
        sheet.line("axis", (left, bottom), (right, bottom));
        sheet.line("axis", (left, bottom), (left, top));
        let middle = 0.5 * (left + right);
        if !x.1.is_empty() {
            sheet.label("name", (middle, self.height - 10.0), (Anchor::Middle, LETTERS), x.1);
        }
        if !y.1.is_empty() {
            let name = format!("↑ {}", y.1);
            sheet.label("name", (left - 6.0, top - 10.0), (Anchor::Start, LETTERS), &name);
        }
    }
}

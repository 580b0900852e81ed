//! The accuracy that each boundary guarantees, and what it achieves.

use crate::html::{Html, shortened};
use crate::number;
use crate::svg::{Anchor, Scale, Sheet, axes::WIDE};
use separa::Bound;

/// Sides that are drawn.
pub const MOST: usize = 24;
const ROW: f64 = 24.0;
const LEFT: f64 = 232.0;
/// Letters of both names of a side that have room there, the larger ones of a phone, too.
const LETTERS: usize = 12;

/// A line for each side of each boundary, numbered from 1; `name` gives classes their names.
pub fn draw(bounds: &[Bound], name: impl Fn(usize) -> String) -> Option<Html> {
    let side = |b: &Bound, s: usize| {
        let (class, other) = (name(b.class), b.against.map_or("the rest".into(), &name));
        let names = if s == 0 { [class, other] } else { [other, class] };
        (names, b.alpha[s], b.rate[s])
    };
    let sides: Vec<_> = bounds.iter().flat_map(|b| [side(b, 0), side(b, 1)]).take(MOST).collect();
    if sides.is_empty() {
        return None;
    }
    let bottom = 10.0 + ROW * sides.len() as f64;
    let kept = sides.iter().filter(|(_, alpha, rate)| rate >= alpha).count();
    let says = format!(
        "Guaranteed and achieved accuracy of {}; {kept} achieved what was guaranteed.",
        number::counted(sides.len(), "side")
    );
    let mut sheet = Sheet::new(WIDE, bottom + 30.0, &says);
    let x = Scale::new((0.0, 1.0), (LEFT, WIDE - 16.0));
    for (v, text) in x.ticks(4) {
        sheet.line("grid", (x.at(v), 4.0), (x.at(v), bottom));
        sheet.label("tick", (x.at(v), bottom + 20.0), Anchor::Middle, 6, &text);
    }
    for (r, (names, alpha, rate)) in sides.iter().enumerate() {
        let y = 10.0 + ROW * (r as f64 + 0.5);
        let said = format!("{}. {}", r + 1, pair(names));
        sheet.label("tick", (LEFT - 8.0, y + 5.0), Anchor::End, LETTERS + 7, &said);
        sheet.line("span", (x.at(*alpha), y), (x.at(*rate), y));
        sheet.line("promise", (x.at(*alpha), y - 7.0), (x.at(*alpha), y + 7.0));
        sheet.dot("reached", (x.at(*rate), y), 5.0);
    }
    Some(sheet.finish())
}

/// Both names in the room of [`LETTERS`]: what one does not need is the other's.
fn pair([a, b]: &[String; 2]) -> String {
    let [long_a, long_b] = [a, b].map(|name| name.chars().count());
    let room = |other: usize| (LETTERS / 2).max(LETTERS.saturating_sub(other));
    format!("{} | {}", shortened(a, room(long_b)), shortened(b, room(long_a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_long_names_have_numbers_and_both_names() {
        let names = ["very damp grey soil", "damp grey soil", "red soil"];
        let bound = |class, against| Bound {
            class,
            against: Some(against),
            alpha: [0.8; 2],
            rate: [0.9; 2],
            reg: 0.01,
        };
        let bounds = [bound(0, 1), bound(0, 2), bound(1, 2)];
        let drawn = draw(&bounds, |c| names[c].to_owned()).unwrap();
        for said in ["1. ver…il | dam…il", "2. dam…il | ver…il", "3. ver…il | red…il"] {
            assert!(drawn.as_str().contains(&format!(">{said}<")), "{said}: {}", drawn.as_str());
        }
    }

    #[test]
    fn a_short_name_leaves_its_room_to_the_other() {
        let said = |a: &str, b: &str| pair(&[a.to_owned(), b.to_owned()]);
        assert_eq!(said("perch", "pike"), "perch | pike");
        assert_eq!(said("1", "the rest"), "1 | the rest");
        assert_eq!(said("1", "very damp grey soil"), "1 | very … soil");
        for (a, b) in [("1", "very damp grey soil"), ("ab", "x"), ("long enough", "long enough")] {
            assert!(said(a, b).chars().count() <= LETTERS + 3);
        }
    }
}

//! MSP of every pair of clusters.

use crate::html::Html;
use crate::number;
use crate::svg::{Anchor, Sheet, axes::WIDE};
use separa::quality::Pair;

/// Clusters whose cells hold their number.
const WRITTEN: usize = 10;
const LEFT: f64 = 40.0;

/// `k` clusters; pairs that were not compared stay empty.
pub fn draw(pairs: &[Pair], k: usize) -> Html {
    let cell = ((WIDE - LEFT - 8.0) / k as f64).min(56.0);
    let side = cell * k as f64;
    let least = pairs.iter().min_by(|a, b| a.msp.total_cmp(&b.msp));
    let closest = least.map_or(String::new(), |p| {
        format!(" The closest are {} and {} with {}.", p.a, p.b, number::fraction(p.msp))
    });
    let says = format!("Heat map of MSP for {}.{closest}", number::counted(pairs.len(), "pair"));
    let mut sheet = Sheet::new(WIDE, side + 32.0, &says);
    let at = |c: usize| LEFT + cell * c as f64;
    let every = [1, 2, 5, 10, 20, 50].into_iter().find(|step| k <= 13 * step).unwrap_or(100);
    for c in (0..k).step_by(every) {
        let middle = at(c) + 0.5 * cell;
        sheet.label("tick", (middle, side + 22.0), (Anchor::Middle, 4), &c.to_string());
        let y = cell * c as f64 + 0.5 * cell + 5.0;
        sheet.label("tick", (LEFT - 6.0, y), (Anchor::End, 4), &c.to_string());
    }
    let gap = if cell > 12.0 { 1.0 } else { 0.0 };
    for pair in pairs {
        let told = format!("{} and {}: MSP {}", pair.a, pair.b, number::fraction(pair.msp));
        for (r, c) in [(pair.a, pair.b), (pair.b, pair.a)] {
            let (x, y) = (at(c as usize), cell * r as f64);
            let corners = [(x + gap, y + gap), (x + cell - gap, y + cell - gap)];
            sheet.shade(corners, shade(pair.msp), &told);
            if k <= WRITTEN {
                let text = format!("{:.2}", pair.msp);
                let middle = (x + 0.5 * cell, y + 0.5 * cell + 5.0);
                sheet.label("cell", middle, (Anchor::Middle, 5), &text);
            }
        }
    }
    sheet.finish()
}

/// The strength of a pair's colour: faint pairs are still seen, and ink is read on the strongest.
fn shade(msp: f64) -> f64 {
    0.06 + 0.5 * msp.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::palette::{DARK_PAPER, LIGHT_PAPER, tests::contrast};

    /// A property of the figures' style, of light paper (0) or of dark (1).
    fn property(name: &str, paper: usize) -> &'static str {
        let style = include_str!("../assets/figures.css");
        let from = style.split(name).nth(paper + 1).expect("the style has it");
        &from[..7]
    }

    /// A colour over another, as browsers mix them.
    fn over(top: &str, strength: f64, paper: &str) -> String {
        let part = |hex: &str, i: usize| f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap());
        let mixed = |i| strength * part(top, i) + (1.0 - strength) * part(paper, i);
        let [r, g, b] = [1, 3, 5].map(|i| mixed(i).round() as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    #[test]
    fn numbers_in_cells_are_read_at_every_strength() {
        for (i, paper) in [LIGHT_PAPER, DARK_PAPER].into_iter().enumerate() {
            let (ink, colour) = (property("--ink:", i), property("--shade:", i));
            for step in 0..=100 {
                let ground = over(colour, shade(f64::from(step) / 100.0), paper);
                let found = contrast(ink, &ground);
                // AA of WCAG 2.2 for text.
                assert!(found >= 4.5, "{ink} on {ground}: {found:.2}");
            }
        }
    }
}

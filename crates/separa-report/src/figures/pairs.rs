//! MSP of every pair of groups.

use crate::html::Html;
use crate::number;
use crate::svg::{Anchor, Sheet, axes::WIDE};
use separa::quality::Pair;

/// Groups whose cells hold their number.
const WRITTEN: usize = 10;
const LEFT: f64 = 40.0;

/// `k` groups; pairs that were not compared stay empty.
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
                let class = if pair.msp > 0.55 { "cell strong" } else { "cell" };
                let text = format!("{:.2}", pair.msp);
                let middle = (x + 0.5 * cell, y + 0.5 * cell + 5.0);
                sheet.label(class, middle, (Anchor::Middle, 5), &text);
            }
        }
    }
    sheet.finish()
}

/// The strength of a pair's colour: faint pairs are still seen.
fn shade(msp: f64) -> f64 {
    0.08 + 0.92 * msp.clamp(0.0, 1.0)
}

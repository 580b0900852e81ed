//! Held-out agreement and MSP, each with what it must be compared with.

use crate::html::Html;
use crate::number;
use crate::svg::{Anchor, Scale, Sheet, axes::WIDE};
use separa::quality::Quality;

const ROW: f64 = 34.0;
/// Room for the longest name in the larger letters of a phone.
const LEFT: f64 = 212.0;
const RIGHT: f64 = 60.0;

/// Bars of held-out agreement and of agreement by chance, if they are known; of MSP, held-out MSP and null MSP.
pub fn draw(q: &Quality) -> Html {
    let mut rows = vec![
        ("held-out agreement", q.agreement, "bar good"),
        ("agreement by chance", q.agreement_chance, "bar dull"),
        ("MSP", Some(q.msp), "bar good"),
        ("held-out MSP", q.msp_held_out, "bar good"),
        ("null MSP", q.msp_null, "bar dull"),
    ];
    if q.agreement.is_none() {
        rows.drain(..2);
    }
    let height = ROW * rows.len() as f64 + 34.0;
    let told = |(name, value, _): &(&str, Option<f64>, _)| {
        format!("{name} {}", value.map_or("unknown".into(), number::fraction))
    };
    let says: Vec<String> = rows.iter().map(told).collect();
    let mut sheet = Sheet::new(WIDE, height, &format!("Bars: {}.", says.join(", ")));
    let x = Scale::new((0.0, 1.0), (LEFT, WIDE - RIGHT));
    let bottom = ROW * rows.len() as f64 + 4.0;
    for (v, text) in x.ticks(4) {
        sheet.line("grid", (x.at(v), 4.0), (x.at(v), bottom));
        sheet.label("tick", (x.at(v), bottom + 20.0), Anchor::Middle, 6, &text);
    }
    for (r, (name, value, class)) in rows.into_iter().enumerate() {
        let top = 8.0 + ROW * r as f64;
        sheet.label("name", (LEFT - 8.0, top + 18.0), Anchor::End, 24, name);
        let text = match value {
            Some(v) => {
                sheet.rect(class, (x.at(0.0), top + 2.0), (x.at(v), top + ROW - 10.0));
                number::fraction(v)
            }
            None => "unknown".into(),
        };
        let at = x.at(value.unwrap_or(0.0)) + 6.0;
        sheet.label("value", (at, top + 18.0), Anchor::Start, 8, &text);
    }
    sheet.finish()
}

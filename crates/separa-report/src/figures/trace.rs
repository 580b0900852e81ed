//! The objective, iteration by iteration.

use crate::html::Html;
use crate::number;
use crate::svg::{Frame, Path, Scale, Sheet, axes::WIDE};

const HEIGHT: f64 = 220.0;
/// Iterations that are drawn at most.
const MOST: usize = 500;

/// None where there is no course to see.
pub fn draw(trace: &[f64]) -> Option<Html> {
    let known: Vec<(usize, f64)> =
        trace.iter().copied().enumerate().filter(|(_, v)| v.is_finite()).collect();
    if known.len() < 2 {
        return None;
    }
    let step = known.len().div_ceil(MOST);
    let frame = Frame { width: WIDE, height: HEIGHT };
    let x = Scale::new((1.0, trace.len() as f64), frame.across());
    let y = Scale::around(known.iter().map(|(_, v)| *v), frame.up());
    let (first, last) = (known[0].1, known[known.len() - 1].1);
    let says = format!(
        "Line of the objective over {}, from {} to {}.",
        number::counted(trace.len(), "iteration"),
        number::objective(first),
        number::objective(last)
    );
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says);
    frame.draw(&mut sheet, (&x, "iteration"), (&y, "objective"));
    let mut path = Path::default();
    for (r, (i, v)) in known.iter().enumerate() {
        if r % step != 0 && r + 1 != known.len() {
            continue;
        }
        let at = (x.at(*i as f64 + 1.0), y.at(*v));
        if path.is_empty() {
            path.to(at)
        } else {
            path.line(at)
        };
    }
    sheet.path("course", &path);
    if known.len() <= 40 {
        known.iter().for_each(|(i, v)| sheet.dot("stop", (x.at(*i as f64 + 1.0), y.at(*v)), 3.0));
    }
    Some(sheet.finish())
}

//! How a number of groups was found: pieces joined and cut, step by step.

use crate::html::Html;
use crate::number;
use crate::svg::{Frame, Path, Scale, Sheet, axes::WIDE};
use separa::{Counted, Step};

const HEIGHT: f64 = 240.0;

/// None where nothing was joined or cut.
pub fn draw(found: &Counted) -> Option<Html> {
    let path = &found.path;
    let first = path.first()?;
    // Before the first step there was one piece more, or one less.
    let begin = if first.step == Step::Merge { first.k + 1 } else { first.k.saturating_sub(1) };
    let most = path.iter().map(|d| d.k).max().unwrap_or(1).max(begin);
    let cuts = path.iter().filter(|d| d.step == Step::Split).count();
    let says = format!(
        "Steps from {} to {}: {} joined, {} cut.",
        number::counted(begin, "piece"),
        found.k,
        number::count(path.len() - cuts),
        number::count(cuts)
    );
    let frame = Frame { width: WIDE, height: HEIGHT };
    let x = Scale::new((0.0, path.len() as f64), frame.across());
    let y = Scale::new((0.0, most as f64 + 1.0), frame.up());
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says);
    frame.draw(&mut sheet, (&x, "step"), (&y, "pieces"));
    let at = |step: usize, k: usize| (x.at(step as f64), y.at(k as f64));
    let mut line = Path::default();
    line.to(at(0, begin));
    path.iter().enumerate().for_each(|(i, d)| {
        line.line(at(i + 1, d.k));
    });
    sheet.path("course", &line);
    for (i, d) in path.iter().enumerate() {
        let class = if d.step == Step::Merge { "stop" } else { "cut" };
        sheet.dot(class, at(i + 1, d.k), 4.0);
    }
    Some(sheet.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa::Decision;

    #[test]
    fn every_step_has_its_dot() {
        let step = |step, k| Decision { step, sizes: [3, 4], p: 0.2, k };
        let path = vec![step(Step::Merge, 2), step(Step::Merge, 1), step(Step::Split, 2)];
        let found =
            Counted { k: 2, k_by_seed: vec![2], spread: 0, p: 0.01, rows: 7, lattice: 0, path };
        let drawn = draw(&found).unwrap();
        assert_eq!(drawn.as_str().matches("<circle").count(), 3);
        assert!(drawn.as_str().contains("Steps from 3 pieces to 2: 2 joined, 1 cut."));
        assert!(draw(&Counted { path: Vec::new(), ..found }).is_none());
    }
}

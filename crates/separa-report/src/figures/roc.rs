//! ROC curves: true against false positive rates over all thresholds.

use crate::html::Html;
use crate::number;
use crate::svg::{Frame, Path, Scale, Sheet, axes::WIDE};

const HEIGHT: f64 = 360.0;
/// Corners that are drawn at most.
const MOST: usize = 400;

/// One curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Roc {
    /// False and true positive rates from (0, 0) to (1, 1).
    pub points: Vec<(f64, f64)>,
    /// The area under it.
    pub area: f64,
}

impl Roc {
    /// Of scores and whether each belongs to the class; none without rows of both kinds.
    pub fn of(scores: &[f64], member: impl Fn(usize) -> bool) -> Option<Self> {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let all = order.iter().filter(|i| member(**i)).count() as f64;
        let none = scores.len() as f64 - all;
        let (mut hits, mut alarms, mut area) = (0.0, 0.0, 0.0);
        let mut points = vec![(0.0, 0.0)];
        for (r, &i) in order.iter().enumerate() {
            if member(i) {
                hits += 1.0
            } else {
                alarms += 1.0
            }
            // Rows of one score change sides together.
            if order.get(r + 1).is_none_or(|next| scores[*next] != scores[i]) {
                let (x, y): (f64, f64) = points[points.len() - 1];
                let corner = (alarms / none, hits / all);
                area += (corner.0 - x) * 0.5 * (corner.1 + y);
                points.push(corner);
            }
        }
        (all > 0.0 && none > 0.0).then_some(Self { points, area })
    }
}

/// Curves with the number of their class.
pub fn draw(curves: &[(usize, Roc)]) -> Option<Html> {
    if curves.is_empty() {
        return None;
    }
    let areas: Vec<String> = curves.iter().map(|(_, c)| number::fraction(c.area)).collect();
    let says = format!("ROC curves of the training rows; areas {}.", areas.join(", "));
    let frame = Frame { width: WIDE, height: HEIGHT };
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says);
    let x = Scale::new((0.0, 1.0), frame.across());
    let y = Scale::new((0.0, 1.0), frame.up());
    frame.draw(&mut sheet, (&x, "false positive rate"), (&y, "true positive rate"));
    sheet.line("boundary", (x.at(0.0), y.at(0.0)), (x.at(1.0), y.at(1.0)));
    for (c, curve) in curves {
        let step = curve.points.len().div_ceil(MOST);
        let mut path = Path::default();
        for (i, (a, b)) in curve.points.iter().enumerate() {
            if i % step == 0 || i + 1 == curve.points.len() {
                let at = (x.at(*a), y.at(*b));
                if path.is_empty() {
                    path.to(at)
                } else {
                    path.line(at)
                };
            }
        }
        sheet.coloured(*c, |sheet| sheet.path("curve", &path));
    }
    Some(sheet.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn perfect_and_useless_scores_have_the_known_areas() {
        assert_eq!(Roc::of(&[1.0, 2.0, 3.0, 4.0], |i| i > 1).unwrap().area, 1.0);
        assert_eq!(Roc::of(&[1.0, 2.0, 3.0, 4.0], |i| i < 2).unwrap().area, 0.0);
        assert_eq!(Roc::of(&[7.0; 6], |i| i % 2 == 0).unwrap().area, 0.5);
        assert!(Roc::of(&[1.0, 2.0], |_| true).is_none());
    }

    proptest! {
        /// Mann and Whitney: the fraction of pairs in order, ties half.
        #[test]
        fn the_area_is_the_share_of_pairs_in_order(rows in prop::collection::vec((0i8..6, any::<bool>()), 2..40)) {
            let scores: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let roc = Roc::of(&scores, |i| rows[i].1);
            let (mut good, mut pairs) = (0.0, 0.0);
            for a in rows.iter().filter(|r| r.1) {
                for b in rows.iter().filter(|r| !r.1) {
                    pairs += 1.0;
                    good += if a.0 > b.0 { 1.0 } else if a.0 == b.0 { 0.5 } else { 0.0 };
                }
            }
            match roc {
                Some(roc) => prop_assert!((roc.area - good / pairs).abs() < 1e-12),
                None => prop_assert!(pairs == 0.0),
            }
        }
    }
}

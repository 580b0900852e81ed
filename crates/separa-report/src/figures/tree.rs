//! How a number of clusters was found: micro-clusters merged and split, step by step, from left to right.

use crate::html::Html;
use crate::number;
use crate::svg::{Anchor, Frame, Path, Scale, Sheet, axes::WIDE};
use separa::{Counted, Decision, Step};
use std::collections::BTreeMap;

/// Room for a micro-cluster: as much as there is, within these.
const LANE: [f64; 2] = [6.0, 20.0];
const HEIGHT: f64 = 420.0;
/// Above and below the lanes.
const AROUND: f64 = 90.0;

/// A micro-cluster: where it stands between the first lane and the last, and the step that made it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Lane {
    lanes: [f64; 2],
    since: usize,
}

impl Lane {
    fn middle(self) -> f64 {
        0.5 * (self.lanes[0] + self.lanes[1])
    }
}

/// None if nothing was merged or split.
pub fn draw(found: &Counted) -> Option<Html> {
    let path = &found.history;
    let begin = at_first(path)?;
    let splits = path.iter().filter(|d| d.step == Step::Split).count();
    let says = format!(
        "Tree of {} steps from {} to {}: {} merged, {} split.",
        path.len(),
        number::counted(begin, "micro-cluster"),
        found.k,
        number::count(path.len() - splits),
        number::count(splits)
    );
    let height = AROUND + (HEIGHT / begin as f64).clamp(LANE[0], LANE[1]) * begin as f64;
    let frame = Frame { width: WIDE, height };
    let end = path.len() + 1;
    let x = Scale::new((0.0, end as f64), frame.across());
    let y = Scale::new((-0.5, begin as f64 - 0.5), frame.up());
    let mut sheet = Sheet::new(WIDE, height, &says);
    sheet.label("name", (0.5 * WIDE, height - 10.0), Anchor::Middle, 44, "step →");
    for (v, text) in x.ticks(5) {
        sheet.label("tick", (x.at(v), frame.up().0 + 18.0), Anchor::Middle, 12, &text);
    }
    let at = |step: usize, lane: f64| (x.at(step as f64), y.at(lane));
    let mut alive = first_lanes(path, begin);
    let mut lines = Path::default();
    let mut stops = Vec::new();
    for (i, d) in path.iter().enumerate() {
        let step = i + 1;
        let (gone, made) = taken(d, step, &mut alive);
        for line in &gone {
            lines.to(at(line.since, line.middle())).line(at(step, line.middle()));
        }
        let ends: Vec<f64> = made.iter().chain(gone.iter()).map(|line| line.middle()).collect();
        let (low, high) =
            ends.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        lines.to(at(step, low)).line(at(step, high));
        let whole = if d.step == Step::Merge { made[0] } else { gone[0] };
        stops.push((d, step, at(step, whole.middle())));
    }
    for line in alive.values() {
        lines.to(at(line.since, line.middle())).line(at(end, line.middle()));
    }
    sheet.path("course", &lines);
    for (d, step, at) in stops {
        let [a, b] = d.sizes.map(number::count);
        let (class, done) =
            if d.step == Step::Merge { ("stop", "merged") } else { ("cut", "split") };
        let p = number::p_value(d.p);
        sheet.dot_saying(class, (at, 4.0), &format!("step {step}: {a} + {b} rows {done}, p {p}"));
    }
    Some(sheet.finish())
}

/// Before the first step there was one micro-cluster more, or one less.
fn at_first(path: &[Decision]) -> Option<usize> {
    let first = path.first()?;
    Some(if first.step == Step::Merge { first.k + 1 } else { first.k.saturating_sub(1).max(1) })
}

/// The micro-clusters of the beginning, those side by side that are merged before anything is split.
fn first_lanes(path: &[Decision], begin: usize) -> BTreeMap<usize, Lane> {
    let mut groups: BTreeMap<usize, Vec<usize>> = (0..begin).map(|i| (i, vec![i])).collect();
    for d in path.iter().take_while(|d| d.step == Step::Merge) {
        let both = d.children.iter().flat_map(|i| groups.remove(i).unwrap_or_default()).collect();
        groups.insert(d.parent, both);
    }
    let order = groups.into_values().flatten().enumerate();
    order.map(|(lane, i)| (i, Lane { lanes: [lane as f64; 2], since: 0 })).collect()
}

/// One step: the lines that end with it, and those that begin.
fn taken(d: &Decision, step: usize, alive: &mut BTreeMap<usize, Lane>) -> (Vec<Lane>, Vec<Lane>) {
    let lost = Lane { lanes: [0.0; 2], since: step };
    let mut take = |i: usize| alive.remove(&i).unwrap_or(lost);
    match d.step {
        Step::Merge => {
            let gone = d.children.map(&mut take);
            let low = gone[0].lanes[0].min(gone[1].lanes[0]);
            let high = gone[0].lanes[1].max(gone[1].lanes[1]);
            let whole = Lane { lanes: [low, high], since: step };
            alive.insert(d.parent, whole);
            (gone.to_vec(), vec![whole])
        }
        Step::Split => {
            let gone = take(d.parent);
            // A single lane is as wide as a lane.
            let [low, high] = [gone.lanes[0] - 0.4, gone.lanes[1] + 0.4];
            let share = d.sizes[0] as f64 / d.sizes.iter().sum::<usize>().max(1) as f64;
            let cut = low + share * (high - low);
            let made = [[low, cut], [cut, high]].map(|lanes| Lane { lanes, since: step });
            alive.extend(d.children.into_iter().zip(made));
            (vec![gone], made.to_vec())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: Vec<Decision>) -> Counted {
        Counted {
            k: 2,
            k_per_run: vec![2],
            spread: 0,
            k_max: 24,
            p: 0.01,
            sample_size: 7,
            history: path,
            ..Counted::default()
        }
    }

    /// Of four micro-clusters 0 and 3 are merged to 4, 4 and 1 to 5, and 5 is split into 6 and 7.
    fn steps() -> Vec<Decision> {
        let step = |step, children, whole, k| Decision {
            step,
            children,
            parent: whole,
            sizes: [3, 1],
            p: 0.2,
            k,
        };
        vec![
            step(Step::Merge, [0, 3], 4, 3),
            step(Step::Merge, [4, 1], 5, 2),
            step(Step::Split, [6, 7], 5, 3),
        ]
    }

    #[test]
    fn every_step_has_its_dot_and_says_what_was_done() {
        let drawn = draw(&found(steps())).unwrap();
        assert_eq!(drawn.as_str().matches("<circle").count(), 3);
        assert!(
            drawn
                .as_str()
                .contains("Tree of 3 steps from 4 micro-clusters to 2: 2 merged, 1 split.")
        );
        assert!(drawn.as_str().contains("<title>step 3: 3 + 1 rows split, p 0.200</title>"));
        assert!(draw(&found(Vec::new())).is_none());
    }

    #[test]
    fn micro_clusters_that_are_merged_stand_side_by_side() {
        let lanes = first_lanes(&steps(), 4);
        let lane = |i: usize| lanes[&i].middle();
        assert_eq!([lane(2), lane(0), lane(3), lane(1)], [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn parts_lie_within_what_was_split_and_share_it_by_their_rows() {
        let mut alive = first_lanes(&steps(), 4);
        steps().iter().enumerate().for_each(|(i, d)| {
            taken(d, i + 1, &mut alive);
        });
        let numbers: Vec<usize> = alive.keys().copied().collect();
        assert_eq!(numbers, [2, 6, 7]);
        let ([low, cut], [from, high]) = (alive[&6].lanes, alive[&7].lanes);
        assert_eq!((low, high, from), (0.6, 3.4, cut));
        assert!((cut - 2.7).abs() < 1e-12);
    }
}

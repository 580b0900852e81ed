//! Rows along what separates them: the boundary, the strip around it, the clusters.

use super::regions;
use crate::html::Html;
use crate::number;
use crate::svg::path::Mark;
use crate::svg::{Anchor, Frame, Path, Scale, Sheet, axes::WIDE};
use separa::view::{Axis, AxisKind, View};

/// The height of the figure.
pub const HEIGHT: f64 = 400.0;
/// The fraction of each cluster on the boundary's side of the strip's edge.
pub const STRIP: f64 = 0.05;
/// Clusters whose numbers are written at their middle.
pub const NUMBERED: usize = 60;

/// The rows of a view along its first two axes.
pub fn draw(view: &View, k: usize, column: &dyn Fn(usize) -> String) -> Html {
    let frame = Frame { width: WIDE, height: HEIGHT };
    let (x, y) = (&view.axes[0], &view.axes[1]);
    let sx = Scale::around(x.values.iter().copied(), frame.across());
    let sy = Scale::around(y.values.iter().copied(), frame.up());
    let (across, up) = (name(x.kind, column), name(y.kind, column));
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says(view, k, &across, &up));
    let (bottom, top) = frame.up();
    sheet.part("regions", |sheet| {
        if let Some(regions) = &view.regions {
            regions::ground(sheet, regions, (&sx, &sy));
        }
    });
    sheet.part("strip", |sheet| {
        if let (AxisKind::Decision, Some([low, high])) = (x.kind, strip(view)) {
            sheet.rect("strip", (sx.at(low), bottom), (sx.at(high), top));
        }
    });
    let tick_names =
        |name: &str, kind| if kind == AxisKind::Nothing { String::new() } else { name.to_owned() };
    sheet.part("frame", |sheet| {
        frame.draw(sheet, (&sx, &tick_names(&across, x.kind)), (&sy, &tick_names(&up, y.kind)));
    });
    sheet.part("boundary", |sheet| {
        if x.kind == AxisKind::Decision && sx.holds(0.0) {
            sheet.line("boundary", (sx.at(0.0), bottom), (sx.at(0.0), top));
        }
    });
    let place = |i: usize| (sx.at(x.values[i]), sy.at(y.values[i]));
    sheet.part("points", |sheet| points(sheet, &view.labels, k, place));
    sheet.part("middles", |sheet| {
        if k > 2 && k <= NUMBERED {
            middles(sheet, view, k, (&sx, &sy));
        }
    });
    sheet.finish()
}

/// Every cluster in one path; outliers as crosses, below all.
pub fn points(sheet: &mut Sheet, labels: &[i32], k: usize, place: impl Fn(usize) -> (f64, f64)) {
    let mut aside = Path::default();
    (0..labels.len()).filter(|i| labels[*i] < 0).for_each(|i| {
        aside.cross(place(i));
    });
    if !aside.is_empty() {
        sheet.path("aside", &aside);
    }
    // Large clusters first, so that small ones are not hidden.
    let size = |c: usize| labels.iter().filter(|l| **l == c as i32).count();
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by_key(|c| std::cmp::Reverse(size(*c)));
    for c in order {
        let mut path = Path::default();
        let members = (0..labels.len()).filter(|i| labels[*i] == c as i32);
        members.for_each(|i| {
            path.mark(place(i), Mark::of(c));
        });
        sheet.coloured(c, |sheet| sheet.path(Mark::of(c).class(), &path));
    }
}

/// The number of each cluster at its middle row in both directions.
fn middles(sheet: &mut Sheet, view: &View, k: usize, (sx, sy): (&Scale, &Scale)) {
    let median = |axis: &Axis, c: usize| {
        let members = (0..view.rows.len()).filter(|i| view.labels[*i] == c as i32);
        let mut values: Vec<f64> = members.map(|i| axis.values[i]).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    for c in 0..k {
        if let (Some(x), Some(y)) = (median(&view.axes[0], c), median(&view.axes[1], c)) {
            let at = (sx.at(x), sy.at(y) + 5.0);
            sheet.label("middle", at, (Anchor::Middle, 4), &c.to_string());
        }
    }
}

/// The two decision values between which only one in twenty of each cluster lies.
pub fn strip(view: &View) -> Option<[f64; 2]> {
    let edge = |side: i32| {
        let of = |i: &usize| view.decided.labels[*i] == side;
        let members = (0..view.decided.rows.len()).filter(of);
        let mut values: Vec<f64> = members.map(|i| view.decided.values[i].abs()).collect();
        values.sort_by(f64::total_cmp);
        values.get((values.len() as f64 * STRIP) as usize).copied()
    };
    Some([-edge(0)?, edge(1)?])
}

/// What an axis is called.
pub fn name(kind: AxisKind, column: &dyn Fn(usize) -> String) -> String {
    match kind {
        AxisKind::Decision => "decision value (boundary at 0)".into(),
        AxisKind::Discriminant(1) => "direction that separates best".into(),
        AxisKind::Discriminant(_) => "second best direction".into(),
        AxisKind::Orthogonal => "main direction orthogonal to it".into(),
        AxisKind::Principal(1) => "main direction".into(),
        AxisKind::Principal(_) => "second main direction".into(),
        AxisKind::Nothing => "spread for the eye, no meaning".into(),
        AxisKind::Column(j) => column(j),
    }
}

fn says(view: &View, k: usize, across: &str, up: &str) -> String {
    format!(
        "Scatter plot of {} in {}. Across: {across}. Up: {up}. The tables below say the same in numbers.",
        number::counted(view.rows.len(), "point"),
        number::counted(k, "cluster")
    )
}

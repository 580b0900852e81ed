//! What is looked at for a picture: fair samples, no more work than is needed, the plane of two columns.

use separa::registry::{find_classifier, solve as fit};
use separa::view::{self, RegionPlot, Regions, View, ViewOptions};
use separa::{AnyFit, Ctx, Dataset, DenseRef, Named, Target};
use separa_testkit::clouds::Source;
use serde_json::json;
use std::ops::Range;

fn data(rows: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(rows.len() / d, d, rows).unwrap().into()).unwrap()
}

fn fitted(method: &str, data: &Dataset<'_>, k: usize) -> AnyFit {
    let given = Named::from_iter([("n_clusters".to_owned(), json!(k))]);
    fit(method, &given, data, &mut Ctx::new(0)).unwrap()
}

/// Two columns, every other row of the cloud on the right.
fn taking_turns(n: usize) -> Vec<f64> {
    let row = |i: usize| [(i % 2) as f64 * 9.0 + (i % 7) as f64 * 0.1, (i % 11) as f64 * 0.1];
    (0..n).flat_map(row).collect()
}

const OPTIONS: ViewOptions<'static> =
    ViewOptions { seed: 0, features: true, flat: true, columns: None };

/// Whether every point has the label of its cell.
fn lies_in_its_region(regions: &Regions, point: (f64, f64), label: i32) -> bool {
    let side = Regions::SIDE;
    let at = |v: f64, low: f64, high: f64| ((v - low) / (high - low) * side as f64) as usize;
    let Regions { low, high, cells } = regions;
    cells[at(point.1, low.1, high.1) * side + at(point.0, low.0, high.0)] == label
}

#[test]
fn classes_that_take_turns_are_all_drawn_and_lie_in_their_regions() {
    let rows = taking_turns(4_002);
    let data = data(&rows, 2);
    let found = fitted("kmeans", &data, 2);
    let plane = RegionPlot::of(&data, &found.labels, found.model.as_ref(), 1).unwrap().unwrap();
    assert_eq!((plane.n, plane.points.len()), (4_002, plane.rows.len()));
    for c in 0..2 {
        let drawn = plane.labels.iter().filter(|l| **l == c).count();
        assert!((950..=1050).contains(&drawn), "{drawn} of class {c}");
    }
    let mut both = plane.points.iter().zip(&plane.labels);
    assert!(both.all(|(p, label)| lies_in_its_region(&plane.regions, *p, *label)));
}

#[test]
fn two_columns_with_a_curved_rule_have_regions_and_stand_first() {
    let rows = taking_turns(200);
    let data = data(&rows, 2);
    let found = fitted("spectral", &data, 2);
    // The columns that are shown may be fewer, and in another order.
    let options = ViewOptions { flat: false, columns: Some(&[1]), ..OPTIONS };
    let view = View::of(&data, &found.labels, found.model.as_ref(), &options).unwrap();
    let kinds: Vec<String> = view.axes[..2].iter().map(|a| format!("{:?}", a.kind)).collect();
    assert_eq!(kinds, ["Column(0)", "Column(1)"]);
    let regions = view.regions.expect("a plane");
    for i in 0..view.rows.len() {
        let point = (view.axes[0].values[i], view.axes[1].values[i]);
        assert!(lies_in_its_region(&regions, point, view.labels[i]));
    }
    let flat = View::of(&data, &found.labels, found.model.as_ref(), &OPTIONS).unwrap();
    assert!(flat.regions.is_none());
}

#[test]
fn many_groups_have_a_typical_row_each() {
    let mut source = Source::new(3);
    let k = 30;
    let rows: Vec<f64> = (0..k * 9)
        .flat_map(|i| [50.0 * (i % k) as f64 + source.normal(), source.normal()])
        .collect();
    let data = data(&rows, 2);
    let found = fitted("kmeans", &data, k);
    let view = View::of(&data, &found.labels, found.model.as_ref(), &OPTIONS).unwrap();
    let mut groups: Vec<i32> = view.typical.iter().map(|line| line.label).collect();
    groups.sort_unstable();
    assert_eq!(groups, (0..k as i32).collect::<Vec<_>>());
}

#[test]
fn of_many_bags_a_sample_is_decided_as_the_whole_would_be() {
    let mut source = Source::new(5);
    let count = 620;
    let rows: Vec<f64> = (0..2 * count)
        .flat_map(|r| [9.0 * (r / 2 % 2) as f64 + source.normal(), source.normal()])
        .collect();
    let bags: Vec<Range<usize>> = (0..count).map(|b| 2 * b..2 * b + 2).collect();
    let data = data(&rows, 2).with_bags(&bags).unwrap();
    let found = fitted("msc", &data, 2);
    let seen = view::decided(&data, &found.labels, found.model.as_ref(), 0).unwrap();
    assert!((490..=510).contains(&seen.rows.len()), "{}", seen.rows.len());
    let all = found.model.decision_on(&data).unwrap();
    for (row, value) in seen.rows.iter().zip(&seen.values) {
        assert!((all[(*row, 0)] - value).abs() <= 1e-9 * value.abs().max(1.0));
    }
    let view = View::of(&data, &found.labels, found.model.as_ref(), &OPTIONS).unwrap();
    assert_eq!(view.decided.rows, view.rows);
}

#[test]
fn leading_scores_are_the_first_columns_of_all() {
    let mut source = Source::new(7);
    let k = 12;
    let rows: Vec<f64> = (0..k * 20)
        .flat_map(|i| [10.0 * (i % k) as f64 + source.normal(), source.normal(), source.normal()])
        .collect();
    let data = data(&rows, 3);
    let names = (0..k).map(|c| format!("class {c}")).collect();
    let target = Target::new((0..(k * 20) as u32).map(|i| i % k as u32).collect(), names).unwrap();
    let entry = find_classifier("mpm").unwrap();
    let found = entry.solve(&Named::new(), &data, &target, &mut Ctx::new(0)).unwrap();
    let all = found.model.decision_on(&data).unwrap();
    let few = view::leading_scores(&data, found.model.as_ref(), 8).unwrap();
    assert_eq!((few.rows(), few.cols()), (k * 20, 8));
    for i in 0..few.rows() {
        assert_eq!(few.row(i), &all.row(i)[..8]);
    }
}

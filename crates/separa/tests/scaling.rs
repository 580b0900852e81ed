//! Column scaling: one parameter for every method, free of units unless it is none.

use crate::common;

use common::params;
use separa::registry::{CLASSIFIERS, METHODS, MethodEntry};
use separa::{AnyFit, CsrRef, Ctx, Dataset, DenseRef, MatrixRef, Target};
use separa_testkit::clouds::{Source, blobs, sparse_rows};
use serde_json::{Value, json};

/// A table with a name, its width and its number of clusters.
struct Sample {
    name: &'static str,
    d: usize,
    k: usize,
    x: Vec<f64>,
}

fn view(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn wine() -> Sample {
    let text = include_str!("../../../examples/data/wine.csv");
    let fields = text.lines().skip(1).flat_map(|line| line.rsplit_once(',').unwrap().0.split(','));
    Sample { name: "wine", d: 13, k: 3, x: fields.map(|v| v.parse().unwrap()).collect() }
}

/// Counts, two-valued columns and normal ones in two groups.
fn mixed() -> Sample {
    let mut source = Source::new(4);
    let mut x = Vec::new();
    for i in 0..120 {
        let side = f64::from(i % 2);
        x.push(8.0 * side + source.normal());
        x.push((3.0 + 9.0 * side + 2.0 * source.uniform()).floor());
        x.push(f64::from(source.uniform() < 0.1 + 0.8 * side));
        x.push(100.0 + 5.0 * side + source.normal());
        x.push(f64::from(i % 40 == 0));
    }
    Sample { name: "mixed", d: 5, k: 2, x }
}

fn samples() -> Vec<Sample> {
    let cloud = |name, n, d, k, gap, seed| Sample { name, d, k, x: blobs(n, d, k, gap, seed).x };
    let mut far = cloud("far from 0", 120, 3, 2, 7.0, 5);
    far.x.iter_mut().for_each(|v| *v += 1000.0);
    vec![
        wine(),
        mixed(),
        far,
        cloud("three blobs", 150, 4, 3, 7.0, 2),
        cloud("five blobs", 200, 6, 5, 9.0, 3),
    ]
}

/// Every column times 10^U(−6, 6).
fn rescaled(sample: &Sample, seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    let by: Vec<f64> = (0..sample.d).map(|_| 10f64.powf(12.0 * source.uniform() - 6.0)).collect();
    sample.x.chunks_exact(sample.d).flat_map(|r| r.iter().zip(&by).map(|(v, b)| v * b)).collect()
}

fn fit(entry: &MethodEntry, x: MatrixRef<'_>, given: &[(&str, Value)]) -> AnyFit {
    entry.solve(&params(given), &Dataset::new(x).unwrap(), &mut Ctx::new(0)).unwrap()
}

fn said(entry: &MethodEntry, given: &[(&str, Value)]) -> String {
    let x: Vec<f64> = (0..40).map(f64::from).collect();
    let data = Dataset::new(view(&x, 2)).unwrap();
    entry.solve(&params(given), &data, &mut Ctx::new(0)).unwrap_err().to_string()
}

#[test]
fn no_label_of_any_method_depends_on_units() {
    for entry in METHODS {
        for sample in samples() {
            let k = ("n_clusters", json!(sample.k));
            let plain = fit(entry, view(&sample.x, sample.d), std::slice::from_ref(&k)).labels;
            for seed in 0..3 {
                let other = rescaled(&sample, seed);
                let labels = fit(entry, view(&other, sample.d), std::slice::from_ref(&k)).labels;
                let changed = labels.iter().zip(&plain).filter(|(a, b)| a != b).count();
                assert_eq!(changed, 0, "{} on {}, {seed}", entry.name, sample.name);
            }
        }
    }
}

#[test]
fn no_label_of_any_classifier_depends_on_units() {
    let cloud = blobs(150, 4, 3, 3.0, 7);
    let sample = Sample { name: "blobs", d: 4, k: 3, x: cloud.x.clone() };
    let classes = cloud.labels.iter().map(|&l| l as u32).collect();
    let target = Target::new(classes, ["a", "b", "c"].map(String::from).to_vec()).unwrap();
    for entry in CLASSIFIERS {
        let labels = |x: &[f64]| {
            let data = Dataset::new(view(x, 4)).unwrap();
            entry.solve(&params(&[]), &data, &target, &mut Ctx::new(0)).unwrap().labels
        };
        let plain = labels(&sample.x);
        for seed in 0..3 {
            assert_eq!(labels(&rescaled(&sample, seed)), plain, "{}", entry.name);
        }
    }
}

#[test]
fn the_old_word_names_the_new_one_and_a_wrong_word_names_the_right_ones() {
    for entry in METHODS {
        let old = said(entry, &[("units", json!("shared"))]);
        assert!(old.contains("`units`") && old.contains("`scaling`"), "{old}");
        let wrong = said(entry, &[("scaling", json!("standrad"))]);
        let words = "one of auto, standard, contraharmonic, none";
        assert!(wrong.contains(words) && wrong.contains("did you mean \"standard\""), "{wrong}");
    }
}

#[test]
fn auto_says_what_it_chose_and_the_others_need_not() {
    let sample = wine();
    for entry in METHODS {
        let notes = |scaling: &str| {
            let given = [("n_clusters", json!(3)), ("scaling", json!(scaling))];
            let report = fit(entry, view(&sample.x, 13), &given).report;
            let chosen = |note: &&separa::Note| note.code == "scaling-chosen";
            report.notes.iter().filter(chosen).map(ToString::to_string).collect::<Vec<_>>()
        };
        let auto = notes("auto");
        assert!(matches!(&auto[..], [one] if one.contains("scaling auto chose")), "{auto:?}");
        for scaling in ["standard", "contraharmonic", "none"] {
            assert!(notes(scaling).is_empty(), "{} {scaling}", entry.name);
        }
    }
}

#[test]
fn another_seed_and_another_order_of_rows_choose_the_same_scaling() {
    let sample = wine();
    let n = sample.x.len() / 13;
    let entry = METHODS.iter().find(|e| e.name == "kmeans").unwrap();
    let chosen = |x: &[f64], seed: u64| {
        let data = Dataset::new(view(x, 13)).unwrap();
        let given = params(&[("n_clusters", json!(3))]);
        let report = entry.solve(&given, &data, &mut Ctx::new(seed)).unwrap().report;
        let note = report.notes.iter().find(|note| note.code == "scaling-chosen").unwrap();
        note.text.split(':').next().unwrap().to_owned()
    };
    let first = chosen(&sample.x, 0);
    for seed in 1..6 {
        assert_eq!(chosen(&sample.x, seed), first, "seed {seed}");
        let turned: Vec<f64> = (0..n)
            .map(|i| (i * 5 + seed as usize * 31) % n)
            .flat_map(|i| sample.x[13 * i..13 * (i + 1)].to_vec())
            .collect();
        assert_eq!(chosen(&turned, 0), first, "order {seed}");
    }
}

/// Clusters that overlap have initializations that compete: halves and samples must not follow the order of the table.
#[test]
fn rows_in_another_order_get_the_same_labels() {
    let near = Sample { name: "near", d: 6, k: 2, x: blobs(300, 6, 2, 2.5, 8).x };
    for sample in [wine(), mixed(), near] {
        let n = sample.x.len() / sample.d;
        let mut order: Vec<usize> = (0..n).collect();
        let mut source = Source::new(9);
        (1..n).for_each(|i| order.swap(i, source.below(i + 1)));
        let row = |i: &usize| &sample.x[i * sample.d..(i + 1) * sample.d];
        let shuffled: Vec<f64> = order.iter().flat_map(row).copied().collect();
        for name in ["mspc", "armc"] {
            let entry = METHODS.iter().find(|entry| entry.name == name).unwrap();
            let given = [("n_clusters", json!(sample.k))];
            let one = fit(entry, view(&sample.x, sample.d), &given).labels;
            let other = fit(entry, view(&shuffled, sample.d), &given).labels;
            let same: Vec<i32> = order.iter().map(|&i| one[i]).collect();
            let error = common::error(&other, &same);
            assert!(error <= 0.01, "{name} on {}: {error}", sample.name);
        }
    }
}

#[test]
fn sparse_rows_get_the_labels_of_dense_ones() {
    let mut cloud = blobs(160, 5, 3, 8.0, 3);
    cloud.x.iter_mut().enumerate().filter(|(p, _)| p % 4 == 1).for_each(|(_, v)| *v = 0.0);
    let (indptr, indices, values) = sparse_rows(&cloud.x, 5);
    let sparse = CsrRef::new(5, &indptr, &indices, &values).unwrap();
    for entry in METHODS {
        for scaling in ["standard", "contraharmonic", "auto"] {
            let given = [("n_clusters", json!(3)), ("scaling", json!(scaling))];
            let dense = fit(entry, view(&cloud.x, 5), &given).labels;
            assert_eq!(fit(entry, sparse.into(), &given).labels, dense, "{} {scaling}", entry.name);
        }
    }
}

#[test]
fn a_few_wild_cells_move_no_method_that_scales() {
    let cloud = blobs(200, 4, 2, 8.0, 6);
    let mut wild = cloud.x.clone();
    [3, 170, 401, 666].iter().for_each(|&p| wild[p] = 1e7);
    for entry in METHODS {
        let given = [("n_clusters", json!(2))];
        let plain = fit(entry, view(&cloud.x, 4), &given).labels;
        let labels = fit(entry, view(&wild, 4), &given).labels;
        let differ = labels.iter().zip(&plain).filter(|(a, b)| a != b).count();
        assert!(differ.min(200 - differ) <= 4, "{}: {differ}", entry.name);
    }
}

#[test]
fn a_category_of_many_levels_weighs_as_one_column() {
    // Two groups in one column; six indicators of one category that has nothing to do with them.
    let mut source = Source::new(3);
    let mut x = Vec::new();
    for i in 0..300 {
        x.push(if i % 2 == 0 { 2.0 } else { -2.0 } + 0.7 * source.normal());
        let level = (6.0 * source.uniform()) as usize;
        x.extend((0..6).map(|l| f64::from(u8::from(l == level))));
    }
    let truth: Vec<i32> = (0..300).map(|i| i % 2).collect();
    let entry = METHODS.iter().find(|e| e.name == "kmeans").unwrap();
    let features = [0, 1, 1, 1, 1, 1, 1];
    let given = params(&[("n_clusters", json!(2)), ("scaling", json!("contraharmonic"))]);
    let data = Dataset::new(view(&x, 7)).unwrap().with_features(&features).unwrap();
    let found = entry.solve(&given, &data, &mut Ctx::new(0)).unwrap();
    let wrong = found.labels.iter().zip(&truth).filter(|(a, b)| a != b).count();
    assert!(wrong.min(300 - wrong) <= 6, "{wrong}");
    // New rows need no features: the factors know.
    assert_eq!(found.model.predict(view(&x, 7)).unwrap(), found.labels);
}

#[test]
fn columns_without_a_spread_that_can_be_inverted_do_not_stop_a_fit() {
    let mut x = blobs(90, 3, 2, 8.0, 1).x;
    // One column is constant, one varies below 1e-310.
    for (i, row) in x.chunks_exact_mut(3).enumerate() {
        row[1] = 5.0;
        row[2] = i as f64 * 1e-312;
    }
    for entry in METHODS {
        let found = fit(entry, view(&x, 3), &[("n_clusters", json!(2))]);
        assert_eq!(found.labels.len(), 90, "{}", entry.name);
    }
}

/// Three clusters in four columns of counts, and four coins.
fn coins(n: usize) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(5);
    let (mut x, mut kinds) = (Vec::new(), Vec::new());
    for i in 0..n {
        let kind = i % 3;
        kinds.push(kind as i32);
        x.extend((0..4).map(|j| if j % 3 == kind { 6.0 } else { 0.0 } + 1.4 * source.normal()));
        x.extend((0..4).map(|_| source.below(2) as f64));
    }
    (x, kinds)
}

#[test]
fn coins_that_no_other_column_knows_of_are_no_clusters() {
    let (x, kinds) = coins(600);
    for entry in METHODS.iter().filter(|e| ["mspc", "kmeans"].contains(&e.name)) {
        let found = fit(entry, view(&x, 8), &[("n_clusters", json!(3))]);
        let right = separa::quality::External::new(&found.labels, &kinds).unwrap().accuracy;
        assert!(right > 0.95, "{}: {right}", entry.name);
    }
}

#[test]
fn a_spread_that_is_no_number_and_columns_of_one_value_are_handled() {
    let mut cloud = blobs(120, 3, 2, 8.0, 3);
    // The deviations of the first column overflow when squared, those of the second vanish.
    for row in cloud.x.chunks_exact_mut(3) {
        (row[0], row[1]) = (row[0] * 1e140, row[1] * 1e-200);
    }
    let plain = blobs(120, 3, 2, 8.0, 3);
    for entry in METHODS {
        let labels = |x: &[f64]| fit(entry, view(x, 3), &[("n_clusters", json!(2))]).labels;
        assert_eq!(labels(&cloud.x), labels(&plain.x), "{}", entry.name);
    }
    // One value in all rows: no scale, and nothing to separate.
    let same = vec![2.5; 90];
    for entry in METHODS {
        let data = Dataset::new(view(&same, 3)).unwrap();
        let given = params(&[("n_clusters", json!(2))]);
        if let Err(e) = entry.solve(&given, &data, &mut Ctx::new(0)) {
            assert!(e.to_string().contains("every column is constant"), "{e}");
        }
    }
    // One entry that is not zero in a sparse column.
    let mut wide = Vec::new();
    for (i, row) in plain.x.chunks_exact(3).enumerate() {
        wide.extend_from_slice(row);
        wide.push(f64::from(u8::from(i == 7)));
    }
    let (indptr, indices, values) = sparse_rows(&wide, 4);
    let sparse = CsrRef::new(4, &indptr, &indices, &values).unwrap();
    for entry in METHODS {
        let labels = |x: MatrixRef<'_>| fit(entry, x, &[("n_clusters", json!(2))]).labels;
        assert_eq!(labels(sparse.into()), labels(view(&wide, 4)), "{}", entry.name);
    }
}

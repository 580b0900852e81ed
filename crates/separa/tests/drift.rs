//! Drift and novelty of a saved model: size and power, and models that keep nothing.

use separa::prelude::*;
use separa::{DenseRef, Error, MatrixRef, drift, model_file};
use separa_testkit::clouds::{Source, blobs};

/// Two clouds of d columns, drawn anew for every seed; `change` moves rows: (row, values).
fn sample(n: usize, d: usize, seed: u64, change: impl Fn(usize, &mut [f64])) -> Vec<f64> {
    let mut source = Source::new(seed);
    let mut x: Vec<f64> = (0..n * d).map(|_| source.normal()).collect();
    for (i, row) in x.chunks_exact_mut(d).enumerate() {
        row[0] += if i % 3 == 0 { 8.0 } else { 0.0 };
        change(i, row);
    }
    x
}

fn matrix(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn plain(_: usize, _: &mut [f64]) {}

#[test]
fn nothing_is_found_where_nothing_has_changed() {
    let mut found = 0;
    for seed in 0..40 {
        let n = [60, 400, 3000][seed as usize % 3];
        let model = KMeans::new(2).fit(&matrix(&sample(500, 6, seed, plain), 6)).unwrap();
        let new = sample(n, 6, 1000 + seed, plain);
        found += usize::from(model.drift(&matrix(&new, 6), 0.05).unwrap().drift);
    }
    // At most 5 % of 40; 6 and more have a chance of 1 %.
    assert!(found < 6, "{found} of 40");
}

#[test]
fn each_kind_of_change_is_found_by_its_own_test() {
    let model = KMeans::new(2).fit(&matrix(&sample(600, 4, 1, plain), 4)).unwrap();
    let saved = model_file::from_bytes(&model.to_bytes().unwrap()).unwrap();
    let seen = |change: &dyn Fn(usize, &mut [f64])| {
        let new = sample(600, 4, 2, change);
        saved.drift(&matrix(&new, 4), drift::ALPHA).unwrap()
    };
    let moved = seen(&|_, row| row[2] += 0.8);
    assert!(moved.drift && moved.features[0].feature == 2 && moved.features[0].drift);
    assert!(!moved.features[1].drift && !moved.clusters.drift, "{moved:?}");
    assert!(
        moved.text.starts_with("drift in 600 new rows: 1 of 4 features has moved"),
        "{}",
        moved.text
    );
    // Half of the small cluster goes to the other.
    let fewer = seen(&|i, row| {
        if i % 6 == 0 {
            row[0] -= 8.0
        }
    });
    assert!(fewer.clusters.drift && (fewer.clusters.moved - 1.0 / 6.0).abs() < 0.01);
    // A few rows far away, in a direction that no single feature shows.
    let novel = seen(&|i, row| {
        if i % 25 == 0 {
            row[1..].iter_mut().for_each(|v| *v += 5.0)
        }
    });
    let novelty = novel.novelty.as_ref().unwrap();
    assert!(novelty.drift && novelty.fraction > 0.03 && !novel.features[0].drift, "{novel:?}");
}

#[test]
fn models_that_keep_nothing_say_so_and_odd_levels_are_refused() {
    let x = sample(60, 3, 1, plain);
    let model = KMeans::new(2).fit(&matrix(&x, 3)).unwrap();
    for alpha in [0.0, 1.0, f64::NAN, -1.0] {
        assert!(matches!(model.drift(&matrix(&x, 3), alpha), Err(Error::Alpha { .. })));
    }
    let narrow = matrix(&x[..2], 2);
    assert!(matches!(model.drift(&narrow, 0.01), Err(Error::Features { .. })));
    assert!(matches!(model.novelty(&narrow), Err(Error::Features { .. })));
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/models/v1");
    let mut seen = 0;
    for file in std::fs::read_dir(golden).unwrap() {
        let Ok(old) = model_file::load(file.unwrap().path()) else { continue };
        let rows = vec![0.5; 2 * old.d()];
        let error = old.novelty(&matrix(&rows, old.d())).unwrap_err();
        assert!(matches!(error, Error::NoBaseline { .. } | Error::GroupsMissing { .. }), "{error}");
        seen += 1;
    }
    assert!(seen > 3, "{seen}");
}

#[test]
fn the_same_numbers_for_any_number_of_threads_and_from_sparse_rows() {
    let cloud = blobs(300, 5, 3, 6.0, 4);
    let fit =
        |threads| Clusterer::new(Mspc::new(3)).threads(threads).fit(&matrix(&cloud.x, 5)).unwrap();
    let (one, two) = (fit(1), fit(2));
    assert_eq!(one.to_bytes().unwrap(), two.to_bytes().unwrap());
    let rows = matrix(&cloud.x, 5);
    assert_eq!(one.novelty(&rows).unwrap(), two.novelty(&rows).unwrap());
    let (indptr, indices, values) = separa_testkit::clouds::sparse_rows(&cloud.x, 5);
    let sparse: MatrixRef<'_> = separa::CsrRef::new(5, &indptr, &indices, &values).unwrap().into();
    assert_eq!(one.novelty(&sparse).unwrap().p, one.novelty(&rows).unwrap().p);
}

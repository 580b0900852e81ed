//! Model files of released format versions load and predict the same for ever.

use separa::{Dataset, DenseRef, model_file};
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The wine table without its last column, the cultivar.
fn wine() -> (usize, usize, Vec<f64>) {
    let text = fs::read_to_string(root().join("examples/data/wine.csv")).unwrap();
    let number = |field: &str| field.parse::<f64>().unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(',').unwrap().0.split(',').map(number).collect())
        .collect();
    (rows.len(), rows[0].len(), rows.concat())
}

#[test]
fn every_stored_model_of_version_1_loads_and_labels_the_wines_as_it_did() {
    let (n, d, x) = wine();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("golden/models/v1")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "separa") {
            continue;
        }
        let saved = model_file::from_bytes(&fs::read(&path).unwrap()).unwrap();
        saved.check_columns(saved.feature_names(), d).unwrap();
        let (rows, whole) = (Dataset::new(DenseRef::new(n, d, &x).unwrap().into()).unwrap(), 0..n);
        let data = match saved.model().grouping() {
            Some(kind) => rows.with_groups(kind, std::slice::from_ref(&whole)).unwrap(),
            None => rows,
        };
        let labels = saved.predict(&data).unwrap();
        let stored = fs::read_to_string(path.with_extension("labels")).unwrap();
        let stored: Vec<i32> = stored.lines().map(|l| l.trim().parse().unwrap()).collect();
        assert_eq!(labels, stored, "{}", path.display());
        seen += 1;
    }
    assert_eq!(seen, 40);
}

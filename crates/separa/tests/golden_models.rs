//! Model files of released format versions load and predict the same for ever.

use separa::{Dataset, DenseRef, model_file};
use serde_json::{Value, json};
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
        assert!(!saved.params().contains_key("min_share"), "old names are read as new ones");
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

/// The JSON header of a container, as it stands in the file.
fn header(bytes: &[u8]) -> Value {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let container: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    serde_json::from_str(container["__metadata__"]["separa"].as_str().unwrap()).unwrap()
}

#[test]
fn what_a_version_1_header_says_arrives_under_the_new_names() {
    let (mut noted, mut judged, mut trained, mut exemplary) = (0, 0, 0, 0);
    for entry in fs::read_dir(root().join("golden/models/v1")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "separa") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let (old, saved) = (header(&bytes), model_file::from_bytes(&bytes).unwrap());
        let (training, report) = (&old["training"], &old["training"]["report"]);
        assert_eq!(old["format_version"], 1);
        assert_eq!(old["method"], saved.method_name());
        assert_eq!(training["n"], json!(saved.n()));
        assert_eq!(training["sizes"], json!(saved.sizes()));
        assert_eq!(
            [&old["n_features"], &old["n_clusters"]],
            [&json!(saved.d()), &json!(saved.k())]
        );
        assert_eq!(report["iterations"], json!(saved.iterations()));
        assert_eq!(report["starts"], json!(saved.initializations()));
        let texts = |kind: &str| report[kind].as_array().cloned().unwrap_or_default();
        let of = |warning: bool| -> Vec<Value> {
            let notes = saved.notes().iter().filter(|note| note.is_warning() == warning);
            notes.map(|note| json!(note.text)).collect()
        };
        assert_eq!((of(true), of(false)), (texts("warnings"), texts("notices")));
        noted += saved.notes().len();
        if let Some(typical) = report.get("typical") {
            assert_eq!(*typical, json!(saved.exemplars()));
            exemplary += 1;
        }
        if let Some(learnt) = saved.trained() {
            assert_eq!(report["trained"]["accuracy"], json!(learnt.learnt().accuracy));
            assert_eq!(report["trained"]["classes"], json!(learnt.classes()));
            trained += 1;
            continue;
        }
        let quality = saved.clustering().unwrap().quality().unwrap();
        assert_eq!(training["quality"]["msp"], json!(quality.msp));
        assert_eq!(training["quality"]["cross_fitted_msp"], json!(quality.msp_held_out));
        assert_eq!(training["quality"]["min_share"], json!(quality.min_fraction));
        judged += 1;
    }
    assert_eq!((noted, judged, trained, exemplary), (9, 34, 6, 4));
}

//! Agreement with a truth: scikit-learn's values, and the worked example of Chen & Bi.

use separa::quality::{Contingency, External};
use separa_testkit::{golden, labels, numbers};

#[test]
fn measures_agree_with_scikit_learn() {
    for case in golden("quality.json")["external"].as_array().unwrap() {
        let (a, b) = (labels(&case["labels"]), labels(&case["truth"]));
        let got = serde_json::to_value(External::new(&a, &b).unwrap()).unwrap();
        for (name, value) in got.as_object().unwrap() {
            let (got, want) = (value.as_f64().unwrap(), case[name].as_f64().unwrap());
            // Sums of up to 300 terms of order one.
            assert!((got - want).abs() < 1e-12, "{}: {name} {got}, expected {want}", case["name"]);
        }
        let table = Contingency::new(&a, &b).unwrap().by_cluster();
        let (purity, entropy) =
            (numbers(&case["cluster_purity"]), numbers(&case["cluster_entropy"]));
        for ((line, p), e) in table.iter().zip(&purity).zip(&entropy) {
            assert!((line.purity - p).abs() < 1e-12 && (line.entropy - e).abs() < 1e-12);
        }
    }
}

#[test]
fn paper_003_example_has_entropy_0_7228_and_purity_one_half() {
    // Half of a cluster's images belong to one class, the rest are spread over 19 others.
    let truth: Vec<i32> = (0..38).map(|i| if i < 19 { 0 } else { i - 18 }).collect();
    let got = External::new(&[0; 38], &truth).unwrap();
    assert_eq!(got.purity, 0.5);
    assert!((got.entropy - 0.7228).abs() < 5e-5, "{}", got.entropy);
    // As a line of its Tables 5 to 7.
    let [line] = &Contingency::new(&[0; 38], &truth).unwrap().by_cluster()[..] else { panic!() };
    assert_eq!((line.size, line.purity, line.class), (38, 0.5, 0));
    assert!((line.entropy - 0.7228).abs() < 5e-5, "{}", line.entropy);
    assert_eq!(line.counts, [[19].as_slice(), &[1; 19]].concat());
}

#[test]
fn more_clusters_than_classes_and_fewer_are_matched_one_to_one() {
    let got = External::new(&[0, 0, 1, 1, 2, 2], &[0, 0, 0, 1, 1, 1]).unwrap();
    assert!((got.accuracy - 4.0 / 6.0).abs() < 1e-15);
    let table = Contingency::new(&[0, 0, 0, 1, 1, 1], &[4, 4, 5, 5, 6, 6]).unwrap();
    assert_eq!(table.matching(), [Some(4), Some(6)]);
}

#[test]
fn lengths_that_differ_and_rows_without_labels_are_refused() {
    let message = |a: &[i32], b: &[i32]| External::new(a, b).unwrap_err().to_string();
    assert_eq!(message(&[0, 1], &[0]), "2 labels were given for 1 rows of truth");
    assert!(message(&[-1, 0], &[0, -1]).starts_with("no row has both"));
    assert!(message(&[], &[]).starts_with("no row has both"));
}

//! The quality of labels that a method fitted: what is judged, on what, and what is said about it.

use crate::common;

use common::params;
use separa::note::codes;
use separa::quality::Quality;
use separa::{Clusterer, Clustering, DenseRef, Named, VerdictCode};
use separa_testkit::Covariance;
use separa_testkit::clouds::{blobs, gaussian, two_gaussians};
use serde_json::{Value, json};

fn judged(method: &str, given: &Named, x: &[f64], d: usize) -> Clustering {
    let rows = DenseRef::new(x.len() / d, d, x).unwrap();
    Clusterer::named(method, given).unwrap().memory(u64::MAX).fit(&rows).unwrap()
}

fn quality(method: &str, given: &Named, x: &[f64], d: usize) -> Quality {
    judged(method, given, x, d).quality().unwrap().clone()
}

fn has(found: &Clustering, code: &str) -> bool {
    found.notes().iter().any(|note| note.code == code)
}

#[test]
fn tables_of_pairs_are_not_judged_and_it_is_said_why() {
    let (n, x) = (60, gaussian(60, 2, Covariance::Spherical, 1));
    let squared =
        |i: usize, j: usize| -> f64 { (0..2).map(|c| (x[2 * i + c] - x[2 * j + c]).powi(2)).sum() };
    let table = |of: fn(f64) -> f64| -> Vec<f64> {
        (0..n * n).map(|at| of(squared(at / n, at % n))).collect()
    };
    let (distances, alike) = (table(f64::sqrt), table(|d| (-d).exp()));
    for (method, parameter, x) in [
        ("msc", "metric", &distances),
        ("spectral", "affinity", &alike),
        ("kernel-kmeans", "kernel", &alike),
    ] {
        let found = judged(method, &params(&[(parameter, json!("precomputed"))]), x, n);
        let said = found.quality().unwrap_err().to_string();
        assert!(said.contains("which a precomputed table does not have: the quality is left out"));
        assert!(found.is_precomputed() && has(&found, codes::NOT_JUDGED), "{method}");
        assert_eq!(found.verdict().code, VerdictCode::NotJudged);
        let plain = judged(method, &params(&[]), &x[..n * 6], 6);
        assert!(!plain.is_precomputed() && plain.quality().is_ok(), "{method}");
    }
}

#[test]
fn halves_with_fewer_rows_than_landmarks_are_clustered_anew() {
    let x = gaussian(300, 2, Covariance::Spherical, 3);
    for (method, more) in [
        ("msc", params(&[])),
        ("kernel-kmeans", params(&[])),
        ("spectral", params(&[("affinity", json!("rbf"))])),
    ] {
        let mut given = more;
        given.insert("landmarks".into(), json!(200));
        let found = judged(method, &given, &x, 2);
        assert!(!has(&found, codes::LABELS_AS_GIVEN), "{method}");
        assert!(!has(&found, codes::SPLIT_HALVES_DIFFER), "{method}");
        // One Gaussian is not called anything else.
        let p_gauss = found.quality().unwrap().p_gauss.unwrap();
        assert!(p_gauss > 0.05, "{method}: {p_gauss}");
    }
}

#[test]
fn weights_of_all_rows_do_not_keep_halves_from_being_clustered_anew() {
    let x = gaussian(200, 2, Covariance::Spherical, 4);
    let given = params(&[("weights", json!(vec![1.0; 200]))]);
    let found = judged("msc", &given, &x, 2);
    assert!(found.quality().is_ok() && !has(&found, codes::LABELS_AS_GIVEN));
    assert!(!has(&found, codes::SPLIT_HALVES_DIFFER));
}

#[test]
fn curved_clusters_have_a_caution_and_flat_ones_have_none() {
    let cloud = blobs(60, 2, 3, 9.0, 1);
    let curved = |method: &str, given: &[(&str, Value)]| {
        let found = judged(method, &params(given), &cloud.x, 2);
        let said = found.notes().iter().find(|note| note.code == codes::CURVED_BOUNDARIES);
        assert!(
            said.is_none_or(|s| s.text.contains("curved clusters") && !s.text.contains("kernel"))
        );
        assert_eq!(said.is_some(), found.is_curved(), "{method}");
        said.is_some()
    };
    for method in ["msc", "spectral", "kernel-kmeans"] {
        assert!(curved(method, &[]), "{method}");
    }
    assert!(curved("msc", &[("metric", json!("euclidean"))]));
    assert!(curved("mspc", &[("kernel", json!("rbf"))]));
    for method in ["mspc", "kmeans"] {
        assert!(!curved(method, &[]), "{method}");
    }
    assert!(!curved("kernel-kmeans", &[("kernel", json!("linear"))]));
}

#[test]
fn more_than_two_clusters_are_judged_as_given_and_one_has_no_caution() {
    let cloud = blobs(90, 2, 3, 9.0, 1);
    let of = |method, k: usize| judged(method, &params(&[("n_clusters", json!(k))]), &cloud.x, 2);
    assert!(has(&of("mspc", 3), codes::LABELS_AS_GIVEN));
    for entry in separa::registry::METHODS {
        let one = of(entry.name, 1);
        assert!(!has(&one, codes::CURVED_BOUNDARIES), "{}", entry.name);
        assert_eq!(one.verdict().code, VerdictCode::OneCluster, "{}", entry.name);
    }
}

#[test]
fn outliers_are_left_out_of_the_quality() {
    let cloud = two_gaussians(300, 4, 0.5, 6.0, 2);
    let wild = [cloud.x.as_slice(), &[5e4; 12]].concat();
    let all = quality("mspc", &params(&[]), &wild, 4);
    let marked = quality("mspc", &params(&[("outliers", json!("mark"))]), &wild, 4);
    let plain = quality("mspc", &params(&[]), &cloud.x, 4);
    assert_eq!(all.msp, marked.msp);
    assert!((all.msp - plain.msp).abs() < 0.02, "{} {}", all.msp, plain.msp);
}

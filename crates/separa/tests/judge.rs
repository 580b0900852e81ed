//! Judging fitted labels: what is judged, on what, and what is said about it.

use separa::judge::{self, Judged, Origin};
use separa::registry::{self, METHODS, Named};
use separa::{Ctx, Dataset, DenseRef, MemoryBudget, Result, Silent};
use separa_testkit::Covariance;
use separa_testkit::clouds::{Source, gaussian, two_gaussians};
use serde_json::{Value, json};

fn params(pairs: &[(&str, Value)]) -> Named {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn judged(method: &str, given: &Named, x: &[f64], d: usize) -> Result<Judged> {
    let rows = DenseRef::new(x.len() / d, d, x).unwrap();
    let data = Dataset::new(rows.into()).unwrap();
    let entry = registry::find(method).unwrap();
    let fit = (entry.fit)(given, &data, &mut Ctx::new(0)).unwrap();
    let origin = Origin { entry, given, seed: 0, memory: MemoryBudget::default() };
    judge::fitted(&data, &fit, &origin, &Silent)
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
        let given = params(&[(parameter, json!("precomputed"))]);
        let said = judged(method, &given, x, n).unwrap_err().to_string();
        assert!(said.contains("which a precomputed table has not: the quality is left out"));
        let data = Dataset::new(DenseRef::new(n, n, x).unwrap().into()).unwrap();
        assert!(judge::unjudged(&data, &given).is_some());
        assert_eq!(judge::unjudged(&data, &params(&[(parameter, json!("rbf"))])), None);
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
        let found = judged(method, &given, &x, 2).unwrap();
        assert_eq!(found.caution, None, "{method}");
        // One Gaussian is not called anything else.
        assert!(found.quality.p_gauss.unwrap() > 0.05, "{method}: {:?}", found.quality.p_gauss);
    }
}

#[test]
fn weights_of_all_rows_do_not_keep_halves_from_being_clustered_anew() {
    let x = gaussian(200, 2, Covariance::Spherical, 4);
    let given = params(&[("weights", json!(vec![1.0; 200]))]);
    assert_eq!(judged("msc", &given, &x, 2).unwrap().caution, None);
}

#[test]
fn labels_taken_as_given_are_said_to_be() {
    let x = gaussian(300, 2, Covariance::Spherical, 5);
    let data = Dataset::new(DenseRef::new(300, 2, &x).unwrap().into()).unwrap();
    let labels: Vec<i32> = x.chunks_exact(2).map(|row| i32::from(row[0] > 0.0)).collect();
    // As many clusters as no half has rows.
    let (entry, given) = (registry::find("kmeans").unwrap(), params(&[("n_clusters", json!(200))]));
    let origin = Origin { entry, given: &given, seed: 0, memory: MemoryBudget::default() };
    let mut fit = (entry.fit)(&params(&[]), &data, &mut Ctx::new(0)).unwrap();
    fit.labels = labels;
    let found = judge::fitted(&data, &fit, &origin, &Silent).unwrap();
    assert_eq!(found.caution, Some(judge::as_given()));
}

#[test]
fn curved_groupings_have_a_caution_and_flat_ones_have_none() {
    let curved = |method: &str, given: &[(&str, Value)]| {
        let entry = registry::find(method).unwrap();
        let complete = (entry.params)(&params(given)).unwrap();
        let said = judge::cautions(entry, 2, &complete);
        assert!(
            said.iter().all(|s| s.text.contains("curved clusters") && !s.text.contains("kernel"))
        );
        !said.is_empty()
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
    for entry in METHODS {
        assert_eq!(judge::cautions(entry, 1, &Named::new()), []);
    }
}

#[test]
fn rows_that_were_set_aside_are_left_out() {
    let cloud = two_gaussians(300, 4, 0.5, 6.0, 2);
    let wild = [cloud.x.as_slice(), &[5e4; 12]].concat();
    let all = judged("mspc", &params(&[]), &wild, 4).unwrap().quality;
    let marked = judged("mspc", &params(&[("outliers", json!("mark"))]), &wild, 4).unwrap().quality;
    let plain = judged("mspc", &params(&[]), &cloud.x, 4).unwrap().quality;
    assert_eq!(all.msp, marked.msp);
    assert!((all.msp - plain.msp).abs() < 0.02, "{} {}", all.msp, plain.msp);
}

#[test]
fn a_gap_that_a_half_does_not_find_is_told() {
    // k-means sees the second column only; the labels know the gap in the first.
    let cloud = two_gaussians(200, 2, 0.5, 9.0, 3);
    let (mut x, mut source) = (cloud.x, Source::new(4));
    x.chunks_exact_mut(2).for_each(|row| row[1] = 1e4 * source.normal());
    let data = Dataset::new(DenseRef::new(200, 2, &x).unwrap().into()).unwrap();
    let (entry, given) = (registry::find("kmeans").unwrap(), params(&[]));
    let origin = Origin { entry, given: &given, seed: 0, memory: MemoryBudget::default() };
    let mut fit = (entry.fit)(&given, &data, &mut Ctx::new(0)).unwrap();
    let blind = judge::fitted(&data, &fit, &origin, &Silent).unwrap();
    assert_eq!(blind.caution, None);
    fit.labels = cloud.labels;
    let known = judge::fitted(&data, &fit, &origin, &Silent).unwrap();
    assert!(known.quality.p_unimodal.unwrap() > 0.05);
    assert_eq!(known.caution, Some(judge::split_halves_differ()));
}

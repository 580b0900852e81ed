//! The disparity cut against its other forms in Chen & Bi.

use proptest::prelude::*;
use separa::quality::dcut;
use separa::{Dense, DenseRef};
use separa_testkit::clouds::Source;

/// Distances of random points in the plane, random labels (both clusters in use), random weights.
fn random(n: usize, seed: u64) -> (Dense, Vec<i32>, Vec<f64>) {
    let mut source = Source::new(seed);
    let points = source.normals(2 * n);
    let mut d = Dense::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            let gap = |c: usize| points[2 * i + c] - points[2 * j + c];
            d[(i, j)] = gap(0).hypot(gap(1));
        }
    }
    let labels = (0..n).map(|i| if i < 2 { i as i32 } else { source.below(2) as i32 }).collect();
    let weights = source.normals(n).iter().map(|v| 0.1 + v.abs()).collect();
    (d, labels, weights)
}

/// −yᵀΓDΓy / yᵀΓ²y with y = ((e + q) − r(e − q))/2, r = |A|/|B|.
fn rayleigh(d: &Dense, labels: &[i32], beta: &[f64]) -> f64 {
    let n = labels.len();
    let size = |c: i32| (0..n).filter(|i| labels[*i] == c).map(|i| beta[i] * beta[i]).sum::<f64>();
    let r = size(0) / size(1);
    let y: Vec<f64> = labels.iter().map(|l| if *l == 0 { 1.0 } else { -r }).collect();
    let mut top = 0.0;
    for i in 0..n {
        for j in 0..n {
            top += y[i] * beta[i] * d[(i, j)] * beta[j] * y[j];
        }
    }
    -top / (0..n).map(|i| (y[i] * beta[i]).powi(2)).sum::<f64>()
}

proptest! {
    #[test]
    fn dcut_equals_its_rayleigh_quotient(n in 2usize..25, seed in 0u64..999) {
        let (d, labels, weights) = random(n, seed);
        let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        let beta: Vec<f64> = weights.iter().map(|w| w / length).collect();
        let truth = rayleigh(&d, &labels, &beta);
        let found = dcut(d.view(), &labels, Some(&weights)).unwrap();
        prop_assert!((found - truth).abs() < 1e-11 * (n * n) as f64, "{} {}", found, truth);
        // Without weights β = e/√n.
        let plain = vec![1.0 / (n as f64).sqrt(); n];
        let found = dcut(d.view(), &labels, None).unwrap();
        prop_assert!((found - rayleigh(&d, &labels, &plain)).abs() < 1e-11 * (n * n) as f64);
    }

    #[test]
    fn the_length_of_the_weights_and_the_names_of_the_clusters_do_not_matter(
        n in 2usize..20, power in -90i32..90, seed in 0u64..999,
    ) {
        let (d, labels, weights) = random(n, seed);
        let scaled: Vec<f64> = weights.iter().map(|w| w * 10f64.powi(power)).collect();
        let swapped: Vec<i32> = labels.iter().map(|l| 7 - l).collect();
        let before = dcut(d.view(), &labels, Some(&weights)).unwrap();
        let after = dcut(d.view(), &swapped, Some(&scaled)).unwrap();
        prop_assert!((before - after).abs() < 1e-10 * (n * n) as f64);
    }
}

#[test]
fn the_least_separated_pair_speaks_for_more_clusters_and_one_cluster_for_none() {
    let d = DenseRef::new(3, 3, &[0.0, 1.0, 5.0, 1.0, 0.0, 4.0, 5.0, 4.0, 0.0]).unwrap();
    let pair = |labels: [i32; 3]| dcut(d, &labels, None).unwrap();
    // Single rows: 2·β_a·β_b·d with β = 1/√3 each.
    assert!((pair([0, 1, 2]) - 2.0 / 3.0).abs() < 1e-15);
    assert!((pair([0, -1, 2]) - 5.0).abs() < 1e-15);
    assert_eq!(pair([0, 0, 0]), 0.0);
}

#[test]
fn bad_input_is_named() {
    let d = DenseRef::new(2, 2, &[0.0, 1.0, 1.0, 0.0]).unwrap();
    let message = |labels: &[i32], w: Option<&[f64]>| dcut(d, labels, w).unwrap_err().to_string();
    assert!(message(&[0, 1, 1], None).contains("2 x 2, expected 3 x 3"));
    assert!(message(&[0, 1], Some(&[1.0])).contains("1 vertex weights were given for 2 rows"));
    assert!(message(&[0, 1], Some(&[1.0, 0.0])).starts_with("row 2, column vertex weight"));
    let bad = DenseRef::new(2, 2, &[0.0, -1.0, 1.0, 0.0]).unwrap();
    assert!(dcut(bad, &[0, 1], None).unwrap_err().to_string().starts_with("row 1, column 2"));
}

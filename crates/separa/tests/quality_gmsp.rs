//! GMSP on distance matrices: the axioms of the supplement that hold.

use proptest::prelude::*;
use separa::quality::gmsp;
use separa::{Dense, DenseRef};
use separa_testkit::clouds::Source;

fn distances(points: &[f64], d: usize) -> Dense {
    let n = points.len() / d;
    let mut out = Dense::zeros(n, n);
    let row = |i: usize| &points[i * d..(i + 1) * d];
    for i in 0..n {
        for j in 0..n {
            let gap = row(i).iter().zip(row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            out[(i, j)] = gap.sqrt();
        }
    }
    out
}

fn random(n: usize, seed: u64) -> (Dense, Vec<i32>) {
    let mut source = Source::new(seed);
    let s = distances(&source.normals(n * 2), 2);
    let labels = (0..n).map(|i| if i < 2 { i as i32 } else { source.below(2) as i32 });
    (s, labels.collect())
}

proptest! {
    #[test]
    fn gmsp_satisfies_scale_invariance(n in 2usize..30, power in -120i32..120, seed in 0u64..999) {
        let (mut s, labels) = random(n, seed);
        let before = gmsp(s.view(), &labels).unwrap();
        s.data_mut().iter_mut().for_each(|v| *v *= 10f64.powi(power));
        prop_assert!((gmsp(s.view(), &labels).unwrap() - before).abs() < 1e-12);
    }

    #[test]
    fn gmsp_satisfies_consistency(n in 2usize..30, seed in 0u64..999) {
        let (s, labels) = random(n, seed);
        // Distances within clusters shrink, those between them grow.
        let mut source = Source::new(seed + 1);
        let mut variant = s.clone();
        for i in 0..n {
            for j in 0..i {
                let same = labels[i] == labels[j];
                let factor = if same { source.uniform() } else { 1.0 + source.uniform() };
                variant[(i, j)] *= factor;
                variant[(j, i)] *= factor;
            }
        }
        let (before, after) = (gmsp(s.view(), &labels).unwrap(), gmsp(variant.view(), &labels).unwrap());
        prop_assert!(after >= before - 1e-12, "{before} {after}");
    }
}

#[test]
fn gmsp_equals_its_formula_on_four_points() {
    // Clusters {0, 1} and {10, 12}: between 10.5, within √(2/4) and √(8/4).
    let s = distances(&[0.0, 1.0, 10.0, 12.0], 1);
    let kappa = 10.5 / (0.5f64.sqrt() + 2f64.sqrt());
    let want = kappa * kappa / (1.0 + kappa * kappa);
    assert!((gmsp(s.view(), &[0, 0, 1, 1]).unwrap() - want).abs() < 1e-15);
}

#[test]
fn gmsp_of_separated_clusters_on_a_line_has_kappa_over_root_two() {
    let x: Vec<f64> = (0..40).map(|i| f64::from(i % 2) * 1e4 + f64::from(i) / 7.0).collect();
    let labels: Vec<i32> = (0..40).map(|i| i % 2).collect();
    let spread = |c: i32| {
        let t: Vec<f64> = x.iter().zip(&labels).filter(|p| *p.1 == c).map(|p| *p.0).collect();
        let mean = t.iter().sum::<f64>() / t.len() as f64;
        (mean, (t.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / t.len() as f64).sqrt())
    };
    let kappa = (spread(1).0 - spread(0).0) / (spread(0).1 + spread(1).1);
    let half = kappa * kappa / 2.0;
    let got = gmsp(distances(&x, 1).view(), &labels).unwrap();
    assert!((got - half / (1.0 + half)).abs() < 1e-12);
}

#[test]
fn degenerate_matrices_have_defined_values_and_bad_ones_are_named() {
    let zeros = Dense::zeros(4, 4);
    assert_eq!(gmsp(zeros.view(), &[0, 0, 1, 1]).unwrap(), 0.0);
    let two = Dense::from_vec(2, 2, vec![0.0, 3.0, 3.0, 0.0]).unwrap();
    assert_eq!(gmsp(two.view(), &[0, 1]).unwrap(), 1.0);
    assert_eq!(gmsp(two.view(), &[0, 0]).unwrap(), 0.0);
    assert_eq!(gmsp(two.view(), &[0, -1]).unwrap(), 0.0);
    let bad = [0.0, -1.0, 1.0, 0.0];
    let e = gmsp(DenseRef::new(2, 2, &bad).unwrap(), &[0, 1]).unwrap_err().to_string();
    assert!(e.starts_with("row 1, column 2 holds -1"), "{e}");
    let e = gmsp(two.view(), &[0, 1, 1]).unwrap_err().to_string();
    assert_eq!(e, "the distance matrix is 2 x 2, expected 3 x 3 for 3 labels");
}

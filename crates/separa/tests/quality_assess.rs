//! The whole assessment: what it says about clouds with and without groups.

use separa::quality::{AssessOptions, Quality, Refit, assess, two_clusters};
use separa::{Dataset, DenseRef, Labels, MatrixRef, Result};
use separa_testkit::clouds::{self, Covariance, Source, blobs, two_gaussians};
use separa_testkit::naive;

fn data(x: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

fn split(x: &[f64], d: usize) -> Labels {
    naive::two_means(&naive::z_scored(x, d), d, 4, 1)
}

fn refit(half: &Dataset<'_>) -> Result<Labels> {
    let MatrixRef::Dense(x) = half.x() else { unreachable!("these tests are dense") };
    let rows: Vec<f64> = (0..x.rows()).flat_map(|i| x.row(i).to_vec()).collect();
    Ok(split(&rows, x.cols()))
}

fn assessed(x: &[f64], d: usize) -> Quality {
    let options = AssessOptions { refit: Some(Refit(&refit)), ..AssessOptions::default() };
    assess(&data(x, d), &split(x, d), &options).unwrap()
}

#[test]
fn two_separated_gaussians_are_a_real_gap() {
    let cloud = two_gaussians(500, 10, 0.5, 6.0, 1);
    let q = assessed(&cloud.x, 10);
    assert!(q.p_unimodal.unwrap() < 1e-6 && q.p_gauss.unwrap() < 1e-6, "{q:?}");
    assert!(q.msp > q.msp_null.unwrap() && q.min_fraction > 0.4, "{q:?}");
    assert!((q.msp_held_out.unwrap() - q.msp).abs() < 0.1, "{q:?}");
    assert!(q.verdict().starts_with("a gap between the clusters (p < 0.001)"));
}

#[test]
fn pairs_with_a_tiny_group_are_not_called_real() {
    // Two clouds far apart and three rows further out: of the three pairs one can be tested.
    let mut x = two_gaussians(300, 2, 0.5, 9.0, 4).x;
    x.extend([60.0, 60.0, 61.0, 60.0, 60.0, 61.0]);
    let mut labels = split(&x[..600], 2);
    labels.extend([2; 3]);
    let q = assess(&data(&x, 2), &labels, &AssessOptions::default()).unwrap();
    assert_eq!((q.pairs.len(), q.untested()), (3, 2), "{q:?}");
    assert!(q.has_gap() && q.beyond_one_cloud() && !q.is_real(), "{q:?}");
    assert_eq!(
        q.verdict(),
        "a gap between the clusters that could be tested (p < 0.001, taking the clusters as given); 2 of 3 pairs are too \
             small to test"
    );
}

#[test]
fn one_gaussian_is_no_better_than_one_cloud() {
    let x = clouds::gaussian(1000, 5, Covariance::Correlated, 3);
    let q = assessed(&x, 5);
    assert!(q.p_unimodal.unwrap() > 0.2 && q.p_gauss.unwrap() > 0.05, "{q:?}");
    // The null carries the same λ as the value: the two agree on one Gaussian.
    assert!((q.msp - q.msp_null.unwrap()).abs() < 0.05, "{q:?}");
    assert!(q.verdict().starts_with("no better"), "{q:?}");
}

#[test]
fn a_uniform_box_is_not_gaussian_but_has_no_gap() {
    let x = clouds::uniform_box(4000, 1, 5);
    let q = assessed(&x, 1);
    assert!(q.p_gauss.unwrap() < 1e-3 && q.p_unimodal.unwrap() > 0.1, "{q:?}");
    let said = "more than a single Gaussian (p < 0.001), but no gap between the clusters (p = ";
    assert!(q.verdict().starts_with(said), "{}", q.verdict());
}

#[test]
fn random_labels_on_many_columns_do_not_survive_the_other_half() {
    let (n, d) = (200, 170);
    let mut source = Source::new(2);
    let x = source.normals(n * d);
    let labels: Vec<i32> = (0..n).map(|_| source.below(2) as i32).collect();
    let options = AssessOptions { reg: 0.0, ..AssessOptions::default() };
    let q = assess(&data(&x, d), &labels, &options).unwrap();
    assert!(q.msp > 0.7 && q.msp_held_out.unwrap() < 0.1, "{q:?}");
}

#[test]
fn integer_columns_are_no_gaps() {
    let mut source = Source::new(3);
    let x: Vec<f64> = (0..1000).map(|_| (2.0 * source.normal()).round()).collect();
    let labels: Vec<i32> = x.iter().map(|v| i32::from(*v > 0.0)).collect();
    let answer = two_clusters(&data(&x, 1), &labels, 1.0, 0, None).unwrap().unwrap();
    assert!(answer.p_unimodal > 0.1, "{answer:?}");
    let apart: Vec<f64> = x.iter().map(|v| if *v > 0.0 { v + 12.0 } else { *v }).collect();
    let answer = two_clusters(&data(&apart, 1), &labels, 1.0, 0, None).unwrap().unwrap();
    assert!(answer.p_unimodal < 1e-6, "{answer:?}");
}

#[test]
fn many_clusters_are_judged_pair_by_pair() {
    let cloud = blobs(1200, 6, 5, 7.0, 2);
    let q = assess(&data(&cloud.x, 6), &cloud.labels, &AssessOptions::default()).unwrap();
    assert_eq!(q.pairs.len(), 10);
    assert!(q.p_unimodal.unwrap() < 0.01, "{q:?}");
    assert_eq!(q.msp, q.pairs.iter().map(|p| p.msp).fold(1.0, f64::min));
    // Split one Gaussian in two: that pair, and only that pair, is no gap.
    let (mut labels, d) = (cloud.labels.clone(), 6);
    for (l, row) in labels.iter_mut().zip(cloud.x.chunks_exact(d)).filter(|(l, _)| **l == 4) {
        let centre = naive::group_means(&cloud.x, d, &cloud.labels, 5)[4][0];
        *l = if row[0] > centre { 4 } else { 5 };
    }
    let q = assess(&data(&cloud.x, d), &labels, &AssessOptions::default()).unwrap();
    for p in &q.pairs {
        assert_eq!(p.p_unimodal.unwrap() > 0.05, (p.a, p.b) == (4, 5), "{p:?}");
    }
}

#[test]
fn very_many_clusters_are_compared_with_their_neighbours() {
    let cloud = blobs(1500, 3, 30, 8.0, 4);
    let q = assess(&data(&cloud.x, 3), &cloud.labels, &AssessOptions::default()).unwrap();
    assert!(q.pairs.len() >= 90 && q.pairs.len() <= 180, "{}", q.pairs.len());
    assert!(q.pairs.iter().all(|p| p.a < p.b));
}

#[test]
fn json_has_the_public_names_and_no_number_that_is_not_finite() {
    let few = [0.0, 1.0, 10.0, 11.0, 12.0, 30.0];
    let tables: [(&[f64], usize, &[i32]); 5] = [
        (&few, 1, &[0, 0, 0, 0, 0, 0]),
        (&few, 1, &[0, 0, 1, 1, 1, 2]),
        (&few, 2, &[0, 1, 1]),
        (&few, 1, &[-1, -1, 0, 1, 0, 1]),
        (&[4.0; 12], 1, &[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]),
    ];
    for (x, d, labels) in tables {
        for reg in [0.0, 1.0] {
            let options = AssessOptions { reg, ..AssessOptions::default() };
            let q = assess(&data(x, d), labels, &options).unwrap();
            let json = serde_json::to_value(&q).unwrap();
            let names: Vec<&String> = json.as_object().unwrap().keys().collect();
            let expected = [
                "agreement",
                "agreement_chance",
                "msp",
                "msp_null",
                "p_gauss",
                "p_unimodal",
                "msp_held_out",
                "min_fraction",
                "pairs",
                "importance",
            ];
            assert_eq!(names, expected);
            // serde_json writes NaN and infinities as null: only optional values may be null.
            assert!(json["msp"].is_number() && json["min_fraction"].is_number(), "{json}");
            assert!(json["pairs"].as_array().unwrap().iter().all(|p| p["msp"].is_number()));
            let all = [q.msp_null, q.p_gauss, q.p_unimodal, q.msp_held_out];
            assert!(all.iter().flatten().all(|v| (0.0..=1.0).contains(v)), "{q:?}");
            assert!(!q.verdict().is_empty());
        }
    }
}

#[test]
fn answers_repeat_for_a_seed_and_do_not_depend_on_threads() {
    let cloud = blobs(900, 40, 3, 5.0, 6);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            assess(&data(&cloud.x, 40), &cloud.labels, &AssessOptions::default()).unwrap()
        })
    };
    let one = run(1);
    assert!([2, 4].into_iter().all(|t| run(t) == one));
}

#[test]
fn more_columns_than_rows_and_sparse_rows_are_assessed() {
    let cloud = two_gaussians(160, 400, 0.5, 20.0, 7);
    let q = assess(&data(&cloud.x, 400), &cloud.labels, &AssessOptions::default()).unwrap();
    assert!(q.p_unimodal.unwrap() < 0.05, "{q:?}");
    // One column in ten tells the groups apart; 3,000 columns are more than are looked at.
    let (n, d) = (100, 3000);
    let mut source = Source::new(1);
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..n {
        for j in 0..d {
            if source.uniform() < 0.4 {
                indices.push(j as u32);
                values.push(1.0 + if i % 2 == 0 && j % 10 == 0 { 2.0 } else { source.uniform() });
            }
        }
        indptr.push(values.len());
    }
    let sparse = separa::CsrRef::new(d, &indptr, &indices, &values).unwrap();
    let labels: Vec<i32> = (0..n).map(|i| i % 2).collect();
    let q =
        assess(&Dataset::new(sparse.into()).unwrap(), &labels, &AssessOptions::default()).unwrap();
    assert!(q.msp > 0.5 && q.msp_held_out.unwrap() > 0.5, "{q:?}");
}

//! Confidence: of rows with confidence 0.9, nine of ten keep their cluster in refits.

use separa::note::codes;
use separa::prelude::*;
use separa::quality::Contingency;
use separa::{DenseRef, MatrixRef, MethodChoice, model_file};
use separa_testkit::clouds::{Cloud, Source, blobs};

fn rows(cloud: &Cloud) -> MatrixRef<'_> {
    DenseRef::new(cloud.n, cloud.d, &cloud.x).unwrap().into()
}

/// Three clouds that overlap, drawn anew for every seed.
fn overlapping(n: usize, seed: u64) -> Cloud {
    let mut source = Source::new(seed);
    let centres = [[0.0, 0.0], [2.6, 0.0], [0.0, 3.0]];
    let x = (0..2 * n).map(|at| centres[at / 2 % 3][at % 2] + source.normal()).collect();
    Cloud { n, d: 2, x, labels: Vec::new() }
}

/// Mean |confidence − fraction kept| over ten bins.
fn calibration_error(pairs: &[(f64, bool)]) -> f64 {
    let bin = |sure: f64| ((10.0 * sure) as usize).min(9);
    let mut error = 0.0;
    for b in 0..10 {
        let mine: Vec<&(f64, bool)> = pairs.iter().filter(|pair| bin(pair.0) == b).collect();
        let gap: f64 = mine.iter().map(|(sure, kept)| sure - f64::from(u8::from(*kept))).sum();
        error += gap.abs() / pairs.len() as f64;
    }
    error
}

/// Confidence in new rows, and whether rules of fresh samples leave them in their clusters.
fn seen(method: impl Fn() -> MethodChoice, n: usize) -> Vec<(f64, bool)> {
    let new = overlapping(400, 77);
    let mut pairs = Vec::new();
    for seed in 0..5 {
        let found = Clusterer::new(method()).fit(&rows(&overlapping(n, seed))).unwrap();
        assert!(found.calibration().unwrap().is_measured() && found.confidence_note().is_none());
        let sure = found.confidence(&rows(&new)).unwrap();
        for other in 0..8 {
            let fresh = overlapping(n, 1000 + 10 * seed + other);
            let again = Clusterer::new(method()).quality(false).fit(&rows(&fresh)).unwrap();
            let labels = again.predict(&rows(&new)).unwrap();
            let table = Contingency::new(&sure.labels, &labels).unwrap();
            let matched = table.matching();
            for i in 0..labels.len() {
                let place = table.clusters.iter().position(|c| *c == sure.labels[i]).unwrap();
                pairs.push((sure.confidence[i], matched[place] == Some(labels[i])));
            }
        }
    }
    pairs
}

#[test]
fn nine_of_ten_rows_with_confidence_point_nine_keep_their_cluster_in_fresh_samples() {
    for n in [150, 900] {
        for pairs in [seen(|| KMeans::new(3).into(), n), seen(|| Mspc::new(3).into(), n)] {
            let error = calibration_error(&pairs);
            // A refit on 75 rows says less of one on 150.
            assert!(error < if n == 150 { 0.08 } else { 0.06 }, "{n} rows: {error}");
            let kept = |low: f64, high: f64| -> f64 {
                let mine: Vec<&(f64, bool)> =
                    pairs.iter().filter(|p| (low..high).contains(&p.0)).collect();
                mine.iter().filter(|p| p.1).count() as f64 / mine.len().max(1) as f64
            };
            assert!(kept(0.0, 0.75) < 0.8 && kept(0.95, 2.0) > 0.93, "{n} rows");
        }
    }
}

#[test]
fn far_apart_clusters_are_sure_and_rows_between_them_are_not() {
    let cloud = blobs(300, 2, 2, 12.0, 4);
    let found = Mspc::new(2).fit(&rows(&cloud)).unwrap();
    let sure = found.confidence(&rows(&cloud)).unwrap();
    assert!(sure.confidence.iter().all(|c| *c > 0.99));
    let decision = found.decision(&rows(&cloud)).unwrap();
    assert!((0..300).all(|i| sure.margin[i] == decision[(i, 0)].abs()));
    // A row on the boundary, found by halving the way between two rows.
    let (mut a, mut b) = (cloud.x[..2].to_vec(), Vec::new());
    let other = (0..300).find(|&i| sure.labels[i] != sure.labels[0]).unwrap();
    b.extend(&cloud.x[2 * other..2 * other + 2]);
    for _ in 0..60 {
        let middle: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 0.5 * (a + b)).collect();
        let x: MatrixRef<'_> = DenseRef::new(1, 2, &middle).unwrap().into();
        match found.predict(&x).unwrap()[0] == sure.labels[0] {
            true => a = middle,
            false => b = middle,
        }
    }
    let x: MatrixRef<'_> = DenseRef::new(1, 2, &a).unwrap().into();
    assert!((found.confidence(&x).unwrap().confidence[0] - 0.5).abs() < 0.01);
}

#[test]
fn without_refits_the_confidence_says_that_it_was_not_measured() {
    let cloud = blobs(40, 2, 2, 9.0, 4);
    let unjudged = Clusterer::new(KMeans::new(2)).quality(false).fit(&rows(&cloud)).unwrap();
    let few: Vec<[f64; 2]> = cloud.x.chunks_exact(2).take(12).map(|r| [r[0], r[1]]).collect();
    let few = KMeans::new(2).fit(&few).unwrap();
    for found in [unjudged, few] {
        assert!(!found.calibration().unwrap().is_measured());
        assert_eq!(found.confidence_note().unwrap().code, codes::CONFIDENCE_UNMEASURED);
        let sure = found.confidence(&rows(&cloud)).unwrap();
        assert!(sure.confidence.iter().all(|c| (0.5..=1.0).contains(c)));
    }
    // One cluster needs no refits to be sure.
    let one = KMeans::new(1).fit(&rows(&cloud)).unwrap();
    assert_eq!((one.calibration(), one.confidence_note()), (None, None));
    assert!(one.confidence(&rows(&cloud)).unwrap().confidence.iter().all(|c| *c == 1.0));
}

#[test]
fn the_same_answer_for_any_number_of_threads_and_from_a_file() {
    let cloud = overlapping(400, 3);
    let fit = |threads| Clusterer::new(Mspc::new(3)).threads(threads).fit(&rows(&cloud)).unwrap();
    let (one, two) = (fit(1), fit(2));
    assert_eq!(one.calibration(), two.calibration());
    let saved = model_file::from_bytes(&one.to_bytes().unwrap()).unwrap();
    assert_eq!(saved.confidence(&rows(&cloud)).unwrap(), two.confidence(&rows(&cloud)).unwrap());
}

/// From the middle of a cluster to that of another: where the label changes, half of the refits have it on either side.
#[test]
fn on_a_boundary_a_row_is_as_likely_to_be_on_either_side() {
    let cloud = overlapping(600, 5);
    for method in ["mspc", "kmeans", "logistic"] {
        let params = [("n_clusters".to_owned(), 3.into())].into_iter().collect();
        let found = Clusterer::named(method, &params).unwrap().fit(&rows(&cloud)).unwrap();
        let walk: Vec<[f64; 2]> = (0..2001).map(|i| [2.6 * f64::from(i) / 2000.0, 0.0]).collect();
        let sure = found.confidence(&walk).unwrap();
        let edge = (1..walk.len()).find(|&i| sure.labels[i] != sure.labels[i - 1]).unwrap();
        let kept = &found.calibration().unwrap().kept;
        let half = 0.5 * kept[sure.labels[edge] as usize];
        assert!(
            (sure.confidence[edge] - half.max(1.0 / 3.0)).abs() < 0.02,
            "{method}: {}",
            sure.confidence[edge]
        );
        let [first, last] = [sure.margin[0], sure.margin[edge]];
        assert!(first > 0.0 && last >= 0.0 && last < 0.01 * first, "{method}: {first} {last}");
        assert!(sure.confidence[0] > 0.85 * kept[sure.labels[0] as usize], "{method}");
    }
}

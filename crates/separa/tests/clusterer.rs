//! The request and the result: what goes in, what comes out, what is refused, what is saved.

use crate::common;

use common::{StopAt, params};
use separa::methods::Spectral;
use separa::model_file::{self, Saved};
use separa::note::codes;
use separa::prelude::*;
use separa::{CsrRef, Dense, DenseRef, Error, Event, Remedy, Stop, VerdictCode};
use separa_testkit::Covariance;
use separa_testkit::clouds::{Source, blobs, gaussian, sparse_rows};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const ROWS: [[f64; 2]; 6] =
    [[1.0, 200.0], [1.1, 220.0], [0.9, 210.0], [5.0, 900.0], [5.2, 880.0], [4.9, 910.0]];
const TWO: [i32; 6] = [0, 0, 0, 1, 1, 1];

/// Three clear clusters in three features.
fn three() -> Dense {
    Dense::from_vec(240, 3, blobs(240, 3, 3, 9.0, 1).x).unwrap()
}

fn has(found: &Clustering, code: &str) -> bool {
    found.notes().iter().any(|note| note.code == code)
}

/// The JSON header of a container, as it stands in the file, without what only the container needs.
fn header(bytes: &[u8]) -> Value {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let container: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let text = container["__metadata__"]["separa"].as_str().unwrap();
    let mut header: serde_json::Map<String, Value> = serde_json::from_str(text).unwrap();
    for name in ["format", "format_version", "checksum"] {
        assert!(header.remove(name).is_some(), "{name}");
    }
    Value::Object(header)
}

#[test]
fn a_few_lines_fit_judge_predict_save_and_load() {
    let found = Mspc::new(2).fit(&ROWS).unwrap();
    assert_eq!(found.labels(), TWO);
    assert!(!found.quality().unwrap().verdict().is_empty());
    assert_eq!(found.predict(&[[5.1, 905.0]]).unwrap(), [1]);
    let folder = std::env::temp_dir();
    let path = folder.join(format!("separa_clusterer_{}.separa", std::process::id()));
    found.save(&path).unwrap();
    let loaded = model_file::load(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), found.to_bytes().unwrap());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(loaded.predict(&ROWS).unwrap(), TWO);
    assert!(!loaded.has_labels() && loaded.labels().is_empty());
    let gone = model_file::load(&path).unwrap_err().to_string();
    assert!(gone.contains("separa_clusterer_") && gone.contains("cannot be read"), "{gone}");
    let nowhere = found.save(path.join("m.separa")).unwrap_err().to_string();
    assert!(nowhere.contains("cannot be written"), "{nowhere}");
}

#[test]
fn rows_can_be_arrays_slices_vectors_and_matrices() {
    let mspc = || Mspc::new(2);
    let flat = ROWS.concat();
    let dense = DenseRef::new(6, 2, &flat).unwrap();
    let (indptr, indices, values) = sparse_rows(&flat, 2);
    let sparse = CsrRef::new(2, &indptr, &indices, &values).unwrap();
    let vectors: Vec<Vec<f64>> = ROWS.iter().map(|row| row.to_vec()).collect();
    let expected = mspc().fit(&ROWS).unwrap().to_bytes().unwrap();
    for found in [
        mspc().fit(&ROWS[..]),
        mspc().fit(&ROWS.to_vec()),
        mspc().fit(&vectors),
        mspc().fit(&vectors[..]),
        mspc().fit(&dense),
        mspc().fit(&sparse),
        mspc().fit(&Dense::from_vec(6, 2, flat.clone()).unwrap()),
        mspc().fit(&Dataset::new(dense.into()).unwrap()),
    ] {
        assert!(found.unwrap().to_bytes().unwrap() == expected);
    }
}

#[cfg(feature = "ndarray")]
#[test]
fn rows_can_be_an_ndarray_in_either_order() {
    let rows = ndarray::Array2::from_shape_vec((6, 2), ROWS.concat()).unwrap();
    let mut columns = ndarray::Array2::zeros(ndarray::ShapeBuilder::f((6, 2)));
    columns.assign(&rows);
    let expected = Mspc::new(2).fit(&ROWS).unwrap().to_bytes().unwrap();
    assert!(Mspc::new(2).fit(&rows).unwrap().to_bytes().unwrap() == expected);
    assert!(Mspc::new(2).fit(&rows.view()).unwrap().to_bytes().unwrap() == expected);
    assert!(Mspc::new(2).fit(&columns).unwrap().to_bytes().unwrap() == expected);
}

#[cfg(feature = "faer")]
#[test]
fn rows_can_be_a_faer_matrix() {
    let rows = faer::Mat::from_fn(6, 2, |i, j| ROWS[i][j]);
    let expected = Mspc::new(2).fit(&ROWS).unwrap().to_bytes().unwrap();
    assert!(Mspc::new(2).fit(&rows).unwrap().to_bytes().unwrap() == expected);
    assert!(Mspc::new(2).fit(&rows.as_ref()).unwrap().to_bytes().unwrap() == expected);
    let empty = faer::Mat::<f64>::zeros(3, 0);
    assert!(Mspc::new(2).fit(&empty).is_err());
}

#[test]
fn bad_requests_are_refused_with_what_was_expected() {
    let uneven = vec![vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0]];
    let e = Mspc::new(2).fit(&uneven).unwrap_err();
    assert_eq!(e, Error::RowWidth { row: 3, found: 1, expected: 2 });
    assert_eq!(e.to_string(), "row 3 has 1 values, expected 2 as in the first row");
    assert!(Mspc::new(2).fit(&Vec::<Vec<f64>>::new()).is_err());
    let request = || Clusterer::new(Mspc::new(2));
    let said = |r: separa::Result<Clustering>| r.unwrap_err().to_string();
    let memory = said(request().memory("lots").fit(&ROWS));
    assert_eq!(memory, "expected a size like 4G, 500M or a number of bytes, got \"lots\"");
    assert!(said(request().memory(0).fit(&ROWS)).contains("a size above zero"));
    assert_eq!(request().time_limit(Duration::ZERO).check(), Err(Error::NoTime));
    let auto = Clusterer::new(Mspc::auto()).begin_from(&TWO).unwrap();
    assert_eq!(auto.fit(&ROWS).unwrap_err(), Error::AutoInit);
    let none = Clusterer::new(Msc::new(2)).begin_from(&TWO).map(|_| ());
    assert!(matches!(none, Err(Error::NoInit { method: "msc" })));
    assert!(said(request().stability(1).fit(&ROWS)).contains("at least 2 refits, got 1"));
    let slip = Clusterer::named("mspc", &params(&[("n_cluster", json!(2))])).unwrap_err();
    assert!(slip.to_string().ends_with("did you mean `n_clusters`?"), "{slip}");
    assert!(said(Mspc::new(7).fit(&ROWS)).contains("at most the number of rows (6), got 7"));
    let narrow = Mspc::new(2).fit(&ROWS).unwrap().predict(&[[1.0]]).unwrap_err();
    assert!(narrow.to_string().starts_with("table has 1 feature columns"), "{narrow}");
}

#[test]
fn labels_to_begin_from_are_where_the_fit_begins() {
    let x = three();
    let labels: Vec<i32> = (0..240).map(|i| i % 3).collect();
    let found = Clusterer::new(KMeans::new(3)).begin_from(&labels).unwrap().fit(&x).unwrap();
    assert!(found.method().begins_from_labels());
    assert_eq!(found.initializations().len(), 1);
    // They belong to the rows, and a file holds none.
    let saved = model_file::from_bytes(&found.to_bytes().unwrap()).unwrap();
    assert!(!saved.clustering().unwrap().method().begins_from_labels());
}

#[test]
fn one_cluster_that_was_found_has_a_verdict_and_no_quality() {
    let x = Dense::from_vec(200, 2, gaussian(200, 2, Covariance::Spherical, 1)).unwrap();
    let found = Clusterer::new(Mspc::auto()).stability(4).fit(&x).unwrap();
    assert_eq!((found.k(), found.count().unwrap().k, found.sizes()), (1, 1, &[200][..]));
    assert!(has(&found, codes::NO_CLUSTERS) && has(&found, codes::STABILITY_UNKNOWN));
    assert!(found.stability().is_none());
    let verdict = found.verdict();
    assert_eq!(verdict.code, VerdictCode::OneCluster);
    assert!(verdict.text.starts_with("no natural clusters (p = "), "{}", verdict.text);
    let Err(Error::NotJudged { why }) = found.quality() else { panic!("no quality") };
    assert!(why.contains("no separability to judge"), "{why}");
}

/// A plane of uniform rows, twelve times as long as wide: no gaps, and thirds of its length are reproducible.
fn strip(n: usize) -> Dense {
    let mut source = Source::new(4);
    let values = (0..n).flat_map(|_| [12.0 * source.uniform(), source.uniform()]).collect();
    Dense::from_vec(n, 2, values).unwrap()
}

#[test]
fn without_clusters_segments_are_tried_and_the_most_reproducible_is_the_remedy() {
    let x = strip(600);
    for (found, by_kmeans) in [
        (
            Clusterer::new(separa::Auto(KMeans::default().scaling(Scaling::None))).fit(&x).unwrap(),
            false,
        ),
        (Clusterer::new(Spectral::auto()).fit(&x).unwrap(), true),
    ] {
        let counted = found.count().unwrap();
        assert_eq!((counted.k, counted.segments_by_kmeans), (1, by_kmeans));
        assert_eq!(counted.segments.iter().map(|s| s.k).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8]);
        for one in &counted.segments {
            assert!(one.agreement > one.chance && one.agreement <= 1.0, "{one:?}");
            assert!(one.smallest > 0.0 && one.smallest <= 1.0 / one.k as f64, "{one:?}");
        }
        // Two halves of a strip are where everybody puts them, unless columns are scaled to a square.
        assert!(by_kmeans || counted.segments[0].agreement > 0.9, "{:?}", counted.segments);
        let k = counted.best_segments.unwrap();
        let note = found.notes().iter().find(|note| note.code == codes::SEGMENTS).unwrap();
        assert_eq!(note.remedy, Some(Remedy::FitSegments { k }));
        assert!(note.is_to_act_on() && note.text.contains("k-means") == by_kmeans, "{note}");
        let json = serde_json::to_value(&found).unwrap();
        assert_eq!(json["auto"]["best_segments"], k);
        let keys: Vec<&String> = json["auto"]["segments"][0].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["k", "agreement", "chance", "smallest"]);
    }
    // The same for the same seed, on any number of threads.
    let on = |threads| Clusterer::new(Mspc::auto()).threads(threads).fit(&x).unwrap();
    assert_eq!(on(1).count(), on(3).count());
}

#[test]
fn arbitrary_segments_are_not_recommended() {
    let x = Dense::from_vec(400, 10, gaussian(400, 10, Covariance::Spherical, 1)).unwrap();
    let found = Clusterer::new(KMeans::auto()).fit(&x).unwrap();
    let counted = found.count().unwrap();
    assert_eq!((counted.k, counted.segments.len(), counted.best_segments), (1, 7, None));
    let note = found.notes().iter().find(|note| note.code == codes::SEGMENTS).unwrap();
    assert!(note.remedy.is_none() && note.text.contains("arbitrary"), "{note}");
    // Neither are segments of equal rows, of clusters, or of what was not to be judged.
    let equal = Clusterer::new(KMeans::auto()).fit(&Dense::zeros(40, 2)).unwrap();
    assert!(equal.count().unwrap().segments.is_empty());
    let clusters = Clusterer::new(KMeans::auto()).fit(&three()).unwrap();
    assert!(clusters.count().unwrap().segments.is_empty() && !has(&clusters, codes::SEGMENTS));
    let plain = Clusterer::new(KMeans::auto()).quality(false).fit(&x).unwrap();
    assert!(plain.count().unwrap().segments.is_empty());
}

#[test]
fn few_rows_have_few_segments() {
    let found = Clusterer::new(KMeans::auto()).fit(&strip(34)).unwrap();
    let counted = found.count().unwrap();
    // 17 rows of a half, five for each.
    assert_eq!(counted.segments.iter().map(|s| s.k).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_count_that_the_clock_ends_says_so_and_gives_a_range() {
    let unclear = (0..30)
        .map(|seed| Dense::from_vec(400, 3, blobs(400, 3, 6, 3.5, seed).x).unwrap())
        .find(|x| {
            Clusterer::new(KMeans::auto()).fit(x).unwrap().count().unwrap().k_per_run.len() > 3
        })
        .expect("some are unclear");
    let short = Duration::from_nanos(1);
    let found = Clusterer::new(KMeans::auto()).count_limit(short).fit(&unclear).unwrap();
    let counted = found.count().unwrap();
    assert_eq!((counted.k_per_run.len(), counted.stopped), (3, true));
    assert_eq!(counted.time_limit, Some(1e-9));
    let [low, high] = counted.range.unwrap();
    assert!(low <= counted.k && counted.k <= high);
    let note = found.notes().iter().find(|note| note.code == codes::COUNT_STOPPED).unwrap();
    assert!(note.text.contains("time limit") && note.remedy == Some(Remedy::MoreTime), "{note}");
    // The fit itself had all the time it wanted.
    assert!(!has(&found, codes::TIME_LIMIT));
    let zero = Clusterer::new(KMeans::auto()).count_limit(Duration::ZERO);
    assert_eq!(zero.check(), Err(Error::NoTime));
    // A limit for the whole holds for both.
    let whole = Clusterer::new(KMeans::auto()).time_limit(short).fit(&unclear).unwrap();
    assert!(has(&whole, codes::TIME_LIMIT) && whole.count().unwrap().time_limit.is_some());
}

#[test]
fn an_interrupted_fit_keeps_its_labels_and_is_not_judged() {
    let x = Dense::from_vec(800, 5, blobs(800, 5, 4, 1.0, 3).x).unwrap();
    let found = Clusterer::new(KMeans::new(4)).observe(StopAt(1)).fit(&x).unwrap();
    assert_eq!((found.stop(), found.was_interrupted()), (Stop::Cancelled, true));
    assert_eq!(found.predict(&x).unwrap(), found.labels());
    let note = found.notes().iter().find(|note| note.code == codes::NOT_JUDGED).unwrap();
    assert!(note.is_warning() && note.text.starts_with("interrupted"), "{note}");
    assert_eq!(found.quality().unwrap_err().to_string(), note.text);
    assert_eq!(found.verdict().code, VerdictCode::NotJudged);
}

#[test]
fn a_fit_that_its_clock_ends_is_judged_with_its_labels_as_given() {
    let x = Dense::from_vec(3000, 20, blobs(3000, 20, 12, 2.0, 3).x).unwrap();
    let short = Duration::from_nanos(1);
    let found = Clusterer::new(KMeans::new(12)).time_limit(short).fit(&x).unwrap();
    assert_eq!((found.stop(), found.was_interrupted()), (Stop::Cancelled, false));
    assert!(has(&found, codes::TIME_LIMIT) && found.quality().is_ok());
    assert_eq!(found.labels().len(), 3000);
    let long =
        Clusterer::new(KMeans::new(12)).time_limit(Duration::from_secs(3600)).fit(&x).unwrap();
    assert!(!has(&long, codes::TIME_LIMIT) && long.stop() != Stop::Cancelled);
}

#[test]
fn quality_that_is_not_wanted_is_not_measured_and_nothing_else_changes() {
    let x = three();
    let judged = Clusterer::new(Mspc::new(3)).fit(&x).unwrap();
    let plain = Clusterer::new(Mspc::new(3)).quality(false).fit(&x).unwrap();
    assert_eq!(plain.labels(), judged.labels());
    assert_eq!(plain.model().tensors(), judged.model().tensors());
    let why = "the separability of the clusters was not judged".to_owned();
    assert_eq!(plain.quality(), Err(Error::NotJudged { why }));
    assert!(judged.quality().is_ok() && !has(&plain, codes::NOT_JUDGED));
    assert_eq!(judged.verdict().code, judged.quality().unwrap().verdict_code());
}

#[test]
fn stability_is_measured_if_it_is_asked_for() {
    let x = three();
    let request = Clusterer::new(KMeans::new(3)).stability(6);
    let found = request.fit(&x).unwrap();
    let stability = found.stability().unwrap();
    assert_eq!((stability.refits, stability.jaccard.len(), stability.failed), (6, 3, 0));
    assert!(!has(&found, codes::REFITS_FAILED) && !has(&found, codes::STABILITY_UNKNOWN));
    let without = request.without_refits().fit(&x).unwrap();
    assert!(without.stability().is_none() && without.labels() == found.labels());
    // Halves with fewer rows than clusters cannot be fitted: the labels are kept, and it is said why.
    let few = Clusterer::new(KMeans::new(5)).stability(4).fit(&ROWS).unwrap();
    assert!(few.stability().is_none() && few.labels().len() == 6);
    let note = few.notes().iter().find(|note| note.code == codes::STABILITY_UNKNOWN).unwrap();
    assert!(note.is_warning() && note.text.contains("ask for fewer clusters"), "{note}");
}

#[test]
fn the_serialised_form_is_the_header_of_the_file_and_survives_it() {
    let x = three();
    let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
    let table = Dataset::with_names(x.view().into(), Some(&names)).unwrap();
    let requests = [
        Clusterer::new(Mspc::auto()).seed(7).stability(4),
        Clusterer::new(Spectral::new(3)),
        Clusterer::new(Cdsk::new(3)).quality(false),
        Clusterer::new(KMeans::new(1)),
    ];
    for request in requests {
        let found = request.fit(&table).unwrap();
        let bytes = found.to_bytes().unwrap();
        let answer = serde_json::to_value(&found).unwrap();
        assert_eq!(header(&bytes), answer);
        let Saved::Clustering(again) = model_file::from_bytes(&bytes).unwrap() else {
            panic!("a clustering")
        };
        assert_eq!(serde_json::to_value(&again).unwrap(), answer);
        assert_eq!(again.to_bytes().unwrap(), bytes);
        assert_eq!(again.quality(), found.quality());
        assert_eq!((again.count(), again.verdict()), (found.count(), found.verdict()));
        assert_eq!((again.notes(), again.params()), (found.notes(), found.params()));
        assert_eq!(again.feature_names(), Some(&names[..]));
        assert_eq!(again.predict(&table).unwrap(), found.labels());
    }
}

#[test]
fn a_trained_classifier_is_the_header_of_its_file_and_survives_it() {
    let cloud = blobs(120, 3, 2, 4.0, 4);
    let x = Dense::from_vec(120, 3, cloud.x).unwrap();
    let names: Vec<String> = cloud.labels.iter().map(|l| format!("class {l}")).collect();
    let target = Target::from_texts("y", &names).unwrap();
    let trained = Trainer::new(Mpm::default()).cross_validate(3).fit(&x, &target).unwrap();
    assert_eq!(trained.cross_validated().unwrap().folds.len(), 3);
    let bytes = trained.to_bytes().unwrap();
    let answer = serde_json::to_value(&trained).unwrap();
    assert_eq!(header(&bytes), answer);
    let saved = model_file::from_bytes(&bytes).unwrap();
    assert_eq!(serde_json::to_value(&saved).unwrap(), answer);
    assert_eq!(saved.to_bytes().unwrap(), bytes);
    let refused = saved.clustering().map(|_| ()).unwrap_err().to_string();
    assert!(refused.starts_with("mpm is a classifier"), "{refused}");
}

#[test]
fn bytes_are_a_function_of_the_clustering_on_any_number_of_threads() {
    let x = Dense::from_vec(2600, 4, blobs(2600, 4, 2, 3.0, 2).x).unwrap();
    for method in ["mspc", "kmeans", "logistic"] {
        let run = |threads| {
            let request = Clusterer::named(method, &params(&[("n_clusters", json!(2))])).unwrap();
            let found = request.threads(threads).memory("1G").stability(3).fit(&x).unwrap();
            found.to_bytes().unwrap()
        };
        let one = run(1);
        assert!(run(1) == one && run(3) == one, "{method}");
    }
}

/// Writes down what is heard.
struct Heard(Arc<Mutex<Vec<Event>>>);

impl Observer for Heard {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        self.0.lock().unwrap().push(event.clone());
        ControlFlow::Continue(())
    }
}

#[test]
fn the_observer_hears_the_fit_and_the_refits_but_not_their_parts() {
    let heard: Arc<Mutex<Vec<Event>>> = Arc::default();
    let request = Clusterer::new(KMeans::new(2)).stability(4).observe(Heard(heard.clone()));
    request.fit(&blobs_of_two()).unwrap();
    let heard = heard.lock().unwrap();
    let at = |event: &Event| heard.iter().position(|e| e == event);
    let quality = at(&Event::Phase { name: "quality" }).unwrap();
    let refit = at(&Event::Start { index: 0, of: 4, name: "refit".to_owned() }).unwrap();
    let shown = |e: &Event| matches!(e, Event::Iteration { .. });
    assert!(heard[..quality].iter().any(shown) && quality < refit);
    assert!(!heard[quality..].iter().any(shown));
    assert!(heard[quality..].contains(&Event::Tick));
}

fn blobs_of_two() -> Dense {
    Dense::from_vec(80, 2, blobs(80, 2, 2, 6.0, 1).x).unwrap()
}

//! Work that is ended in the middle: how soon, and what is left. Counted by checks, not by time.

use crate::common;

use common::params;
use separa::registry::{CLASSIFIERS, METHODS};
use separa::{
    Clusterer, Clustering, Comparer, DenseRef, Error, Event, Interrupt, MatrixRef, Observer,
    Target, Trainer,
};
use separa_testkit::clouds::{Cloud, blobs};
use serde_json::json;
use std::ops::ControlFlow;

/// Checks that the work has for what it can finish; it has them twice.
const GRACE: u64 = 60;
/// Places that each method is ended at.
const PLACES: u64 = 8;

/// Hears nothing, and ends the work at a check.
struct EndsAt(Interrupt);

impl Observer for EndsAt {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(self.0.clone())
    }
}

fn dense(cloud: &Cloud) -> MatrixRef<'_> {
    DenseRef::new(cloud.n, cloud.d, &cloud.x).unwrap().into()
}

/// Ends the work at places spread over all its checks, the last of which it does not reach; `found` looks at what is left.
fn ended_everywhere<T>(
    name: &str,
    run: impl Fn(Interrupt) -> Result<T, Error>,
    found: impl Fn(T, &str),
) {
    let whole = Interrupt::at_check(u64::MAX, 0);
    run(whole.clone()).unwrap();
    let all = whole.checks();
    assert!(all > 0 && !whole.ended(), "{name} is never asked whether it should end");
    for place in 0..PLACES {
        let at = 1 + all * place / PLACES;
        let handle = Interrupt::at_check(at, GRACE);
        let said = format!("{name}, ended at check {at} of {all}");
        match run(handle.clone()) {
            Ok(left) => found(left, &said),
            Err(Error::Interrupted { .. }) => {}
            Err(e) => panic!("{said}: {e}"),
        }
        let more = handle.checks() - at;
        // Parts that begin after that end at their first check.
        assert!(more <= 3 * GRACE, "{said}: {more} checks were made after it");
    }
}

fn valid(found: &Clustering, rows: MatrixRef<'_>, said: &str) {
    assert!(found.was_interrupted(), "{said}");
    assert_eq!(found.predict(&rows).unwrap(), found.labels(), "{said}");
    let k = found.k() as i32;
    assert!(found.labels().iter().all(|l| (0..k).contains(l)), "{said}");
    let bytes = found.to_bytes().unwrap();
    let loaded = separa::model_file::from_bytes(&bytes).unwrap();
    let (a, b) = (found.decision(&rows).unwrap(), loaded.decision(&rows).unwrap());
    assert_eq!(a.data(), b.data(), "{said}");
}

#[test]
fn every_method_ends_soon_at_any_check_with_valid_labels_or_none() {
    let cloud = blobs(500, 4, 3, 3.0, 5);
    for entry in METHODS {
        let given = params(&[("n_clusters", json!(3))]);
        let run = |handle: Interrupt| {
            let request = Clusterer::named(entry.name, &given)?.threads(1).stability(2);
            request.observe(EndsAt(handle)).fit(&dense(&cloud))
        };
        ended_everywhere(entry.name, run, |found, said| valid(&found, dense(&cloud), said));
    }
}

#[test]
fn counting_clusters_ends_soon_with_the_runs_so_far_or_none() {
    let cloud = blobs(1500, 5, 4, 4.0, 6);
    let run = |handle: Interrupt| {
        let request = Clusterer::named("mspc", &params(&[("n_clusters", json!("auto"))]))?;
        request.threads(1).observe(EndsAt(handle)).fit(&dense(&cloud))
    };
    ended_everywhere("auto", run, |found, said| valid(&found, dense(&cloud), said));
}

#[test]
fn every_classifier_ends_soon_at_any_check() {
    let cloud = blobs(400, 4, 2, 2.0, 7);
    let names = ["a", "b"].map(str::to_owned).to_vec();
    let target = Target::new(cloud.labels.iter().map(|l| *l as u32).collect(), names).unwrap();
    for entry in CLASSIFIERS {
        let run = |handle: Interrupt| {
            let request = Trainer::named(entry.name, &params(&[]))?.threads(1);
            request.observe(EndsAt(handle)).fit(&dense(&cloud), &target)
        };
        ended_everywhere(entry.name, run, |trained, said| {
            let labels = trained.predict(&dense(&cloud)).unwrap();
            assert!(labels.iter().all(|l| (0..2).contains(l)), "{said}");
        });
    }
}

#[test]
fn a_comparison_that_is_ended_names_what_was_not_done() {
    let cloud = blobs(600, 4, 2, 3.0, 8);
    let compare = |handle: Interrupt| {
        let request =
            Comparer::named(&["kmeans", "spectral"], &params(&[("n_clusters", json!(2))]));
        request?.observe(EndsAt(handle)).fit(&dense(&cloud), None)
    };
    let ended = compare(Interrupt::at_check(1, 0));
    assert!(matches!(ended, Err(Error::Interrupted { .. })), "{ended:?}");
    assert!(compare(Interrupt::at_check(u64::MAX, 0)).is_ok());
}

#[test]
fn a_handle_that_is_not_used_changes_nothing() {
    let cloud = blobs(500, 3, 3, 3.0, 9);
    for entry in METHODS {
        let request = Clusterer::named(entry.name, &params(&[("n_clusters", json!(3))])).unwrap();
        let plain = request.clone().fit(&dense(&cloud)).unwrap();
        let watched = request.observe(EndsAt(Interrupt::default())).fit(&dense(&cloud)).unwrap();
        assert!(plain.to_bytes().unwrap() == watched.to_bytes().unwrap(), "{}", entry.name);
    }
}

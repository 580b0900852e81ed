//! Comparisons of methods: ranks without labels, budgets, failures.

use crate::common;

use common::params;
use separa::compare::{Comparison, MethodResult, Status};
use separa::registry::METHODS;
use separa::{Comparer, Dataset, DenseRef, Event, MemoryBudget, Observer};
use separa_testkit::clouds::{self, Covariance, two_gaussians};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn data(x: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

fn plan(names: &[&str], k: impl Into<serde_json::Value>) -> Comparer<'static> {
    let given = params(&[("n_clusters", k.into())]);
    Comparer::named(names, &given).unwrap().memory(MemoryBudget::default())
}

fn run(data: &Dataset<'_>, plan: &Comparer<'_>) -> separa::Result<Comparison> {
    plan.fit(data, None)
}

fn labels(result: &MethodResult) -> &[i32] {
    result.clustering.as_ref().map_or(&[], |found| found.labels())
}

/// Two groups, and a column of noise in units of its own.
fn hidden(n: usize) -> (Vec<f64>, Vec<i32>) {
    let cloud = two_gaussians(n, 3, 0.5, 8.0, 1);
    let mut x = cloud.x;
    let mut source = clouds::Source::new(2);
    x.chunks_exact_mut(3).for_each(|row| row[2] = 1e4 * source.normal());
    (x, cloud.labels)
}

#[test]
fn all_methods_are_ranked_and_the_one_that_can_bend_comes_first() {
    let clouds::Cloud { x, labels: truth, .. } = clouds::moons(600, 0.05, 1);
    let names = ["kmeans", "spectral", "logistic"];
    let found = plan(&names, 2).fit(&data(&x, 2), Some(&truth)).unwrap();
    let order: Vec<&str> = found.results.iter().map(|line| line.method).collect();
    let told: Vec<_> =
        found.results.iter().map(|l| (l.method, l.score, l.truth.unwrap().accuracy)).collect();
    assert_eq!(order[0], "spectral", "{told:?}");
    let ranks: Vec<_> = found.results.iter().map(|line| line.rank).collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3)]);
    assert!(found.gap_found && found.verdict.contains("comes first"), "{}", found.verdict);
    for line in &found.results {
        let truth = line.truth.unwrap();
        assert_eq!(truth.accuracy > 0.95, line.method == "spectral", "{} {truth:?}", line.method);
        assert_eq!((line.status, line.k()), (Status::Done, Some(2)));
        assert_eq!(labels(line).len(), 600);
        assert!(line.quality().is_some() && line.agreement.is_some());
    }
}

#[test]
fn every_method_that_takes_rows_is_in_all() {
    let all: Vec<_> = METHODS.iter().filter(|entry| !entry.sequences).collect();
    assert!(all.len() >= 10);
    let (x, _) = hidden(80);
    let found = run(&data(&x, 3), &plan(&["all"], 2)).unwrap();
    assert_eq!(found.results.len(), all.len());
    assert!(found.results.iter().all(|line| line.status == Status::Done), "{:?}", found.results);
}

#[test]
fn one_cloud_is_said_to_be_one() {
    for seed in 0..5 {
        let x = clouds::gaussian(400, 4, Covariance::Correlated, seed);
        let found = run(&data(&x, 4), &plan(&["mspc", "kmeans", "logistic"], 2)).unwrap();
        assert!(
            !found.gap_found && found.verdict.starts_with("no method found"),
            "{}",
            found.verdict
        );
    }
}

#[test]
fn several_p_values_are_paid_for() {
    let (x, _) = hidden(60);
    let found = run(&data(&x, 3), &plan(&["mspc", "logistic"], 2)).unwrap();
    let p = |l: &MethodResult| l.quality().unwrap().p_unimodal.unwrap();
    let least = found.results.iter().map(p).fold(f64::INFINITY, f64::min);
    assert_eq!(found.p_unimodal, Some((2.0 * least).min(1.0)));
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let (x, _) = hidden(150);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| run(&data(&x, 3), &plan(&["all"], 3)).unwrap());
        let line = |l: &MethodResult| (l.method, l.score, labels(l).to_vec(), l.agreement);
        found.results.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_method_that_fails_is_told_and_the_others_go_on() {
    let (x, _) = hidden(2000);
    // Enough for centres, too little for pairs of rows and their landmarks.
    let small = plan(&["kmeans", "cdsk"], 2).memory(300_000.into());
    let found = run(&data(&x, 3), &small).unwrap();
    let [done, failed] = found.results.as_slice() else { panic!("two lines") };
    assert_eq!((done.method, done.status, done.rank), ("kmeans", Status::Done, Some(1)));
    assert_eq!((failed.method, failed.status, failed.rank), ("cdsk", Status::Failed, None));
    assert!(failed.error.as_ref().unwrap().contains("memory"), "{:?}", failed.error);
}

#[test]
fn where_all_fail_the_reasons_are_the_error() {
    let (x, _) = hidden(2000);
    let small = plan(&["cdsk", "msc"], 2).memory(1.into());
    let said = run(&data(&x, 3), &small).unwrap_err().to_string();
    assert!(said.starts_with("all methods failed: cdsk: ") && said.contains("; msc: "), "{said}");
}

#[test]
fn a_time_limit_stops_a_method_with_its_best_so_far() {
    let cloud = clouds::blobs(3000, 20, 12, 2.0, 3);
    let short = plan(&["kmeans"], 12).time_limit(Duration::from_nanos(1));
    let found = run(&data(&cloud.x, 20), &short).unwrap();
    assert_eq!((found.results[0].status, found.results[0].rank), (Status::TimeLimit, Some(1)));
    assert_eq!(labels(&found.results[0]).len(), 3000);
    let long = plan(&["kmeans"], 12).time_limit(Duration::from_secs(3600));
    assert_eq!(run(&data(&cloud.x, 20), &long).unwrap().results[0].status, Status::Done);
    // Counting has the same limit: of runs that do not agree, the first three.
    let runs = |x: &[f64], limit: Option<Duration>| {
        let counting = plan(&["kmeans"], "auto");
        let counting = match limit {
            Some(limit) => counting.time_limit(limit),
            None => counting,
        };
        let counted = run(&data(x, 3), &counting).unwrap().auto.unwrap();
        (counted.k_per_run.len(), counted.stopped)
    };
    let mut close = (0..30).map(|seed| clouds::blobs(400, 3, 6, 3.5, seed).x);
    let unclear = close.find(|x| runs(x, None).0 > 3).expect("some are unclear");
    assert_eq!(runs(&unclear, Some(Duration::from_nanos(1))), (3, true));
}

#[test]
fn bad_plans_are_refused_by_name() {
    let (x, _) = hidden(40);
    let table = data(&x, 3);
    let said = |r: separa::Result<Comparison>| r.unwrap_err().to_string();
    let methods = |names: &[&str]| Comparer::named(names, &params(&[])).unwrap_err().to_string();
    assert_eq!(methods(&["kmean"]), "unknown method `kmean`, did you mean `kmeans`?");
    assert!(methods(&["mspc", "mspc"]).contains("named twice"));
    assert!(methods(&[]).contains("no method is named"));
    assert!(methods(&["mpm"]).contains("is a classifier"));
    let zero = plan(&["mspc"], 2).time_limit(Duration::ZERO);
    assert!(said(run(&table, &zero)).contains("the time limit is 0 s"));
    let none = plan(&["mspc"], 2).memory(0.into());
    assert!(said(run(&table, &none)).contains("expected a size above zero"));
    assert!(said(run(&table, &plan(&["mspc"], 0))).contains("n_clusters"));
    // More clusters than rows: every method says so itself.
    assert!(said(run(&table, &plan(&["mspc", "kmeans"], 99))).contains("all methods failed"));
    let bags = [0..20, 20..40];
    let bagged = table.with_bags(&bags).unwrap();
    assert!(said(run(&bagged, &plan(&["msc"], 2))).contains("not on bags"));
}

/// Writes down what begins, and ends the work after some of it.
#[derive(Clone)]
struct Until(Arc<Mutex<Vec<String>>>, usize);

impl Observer for Until {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        let mut heard = self.0.lock().unwrap();
        if let Event::Start { name, .. } = event {
            heard.push(name.clone());
        }
        if heard.len() > self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn progress_is_told_and_an_interrupt_keeps_what_is_done() {
    let (x, _) = hidden(100);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let names = ["mspc", "kmeans", "logistic", "mrmc"];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let go = |after| {
        heard.lock().unwrap().clear();
        let watched = plan(&names, 2).observe(Until(heard.clone(), after));
        pool.install(|| run(&data(&x, 3), &watched))
    };
    let found = go(9).unwrap();
    assert_eq!(*heard.lock().unwrap(), names);
    assert!(found.results.iter().all(|line| line.rank.is_some()));
    let found = go(2).unwrap();
    let states: Vec<Status> = found.results.iter().map(|line| line.status).collect();
    assert_eq!(states.iter().filter(|s| **s == Status::Done).count(), 2, "{states:?}");
    assert_eq!(states.iter().filter(|s| **s == Status::Interrupted).count(), 2, "{states:?}");
    assert!(go(0).unwrap_err().to_string().contains("interrupted before any method was done"));
}

#[test]
fn the_number_of_clusters_is_found_once_for_all_methods() {
    let (x, _) = hidden(300);
    let found = run(&data(&x, 3), &plan(&["kmeans", "mspc"], "auto")).unwrap();
    assert_eq!(found.auto.as_ref().map(|counted| counted.k), Some(2));
    assert!(found.results.len() == 2 && found.results.iter().all(|line| line.k() == Some(2)));
    let given = run(&data(&x, 3), &plan(&["kmeans", "mspc"], 2)).unwrap();
    assert_eq!(labels(&found.results[0]), labels(&given.results[0]));
}

#[test]
fn one_cloud_is_said_to_be_one_and_no_method_runs() {
    let mut source = clouds::Source::new(5);
    let x: Vec<f64> = (0..600).map(|_| source.normal()).collect();
    let found = run(&data(&x, 2), &plan(&["kmeans", "mspc"], "auto")).unwrap();
    assert!(found.results.is_empty() && !found.gap_found);
    assert!(found.verdict.starts_with("no natural clusters (p = "), "{}", found.verdict);
}

#[test]
fn what_was_found_is_where_every_method_begins() {
    // Thirty outliers: counted as a cluster, and not excluded by mspc.
    let cloud = two_gaussians(400, 3, 0.5, 14.0, 1);
    let mut source = clouds::Source::new(2);
    let far = (0..90).map(|_| 1000.0 + source.normal());
    let x: Vec<f64> = cloud.x.iter().copied().chain(far).collect();
    let truth: Vec<i32> = cloud.labels.iter().copied().chain([2; 30]).collect();
    let plan = plan(&["mspc", "kmeans"], "auto");
    let found = plan.fit(&data(&x, 3), Some(&truth)).unwrap();
    for line in &found.results {
        assert_eq!(line.truth.as_ref().unwrap().ari, 1.0, "{}", line.method);
    }
}

//! Cases at the edge of what methods promise, each once found wrong.

use crate::common;

use common::{error, table};
use separa::methods::{Mspc, Solver};
use separa::params::Scaling;
use separa::registry::METHODS;
use separa::{CsrRef, Ctx, Dataset, Event, Init, Method, Model, Observer, Stop, Threads};
use separa_testkit::clouds::{Source, blobs, two_gaussians};
use serde_json::{Map, json};
use std::ops::ControlFlow;

fn labels(x: &[f64], d: usize, params: Mspc) -> Vec<i32> {
    params.solve(&Dataset::new(table(x, d)).unwrap(), &mut Ctx::new(0)).unwrap().labels
}

#[test]
fn the_share_floor_is_taken_of_the_rows_a_start_was_tried_on() {
    // Above 8,192 rows initializations are tried on a sample; a group of 6 % must not look like 0.5 %.
    for n in [4_000, 60_000] {
        let cloud = two_gaussians(n, 4, 0.06, 9.0, 3);
        let data = Dataset::new(table(&cloud.x, 4)).unwrap();
        let fit = Mspc { robust: false, ..Mspc::default() }.solve(&data, &mut Ctx::new(0)).unwrap();
        assert!(
            fit.report.initializations.iter().all(|s| s.score > -900.0),
            "{:?}",
            fit.report.initializations
        );
    }
}

#[test]
fn the_scale_of_weights_does_not_matter_and_integer_weights_are_copies() {
    let cloud = blobs(200, 3, 2, 4.0, 6);
    let mut source = Source::new(1);
    let whole: Vec<f64> = (0..200).map(|_| 1.0 + source.below(3) as f64).collect();
    let copies: Vec<usize> = (0..200).flat_map(|i| vec![i; whole[i] as usize]).collect();
    let copied: Vec<f64> =
        copies.iter().flat_map(|&i| cloud.x[3 * i..3 * i + 3].to_vec()).collect();
    let run = |scale: f64| {
        let weights: Vec<f64> = whole.iter().map(|w| w * scale).collect();
        let data = Dataset::new(table(&cloud.x, 3)).unwrap().with_weights(&weights).unwrap();
        let init = Init::Labels(cloud.labels.clone());
        Mspc { init, ..Mspc::default() }.solve(&data, &mut Ctx::new(0)).unwrap()
    };
    let one = run(1.0);
    for scale in [1e-9, 1.0 / 400.0, 7.0, 1e6] {
        assert_eq!(run(scale).labels, one.labels, "weights times {scale}");
    }
    let init = Init::Labels(copies.iter().map(|&i| cloud.labels[i]).collect());
    let data = Dataset::new(table(&copied, 3)).unwrap();
    let many = Mspc { init, ..Mspc::default() }.solve(&data, &mut Ctx::new(0)).unwrap();
    let (a, b) = (one.model.linear().unwrap(), many.model.linear().unwrap());
    for (p, q) in a.0.data().iter().zip(b.0.data()) {
        assert!((p - q).abs() < 1e-9 * (1.0 + p.abs()), "{p} {q}");
    }
}

#[test]
fn units_are_heard_with_more_columns_than_rows() {
    // Forty columns of large unit carry one grouping, the many small ones another.
    let mut source = Source::new(2);
    let (n, d) = (60, 200);
    let mut x = source.normals(n * d);
    for (i, row) in x.chunks_exact_mut(d).enumerate() {
        row[..40].iter_mut().for_each(|v| *v = 1000.0 * (*v + if i % 2 == 0 { 4.0 } else { 0.0 }));
        row[40..].iter_mut().for_each(|v| *v += if i % 3 == 0 { 4.0 } else { 0.0 });
    }
    let halves: Vec<i32> = (0..n as i32).map(|i| i % 2).collect();
    let thirds: Vec<i32> = (0..n as i32).map(|i| i32::from(i % 3 == 0)).collect();
    let with = |scaling| labels(&x, d, Mspc { scaling, ..Mspc::default() });
    assert_eq!(error(&with(Scaling::None), &halves), 0.0);
    assert_eq!(error(&with(Scaling::Standard), &thirds), 0.0);
    let paper = Mspc { solver: Solver::EigPaper, ..Mspc::default() };
    let data = Dataset::new(table(&x, d)).unwrap();
    assert!(paper.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string().contains("eig-paper"));
}

#[test]
fn sparse_counts_are_clustered_though_no_column_varies_in_its_middle() {
    let (n, d) = (600, 120);
    let mut source = Source::new(9);
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..n {
        let topic = i % 2;
        let mut words: Vec<u32> = (0..2).map(|_| (topic * 60 + source.below(60)) as u32).collect();
        words.sort_unstable();
        words.dedup();
        values.extend(words.iter().map(|_| 1.0 + source.below(3) as f64));
        indices.extend(words);
        indptr.push(indices.len());
    }
    let x = CsrRef::new(d, &indptr, &indices, &values).unwrap();
    let data = Dataset::new(x.into()).unwrap();
    let fit = Mspc::default().solve(&data, &mut Ctx::new(0)).unwrap();
    assert_eq!(fit.labels.len(), n);
    assert!(fit.report.objective.is_finite());
}

#[test]
fn a_fit_stopped_at_any_kind_of_event_says_cancelled() {
    let whens: [fn(&Event) -> bool; 4] = [
        |_| true,
        |e| matches!(e, Event::Start { index: 1, .. }),
        |e| matches!(e, Event::Phase { name: "initializations" }),
        |e| matches!(e, Event::Iteration { iteration: 3, .. }),
    ];
    for k in [1, 2, 4] {
        let cloud = blobs(400, 3, k, 0.5, 2);
        let data = Dataset::new(table(&cloud.x, 3)).unwrap();
        for (which, when) in whens.into_iter().enumerate() {
            let mut rang = false;
            let watch = Spy { when, rang: &mut rang };
            let params = Mspc { n_clusters: k, ..Mspc::default() };
            let stop = params.solve(&data, &mut Ctx::observed(0, watch)).unwrap().report.stop;
            assert_eq!(stop == Stop::Cancelled, rang, "k = {k}, event {which}: {stop:?}");
        }
    }
}

/// Stops once and remembers that it did.
struct Spy<'a> {
    when: fn(&Event) -> bool,
    rang: &'a mut bool,
}

impl Observer for Spy<'_> {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        *self.rang |= (self.when)(event);
        if *self.rang { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn rounds_never_exceed_max_iter() {
    let cloud = blobs(900, 4, 5, 0.3, 1);
    for max_iter in [1, 5, 40] {
        let params = Mspc { n_clusters: 5, max_iter, tol: 0.0, ..Mspc::default() };
        let data = Dataset::new(table(&cloud.x, 4)).unwrap();
        let report = params.solve(&data, &mut Ctx::new(0)).unwrap().report;
        assert!(report.iterations <= max_iter && report.trace.len() == report.iterations);
    }
}

#[test]
fn wide_long_dual_and_kernel_fits_do_not_depend_on_threads() {
    let setups: [(usize, usize, usize, Mspc); 4] = [
        (9_000, 6, 3, Mspc { n_clusters: 3, ..Mspc::default() }),
        (700, 220, 2, Mspc::default()),
        (80, 200, 2, Mspc::default()),
        (600, 3, 2, serde_json::from_value(json!({ "kernel": "rbf" })).unwrap()),
    ];
    for (n, d, k, params) in setups {
        let cloud = blobs(n, d, k, 3.0, 5);
        let data = Dataset::new(table(&cloud.x, d)).unwrap();
        let run = |threads| {
            let mut ctx = Ctx::new(1);
            ctx.threads = Threads(Some(threads));
            let fit = params.clone().solve(&data, &mut ctx).unwrap();
            (fit.labels, fit.model.tensors(), fit.report)
        };
        let one = run(1);
        assert!(run(2) == one && run(4) == one, "{n} x {d}");
    }
}

#[test]
fn units_do_not_matter_on_long_and_on_wide_tables() {
    for (n, d, k) in [(9_000, 5, 3), (400, 120, 2), (60, 150, 2)] {
        let cloud = blobs(n, d, k, 3.0, 8);
        let mut source = Source::new(4);
        let factors: Vec<f64> = (0..d).map(|_| 10f64.powf(12.0 * source.uniform() - 6.0)).collect();
        let mut scaled = cloud.x.clone();
        for row in scaled.chunks_exact_mut(d) {
            row.iter_mut().zip(&factors).for_each(|(v, f)| *v *= f);
        }
        let params = Mspc { n_clusters: k, ..Mspc::default() };
        assert_eq!(labels(&cloud.x, d, params.clone()), labels(&scaled, d, params), "{n} x {d}");
    }
}

#[test]
fn odd_parameters_are_errors_not_panics() {
    let cloud = blobs(30, 2, 2, 5.0, 1);
    let data = Dataset::new(table(&cloud.x, 2)).unwrap();
    for entry in METHODS {
        let mut far = vec![0; 30];
        far[0] = i32::MAX;
        for (name, value) in [
            ("n_init", json!(u64::MAX)),
            ("init", json!(far)),
            ("init", json!("sideways")),
            ("tol", json!(-1.0)),
        ] {
            let given = Map::from_iter([(name.to_owned(), value)]);
            let fit = entry.solve(&given, &data, &mut Ctx::new(0));
            // Far-away label numbers are two clusters like any other for methods that renumber.
            assert!(fit.is_err() || name == "init", "{} {name}", entry.name);
        }
    }
    for degree in [json!(0), json!(4_000_000_000u32)] {
        let given = json!({ "kernel": "poly", "degree": degree });
        let run =
            separa::registry::solve("mspc", given.as_object().unwrap(), &data, &mut Ctx::new(0));
        assert!(run.unwrap_err().to_string().contains("`degree`"));
    }
}

#[test]
fn given_clusters_need_rows_that_count() {
    let cloud = blobs(40, 2, 2, 5.0, 1);
    let weights: Vec<f64> = cloud.labels.iter().map(|l| f64::from(1 - *l)).collect();
    let data = Dataset::new(table(&cloud.x, 2)).unwrap().with_weights(&weights).unwrap();
    let params = Mspc { init: Init::Labels(cloud.labels.clone()), ..Mspc::default() };
    let message = params.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string();
    assert!(message.contains("positive weight"), "{message}");
}

#[test]
fn rows_that_are_not_finite_are_named_by_predict() {
    let cloud = blobs(60, 2, 3, 5.0, 1);
    let data = Dataset::new(table(&cloud.x, 2)).unwrap();
    for entry in METHODS {
        for k in [2, 3] {
            let given = Map::from_iter([("n_clusters".to_owned(), json!(k))]);
            let fit = entry.solve(&given, &data, &mut Ctx::new(0)).unwrap();
            let bad = [0.0, 0.0, 1.0, f64::NAN];
            let message = fit.model.predict(table(&bad, 2)).unwrap_err().to_string();
            assert!(message.starts_with("row 2 holds"), "{}: {message}", entry.name);
        }
    }
}

#[test]
fn names_that_do_not_fit_the_columns_are_refused() {
    let cloud = blobs(30, 2, 2, 5.0, 1);
    let names = vec!["only".to_owned()];
    let message = Dataset::with_names(table(&cloud.x, 2), Some(&names)).unwrap_err().to_string();
    assert!(message.contains("1 column names"), "{message}");
}

//! k-means as users see it: against scikit-learn, its own definition and itself.

use proptest::prelude::*;
use separa::ScaledModel;
use separa::methods::{KMeans, KMeansModel};
use separa::params::Scaling;
use separa::{
    CsrRef, Ctx, Dataset, Dense, DenseRef, Event, Fit, Init, Labels, MatrixRef, MemoryBudget,
    Method, Model, Observer, Stop, Threads, model_file, registry,
};
use separa_math::rng::Rng;
use separa_testkit::clouds::sparse_rows;
use separa_testkit::{golden, labels, numbers, sentences};
use std::ops::ControlFlow;

/// k blobs of standard deviation 1 about points of standard deviation `apart`.
fn blobs(n: usize, d: usize, k: usize, apart: f64, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 0);
    let centers: Vec<f64> = (0..k * d).map(|_| apart * rng.normal()).collect();
    let mut x = Vec::with_capacity(n * d);
    for _ in 0..n {
        let c = rng.below(k);
        x.extend((0..d).map(|j| centers[c * d + j] + rng.normal()));
    }
    x
}

fn view(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn fit(params: KMeans, x: &[f64], d: usize) -> Fit<ScaledModel<KMeansModel>> {
    params.solve(&Dataset::new(view(x, d)).unwrap(), &mut Ctx::new(3)).unwrap()
}

fn k(n_clusters: usize) -> KMeans {
    KMeans { n_clusters, scaling: Scaling::None, ..KMeans::default() }
}

/// Σ‖x − c‖² and the nearest centre of every row, by the definition.
fn naive(x: &[f64], centers: &Dense) -> (f64, Labels) {
    let rows = x.chunks_exact(centers.cols());
    let nearest = rows.map(|row| {
        let to =
            |c: usize| row.iter().zip(centers.row(c)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let squares: Vec<f64> = (0..centers.rows()).map(to).collect();
        let best = (1..squares.len()).fold(0, |b, c| if squares[c] < squares[b] { c } else { b });
        (squares[best], best as i32)
    });
    let (squares, labels): (Vec<f64>, Labels) = nearest.unzip();
    (squares.iter().sum(), labels)
}

#[test]
fn golden_scikit_learn_finds_the_same_labels_centres_inertia_and_rounds() {
    let file = golden("kmeans.json");
    for case in file["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let whole = |key: &str| case[key].as_u64().unwrap() as usize;
        let (x, d, clusters) = (numbers(&case["x"]), whole("d"), whole("k"));
        let weights = (!case["weights"].is_null()).then(|| numbers(&case["weights"]));
        let mut data = Dataset::new(view(&x, d)).unwrap();
        if let Some(w) = &weights {
            data = data.with_weights(w).unwrap();
        }
        let params = KMeans {
            init: Init::Labels(labels(&case["start"])),
            max_iter: whole("max_iter"),
            tol: case["tol"].as_f64().unwrap(),
            ..k(clusters)
        };
        let fit = params.solve(&data, &mut Ctx::new(0)).unwrap();
        assert_eq!(fit.report.iterations, whole("iterations"), "{name}");
        let inertia = case["inertia"].as_f64().unwrap();
        assert!((fit.report.objective / inertia - 1.0).abs() < 1e-10, "{name}");
        // Ours are numbered by first appearance, theirs by the initialization.
        let (theirs, centers) = (labels(&case["labels"]), numbers(&case["centers"]));
        for (mine, their) in fit.labels.iter().zip(&theirs) {
            let (a, b) = (*mine as usize, *their as usize);
            for j in 0..d {
                let (a, b) = (fit.model.centers()[(a, j)], centers[b * d + j]);
                assert!(
                    (a - b).abs() <= 1e-12 * (1.0 + b.abs()) * x.len() as f64,
                    "{name}: {a} {b}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn inertia_never_rises_and_the_end_is_a_fixed_point(
        n in 5usize..150, d in 1usize..6, clusters in 1usize..6, seed in 0u64..10_000
    ) {
        let x = blobs(n, d, 3, 1.0, seed);
        let fit = fit(KMeans { tol: 0.0, n_init: 1, init: Init::Named("random".into()), ..k(clusters) }, &x, d);
        for pair in fit.report.trace.windows(2) {
            prop_assert!(pair[1] <= pair[0] * (1.0 + 1e-12), "{:?}", fit.report.trace);
        }
        let (inertia, nearest) = naive(&x, fit.model.centers());
        prop_assert!((fit.report.objective - inertia).abs() <= 1e-10 * (1.0 + inertia));
        prop_assert_eq!(&fit.labels, &nearest);
        prop_assert_eq!(fit.report.stop, Stop::Converged);
        for c in 0..fit.model.n_clusters() {
            let members: Vec<usize> = (0..n).filter(|&i| fit.labels[i] == c as i32).collect();
            for j in 0..d {
                let mean = members.iter().map(|&i| x[i * d + j]).sum::<f64>() / members.len() as f64;
                prop_assert!((mean - fit.model.centers()[(c, j)]).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn every_cluster_has_rows_where_enough_rows_differ(
        values in prop::collection::vec(0i32..8, 1..40), clusters in 1usize..9, iterations in 1usize..4
    ) {
        let x: Vec<f64> = values.iter().map(|v| f64::from(*v) * 0.1).collect();
        let distinct = values.iter().collect::<std::collections::BTreeSet<_>>().len();
        prop_assume!(clusters <= x.len());
        for init in ["greedy", "k-means++", "random"] {
            let params = KMeans { max_iter: iterations, n_init: 1, init: Init::Named(init.into()), ..k(clusters) };
            let fit = fit(params, &x, 1);
            let used = fit.labels.iter().collect::<std::collections::BTreeSet<_>>().len();
            prop_assert_eq!(used, clusters.min(distinct));
            prop_assert_eq!(fit.model.n_clusters(), used);
            prop_assert_eq!(sentences(fit.report.warnings()).is_empty(), used == clusters);
            prop_assert_eq!(&fit.model.predict(view(&x, 1)).unwrap(), &fit.labels);
            let mut next = 0;
            for l in &fit.labels {
                prop_assert!(*l <= next);
                next = next.max(l + 1);
            }
        }
    }

    #[test]
    fn a_weight_counts_as_that_many_rows(seed in 0u64..1000, clusters in 1usize..5) {
        let (n, d) = (60, 3);
        let x = blobs(n, d, 4, 2.0, seed);
        let mut rng = Rng::new(seed, 1);
        // Clusters about the first rows, which have weight: none is empty, as an empty cluster
        // takes a row with all its weight, but only one of several copies.
        let weights: Vec<f64> = (0..n).map(|i| if i < clusters { 2.0 } else { rng.below(4) as f64 }).collect();
        let first = Dense::from_vec(clusters, d, x[..clusters * d].to_vec()).unwrap();
        let start = naive(&x, &first).1;
        let copies: Vec<usize> = (0..n).flat_map(|i| vec![i; weights[i] as usize]).collect();
        let rows: Vec<f64> = copies.iter().flat_map(|&i| x[i * d..(i + 1) * d].to_vec()).collect();
        let params = |start: Labels| KMeans { init: Init::Labels(start), ..k(clusters) };
        let data = Dataset::new(view(&x, d)).unwrap().with_weights(&weights).unwrap();
        let weighted = params(start.clone()).solve(&data, &mut Ctx::new(0)).unwrap();
        let copied = fit(params(copies.iter().map(|&i| start[i]).collect()), &rows, d);
        let spread: Labels = copies.iter().map(|&i| weighted.labels[i]).collect();
        // Rows without weight may come first in one table and are absent from the other.
        let same = |(a, b): (&i32, &i32)| {
            (0..d).all(|j| {
                let (a, b) = (weighted.model.centers()[(*a as usize, j)], copied.model.centers()[(*b as usize, j)]);
                (a - b).abs() < 1e-12 * (1.0 + a.abs())
            })
        };
        prop_assert!(spread.iter().zip(&copied.labels).all(same));
    }
}

#[test]
fn threads_and_sparse_storage_change_no_bit() {
    // 2,500 rows end within a chunk; 90 columns are enough for rows to be skipped.
    for (d, clusters) in [(3, 4), (90, 8), (90, 2)] {
        let mut x = blobs(2500, d, 6, 1.0, 9);
        x.iter_mut().filter(|v| v.abs() < 0.5).for_each(|v| *v = 0.0);
        let (indptr, indices, values) = sparse_rows(&x, d);
        let sparse = CsrRef::new(d, &indptr, &indices, &values).unwrap().into();
        let run = |x: MatrixRef<'_>, threads| {
            let mut ctx = Ctx::new(1);
            ctx.threads = Threads(Some(threads));
            let params = KMeans { n_init: 3, ..k(clusters) };
            let fit = params.solve(&Dataset::new(x).unwrap(), &mut ctx).unwrap();
            (fit.labels, fit.model.centers().clone(), fit.report)
        };
        let one = run(view(&x, d), 1);
        for (x, threads) in [(view(&x, d), 2), (view(&x, d), 4), (sparse, 1), (sparse, 4)] {
            assert_eq!(run(x, threads), one);
        }
    }
}

#[test]
fn restarts_keep_the_least_inertia_and_the_first_of_equals() {
    let x = blobs(300, 2, 6, 3.0, 4);
    let fit = fit(k(6), &x, 2);
    let scores: Vec<f64> = fit.report.initializations.iter().map(|s| s.score).collect();
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(scores.len(), 10);
    let first = scores.iter().position(|s| *s == best).unwrap();
    assert_eq!(fit.report.initializations.iter().position(|s| s.chosen), Some(first));
    assert!((fit.report.objective / -best - 1.0).abs() < 1e-10);
}

#[test]
fn decision_linear_and_predict_agree_for_every_k() {
    let x = blobs(80, 3, 4, 2.0, 5);
    for clusters in 1..5 {
        let fit = fit(k(clusters), &x, 3);
        let scores = fit.model.decision(view(&x, 3)).unwrap();
        assert_eq!(scores.cols(), if clusters == 2 { 1 } else { clusters });
        assert_eq!(fit.model.predict(view(&x, 3)).unwrap(), fit.labels);
        let (w, b) = fit.model.linear().unwrap();
        for (i, c) in [(0, 0), (79, scores.cols() - 1)] {
            let value = (0..3).map(|j| x[i * 3 + j] * w[(c, j)]).sum::<f64>() + b[c];
            assert!((scores[(i, c)] - value).abs() < 1e-10);
        }
    }
}

#[test]
fn rows_of_equal_distance_are_labelled_as_predicted() {
    // Row 0 lies as near to {−2} as to {1}.
    let x = [0.0, -2.0, 1.0];
    for start in [[0, 0, 1], [1, 1, 0], [1, 0, 1]] {
        let fit = fit(KMeans { init: Init::Labels(start.to_vec()), ..k(2) }, &x, 1);
        assert_eq!(fit.labels, [0, 1, 0]);
        assert_eq!(fit.model.predict(view(&x, 1)).unwrap(), fit.labels);
    }
}

#[test]
fn cancelling_returns_what_was_reached() {
    struct After(usize);
    impl Observer for After {
        fn on(&mut self, event: &Event) -> ControlFlow<()> {
            if let Event::Iteration { .. } = event {
                self.0 -= 1;
            }
            if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let x = blobs(400, 4, 5, 0.5, 6);
    for iterations in [1, 3, 40] {
        let data = Dataset::new(view(&x, 4)).unwrap();
        let fit = k(5).solve(&data, &mut Ctx::observed(0, After(iterations))).unwrap();
        assert_eq!(fit.report.stop, Stop::Cancelled);
        assert_eq!(fit.model.predict(view(&x, 4)).unwrap(), fit.labels);
    }
}

#[test]
fn bad_parameters_are_named() {
    let x = blobs(40, 2, 2, 2.0, 7);
    let data = Dataset::new(view(&x, 2)).unwrap();
    let message = |p: KMeans| p.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string();
    assert_eq!(
        message(k(99)),
        "kmeans: parameter `n_clusters` must be at most the number of rows (40), got 99"
    );
    assert_eq!(
        message(k(0)),
        "kmeans: parameter `n_clusters` must be a whole number, 1 or more, got 0"
    );
    assert!(message(KMeans { n_init: 0, ..k(2) }).contains("`n_init`"));
    assert!(message(KMeans { tol: f64::NAN, ..k(2) }).contains("`tol`"));
    assert!(
        message(KMeans { init: Init::Named("kmeans".into()), ..k(2) }).contains("got \"kmeans\"")
    );
    let given = |labels: Vec<i32>| message(KMeans { init: Init::Labels(labels), ..k(2) });
    assert!(given(vec![0, 1]).contains("one label per row (40), got 2 labels"));
    assert!(given(vec![5; 40]).contains("labels from 0 to 1, or -1, got 5"));
    assert!(given(vec![0; 40]).contains("got none for cluster 1"));
    let mut ctx = Ctx::new(0);
    ctx.memory = MemoryBudget(Some(100));
    assert!(
        k(2).solve(&data, &mut ctx)
            .unwrap_err()
            .to_string()
            .starts_with("kmeans: the fit needs about")
    );
}

#[test]
fn a_loaded_model_predicts_the_same_and_bad_shapes_are_refused() {
    let x = blobs(50, 3, 3, 2.0, 8);
    let fit = fit(k(3), &x, 3);
    let load = registry::find("kmeans").unwrap().load;
    let model = load(&fit.model.tensors()).unwrap();
    assert_eq!(model.predict(view(&x, 3)).unwrap(), fit.labels);
    assert_eq!(model.decision(view(&x, 3)).unwrap(), fit.model.decision(view(&x, 3)).unwrap());
    for bad in [
        Dense::zeros(0, 3),
        Dense::zeros(3, 0),
        Dense::from_vec(1, 1, vec![f64::INFINITY]).unwrap(),
    ] {
        let mut tensors = model_file::Tensors::default();
        tensors.put_matrix("centers", &bad);
        assert!(load(&tensors).is_err());
    }
    assert!(load(&model_file::Tensors::default()).is_err());
    assert!(model.decision(view(&x[..4], 2)).is_err());
}

//! Kernel k-means: against linear k-means, its own definition and itself.

use crate::common;

use common::{params, unjudged};
use proptest::prelude::*;
use separa::ScaledModel;
use separa::methods::{KMeans, KernelKMeans, KernelKMeansModel};
use separa::params::{Gamma, KernelChoice, Scaling};
use separa::{
    CsrRef, Ctx, Dataset, DenseRef, Fit, Init, Labels, MatrixRef, MemoryBudget, Method, Model,
    Stop, model_file,
};
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::Dense;
use separa_math::rng::Rng;
use separa_testkit::clouds::blobs;
use separa_testkit::sentences;

fn view(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn fit(params: &KernelKMeans, x: &[f64], d: usize) -> Fit<ScaledModel<KernelKMeansModel>> {
    params.clone().solve(&Dataset::new(view(x, d)).unwrap(), &mut Ctx::new(3)).unwrap()
}

fn message(params: KernelKMeans, x: MatrixRef<'_>) -> String {
    match Dataset::new(x) {
        Err(e) => e.to_string(),
        Ok(data) => params.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string(),
    }
}

fn with(n_clusters: usize, kernel: KernelChoice) -> KernelKMeans {
    KernelKMeans { n_clusters, kernel, scaling: Scaling::None, ..KernelKMeans::default() }
}

fn in_turns(n: usize, k: usize) -> Vec<i32> {
    (0..n).map(|i| (i % k) as i32).collect()
}

fn normals(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 0);
    (0..n).map(|_| rng.normal()).collect()
}

/// Σ wᵢ‖φ(xᵢ) − c(i)‖² of the means of `labels`, by the definition.
fn naive_objective(kernel: &Dense, weights: &[f64], labels: &[i32], k: usize) -> f64 {
    let mut sum = 0.0;
    for c in 0..k as i32 {
        let of: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == c).collect();
        let mass: f64 = of.iter().map(|&i| weights[i]).sum();
        for &i in &of {
            let to = of.iter().map(|&j| weights[j] * kernel[(i, j)]).sum::<f64>() / mass;
            sum += weights[i] * (kernel[(i, i)] - to);
        }
    }
    sum
}

#[test]
fn a_linear_kernel_gives_linear_kmeans() {
    for seed in 0..6 {
        let cloud = blobs(300, 4, 5, 2.0, seed);
        let start: Labels = (0..300).map(|i| i * 7 % 5).collect();
        let init = Init::Labels(start);
        let linear = KMeans {
            n_clusters: 5,
            init: init.clone(),
            tol: 0.0,
            scaling: Scaling::None,
            ..KMeans::default()
        };
        let data = Dataset::new(view(&cloud.x, 4)).unwrap();
        let plain = linear.solve(&data, &mut Ctx::new(0)).unwrap();
        let p = KernelKMeans { init, tol: 0.0, ..with(5, KernelChoice::Linear) };
        let kernel = fit(&p, &cloud.x, 4);
        assert_eq!(kernel.labels, plain.labels);
        assert!((kernel.report.objective / plain.report.objective - 1.0).abs() < 1e-9);
        let new = normals(200, seed);
        let (a, b) = (kernel.model.predict(view(&new, 4)), plain.model.predict(view(&new, 4)));
        assert_eq!(a.unwrap(), b.unwrap());
        // As do the features of all rows as landmarks.
        let by_features = fit(&KernelKMeans { landmarks: 300, ..p }, &cloud.x, 4);
        assert_eq!(by_features.labels, plain.labels);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_objective_never_rises_and_is_that_of_the_labels(
        n in 3usize..60, k in 1usize..6, seed in 0u64..500, which in 0usize..5, heavy in any::<bool>()
    ) {
        let k = k.min(n);
        let x = normals(2 * n, seed);
        let kernel = [KernelChoice::Rbf, KernelChoice::Linear, KernelChoice::Laplacian,
                      KernelChoice::Poly, KernelChoice::Cosine][which];
        let weights: Vec<f64> = (0..n).map(|i| if heavy { 0.5 + (i % 4) as f64 } else { 1.0 }).collect();
        let p = KernelKMeans { tol: 0.0, n_init: 3, gamma: Gamma::Value(0.7), ..with(k, kernel) };
        let data = Dataset::new(view(&x, 2)).unwrap().with_weights(&weights).unwrap();
        let fit = p.solve(&data, &mut Ctx::new(seed)).unwrap();
        let scale = fit.report.trace[0].abs().max(1e-3);
        for pair in fit.report.trace.windows(2) {
            prop_assert!(pair[1] <= pair[0] + 1e-11 * scale, "{:?}", fit.report.trace);
        }
        prop_assert_eq!(fit.report.stop, Stop::Converged);
        let shape = match kernel {
            KernelChoice::Linear => Kernel::Linear,
            KernelChoice::Laplacian => Kernel::Laplacian { gamma: 0.7 },
            KernelChoice::Poly => Kernel::Poly { gamma: 0.7, degree: 3, coef0: 1.0 },
            KernelChoice::Cosine => Kernel::Cosine,
            _ => Kernel::Rbf { gamma: 0.7 },
        };
        let rows = Dense::from_vec(n, 2, x.clone()).unwrap();
        let slow = naive_objective(&shape.matrix(&rows, &rows), &weights, &fit.labels, k);
        prop_assert!((fit.report.objective - slow).abs() <= 1e-9 * scale.max(1.0), "{} {}", fit.report.objective, slow);
        prop_assert_eq!(fit.model.predict(data.x()).unwrap(), fit.labels);
    }

    #[test]
    fn weights_count_as_repeated_rows(n in 6usize..40, seed in 0u64..200) {
        let x = normals(2 * n, seed);
        let mut rng = Rng::new(seed, 9);
        let weights: Vec<f64> = (0..n).map(|_| rng.below(4) as f64).collect();
        let start: Labels = (0..n).map(|i| (i % 3) as i32).collect();
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for i in 0..n {
            for _ in 0..weights[i] as usize {
                rows.extend_from_slice(&x[2 * i..2 * i + 2]);
                labels.push(start[i]);
            }
        }
        prop_assume!((0..3).all(|c| labels.contains(&c)));
        let p = |init| KernelKMeans { init: Init::Labels(init), tol: 0.0, gamma: Gamma::Value(0.5), ..with(3, KernelChoice::Rbf) };
        let data = Dataset::new(view(&x, 2)).unwrap().with_weights(&weights).unwrap();
        let heavy = p(start).solve(&data, &mut Ctx::new(0)).unwrap();
        let long = p(labels).solve(&Dataset::new(view(&rows, 2)).unwrap(), &mut Ctx::new(0)).unwrap();
        prop_assert!((heavy.report.objective - long.report.objective).abs() < 1e-9);
        let far = |fit: &Fit<ScaledModel<KernelKMeansModel>>| {
            let seen = fit.model.predict(view(&x, 2)).unwrap();
            by_first_appearance(&seen)
        };
        prop_assert_eq!(far(&heavy), far(&long));
    }
}

/// By first appearance.
fn by_first_appearance(labels: &[i32]) -> Vec<usize> {
    let mut seen: Vec<i32> = Vec::new();
    let place = |l: &i32| {
        if !seen.contains(l) {
            seen.push(*l);
        }
        seen.iter().position(|s| s == l).unwrap()
    };
    labels.iter().map(place).collect()
}

#[test]
fn a_small_blob_inside_a_ring_is_found_with_a_kernel_and_missed_without() {
    let mut rng = Rng::new(4, 0);
    let mut x = Vec::new();
    for i in 0..300 {
        let angle = std::f64::consts::TAU * rng.uniform();
        let radius = if i % 2 == 0 { 0.3 * rng.normal() } else { 4.0 + 0.2 * rng.normal() };
        x.extend([radius * angle.cos(), radius * angle.sin()]);
    }
    let near = KernelKMeans { gamma: Gamma::Value(0.5), ..with(2, KernelChoice::Rbf) };
    assert_eq!(fit(&near, &x, 2).labels, in_turns(300, 2));
    assert_ne!(fit(&with(2, KernelChoice::Linear), &x, 2).labels, in_turns(300, 2));
}

#[test]
fn every_kernel_finds_plain_blobs_and_each_row_alone_has_its_label() {
    let mut cloud = blobs(300, 3, 3, 9.0, 6);
    cloud.x.iter_mut().for_each(|v| *v += 30.0);
    for kernel in
        [KernelChoice::Rbf, KernelChoice::Laplacian, KernelChoice::Linear, KernelChoice::Poly]
    {
        let fit = fit(&with(3, kernel), &cloud.x, 3);
        assert_eq!(fit.labels, in_turns(300, 3), "{kernel:?}");
        for i in [0, 100, 299] {
            let row = &cloud.x[3 * i..3 * i + 3];
            assert_eq!(fit.model.predict(view(row, 3)).unwrap(), [fit.labels[i]]);
        }
    }
    // No inner product: it may stall, but it ends, with a rule that agrees with its labels.
    let fit = fit(&with(3, KernelChoice::Tanh), &cloud.x, 3);
    assert_eq!(fit.model.predict(view(&cloud.x, 3)).unwrap(), fit.labels);
}

#[test]
fn a_precomputed_kernel_gives_the_labels_of_its_rows() {
    let cloud = blobs(150, 3, 4, 4.0, 6);
    let rows = Dense::from_vec(150, 3, cloud.x.clone()).unwrap();
    let gram = Kernel::Rbf { gamma: 0.1 }.matrix(&rows, &rows);
    let weights: Vec<f64> = (0..150).map(|i| f64::from(i % 5 > 0)).collect();
    for weighted in [false, true] {
        let run = |p: KernelKMeans, x: MatrixRef<'_>| {
            let data = Dataset::new(x).unwrap();
            let data = if weighted { data.with_weights(&weights).unwrap() } else { data };
            p.solve(&data, &mut Ctx::new(1)).unwrap()
        };
        let plain = KernelKMeans { gamma: Gamma::Value(0.1), ..with(4, KernelChoice::Rbf) };
        let a = run(plain, view(&cloud.x, 3));
        let b = run(with(4, KernelChoice::Precomputed), view(gram.data(), 150));
        assert_eq!(a.labels, b.labels);
        assert_eq!(b.model.predict(view(gram.data(), 150)).unwrap(), b.labels);
        let e = b.model.predict(view(&[1.0; 8], 4)).unwrap_err().to_string();
        assert_eq!(e, "table has 4 feature columns, but the model was fitted on 150");
    }
}

#[test]
fn landmarks_carry_the_kernel_when_asked_or_when_memory_is_tight() {
    let cloud = blobs(3000, 4, 3, 7.0, 7);
    let p = with(3, KernelChoice::Rbf);
    let few = fit(&KernelKMeans { landmarks: 60, ..p.clone() }, &cloud.x, 4);
    let data = Dataset::new(view(&cloud.x, 4)).unwrap();
    let mut ctx = Ctx::new(0);
    ctx.memory = MemoryBudget(Some(36_000_000));
    let tight = p.solve(&data, &mut ctx).unwrap();
    assert!(
        sentences(tight.report.notices())[0].contains("approximated with 500 landmarks"),
        "{:?}",
        sentences(tight.report.notices())
    );
    for fit in [&few, &tight] {
        assert_eq!(fit.labels, in_turns(3000, 3));
        assert_eq!(fit.model.predict(view(&cloud.x, 4)).unwrap(), fit.labels);
    }
}

#[test]
fn a_kernel_that_is_no_inner_product_keeps_the_round_before_the_rise() {
    let mut stalled = 0;
    for seed in 0..60 {
        // Symmetric noise: a mean may be farther from its rows than what came before it.
        let n = 30;
        let noise = normals(n * n, seed);
        let kernel: Vec<f64> = (0..n * n).map(|e| noise[e] + noise[e % n * n + e / n]).collect();
        let p = KernelKMeans { n_init: 1, ..with(3, KernelChoice::Precomputed) };
        let report = fit(&p, &kernel, n).report;
        if report.stop == Stop::Stalled {
            stalled += 1;
            let last = *report.trace.last().unwrap();
            assert!(report.objective <= last + 1e-9 * last.abs(), "{} {last}", report.objective);
        }
    }
    assert!(stalled > 0);
}

#[test]
fn every_cluster_has_rows_where_enough_rows_differ() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed, 0);
        let x: Vec<f64> = (0..24).map(|_| rng.below(9) as f64).collect();
        let mut distinct: Vec<i64> = x.iter().map(|v| *v as i64).collect();
        distinct.sort_unstable();
        distinct.dedup();
        for k in [2, 4, distinct.len(), 12] {
            for init in [Init::Auto, Init::Named("random".into())] {
                let p = KernelKMeans {
                    init,
                    n_init: 2,
                    gamma: Gamma::Value(0.1),
                    ..with(k, KernelChoice::Rbf)
                };
                let fit = fit(&p, &x, 1);
                let want = k.min(distinct.len());
                assert_eq!(fit.model.n_clusters(), want, "{k} of {} distinct", distinct.len());
                assert_eq!(sentences(fit.report.warnings()).len(), usize::from(want < k));
                assert_eq!(fit.model.predict(view(&x, 1)).unwrap(), fit.labels);
            }
        }
    }
}

#[test]
fn wide_sparse_rows_stay_sparse_in_the_model_file() {
    let mut rng = Rng::new(1, 0);
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..200_u32 {
        for c in 0..8 {
            indices.push(100 * (i % 2) + 10 * c + rng.below(10) as u32);
            values.push(1.0);
        }
        indptr.push(values.len());
    }
    let text = CsrRef::new(200, &indptr, &indices, &values).unwrap();
    let data = Dataset::new(text.into()).unwrap();
    let given = params(&[("kernel", "cosine".into())]);
    let found = unjudged("kernel-kmeans", &given).fit(&data).unwrap();
    assert_eq!(found.labels(), in_turns(200, 2));
    let bytes = found.to_bytes().unwrap();
    assert!(bytes.len() < 90_000, "{} bytes", bytes.len());
    let again = model_file::from_bytes(&bytes).unwrap();
    assert_eq!(again.predict(&text).unwrap(), found.labels());
}

#[test]
fn bad_input_is_named() {
    let x = normals(40, 1);
    let said = |p: KernelKMeans| message(p, view(&x, 2));
    let p = || KernelKMeans::default();
    assert!(
        said(KernelKMeans { gamma: Gamma::Value(-1.0), ..p() })
            .contains("`gamma` must be \"median\" or a positive number, got -1")
    );
    assert!(said(KernelKMeans { degree: 0, ..p() }).contains("`degree`"));
    assert!(said(KernelKMeans { coef0: f64::NAN, ..p() }).contains("`coef0`"));
    assert!(said(KernelKMeans { landmarks: 21, ..p() }).contains(
        "`landmarks` must be at most the number of rows (20), or 0 to do without landmarks, got 21"
    ));
    assert!(
        said(KernelKMeans { landmarks: 2, ..with(2, KernelChoice::Precomputed) })
            .contains("`landmarks` must be 0")
    );
    assert!(said(KernelKMeans { init: Init::Named("greedy".into()), ..p() }).contains("`init`"));
    assert!(said(KernelKMeans { init: Init::Labels(vec![0; 3]), ..p() }).contains("3 labels"));
    assert!(
        said(KernelKMeans { init: Init::Labels(vec![0; 20]), ..p() })
            .contains("none for cluster 1")
    );
    let given = || with(2, KernelChoice::Precomputed);
    assert!(
        said(given()).contains("kernel matrix has shape 20 x 2, expected as many rows as columns")
    );
    let skew = [1.0, 0.5, 0.0, 0.25, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert!(message(given(), view(&skew, 3)).contains("row 2, column 1 holds 0.25, expected 0.5"));
    let nan = [1.0, f64::NAN, f64::NAN, 1.0];
    assert!(message(given(), view(&nan, 2)).starts_with("row 1, column 2 holds NaN"));
    let huge = [1e140, 2e140, 3e140];
    let steep = message(with(2, KernelChoice::Poly), view(&huge, 1));
    assert!(steep.contains("rescale the columns, or choose another `kernel`"), "{steep}");
    let fit = fit(&p(), &x, 2);
    let e = fit.model.predict(view(&[0.0, 1.0, f64::NAN, 1.0], 2)).unwrap_err().to_string();
    assert!(e.starts_with("row 2 holds a value that is not a finite number"), "{e}");
}

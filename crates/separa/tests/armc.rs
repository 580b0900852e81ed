//! Relative margin clustering: shapes, forms that must agree, bad input.

use separa::ScaledModel;
use separa::methods::{Armc, ArmcModel, ArmcMulticlass, ArmcSplit, Balance, OutputBound};
use separa::params::{ClusterSize, GammaOrAuto, KernelChoice, Scaling};
use separa::{
    CsrRef, Ctx, Dataset, DenseRef, Event, Fit, Init, MatrixRef, MemoryBudget, Method, Model,
    Observer, Stop, model_file, registry,
};
use separa_math::distance::median_gamma;
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::{Dense, Rows};
use separa_math::rng::Rng;
use separa_testkit::clouds::{blobs, moons, rings, two_gaussians};
use separa_testkit::sentences;
use std::ops::ControlFlow;

fn view(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn fit(p: &Armc, x: &[f64], d: usize) -> Fit<ScaledModel<ArmcModel>> {
    let data = Dataset::new(view(x, d)).unwrap();
    let fit = p.clone().solve(&data, &mut Ctx::new(3)).unwrap();
    assert_eq!(fit.model.predict(view(x, d)).unwrap(), fit.labels);
    fit
}

fn message(p: Armc, x: &[f64], d: usize) -> String {
    p.solve(&Dataset::new(view(x, d)).unwrap(), &mut Ctx::new(0)).unwrap_err().to_string()
}

/// Fraction of rows against the better of the two matchings.
fn error(labels: &[i32], truth: &[i32]) -> f64 {
    let wrong = labels.iter().zip(truth).filter(|(a, b)| a != b).count() as f64;
    let share = wrong / labels.len() as f64;
    share.min(1.0 - share)
}

fn warned(fit: &Fit<ScaledModel<ArmcModel>>, words: &str) -> bool {
    sentences(fit.report.warnings()).iter().any(|w| w.contains(words))
}

fn narrow(x: &[f64]) -> Armc {
    let gamma = 10.0 * median_gamma(&view(x, 2), 0);
    Armc { gamma: GammaOrAuto::Value(gamma), scaling: Scaling::None, ..Armc::default() }
}

/// Whether the true labels lead to no lower an objective: a search that errs has not missed an initialization.
fn beats_the_truth(
    found: &Fit<ScaledModel<ArmcModel>>,
    p: &Armc,
    x: &[f64],
    d: usize,
    truth: &[i32],
) -> bool {
    let told = fit(&Armc { init: Init::Labels(truth.to_vec()), ..p.clone() }, x, d);
    found.report.objective <= told.report.objective * 1.01
}

#[test]
fn moons_and_rings_are_found_from_the_default_starts() {
    for (noise, seed) in (0..3).flat_map(|seed| [(0.05, seed), (0.1, seed)]) {
        for cloud in [moons(150, noise, seed), rings(150, noise, seed)] {
            // At the larger noise some rows lie among the others: no labels are then better by the objective.
            let p = narrow(&cloud.x);
            let found = fit(&p, &cloud.x, 2);
            let wrong = error(&found.labels, &cloud.labels);
            assert!(wrong <= 0.02 || noise > 0.05, "noise {noise}, seed {seed}: {wrong}");
            assert!(beats_the_truth(&found, &p, &cloud.x, 2, &cloud.labels), "{noise} {seed}");
            assert!(!warned(&found, "frozen"));
        }
    }
}

#[test]
fn flat_clouds_are_cut_alike_by_every_form() {
    let cloud = two_gaussians(300, 5, 0.5, 5.0, 3);
    for (kernel, most) in [
        (KernelChoice::Linear, 0.03),
        (KernelChoice::Rbf, 0.03),
        (KernelChoice::Laplacian, 0.03),
        // A cubic may bend.
        (KernelChoice::Poly, 0.05),
        // It sees directions from 0 alone, where one of the clouds lies.
        (KernelChoice::Cosine, 0.1),
    ] {
        let p = Armc { kernel, scaling: Scaling::None, ..Armc::default() };
        let found = fit(&p, &cloud.x, 5);
        let wrong = error(&found.labels, &cloud.labels);
        assert!(wrong < most, "{kernel:?}: {wrong}");
        assert!(beats_the_truth(&found, &p, &cloud.x, 5, &cloud.labels), "{kernel:?}");
    }
    let few = fit(&Armc { landmarks: 60, ..Armc::default() }, &cloud.x, 5);
    assert!(error(&few.labels, &cloud.labels) < 0.03);
}

#[test]
fn tanh_is_no_inner_product_so_that_its_objective_says_little_of_the_split() {
    let cloud = two_gaussians(300, 5, 0.5, 5.0, 3);
    let rows = Dense::from_vec(300, 5, cloud.x.clone()).unwrap();
    let gram = Kernel::Tanh { gamma: 0.2, coef0: 1.0 }.matrix(&rows, &rows);
    // Products larger than those of the lengths: Cauchy and Schwarz forbid that to inner products.
    let beyond =
        |i: usize| (0..i).any(|j| gram[(i, i)] * gram[(j, j)] < gram[(i, j)] * gram[(i, j)]);
    assert!((0..300).any(beyond));
    let p = Armc { kernel: KernelChoice::Tanh, scaling: Scaling::None, ..Armc::default() };
    let found = fit(&p, &cloud.x, 5);
    assert!(beats_the_truth(&found, &p, &cloud.x, 5, &cloud.labels));
    assert_eq!(found.model.n_clusters(), 2);
}

#[test]
fn passes_over_rows_agree_with_pairs_of_a_sample() {
    // More rows than initializations are tried on.
    let cloud = two_gaussians(2600, 4, 0.5, 4.0, 5);
    for p in [
        Armc { kernel: KernelChoice::Linear, ..Armc::default() },
        Armc { landmarks: 50, ..Armc::default() },
        Armc::default(),
    ] {
        let found = fit(&p, &cloud.x, 4);
        assert!(error(&found.labels, &cloud.labels) < 0.04, "{:?}", p.kernel);
        assert!(
            sentences(found.report.warnings()).is_empty(),
            "{:?}",
            sentences(found.report.warnings())
        );
        let trace = &found.report.trace;
        assert!(trace.windows(2).all(|w| w[1] <= w[0] * (1.0 + 1e-5)), "{trace:?}");
    }
}

#[test]
fn rows_made_on_demand_give_the_labels_of_the_matrix() {
    let cloud = two_gaussians(2300, 6, 0.5, 3.0, 8);
    let data = Dataset::new(view(&cloud.x, 6)).unwrap();
    let run = |budget: Option<u64>| {
        let mut ctx = Ctx::new(1);
        ctx.memory = MemoryBudget(budget);
        Armc::default().solve(&data, &mut ctx).unwrap()
    };
    let whole = run(None);
    let mut seen = (false, false);
    for mega in [180, 165, 40, 12] {
        let fit = run(Some(mega << 20));
        let said = |words: &str| sentences(fit.report.notices()).iter().any(|n| n.contains(words));
        let differs = error(&fit.labels, &whole.labels);
        assert!(differs < 0.02, "{mega}: {differs}");
        seen =
            (seen.0 || said("computed when they are needed"), seen.1 || said("approximated with"));
    }
    assert!(seen.0 && seen.1, "{seen:?}");
}

#[test]
fn a_given_kernel_is_the_kernel_of_the_rows() {
    let x = moons(120, 0.05, 1).x;
    let p = narrow(&x);
    let GammaOrAuto::Value(gamma) = p.gamma else { unreachable!() };
    let rows = Dense::from_vec(120, 2, x.clone()).unwrap();
    let gram = Kernel::Rbf { gamma }.matrix(&rows, &rows);
    let by_rows = fit(&p, &x, 2);
    let given = Armc { kernel: KernelChoice::Precomputed, ..p };
    let by_table = fit(&given, gram.data(), 120);
    assert_eq!(by_rows.labels, by_table.labels);
    assert!((by_rows.report.objective / by_table.report.objective - 1.0).abs() < 1e-5);
}

#[test]
fn sparse_rows_give_the_model_of_dense_ones_in_every_form() {
    let mut x = two_gaussians(240, 6, 0.5, 4.0, 2).x;
    x.iter_mut().filter(|v| v.abs() < 0.8).for_each(|v| *v = 0.0);
    let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in x.chunks_exact(6) {
        for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            places.push(j as u32);
            values.push(*v);
        }
        starts.push(values.len());
    }
    let sparse = CsrRef::new(6, &starts, &places, &values).unwrap();
    for p in [
        Armc { kernel: KernelChoice::Linear, ..Armc::default() },
        Armc { landmarks: 40, ..Armc::default() },
        Armc { scaling: Scaling::Auto, ..Armc::default() },
        Armc { n_clusters: 3, multiclass: ArmcMulticlass::Rest, ..Armc::default() },
    ] {
        let dense = fit(&p, &x, 6);
        let thin =
            p.clone().solve(&Dataset::new(sparse.into()).unwrap(), &mut Ctx::new(3)).unwrap();
        assert_eq!(dense.labels, thin.labels);
        assert_eq!(dense.model, thin.model);
    }
}

#[test]
fn weights_are_equal_rows() {
    let cloud = two_gaussians(90, 3, 0.4, 3.0, 6);
    let counts: Vec<usize> = (0..90).map(|i| [1, 2, 1, 3, 0][i % 5]).collect();
    let (mut long, mut of) = (Vec::new(), Vec::new());
    for (i, &c) in counts.iter().enumerate() {
        for _ in 0..c {
            long.extend_from_slice(&cloud.x[3 * i..3 * i + 3]);
            of.push(i);
        }
    }
    let weights: Vec<f64> = counts.iter().map(|&c| c as f64).collect();
    // The table as it is: sums of weights and of copies differ in their last digits, and so do scales.
    let raw = Armc { scaling: Scaling::None, ..Armc::default() };
    for p in [
        raw.clone(),
        Armc { kernel: KernelChoice::Linear, balance: Balance::Fraction(0.3), ..raw.clone() },
        Armc { n_clusters: 3, ..raw.clone() },
        Armc { n_clusters: 3, multiclass: ArmcMulticlass::Rest, ..raw },
    ] {
        let data = Dataset::new(view(&cloud.x, 3)).unwrap().with_weights(&weights).unwrap();
        let weighted = p.clone().solve(&data, &mut Ctx::new(3)).unwrap();
        let repeated = fit(&p, &long, 3);
        let labels: Vec<i32> = of.iter().map(|&i| weighted.labels[i]).collect();
        let same = |a: &[i32], b: &[i32]| {
            let mut names = std::collections::HashMap::new();
            a.iter().zip(b).all(|(a, b)| *names.entry(*a).or_insert(*b) == *b)
        };
        assert!(same(&labels, &repeated.labels));
        assert_eq!(weighted.report.objective, repeated.report.objective);
    }
}

#[test]
fn equal_rows_share_a_label_though_the_balance_would_tear_them_apart() {
    // 14 equal rows of 20: half of the weight cannot be on one side.
    let mut x = vec![1.0; 14];
    x.extend([5.0, 5.5, 6.0, 6.5, 7.0, 7.5]);
    let found = fit(&Armc::default(), &x, 1);
    assert!(found.labels[..14].iter().all(|l| *l == found.labels[0]));
    assert!(found.labels[14..].iter().all(|l| *l == found.labels[19]));
    assert_ne!(found.labels[0], found.labels[19]);
}

#[test]
fn other_units_change_no_label() {
    let cloud = blobs(200, 4, 3, 4.0, 7);
    for k in [2, 3] {
        let p = Armc { n_clusters: k, ..Armc::default() };
        let before = fit(&p, &cloud.x, 4);
        let factors = [1e-3, 7.0, 1e4, 0.3];
        let x: Vec<f64> = cloud.x.iter().enumerate().map(|(p, v)| v * factors[p % 4]).collect();
        assert_eq!(fit(&p, &x, 4).labels, before.labels);
    }
}

#[test]
fn columns_of_one_value_have_no_say_and_are_told() {
    let cloud = two_gaussians(80, 2, 0.5, 6.0, 1);
    let x: Vec<f64> = cloud.x.chunks_exact(2).flat_map(|r| [r[0], 42.0, r[1]]).collect();
    let (with, without) = (fit(&Armc::default(), &x, 3), fit(&Armc::default(), &cloud.x, 2));
    assert_eq!(with.labels, without.labels);
    assert!(
        sentences(with.report.notices())
            .iter()
            .any(|n| n == "1 column has one value only and no influence")
    );
}

#[test]
fn a_kernel_that_is_nearly_the_identity_is_told() {
    let cloud = two_gaussians(100, 3, 0.5, 2.0, 1);
    for init in [Init::Auto, Init::Named("kmeans".into())] {
        let p = Armc { gamma: GammaOrAuto::Value(1e4), init, ..Armc::default() };
        assert!(warned(&fit(&p, &cloud.x, 3), "labels are frozen"));
    }
    assert!(!warned(&fit(&Armc::default(), &cloud.x, 3), "frozen"));
    let auto = Armc { gamma: GammaOrAuto::Auto, ..Armc::default() };
    assert!(!warned(&fit(&auto, &cloud.x, 3), "frozen"));
}

#[test]
fn an_uneven_split_sits_on_its_balance_and_scan_finds_it() {
    for d in [1, 2, 4] {
        let cloud = two_gaussians(300, d, 0.2, 7.0, 4);
        let wide = Armc { gamma: GammaOrAuto::Median, ..Armc::default() };
        let half = fit(&wide, &cloud.x, d);
        assert!(warned(&half, "sits on its balance"), "{:?}", sentences(half.report.warnings()));
        for balance in [Balance::Scan, Balance::Fraction(0.2), Balance::Fraction(0.8)] {
            let found = fit(&Armc { balance, ..Armc::default() }, &cloud.x, d);
            let wrong = error(&found.labels, &cloud.labels);
            assert!(wrong < 0.02, "{balance:?}, {d} columns: {wrong}");
        }
    }
    let mut rng = Rng::new(5, 0);
    let even: Vec<f64> = (0..300).map(|i| rng.normal() + 6.0 * f64::from(i % 2)).collect();
    assert!(!warned(&fit(&Armc::default(), &even, 1), "sits on its balance"));
}

#[test]
fn bounds_hold_on_the_training_rows() {
    let cloud = two_gaussians(150, 3, 0.5, 4.0, 4);
    for kernel in [KernelChoice::Rbf, KernelChoice::Linear] {
        let p = Armc { bound: OutputBound::Value(1.2), kernel, reg: 0.2, ..Armc::default() };
        let found = fit(&p, &cloud.x, 3);
        let f = found.model.decision(view(&cloud.x, 3)).unwrap();
        let top = f.data().iter().fold(0.0, |top: f64, f| top.max(f.abs()));
        assert!((1.0..1.2 * (1.0 + 1e-12)).contains(&top), "{kernel:?}: {top}");
    }
    let free = Armc { bound: OutputBound::Free, mu: 0.5, reg: 0.2, ..Armc::default() };
    assert!(error(&fit(&free, &cloud.x, 3).labels, &cloud.labels) < 0.05);
}

#[test]
fn more_clusters_by_division_in_three_orders_and_together() {
    for k in [3, 4, 5] {
        let cloud = blobs(60 * k, 3, k, 9.0, 2 + k as u64);
        for p in [Armc::default(), Armc { multiclass: ArmcMulticlass::Rest, ..Armc::default() }] {
            let found = fit(&Armc { n_clusters: k, ..p.clone() }, &cloud.x, 3);
            assert_eq!(found.labels, relabel(&cloud.labels), "{k} {:?}", p.multiclass);
        }
        for split in [ArmcSplit::Largest, ArmcSplit::Clearest] {
            let p = Armc { n_clusters: k, split, balance: Balance::Scan, ..Armc::default() };
            let found = fit(&p, &cloud.x, 3);
            assert_eq!(found.model.n_clusters(), k);
        }
    }
}

fn relabel(truth: &[i32]) -> Vec<i32> {
    let mut seen: Vec<i32> = Vec::new();
    let name = |t: &i32| {
        if !seen.contains(t) {
            seen.push(*t);
        }
        seen.iter().position(|s| s == t).unwrap() as i32
    };
    truth.iter().map(name).collect()
}

#[test]
fn a_linear_rule_says_its_weights() {
    let cloud = two_gaussians(120, 3, 0.5, 5.0, 9);
    let found = fit(&Armc { kernel: KernelChoice::Linear, ..Armc::default() }, &cloud.x, 3);
    let (w, b) = found.model.linear().unwrap();
    let f = found.model.decision(view(&cloud.x, 3)).unwrap();
    for (row, f) in cloud.x.chunks_exact(3).zip(f.data()) {
        let sum: f64 = row.iter().zip(w.row(0)).map(|(x, w)| x * w).sum();
        assert!((sum + b[0] - f).abs() < 1e-9);
    }
    assert!(fit(&Armc::default(), &cloud.x, 3).model.linear().is_none());
}

#[test]
fn the_model_keeps_support_vectors_only() {
    let cloud = two_gaussians(400, 3, 0.5, 8.0, 9);
    let found = fit(&Armc { reg: 0.05, ..Armc::default() }, &cloud.x, 3);
    let points = found.model.tensors().rows("points").unwrap().n_rows();
    assert!(points < 100, "{points} of 400");
    let few = fit(&Armc { landmarks: 25, ..Armc::default() }, &cloud.x, 3);
    assert_eq!(few.model.tensors().rows("points").unwrap().n_rows(), 25);
}

#[test]
fn given_labels_are_one_start() {
    let cloud = two_gaussians(100, 3, 0.5, 6.0, 9);
    let p = Armc { init: Init::Labels(cloud.labels.clone()), ..Armc::default() };
    let found = fit(&p, &cloud.x, 3);
    assert_eq!(found.report.initializations.len(), 1);
    assert!(error(&found.labels, &cloud.labels) < 0.02);
    let short = Armc { init: Init::Labels(vec![0, 1]), ..Armc::default() };
    assert!(message(short, &cloud.x, 3).contains("one label per row (100)"));
    let alone = Armc { init: Init::Labels(vec![0; 100]), ..Armc::default() };
    assert!(message(alone, &cloud.x, 3).contains("none for cluster 1"));
}

#[test]
fn one_cluster_is_the_whole_table() {
    let cloud = blobs(30, 2, 2, 5.0, 1);
    let found = fit(&Armc { n_clusters: 1, ..Armc::default() }, &cloud.x, 2);
    assert_eq!((found.labels, found.model.n_clusters()), (vec![0; 30], 1));
}

#[test]
fn bad_numbers_are_named_with_what_was_expected() {
    let cloud = blobs(40, 2, 2, 5.0, 1);
    let of = |p: Armc| message(p, &cloud.x, 2);
    for r in [0.0, 1.0, -0.5, f64::NAN] {
        let said = of(Armc { balance: Balance::Fraction(r), ..Armc::default() });
        assert!(
            said.starts_with(
                "armc: parameter `balance` must be \"scan\" or a number between 0 and 1"
            ),
            "{said}"
        );
    }
    for r in [0.01, 0.99] {
        let said = of(Armc { balance: Balance::Fraction(r), ..Armc::default() });
        assert!(said.contains("each side at least one of 40 rows"), "{said}");
    }
    let said = of(Armc { bound: OutputBound::Value(0.9), ..Armc::default() });
    assert!(said.contains("`bound` must be \"none\", \"free\" or a number, 1 or more"), "{said}");
    for reg in [0.0, -1.0, f64::INFINITY] {
        assert!(of(Armc { reg, ..Armc::default() }).contains("`reg` must be a positive number"));
    }
    let said = of(Armc { bound: OutputBound::Free, mu: 1e6, ..Armc::default() });
    assert!(said.contains("`mu` must be at most"), "{said}");
    let said = of(Armc { landmarks: 5, kernel: KernelChoice::Linear, ..Armc::default() });
    assert!(said.contains("0 where the kernel is linear"), "{said}");
    for (p, name) in [
        (Armc { gamma: GammaOrAuto::Value(-1.0), ..Armc::default() }, "`gamma`"),
        (Armc { degree: 0, ..Armc::default() }, "`degree`"),
        (Armc { coef0: f64::NAN, ..Armc::default() }, "`coef0`"),
        (Armc::default().min_cluster_size(ClusterSize::Fraction(0.5)), "`min_cluster_size`"),
        (Armc { tol: 0.0, ..Armc::default() }, "`tol`"),
        (Armc { n_init: 0, ..Armc::default() }, "`n_init`"),
        (Armc { landmarks: 1, ..Armc::default() }, "`landmarks`"),
        (Armc { init: Init::Named("nowhere".into()), ..Armc::default() }, "`init`"),
    ] {
        let said = of(p);
        assert!(said.contains(name), "{said}");
    }
    let data = Dataset::new(view(&cloud.x, 2)).unwrap();
    let params = serde_json::json!({"balance": "most"});
    let said = registry::solve("armc", params.as_object().unwrap(), &data, &mut Ctx::new(0));
    assert!(
        said.unwrap_err()
            .to_string()
            .contains("\"scan\" or a number between 0 and 1, got \"most\"")
    );
}

#[test]
fn kernels_that_overflow_are_refused() {
    let x: Vec<f64> = (0..20).map(|i| 1e60 * f64::from(i)).collect();
    let p = Armc { kernel: KernelChoice::Poly, scaling: Scaling::None, ..Armc::default() };
    let said = message(p, &x, 1);
    assert!(said.contains("the kernel of row") && said.contains("rescale"), "{said}");
    let skew = [1.0, 0.5, 0.2, 1.0];
    let p = Armc { kernel: KernelChoice::Precomputed, ..Armc::default() };
    assert!(message(p, &skew, 2).contains("symmetric"));
}

#[test]
fn extreme_weights_give_numbers() {
    let cloud = two_gaussians(60, 2, 0.5, 4.0, 9);
    for w in [1e-100, 1e-3, 1e3, 1e100] {
        let weights = vec![w; 60];
        let data = Dataset::new(view(&cloud.x, 2)).unwrap().with_weights(&weights).unwrap();
        let found = Armc::default().solve(&data, &mut Ctx::new(0)).unwrap();
        assert!(found.report.objective.is_finite(), "{w}");
        assert_eq!(found.model.predict(view(&cloud.x, 2)).unwrap(), found.labels);
    }
}

#[test]
fn models_come_back_from_their_arrays() {
    let cloud = blobs(120, 3, 3, 5.0, 2);
    for p in [
        Armc { kernel: KernelChoice::Linear, ..Armc::default() },
        Armc { n_clusters: 3, ..Armc::default() },
        Armc { n_clusters: 3, multiclass: ArmcMulticlass::Rest, landmarks: 20, ..Armc::default() },
    ] {
        let found = fit(&p, &cloud.x, 3);
        assert_eq!(Armc::load(&found.model.tensors()).unwrap(), *found.model);
    }
    let _ = model_file::from_bytes(&[]).unwrap_err();
}

fn together(k: usize) -> Armc {
    Armc { n_clusters: k, multiclass: ArmcMulticlass::Rest, ..Armc::default() }
}

/// Every cluster of the model has a row, or a warning says that there are fewer.
fn no_cluster_is_empty_unsaid(found: &Fit<ScaledModel<ArmcModel>>, k: usize) {
    let has = |c: i32| found.labels.contains(&c);
    assert!((0..found.model.n_clusters() as i32).all(has), "{:?}", found.labels);
    let said = warned(found, &format!("instead of {k}"));
    assert_eq!(said, found.model.n_clusters() < k, "{:?}", sentences(found.report.warnings()));
    assert_eq!(Armc::load(&found.model.tensors()).unwrap(), *found.model);
}

#[test]
fn clusters_together_are_not_left_empty_without_a_word() {
    let mut rng = Rng::new(1, 0);
    let noise: Vec<f64> = (0..120).map(|_| rng.normal()).collect();
    for kernel in [KernelChoice::Rbf, KernelChoice::Linear] {
        let found = fit(&Armc { kernel, ..together(6) }, &noise, 2);
        no_cluster_is_empty_unsaid(&found, 6);
        assert!(found.model.n_clusters() > 4, "{kernel:?}: {}", found.model.n_clusters());
        assert!(
            warned(&found, "so that their sizes decide"),
            "{:?}",
            sentences(found.report.warnings())
        );
    }
    let cloud = blobs(120, 3, 4, 9.0, 2);
    for k in [5, 6, 8] {
        no_cluster_is_empty_unsaid(&fit(&together(k), &cloud.x, 3), k);
    }
    let clear = fit(&together(4), &cloud.x, 3);
    assert!(
        sentences(clear.report.warnings()).is_empty(),
        "{:?}",
        sentences(clear.report.warnings())
    );
    // So high a price of f that it is the same for all rows.
    let flat = fit(&Armc { reg: 1e300, ..together(3) }, &cloud.x, 3);
    no_cluster_is_empty_unsaid(&flat, 3);
}

#[test]
fn rows_without_a_label_have_no_say_at_first() {
    let cloud = blobs(90, 2, 3, 9.0, 3);
    let mut labels = vec![-1; 90];
    (0..3).for_each(|i| labels[i] = cloud.labels[i]);
    for multiclass in [ArmcMulticlass::Rest, ArmcMulticlass::Divide] {
        let init = Init::Labels(labels.clone());
        let found = fit(&Armc { init, multiclass, n_clusters: 3, ..Armc::default() }, &cloud.x, 2);
        assert_eq!(found.labels, relabel(&cloud.labels), "{multiclass:?}");
    }
    // The labels do not change, but the rows without one have a say in the second iteration: the boundary moves
    // from the middle of -3 and 1 to 0.
    let x = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0];
    let init = Init::Labels(vec![0, -1, -1, 1, 1, 1]);
    let found = fit(&Armc { init, ..Armc::default() }, &x, 1);
    assert!(found.report.iterations > 1);
    let sides = found.model.decision(view(&[-0.5, 0.5], 1)).unwrap();
    assert!(sides[(0, 0)] < 0.0 && sides[(1, 0)] > 0.0, "{sides:?}");
    // Labelled rows that the sample would miss, and one whose equal has no label.
    let long = blobs(2400, 2, 3, 9.0, 3);
    let mut labels = vec![-1; 2400];
    (2397..2400).for_each(|i| labels[i] = long.labels[i]);
    let mut x = long.x.clone();
    x.copy_within(2 * 2397..2 * 2400, 0);
    let found = fit(&Armc { init: Init::Labels(labels), ..together(3) }, &x, 2);
    assert_eq!(found.labels, relabel(&long.labels));
}

#[test]
fn clusters_together_are_checked_as_splits_are() {
    let cloud = blobs(60, 2, 3, 5.0, 1);
    let said = message(Armc { bound: OutputBound::Free, mu: 1e6, ..together(3) }, &cloud.x, 2);
    assert!(said.contains("`mu` must be at most"), "{said}");
    let narrow = Armc { gamma: GammaOrAuto::Value(1e4), ..together(3) };
    assert!(warned(&fit(&narrow, &cloud.x, 2), "labels are frozen"));
    assert!(!warned(&fit(&together(3), &cloud.x, 2), "frozen"));
    // One row far from all others is a cluster of its own.
    let mut x = blobs(200, 2, 2, 9.0, 1).x;
    x.extend([60.0, 60.0]);
    let mut labels: Vec<i32> = (0..201).map(|i| i % 2).collect();
    labels[200] = 2;
    let p = Armc { init: Init::Labels(labels), reg: 0.05, ..together(3) };
    assert!(warned(&fit(&p, &x, 2), "than min_cluster_size asks"));
    assert!(!warned(
        &fit(&p.min_cluster_size(ClusterSize::Fraction(0.0)), &x, 2),
        "min_cluster_size"
    ));
}

/// Cancels at an iteration, counted from the given number of times that the kernel is made.
struct Cancel {
    kernels: usize,
    iterations: usize,
}

impl Observer for Cancel {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Phase { name: "kernel" } => self.kernels -= 1,
            Event::Iteration { .. } if self.kernels == 0 => self.iterations -= 1,
            _ => {}
        }
        let now = self.iterations == 0;
        if now { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn clusters_together_can_be_cancelled_at_any_round() {
    let cloud = blobs(2300, 3, 4, 2.0, 2);
    let data = Dataset::new(view(&cloud.x, 3)).unwrap();
    for iterations in [1, 2, 4] {
        let observer = Cancel { kernels: 1, iterations };
        let found = together(4).solve(&data, &mut Ctx::observed(3, observer)).unwrap();
        assert_eq!(found.report.stop, Stop::Cancelled);
        assert_eq!(found.model.predict(view(&cloud.x, 3)).unwrap(), found.labels);
        assert!(found.report.trace.len() <= iterations, "{:?}", found.report.trace);
        assert!(found.report.objective.is_finite());
    }
}

#[test]
fn remedies_for_frozen_labels_are_ones_that_the_kernel_has() {
    let mut rng = Rng::new(3, 0);
    let x: Vec<f64> = (0..30 * 400).map(|_| rng.normal()).collect();
    for kernel in [KernelChoice::Linear, KernelChoice::Cosine] {
        let found = fit(&Armc { kernel, reg: 1e-3, ..Armc::default() }, &x, 400);
        assert!(
            warned(&found, "raise `reg`, or use fewer columns"),
            "{:?}",
            sentences(found.report.warnings())
        );
        assert!(!warned(&found, "gamma"));
    }
}

#[test]
fn the_scale_of_a_linear_machine_does_not_depend_on_how_rows_are_held() {
    // Just thin enough to be held by what is not 0, and just not: the mean is far from 0.
    let mut rng = Rng::new(4, 0);
    let dense: Vec<f64> =
        (0..200 * 10)
            .map(|p| {
                if p % 10 < 2 { 5.0 + rng.normal() + 2.0 * f64::from(p / 10 % 2 == 0) } else { 0.0 }
            })
            .collect();
    let p = Armc { kernel: KernelChoice::Linear, scaling: Scaling::None, ..Armc::default() };
    let short: Vec<f64> = dense.chunks_exact(10).flat_map(|r| [r[0], r[1]]).collect();
    let (thin, full) = (fit(&p, &dense, 10), fit(&p, &short, 2));
    assert_eq!(thin.labels, full.labels);
    let ratio = thin.report.objective / full.report.objective;
    assert!((ratio - 1.0).abs() < 1e-4, "{ratio}");
}

#[test]
fn memory_counts_the_rows_of_a_part() {
    let cloud = blobs(3000, 200, 3, 9.0, 1);
    let data = Dataset::new(view(&cloud.x, 200)).unwrap();
    let run = |n_clusters: usize| {
        let mut ctx = Ctx::new(1);
        ctx.memory = MemoryBudget(Some(13 << 20));
        let raw = Armc { scaling: Scaling::None, ..Armc::default() };
        Armc { n_clusters, kernel: KernelChoice::Linear, ..raw }.solve(&data, &mut ctx)
    };
    assert_eq!(run(2).unwrap().model.n_clusters(), 2);
    assert!(run(3).unwrap_err().to_string().contains("memory"));
}

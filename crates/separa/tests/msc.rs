//! Maximal separation clustering against its theorems, slow references and itself.

use crate::common;

use common::{distances, error, table};
use proptest::prelude::*;
use separa::ScaledModel;
use separa::methods::{
    GammaOrAuto, MetricChoice, Msc, MscModel, MscSplit, Objective, RowWeights, Threshold,
};
use separa::params::{ClusterSize, Scaling};
use separa::quality::dcut;
use separa::{CsrRef, Ctx, Dataset, Dense, Fit, MemoryBudget, Method, Model};
use separa::{Named, registry};
use separa_math::linalg::{dot, norm, product, product_nt, sym_eig, times};
use separa_testkit::clouds::{Source, blobs, two_gaussians};
use separa_testkit::sentences;
use serde_json::json;

fn fit(params: Msc, x: &[f64], d: usize) -> Fit<ScaledModel<MscModel>> {
    params.solve(&Dataset::new(table(x, d)).unwrap(), &mut Ctx::new(0)).unwrap()
}

/// The paper's own setting on given distances.
fn paper(weights: RowWeights) -> Msc {
    Msc {
        metric: MetricChoice::Precomputed,
        weights,
        threshold: Threshold::Zero,
        min_cluster_size: ClusterSize::Fraction(0.0),
        tol: 1e-13,
        scaling: Scaling::None,
        ..Msc::default()
    }
}

fn all_weights(n: usize, seed: u64) -> [RowWeights; 4] {
    let given = Source::new(seed).normals(n).iter().map(|v| 0.1 + v.abs()).collect();
    [RowWeights::Uniform, RowWeights::Distance, RowWeights::Perron, RowWeights::Given(given)]
}

/// α of the paper, from its definition.
fn alpha(d: &Dense, weights: &RowWeights) -> Vec<f64> {
    let n = d.rows();
    match weights {
        RowWeights::Uniform => vec![1.0; n],
        RowWeights::Distance => times(d, &vec![1.0; n]),
        RowWeights::Perron => sym_eig(d).unwrap().vectors.row(n - 1).to_vec(),
        RowWeights::Given(alpha) => alpha.clone(),
    }
}

/// Rows that span what is orthogonal to c: all but the first of a Householder reflection.
fn null_space(c: &[f64]) -> Dense {
    let n = c.len();
    let mut u = c.to_vec();
    u[0] += norm(c).copysign(c[0]);
    let square = dot(&u, &u);
    let mut basis = Dense::zeros(n - 1, n);
    for i in 1..n {
        (0..n).for_each(|j| {
            basis[(i - 1, j)] = f64::from(u8::from(i == j)) - 2.0 * u[i] * u[j] / square;
        });
    }
    basis
}

/// The largest eigenpair of U A Uᵀ, carried back.
fn within(basis: &Dense, a: &Dense) -> (Vec<f64>, f64) {
    let inner = product_nt(product(basis.view(), a.view()).view(), basis.view());
    let eig = sym_eig(&inner).unwrap();
    let last = inner.rows() - 1;
    (times(&basis.transposed(), eig.vectors.row(last)), eig.values[last])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_projector_equals_the_explicit_null_space_of_theorem_2_1(n in 4usize..130, seed in 0u64..999) {
        let d = distances(n, 3, seed);
        for weights in all_weights(n, seed) {
            let c = times(&d, &alpha(&d, &weights));
            let (w, value) = within(&null_space(&c), &product(d.view(), d.view()));
            // Decision values are told for w/√n.
            let f: Vec<f64> = times(&d, &w).iter().map(|v| v / (n as f64).sqrt()).collect();
            let fit = fit(paper(weights.clone()), d.data(), n);
            prop_assert!((fit.report.objective / value - 1.0).abs() < 1e-10, "{weights:?}");
            let found = fit.model.decision(d.view().into()).unwrap();
            let sign = dot(found.data(), &f).signum();
            let worst = found.data().iter().zip(&f).map(|(a, b)| (a - sign * b).abs());
            let top = f.iter().fold(0.0_f64, |t, v| t.max(v.abs()));
            prop_assert!(worst.fold(0.0, f64::max) < 1e-10 * top * n as f64, "{weights:?}");
        }
    }

    #[test]
    fn theorem_2_1_no_other_direction_separates_more(n in 3usize..40, seed in 0u64..999) {
        let d = distances(n, 2, seed);
        for weights in all_weights(n, seed) {
            let c = times(&d, &alpha(&d, &weights));
            let best = fit(paper(weights), d.data(), n).report.objective;
            for trial in 0..20 {
                let mut w = Source::new(1000 * seed + trial).normals(n);
                let h = dot(&w, &c) / dot(&c, &c);
                w.iter_mut().zip(&c).for_each(|(w, c)| *w -= h * c);
                let f = times(&d, &w);
                prop_assert!(dot(&f, &f) / dot(&w, &w) <= best * (1.0 + 1e-10));
            }
        }
    }

    #[test]
    fn the_relaxed_disparity_cut_solves_3_8(n in 4usize..60, seed in 0u64..999) {
        let d = distances(n, 3, seed);
        let mut minus = d.clone();
        minus.data_mut().iter_mut().for_each(|v| *v = -*v);
        for weights in [RowWeights::Uniform, RowWeights::Distance, RowWeights::Perron] {
            let (z, value) = within(&null_space(&alpha(&d, &weights)), &minus);
            let params = Msc { objective: Objective::Dcut, ..paper(weights.clone()) };
            let fit = fit(params, d.data(), n);
            prop_assert!((fit.report.objective / value - 1.0).abs() < 1e-9, "{weights:?}");
            let signs: Vec<i32> = z.iter().map(|z| i32::from(*z >= 0.0)).collect();
            let clear = z.iter().all(|z| z.abs() > 1e-9);
            prop_assert!(!clear || error(&fit.labels, &signs) == 0.0, "{weights:?}");
        }
    }

    #[test]
    fn lemma_3_1_the_perron_weights_give_the_relaxed_disparity_cut(n in 5usize..60, seed in 0u64..999) {
        // Euclidean distances have one positive eigenvalue: the premise holds.
        let d = distances(n, 3, seed);
        let separation = fit(paper(RowWeights::Perron), d.data(), n);
        let params = Msc { objective: Objective::Dcut, ..paper(RowWeights::Perron) };
        let relaxed = fit(params, d.data(), n);
        prop_assert_eq!(separation.labels, relaxed.labels);
        prop_assert!(sentences(separation.report.warnings()).is_empty());
        // λ² and −λ of the same eigenvalue.
        let gap = separation.report.objective.sqrt() / relaxed.report.objective - 1.0;
        prop_assert!(gap.abs() < 1e-9);
    }

    #[test]
    fn the_scan_finds_the_best_disparity_cut_of_all(n in 2usize..50, seed in 0u64..999) {
        let d = distances(n, 2, seed);
        let params = Msc { threshold: Threshold::Scan, ..paper(RowWeights::Perron) };
        let fit = fit(params, d.data(), n);
        let f = fit.model.decision(d.view().into()).unwrap();
        let mut sorted = f.data().to_vec();
        sorted.sort_by(f64::total_cmp);
        let value = |t: f64| {
            let labels: Vec<i32> = f.data().iter().map(|v| i32::from(*v >= t)).collect();
            dcut(d.view(), &labels, None).unwrap()
        };
        let best = sorted[1..].iter().map(|t| value(*t)).fold(f64::MIN, f64::max);
        let found = dcut(d.view(), &fit.labels, None).unwrap();
        prop_assert!((found - best).abs() < 1e-11 * n as f64 * best.abs(), "{} {}", found, best);
    }

    #[test]
    fn copies_share_a_label_and_count_as_weights(n in 4usize..40, seed in 0u64..999, kernel in any::<bool>()) {
        let x = two_gaussians(n, 2, 0.5, 4.0, seed).x;
        let mut source = Source::new(seed + 1);
        let times: Vec<usize> = (0..n).map(|_| 1 + source.below(3)).collect();
        let copied: Vec<usize> = (0..n).flat_map(|i| vec![i; times[i]]).collect();
        let rows: Vec<f64> = copied.iter().flat_map(|&i| x[2 * i..2 * i + 2].to_vec()).collect();
        for (weights, gamma) in [
            (RowWeights::Uniform, GammaOrAuto::Median),
            (RowWeights::Distance, GammaOrAuto::Value(0.1)),
            (RowWeights::Perron, GammaOrAuto::Auto),
        ] {
            let params = Msc {
                metric: if kernel { MetricChoice::Kernel } else { MetricChoice::Euclidean },
                gamma,
                weights,
                n_clusters: 3,
                scaling: Scaling::None, ..Msc::default()
            };
            let long = fit(params.clone(), &rows, 2);
            let counts: Vec<f64> = times.iter().map(|&t| t as f64).collect();
            let data = Dataset::new(table(&x, 2)).unwrap().with_weights(&counts).unwrap();
            let short = params.solve(&data, &mut Ctx::new(0)).unwrap();
            let spread: Vec<i32> = copied.iter().map(|&i| short.labels[i]).collect();
            prop_assert_eq!(long.labels, spread);
            let ratio = short.report.objective / long.report.objective;
            prop_assert!((ratio - 1.0).abs() < 1e-8, "{}", ratio);
        }
    }

    #[test]
    fn rescaling_a_metric_changes_nothing(n in 3usize..80, power in -120i32..120, seed in 0u64..999) {
        let cloud = blobs(n, 3, 3.min(n), 3.0, seed);
        let by = 10f64.powi(power) * 1.7;
        let scaled: Vec<f64> = cloud.x.iter().map(|v| v * by).collect();
        for metric in [MetricChoice::Kernel, MetricChoice::Euclidean, MetricChoice::Manhattan] {
            let params = Msc { n_clusters: 3.min(n), metric, scaling: Scaling::None, ..Msc::default() };
            prop_assert_eq!(fit(params.clone(), &cloud.x, 3).labels, fit(params, &scaled, 3).labels);
        }
    }
}

#[test]
fn lemma_3_1_fails_on_the_complete_bipartite_graph_and_a_warning_says_so() {
    // Path metric of K5,5: 1 across, 2 within a side. Eigenvalues 13, 3 and eight times −2.
    let mut d = Dense::zeros(10, 10);
    for i in 0..10 {
        (0..10)
            .filter(|j| *j != i)
            .for_each(|j| d[(i, j)] = if i / 5 == j / 5 { 2.0 } else { 1.0 });
    }
    let separation = fit(paper(RowWeights::Perron), d.data(), 10);
    assert_eq!(separation.labels, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    assert!((separation.report.objective - 9.0).abs() < 1e-10);
    assert!(sentences(separation.report.warnings())[0].contains("set objective=dcut"));
    let params = Msc { objective: Objective::Dcut, ..paper(RowWeights::Perron) };
    let relaxed = fit(Msc { threshold: Threshold::Scan, ..params }, d.data(), 10);
    assert!((relaxed.report.objective - 2.0).abs() < 1e-10);
    assert!(sentences(relaxed.report.warnings()).is_empty() && relaxed.labels != separation.labels);
    let value = |labels: &[i32]| dcut(d.view(), labels, None).unwrap();
    assert!(value(&relaxed.labels) > value(&separation.labels) + 1.0);
}

/// Section 4.1: a Gaussian at the centre and one that was turned by a random angle.
fn ring(seed: u64) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(seed);
    let mut x = source.normals(200);
    for _ in 0..100 {
        let (a, b) = (3.0 + source.normal(), 3.0 + source.normal());
        let (sin, cos) = (std::f64::consts::TAU * source.uniform()).sin_cos();
        x.extend([cos * a + sin * b, -sin * a + cos * b]);
    }
    (x, (0..200).map(|i| i32::from(i >= 100)).collect())
}

#[test]
fn table_1_the_ring_is_found_with_all_three_weights() {
    for weights in [RowWeights::Uniform, RowWeights::Distance, RowWeights::Perron] {
        let mean = (0..25).map(|seed| {
            let (x, truth) = ring(seed);
            let params = Msc {
                gamma: GammaOrAuto::Value(1.0 / 9.0),
                weights: weights.clone(),
                threshold: Threshold::Zero,
                scaling: Scaling::None,
                ..Msc::default()
            };
            error(&fit(params, &x, 2).labels, &truth)
        });
        let mean = mean.sum::<f64>() / 25.0;
        assert!(mean < 0.05, "{weights:?}: {mean}");
    }
    let mean = (0..25).map(|seed| {
        let (x, truth) = ring(seed);
        error(&fit(Msc::default(), &x, 2).labels, &truth)
    });
    let mean = mean.sum::<f64>() / 25.0;
    assert!(mean < 0.08, "label-free: {mean}");
}

#[test]
fn splitting_by_dcut_finds_clusters_of_unequal_size_where_the_largest_part_does_not() {
    let mut source = Source::new(5);
    let (mut x, mut truth) = (Vec::new(), Vec::new());
    for (c, (rows, at)) in
        [(300, [0.0, 0.0]), (50, [12.0, 0.0]), (50, [12.0, 8.0])].iter().enumerate()
    {
        for _ in 0..*rows {
            x.extend([at[0] + source.normal(), at[1] + source.normal()]);
            truth.push(c as i32);
        }
    }
    let run = |split| {
        let params = Msc {
            n_clusters: 3,
            metric: MetricChoice::Euclidean,
            split,
            scaling: Scaling::None,
            ..Msc::default()
        };
        error(&fit(params, &x, 2).labels, &truth)
    };
    assert!(run(MscSplit::Dcut) < 0.02);
    assert!(run(MscSplit::Largest) > 0.2);
}

#[test]
fn landmarks_come_close_to_all_rows_and_label_new_rows() {
    let cloud = blobs(1500, 8, 4, 5.0, 3);
    let full = fit(Msc { n_clusters: 4, scaling: Scaling::None, ..Msc::default() }, &cloud.x, 8);
    for (objective, weights) in [
        (Objective::Separation, RowWeights::Perron),
        (Objective::Separation, RowWeights::Uniform),
        (Objective::Separation, RowWeights::Distance),
        (Objective::Dcut, RowWeights::Distance),
    ] {
        let params = Msc {
            n_clusters: 4,
            landmarks: 60,
            objective,
            weights,
            scaling: Scaling::None,
            ..Msc::default()
        };
        let some = fit(params, &cloud.x, 8);
        let apart = error(&some.labels, &full.labels);
        // 1.2 points is what 200 landmarks cost at most on digits.
        assert!(apart < 0.012, "{objective:?}: {apart}");
        assert_eq!(some.model.predict(table(&cloud.x, 8)).unwrap(), some.labels);
    }
    // As many landmarks as rows are all rows.
    let params = Msc { n_clusters: 4, landmarks: 1500, scaling: Scaling::None, ..Msc::default() };
    assert_eq!(fit(params, &cloud.x, 8).labels, full.labels);
    let fresh = blobs(1500, 8, 4, 5.0, 3);
    assert!(error(&full.model.predict(table(&fresh.x, 8)).unwrap(), &fresh.labels) < 0.01);
}

#[test]
fn landmark_and_full_problems_agree_where_every_row_is_a_landmark_but_one() {
    // n − 1 landmarks of n rows: almost the dense problem, by the other path.
    for weights in [RowWeights::Uniform, RowWeights::Distance, RowWeights::Perron] {
        let cloud = two_gaussians(300, 3, 0.4, 5.0, 8);
        let params = Msc { weights, scaling: Scaling::None, ..Msc::default() };
        let some = fit(Msc { landmarks: 299, ..params.clone() }, &cloud.x, 3);
        let full = fit(params, &cloud.x, 3);
        assert_eq!(some.labels, full.labels);
        let ratio = some.report.objective / full.report.objective;
        assert!((0.95..1.0 + 1e-9).contains(&ratio), "{ratio}");
    }
}

#[test]
fn single_precision_and_landmarks_are_taken_and_said_where_memory_is_short() {
    let cloud = blobs(4000, 5, 3, 4.0, 2);
    let data = Dataset::new(table(&cloud.x, 5)).unwrap();
    let run = |budget: Option<u64>| {
        let mut ctx = Ctx::new(0);
        ctx.memory = MemoryBudget(budget);
        Msc { n_clusters: 3, scaling: Scaling::None, ..Msc::default() }
            .solve(&data, &mut ctx)
            .unwrap()
    };
    let (double, single, marks) = (run(None), run(Some(50 << 20)), run(Some(25 << 20)));
    let said = |fit: &Fit<ScaledModel<MscModel>>, word: &str| {
        sentences(fit.report.notices()).iter().any(|s| s.contains(word))
    };
    assert!(!said(&double, "memory"), "{:?}", sentences(double.report.notices()));
    assert!(said(&single, "single precision"), "{:?}", sentences(single.report.notices()));
    assert!(said(&marks, "landmarks"), "{:?}", sentences(marks.report.notices()));
    assert_eq!(single.labels, double.labels);
    assert!(error(&marks.labels, &double.labels) < 0.01);
    for fit in [&single, &marks] {
        assert_eq!(fit.model.predict(data.x()).unwrap(), fit.labels);
    }
}

#[test]
fn a_sparse_table_of_distances_counts_as_the_dense_one_it_becomes() {
    // A chain: two numbers a row are stored, 32 MB are needed.
    let n = 2000_usize;
    let (mut indptr, mut indices) = (vec![0], Vec::new());
    for i in 0..n {
        let next = [i.checked_sub(1), Some(i + 1)];
        indices.extend(next.into_iter().flatten().filter(|j| *j < n).map(|j| j as u32));
        indptr.push(indices.len());
    }
    let values = vec![1.0; indices.len()];
    let sparse = CsrRef::new(n, &indptr, &indices, &values).unwrap();
    let data = Dataset::new(sparse.into()).unwrap();
    let run = |budget: u64| {
        let mut ctx = Ctx::new(0);
        ctx.memory = MemoryBudget(Some(budget));
        Msc { metric: MetricChoice::Precomputed, scaling: Scaling::None, ..Msc::default() }
            .solve(&data, &mut ctx)
    };
    let said = run(30_000_000).unwrap_err().to_string();
    assert!(said.contains("raise the memory limit"), "{said}");
    let marks = run(45_000_000).unwrap();
    assert!(sentences(marks.report.notices()).iter().any(|s| s.contains("memory")));
}

#[test]
fn weights_of_two_are_rows_given_twice() {
    let cloud = two_gaussians(150, 3, 0.5, 4.0, 12);
    let twice: Vec<f64> = cloud.x.chunks_exact(3).flat_map(|r| [r, r].concat()).collect();
    let two = vec![2.0; 150];
    let data = Dataset::new(table(&cloud.x, 3)).unwrap().with_weights(&two).unwrap();
    for objective in [Objective::Separation, Objective::Dcut] {
        let params = Msc { objective, n_clusters: 3, scaling: Scaling::None, ..Msc::default() };
        let weighted = params.clone().solve(&data, &mut Ctx::new(0)).unwrap().report;
        let repeated = fit(params.clone(), &twice, 3).report;
        let plain = fit(params, &cloud.x, 3).report;
        assert!((weighted.objective / repeated.objective - 1.0).abs() < 1e-9, "{objective:?}");
        let power = if objective == Objective::Dcut { 2.0 } else { 4.0 };
        assert!((weighted.objective / plain.objective - power).abs() < 1e-8);
        assert_eq!(weighted.trace.len(), 2);
    }
}

#[test]
fn single_and_double_precision_give_equal_labels_on_the_ring_and_on_wine() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/wine.csv");
    let text = std::fs::read_to_string(root).unwrap();
    let wine: Vec<f64> = text
        .lines()
        .skip(1)
        .flat_map(|line| line.split(',').take(13).map(|v| v.parse::<f64>().unwrap()))
        .collect();
    for (x, d, k) in [(ring(1).0, 2, 2), (ring(2).0, 2, 3), (wine, 13, 3)] {
        let data = Dataset::new(table(&x, d)).unwrap();
        for metric in [MetricChoice::Kernel, MetricChoice::Euclidean] {
            let run = |budget: Option<u64>| {
                let mut ctx = Ctx::new(0);
                ctx.memory = MemoryBudget(budget);
                let params = Msc {
                    n_clusters: k,
                    metric,
                    gamma: GammaOrAuto::Median,
                    scaling: Scaling::None,
                    ..Msc::default()
                };
                params.solve(&data, &mut ctx)
            };
            let narrow = |fit: &Fit<ScaledModel<MscModel>>| {
                sentences(fit.report.notices()).iter().any(|s| s.contains("single precision"))
            };
            let budgets = (1..100).map(|i| 10_000 * i);
            let single = budgets.filter_map(|b| run(Some(b)).ok()).find(narrow).unwrap();
            assert_eq!(single.labels, run(None).unwrap().labels, "{metric:?}, {d} columns");
        }
    }
}

#[test]
fn a_cut_that_gives_way_to_min_cluster_size_is_said() {
    let mut x = two_gaussians(200, 2, 0.5, 8.0, 4).x;
    x.extend([4000.0, -3000.0]);
    let params = Msc { metric: MetricChoice::Euclidean, scaling: Scaling::None, ..Msc::default() };
    let report = |threshold, size| {
        let params = params.clone().threshold(threshold).min_cluster_size(size);
        fit(params, &x, 2).report
    };
    let (hundredth, one) = (ClusterSize::Fraction(0.01), ClusterSize::Rows(1));
    for (threshold, name) in [(Threshold::Zero, "zero"), (Threshold::Otsu, "otsu")] {
        let said = sentences(report(threshold, hundredth).warnings());
        let expected = format!(
            "the split of threshold={name} leaves fewer rows on one side than min_cluster_size"
        );
        assert!(said.len() == 1 && said[0].starts_with(&expected), "{said:?}");
        assert!(said[0].contains("min_cluster_size=1"));
        assert!(sentences(report(threshold, one).warnings()).is_empty());
    }
    // The scan would rather leave the far row alone, and stops where it must.
    let rests = |report: &separa::Report| {
        sentences(report.notices())
            .iter()
            .any(|s| s.contains("as few rows on one side as min_cluster_size allows"))
    };
    assert!(rests(&report(Threshold::Scan, hundredth)));
    assert!(!rests(&report(Threshold::Scan, ClusterSize::Fraction(0.0))));
}

#[test]
fn an_outlier_is_no_cluster_of_its_own() {
    let cloud = two_gaussians(200, 2, 0.5, 8.0, 4);
    let mut x = cloud.x;
    x.extend([4000.0, -3000.0]);
    let params = Msc { metric: MetricChoice::Euclidean, scaling: Scaling::None, ..Msc::default() };
    for threshold in [Threshold::Scan, Threshold::Otsu, Threshold::Zero] {
        let fit = fit(Msc { threshold, ..params.clone() }, &x, 2);
        let ones = fit.labels.iter().filter(|l| **l == 1).count();
        assert!((3..=198).contains(&ones), "{threshold:?}: {ones}");
    }
    assert!(error(&fit(Msc::default(), &x, 2).labels[..200], &cloud.labels) < 0.01);
}

#[test]
fn two_and_three_rows_and_equal_distances_have_defined_answers() {
    for metric in [MetricChoice::Kernel, MetricChoice::Euclidean] {
        for weights in [RowWeights::Uniform, RowWeights::Distance, RowWeights::Perron] {
            for objective in [Objective::Separation, Objective::Dcut] {
                let params = Msc {
                    metric,
                    weights: weights.clone(),
                    objective,
                    scaling: Scaling::None,
                    ..Msc::default()
                };
                assert_eq!(fit(params.clone(), &[0.0, 1.0], 1).labels, [0, 1]);
                assert_eq!(fit(params.clone(), &[0.0, 9.0, 0.5], 1).labels, [0, 1, 0]);
                let three = Msc { n_clusters: 3, ..params };
                assert_eq!(fit(three, &[0.0, 9.0, 0.5], 1).labels, [0, 1, 2]);
            }
        }
    }
    // The corners of a simplex.
    let mut x = vec![0.0; 64];
    (0..8).for_each(|i| x[9 * i] = 1.0);
    let two = fit(Msc::default(), &x, 8);
    assert_eq!(two.labels, [0, 0, 0, 0, 1, 1, 1, 1]);
    assert!(sentences(two.report.warnings())[0].contains("all distances within a part are equal"));
    let eight = fit(Msc { n_clusters: 8, scaling: Scaling::None, ..Msc::default() }, &x, 8);
    assert_eq!(eight.model.n_clusters(), 8);
    // Coincident rows cannot be separated.
    let same = fit(Msc::default(), &[2.0; 10], 2);
    assert_eq!((same.labels.as_slice(), same.model.n_clusters()), (&[0; 5][..], 1));
    assert!(sentences(same.report.warnings())[0].starts_with("found 1 clusters instead of 2"));
}

#[test]
fn a_given_table_of_distances_equals_the_rows_it_was_made_from() {
    let cloud = blobs(90, 3, 3, 5.0, 6);
    let mut d = Dense::zeros(90, 90);
    for i in 0..90 {
        for j in 0..90 {
            let gaps = (0..3).map(|c| (cloud.x[3 * i + c] - cloud.x[3 * j + c]).powi(2));
            d[(i, j)] = gaps.sum::<f64>().sqrt();
        }
    }
    let params = Msc {
        n_clusters: 3,
        metric: MetricChoice::Euclidean,
        scaling: Scaling::None,
        ..Msc::default()
    };
    let rows = fit(params.clone(), &cloud.x, 3);
    let given = fit(Msc { metric: MetricChoice::Precomputed, ..params.clone() }, d.data(), 90);
    assert_eq!(rows.labels, given.labels);
    assert_eq!(given.model.predict(d.view().into()).unwrap(), given.labels);
    assert_eq!(given.model.n_features(), 90);
    let marked = Msc { metric: MetricChoice::Precomputed, landmarks: 30, ..params };
    assert_eq!(fit(marked, d.data(), 90).labels, rows.labels);
    let narrow = given.model.predict(table(&d.data()[..60], 60)).unwrap_err().to_string();
    assert_eq!(narrow, "table has 60 feature columns, but the model was fitted on 90");
    // Rows without weight keep their columns.
    let weights: Vec<f64> = (0..90).map(|i| f64::from(i % 3 > 0)).collect();
    let data = Dataset::new(d.view().into()).unwrap().with_weights(&weights).unwrap();
    let params = Msc {
        n_clusters: 3,
        metric: MetricChoice::Precomputed,
        scaling: Scaling::None,
        ..Msc::default()
    };
    let thinned = params.solve(&data, &mut Ctx::new(0)).unwrap();
    assert_eq!(thinned.model.predict(data.x()).unwrap(), thinned.labels);
    assert_eq!(thinned.model.n_features(), 90);
}

#[test]
fn every_metric_and_kernel_finds_plain_groups_and_loads_again() {
    let cloud = blobs(120, 4, 2, 12.0, 9);
    let mut cases: Vec<Named> = Vec::new();
    for metric in ["euclidean", "sqeuclidean", "manhattan", "chebyshev"] {
        cases.push(Named::from_iter([("metric".into(), json!(metric))]));
    }
    for kernel in ["linear", "rbf", "laplacian"] {
        cases.push(Named::from_iter([("kernel".into(), json!(kernel))]));
    }
    let data = Dataset::new(table(&cloud.x, 4)).unwrap();
    for case in cases {
        let fit = registry::solve("msc", &case, &data, &mut Ctx::new(0)).unwrap();
        assert_eq!(error(&fit.labels, &cloud.labels), 0.0, "{case:?}");
    }
    // Directions, for those that see nothing else; and kernels that need not be positive definite.
    let x: Vec<f64> = (0..120)
        .flat_map(|i| if i % 2 == 0 { [9.0, 1.0, 0.1] } else { [1.0, 0.1, 9.0] })
        .zip(Source::new(3).normals(360))
        .map(|(v, e)| v + 0.1 * e)
        .collect();
    let truth: Vec<i32> = (0..120).map(|i| i % 2).collect();
    let data = Dataset::new(table(&x, 3)).unwrap();
    for (name, value) in [
        ("metric", "cosine"),
        ("metric", "correlation"),
        ("kernel", "cosine"),
        ("kernel", "poly"),
        ("kernel", "tanh"),
    ] {
        let case = Named::from_iter([(name.into(), json!(value))]);
        let fit = registry::solve("msc", &case, &data, &mut Ctx::new(0)).unwrap();
        assert_eq!(fit.model.predict(data.x()).unwrap(), fit.labels, "{value}");
        assert!(value == "tanh" || error(&fit.labels, &truth) == 0.0, "{value}");
    }
}

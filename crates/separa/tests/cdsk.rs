//! Clustering by discriminative similarity: against plain spectral clustering, and what it promises.

use crate::common;

use common::{params, unjudged};
use separa::ScaledModel;
use separa::methods::{Affinity, Cdsk, CdskModel, CdskVariant, CdskVote, Spectral};
use separa::params::Scaling;
use separa::quality::External;
use separa::{
    CsrRef, Ctx, Dataset, DenseRef, Fit, MatrixRef, MemoryBudget, Method, Model, model_file,
};
use separa_math::rng::Rng;
use separa_testkit::clouds::{blobs, sparse_rows};
use separa_testkit::sentences;
use serde_json::json;

const ALL: [&str; 13] = [
    "c-x7",
    "h-x7",
    "raw-x7",
    "c-m7",
    "raw-m7",
    "c-snn10",
    "h-snn10",
    "raw-snn10",
    "raw-st7",
    "rbf",
    "self-expression",
    "landmark",
    "auto",
];

fn view(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn with(similarity: &str, n_clusters: usize) -> Cdsk {
    Cdsk { n_clusters, similarity: similarity.into(), scaling: Scaling::None, ..Cdsk::default() }
}

fn fit(params: &Cdsk, x: &[f64], d: usize) -> Fit<ScaledModel<CdskModel>> {
    params.clone().solve(&Dataset::new(view(x, d)).unwrap(), &mut Ctx::new(3)).unwrap()
}

fn message(params: Cdsk, x: &[f64], d: usize) -> String {
    params.solve(&Dataset::new(view(x, d)).unwrap(), &mut Ctx::new(0)).unwrap_err().to_string()
}

fn in_turns(n: usize, k: usize) -> Vec<i32> {
    (0..n).map(|i| (i % k) as i32).collect()
}

/// Similarities of q blocks whose rows take turns: ½ to 1 within, `across` between.
fn blocks(n: usize, q: usize, across: f64, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 1);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let v = if i % q == j % q { 0.5 + 0.5 * rng.uniform() } else { across * rng.uniform() };
            (a[i * n + j], a[j * n + i]) = (v, v);
        }
    }
    a
}

#[test]
fn every_similarity_finds_plain_blobs_and_labels_new_rows() {
    let cloud = blobs(300, 8, 3, 9.0, 4);
    let truth = fit(&with("raw-x7", 3), &cloud.x, 8).labels;
    let new: Vec<f64> = cloud.x.iter().map(|v| v + 0.05).collect();
    // Self-expression tells subspaces apart, not blobs that fill the space.
    for name in ALL.into_iter().filter(|name| *name != "self-expression") {
        for vote in [CdskVote::Size, CdskVote::Sum] {
            let fit = fit(&Cdsk { vote, landmarks: 40, ..with(name, 3) }, &cloud.x, 8);
            assert_eq!(fit.labels, truth, "{name}");
            assert_eq!(fit.model.predict(view(&cloud.x, 8)).unwrap(), fit.labels, "{name}");
            assert_eq!(fit.model.predict(view(&new, 8)).unwrap(), fit.labels, "{name} {vote:?}");
        }
    }
}

#[test]
fn self_expression_tells_subspaces_apart() {
    // Three subspaces of dimension q that share no direction, rows taking turns, each with mean
    // zero: rows are centred before they are expressed, and a mean elsewhere joins the subspaces
    // (q = 2 without this step: 140 of 240 rows wrong; docs/methods/cdsk.md says so).
    for q in [2, 4] {
        let (mut rng, mut x) = (Rng::new(2, 0), vec![0.0; 240 * 12]);
        for (i, row) in x.chunks_exact_mut(12).enumerate() {
            (0..q).for_each(|j| row[4 * (i % 3) + j] = rng.normal());
        }
        for j in 0..12 {
            let mean = (0..240).map(|i| x[12 * i + j]).sum::<f64>() / 80.0;
            (0..240).filter(|i| i % 3 == j / 4 && j % 4 < q).for_each(|i| x[12 * i + j] -= mean);
        }
        let fit = fit(&with("self-expression", 3), &x, 12);
        let wrong = fit.labels.iter().zip(in_turns(240, 3)).filter(|(a, b)| **a != *b).count();
        assert_eq!(wrong, 0, "dimension {q}");
    }
}

#[test]
fn one_row_is_one_cluster() {
    for name in ALL.into_iter().filter(|name| !name.starts_with("h-")) {
        let fit = fit(&with(name, 1), &[1.0, 2.0, 3.0], 3);
        assert_eq!(fit.labels, [0], "{name}");
        assert_eq!(fit.model.predict(view(&[1.0, 2.0, 3.0], 3)).unwrap(), [0], "{name}");
    }
}

#[test]
fn saved_models_of_every_similarity_decide_alike() {
    let cloud = blobs(90, 5, 3, 3.0, 4);
    let data = Dataset::new(view(&cloud.x, 5)).unwrap();
    let new: Vec<f64> = cloud.x.iter().map(|v| v * 1.01).collect();
    for name in ALL {
        let given =
            [("n_clusters", json!(3)), ("similarity", json!(name)), ("landmarks", json!(20))];
        let found = unjudged("cdsk", &params(&given)).fit(&data).unwrap();
        let loaded = model_file::from_bytes(&found.to_bytes().unwrap()).unwrap();
        for x in [&cloud.x, &new] {
            let (a, b) = (found.decision(&view(x, 5)), loaded.decision(&view(x, 5)));
            assert_eq!(a.unwrap().data(), b.unwrap().data(), "{name}");
        }
        assert!(!found.exemplars().is_empty());
        assert_eq!(loaded.exemplars(), found.exemplars());
    }
}

#[test]
fn equal_weights_and_rows_of_length_one_are_ng_jordan_and_weiss() {
    for across in [0.05, 0.3] {
        let a = blocks(120, 4, across, 9);
        let ours = Cdsk { init: separa::Init::Named("greedy".into()), ..with("precomputed", 4) };
        let ours = fit(&ours, &a, 120).labels;
        let plain =
            Spectral { n_clusters: 4, affinity: Affinity::Precomputed, ..Spectral::default() };
        let data = Dataset::new(view(&a, 120)).unwrap();
        assert_eq!(ours, plain.solve(&data, &mut Ctx::new(3)).unwrap().labels);
        assert_eq!(ours, in_turns(120, 4));
    }
}

#[test]
fn every_zero_eigenvalue_is_found_each_component_is_a_cluster() {
    for q in [2, 7, 20] {
        let a = blocks(240, q, 0.0, q as u64);
        let fit = fit(&with("precomputed", q), &a, 240);
        assert_eq!(fit.labels, in_turns(240, q));
        assert_eq!(fit.model.predict(view(&a, 240)).unwrap(), fit.labels);
    }
}

#[test]
fn auto_reports_every_member_and_does_not_depend_on_threads() {
    let cloud = blobs(400, 6, 3, 2.0, 1);
    let fit = fit(&with("auto", 3), &cloud.x, 6);
    let names: Vec<&str> = fit.report.initializations.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["c-x4", "c-x7", "h-x4", "h-x7", "raw-st7", "raw-m7"]);
    assert!(fit.report.initializations.iter().all(|s| (0.0..=1.0 + 1e-12).contains(&s.score)));
    let best = fit.report.initializations.iter().map(|s| s.score).fold(0.0, f64::max);
    assert_eq!(fit.report.initializations.iter().find(|s| s.chosen).unwrap().score, best);
}

#[test]
fn exemplars_belong_to_their_cluster_and_weights_sum_to_one() {
    let cloud = blobs(200, 4, 3, 5.0, 7);
    let fit = fit(&with("auto", 3), &cloud.x, 4);
    assert_eq!(fit.report.exemplars.len(), 3);
    for (c, list) in fit.report.exemplars.iter().enumerate() {
        assert_eq!(list.len(), 5);
        assert!(list.iter().all(|&i| fit.labels[i] == c as i32));
    }
    assert!((fit.model.alpha().iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn similarities_that_are_none_are_refused_by_entry() {
    let good = blocks(12, 2, 0.1, 1);
    let at = |i: usize, j: usize, v: f64| {
        let mut a = good.clone();
        a[i * 12 + j] = v;
        message(with("precomputed", 2), &a, 12)
    };
    assert!(at(2, 3, -0.5).contains("row 3, column 4 holds -0.5"), "{}", at(2, 3, -0.5));
    assert!(at(2, 3, 9.0).contains("symmetric"), "{}", at(2, 3, 9.0));
    let flat = message(with("precomputed", 2), &good[..24], 12);
    assert!(flat.contains("2 x 12"), "{flat}");
    let fit = fit(&with("precomputed", 2), &good, 12);
    let narrow = fit.model.predict(view(&good[..10], 5)).unwrap_err().to_string();
    assert_eq!(narrow, "table has 5 feature columns, but the model was fitted on 12");
}

#[test]
fn an_unknown_similarity_is_named_with_the_one_that_was_meant() {
    let x = [0.0, 1.0, 2.0, 3.0];
    let slip = message(with("c-x7x", 2), &x, 1);
    assert!(
        slip.contains("`similarity` must be") && slip.contains("did you mean \"c-x7\"?"),
        "{slip}"
    );
    assert!(message(with("nonsense", 2), &x, 1).ends_with("got \"nonsense\""));
    assert!(message(with("c-x7", 9), &x, 1).contains("at most the number of rows (4), got 9"));
}

#[test]
fn more_components_than_clusters_are_told_and_every_row_has_a_label() {
    let a = blocks(60, 5, 0.0, 2);
    let fit = fit(&with("precomputed", 3), &a, 60);
    assert!(
        sentences(fit.report.warnings()).iter().any(|w| w.contains("5 components")),
        "{:?}",
        fit.report
    );
    assert!(fit.labels.iter().all(|l| (0..3).contains(l)));
}

#[test]
fn a_row_without_neighbours_goes_where_its_nearest_rows_are() {
    // Two tight groups and a row so far from both that its weights underflow.
    let mut x: Vec<f64> = (0..20).map(|i| f64::from(i % 2) * 50.0 + f64::from(i) * 1e-3).collect();
    x.push(1e9);
    let fit = fit(&with("raw-x4", 2), &x, 1);
    assert!(
        sentences(fit.report.notices()).iter().any(|n| n.contains("have no neighbour")),
        "{:?}",
        fit.report
    );
    assert_eq!(fit.labels[20], fit.labels[19]);
    assert_eq!(&fit.labels[..4], [0, 1, 0, 1]);
    assert_eq!(fit.model.predict(view(&x, 1)).unwrap(), fit.labels);
}

#[test]
fn duplicate_rows_and_rows_of_zeros_share_a_label_and_break_nothing() {
    let cloud = blobs(60, 6, 3, 9.0, 2);
    let mut x = cloud.x.clone();
    x.extend_from_slice(&cloud.x[..18]);
    x.extend_from_slice(&[0.0; 18]);
    for name in ALL {
        let fit = fit(&Cdsk { landmarks: 15, ..with(name, 3) }, &x, 6);
        assert_eq!(fit.labels[60..63], fit.labels[..3], "{name}");
        assert_eq!(fit.labels[63], fit.labels[65], "{name}");
        let decision = fit.model.decision(view(&x, 6)).unwrap();
        assert!(decision.data().iter().all(|v| v.is_finite()), "{name}");
    }
}

#[test]
fn similarities_of_all_pairs_are_refused_beyond_the_memory_and_left_out_of_auto() {
    let cloud = blobs(3000, 4, 2, 5.0, 1);
    let data = Dataset::new(view(&cloud.x, 4)).unwrap();
    let run = |similarity: &str| {
        let mut ctx = Ctx::new(0);
        ctx.memory = MemoryBudget(Some(20_000_000));
        with(similarity, 2).solve(&data, &mut ctx)
    };
    for name in ["raw-st7", "rbf"] {
        let refused = run(name).unwrap_err().to_string();
        assert!(refused.contains("set similarity=h-x7, set similarity=landmark, or"), "{refused}");
    }
    let auto = run("auto").unwrap();
    assert!(sentences(auto.report.notices()).iter().any(|n| n.contains("raw-st7 is left out")));
    assert!(auto.report.initializations.iter().all(|s| s.name != "raw-st7"));
}

#[test]
fn sparse_rows_are_labelled_as_dense_ones_by_every_similarity() {
    let mut cloud = blobs(150, 6, 3, 6.0, 8);
    cloud.x.iter_mut().for_each(|v| *v = if v.abs() < 1.5 { 0.0 } else { *v });
    let (indptr, indices, values) = sparse_rows(&cloud.x, 6);
    let sparse = CsrRef::new(6, &indptr, &indices, &values).unwrap();
    for name in ALL {
        let p = Cdsk { landmarks: 30, ..with(name, 3) };
        let a = fit(&p, &cloud.x, 6);
        let b = p.solve(&Dataset::new(sparse.into()).unwrap(), &mut Ctx::new(3)).unwrap();
        assert_eq!(a.labels, b.labels, "{name}");
        let (left, right) = (a.model.decision(sparse.into()), b.model.decision(view(&cloud.x, 6)));
        assert_eq!(left.unwrap().data(), right.unwrap().data(), "{name}");
    }
}

#[test]
fn learnt_weights_find_plain_blobs_and_the_printed_algorithm_says_that_it_collapsed() {
    let cloud = blobs(90, 4, 3, 6.0, 1);
    let plain = fit(&with("raw-x7", 3), &cloud.x, 4).labels;
    assert_eq!(External::new(&plain, &cloud.labels).unwrap().error, 0.0);
    let variant = CdskVariant::Exact;
    for similarity in ["c-x7", "raw-m7", "rbf", "landmark"] {
        let fit = fit(&Cdsk { variant, ..with(similarity, 3) }, &cloud.x, 4);
        assert_eq!(fit.labels, plain, "{similarity}");
        assert_eq!(fit.model.predict(view(&cloud.x, 4)).unwrap(), fit.labels);
        let alpha = fit.model.alpha();
        assert!((alpha.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        // Separate parts of a graph cannot be cut better: there equal weights are the best.
        assert!(similarity != "rbf" || alpha.iter().any(|a| *a != alpha[0]), "nothing was learnt");
        assert!(sentences(fit.report.notices()).iter().any(|s| s.contains("Q from")));
    }
    let paper = fit(&Cdsk { variant: CdskVariant::Paper, ..with("auto", 3) }, &cloud.x, 4);
    let said = sentences(paper.report.warnings()).iter().any(|w| w.contains("collapsed"));
    assert!(said, "{:?}", sentences(paper.report.warnings()));
    assert_eq!(paper.report.initializations.len(), 1);
    assert_eq!(paper.report.initializations[0].name, "rbf");
}

#[test]
fn settings_of_learnt_weights_are_checked() {
    let cloud = blobs(30, 3, 2, 5.0, 1);
    let exact = Cdsk { variant: CdskVariant::Exact, ..with("rbf", 2) };
    for rho in [0.0, -1.0, 1.5, f64::NAN] {
        let said = message(Cdsk { rho, ..exact.clone() }, &cloud.x, 3);
        assert!(said.contains("`rho` must be a number above 0, at most 1"), "{said}");
    }
    let said = message(Cdsk { h: 0.0, ..exact.clone() }, &cloud.x, 3);
    assert!(said.contains("`h` must be a positive number"), "{said}");
    let weights: Vec<f64> = (0..30).map(|i| 1.0 + f64::from(i % 2)).collect();
    let data = Dataset::new(view(&cloud.x, 3)).unwrap().with_weights(&weights).unwrap();
    let said = exact.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string();
    assert!(said.contains("set variant=graph"), "{said}");
}

//! crf: what sequences add, what it refuses, and what it must not do.

use crate::common;

use common::StopAt;
use separa::ScaledModel;
use separa::methods::{Crf, CrfModel, Decoding, Logistic};
use separa::model_file;
use separa::params::{ClusterSize, Scaling};
use separa::quality::External;
use separa::registry::{self, METHODS};
use separa::{
    Clusterer, CsrRef, Ctx, Dataset, DenseRef, Fit, Grouping, Init, MatrixRef, Method, Model,
    Proba, Stop,
};
use separa_testkit::clouds::{Source, sparse_rows};
use separa_testkit::sentences;
use serde_json::Map;
use std::ops::Range;

/// Sequences of states that stay with probability `stay`, seen through unit Gaussians.
struct Sample {
    d: usize,
    x: Vec<f64>,
    states: Vec<i32>,
    sequences: Vec<Range<usize>>,
}

/// States are `distance` apart: two on a line, three in a triangle.
fn chain(k: usize, lengths: &[usize], stay: f64, distance: f64, seed: u64) -> Sample {
    let mut source = Source::new(seed);
    let third = [(0.0, 0.0), (1.0, 0.0), (0.5, 0.75f64.sqrt())];
    let (mut x, mut states, mut sequences) = (Vec::new(), Vec::new(), Vec::new());
    for &length in lengths {
        let start = states.len();
        let mut state = source.below(k);
        for t in 0..length {
            if t > 0 && source.uniform() > stay {
                state = (state + 1 + source.below(k - 1)) % k;
            }
            states.push(state as i32);
            x.push(distance * third[state].0 + source.normal());
            x.push(distance * third[state].1 + source.normal());
        }
        sequences.push(start..start + length);
    }
    Sample { d: 2, x, states, sequences }
}

impl Sample {
    fn rows(&self) -> MatrixRef<'_> {
        DenseRef::new(self.states.len(), self.d, &self.x).unwrap().into()
    }
    fn data(&self) -> Dataset<'_> {
        Dataset::new(self.rows()).unwrap().with_sequences(&self.sequences).unwrap()
    }
    fn error(&self, labels: &[i32]) -> f64 {
        External::new(labels, &self.states).unwrap().error
    }
    fn solve(&self, crf: Crf) -> Fit<ScaledModel<CrfModel>> {
        crf.solve(&self.data(), &mut Ctx::new(0)).unwrap()
    }
}

fn crf(k: usize) -> Crf {
    Crf { n_clusters: k, ..Crf::default() }
}

fn bytes(crf: Crf, data: &Dataset<'_>, threads: usize) -> Vec<u8> {
    let request = Clusterer::new(crf).quality(false).threads(threads);
    request.fit(data).unwrap().to_bytes().unwrap()
}

#[test]
fn a_two_state_chain_has_less_error_than_the_fitted_and_the_best_rule_of_unrelated_rows() {
    for seed in 0..5 {
        let s = chain(2, &[50; 40], 0.95, 2.0, seed);
        let fit = s.solve(crf(2));
        let rows = Dataset::new(s.rows()).unwrap();
        let plain = Logistic::default().solve(&rows, &mut Ctx::new(0)).unwrap();
        let (found, alone) = (s.error(&fit.labels), s.error(&plain.labels));
        // Bayes' rule for one row is the side of the middle, right with probability Φ(1) = 0.841.
        let side = |row: &[f64]| i32::from(row[0] > 1.0);
        let bayes = s.error(&s.x.chunks_exact(2).map(side).collect::<Vec<_>>());
        assert!(found < 0.5 * alone.min(bayes), "seed {seed}: {found} {alone} {bayes}");
        assert_eq!(fit.report.stop, Stop::Converged);
    }
}

#[test]
fn three_states_and_one_long_sequence_are_found_too() {
    for (k, lengths, distance, most) in
        [(3, vec![60; 30], 2.5, 0.09), (2, vec![2000], 2.0, 0.07), (3, vec![20_000], 2.5, 0.09)]
    {
        let s = chain(k, &lengths, 0.9, distance, 3);
        let fit = s.solve(crf(k));
        let error = s.error(&fit.labels);
        assert!(error < most + if k == 2 { 0.04 } else { 0.0 }, "{k} {lengths:?}: {error}");
        assert_eq!(fit.model.predict_on(&s.data()).unwrap(), fit.labels);
        assert_eq!(fit.model.n_clusters(), k);
        // Staying is what the chain has learnt.
        let a = fit.model.transitions().unwrap();
        for i in 0..k {
            let stays = a[i * k + i];
            assert!((0..k).all(|j| j == i || a[i * k + j] < stays), "{a:?}");
        }
    }
}

#[test]
fn rows_that_only_stand_beside_each_other_are_not_frozen_into_one_state() {
    // Each state as likely after itself as after the other: sequences say nothing.
    for seed in 0..3 {
        let s = chain(2, &[400], 0.5, 3.0, seed);
        let fit = s.solve(crf(2));
        let plain = crf(2).solve(&Dataset::new(s.rows()).unwrap(), &mut Ctx::new(0)).unwrap();
        let (found, alone) = (s.error(&fit.labels), s.error(&plain.labels));
        assert!(found < alone + 0.04, "seed {seed}: {found} {alone}");
    }
    // With a weak penalty of transitions, a chain that hardly moves is surer than one that follows its rows.
    let s = chain(2, &[50; 40], 0.8, 2.0, 0);
    let frozen = s.solve(Crf { transition_reg: 0.02, ..crf(2) });
    let own = s.solve(crf(2));
    assert!(frozen.report.objective < own.report.objective - 0.1);
    assert!(s.error(&frozen.labels) > 2.0 * s.error(&own.labels));
}

#[test]
fn without_the_balance_term_one_state_takes_all_rows() {
    let s = chain(2, &[50; 10], 0.9, 3.0, 1);
    // min_cluster_size would refuse it.
    let alone = Crf { balance_weight: 0.0, min_cluster_size: ClusterSize::Fraction(0.0), ..crf(2) };
    let fit = s.solve(alone.clone());
    let share = fit.labels.iter().filter(|l| **l == 0).count() as f64 / 500.0;
    assert!(fit.model.n_clusters() == 1 || share.max(1.0 - share) > 0.97, "{share}");
    // And that is the lower place, not a search gone wrong: even from the states themselves.
    let init = Init::Labels(s.states.clone());
    let from_truth = s.solve(Crf { init, ..alone });
    assert!(fit.report.objective < from_truth.report.objective + 1e-6);
    let kept = s.solve(crf(2));
    assert!(s.error(&kept.labels) < 0.06 && sentences(kept.report.warnings()).is_empty());
}

#[test]
fn time_reversal_turns_the_labels_and_the_transitions_around() {
    let s = chain(3, &[80; 8], 0.9, 3.0, 5);
    let init = Init::Labels(s.states.clone());
    let there = s.solve(Crf { init, ..crf(3) });
    let flip = |x: &[f64]| x.chunks_exact(2).rev().flatten().copied().collect::<Vec<f64>>();
    let states: Vec<i32> = s.states.iter().rev().copied().collect();
    let turned = Sample { d: 2, x: flip(&s.x), states, sequences: s.sequences.clone() };
    let init = Init::Labels(turned.states.clone());
    let back = turned.solve(Crf { init, ..crf(3) });
    let labels: Vec<i32> = back.labels.iter().rev().copied().collect();
    assert_eq!(External::new(&labels, &there.labels).unwrap().error, 0.0);
    // Two searches for one minimum, each until no slope is above 1e-4.
    assert!((there.report.objective - back.report.objective).abs() < 1e-5);
}

#[test]
fn a_cut_changes_its_own_sequence_alone() {
    let s = chain(2, &[40, 40, 40], 0.9, 1.5, 2);
    let fit = s.solve(crf(2));
    let whole = fit.model.proba_on(&s.data()).unwrap();
    let cut = [0..40, 40..55, 55..80, 80..120];
    let pieces = Dataset::new(s.rows()).unwrap().with_sequences(&cut).unwrap();
    let parts = fit.model.proba_on(&pieces).unwrap();
    let gap = |i: usize| (whole[(i, 0)] - parts[(i, 0)]).abs();
    assert!((0..40).chain(80..120).all(|i| gap(i) == 0.0));
    assert!(gap(54) > 1e-6 && gap(55) > 1e-6);
    // What was cut off counts the less the farther it is.
    assert!(gap(40) < gap(54) && gap(79) < gap(55));
}

#[test]
fn sequences_of_one_row_are_unrelated_rows() {
    let s = chain(3, &[1; 200], 0.9, 4.0, 2);
    let rows = Dataset::new(s.rows()).unwrap();
    let alone = crf(3).solve(&rows, &mut Ctx::new(0)).unwrap();
    let ones = s.solve(crf(3));
    assert_eq!(alone.labels, ones.labels);
    assert_eq!(alone.report.objective, ones.report.objective);
    assert_eq!(ones.model.transitions(), Some([0.0; 9].as_slice()));
    let asked = |fit: &Fit<ScaledModel<CrfModel>>| {
        let notices = sentences(fit.report.notices());
        notices.iter().any(|said| said.contains("say which sequence each row belongs to"))
    };
    assert!(asked(&alone) && !asked(&ones));
    let (a, b) =
        (Proba::proba(&alone.model, s.rows()).unwrap(), ones.model.proba_on(&s.data()).unwrap());
    assert_eq!(a.data(), b.data());
}

#[test]
fn probabilities_sum_to_one_and_their_largest_is_the_label() {
    for (k, distance) in [(1, 2.0), (2, 1.0), (3, 2.0)] {
        let s = chain(k.max(2), &[30; 10], 0.8, distance, 7);
        let fit = s.solve(crf(k));
        let proba = fit.model.proba_on(&s.data()).unwrap();
        let decision = fit.model.decision_on(&s.data()).unwrap();
        assert_eq!((proba.cols(), decision.cols()), (k, if k > 2 { k } else { 1 }));
        for (i, &label) in fit.labels.iter().enumerate() {
            let row = proba.row(i);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((0..k).all(|c| row[c] <= row[label as usize]));
        }
        assert!(decision.data().iter().all(|v| v.is_finite()));
    }
}

#[test]
fn the_likeliest_path_changes_state_less_often_than_the_likeliest_states() {
    let s = chain(2, &[100; 10], 0.9, 1.5, 3);
    let marginals = s.solve(crf(2));
    let viterbi = Crf { decoding: Decoding::Viterbi, ..crf(2) };
    let path = s.solve(viterbi.clone());
    assert_eq!(path.model.predict_on(&s.data()).unwrap(), path.labels);
    let changes = |labels: &[i32]| labels.windows(2).filter(|w| w[0] != w[1]).count();
    assert!(changes(&path.labels) <= changes(&marginals.labels));
    assert!(s.error(&path.labels) < 0.15);
    let saved = model_file::from_bytes(&bytes(viterbi, &s.data(), 2)).unwrap();
    assert_eq!(saved.predict(&s.data()).unwrap(), path.labels);
}

#[test]
fn a_weight_counts_whole_sequences() {
    let s = chain(2, &[30; 8], 0.9, 2.5, 4);
    let init = Init::Labels(s.states.clone());
    let given = Crf { init, scaling: Scaling::Standard, ..crf(2) };
    // The first sequence twice, and the last one without weight.
    let weight = |i: usize| if i < 30 { 2.0 } else { f64::from(u8::from(i < 210)) };
    let weights: Vec<f64> = (0..240).map(weight).collect();
    let data = s.data().with_weights(&weights).unwrap();
    let weighted = given.clone().solve(&data, &mut Ctx::new(0)).unwrap();
    let mut twice = chain(2, &[30; 8], 0.9, 2.5, 4);
    twice.x.truncate(420);
    twice.states.truncate(210);
    twice.x.extend_from_within(..60);
    twice.states.extend_from_within(..30);
    let init = Init::Labels(twice.states.clone());
    let doubled = twice.solve(Crf { init, ..given.clone() });
    let gap = (weighted.report.objective - doubled.report.objective).abs();
    assert!(gap < 1e-5, "{gap}");
    assert_eq!(weighted.labels[..210], doubled.labels[..210]);
    assert_eq!(weighted.labels.len(), 240);
    let torn: Vec<f64> = (0..240).map(|i| 1.0 + f64::from(u8::from(i == 33))).collect();
    let data = s.data().with_weights(&torn).unwrap();
    let said = given.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string();
    assert!(said.contains("row 4 of sequence 2 weighs 2, but its first row weighs 1"), "{said}");
}

#[test]
fn threads_sparse_rows_and_files_change_no_bit() {
    let mut s = chain(2, &[700, 1, 40, 900, 2000], 0.9, 3.0, 6);
    s.x.iter_mut().for_each(|v| *v = if v.abs() < 0.5 { 0.0 } else { *v });
    let run = |threads| bytes(crf(2), &s.data(), threads);
    let one = run(1);
    assert!(run(2) == one && run(4) == one);
    let (indptr, indices, values) = sparse_rows(&s.x, 2);
    let sparse = CsrRef::new(2, &indptr, &indices, &values).unwrap();
    let data = Dataset::new(sparse.into()).unwrap().with_sequences(&s.sequences).unwrap();
    assert!(bytes(crf(2), &data, 2) == one);
    let saved = model_file::from_bytes(&one).unwrap();
    assert_eq!(saved.model().grouping(), Some(Grouping::Sequences));
    let own = s.solve(crf(2)).model.proba_on(&s.data()).unwrap();
    let again = saved.proba(&s.data()).unwrap();
    assert_eq!(own.data(), again.data());
}

#[test]
fn units_change_no_label_unless_they_are_shared() {
    let s = chain(3, &[60; 10], 0.9, 3.0, 8);
    let mut scaled = chain(3, &[60; 10], 0.9, 3.0, 8);
    scaled.x.chunks_exact_mut(2).for_each(|row| row[1] *= 1024.0);
    assert_eq!(s.solve(crf(3)).labels, scaled.solve(crf(3)).labels);
    let shared = Crf { scaling: separa::params::Scaling::None, ..crf(3) };
    assert_ne!(s.solve(shared.clone()).labels, scaled.solve(shared).labels);
}

#[test]
fn em_never_raises_its_objective_and_finds_the_states_too() {
    let s = chain(2, &[50; 20], 0.9, 3.0, 1);
    for temperature in [0.9, 0.5, 0.0] {
        let optimizer = separa::methods::Optimizer::Em;
        let fit = s.solve(Crf { optimizer, temperature, transition_reg: 0.25, ..crf(2) });
        // With the first value; the inner searches stop at a slope of 1e-5.
        let trace = &fit.report.trace;
        assert!(trace.len() > 2, "{temperature}: {trace:?}");
        assert!(trace.windows(2).all(|w| w[1] <= w[0] + 1e-7), "{temperature}: {trace:?}");
        assert!(s.error(&fit.labels) < 0.08, "{temperature}: {}", s.error(&fit.labels));
    }
}

#[test]
fn sequences_without_weight_leave_transitions_at_zero() {
    let s = chain(2, &[[1; 60].as_slice(), &[40]].concat(), 0.9, 4.0, 2);
    let weights: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i < 60))).collect();
    let data = s.data().with_weights(&weights).unwrap();
    let fit = crf(2).solve(&data, &mut Ctx::new(0)).unwrap();
    assert_eq!(fit.model.transitions(), Some([0.0; 4].as_slice()));
}

#[test]
fn steps_that_no_window_holds_are_learnt_from_all_rows() {
    // One pair of rows among 30,000 single ones; 8192 rows are searched first.
    let s = chain(2, &[[1; 30_000].as_slice(), &[2]].concat(), 0.9, 4.0, 2);
    let fit = s.solve(Crf { n_init: 1, tol: 1e-9, ..crf(2) });
    let a = fit.model.transitions().unwrap();
    assert!(a.iter().any(|v| v.abs() > 1e-3), "{a:?}");
    assert!(a.iter().all(|v| v.abs() < 10.0), "{a:?}");
}

#[test]
fn the_likeliest_path_need_not_go_through_the_likeliest_states() {
    let s = chain(2, &[100; 10], 0.9, 1.5, 3);
    let viterbi = Crf { decoding: Decoding::Viterbi, ..crf(2) };
    let path = s.solve(viterbi.clone());
    let proba = path.model.proba_on(&s.data()).unwrap();
    let off = |i: usize| proba[(i, path.labels[i] as usize)] < 0.5;
    let rows = (0..1000).filter(|&i| off(i)).count();
    assert!(rows > 0 && rows < 100, "{rows}");
}

#[test]
fn models_of_sequences_and_of_rows_say_which_they_want() {
    let s = chain(2, &[20; 5], 0.9, 3.0, 1);
    let rows = Dataset::new(s.rows()).unwrap();
    let ordered = s.solve(crf(2)).model;
    let alone = crf(2).solve(&rows, &mut Ctx::new(0)).unwrap().model;
    let wanted =
        "the model was fitted on sequences of rows; say which sequence each row belongs to";
    for said in [
        ordered.predict_on(&rows).unwrap_err(),
        ordered.predict(s.rows()).unwrap_err(),
        ordered.decision(s.rows()).unwrap_err(),
        Proba::proba(&ordered, s.rows()).unwrap_err(),
        ordered.proba_on(&rows).unwrap_err(),
    ] {
        assert_eq!(said.to_string(), wanted);
    }
    let wanted = "the model was fitted on rows, not on sequences of rows; give it one table";
    let plain = Logistic::default().solve(&rows, &mut Ctx::new(0)).unwrap().model;
    for said in [
        alone.predict_on(&s.data()).unwrap_err(),
        alone.proba_on(&s.data()).unwrap_err(),
        plain.predict_on(&s.data()).unwrap_err(),
        Proba::proba_on(&plain, &s.data()).unwrap_err(),
    ] {
        assert_eq!(said.to_string(), wanted);
    }
}

#[test]
fn methods_without_a_use_for_sequences_name_those_with_and_crf_refuses_bags() {
    let s = chain(2, &[20; 5], 0.9, 3.0, 1);
    for entry in METHODS.iter().filter(|entry| !entry.sequences) {
        let said = entry.solve(&Map::new(), &s.data(), &mut Ctx::new(0)).unwrap_err().to_string();
        let wanted = format!(
            "{} has no use for sequences of rows; methods that take sequences: crf",
            entry.name
        );
        assert_eq!(said, wanted);
    }
    let bags = Dataset::new(s.rows()).unwrap().with_bags(&s.sequences).unwrap();
    let said =
        registry::solve("crf", &Map::new(), &bags, &mut Ctx::new(0)).unwrap_err().to_string();
    assert!(
        said.starts_with("crf clusters rows, not bags of rows; methods that take bags: "),
        "{said}"
    );
}

#[test]
fn odd_tables_give_a_result_or_a_clear_error() {
    let s = chain(2, &[20; 5], 0.9, 3.0, 1);
    let one = s.solve(crf(1));
    assert_eq!((one.model.n_clusters(), one.labels), (1, vec![0; 100]));
    let said = crf(101).solve(&s.data(), &mut Ctx::new(0)).unwrap_err().to_string();
    assert!(said.contains("at most the number of rows (100), got 101"), "{said}");
    // A column of one value says nothing.
    let mut flat = chain(2, &[20; 5], 0.9, 3.0, 1);
    flat.x = flat.x.chunks_exact(2).flat_map(|row| [row[0], 7.0]).collect();
    let with = flat.solve(crf(2));
    let narrow: Vec<f64> = flat.x.chunks_exact(2).map(|row| row[0]).collect();
    let narrow = Sample { d: 1, x: narrow, ..chain(2, &[20; 5], 0.9, 3.0, 1) };
    assert_eq!(with.labels, narrow.solve(crf(2)).labels);
    let mut equal = chain(2, &[20; 5], 0.9, 3.0, 1);
    equal.x.fill(3.0);
    let fit = equal.solve(crf(2));
    assert!(sentences(fit.report.warnings())[0].contains("all rows are equal"));
    assert_eq!(fit.labels, vec![0; 100]);
    // Two rows in one sequence, and one row.
    let pair = Sample {
        d: 1,
        x: vec![0.0, 1.0],
        states: vec![0, 1],
        sequences: std::iter::once(0..2).collect(),
    };
    assert!(pair.solve(crf(2)).report.objective.is_finite());
    let single =
        Sample { d: 1, x: vec![4.0], states: vec![0], sequences: std::iter::once(0..1).collect() };
    assert_eq!(single.solve(crf(1)).labels, [0]);
    for (crf, said) in [
        (Crf { reg: 0.0, ..crf(2) }, "`reg` must be a positive number, got 0"),
        (Crf { transition_reg: -1.0, ..crf(2) }, "`transition_reg` must be a positive number"),
        (Crf { init: Init::Named("pca".into()), ..crf(2) }, "`init` must be"),
        (Crf { init: Init::Labels(vec![0; 100]), ..crf(2) }, "none for cluster 1"),
    ] {
        let found = crf.solve(&s.data(), &mut Ctx::new(0)).unwrap_err().to_string();
        assert!(found.contains(said), "{found}");
    }
}

#[test]
fn a_cancelled_fit_of_sequences_returns_the_best_so_far() {
    let s = chain(2, &[50; 20], 0.9, 2.0, 1);
    let fit = crf(2).solve(&s.data(), &mut Ctx::observed(0, StopAt(3))).unwrap();
    assert_eq!(fit.report.stop, Stop::Cancelled);
    assert_eq!(fit.model.predict_on(&s.data()).unwrap(), fit.labels);
}

//! Bags of rows: what a fit makes of them, and what it refuses.

use crate::common;

use common::{params as named, unjudged};
use separa::methods::{KMeans, MetricChoice, Msc};
use separa::params::Scaling;
use separa::quality::{AssessOptions, assess};
use separa::{
    Ctx, Dataset, Dense, DenseRef, MatrixRef, MemoryBudget, Method, Model, VerdictCode, model_file,
    registry,
};
use separa_math::rng::Rng;
use separa_testkit::sentences;
use serde_json::json;
use std::ops::Range;

/// Bags of 2 to 6 rows; those of one kind have their rows around the same two places.
struct Sample {
    x: Dense,
    bags: Vec<Range<usize>>,
    kinds: Vec<i32>,
}

const PLACES: [[[f64; 2]; 2]; 3] =
    [[[0.0, 0.0], [4.0, 0.0]], [[0.0, 9.0], [4.0, 9.0]], [[0.0, 0.0], [16.0, 4.0]]];

fn sample(n: usize, k: usize, seed: u64) -> Sample {
    let mut rng = Rng::new(seed, 0);
    let (mut data, mut bags, mut kinds, mut at) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for i in 0..n {
        let (kind, length) = (i % k, 2 + rng.below(5));
        for r in 0..length {
            // Rows alternate between the places.
            let place = PLACES[kind][1 - r % 2];
            data.extend(place.iter().map(|c| c + 0.5 * rng.normal()));
        }
        bags.push(at..at + length);
        kinds.push(kind as i32);
        at += length;
    }
    Sample { x: Dense::from_vec(at, 2, data).unwrap(), bags, kinds }
}

impl Sample {
    fn rows(&self) -> MatrixRef<'_> {
        self.x.view().into()
    }
    fn data(&self) -> Dataset<'_> {
        Dataset::new(self.rows()).unwrap().with_bags(&self.bags).unwrap()
    }
    /// The Hausdorff distances of Euclidean rows, by their definition.
    fn distances(&self) -> Dense {
        let row = |a: usize, b: usize| {
            let squares = self.x.row(a).iter().zip(self.x.row(b)).map(|(p, q)| (p - q) * (p - q));
            squares.sum::<f64>().sqrt()
        };
        let there = |a: &Range<usize>, b: &Range<usize>| {
            let near = |i| b.clone().map(|j| row(i, j)).fold(f64::INFINITY, f64::min);
            a.clone().map(near).fold(0.0, f64::max)
        };
        let n = self.bags.len();
        let mut out = Dense::zeros(n, n);
        for (i, a) in self.bags.iter().enumerate() {
            for (j, b) in self.bags.iter().enumerate() {
                out[(i, j)] = there(a, b).max(there(b, a));
            }
        }
        out
    }
}

fn msc(k: usize) -> Msc {
    Msc { n_clusters: k, scaling: Scaling::None, ..Msc::default() }
}

#[test]
fn bags_are_clustered_as_their_hausdorff_distances_are() {
    let s = sample(90, 3, 1);
    let euclidean = Msc { metric: MetricChoice::Euclidean, ..msc(3) };
    let by_bags = euclidean.clone().solve(&s.data(), &mut Ctx::new(2)).unwrap();
    let table = s.distances();
    let given = Msc { metric: MetricChoice::Precomputed, ..euclidean };
    let data = Dataset::new(table.view().into()).unwrap();
    let by_table = given.solve(&data, &mut Ctx::new(2)).unwrap();
    assert_eq!(by_bags.labels, by_table.labels);
    assert_eq!(by_bags.labels, s.kinds);
    let gap = (by_bags.report.objective / by_table.report.objective - 1.0).abs();
    assert!(gap < 1e-9, "{gap}");
    // With the kernel's distance and a width of its own, too.
    assert_eq!(msc(3).solve(&s.data(), &mut Ctx::new(2)).unwrap().labels, s.kinds);
}

#[test]
fn bags_of_one_row_are_rows() {
    let s = sample(80, 2, 3);
    let single: Vec<Range<usize>> = (0..s.x.rows()).map(|i| i..i + 1).collect();
    let data = Dataset::new(s.rows()).unwrap();
    let params = Msc { metric: MetricChoice::Manhattan, ..msc(4) };
    let rows = params.clone().solve(&data, &mut Ctx::new(0)).unwrap();
    let bags = params.solve(&data.with_bags(&single).unwrap(), &mut Ctx::new(0)).unwrap();
    assert_eq!(rows.labels, bags.labels);
    assert_eq!(rows.report.objective, bags.report.objective);
}

#[test]
fn training_bags_keep_their_labels_from_a_file_and_new_bags_get_theirs() {
    let (s, new) = (sample(120, 3, 4), sample(60, 3, 5));
    for (k, landmarks) in [(3, 0), (3, 30), (1, 0)] {
        let params = named(&[("n_clusters", json!(k)), ("landmarks", json!(landmarks))]);
        let found = unjudged("msc", &params).seed(1).fit(&s.data()).unwrap();
        assert_eq!(found.predict(&s.data()).unwrap(), found.labels());
        let bytes = found.to_bytes().unwrap();
        let again = model_file::from_bytes(&bytes).unwrap();
        assert_eq!(again.model().grouping(), Some(separa::Grouping::Bags));
        assert_eq!((again.n(), again.thing()), (120, "bag"));
        let decided = found.decision(&new.data()).unwrap();
        assert_eq!(again.decision(&new.data()).unwrap(), decided);
        if k == 3 {
            assert_eq!(found.predict(&new.data()).unwrap(), new.kinds);
        }
        // Nothing but the bags that a split takes distances to is in the file.
        let most = if landmarks > 0 { 5 * 30 } else { 120 };
        assert!(bytes.len() < 16 * most * 6 + 8 * 4 * most * k + 8000, "{}", bytes.len());
        // A bag's label does not depend on the bags beside it.
        let own = s.bags[7].clone();
        let one = DenseRef::new(own.len(), 2, &s.x.data()[2 * own.start..2 * own.end]).unwrap();
        let whole = 0..own.len();
        let alone = Dataset::new(one.into()).unwrap();
        let alone = alone.with_bags(std::slice::from_ref(&whole)).unwrap();
        assert_eq!(found.predict(&alone).unwrap(), [found.labels()[7]]);
    }
}

#[test]
fn the_memory_decides_how_distances_of_bags_are_held_and_labels_stay_those_of_the_rule() {
    let s = sample(1200, 2, 13);
    let fit = |memory: u64| {
        let mut ctx = Ctx::new(1);
        ctx.memory = MemoryBudget(Some(memory));
        let params = Msc { metric: MetricChoice::Euclidean, ..msc(2) };
        params.solve(&s.data(), &mut ctx)
    };
    for (memory, notice) in [
        (20_000_000, None),
        (5_500_000, Some("in single precision")),
        (3_500_000, Some("1200 bags do not fit the memory: they are approximated with")),
    ] {
        let fit = fit(memory).unwrap();
        match notice {
            Some(notice) => {
                assert!(sentences(fit.report.notices())[0].contains(notice), "{:?}", fit.report)
            }
            None => assert!(sentences(fit.report.notices()).is_empty(), "{:?}", fit.report),
        }
        assert_eq!(fit.labels, s.kinds);
        assert_eq!(fit.model.predict_on(&s.data()).unwrap(), fit.labels);
    }
    assert!(fit(500_000).unwrap_err().to_string().contains("raise the memory limit"));
}

#[test]
fn bags_without_weight_are_labelled_but_take_no_part() {
    let s = sample(60, 2, 6);
    let mut weights = vec![1.0; 60];
    weights[50..].fill(0.0);
    let weighted = s.data().with_weights(&weights).unwrap();
    let fit = msc(2).solve(&weighted, &mut Ctx::new(0)).unwrap();
    let end = s.bags[50].start;
    let first = DenseRef::new(end, 2, &s.x.data()[..2 * end]).unwrap();
    let fifty = Dataset::new(first.into()).unwrap().with_bags(&s.bags[..50]).unwrap();
    let part = msc(2).solve(&fifty, &mut Ctx::new(0)).unwrap();
    assert_eq!(fit.model, part.model);
    assert_eq!(fit.labels, s.kinds);
}

#[test]
fn sparse_bags_give_the_answer_of_dense_ones() {
    let s = sample(40, 2, 7);
    let (mut indptr, mut indices) = (vec![0], Vec::new());
    for i in 0..s.x.rows() {
        indices.extend([0_u32, 1]);
        indptr.push(2 * (i + 1));
    }
    let x = separa::CsrRef::new(2, &indptr, &indices, s.x.data()).unwrap();
    let sparse = Dataset::new(x.into()).unwrap().with_bags(&s.bags).unwrap();
    let fit = |data: &Dataset<'_>| msc(2).solve(data, &mut Ctx::new(0)).unwrap();
    let (a, b) = (fit(&s.data()), fit(&sparse));
    assert_eq!((a.labels, a.model), (b.labels, b.model));
}

#[test]
fn what_bags_rule_out_is_refused_with_the_number_of_bags() {
    let s = sample(20, 2, 8);
    let said = |p: Msc| p.solve(&s.data(), &mut Ctx::new(0)).unwrap_err().to_string();
    assert_eq!(
        said(msc(21)),
        "msc: parameter `n_clusters` must be at most the number of bags (20), got 21"
    );
    assert!(
        said(Msc { landmarks: 21, ..msc(2) }).contains("at most the number of bags (20), or 0")
    );
    let precomputed = said(Msc { metric: MetricChoice::Precomputed, ..msc(2) });
    assert!(precomputed.contains("`metric` must be a distance of two rows"), "{precomputed}");
    let weights = separa::methods::RowWeights::Given(vec![1.0; s.x.rows()]);
    assert!(said(Msc { weights, ..msc(2) }).contains("one number a bag (20)"));
    let one = 0..s.x.rows();
    let all = Dataset::new(s.rows()).unwrap();
    let all = all.with_bags(std::slice::from_ref(&one)).unwrap();
    let alone = msc(2).solve(&all, &mut Ctx::new(0)).unwrap_err().to_string();
    assert!(alone.contains("at most the number of bags (1), got 2"), "{alone}");
}

#[test]
fn methods_without_bags_refuse_them_and_name_those_with() {
    let s = sample(20, 2, 9);
    for entry in registry::METHODS.iter().filter(|entry| !entry.bags) {
        let e = entry.solve(&named(&[]), &s.data(), &mut Ctx::new(0)).unwrap_err();
        let wanted = "clusters rows, not bags of rows; methods that take bags: msc";
        assert_eq!(e.to_string(), format!("{} {wanted}", entry.name));
    }
    let e = KMeans::default().solve(&s.data(), &mut Ctx::new(0)).unwrap_err();
    assert_eq!(e.to_string(), "kmeans clusters rows, not bags of rows");
}

#[test]
fn models_of_bags_and_of_rows_say_which_they_want() {
    let s = sample(30, 2, 10);
    let rows = Dataset::new(s.rows()).unwrap();
    let bags = msc(2).solve(&s.data(), &mut Ctx::new(0)).unwrap().model;
    for said in [bags.predict_on(&rows), bags.predict(s.rows())] {
        assert!(
            said.unwrap_err()
                .to_string()
                .contains("fitted on bags of rows; say which bag each row belongs to")
        );
    }
    let of_rows = msc(2).solve(&rows, &mut Ctx::new(0)).unwrap().model;
    let means = KMeans::default().solve(&rows, &mut Ctx::new(0)).unwrap().model;
    for said in [of_rows.predict_on(&s.data()), means.predict_on(&s.data())] {
        assert!(said.unwrap_err().to_string().contains("fitted on rows, not on bags"));
    }
    let narrow = Dense::zeros(s.x.rows(), 1);
    let narrow = Dataset::new(narrow.view().into()).unwrap().with_bags(&s.bags).unwrap();
    assert!(bags.predict_on(&narrow).unwrap_err().to_string().contains("1 feature columns"));
}

#[test]
fn bags_are_not_judged_and_it_is_said_why() {
    let s = sample(30, 2, 11);
    let e = assess(&s.data(), &s.kinds, &AssessOptions::default()).unwrap_err();
    assert!(e.to_string().contains("which bags have not"));
    let found = msc(2).fit(&s.data()).unwrap();
    assert!(found.quality().unwrap_err().to_string().contains("the quality is left out"));
    assert_eq!(found.verdict().code, VerdictCode::NotJudged);
    assert!(msc(2).fit(&s.rows()).unwrap().quality().is_ok());
}

#[test]
fn lengths_of_bags_that_do_not_fit_the_rows_are_a_bad_model() {
    let s = sample(20, 2, 12);
    let fit = msc(2).solve(&s.data(), &mut Ctx::new(0)).unwrap();
    let whole = fit.model.tensors();
    let lengths = whole.integers("bag_lengths").unwrap();
    assert!(Msc::load(&whole).is_ok());
    let longer = |by: i64| [&[lengths[0] + by], &lengths[1..]].concat();
    for bad in [longer(1), longer(-lengths[0]), longer(i64::MAX / 2), longer(-100), vec![], vec![1]]
    {
        let mut tensors = whole.clone();
        tensors.put_integers("bag_lengths", &bad);
        let e = Msc::load(&tensors).unwrap_err().to_string();
        assert!(e.contains("its bags and their rows do not fit together"), "{e}");
    }
}

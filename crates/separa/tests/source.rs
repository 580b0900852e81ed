//! Passes over rows in blocks: the answer of memory, whatever the blocks and wherever they are read.

use separa::methods::{KMeans, Mspc};
use separa::prelude::*;
use separa::source::{MemorySource, Passes, Source, draw, sample};
use separa::{Clustering, Dataset, Dense, DenseRef, Error, Init, Named, Observer, Stop, Sums};
use separa_math::rng::Rng;
use std::ops::ControlFlow;

/// k Gaussian clouds of unit deviation, `gap` apart along their own axis, in columns of different units.
fn clouds(n: usize, d: usize, k: usize, gap: f64, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 0);
    let mut x = Dense::zeros(n, d);
    for i in 0..n {
        let c = rng.below(k);
        for j in 0..d {
            let unit = 10f64.powi(j as i32 % 5 - 2);
            x[(i, j)] = unit * (rng.normal() + if j == c % d { gap } else { 0.0 });
        }
    }
    x
}

fn data(x: &Dense) -> Dataset<'_> {
    Dataset::new(x.view().into()).unwrap()
}

/// Runs passes over blocks that end at `ends`, each read by a process of its own.
fn passed(mut passes: Passes, x: &Dense, ends: &[usize]) -> Passes {
    while passes.stop().is_none() {
        let bytes = passes.to_bytes().unwrap();
        let mut total = Sums::default();
        let mut source = MemorySource::with_ends(x.view(), ends.to_vec());
        while let Some(block) = source.next_block().unwrap() {
            let there = Passes::from_bytes(&bytes).unwrap();
            let sums = there.sum(block.view().into()).unwrap();
            total.add(&Sums::from_bytes(&sums.to_bytes()).unwrap()).unwrap();
        }
        passes.step(&total).unwrap();
    }
    passes
}

fn finished(begun: &Clustering, x: &Dense, ends: &[usize]) -> Clustering {
    let mut found = begun.clone();
    passed(Passes::begin(begun).unwrap(), x, ends).finish(&mut found);
    found
}

/// Decision values agree to `tol`, and labels wherever the decision is clear.
fn assert_same_rule(a: &Clustering, b: &Clustering, x: &Dense, tol: f64) {
    let (left, right) = (a.decision(&data(x)).unwrap(), b.decision(&data(x)).unwrap());
    let (p, q) = (a.predict(&data(x)).unwrap(), b.predict(&data(x)).unwrap());
    let scale = left.data().iter().fold(1.0f64, |m, v| m.max(v.abs()));
    let mut unclear = 0;
    for i in 0..x.rows() {
        let far = left.row(i).iter().zip(right.row(i)).any(|(a, b)| (a - b).abs() > tol * scale);
        // A vote can flip as a whole for a row on a boundary, and nowhere else.
        unclear += usize::from(far || p[i] != q[i]);
    }
    assert!(unclear <= x.rows() / 5000, "{unclear} of {} rows", x.rows());
}

#[test]
fn mspc_by_passes_ends_where_memory_ends_from_the_same_labels() {
    for k in [2, 3, 5] {
        let x = clouds(6000, 6, k, 3.5, k as u64);
        // One iteration alone, so that there is a way to go.
        let early = Mspc { max_iter: 1, ..Mspc::new(k) };
        let begun = Clusterer::new(early).quality(false).fit(&data(&x)).unwrap();
        let labels = begun.labels().to_vec();
        let passes = Passes::begin_with(&Mspc::new(k), begun.model().as_ref()).unwrap();
        let mut streamed = begun.clone();
        passed(passes, &x, &[1000, 2500, 6000]).finish(&mut streamed);
        let given = Mspc { init: Init::Labels(labels), ..Mspc::new(k) };
        let memory = Clusterer::new(given).quality(false).fit(&data(&x)).unwrap();
        assert_same_rule(&streamed, &memory, &x, 1e-9);
        assert_eq!(streamed.iterations(), memory.iterations(), "k = {k}");
        assert_eq!(streamed.sizes(), memory.sizes());
        let close = (streamed.objective() - memory.objective()).abs();
        assert!(close < 1e-10, "k = {k}: {close}");
    }
}

#[test]
fn kmeans_by_passes_is_lloyds_algorithm() {
    let x = clouds(3000, 4, 3, 4.0, 7);
    let plain = |max_iter| KMeans {
        scaling: separa::params::Scaling::None,
        n_init: 1,
        max_iter,
        tol: 0.0,
        ..KMeans::new(3)
    };
    let begun = Clusterer::new(plain(1)).quality(false).fit(&data(&x)).unwrap();
    let passes = Passes::begin_with(&plain(300), begun.model().as_ref()).unwrap();
    let mut streamed = begun.clone();
    passed(passes, &x, &[7, 7, 2000, 3000]).finish(&mut streamed);
    // The slow reference: nearest centre by loops, then the mean, until nothing moves.
    let tensors = begun.model().tensors();
    let mut centers = tensors.matrix("centers").unwrap();
    let nearest = |centers: &Dense, i: usize| {
        let square = |c: usize| -> f64 {
            x.row(i).iter().zip(centers.row(c)).map(|(a, b)| (a - b).powi(2)).sum()
        };
        (0..3).fold(0, |best, c| if square(c) < square(best) { c } else { best })
    };
    for _ in 0..300 {
        let (mut next, mut n) = (Dense::zeros(3, 4), [0.0; 3]);
        for i in 0..x.rows() {
            let c = nearest(&centers, i);
            n[c] += 1.0;
            next.row_mut(c).iter_mut().zip(x.row(i)).for_each(|(s, v)| *s += v);
        }
        (0..3).for_each(|c| next.row_mut(c).iter_mut().for_each(|s| *s /= n[c]));
        centers = next;
    }
    let mut mine = streamed.model().tensors().matrix("centers").unwrap().into_vec();
    let mut slow = centers.into_vec();
    mine.sort_by(f64::total_cmp);
    slow.sort_by(f64::total_cmp);
    assert!(mine.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + b.abs())));
    assert_eq!(streamed.sizes().iter().sum::<usize>(), 3000);
    assert_eq!(streamed.stop(), Stop::Converged);
}

#[test]
fn the_same_boundaries_give_the_same_bits_and_others_the_same_rule() {
    let x = clouds(5000, 5, 4, 3.5, 3);
    for method in ["mspc", "kmeans"] {
        let named = Named::from_iter([("n_clusters".to_owned(), 4.into())]);
        let first: Vec<f64> = x.data()[..1500 * 5].to_vec();
        let part = Dense::from_vec(1500, 5, first).unwrap();
        let request = Clusterer::named(method, &named).unwrap().quality(false);
        let begun = request.fit(&data(&part)).unwrap();
        let ends = [600, 600, 3333, 5000];
        let one = finished(&begun, &x, &ends);
        // As blocks of one source in this process, on another number of threads.
        let mut source = MemorySource::with_ends(x.view(), ends.to_vec());
        let local = request.clone().threads(1).fit_source(&mut source, &data(&part)).unwrap();
        assert_eq!(one.to_bytes().unwrap(), local.to_bytes().unwrap(), "{method}");
        let thousand: Vec<usize> = (1..=1000).map(|b| 5 * b).collect();
        for others in [vec![5000], thousand] {
            let other = finished(&begun, &x, &others);
            assert_same_rule(&one, &other, &x, 1e-9);
            assert_eq!(one.sizes(), other.sizes());
        }
        let facts = one.stream().unwrap();
        assert!(facts.all_rows && facts.sample_rows == 1500 && facts.passes >= 2);
        assert_eq!((one.n(), one.has_labels()), (5000, false));
        // Numbered by first appearance, with the sizes that predict finds.
        let labels = one.predict(&data(&x)).unwrap();
        let mut seen = Vec::new();
        labels.iter().for_each(|l| {
            if !seen.contains(l) {
                seen.push(*l)
            }
        });
        assert_eq!(seen, (0..4).collect::<Vec<_>>());
        let count = |c: usize| labels.iter().filter(|l| **l == c as i32).count();
        assert_eq!(one.sizes(), (0..4).map(count).collect::<Vec<_>>());
    }
}

#[test]
fn a_partition_may_be_constant_and_outliers_stay_apart() {
    let mut x = clouds(4000, 3, 2, 6.0, 9);
    // The first block holds one column with one value; the last row is beyond everything.
    (0..500).for_each(|i| x[(i, 1)] = 0.0);
    x.row_mut(3999).fill(1e9);
    let begun = Clusterer::new(Mspc::new(2)).quality(false).fit(&data(&x)).unwrap();
    let found = finished(&begun, &x, &[500, 4000]);
    assert_eq!(found.predict(&data(&x)).unwrap(), begun.labels());
}

#[test]
fn other_methods_keep_the_rule_of_the_sample_and_count_all_rows() {
    let x = clouds(900, 3, 2, 8.0, 4);
    let part = Dense::from_vec(300, 3, x.data()[..900].to_vec()).unwrap();
    let named = Named::from_iter([("n_clusters".to_owned(), 2.into())]);
    let request = Clusterer::named("spectral", &named).unwrap().quality(false);
    let mut source = MemorySource::new(x.view(), 250);
    let found = request.fit_source(&mut source, &data(&part)).unwrap();
    let facts = found.stream().unwrap();
    assert_eq!((facts.all_rows, facts.sample_rows, facts.passes), (false, 300, 1));
    assert_eq!((found.n(), found.sizes().iter().sum::<usize>()), (900, 900));
    assert!(found.notes().iter().any(|note| note.code == "streamed"));
}

#[test]
fn a_sample_is_drawn_by_number_whatever_the_blocks() {
    let x = clouds(1000, 2, 2, 3.0, 5);
    let a = draw(&mut MemorySource::new(x.view(), 1), 77, 1).unwrap();
    let b = draw(&mut MemorySource::new(x.view(), 900), 77, 1).unwrap();
    assert_eq!(a, b);
    let places = sample(1000, 77, 1);
    assert!(places.iter().enumerate().all(|(r, &i)| a.row(r) == x.row(i)));
    assert_eq!(draw(&mut MemorySource::new(x.view(), 10), 5000, 1).unwrap(), x);
}

#[test]
fn wrong_rows_and_wrong_sums_are_named() {
    let mut x = clouds(600, 3, 2, 8.0, 6);
    let begun = Clusterer::new(Mspc::new(2)).quality(false).fit(&data(&x)).unwrap();
    let mut passes = Passes::begin(&begun).unwrap();
    assert!(passes.step(&Sums::default()).is_err());
    let narrow = DenseRef::new(1, 2, &[0.0, 1.0]).unwrap();
    assert!(matches!(passes.sum(narrow.into()), Err(Error::Features { found: 2, .. })));
    for bytes in [&b""[..], b"{}", &begun.to_bytes().unwrap()] {
        assert!(Passes::from_bytes(bytes).is_err());
    }
    x[(321, 1)] = f64::NAN;
    let part = Dense::from_vec(300, 3, x.data()[..900].to_vec()).unwrap();
    let mut source = MemorySource::new(x.view(), 100);
    let found = Clusterer::new(Mspc::new(2)).quality(false).fit_source(&mut source, &data(&part));
    assert!(matches!(found, Err(Error::Value { row: 322, .. })), "{found:?}");
}

#[test]
fn an_interrupted_pass_leaves_the_best_rule_so_far() {
    struct After(usize);
    impl Observer for After {
        fn on(&mut self, event: &separa::Event) -> ControlFlow<()> {
            match event {
                separa::Event::Pass { pass: 2, .. } if self.0 == 0 => ControlFlow::Break(()),
                separa::Event::Pass { pass: 2, .. } => {
                    self.0 -= 1;
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let x = clouds(2000, 3, 3, 3.0, 8);
    let part = Dense::from_vec(500, 3, x.data()[..1500].to_vec()).unwrap();
    let mut source = MemorySource::new(x.view(), 300);
    let request = Clusterer::new(Mspc::new(3)).quality(false).observe(After(2));
    let found = request.fit_source(&mut source, &data(&part)).unwrap();
    assert!(found.was_interrupted() && found.stop() == Stop::Cancelled);
    assert_eq!((found.stream().unwrap().passes, found.iterations()), (1, 1));
    assert_eq!(found.predict(&data(&x)).unwrap().len(), 2000);
}

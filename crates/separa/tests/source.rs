//! Passes over rows in blocks: the answer of memory, whatever the blocks and wherever they are read.

use separa::methods::{KMeans, Mspc};
use separa::prelude::*;
use separa::source::{Checkpoint, MemorySource, Passes, Source, draw, sample};
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

/// The methods that all rows take part in.
const ALL_ROWS: [&str; 5] = ["mspc", "kmeans", "fuzzy-kmeans", "logistic", "mrmc"];

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
    let method = a.method().entry().name;
    assert!(unclear <= x.rows() / 5000, "{method}: {unclear} of {} rows", x.rows());
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
        assert_same_rule(&streamed, &memory, &x, 1e-12);
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
    for method in ALL_ROWS {
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
        // A search of many evaluations multiplies the rounding of the first sums: here by a thousand.
        let tol = if method == "mrmc" { 1e-11 } else { 1e-12 };
        for others in [vec![5000], thousand] {
            let other = finished(&begun, &x, &others);
            assert_same_rule(&one, &other, &x, tol);
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

/// Methods that climb to an optimum reach the one of memory: from the same rule, on the same rows.
#[test]
fn soft_methods_by_passes_reach_the_optimum_of_memory() {
    for (method, k) in
        [("fuzzy-kmeans", 3), ("logistic", 2), ("logistic", 3), ("mrmc", 2), ("mrmc", 4)]
    {
        let x = clouds(4000, 5, k, 4.0, 11 + k as u64);
        let named = Named::from_iter([
            ("n_clusters".to_owned(), k.into()),
            ("tol".to_owned(), 1e-9.into()),
        ]);
        let request = Clusterer::named(method, &named).unwrap().quality(false);
        let memory = request.fit(&data(&x)).unwrap();
        // The optimum stays where it is, and an early rule comes to it.
        let early =
            Named::from_iter([("n_clusters".to_owned(), k.into()), ("tol".to_owned(), 0.1.into())]);
        let early = Clusterer::named(method, &early).unwrap().quality(false);
        let early = early.fit(&data(&x)).unwrap();
        for begun in [&memory, &early] {
            let passes = Passes::begin_with(memory.method(), begun.model().as_ref()).unwrap();
            assert!(passes.takes_all_rows(), "{method}");
            let mut streamed = memory.clone();
            passed(passes, &x, &[1000, 2500, 4000]).finish(&mut streamed);
            let (a, b) = (streamed.objective(), memory.objective());
            assert!(a <= b + 1e-6 * b.abs(), "{method}, k = {k}: {a} {b}");
            assert!((a - b).abs() <= 1e-6 * b.abs(), "{method}, k = {k}: {a} {b}");
            assert_eq!(streamed.predict(&data(&x)).unwrap(), memory.labels(), "{method}");
        }
    }
}

/// Whoever reads the blocks, and whenever: their sums are added in their order.
#[test]
fn blocks_can_be_read_in_any_order() {
    let x = clouds(3000, 4, 3, 3.5, 12);
    for method in ALL_ROWS {
        let named = Named::from_iter([("n_clusters".to_owned(), 3.into())]);
        let begun = Clusterer::named(method, &named).unwrap().quality(false);
        let begun = begun.fit(&data(&x)).unwrap();
        let ends: Vec<usize> = vec![1, 1, 700, 701, 1900, 3000, 3000];
        let straight = finished(&begun, &x, &ends);
        let mut passes = Passes::begin(&begun).unwrap();
        while passes.stop().is_none() {
            let mut source = MemorySource::with_ends(x.view(), ends.clone());
            let mut blocks = Vec::new();
            while let Some(block) = source.next_block().unwrap() {
                blocks.push(block);
            }
            let mut sums = vec![Sums::default(); blocks.len()];
            let mut order: Vec<usize> = (0..blocks.len()).collect();
            Rng::new(passes.done() as u64, 1).shuffle(&mut order);
            order.iter().for_each(|&i| sums[i] = passes.sum(blocks[i].view().into()).unwrap());
            let mut total = Sums::default();
            sums.iter().for_each(|s| total.add(s).unwrap());
            passes.step(&total).unwrap();
        }
        let mut shuffled = begun.clone();
        passes.finish(&mut shuffled);
        assert_eq!(straight.to_bytes().unwrap(), shuffled.to_bytes().unwrap(), "{method}");
    }
}

/// Kernels, EM and other solvers keep the rule of the sample, and say so.
#[test]
fn variants_that_need_all_rows_at_once_say_so() {
    let x = clouds(400, 3, 2, 8.0, 4);
    for (method, name, value) in [
        ("logistic", "kernel", "rbf"),
        ("mrmc", "optimizer", "em"),
        ("logistic", "optimizer", "em"),
    ] {
        let named = Named::from_iter([
            ("n_clusters".to_owned(), 2.into()),
            (name.to_owned(), value.into()),
        ]);
        let request = Clusterer::named(method, &named).unwrap().quality(false);
        let mut source = MemorySource::new(x.view(), 150);
        let found = request.fit_source(&mut source, &data(&x)).unwrap();
        assert!(!found.stream().unwrap().all_rows, "{method} {name}");
    }
}

/// A search that was cancelled keeps the lowest point, not the one it was trying.
#[test]
fn a_cancelled_search_keeps_its_lowest_point() {
    let x = clouds(2000, 4, 3, 2.0, 21);
    let tol = |tol: f64| {
        Named::from_iter([("n_clusters".to_owned(), 3.into()), ("tol".to_owned(), tol.into())])
    };
    let early = Clusterer::named("logistic", &tol(0.3)).unwrap().quality(false);
    let early = early.fit(&data(&x)).unwrap();
    let exact = Clusterer::named("logistic", &tol(1e-9)).unwrap();
    let mut passes = Passes::begin_with(exact.method(), early.model().as_ref()).unwrap();
    let mut trace: Vec<f64> = Vec::new();
    for _ in 0..6 {
        let sums = passes.sum(x.view().into()).unwrap();
        passes.step(&sums).unwrap();
        passes = Passes::from_bytes(&passes.to_bytes().unwrap()).unwrap();
        let mut found = early.clone();
        let mut ended = passes.clone();
        ended.cancel();
        ended.finish(&mut found);
        trace.push(found.objective());
        assert!(found.was_interrupted());
    }
    assert!(trace.is_sorted_by(|a, b| a >= b), "{trace:?}");
    assert!(trace[5] < trace[0], "{trace:?}");
}

/// After any pass a fit can be left, and another process ends it with the bits of one that was not.
#[test]
fn a_fit_that_goes_on_from_a_checkpoint_has_the_same_bits() {
    let x = clouds(3000, 4, 3, 2.5, 31);
    let part = Dense::from_vec(400, 4, x.data()[..1600].to_vec()).unwrap();
    for method in ALL_ROWS {
        let named = Named::from_iter([("n_clusters".to_owned(), 3.into())]);
        let request = Clusterer::named(method, &named).unwrap().quality(false);
        let mut source = MemorySource::new(x.view(), 700);
        let straight = request.fit_source(&mut source, &data(&part)).unwrap();
        let mut kept: Vec<Vec<u8>> = Vec::new();
        let mut save = |bytes: &[u8]| {
            kept.push(bytes.to_vec());
            Ok(())
        };
        let checkpoint = Checkpoint { resume: None, save: &mut save };
        let watched = request.fit_source_with(&mut source, &data(&part), checkpoint).unwrap();
        assert_eq!(straight.to_bytes().unwrap(), watched.to_bytes().unwrap(), "{method}");
        assert_eq!(kept.len() + 1, straight.stream().unwrap().passes, "{method}");
        for bytes in [kept.first(), kept.last()].into_iter().flatten() {
            let checkpoint = Checkpoint { resume: Some(bytes), save: &mut |_: &[u8]| Ok(()) };
            let again = request.fit_source_with(&mut source, &data(&part), checkpoint).unwrap();
            assert_eq!(straight.to_bytes().unwrap(), again.to_bytes().unwrap(), "{method}");
        }
        let Some(bytes) = kept.last() else { continue };
        // Other rows, other parameters, damage: refused.
        let mut broken = bytes.clone();
        *broken.last_mut().unwrap() ^= 1;
        let k4 = Named::from_iter([("n_clusters".to_owned(), 4.into())]);
        let k4 = Clusterer::named(method, &k4).unwrap().quality(false);
        for (request, rows, bytes, why) in [
            (&request, 2000, &bytes[..], "number of rows"),
            (&request, 3000, &broken[..], "damaged"),
            (&request, 3000, &bytes[..20], "shorter"),
            (&request, 3000, &[b'x'; 40][..], "none"),
            (&k4, 3000, &bytes[..], "another fit"),
        ] {
            let first = Dense::from_vec(rows, 4, x.data()[..4 * rows].to_vec()).unwrap();
            let mut source = MemorySource::new(first.view(), 700);
            let checkpoint = Checkpoint { resume: Some(bytes), save: &mut |_: &[u8]| Ok(()) };
            let said = request.fit_source_with(&mut source, &data(&part), checkpoint).unwrap_err();
            assert!(said.to_string().contains(why), "{method}: {said}");
        }
    }
}

#[test]
fn msp_is_of_all_rows_and_the_pairs_have_the_numbers_of_the_last_rule() {
    for (method, k) in [("mspc", 2), ("kmeans", 4), ("spectral", 3)] {
        let x = clouds(6000, 4, k, 4.0, 20 + k as u64);
        let mut turned = x.data()[2000 * 4..].to_vec();
        turned.extend(&x.data()[..2000 * 4]);
        let part = Dense::from_vec(1500, 4, turned[..1500 * 4].to_vec()).unwrap();
        let named = Named::from_iter([("n_clusters".to_owned(), k.into())]);
        let request = Clusterer::named(method, &named).unwrap();
        let mut source = MemorySource::new(x.view(), 700);
        let found = request.fit_source(&mut source, &data(&part)).unwrap();
        // The definition, on all rows with the labels of the rule.
        let labels = found.predict(&data(&x)).unwrap();
        let reg = found.method().quality_reg();
        let (ids, truth) = separa::quality::pairwise_msp(&data(&x), &labels, reg).unwrap();
        assert_eq!(ids, (0..k as i32).collect::<Vec<_>>());
        let quality = found.quality().unwrap();
        assert_eq!(quality.pairs.len(), k * (k - 1) / 2);
        for pair in &quality.pairs {
            let want = truth[(pair.a as usize, pair.b as usize)];
            assert!((pair.msp - want).abs() < 1e-9, "{method}: {} {want}", pair.msp);
            assert!(pair.a < pair.b);
        }
        let all = separa::quality::msp(&data(&x), &labels, reg).unwrap();
        assert!((quality.msp - all).abs() < 1e-9, "{method}: {} {all}", quality.msp);
        let least = *found.sizes().iter().min().unwrap() as f64 / 6000.0;
        assert!((quality.min_fraction - least).abs() < 1e-12);
        assert_eq!(found.stream().unwrap().msp_rows, Some(6000));
        assert!(found.notes()[0].text.contains("MSP is of all rows"), "{}", found.notes()[0].text);
    }
}

#[test]
fn a_judging_pass_goes_on_from_a_checkpoint() {
    let x = clouds(3000, 3, 2, 5.0, 31);
    let part = Dense::from_vec(800, 3, x.data()[..2400].to_vec()).unwrap();
    let request = Clusterer::new(Mspc::new(2));
    let mut saved: Vec<Vec<u8>> = Vec::new();
    let mut save = |bytes: &[u8]| {
        saved.push(bytes.to_vec());
        Ok(())
    };
    let mut source = MemorySource::new(x.view(), 1000);
    let checkpoint = Checkpoint { resume: None, save: &mut save };
    let whole = request.fit_source_with(&mut source, &data(&part), checkpoint).unwrap();
    // The last one was saved between the last rule and its judgement.
    let last = saved.pop().unwrap();
    let mut ignore = |_: &[u8]| Ok(());
    let checkpoint = Checkpoint { resume: Some(&last), save: &mut ignore };
    let mut source = MemorySource::new(x.view(), 1000);
    let resumed = request.fit_source_with(&mut source, &data(&part), checkpoint).unwrap();
    assert_eq!(resumed.to_bytes().unwrap(), whole.to_bytes().unwrap());
}

/// Pieces of a large block are cut where the rows begin that blocks of so many rows would begin with.
#[test]
fn a_large_block_has_the_bits_of_blocks_of_its_pieces() {
    let n = 2 * separa::source::PIECE + 100;
    let x = clouds(n, 3, 3, 3.0, 41);
    for method in ALL_ROWS {
        let named = Named::from_iter([("n_clusters".to_owned(), 3.into())]);
        let request = Clusterer::named(method, &named).unwrap().quality(false);
        let part = Dense::from_vec(900, 3, x.data()[..2700].to_vec()).unwrap();
        let passes = Passes::begin(&request.fit(&data(&part)).unwrap()).unwrap();
        let whole = passes.sum(x.view().into()).unwrap();
        let mut total = Sums::default();
        let mut source = MemorySource::new(x.view(), separa::source::PIECE);
        while let Some(block) = source.next_block().unwrap() {
            total.add(&passes.sum(block.view().into()).unwrap()).unwrap();
        }
        assert_eq!(whole, total, "{method}");
    }
    let mut bad = x.clone();
    bad[(separa::source::PIECE + 7, 1)] = f64::NAN;
    let begun = Clusterer::new(Mspc::new(2)).quality(false).fit(&data(&x)).unwrap();
    let said = Passes::begin(&begun).unwrap().sum(bad.view().into());
    let row = separa::source::PIECE + 8;
    assert!(matches!(said, Err(Error::Value { row: found, .. }) if found == row), "{said:?}");
}

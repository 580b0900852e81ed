//! Classifiers from rows in blocks: all rows teach, whatever the blocks and wherever they are read.

use separa::classify::{Mcpm, Mpm, Scaling, Tuned};
use separa::prelude::*;
use separa::source::{ClassPasses, ClassSource, class_sample, class_weights};
use separa::{Dataset, Dense, DenseRef, Error, Event, Named, Observer, Stop, Sums, Target};
use separa_math::rng::Rng;
use std::ops::ControlFlow;

/// k overlapping Gaussian clouds in columns of different units, far from 0.
fn clouds(n: usize, d: usize, k: usize, gap: f64, seed: u64) -> (Dense, Vec<u32>) {
    let mut rng = Rng::new(seed, 0);
    let (mut x, mut y) = (Dense::zeros(n, d), Vec::with_capacity(n));
    for i in 0..n {
        // The last class is rare.
        let c = if rng.below(20) == 0 { k - 1 } else { rng.below(k) };
        for j in 0..d {
            let unit = 10f64.powi(j as i32 % 3 - 1);
            x[(i, j)] = unit * (50.0 + rng.normal() + if j == c % d { gap } else { 0.0 });
        }
        y.push(c as u32);
    }
    (x, y)
}

/// Rows in memory in blocks that end where they are told to.
struct Blocks<'a> {
    x: &'a Dense,
    y: &'a [u32],
    ends: Vec<usize>,
    next: usize,
}

impl<'a> Blocks<'a> {
    fn new(x: &'a Dense, y: &'a [u32], ends: &[usize]) -> Self {
        Self { x, y, ends: ends.to_vec(), next: 0 }
    }
}

impl ClassSource for Blocks<'_> {
    type Error = Error;

    fn n_rows(&self) -> Option<usize> {
        Some(self.x.rows())
    }

    fn rewind(&mut self) -> separa::Result<()> {
        self.next = 0;
        Ok(())
    }

    fn next_block(&mut self) -> separa::Result<Option<(Dense, Vec<u32>)>> {
        let Some(&end) = self.ends.get(self.next) else { return Ok(None) };
        let start = if self.next == 0 { 0 } else { self.ends[self.next - 1] };
        self.next += 1;
        let d = self.x.cols();
        let rows = Dense::from_vec(end - start, d, self.x.data()[start * d..end * d].to_vec())?;
        Ok(Some((rows, self.y[start..end].to_vec())))
    }
}

fn names(k: usize) -> Vec<String> {
    (0..k).map(|c| format!("class {c}")).collect()
}

fn target(y: &[u32], k: usize) -> Target {
    Target::new(y.to_vec(), names(k)).unwrap()
}

/// The sample of a streamed training: its rows, classes and weights.
fn drawn(x: &Dense, y: &[u32], k: usize, most: usize) -> (Dense, Vec<u32>, Vec<f64>) {
    let mut sizes = vec![0; k];
    y.iter().for_each(|&c| sizes[c as usize] += 1);
    let wanted = class_sample(&sizes, most, 0);
    let (mut came, mut values, mut classes) = (vec![0; k], Vec::new(), Vec::new());
    for i in 0..x.rows() {
        let c = y[i] as usize;
        if wanted[c].binary_search(&came[c]).is_ok() {
            values.extend_from_slice(x.row(i));
            classes.push(y[i]);
        }
        came[c] += 1;
    }
    let weights = class_weights(&sizes, &target(&classes, k));
    (Dense::from_vec(classes.len(), x.cols(), values).unwrap(), classes, weights)
}

fn data(x: &Dense) -> Dataset<'_> {
    Dataset::new(x.view().into()).unwrap()
}

fn streamed(request: &Trainer<'_>, x: &Dense, y: &[u32], k: usize, ends: &[usize]) -> Trained {
    let (rows, classes, weights) = drawn(x, y, k, 2000);
    let sample = data(&rows).with_weights(&weights).unwrap();
    let mut source = Blocks::new(x, y, ends);
    request.fit_source(&mut source, &sample, &target(&classes, k)).unwrap()
}

fn plain(reg: f64) -> Mpm {
    Mpm { reg: Tuned::Value(reg), scaling: Scaling::None, ..Mpm::default() }
}

fn assert_same_rule(a: &Trained, b: &Trained, x: &Dense, tol: f64) {
    let (p, q) = (a.decision(&data(x)).unwrap(), b.decision(&data(x)).unwrap());
    let scale = p.data().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let far = p.data().iter().zip(q.data()).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(far <= tol * scale, "{}: {far:e} of {scale}", a.method_name());
}

#[test]
fn mpm_from_all_rows_is_mpm_in_memory_whatever_the_sample() {
    for k in [2, 3] {
        let (x, y) = clouds(9000, 4, k, 2.0, 1);
        let request = Trainer::new(plain(0.01));
        let memory = request.fit(&data(&x), &target(&y, k)).unwrap();
        let found = streamed(&request, &x, &y, k, &[1000, 1000, 4321, 9000]);
        assert_same_rule(&found, &memory, &x, 1e-9);
        assert_eq!(found.sizes(), memory.sizes());
        // Bounds and what they achieve are of all rows.
        for (a, b) in found.learnt().bounds.iter().zip(&memory.learnt().bounds) {
            assert!((0..2).all(|s| (a.alpha[s] - b.alpha[s]).abs() < 1e-9), "{a:?} {b:?}");
            assert!((0..2).all(|s| (a.rate[s] - b.rate[s]).abs() < 1e-3), "{a:?} {b:?}");
        }
        assert!((found.learnt().accuracy - memory.learnt().accuracy).abs() < 1e-3);
        let facts = found.stream().unwrap();
        assert!(facts.all_rows && facts.sample_rows < 9000 && facts.passes == 2, "{facts:?}");
        assert!(found.notes()[0].text.contains("all 9,000 rows"), "{}", found.notes()[0].text);
    }
}

#[test]
fn the_same_boundaries_give_the_same_bits_and_others_the_same_rule() {
    let (x, y) = clouds(6000, 3, 3, 2.0, 2);
    for method in ["mpm", "mcpm", "scm"] {
        let request = Trainer::named(method, &Named::new()).unwrap();
        let ends = [700, 700, 3333, 6000];
        let one = streamed(&request.clone().threads(1), &x, &y, 3, &ends);
        let many = streamed(&request.clone().threads(3), &x, &y, 3, &ends);
        assert_eq!(one.to_bytes().unwrap(), many.to_bytes().unwrap(), "{method}");
        // Each block in a process of its own.
        let (rows, classes, weights) = drawn(&x, &y, 3, 2000);
        let sample = data(&rows).with_weights(&weights).unwrap();
        let mut elsewhere = request.fit(&sample, &target(&classes, 3)).unwrap();
        let mut passes = ClassPasses::begin(&elsewhere, &sample, &target(&classes, 3)).unwrap();
        while passes.stop().is_none() {
            let bytes = passes.to_bytes().unwrap();
            let (mut total, mut source) = (Sums::default(), Blocks::new(&x, &y, &ends));
            while let Some((block, classes)) = source.next_block().unwrap() {
                let there = ClassPasses::from_bytes(&bytes).unwrap();
                let sums = there.sum(block.view().into(), &classes).unwrap();
                total.add(&Sums::from_bytes(&sums.to_bytes()).unwrap()).unwrap();
            }
            passes.step(&total).unwrap();
        }
        passes.finish(&mut elsewhere);
        assert_eq!(one.to_bytes().unwrap(), elsewhere.to_bytes().unwrap(), "{method}");
        let thousand: Vec<usize> = (1..=1000).map(|b| 6 * b).collect();
        // Moments decide to rounding. Summaries go through the root of a kernel matrix, whose small axes are rounding, and a
        // support vector machine is solved to its tolerance of 1e-4.
        let tol = match method {
            "mpm" => 1e-12,
            "mcpm" => 1e-4,
            _ => 1e-3,
        };
        for others in [vec![6000], thousand] {
            let other = streamed(&request, &x, &y, 3, &others);
            assert_same_rule(&one, &other, &x, tol);
            assert_eq!(one.sizes(), other.sizes());
        }
    }
}

#[test]
fn all_classifiers_are_about_as_good_as_in_memory_and_say_how_good_they_are() {
    let (x, y) = clouds(20_000, 4, 3, 2.0, 5);
    for method in ["mpm", "mcpm", "scm"] {
        let request = Trainer::named(method, &Named::new()).unwrap();
        let memory = request.fit(&data(&x), &target(&y, 3)).unwrap();
        let found = streamed(&request, &x, &y, 3, &[5000, 20_000]);
        let labels = found.predict(&data(&x)).unwrap();
        let right = labels.iter().zip(&y).filter(|(l, c)| **l == **c as i32).count();
        // Counted by this test, over all rows.
        assert_eq!(found.learnt().accuracy, right as f64 / 20_000.0, "{method}");
        let (mine, whole) = (found.learnt().accuracy, memory.learnt().accuracy);
        assert!(mine > whole - 0.01, "{method}: {mine} {whole}");
        assert!(found.learnt().held_out.is_some() && found.stream().unwrap().all_rows);
    }
}

#[test]
fn summaries_of_all_rows_weigh_all_rows() {
    let (x, y) = clouds(8000, 3, 2, 2.0, 3);
    for covariance in ["diag", "full"] {
        let params = Named::from_iter([
            ("covariance".to_owned(), covariance.into()),
            ("scaling".to_owned(), "none".into()),
        ]);
        let found = streamed(&Trainer::named("mcpm", &params).unwrap(), &x, &y, 2, &[3000, 8000]);
        let tensors = found.model().tensors();
        let (weights, means) =
            (tensors.vector("weights").unwrap(), tensors.matrix("means").unwrap());
        // Their weighted mean is that of the table.
        for j in 0..3 {
            let mine: f64 = weights.iter().enumerate().map(|(m, w)| w * means[(m, j)]).sum();
            let mean = (0..8000).map(|i| x[(i, j)]).sum::<f64>() / 8000.0;
            assert!((mine - mean).abs() < 1e-10 * mean.abs(), "{covariance}: {mine} {mean}");
        }
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_kernel_is_learnt_from_the_sample_and_says_so() {
    let (x, y) = clouds(5000, 3, 2, 2.0, 4);
    let params = Named::from_iter([("kernel".to_owned(), "rbf".into())]);
    let found = streamed(&Trainer::named("mpm", &params).unwrap(), &x, &y, 2, &[5000]);
    let facts = found.stream().unwrap();
    assert!(!facts.all_rows && facts.passes == 1, "{facts:?}");
    assert_eq!(found.n(), 5000);
    assert!(found.notes()[0].text.contains("a sample of"), "{}", found.notes()[0].text);
    let labels = found.predict(&data(&x)).unwrap();
    let right = labels.iter().zip(&y).filter(|(l, c)| **l == **c as i32).count();
    assert_eq!(found.learnt().accuracy, right as f64 / 5000.0);
}

#[test]
fn wrong_rows_are_named_by_their_place() {
    let (mut x, y) = clouds(3000, 2, 2, 3.0, 6);
    let request = Trainer::new(plain(0.01));
    let (rows, classes, weights) = drawn(&x, &y, 2, 500);
    let sample = data(&rows).with_weights(&weights).unwrap();
    x[(2500, 1)] = f64::NAN;
    let mut source = Blocks::new(&x, &y, &[1000, 3000]);
    let said = request.fit_source(&mut source, &sample, &target(&classes, 2)).unwrap_err();
    assert!(said.to_string().contains("row 2501"), "{said}");
    let trained = request.fit(&sample, &target(&classes, 2)).unwrap();
    let mut passes = ClassPasses::begin(&trained, &sample, &target(&classes, 2)).unwrap();
    let few = DenseRef::new(2, 2, &x.data()[..4]).unwrap();
    let said = passes.sum(few.into(), &[0, 2]).unwrap_err().to_string();
    assert!(said.contains("class number 2") && said.contains("below 2"), "{said}");
    assert!(passes.sum(few.into(), &[0]).unwrap_err().to_string().contains("classes"));
    let narrow = DenseRef::new(4, 1, &x.data()[..4]).unwrap();
    assert!(passes.sum(narrow.into(), &[0, 1, 0, 1]).is_err());
    assert!(passes.step(&Sums::default()).is_err());
    for bytes in [&b""[..], b"no", &passes.to_bytes().unwrap()[..40]] {
        assert!(ClassPasses::from_bytes(bytes).is_err());
    }
}

#[test]
fn an_interrupted_pass_leaves_the_rule_of_the_sample() {
    struct Stopper;
    impl Observer for Stopper {
        fn on(&mut self, event: &Event) -> ControlFlow<()> {
            match event {
                Event::Pass { .. } => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let (x, y) = clouds(4000, 2, 2, 3.0, 7);
    let request = Trainer::new(plain(0.01)).observe(Stopper);
    let found = streamed(&request, &x, &y, 2, &[1000, 4000]);
    assert_eq!(found.stop(), Stop::Cancelled);
    assert!(!found.stream().unwrap().all_rows && found.n() < 4000);
    assert!(found.notes()[0].text.contains("interrupted"), "{}", found.notes()[0].text);
    assert!(found.learnt().accuracy > 0.8);
}

#[test]
fn a_sample_has_rare_classes_and_weighs_as_all_rows_do() {
    let sizes = [1_000_000, 40_000, 300];
    let drawn = class_sample(&sizes, 50_000, 1);
    assert_eq!(drawn[2], (0..300).collect::<Vec<_>>());
    assert_eq!(drawn[1].len(), 1923);
    assert!(
        drawn[0].len() < 50_000 && drawn[0].is_sorted() && drawn[0].iter().all(|i| *i < 1_000_000)
    );
    assert_ne!(drawn[0], class_sample(&sizes, 50_000, 2)[0]);
    let classes: Vec<u32> = drawn.iter().zip(0..).flat_map(|(d, c)| vec![c; d.len()]).collect();
    let weights = class_weights(&sizes, &target(&classes, 3));
    let of = |c: u32| -> f64 {
        weights.iter().zip(&classes).filter(|(_, y)| **y == c).map(|(w, _)| w).sum()
    };
    assert!((0..3).all(|c| (of(c) - sizes[c as usize] as f64).abs() < 1e-6 * of(c)));
}

#[test]
fn summaries_by_a_threshold_are_made_of_all_rows() {
    let wide = Mcpm { threshold: 1.0, ..Mcpm::default() };
    let (x, y) = clouds(3000, 2, 2, 3.0, 8);
    let found = streamed(&Trainer::new(wide), &x, &y, 2, &[3000]);
    assert!(found.stream().unwrap().all_rows);
    assert!(found.learnt().accuracy > 0.9, "{}", found.learnt().accuracy);
}

//! What several test files share.
#![allow(dead_code, reason = "every test file is a crate of its own and uses some of it")]

use separa::quality::External;
use separa::{Clusterer, Dense, DenseRef, Event, MatrixRef, Named, Observer};
use separa_testkit::clouds::Source;
use serde_json::Value;
use std::ops::ControlFlow;

/// Parameters by name.
pub fn params(pairs: &[(&str, Value)]) -> Named {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// A request whose result is not judged.
pub fn unjudged(method: &str, given: &Named) -> Clusterer<'static> {
    Clusterer::named(method, given).unwrap().quality(false)
}

/// Ends a fit at this iteration.
pub struct StopAt(pub usize);

impl Observer for StopAt {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Iteration { iteration, .. } if *iteration >= self.0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Euclidean distances of random points.
pub fn distances(n: usize, d: usize, seed: u64) -> Dense {
    let x = Source::new(seed).normals(n * d);
    let mut out = Dense::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            let gaps = (0..d).map(|c| (x[i * d + c] - x[j * d + c]).powi(2));
            out[(i, j)] = gaps.sum::<f64>().sqrt();
        }
    }
    out
}

/// Rows of d values each.
pub fn table(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

/// The fraction of rows outside the best matching of clusters and classes.
pub fn error(labels: &[i32], truth: &[i32]) -> f64 {
    External::new(labels, truth).unwrap().error
}

//! Targets: bytes in, nothing out, and a panic if a promise of docs/reliability.md is broken.
//!
//! cargo-fuzz runs them with coverage (`fuzz/fuzz_targets`), [`drive`] without (the program of this crate, and its
//! test, which replays `fuzz/corpus` with seeded mutations). A file of the corpus is an input of the target that its
//! folder is named after.

#![warn(missing_docs)]

mod draws;
pub mod drive;
mod fit;
mod read;
mod tamper;

pub use draws::Draws;

/// What bytes are given to.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Also the name of its folder in the corpus.
    pub name: &'static str,
    /// Panics if the bytes break something.
    pub run: fn(&[u8]),
    /// Of 20,000 mutations, how many are of this target: about as many as a few seconds allow.
    pub share: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "csv", run: read::csv, share: 5000 },
    Target { name: "json", run: read::json, share: 1500 },
    Target { name: "parquet", run: read::parquet, share: 3000 },
    Target { name: "npy", run: read::npy, share: 2500 },
    Target { name: "svmlight", run: read::svmlight, share: 2500 },
    Target { name: "model", run: read::model, share: 2000 },
    Target { name: "params", run: fit::params, share: 1000 },
    Target { name: "predict", run: tamper::predict, share: 1500 },
    Target { name: "fit", run: fit::fit, share: 1000 },
];

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

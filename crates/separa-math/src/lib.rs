//! The workshop of separa: matrices, moments, kernels and solvers.
//!
//! No line here knows what a cluster or a file is. Inputs were checked upstairs: nothing here tests
//! for finiteness again. Every parallel sum runs over chunks of constant size that are folded in
//! order, so one thread and many give the same bits.

#![warn(missing_docs)]

pub mod chain;
pub mod discriminant;
pub mod distance;
pub mod error;
pub mod gauss;
pub mod interrupt;
pub mod kernel;
pub mod kmeans;
pub mod linalg;
pub mod matrix;
pub mod moments;
pub mod neighbours;
pub mod optim;
pub mod par;
pub mod rng;
pub mod scaling;
pub mod stats;
#[cfg(test)]
mod test_tables;

pub use error::{Error, Result};

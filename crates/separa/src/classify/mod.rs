//! Classifiers: rules from rows whose classes are known.
//!
//! All three end in one kind of model, [`ClassifierModel`]: a few functions of a row (its columns, its kernel with
//! points, its product kernel with summaries), weighted sums of them, and a vote.

#[macro_use]
mod params;

mod basis;
mod choices;
mod class_pairs;
mod folds;
mod kernel_mpm;
mod machine;
mod mcpm;
mod mpm;
mod outcome;
mod passes;
mod plan;
mod planes;
mod priors;
mod product;
mod quantiser;
mod scm;
mod search;
mod summaries;
mod tuning;

pub use choices::{
    AimChoice, CovarianceChoice, GammaOrCv, Multiclass, Ppk, Quantizer, Scaling, Tuned,
};
pub use folds::folds;
pub(crate) use folds::hits;
pub use machine::ClassifierModel;
pub use mcpm::Mcpm;
pub use mpm::Mpm;
pub(crate) use outcome::members;
pub use priors::Priors;
pub use quantiser::{TodOptions, TodSummaries, tod};
pub use scm::Scm;

//! Discriminative clustering: clusters that a classifier could separate, with the probability that it does.
//!
//! ```
//! use separa::prelude::*;
//!
//! let rows = [[1.0, 200.0], [1.1, 220.0], [0.9, 210.0], [5.0, 900.0], [5.2, 880.0], [4.9, 910.0]];
//! let found = Mspc::new(2).fit(&rows)?;
//! assert_eq!(found.labels(), [0, 0, 0, 1, 1, 1]);
//! assert_eq!(found.predict(&[[5.1, 905.0]])?, [1]);
//! # Ok::<(), separa::Error>(())
//! ```
//!
//! A request is a [`Clusterer`]: a method with its parameters, a seed, what it may use and who watches. What
//! comes out is a [`Clustering`]: labels, the rule, quality, notes. [`Trainer`] and [`Trained`] are the same
//! pair for classifiers, [`Comparer`] runs several methods. The library prints nothing and reads no tables;
//! progress goes to an [`Observer`], which can also end the work early.

#![warn(missing_docs)]

// First, because its macros define the parameters of every method.
#[macro_use]
pub mod params;

mod any_classifier;
mod any_method;
mod assign;
mod baseline;
pub mod classify;
mod clusterer;
mod clustering;
pub mod compare;
pub mod confidence;
mod context;
mod data;
pub mod drift;
mod driver;
mod entropy;
mod error;
pub mod explain;
pub mod export;
mod flat_rule;
pub mod k_auto;
mod kmeans;
mod method;
pub mod methods;
mod model;
pub mod model_file;
pub mod note;
pub mod novelty;
mod pass;
pub mod prelude;
pub mod preparation;
pub mod profile;
mod progress;
pub mod quality;
pub mod registry;
mod report;
mod scaled_model;
pub mod source;
pub mod stability;
mod start;
mod trainer;
pub mod validate;
pub mod view;

pub use any_classifier::AnyClassifier;
pub use any_method::AnyMethod;
pub use clusterer::{Auto, Clusterer, MethodChoice, Suggested, suggested};
pub use clustering::{
    ClusterNames, Clustering, Fitted, StreamFacts, Trained, Verdict, VerdictCode,
};
pub use compare::Comparer;
pub use confidence::{Calibration, Confidence};
pub use context::{Ctx, MemoryBudget, Threads};
pub use data::{AsRows, Dataset, Grouping, MOST_CLASSES, Target};
pub use drift::Drift;
pub use error::{Error, Result, nearest_name};
pub use explain::{ExplainOptions, Explanation, Rules};
pub use flat_rule::{Branch, FlatRule, LabelChoice, VoteMargin};
pub use k_auto::{Counted, Decision, Segmentation, Step};
pub use method::{AnyFit, Classifier, Fit, Method};
pub use model::{Labels, Model, Proba};
pub use note::{Note, NoteKind, Remedy};
pub use novelty::Novelty;
pub use params::{Checked, ClusterParams, Init, Named, ParamSpec, Params};
pub use pass::{ClassPassRule, PassRule, Sums};
pub use preparation::Preparation;
pub use profile::Profile;
pub use progress::{Event, Observer, Silent};
pub use report::{Bound, InitializationReport, Learnt, Report, Stop};
pub use scaled_model::ScaledModel;
pub use separa_math::distance::Metric;
pub use separa_math::interrupt::Interrupt;
pub use separa_math::matrix::{CsrRef, Dense, DenseRef, MatrixRef, Rows};
pub use trainer::Trainer;

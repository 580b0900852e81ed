//! Discriminative clustering: groups that a classifier could tell apart, with the probability.
//!
//! ```
//! use separa::{Ctx, Dataset, DenseRef, Method, methods::Mspc};
//!
//! let x = [1.0, 200.0, 1.1, 220.0, 0.9, 210.0, 5.0, 900.0, 5.2, 880.0, 4.9, 910.0];
//! let data = Dataset::new(DenseRef::new(6, 2, &x)?.into())?;
//! let fit = Mspc { n_clusters: 2, ..Mspc::default() }.fit(&data, &mut Ctx::new(0))?;
//! assert_eq!(fit.labels, [0, 0, 0, 1, 1, 1]);
//! # Ok::<(), separa::Error>(())
//! ```
//!
//! Data comes in as a [`Dataset`], parameters as plain structs that only run once [`Checked`]; what
//! comes out is a [`Fit`]: the model, the labels, the report. The library reads no files and prints
//! nothing; progress goes to an [`Observer`], which may also end the work early.

// First, because its macros define the parameters of every method.
#[macro_use]
pub mod params;

mod any_classifier;
mod any_method;
mod assign;
pub mod classify;
mod clusterer;
mod clustering;
pub mod compare;
mod context;
mod data;
mod driver;
mod entropy;
mod error;
pub mod k_auto;
mod kmeans;
mod method;
pub mod methods;
mod model;
pub mod model_file;
pub mod note;
pub mod prelude;
mod progress;
pub mod quality;
pub mod registry;
mod report;
pub mod stability;
mod start;
mod trainer;
pub mod validate;
pub mod view;

pub use any_classifier::AnyClassifier;
pub use any_method::AnyMethod;
pub use clusterer::{Asked, Auto, Clusterer};
pub use clustering::{Clustering, Fitted, Streamed, Trained, Verdict, VerdictCode};
pub use compare::Comparer;
pub use context::{Ctx, MemoryBudget, Threads};
pub use data::{AsRows, Dataset, Grouping, MOST_CLASSES, Target};
pub use error::{Error, Result, nearest_name};
pub use k_auto::{Counted, Decision, Step};
pub use method::{AnyFit, Classifier, Fit, Method};
pub use model::{Labels, Model, Proba};
pub use note::{Note, NoteKind, Remedy};
pub use params::{Checked, ClusterParams, Init, Named, ParamSpec, Params};
pub use progress::{Event, Observer, Silent};
pub use report::{Bound, Learnt, Report, StartReport, Stop};
pub use separa_math::distance::Metric;
pub use separa_math::matrix::{CsrRef, Dense, DenseRef, MatrixRef, Rows};
pub use trainer::Trainer;

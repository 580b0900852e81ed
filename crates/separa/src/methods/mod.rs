//! One file per clustering method.
mod kmeans;
mod msc;
mod mspc;
pub use kmeans::{KMeans, KMeansModel};
pub use msc::{MetricChoice, Msc, MscModel, Objective, Split, Threshold, Weights, Width};
pub use mspc::{KernelName, Mspc, MspcModel, Outliers, Solver, Units};

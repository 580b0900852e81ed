//! One file per clustering method.
mod kmeans;
mod mspc;
pub use kmeans::{KMeans, KMeansModel};
pub use mspc::{KernelName, Mspc, MspcModel, Outliers, Solver, Units};

//! One file per clustering method.
mod kmeans;
mod mspc;
pub use kmeans::{KMeans, KMeansModel};
pub use mspc::{Gamma, KernelName, Mspc, MspcModel, Outliers, Solver, Units};

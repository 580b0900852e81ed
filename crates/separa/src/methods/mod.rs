//! One file per clustering method.
mod armc;
mod cdsk;
mod kernel_kmeans;
mod kmeans;
mod msc;
mod mspc;
mod spectral;
pub use armc::{Armc, ArmcModel, Balance, Bound, Multiclass, Order};
pub use cdsk::{Cdsk, CdskModel, CdskVariant, Vote};
pub use kernel_kmeans::{KernelKMeans, KernelKMeansModel};
pub use kmeans::{KMeans, KMeansModel};
pub use msc::{MetricChoice, Msc, MscModel, Objective, Split, Threshold, Weights, Width};
pub use mspc::{KernelName, Mspc, MspcModel, Outliers, Solver, Units};
pub use spectral::{Affinity, GraphKind, NcutThreshold, Spectral, SpectralModel, Variant};

//! One file per clustering method.
mod cdsk;
mod kernel_kmeans;
mod kmeans;
mod logistic;
mod mrmc;
mod msc;
mod mspc;
mod spectral;
pub use cdsk::{Cdsk, CdskModel, CdskVariant, Vote};
pub use kernel_kmeans::{KernelKMeans, KernelKMeansModel};
pub use kmeans::{KMeans, KMeansModel};
pub use logistic::{Logistic, Softmax};
pub use mrmc::{Hinge, Mrmc};
pub use msc::{MetricChoice, Msc, MscModel, Objective, Split, Threshold, Weights, Width};
pub use mspc::{KernelName, Mspc, MspcModel, Outliers, Solver, Units};
pub use spectral::{Affinity, GraphKind, NcutThreshold, Spectral, SpectralModel, Variant};

//! One file per clustering method.
mod armc;
mod cdsk;
mod crf;
mod fuzzy_kmeans;
mod kernel_kmeans;
mod kmeans;
mod logistic;
mod mrmc;
mod msc;
mod mspc;
mod spectral;
pub use crate::entropy::{Optimizer, Reg};
pub use armc::{Armc, ArmcModel, ArmcMulticlass, ArmcSplit, Balance, OutputBound};
pub use cdsk::{Cdsk, CdskModel, CdskVariant, CdskVote};
pub use crf::{Crf, CrfModel, Decoding};
pub use fuzzy_kmeans::{FuzzyKMeans, FuzzyKMeansModel, Sigma2};
pub use kernel_kmeans::{KernelKMeans, KernelKMeansModel};
pub use kmeans::{KMeans, KMeansModel};
pub use logistic::{Logistic, Softmax};
pub use mrmc::{Hinge, Mrmc};
pub use msc::{
    GammaOrAuto, MetricChoice, Msc, MscModel, MscSplit, Objective, RowWeights, Threshold,
};
pub use mspc::{KernelName, Mspc, MspcModel, Outliers, Solver};
pub use spectral::{Affinity, GraphKind, NcutThreshold, Spectral, SpectralModel, Variant};

//! What most programs need: `use separa::prelude::*`.

pub use crate::classify::{Mcpm, Mpm, Scm};
pub use crate::methods::{
    Armc, Cdsk, Crf, FuzzyKMeans, KMeans, KernelKMeans, Logistic, Mrmc, Msc, Mspc, Spectral,
};
pub use crate::params::Scaling;
pub use crate::{
    AsRows, Classifier, Clusterer, Clustering, Comparer, Dataset, Method, Note, NoteKind, Observer,
    Target, Trained, Trainer,
};

//! Words that parameters of maximal separation clustering take.

pub use crate::params::GammaOrAuto;
use crate::params::{Domain, ParamValue};
use separa_math::distance::Metric;
use serde::{Deserialize, Serialize};

choices! {
    /// What is measured between two rows.
    pub enum MetricChoice {
        /// The distance (2.3) that the kernel induces.
        Kernel = "kernel",
        /// ‖x − y‖.
        Euclidean = "euclidean",
        /// ‖x − y‖².
        SqEuclidean = "sqeuclidean",
        /// ‖x − y‖₁.
        Manhattan = "manhattan",
        /// The largest difference of a column.
        Chebyshev = "chebyshev",
        /// 1 − the cosine of two rows.
        Cosine = "cosine",
        /// 1 − the correlation of two rows.
        Correlation = "correlation",
        /// The mean over features of |x − y| / range; indicators of one category are one feature.
        Gower = "gower",
        /// The table is the matrix of distances.
        Precomputed = "precomputed",
    }
}

impl MetricChoice {
    /// `None` if the table or the kernel decides.
    pub fn metric(self) -> Option<Metric> {
        match self {
            Self::Kernel | Self::Precomputed => None,
            Self::Euclidean => Some(Metric::Euclidean),
            Self::SqEuclidean => Some(Metric::SqEuclidean),
            // Gower's columns are scaled before they are measured.
            Self::Manhattan | Self::Gower => Some(Metric::Manhattan),
            Self::Chebyshev => Some(Metric::Chebyshev),
            Self::Cosine => Some(Metric::Cosine),
            Self::Correlation => Some(Metric::Correlation),
        }
    }
}

/// How much each row counts in the constraint Σ αᵢf(xᵢ) = 0.
#[derive(Debug, Clone, PartialEq)]
pub enum RowWeights {
    /// α₁: all alike.
    Uniform,
    /// α₂: by the sum of a row's distances.
    Distance,
    /// α₃: by the leading eigenvector of the distances.
    Perron,
    /// One positive number per row.
    Given(Vec<f64>),
}

impl ParamValue for RowWeights {
    const DOMAIN: Domain = Domain::words(&["uniform", "distance", "perron"])
        .or("one number from 1e-100 to 1e100 per row");
    fn word(&self) -> Option<&str> {
        match self {
            Self::Uniform => Some("uniform"),
            Self::Distance => Some("distance"),
            Self::Perron => Some("perron"),
            Self::Given(_) => None,
        }
    }
}

impl Serialize for RowWeights {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        // A model file says that weights were given, not which: they belong to the data.
        out.serialize_str(self.word().unwrap_or("given"))
    }
}

impl<'de> Deserialize<'de> for RowWeights {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Word(String),
            Numbers(Vec<f64>),
        }
        let word = match Raw::deserialize(from)? {
            Raw::Word(word) => word,
            Raw::Numbers(numbers) => return Ok(Self::Given(numbers)),
        };
        let known = [Self::Uniform, Self::Distance, Self::Perron];
        let found = known.into_iter().find(|w| w.word() == Some(&word));
        found.ok_or_else(|| serde::de::Error::custom(Self::DOMAIN))
    }
}

choices! {
    /// Where the values of the separation function are cut.
    pub enum Threshold {
        /// At the largest disparity cut.
        Scan = "scan",
        /// At the largest variance between the sides.
        Otsu = "otsu",
        /// At zero.
        Zero = "zero",
    }
}

choices! {
    /// What is maximised.
    pub enum Objective {
        /// (2.4) under αᵀDw = 0.
        Separation = "separation",
        /// (3.8).
        Dcut = "dcut",
    }
}

choices! {
    /// Which part is split next.
    pub enum MscSplit {
        /// The one with the largest disparity cut.
        Dcut = "dcut",
        /// The one with the most rows.
        Largest = "largest",
    }
}

//! Words that parameters of maximal separation clustering take.

use super::params::WEIGHTS;
pub use crate::params::Width;
use separa_math::distance::Metric;
use serde::{Deserialize, Serialize};

/// What is measured between two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricChoice {
    /// The distance (2.3) that the kernel induces.
    #[default]
    Kernel,
    Euclidean,
    SqEuclidean,
    Manhattan,
    Chebyshev,
    Cosine,
    Correlation,
    /// The table is the matrix of distances.
    Precomputed,
}

impl MetricChoice {
    /// `None` where the table or the kernel decides.
    pub fn metric(self) -> Option<Metric> {
        match self {
            Self::Kernel | Self::Precomputed => None,
            Self::Euclidean => Some(Metric::Euclidean),
            Self::SqEuclidean => Some(Metric::SqEuclidean),
            Self::Manhattan => Some(Metric::Manhattan),
            Self::Chebyshev => Some(Metric::Chebyshev),
            Self::Cosine => Some(Metric::Cosine),
            Self::Correlation => Some(Metric::Correlation),
        }
    }
}

/// How much each row counts in the constraint Σ αᵢf(xᵢ) = 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Weights {
    /// α₁: all alike.
    Uniform,
    /// α₂: by the sum of a row's distances.
    Distance,
    /// α₃: by the leading eigenvector of the distances.
    #[default]
    Perron,
    /// One positive number a row.
    Given(Vec<f64>),
}

impl Serialize for Weights {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        out.serialize_str(match self {
            Self::Uniform => "uniform",
            Self::Distance => "distance",
            Self::Perron => "perron",
            // A model file says that weights were given, not which: they belong to the data.
            Self::Given(_) => "given",
        })
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Name(String),
            Numbers(Vec<f64>),
        }
        match Raw::deserialize(from)? {
            Raw::Name(name) if name == "uniform" => Ok(Self::Uniform),
            Raw::Name(name) if name == "distance" => Ok(Self::Distance),
            Raw::Name(name) if name == "perron" => Ok(Self::Perron),
            Raw::Name(_) => Err(serde::de::Error::custom(WEIGHTS)),
            Raw::Numbers(numbers) => Ok(Self::Given(numbers)),
        }
    }
}

/// Where the values of the separation function are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Threshold {
    #[default]
    Scan,
    Otsu,
    Zero,
}

/// What is maximised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// (2.4) under αᵀDw = 0.
    #[default]
    Separation,
    /// (3.8).
    Dcut,
}

/// Which part is split next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    #[default]
    Dcut,
    Largest,
}

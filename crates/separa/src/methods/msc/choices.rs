//! Words that parameters of maximal separation clustering take.

use super::params::{WEIGHTS, WIDTHS};
use crate::choice::Gamma;
use separa_math::kernel::measure::Metric;
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

/// The width of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Width {
    /// The multiple of the median with the clearest margin.
    #[default]
    Auto,
    Median,
    Value(f64),
}

impl Width {
    pub fn gamma(self) -> Gamma {
        match self {
            Self::Value(v) => Gamma::Value(v),
            _ => Gamma::Median,
        }
    }
}

impl Serialize for Width {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => out.serialize_str("auto"),
            Self::Median => out.serialize_str("median"),
            Self::Value(v) => out.serialize_f64(*v),
        }
    }
}

impl<'de> Deserialize<'de> for Width {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Number(f64),
            Name(String),
        }
        match Raw::deserialize(from)? {
            Raw::Number(v) => Ok(Self::Value(v)),
            Raw::Name(name) if name == "auto" => Ok(Self::Auto),
            Raw::Name(name) if name == "median" => Ok(Self::Median),
            Raw::Name(_) => Err(serde::de::Error::custom(WIDTHS)),
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

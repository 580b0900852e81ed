//! Words that the parameters of classifiers share.

use crate::params::NumberOrName;
pub use crate::params::Units;
use separa_math::gauss::Shape;
use serde::{Deserialize, Serialize};

/// A number, or the best of a few by cross-validation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Tuned {
    #[default]
    Cv,
    Value(f64),
}

/// As [`Tuned`], or from the median distance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Width {
    #[default]
    Median,
    Cv,
    Value(f64),
}

impl Serialize for Tuned {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Cv => out.serialize_str("cv"),
            // A whole number looks like one.
            Self::Value(v) if v.fract() == 0.0 && v.abs() < 1e15 => out.serialize_i64(*v as i64),
            Self::Value(v) => out.serialize_f64(*v),
        }
    }
}

impl<'de> Deserialize<'de> for Tuned {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match NumberOrName::deserialize(from)? {
            NumberOrName::Number(v) => Ok(Self::Value(v)),
            NumberOrName::Name(name) if name == "cv" => Ok(Self::Cv),
            NumberOrName::Name(_) => Err(serde::de::Error::custom("a number or \"cv\"")),
        }
    }
}

impl Serialize for Width {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Median => out.serialize_str("median"),
            Self::Cv => Tuned::Cv.serialize(out),
            Self::Value(v) => Tuned::Value(*v).serialize(out),
        }
    }
}

impl<'de> Deserialize<'de> for Width {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match NumberOrName::deserialize(from)? {
            NumberOrName::Number(v) => Ok(Self::Value(v)),
            NumberOrName::Name(name) if name == "median" => Ok(Self::Median),
            NumberOrName::Name(name) if name == "cv" => Ok(Self::Cv),
            NumberOrName::Name(_) => {
                Err(serde::de::Error::custom("a number, \"median\" or \"cv\""))
            }
        }
    }
}

impl Tuned {
    /// The values to try: the one given, or those of `grid`.
    pub(super) fn grid(self, grid: &[f64]) -> Vec<f64> {
        match self {
            Self::Cv => grid.to_vec(),
            Self::Value(v) => vec![v],
        }
    }
}

impl Width {
    /// The values to try, each a multiple of the median (true) or a number as it is.
    pub(super) fn grid(self, multiples: &[f64]) -> Vec<(f64, bool)> {
        match self {
            Self::Cv => multiples.iter().map(|m| (*m, true)).collect(),
            Self::Median => vec![(1.0, true)],
            Self::Value(v) => vec![(v, false)],
        }
    }
}

/// More than two classes: every pair, or each against the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Multiclass {
    #[default]
    Pairs,
    Rest,
}

/// What a boundary is best at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AimChoice {
    /// Both sides have the same worst-case accuracy, as high as can be.
    #[default]
    Minimax,
    /// Worst-case accuracies weighted by the shares of the classes.
    Accuracy,
    /// The rarer side's is as high as can be while the other keeps `floor`.
    Biased,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantizer {
    #[default]
    Tod,
    Kmeans,
}

/// The product kernel of two summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ppk {
    Lppk,
    #[default]
    Rbf,
    RbfLiteral,
    Poly,
    Tanh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CovarianceChoice {
    #[default]
    Diag,
    Full,
}

impl From<CovarianceChoice> for Shape {
    fn from(choice: CovarianceChoice) -> Self {
        match choice {
            CovarianceChoice::Diag => Self::Diag,
            CovarianceChoice::Full => Self::Full,
        }
    }
}

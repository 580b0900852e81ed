//! Words that the parameters of several methods share.

use separa_math::distance::{Measure, Metric};
use separa_math::distance::{median_gamma, median_square};
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::Rows;
use separa_math::rng::Rng;
use serde::{Deserialize, Serialize};

/// A parameter as it is written: a number, or a word that stands for one.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum NumberOrName {
    Number(f64),
    Name(String),
}

/// Kernel width: a number, or the median heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Gamma {
    #[default]
    Median,
    Value(f64),
}

impl Serialize for Gamma {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Median => out.serialize_str("median"),
            Self::Value(v) => out.serialize_f64(*v),
        }
    }
}

impl<'de> Deserialize<'de> for Gamma {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match NumberOrName::deserialize(from)? {
            NumberOrName::Number(v) => Ok(Self::Value(v)),
            NumberOrName::Name(name) if name == "median" => Ok(Self::Median),
            NumberOrName::Name(_) => Err(serde::de::Error::custom("a number or \"median\"")),
        }
    }
}

/// The values of [`Width`], for parameter lists.
pub const WIDTHS: &str = "\"auto\", \"median\" or a positive number";

/// The width of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Width {
    /// A multiple of the median that the method chooses.
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
        match NumberOrName::deserialize(from)? {
            NumberOrName::Number(v) => Ok(Self::Value(v)),
            NumberOrName::Name(name) if name == "auto" => Ok(Self::Auto),
            NumberOrName::Name(name) if name == "median" => Ok(Self::Median),
            NumberOrName::Name(_) => Err(serde::de::Error::custom(WIDTHS)),
        }
    }
}

/// Whether a fit, or its starts, may see the units of the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    #[default]
    Free,
    Shared,
    Auto,
}

/// A kernel by name; its numbers come from the parameters beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KernelChoice {
    Linear,
    #[default]
    Rbf,
    Laplacian,
    Poly,
    Tanh,
    Cosine,
    /// The table is the kernel matrix.
    Precomputed,
}

/// The names of [`KernelChoice`], for parameter lists.
pub const KERNELS: &str = "one of linear, rbf, laplacian, poly, tanh, cosine, precomputed";

/// The numbers of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    pub gamma: Gamma,
    pub degree: u32,
    pub coef0: f64,
}

impl KernelChoice {
    /// The kernel for these rows, `None` where the table already is one. The median width is that of
    /// the kernel's own distance; for products it is 1 over the number of columns.
    pub fn kernel(self, shape: Shape, rows: &dyn Rows, seed: u64) -> Option<Kernel> {
        let Shape { gamma, degree, coef0 } = shape;
        let width = |median: &dyn Fn() -> f64| match gamma {
            Gamma::Value(g) => g,
            Gamma::Median => median(),
        };
        let per_column = || 1.0 / rows.n_cols() as f64;
        Some(match self {
            Self::Linear => Kernel::Linear,
            Self::Cosine => Kernel::Cosine,
            Self::Rbf => Kernel::Rbf { gamma: width(&|| median_gamma(rows, seed)) },
            Self::Laplacian => {
                let manhattan = Measure::from(Metric::Manhattan);
                let gamma = width(&|| 1.0 / median_square(manhattan, rows, seed).sqrt());
                Kernel::Laplacian { gamma }
            }
            Self::Poly => Kernel::Poly { gamma: width(&per_column), degree, coef0 },
            Self::Tanh => Kernel::Tanh { gamma: width(&per_column), coef0 },
            Self::Precomputed => return None,
        })
    }
}

/// Rows drawn in proportion to their weights, for medians: a row of weight w is drawn as often as w
/// equal rows would be, and by the same draws.
pub fn typical_rows(weights: &[f64], seed: u64) -> Vec<usize> {
    const DRAWS: usize = 2000;
    let mut upto = 0.0;
    let sums: Vec<f64> = weights
        .iter()
        .map(|w| {
            upto += w;
            upto
        })
        .collect();
    let mut rng = Rng::new(seed, 0x7479);
    let draw = |target: f64| sums.partition_point(|s| *s <= target).min(sums.len() - 1);
    (0..DRAWS).map(|_| draw(rng.uniform() * upto)).collect()
}

/// Whether columns keep their units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Columns {
    /// Every column is divided by its own deviation.
    #[default]
    Free,
    /// All columns have one unit.
    Shared,
}

/// What becomes of rows that were kept out of a robust fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outliers {
    /// The rule labels them.
    #[default]
    Assign,
    /// They get the label -1.
    Mark,
}

/// The value of a parameter.
pub trait ParamValue {
    /// The word it is, if it is one.
    fn word(&self) -> Option<&str>;
}

impl ParamValue for KernelChoice {
    fn word(&self) -> Option<&str> {
        Some(match self {
            Self::Linear => "linear",
            Self::Precomputed => "precomputed",
            _ => "curved",
        })
    }
}

impl ParamValue for String {
    fn word(&self) -> Option<&str> {
        Some(self)
    }
}

//! Types of parameters that several methods share.

use super::{Domain, ParamValue};
use separa_math::distance::{Measure, Metric, median_gamma, median_square};
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::Rows;
use separa_math::rng::Rng;
use serde::{Deserialize, Serialize};

/// A parameter as it is written: a number, or a word that stands for one.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum NumberOrWord {
    Number(f64),
    Word(String),
}

/// Writes a number; a whole one looks like one.
pub(crate) fn serialize_number<S: serde::Serializer>(v: f64, out: S) -> Result<S::Ok, S::Error> {
    if v.fract() == 0.0 && v.abs() < 1e15 {
        out.serialize_i64(v as i64)
    } else {
        out.serialize_f64(v)
    }
}

word_or_number! {
    /// The factor gamma of a kernel.
    pub enum Gamma {
        /// As given.
        Value(f64), positive();
        /// By the median distance of two rows.
        Median = "median",
    }
}

word_or_number! {
    /// The factor gamma of a kernel, which the method can also choose.
    pub enum GammaOrAuto {
        /// As given.
        Value(f64), positive();
        /// A multiple of the median that the method chooses.
        Auto = "auto",
        /// By the median distance of two rows.
        Median = "median",
    }
}

impl GammaOrAuto {
    /// The factor to begin with: `Auto` begins at the median.
    pub fn gamma(self) -> Gamma {
        match self {
            Self::Value(v) => Gamma::Value(v),
            _ => Gamma::Median,
        }
    }
}

/// The smallest cluster allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ClusterSize {
    /// In rows (their total weight, where rows have weights).
    Rows(usize),
    /// As a fraction of the rows.
    Fraction(f64),
}

impl ClusterSize {
    /// As a fraction of `total` rows.
    pub fn fraction(self, total: f64) -> f64 {
        match self {
            // Half a row less, so that rounding refuses no cluster of exactly this size.
            Self::Rows(rows) => (rows as f64 - 0.5) / total,
            Self::Fraction(fraction) => fraction,
        }
    }

    /// As a fraction of `total` rows in k clusters: a given fraction is for two, and shrinks with more.
    pub fn fraction_of_k(self, total: f64, k: usize) -> f64 {
        match self {
            Self::Rows(_) => self.fraction(total),
            Self::Fraction(fraction) => fraction * 2.0 / k as f64,
        }
    }

    /// In rows of `total` in k clusters, as [`ClusterSize::fraction_of_k`].
    pub fn rows_of_k(self, total: f64, k: usize) -> f64 {
        match self {
            Self::Rows(rows) => rows as f64,
            Self::Fraction(fraction) => total * fraction * 2.0 / k as f64,
        }
    }
}

impl ParamValue for ClusterSize {
    const DOMAIN: Domain = Domain::REAL.at_least(0.0).below(1.0).or("a whole number of rows");
    fn number(&self) -> Option<f64> {
        match self {
            Self::Rows(_) => None,
            Self::Fraction(fraction) => Some(*fraction),
        }
    }
}

impl Serialize for ClusterSize {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rows(rows) => out.serialize_u64(*rows as u64),
            Self::Fraction(fraction) => out.serialize_f64(*fraction),
        }
    }
}

impl<'de> Deserialize<'de> for ClusterSize {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let v = f64::deserialize(from)?;
        let rows = v >= 1.0 && v.fract() == 0.0 && v < 1e15;
        Ok(if rows { Self::Rows(v as usize) } else { Self::Fraction(v) })
    }
}

choices! {
    /// How columns are brought to one scale before a method sees them.
    pub enum Scaling {
        /// Standard or contraharmonic, whichever a trial on some rows finds to separate better.
        Auto = "auto",
        /// Every column is divided by its standard deviation.
        Standard = "standard",
        /// Every column is divided by the contraharmonic mean of its absolute deviations.
        Contraharmonic = "contraharmonic",
        /// The table as it is.
        None = "none",
    }
}

choices! {
    /// What becomes of rows that were kept out of a robust fit.
    pub enum Outliers {
        /// The rule labels them.
        Assign = "assign",
        /// They get the label -1.
        Mark = "mark",
    }
}

choices! {
    /// A kernel by name; its numbers are parameters of their own.
    pub enum KernelChoice {
        /// x·y.
        Linear = "linear",
        /// exp(−gamma·‖x − y‖²).
        Rbf = "rbf",
        /// exp(−gamma·‖x − y‖₁).
        Laplacian = "laplacian",
        /// (gamma·x·y + coef0)^degree.
        Poly = "poly",
        /// tanh(gamma·x·y + coef0).
        Tanh = "tanh",
        /// The cosine of two rows.
        Cosine = "cosine",
        /// The table is the kernel matrix.
        Precomputed = "precomputed",
    }
}

/// The numbers of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelShape {
    /// Factor of the distance or the product.
    pub gamma: Gamma,
    /// Degree of the polynomial.
    pub degree: u32,
    /// Constant of the polynomial and of tanh.
    pub coef0: f64,
}

impl KernelChoice {
    /// The kernel for these rows, `None` if the table already is one. The median width is that of
    /// the kernel's own distance; for products it is 1 over the number of columns.
    pub fn kernel(self, shape: KernelShape, rows: &dyn Rows, seed: u64) -> Option<Kernel> {
        let KernelShape { gamma, degree, coef0 } = shape;
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_size_from_one_counts_rows_and_one_below_is_a_fraction() {
        let read = |v| serde_json::from_value::<ClusterSize>(v).ok();
        assert_eq!(read(json!(5)), Some(ClusterSize::Rows(5)));
        assert_eq!(read(json!(2.0)), Some(ClusterSize::Rows(2)));
        assert_eq!(read(json!(0.01)), Some(ClusterSize::Fraction(0.01)));
        assert_eq!(read(json!(0)), Some(ClusterSize::Fraction(0.0)));
        assert_eq!(read(json!(1.5)), Some(ClusterSize::Fraction(1.5)));
        assert_eq!(read(json!("five")), None);
        assert_eq!(serde_json::to_value(ClusterSize::Rows(5)).unwrap(), json!(5));
        assert_eq!(serde_json::to_value(ClusterSize::Fraction(0.01)).unwrap(), json!(0.01));
        assert_eq!(
            ClusterSize::DOMAIN.to_string(),
            "a whole number of rows, or a number from 0 to below 1"
        );
        assert_eq!(ClusterSize::Rows(5).fraction_of_k(200.0, 4), 0.0225);
        assert_eq!(ClusterSize::Fraction(0.01).fraction_of_k(200.0, 4), 0.005);
    }

    #[test]
    fn a_word_or_a_number_is_read_and_written_back() {
        for value in [json!("auto"), json!("median"), json!(0.5), json!(2)] {
            let read: GammaOrAuto = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), value);
        }
        let wrong = serde_json::from_value::<Gamma>(json!("auto")).unwrap_err();
        assert_eq!(wrong.to_string(), "\"median\" or a positive number");
    }
}

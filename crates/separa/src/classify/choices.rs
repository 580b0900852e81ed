//! Words that the parameters of classifiers share.

pub use crate::params::Scaling;
use separa_math::gauss::Shape;

word_or_number! {
    /// A number, or the best of a few by cross-validation.
    pub enum Tuned {
        /// As given.
        Value(f64), positive();
        /// By cross-validation.
        Cv = "cv",
    }
}

word_or_number! {
    /// The factor gamma of a kernel, which cross-validation can also choose.
    pub enum GammaOrCv {
        /// As given.
        Value(f64), positive();
        /// By the median distance.
        Median = "median",
        /// By cross-validation.
        Cv = "cv",
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

impl GammaOrCv {
    /// The values to try, each a multiple of the median (true) or a number as it is.
    pub(super) fn grid(self, multiples: &[f64]) -> Vec<(f64, bool)> {
        match self {
            Self::Cv => multiples.iter().map(|m| (*m, true)).collect(),
            Self::Median => vec![(1.0, true)],
            Self::Value(v) => vec![(v, false)],
        }
    }
}

choices! {
    /// How more than two classes are made of boundaries with two sides.
    pub enum Multiclass {
        /// A boundary for every pair.
        Pairs = "pairs",
        /// One for each class against the others.
        Rest = "rest",
    }
}

choices! {
    /// What a boundary is best at.
    pub enum AimChoice {
        /// Both sides have the same worst-case accuracy, as high as can be.
        Minimax = "minimax",
        /// Worst-case accuracies weighted by the fractions of the classes.
        Accuracy = "accuracy",
        /// The rarer side's is as high as can be while the other keeps `floor`.
        Biased = "biased",
    }
}

choices! {
    /// How rows become summaries.
    pub enum Quantizer {
        /// Threshold order-dependent clustering, in one pass.
        Tod = "tod",
        /// k-means.
        Kmeans = "kmeans",
    }
}

choices! {
    /// The product kernel of two summaries.
    pub enum Ppk {
        /// Linear.
        Lppk = "lppk",
        /// Normalised, to a power.
        Rbf = "rbf",
        /// Equation (7) of Yang, Huang, King & Lyu as printed.
        RbfLiteral = "rbf-literal",
        /// A polynomial of the normalised one.
        Poly = "poly",
        /// tanh of the normalised one.
        Tanh = "tanh",
    }
}

choices! {
    /// What summaries hold of the spread of their rows.
    pub enum CovarianceChoice {
        /// Variances.
        Diag = "diag",
        /// Covariances of all pairs of columns.
        Full = "full",
    }
}

impl From<CovarianceChoice> for Shape {
    fn from(choice: CovarianceChoice) -> Self {
        match choice {
            CovarianceChoice::Diag => Self::Diag,
            CovarianceChoice::Full => Self::Full,
        }
    }
}

//! What a user of these methods may set; the methods' own structs hold it.

use crate::choice::{Columns, Gamma, KernelChoice};
use crate::error::Result;
use crate::estimator::{Init, ParamSpec, Params, bad_param};
use serde::{Deserialize, Serialize};

/// How the objective is lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// L-BFGS on the objective itself.
    #[default]
    Gradient,
    /// Sharpened posteriors and fits to them, in turns.
    Em,
}

/// The parameters that `logistic` and `mrmc` share.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub n_clusters: usize,
    pub reg: f64,
    pub balance_weight: f64,
    pub units: Columns,
    pub kernel: KernelChoice,
    pub gamma: Gamma,
    pub degree: u32,
    pub coef0: f64,
    pub landmarks: usize,
    pub optimizer: Optimizer,
    pub temperature: f64,
    pub init: Init,
    pub n_init: usize,
    pub min_share: f64,
    pub max_iter: usize,
    pub tol: f64,
}

const WHOLE: &str = "a whole number, 1 or more";
const MANY: &str = "a whole number from 1 to 10000";
const POSITIVE: &str = "a positive number";
const SHARE: &str = "a share from 0 to below 1";
const INITS: &str = "auto, anneal, kmeans, or one label a row";
const WIDTH: &str = "\"median\" or a positive number";
const DEGREE: &str = "a whole number from 1 to 20";

/// The list that [`Settings::check`] holds to, with the texts of both methods.
pub(crate) const fn specs() -> [ParamSpec; 16] {
    const fn spec(
        name: &'static str,
        expected: &'static str,
        default: &'static str,
        doc: &'static str,
    ) -> ParamSpec {
        ParamSpec { name, expected, default, doc }
    }
    [
        spec("n_clusters", WHOLE, "2", "number of clusters"),
        spec(
            "reg",
            POSITIVE,
            "0.03",
            "weight λ of the squared weights, as a share of the value above which clusters that are all alike stay so",
        ),
        spec(
            "balance_weight",
            "a number, 0 or more",
            "1",
            "weight β of the entropy of the mean probabilities; 0 lets one cluster take all rows",
        ),
        spec(
            "units",
            "one of free, shared",
            "free",
            "free: every column is divided by its deviation; shared: all columns have one unit",
        ),
        spec(
            "kernel",
            crate::choice::KERNELS,
            "linear",
            "similarity of two rows, for curved boundaries; precomputed takes the table as the kernel matrix",
        ),
        spec(
            "gamma",
            WIDTH,
            "median",
            "factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf), over the median distance (laplacian), over the number of columns (poly, tanh)",
        ),
        spec("degree", DEGREE, "3", "degree of poly"),
        spec("coef0", "a finite number", "1", "constant of poly and tanh"),
        spec(
            "landmarks",
            "a whole number, 0 or more",
            "0",
            "rows that carry the kernel (Nyström); 0 takes all rows up to 2000, else 500",
        ),
        spec(
            "optimizer",
            "one of gradient, em",
            "gradient",
            "gradient: L-BFGS on the objective; em: fits to sharpened probabilities, in turns",
        ),
        spec(
            "temperature",
            SHARE,
            "0.5",
            "of em: probabilities are raised to the power 1/temperature and normalised; 0 is self-training",
        ),
        spec(
            "init",
            INITS,
            "auto",
            "where the fit begins: anneal follows a path of falling λ from no split, kmeans starts from k-means, auto does both in turns and with a kernel begins once from its eigenvectors",
        ),
        spec(
            "n_init",
            MANY,
            "4",
            "starts, of which the one with the least objective is kept; given labels are one start",
        ),
        spec(
            "min_share",
            SHARE,
            "0.01",
            "a start whose smallest cluster holds less of the rows is refused",
        ),
        spec("max_iter", WHOLE, "300", "iterations at most at the last λ"),
        spec(
            "tol",
            POSITIVE,
            "0.0001",
            "stop when no entry of the gradient is larger than this times four critical λ, or ten iterations gain less than a tenth of this (em: one turn less than a hundredth)",
        ),
    ]
}

impl Settings {
    pub fn check<P: Params>(&self) -> Result<()> {
        for (name, value) in [("n_clusters", self.n_clusters), ("max_iter", self.max_iter)] {
            if value == 0 {
                return bad_param::<P, ()>(name, WHOLE, value);
            }
        }
        for (name, value) in [("reg", self.reg), ("tol", self.tol)] {
            if !(value > 0.0 && value.is_finite()) {
                return bad_param::<P, ()>(name, POSITIVE, value);
            }
        }
        if !(self.balance_weight >= 0.0 && self.balance_weight.is_finite()) {
            let expected = "a number, 0 or more";
            return bad_param::<P, ()>("balance_weight", expected, self.balance_weight);
        }
        for (name, value) in [("temperature", self.temperature), ("min_share", self.min_share)] {
            if !(0.0..1.0).contains(&value) {
                return bad_param::<P, ()>(name, SHARE, value);
            }
        }
        if !(1..=10_000).contains(&self.n_init) {
            return bad_param::<P, ()>("n_init", MANY, self.n_init);
        }
        if let Gamma::Value(g) = self.gamma
            && !(g > 0.0 && g.is_finite())
        {
            return bad_param::<P, ()>("gamma", WIDTH, g);
        }
        if !(1..=20).contains(&self.degree) {
            return bad_param::<P, ()>("degree", DEGREE, self.degree);
        }
        if !self.coef0.is_finite() {
            return bad_param::<P, ()>("coef0", "a finite number", self.coef0);
        }
        if self.landmarks > 0
            && matches!(self.kernel, KernelChoice::Linear | KernelChoice::Precomputed)
        {
            let expected = "0 where the kernel is linear or precomputed";
            return bad_param::<P, ()>("landmarks", expected, self.landmarks);
        }
        match &self.init {
            Init::Named(name) if !["anneal", "kmeans"].contains(&name.as_str()) => {
                bad_param::<P, ()>("init", INITS, format!("\"{name}\""))
            }
            _ => Ok(()),
        }
    }
}

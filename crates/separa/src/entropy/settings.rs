//! What a user of these methods may set.

use super::model::RowModel;
use super::posterior::Link;
use super::run::run;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::method::{Fit, Method};
use crate::model_file::Tensors;
use crate::params::{Checked, Init, ParamSpec, ParamValue, Params, bad_param, cluster_params};
use crate::params::{Columns, Gamma, KernelChoice, NumberOrName};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

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

/// λ of the squared weights, as a share of its critical value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Reg {
    /// By the columns: see [`Reg::share`].
    #[default]
    Auto,
    Share(f64),
}

/// The λ that is chosen is this share of the mean variance of a column over k; at most, and with a
/// kernel, these shares of the critical λ.
const OF_MEAN: f64 = 0.2;
const AT_MOST: f64 = 0.05;
const WITH_KERNEL: f64 = 0.03;

impl Reg {
    /// `crowded` is the largest variance of any direction over the mean variance of the columns, none where
    /// there is a kernel. λ_c goes with the largest variance, which is that of many columns where these
    /// go together (pixels), and a share of it would weigh on them as if they were one: so λ goes with
    /// the mean.
    pub(crate) fn share(self, crowded: Option<f64>) -> f64 {
        match (self, crowded) {
            (Self::Share(share), _) => share,
            // λ_c is the largest variance over 2k.
            (Self::Auto, Some(crowded)) => (2.0 * OF_MEAN / crowded).min(AT_MOST),
            (Self::Auto, None) => WITH_KERNEL,
        }
    }
}

impl std::fmt::Display for Reg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Share(share) => share.fmt(f),
        }
    }
}

impl Serialize for Reg {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => out.serialize_str("auto"),
            Self::Share(share) => out.serialize_f64(*share),
        }
    }
}

impl<'de> Deserialize<'de> for Reg {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match NumberOrName::deserialize(from)? {
            NumberOrName::Number(share) => Ok(Self::Share(share)),
            NumberOrName::Name(name) if name == "auto" => Ok(Self::Auto),
            NumberOrName::Name(_) => Err(serde::de::Error::custom(REGS)),
        }
    }
}

/// The parameters of a method of rows: `logistic` and `mrmc` are those of their [`Link`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, bound = "")]
pub struct RowParams<L> {
    pub n_clusters: usize,
    pub reg: Reg,
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
    #[serde(skip)]
    pub link: PhantomData<L>,
}

/// What a method with a posterior of its own shares with them.
pub(crate) type Settings = RowParams<()>;

impl<L> Default for RowParams<L> {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            reg: Reg::Auto,
            balance_weight: 1.0,
            units: Columns::Free,
            kernel: KernelChoice::Linear,
            gamma: Gamma::Median,
            degree: 3,
            coef0: 1.0,
            landmarks: 0,
            optimizer: Optimizer::Gradient,
            temperature: 0.5,
            init: Init::Auto,
            n_init: 4,
            min_share: 0.01,
            max_iter: 300,
            tol: 1e-4,
            link: PhantomData,
        }
    }
}

impl<L: Link> Params for RowParams<L> {
    const NAME: &'static str = L::NAME;
    const CLASS: &'static str = L::CLASS;
    const ABOUT: &'static str = L::ABOUT;
    const SPECS: &'static [ParamSpec] = &specs();

    fn check(&self) -> Result<()> {
        self.check_as::<Self>()
    }
}

impl<L: Link> Method for RowParams<L> {
    type Model = RowModel<L>;
    const PROBA: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>> {
        run(p, data, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Self::Model> {
        RowModel::load(tensors)
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const MANY: &str = "a whole number from 1 to 10000";
const POSITIVE: &str = "a positive number";
const REGS: &str = "\"auto\" or a positive number";
const SHARE: &str = "a share from 0 to below 1";
const INITS: &str = "auto, anneal, kmeans, or one label a row";
const WIDTH: &str = "\"median\" or a positive number";
const DEGREE: &str = "a whole number from 1 to 20";

/// The list that [`RowParams::check_as`] holds to, with the texts of all methods.
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
            REGS,
            "auto",
            "weight λ of the squared weights, as a share of the value above which clusters that are all alike stay so; auto is 0.4 times the mean variance of a column over the largest of any direction, 0.05 at most, and 0.03 with a kernel",
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
            crate::params::KERNELS,
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
            "where the fit begins: anneal follows a path of falling λ from no split, kmeans starts from k-means, auto does both in turns and with a kernel takes spectral clusterings at five widths as the second start",
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

impl<L> RowParams<L> {
    /// Checks for the method `P`.
    pub(crate) fn check_as<P: Params>(&self) -> Result<()> {
        for (name, value) in [("n_clusters", self.n_clusters), ("max_iter", self.max_iter)] {
            if value == 0 {
                return bad_param::<P, ()>(name, WHOLE, value);
            }
        }
        if let Reg::Share(share) = self.reg
            && !(share > 0.0 && share.is_finite())
        {
            return bad_param::<P, ()>("reg", REGS, share);
        }
        if !(self.tol > 0.0 && self.tol.is_finite()) {
            return bad_param::<P, ()>("tol", POSITIVE, self.tol);
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

cluster_params!([<L>] RowParams<L>: n_clusters init landmarks kernel);

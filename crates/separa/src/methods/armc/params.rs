//! What can be set for relative margin clustering.

use super::choices::{BALANCES, BOUNDS, Balance, Bound, Multiclass, Order};
use crate::error::Result;
use crate::params::{Init, ParamSpec, ParamValue, Params, bad_param, cluster_params};
use crate::params::{KERNELS, KernelChoice, Units, WIDTHS, Width};
use serde::{Deserialize, Serialize};

/// Accelerated maximum relative margin clustering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Armc {
    pub n_clusters: usize,
    pub reg: f64,
    pub balance: Balance,
    pub bound: Bound,
    pub mu: f64,
    pub kernel: KernelChoice,
    pub gamma: Width,
    pub degree: u32,
    pub coef0: f64,
    pub units: Units,
    pub multiclass: Multiclass,
    pub split: Order,
    pub landmarks: usize,
    pub min_share: f64,
    pub init: Init,
    pub n_init: usize,
    pub max_iter: usize,
    pub tol: f64,
}

impl Default for Armc {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            reg: 2.0,
            balance: Balance::default(),
            bound: Bound::None,
            mu: 1.0,
            kernel: KernelChoice::Rbf,
            gamma: Width::Median,
            degree: 3,
            coef0: 1.0,
            units: Units::Free,
            multiclass: Multiclass::Divide,
            split: Order::Shares,
            landmarks: 0,
            min_share: 0.01,
            init: Init::Auto,
            n_init: 3,
            max_iter: 100,
            tol: 1e-6,
        }
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const MANY: &str = "a whole number from 1 to 10000";
const POSITIVE: &str = "a number above 0";
const DEGREES: &str = "a whole number from 1 to 20";
const MARKS: &str = "0 or a whole number, 2 or more";
const SHARES: &str = "a share from 0 to below 0.5";
const GAPS: &str = "a number from 1e-10 to 0.01";
const INITS: &str = "auto, spectral, kernel-pca, kmeans, random, or one label a row";

const fn spec(
    name: &'static str,
    expected: &'static str,
    default: &'static str,
    doc: &'static str,
) -> ParamSpec {
    ParamSpec { name, expected, default, doc }
}

impl Params for Armc {
    const NAME: &'static str = "armc";
    const CLASS: &'static str = "ARMC";
    const ABOUT: &'static str = "relative margins: a support vector machine that finds its own labels, for flat or curved boundaries";
    const SPECS: &'static [ParamSpec] = &[
        spec("n_clusters", WHOLE, "2", "number of clusters"),
        spec(
            "reg",
            POSITIVE,
            "2",
            "weight λ of wᵀw beside the summed hinge losses: a support vector machine with C = 1/(2λ)",
        ),
        spec(
            "balance",
            BALANCES,
            "0.5",
            "two clusters: share of the rows that labels give to one side while the machine is fitted; scan tries several and keeps the clearest split",
        ),
        spec(
            "bound",
            BOUNDS,
            "none",
            "what |f| may reach: anything, a number, or free at the price mu",
        ),
        spec("mu", POSITIVE, "1", "bound=free: price μ of the bound B in the objective"),
        spec(
            "kernel",
            KERNELS,
            "rbf",
            "similarity of two rows; precomputed takes the table as the kernel matrix",
        ),
        spec(
            "gamma",
            WIDTHS,
            "median",
            "factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf), over the median distance (laplacian), over the number of columns (poly, tanh); auto tries narrower widths of rbf and laplacian and keeps the clearest split",
        ),
        spec("degree", DEGREES, "3", "degree of poly"),
        spec("coef0", "a finite number", "1", "constant of poly and tanh"),
        spec(
            "units",
            "one of free, shared, auto",
            "free",
            "free: every column is divided by its deviation; shared: columns stay as they are; auto: tries both and keeps the clearer split",
        ),
        spec(
            "multiclass",
            "one of divide, rest",
            "divide",
            "more than two clusters: one split after the other, or each cluster against all others",
        ),
        spec(
            "split",
            "one of shares, largest, clearest",
            "shares",
            "divide: a part that is to become k clusters is cut at the clearest of the shares j/k; or the largest, or the clearest part is cut by balance",
        ),
        spec(
            "landmarks",
            MARKS,
            "0",
            "rows that carry the kernel (Nyström), 0 for all; up to 500 where kernel rows of all do not fit the memory",
        ),
        spec(
            "min_share",
            SHARES,
            "0.01",
            "a split that leaves less of the rows on one side gives way to others, or is told; multiclass=rest: clusters of less than 2/k of it",
        ),
        spec(
            "init",
            INITS,
            "auto",
            "where the fit begins; auto tries spectral starts of five widths, the first kernel principal component, k-means and a random direction",
        ),
        spec("n_init", MANY, "3", "restarts of k-means; init=random: random directions"),
        spec("max_iter", WHOLE, "100", "rounds of one start at most"),
        spec(
            "tol",
            GAPS,
            "1e-6",
            "the machine is solved until its duality gap is at most this share of its objective",
        ),
    ];

    fn check(&self) -> Result<()> {
        for (name, value) in [("n_clusters", self.n_clusters), ("max_iter", self.max_iter)] {
            if value == 0 {
                return bad_param::<Self, ()>(name, WHOLE, value);
            }
        }
        for (name, value) in [("reg", self.reg), ("mu", self.mu)] {
            if !(value > 0.0 && value.is_finite()) {
                return bad_param::<Self, ()>(name, POSITIVE, value);
            }
        }
        if let Balance::Share(r) = self.balance
            && !(r > 0.0 && r < 1.0)
        {
            return bad_param::<Self, ()>("balance", BALANCES, r);
        }
        if let Bound::Value(b) = self.bound
            && !(b >= 1.0 && b.is_finite())
        {
            let expected = format!("{BOUNDS} (no row could have a margin of 1)");
            return bad_param::<Self, ()>("bound", expected, b);
        }
        self.check_kernel()?;
        if self.landmarks == 1 {
            return bad_param::<Self, ()>("landmarks", MARKS, self.landmarks);
        }
        if self.landmarks > 0 && self.kernel == KernelChoice::Precomputed {
            let expected = "0 where the kernel is precomputed";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        if self.landmarks > 0 && self.kernel == KernelChoice::Linear {
            let expected = "0 where the kernel is linear, which needs none";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        if !(0.0..0.5).contains(&self.min_share) {
            return bad_param::<Self, ()>("min_share", SHARES, self.min_share);
        }
        if !(1..=10_000).contains(&self.n_init) {
            return bad_param::<Self, ()>("n_init", MANY, self.n_init);
        }
        if !(1e-10..=0.01).contains(&self.tol) {
            return bad_param::<Self, ()>("tol", GAPS, self.tol);
        }
        match &self.init {
            Init::Named(name)
                if !["spectral", "kernel-pca", "kmeans", "random"].contains(&&**name) =>
            {
                bad_param::<Self, ()>("init", INITS, format!("\"{name}\""))
            }
            _ => Ok(()),
        }
    }
}

impl Armc {
    fn check_kernel(&self) -> Result<()> {
        if let Width::Value(g) = self.gamma
            && !(g > 0.0 && g.is_finite())
        {
            return bad_param::<Self, ()>("gamma", WIDTHS, g);
        }
        if !(1..=20).contains(&self.degree) {
            return bad_param::<Self, ()>("degree", DEGREES, self.degree);
        }
        if !self.coef0.is_finite() {
            return bad_param::<Self, ()>("coef0", "a finite number", self.coef0);
        }
        Ok(())
    }
}

cluster_params!([] Armc: n_clusters init landmarks kernel);

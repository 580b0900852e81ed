//! Logistic clustering: the softmax whose labels are the surest.
//!
//! Problem   min H(Y|X) + λ·Σ‖w_y‖² − β·H(ȳ),  P(y|x) ∝ exp(w_yᵀz + b_y), z the columns (or a kernel's
//!           features) centred and scaled.
//! Given     rows; λ as a share `reg` of λ_c = λ_max(ZᵀZ/n)/(2k), above which w = 0 is stable.
//! Returns   the lowest of n_init searches: down a path of falling λ, and from k-means.
//! Cost      n·d·k an evaluation, some hundreds of them; beyond 4096 rows they are made on a sample and
//!           some tens on all rows. A kernel: m²·(n + m) once and n·m·k an evaluation.
//! See       Dai & Hu (2010), (3)-(4); Krause, Perona & Gomes (2010).

use crate::choice::{Columns, Gamma, KernelChoice};
use crate::dataset::Dataset;
use crate::entropy::{Link, Optimizer, RowModel, Settings, run, specs};
use crate::error::Result;
use crate::estimator::{Checked, Ctx, Fit, Init, Method, ParamSpec, Params};
use crate::persist::Tensors;
use serde::{Deserialize, Serialize};

/// Logistic clustering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Logistic {
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

impl Default for Logistic {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            reg: 0.03,
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
        }
    }
}

impl Logistic {
    fn settings(&self) -> Settings {
        Settings {
            n_clusters: self.n_clusters,
            reg: self.reg,
            balance_weight: self.balance_weight,
            units: self.units,
            kernel: self.kernel,
            gamma: self.gamma,
            degree: self.degree,
            coef0: self.coef0,
            landmarks: self.landmarks,
            optimizer: self.optimizer,
            temperature: self.temperature,
            init: self.init.clone(),
            n_init: self.n_init,
            min_share: self.min_share,
            max_iter: self.max_iter,
            tol: self.tol,
        }
    }
}

impl Params for Logistic {
    const NAME: &'static str = "logistic";
    const CLASS: &'static str = "LogisticClustering";
    const ABOUT: &'static str = "logistic clustering: the surest softmax, free of units, with a probability for every cluster";
    const SPECS: &'static [ParamSpec] = &specs();

    fn check(&self) -> Result<()> {
        self.settings().check::<Self>()
    }
}

/// u = f: the softmax.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softmax;

impl Link for Softmax {
    const STEEPNESS: f64 = 1.0;
    fn potentials(f: &[f64], u: &mut [f64]) {
        u.copy_from_slice(f);
    }
    fn pull(_: &[f64], _: &mut [f64]) {}
}

impl Method for Logistic {
    type Model = RowModel<Softmax>;
    const PROBA: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>> {
        run::<Self, Softmax>(&p.settings(), data, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Self::Model> {
        RowModel::load(tensors)
    }
}

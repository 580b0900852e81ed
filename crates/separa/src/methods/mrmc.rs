//! Maximum relative margin clustering: as logistic clustering, with the posterior of the hinge.
//!
//! Problem   min H(Y|X) + λ·Σ‖w_y‖² − β·H(ȳ),  P(y|x) ∝ exp(−[1 − m_y]₊), m_y = f_y − max over y' ≠ y of f_y'.
//! Given     rows; λ as a share `reg` of 4·λ_max(ZᵀZ/n)/(2k): for two clusters the λ above which w = 0 is
//!           stable, for more an upper bound of it (their hinges do not all act at once).
//! Returns   the lowest of n_init searches, as logistic clustering.
//! Cost      as logistic clustering.
//! See       Dai & Hu (2010), (8)-(9); the margin of several classes is Crammer & Singer's (2001).

use crate::choice::{Columns, Gamma, KernelChoice};
use crate::dataset::Dataset;
use crate::entropy::{Link, Optimizer, RowModel, Settings, run, specs};
use crate::error::Result;
use crate::estimator::{Checked, Ctx, Fit, Init, Method, ParamSpec, Params};
use crate::persist::Tensors;
use serde::{Deserialize, Serialize};

/// Maximum relative margin clustering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mrmc {
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

impl Default for Mrmc {
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

impl Mrmc {
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

impl Params for Mrmc {
    const NAME: &'static str = "mrmc";
    const CLASS: &'static str = "MRMC";
    const ABOUT: &'static str =
        "maximum relative margin: sure by a margin of one, free of units, with probabilities";
    const SPECS: &'static [ParamSpec] = &specs();

    fn check(&self) -> Result<()> {
        self.settings().check::<Self>()
    }
}

/// u_y = −[1 − (f_y − the largest other f)]₊, the multi-class hinge. For two clusters (8), f = f₁ − f₀.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge;

impl Link for Hinge {
    // With both hinges active u₁ − u₀ = 2·(f₁ − f₀).
    const STEEPNESS: f64 = 2.0;

    fn potentials(f: &[f64], u: &mut [f64]) {
        let (first, second) = top_two(f);
        for (y, u) in u.iter_mut().enumerate() {
            let rival = if y == first { f[second] } else { f[first] };
            *u = -(1.0 - (f[y] - rival)).max(0.0);
        }
    }

    fn pull(f: &[f64], slope: &mut [f64]) {
        let (first, second) = top_two(f);
        let mut to = [0.0; 2];
        for (y, s) in slope.iter_mut().enumerate() {
            let (rival, place) = if y == first { (f[second], 1) } else { (f[first], 0) };
            if 1.0 - (f[y] - rival) <= 0.0 {
                *s = 0.0;
            }
            to[place] += *s;
        }
        slope[first] -= to[0];
        slope[second] -= to[1];
    }
}

/// The places of the largest and the second largest number, first of equals.
fn top_two(f: &[f64]) -> (usize, usize) {
    let (mut first, mut second) = if f[1] > f[0] { (1, 0) } else { (0, 1) };
    for y in 2..f.len() {
        if f[y] > f[first] {
            (first, second) = (y, first);
        } else if f[y] > f[second] {
            second = y;
        }
    }
    (first, second)
}

impl Method for Mrmc {
    type Model = RowModel<Hinge>;
    const PROBA: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>> {
        run::<Self, Hinge>(&p.settings(), data, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Self::Model> {
        RowModel::load(tensors)
    }
}

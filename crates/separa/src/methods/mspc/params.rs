//! The parameters of MSPC.

use crate::error::Result;
use crate::params::Gamma;
use crate::params::{Init, ParamSpec, ParamValue, Params, bad_param, cluster_params};
pub use crate::params::{Outliers, Units};
use serde::{Deserialize, Serialize};

/// How a labelling is improved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Iterate the minimax probability machine (Approach 1).
    #[default]
    Mpm,
    /// Iterate the bound of Theorem 2 (Approach 2): one factorisation in all.
    Gep,
    /// The relaxation of Theorem 3: one singular vector, the sign of q.
    Eig,
    /// The relaxation with the sign of XXᵀq, as printed.
    EigPaper,
}

/// A feature map before the linear method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KernelName {
    #[default]
    Linear,
    Rbf,
    Poly,
}

impl ParamValue for KernelName {
    fn word(&self) -> Option<&str> {
        Some(match self {
            Self::Linear => "linear",
            Self::Rbf => "rbf",
            Self::Poly => "poly",
        })
    }
}

/// Maximin separation probability clustering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mspc {
    pub n_clusters: usize,
    pub solver: Solver,
    pub reg: f64,
    pub units: Units,
    pub robust: bool,
    pub outliers: Outliers,
    pub init: Init,
    pub n_init: usize,
    pub max_iter: usize,
    pub tol: f64,
    pub min_share: f64,
    pub kernel: KernelName,
    pub gamma: Gamma,
    pub degree: u32,
    pub coef0: f64,
    pub landmarks: usize,
}

impl Default for Mspc {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            solver: Solver::Mpm,
            reg: 1.0,
            units: Units::Free,
            robust: true,
            outliers: Outliers::Assign,
            init: Init::Auto,
            n_init: 10,
            max_iter: 100,
            tol: 0.001,
            min_share: 0.01,
            kernel: KernelName::Linear,
            gamma: Gamma::Median,
            degree: 3,
            coef0: 1.0,
            landmarks: 512,
        }
    }
}

/// The names `init` takes.
pub const INITS: [&str; 5] = ["auto", "kmeans", "kmeans-raw", "pca", "oversplit"];

impl Params for Mspc {
    const NAME: &'static str = "mspc";
    const CLASS: &'static str = "MSPC";
    const ABOUT: &'static str =
        "maximin separation probability: free of units, with a worst-case probability";
    const SPECS: &'static [ParamSpec] = &[
        ParamSpec {
            name: "n_clusters",
            expected: "a whole number, 1 or more",
            default: "2",
            doc: "number of clusters",
        },
        ParamSpec {
            name: "solver",
            expected: "one of mpm, gep, eig, eig-paper",
            default: "mpm",
            doc: "how two clusters are improved: the exact probability machine, the bound of Theorem 2, or one singular vector",
        },
        ParamSpec {
            name: "reg",
            expected: "a number, 0 or more",
            default: "1",
            doc: "weight λ of the regulariser diag(Σ)",
        },
        ParamSpec {
            name: "units",
            expected: "one of free, shared, auto",
            default: "free",
            doc: "free: starts never see units; shared: all features have one unit; auto: try both, keep the better",
        },
        ParamSpec {
            name: "robust",
            expected: "true or false",
            default: "true",
            doc: "clip gross values and set gross rows aside; false gives the plain moments",
        },
        ParamSpec {
            name: "outliers",
            expected: "one of assign, mark",
            default: "assign",
            doc: "label rows set aside by the rule, or mark them -1",
        },
        ParamSpec {
            name: "init",
            expected: "auto, kmeans, kmeans-raw, pca, oversplit, or one label a row",
            default: "auto",
            doc: "where the fit begins",
        },
        ParamSpec {
            name: "n_init",
            expected: "a whole number from 1 to 10000",
            default: "10",
            doc: "k-means restarts inside each start",
        },
        ParamSpec {
            name: "max_iter",
            expected: "a whole number, 1 or more",
            default: "100",
            doc: "rounds at most",
        },
        ParamSpec {
            name: "tol",
            expected: "a share between 0 and 1",
            default: "0.001",
            doc: "more than two clusters: stop when at most this share of labels changes",
        },
        ParamSpec {
            name: "min_share",
            expected: "a share from 0 to below 1",
            default: "0.01",
            doc: "a start whose smaller cluster holds less of the rows is refused",
        },
        ParamSpec {
            name: "kernel",
            expected: "one of linear, rbf, poly",
            default: "linear",
            doc: "feature map before the linear method, for curved boundaries",
        },
        ParamSpec {
            name: "gamma",
            expected: "\"median\" or a positive number",
            default: "median",
            doc: "kernel width: exp(-gamma d²)",
        },
        ParamSpec {
            name: "degree",
            expected: "a whole number from 1 to 20",
            default: "3",
            doc: "degree of the polynomial kernel",
        },
        ParamSpec {
            name: "coef0",
            expected: "a number, 0 or more",
            default: "1",
            doc: "constant of the polynomial kernel",
        },
        ParamSpec {
            name: "landmarks",
            expected: "a whole number, 2 or more",
            default: "512",
            doc: "rows that carry a kernel; all rows where there are fewer",
        },
    ];

    fn check(&self) -> Result<()> {
        let whole = "a whole number, 1 or more";
        if self.n_clusters == 0 {
            return bad_param::<Self, ()>("n_clusters", whole, self.n_clusters);
        }
        if !(self.reg >= 0.0 && self.reg.is_finite()) {
            return bad_param::<Self, ()>("reg", "a number, 0 or more", self.reg);
        }
        if !(1..=10_000).contains(&self.n_init) {
            return bad_param::<Self, ()>("n_init", "a whole number from 1 to 10000", self.n_init);
        }
        if self.max_iter == 0 {
            return bad_param::<Self, ()>("max_iter", whole, self.max_iter);
        }
        if !(0.0..=1.0).contains(&self.tol) {
            return bad_param::<Self, ()>("tol", "a share between 0 and 1", self.tol);
        }
        if !(0.0..1.0).contains(&self.min_share) {
            return bad_param::<Self, ()>("min_share", "a share from 0 to below 1", self.min_share);
        }
        if let Gamma::Value(g) = self.gamma
            && !(g > 0.0 && g.is_finite())
        {
            return bad_param::<Self, ()>("gamma", "\"median\" or a positive number", g);
        }
        if !(1..=20).contains(&self.degree) {
            return bad_param::<Self, ()>("degree", "a whole number from 1 to 20", self.degree);
        }
        if !(self.coef0 >= 0.0 && self.coef0.is_finite()) {
            return bad_param::<Self, ()>("coef0", "a number, 0 or more", self.coef0);
        }
        if self.landmarks < 2 {
            return bad_param::<Self, ()>("landmarks", "a whole number, 2 or more", self.landmarks);
        }
        match &self.init {
            Init::Named(name) if !INITS.contains(&name.as_str()) => bad_param::<Self, ()>(
                "init",
                "auto, kmeans, kmeans-raw, pca, oversplit, or one label a row",
                format!("\"{name}\""),
            ),
            _ => Ok(()),
        }
    }
}

cluster_params!([] Mspc: n_clusters reg robust outliers init landmarks kernel);

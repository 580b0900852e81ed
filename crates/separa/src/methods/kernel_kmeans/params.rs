//! What a user may set.

use crate::error::Result;
use crate::params::{Gamma, KERNELS, KernelChoice};
use crate::params::{Init, ParamSpec, ParamValue, Params, bad_param, cluster_params};
use serde::{Deserialize, Serialize};

/// Kernel k-means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KernelKMeans {
    pub n_clusters: usize,
    pub kernel: KernelChoice,
    pub gamma: Gamma,
    pub degree: u32,
    pub coef0: f64,
    pub landmarks: usize,
    pub init: Init,
    pub n_init: usize,
    pub max_iter: usize,
    pub tol: f64,
}

impl Default for KernelKMeans {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            kernel: KernelChoice::Rbf,
            gamma: Gamma::Median,
            degree: 3,
            coef0: 1.0,
            landmarks: 0,
            init: Init::Auto,
            n_init: 10,
            max_iter: 300,
            tol: 1e-4,
        }
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const MANY: &str = "a whole number from 1 to 10000";
const WIDTH: &str = "\"median\" or a positive number";
const INITS: &str = "auto, random, or one label a row";

impl Params for KernelKMeans {
    const NAME: &'static str = "kernel-kmeans";
    const CLASS: &'static str = "KernelKMeans";
    const ABOUT: &'static str =
        "kernel k-means: nearest mean in the space of a kernel, for curved boundaries";
    const SPECS: &'static [ParamSpec] = &[
        ParamSpec { name: "n_clusters", expected: WHOLE, default: "2", doc: "number of clusters" },
        ParamSpec {
            name: "kernel",
            expected: KERNELS,
            default: "rbf",
            doc: "similarity of two rows; precomputed takes the table as the kernel matrix",
        },
        ParamSpec {
            name: "gamma",
            expected: WIDTH,
            default: "median",
            doc: "factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf), over the median distance (laplacian), over the number of columns (poly, tanh)",
        },
        ParamSpec {
            name: "degree",
            expected: "a whole number from 1 to 20",
            default: "3",
            doc: "degree of poly",
        },
        ParamSpec {
            name: "coef0",
            expected: "a finite number",
            default: "1",
            doc: "constant of poly and tanh",
        },
        ParamSpec {
            name: "landmarks",
            expected: "a whole number, 0 or more",
            default: "0",
            doc: "rows that carry the kernel (Nyström), 0 for all; up to 500 where the kernel of all pairs does not fit the memory",
        },
        ParamSpec {
            name: "init",
            expected: INITS,
            default: "auto",
            doc: "starting centres: auto is greedy k-means++ in the space of the kernel, random draws rows, labels start from their means",
        },
        ParamSpec {
            name: "n_init",
            expected: MANY,
            default: "10",
            doc: "restarts, of which the one with the least objective is kept; given labels are one start",
        },
        ParamSpec {
            name: "max_iter",
            expected: WHOLE,
            default: "300",
            doc: "rounds of one restart at most",
        },
        ParamSpec {
            name: "tol",
            expected: "a number, 0 or more",
            default: "0.0001",
            doc: "stop when a round lowers the objective by at most this share of it",
        },
    ];

    fn check(&self) -> Result<()> {
        for (name, value) in [("n_clusters", self.n_clusters), ("max_iter", self.max_iter)] {
            if value == 0 {
                return bad_param::<Self, ()>(name, WHOLE, value);
            }
        }
        if !(1..=10_000).contains(&self.n_init) {
            return bad_param::<Self, ()>("n_init", MANY, self.n_init);
        }
        if let Gamma::Value(g) = self.gamma
            && !(g > 0.0 && g.is_finite())
        {
            return bad_param::<Self, ()>("gamma", WIDTH, g);
        }
        if !(1..=20).contains(&self.degree) {
            return bad_param::<Self, ()>("degree", "a whole number from 1 to 20", self.degree);
        }
        if !self.coef0.is_finite() {
            return bad_param::<Self, ()>("coef0", "a finite number", self.coef0);
        }
        if !(self.tol >= 0.0 && self.tol.is_finite()) {
            return bad_param::<Self, ()>("tol", "a number, 0 or more", self.tol);
        }
        if self.landmarks > 0 && self.kernel == KernelChoice::Precomputed {
            let expected = "0 where the kernel is precomputed";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        match &self.init {
            Init::Named(name) if name != "random" => {
                bad_param::<Self, ()>("init", INITS, format!("\"{name}\""))
            }
            _ => Ok(()),
        }
    }
}

cluster_params!([] KernelKMeans: n_clusters init landmarks kernel);

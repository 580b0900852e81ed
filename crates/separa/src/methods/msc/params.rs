//! What can be set for maximal separation clustering.

use super::choices::{MetricChoice, Objective, Split, Threshold, Weights, Width};
use crate::error::Result;
use crate::params::{KernelChoice, WIDTHS};
use crate::params::{ParamSpec, ParamValue, Params, bad_param, cluster_params};
use serde::{Deserialize, Serialize};

/// Maximal separation clustering: two groups as far as possible from a hyperplane in the space of
/// distances, and the same within the groups for more. It sees units: rescale columns beforehand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Msc {
    pub n_clusters: usize,
    pub metric: MetricChoice,
    pub kernel: KernelChoice,
    pub gamma: Width,
    pub degree: u32,
    pub coef0: f64,
    pub weights: Weights,
    pub threshold: Threshold,
    pub objective: Objective,
    pub split: Split,
    pub landmarks: usize,
    pub min_share: f64,
    pub max_iter: usize,
    pub tol: f64,
}

impl Default for Msc {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            metric: MetricChoice::Kernel,
            kernel: KernelChoice::Rbf,
            gamma: Width::Auto,
            degree: 3,
            coef0: 1.0,
            weights: Weights::Perron,
            threshold: Threshold::Scan,
            objective: Objective::Separation,
            split: Split::Dcut,
            landmarks: 0,
            min_share: 0.01,
            max_iter: 5000,
            tol: 1e-10,
        }
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const METRICS: &str =
    "one of kernel, euclidean, sqeuclidean, manhattan, chebyshev, cosine, correlation, precomputed";
const KERNELS: &str = "one of linear, rbf, laplacian, poly, tanh, cosine";
pub(super) const WEIGHTS: &str =
    "uniform, distance, perron, or one number from 1e-100 to 1e100 a row";
const DEGREES: &str = "a whole number from 1 to 20";
const MARKS: &str = "0 or a whole number, 2 or more";
const SHARES: &str = "a share from 0 to below 1";
const TOLERANCES: &str = "a number from 1e-15 to 0.1";

impl Params for Msc {
    const NAME: &'static str = "msc";
    const CLASS: &'static str = "MSC";
    const ABOUT: &'static str =
        "maximal separation: groups far from a boundary in the space of distances, for any metric";
    const SPECS: &'static [ParamSpec] = &[
        ParamSpec { name: "n_clusters", expected: WHOLE, default: "2", doc: "number of clusters" },
        ParamSpec {
            name: "metric",
            expected: METRICS,
            default: "kernel",
            doc: "distance of two rows: kernel is the one that the kernel induces, precomputed takes a table of distances",
        },
        ParamSpec {
            name: "kernel",
            expected: KERNELS,
            default: "rbf",
            doc: "kernel behind metric=kernel",
        },
        ParamSpec {
            name: "gamma",
            expected: WIDTHS,
            default: "auto",
            doc: "kernel width, exp(-gamma d²): auto takes the multiple of the median d² with the clearest margin",
        },
        ParamSpec {
            name: "degree",
            expected: DEGREES,
            default: "3",
            doc: "degree of the polynomial kernel",
        },
        ParamSpec {
            name: "coef0",
            expected: "a number",
            default: "1",
            doc: "constant of the polynomial and tanh kernels",
        },
        ParamSpec {
            name: "weights",
            expected: WEIGHTS,
            default: "perron",
            doc: "how much each row counts in keeping the boundary between the rows: alike, by its distances, by their leading eigenvector, or as given",
        },
        ParamSpec {
            name: "threshold",
            expected: "one of scan, otsu, zero",
            default: "scan",
            doc: "where to cut: scan takes the largest disparity cut, otsu the largest variance between the sides, zero is the paper's",
        },
        ParamSpec {
            name: "objective",
            expected: "one of separation, dcut",
            default: "separation",
            doc: "what is maximised: the squared separation distances, or the relaxed disparity cut",
        },
        ParamSpec {
            name: "split",
            expected: "one of dcut, largest",
            default: "dcut",
            doc: "more than two clusters: split the part with the largest disparity cut, or the largest part",
        },
        ParamSpec {
            name: "landmarks",
            expected: MARKS,
            default: "0",
            doc: "rows that distances are taken to; 0 takes all while their distances fit the memory",
        },
        ParamSpec {
            name: "min_share",
            expected: SHARES,
            default: "0.01",
            doc: "a cut that leaves less of the rows on one side gives way to another; for k clusters 2/k of it",
        },
        ParamSpec {
            name: "max_iter",
            expected: WHOLE,
            default: "5000",
            doc: "products with the distance matrix in one eigenproblem at most",
        },
        ParamSpec {
            name: "tol",
            expected: TOLERANCES,
            default: "1e-10",
            doc: "residual at which an eigenvector is done, as a share of the largest eigenvalue",
        },
    ];

    fn check(&self) -> Result<()> {
        for (name, value) in [("n_clusters", self.n_clusters), ("max_iter", self.max_iter)] {
            if value == 0 {
                return bad_param::<Self, ()>(name, WHOLE, value);
            }
        }
        if self.kernel == KernelChoice::Precomputed {
            let expected = format!("{KERNELS} (a table of distances goes with metric=precomputed)");
            return bad_param::<Self, ()>("kernel", expected, "\"precomputed\"");
        }
        if let Width::Value(g) = self.gamma
            && !(g > 0.0 && g.is_finite())
        {
            return bad_param::<Self, ()>("gamma", WIDTHS, g);
        }
        if !(1..=20).contains(&self.degree) {
            return bad_param::<Self, ()>("degree", DEGREES, self.degree);
        }
        if !self.coef0.is_finite() {
            return bad_param::<Self, ()>("coef0", "a number", self.coef0);
        }
        if self.landmarks == 1 {
            return bad_param::<Self, ()>("landmarks", MARKS, self.landmarks);
        }
        if !(0.0..1.0).contains(&self.min_share) {
            return bad_param::<Self, ()>("min_share", SHARES, self.min_share);
        }
        if !(1e-15..=0.1).contains(&self.tol) {
            return bad_param::<Self, ()>("tol", TOLERANCES, self.tol);
        }
        if let (Objective::Dcut, Weights::Given(values)) = (self.objective, &self.weights) {
            // Given weights are known at the training rows alone, and (3.8) needs them at every row.
            let expected = "uniform, distance or perron unless objective is separation";
            let got = format!("{} numbers", values.len());
            return bad_param::<Self, ()>("weights", expected, got);
        }
        check_weights(&self.weights)
    }
}

fn check_weights(weights: &Weights) -> Result<()> {
    let Weights::Given(values) = weights else { return Ok(()) };
    match values.iter().position(|w| !(1e-100..=1e100).contains(w)) {
        Some(i) => {
            bad_param::<Msc, ()>("weights", WEIGHTS, format!("{} for row {}", values[i], i + 1))
        }
        None => Ok(()),
    }
}

impl ParamValue for MetricChoice {
    fn word(&self) -> Option<&str> {
        Some(if *self == Self::Precomputed { "precomputed" } else { "features" })
    }
}

impl ParamValue for Weights {
    fn word(&self) -> Option<&str> {
        (!matches!(self, Self::Given(_))).then_some("named")
    }
}

cluster_params!([] Msc: n_clusters landmarks kernel metric weights);

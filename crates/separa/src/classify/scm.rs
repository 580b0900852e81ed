//! The support cluster machine: a support vector machine of summaries.
//!
//! Problem   min ½‖w‖² + Σ_k C·P_k/P̄ · max(0, 1 − y_k f(c_k))  in the space of a probability product kernel.
//! Given     rows with classes.      Returns  a model that holds summaries only; no bound.
//! Cost      as the minimax clustering probability machine.
//! See       Li, Chi, Fan & Xue (2007), Support cluster machine.

use super::choices::{CovarianceChoice, Multiclass, Ppk, Quantizer, Tuned, Units, Width};
use super::machine::Machine;
use super::params;
use super::plan::{Plan, plan_of};
use super::product::Learner;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::data::Target;
use crate::error::Result;
use crate::method::{Classifier, Fit};
use crate::model_file::Tensors;
use crate::params::{Checked, ParamSpec, Params};
use serde::{Deserialize, Serialize};

/// Values of C that are tried, the smallest first but for one that is rarely wrong.
const CS: [f64; 5] = [1.0, 0.1, 10.0, 100.0, 1000.0];

/// The support cluster machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scm {
    pub quantizer: Quantizer,
    pub summaries: Tuned,
    pub threshold: f64,
    pub ppk: Ppk,
    pub covariance: CovarianceChoice,
    pub rho: f64,
    pub gamma: Width,
    pub degree: u32,
    pub coef0: f64,
    pub c: Tuned,
    pub multiclass: Multiclass,
    #[serde(deserialize_with = "Units::free_or_shared")]
    pub units: Units,
    pub folds: usize,
}

impl Default for Scm {
    fn default() -> Self {
        Self {
            quantizer: Quantizer::Tod,
            summaries: Tuned::Cv,
            threshold: 0.0,
            ppk: Ppk::Rbf,
            covariance: CovarianceChoice::Diag,
            rho: 1.0,
            gamma: Width::Cv,
            degree: 3,
            coef0: 1.0,
            c: Tuned::Cv,
            multiclass: Multiclass::Pairs,
            units: Units::Free,
            folds: 5,
        }
    }
}

impl Params for Scm {
    const NAME: &'static str = "scm";
    const CLASS: &'static str = "SCMClassifier";
    const ABOUT: &'static str =
        "support cluster machine: a support vector machine that learns from summaries of the rows";
    const SPECS: &'static [ParamSpec] = &[
        params::QUANTIZER,
        params::SUMMARIES,
        params::THRESHOLD,
        params::PPK,
        params::COVARIANCE,
        params::RHO,
        params::GAMMA,
        params::DEGREE_SPEC,
        params::COEF0,
        ParamSpec {
            name: "c",
            expected: params::POSITIVE,
            default: "cv",
            doc: "price of a summary of average weight on the wrong side; cv takes the best of a few by cross-validation",
        },
        params::MULTICLASS,
        params::UNITS,
        params::FOLDS_SPEC,
    ];

    fn check(&self) -> Result<()> {
        params::counted::<Self>(self.summaries)?;
        params::product::<Self>(self.rho, self.threshold)?;
        params::width::<Self>(self.gamma)?;
        params::tuned::<Self>("c", self.c)?;
        params::shape::<Self>(self.degree, self.coef0, self.folds)
    }
}

impl Classifier for Scm {
    type Model = Machine;

    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<Machine>> {
        p.plan().train::<Self>(data, target, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Machine> {
        Machine::load(tensors)
    }
}

impl Scm {
    pub(super) fn plan(&self) -> Plan {
        plan_of!(self, Learner::Support, "c", self.c.grid(&CS))
    }
}

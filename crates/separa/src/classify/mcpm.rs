//! The minimax clustering probability machine: a minimax probability machine of summaries.
//!
//! Problem   equation (4): the boundary between the summaries of two classes, in the space of a probability
//!           product kernel, whose worst case is best.
//! Given     rows with classes.
//! Returns   a model that holds summaries only; α of the summaries' moments, and the rate of the rows.
//! Cost      one pass over the rows, then M³ for M summaries; a new row M·d.
//! See       Yang, Huang, King & Lyu, Efficient minimax clustering probability machine.

use super::choices::{
    AimChoice, CovarianceChoice, Multiclass, Ppk, Quantizer, Tuned, Units, Width,
};
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

/// Regularisers that are tried.
const REGS: [f64; 5] = [0.1, 0.03, 0.01, 0.003, 0.001];

/// The minimax clustering probability machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mcpm {
    pub quantizer: Quantizer,
    pub summaries: Tuned,
    pub threshold: f64,
    pub ppk: Ppk,
    pub covariance: CovarianceChoice,
    pub rho: f64,
    pub gamma: Width,
    pub degree: u32,
    pub coef0: f64,
    pub reg: Tuned,
    pub aim: AimChoice,
    pub floor: f64,
    pub multiclass: Multiclass,
    #[serde(deserialize_with = "Units::free_or_shared")]
    pub units: Units,
    pub folds: usize,
}

impl Default for Mcpm {
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
            reg: Tuned::Cv,
            aim: AimChoice::Minimax,
            floor: 0.2,
            multiclass: Multiclass::Pairs,
            units: Units::Free,
            folds: 5,
        }
    }
}

impl Params for Mcpm {
    const NAME: &'static str = "mcpm";
    const CLASS: &'static str = "MCPMClassifier";
    const ABOUT: &'static str =
        "minimax clustering probability machine: learns from summaries of the rows, in one pass";
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
        params::REG,
        params::AIM,
        params::FLOOR_SPEC,
        params::MULTICLASS,
        params::UNITS,
        params::FOLDS_SPEC,
    ];

    fn check(&self) -> Result<()> {
        params::counted::<Self>(self.summaries)?;
        params::product::<Self>(self.rho, self.threshold)?;
        params::width::<Self>(self.gamma)?;
        params::tuned::<Self>("reg", self.reg)?;
        params::aim::<Self>(self.aim, self.floor)?;
        params::shape::<Self>(self.degree, self.coef0, self.folds)
    }
}

impl Classifier for Mcpm {
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

impl Mcpm {
    pub(super) fn plan(&self) -> Plan {
        let learner = Learner::Minimax { aim: self.aim, floor: self.floor };
        plan_of!(self, learner, "reg", self.reg.grid(&REGS))
    }
}

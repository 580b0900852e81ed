//! The minimax clustering probability machine: a minimax probability machine of summaries.
//!
//! Problem   equation (4): the boundary between the summaries of two classes, in the space of a probability
//!           product kernel, whose worst case is best.
//! Given     rows with classes.
//! Returns   a model that holds summaries only; α of the summaries' moments, and the rate of the rows.
//! Cost      one pass over the rows, then M³ for M summaries; a new row M·d.
//! See       Yang, Huang, King & Lyu, Efficient minimax clustering probability machine.

use super::basis::Basis;
use super::choices::{
    AimChoice, Columns, CovarianceChoice, Multiclass, Ppk, Quantizer, Tuned, Width,
};
use super::machine::Machine;
use super::outcome::{Known, finish, members};
use super::params;
use super::product::{KernelOf, Learner, Ready, Tuning};
use super::summaries::{Quantise, Summaries};
use super::units::factors;
use crate::dataset::Dataset;
use crate::error::Result;
use crate::estimator::Settings;
use crate::estimator::{Checked, Classifier, Ctx, Fit, ParamSpec, Params, bad_param};
use crate::persist::Tensors;
use crate::progress::Event;
use crate::target::Target;
use separa_math::kernel::ppk::Form;
use serde::{Deserialize, Serialize};

/// Regularisers that are tried.
pub(super) const REGS: [f64; 5] = [0.1, 0.03, 0.01, 0.003, 0.001];
/// Numbers of summaries a class that are tried, the fewest first.
const COUNTS: [usize; 4] = [4, 8, 15, 30];

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
    pub units: Columns,
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
            units: Columns::Free,
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
        Plan {
            quantizer: self.quantizer,
            summaries: self.summaries,
            threshold: self.threshold,
            kernel: KernelOf {
                ppk: self.ppk,
                shape: self.covariance.into(),
                rho: self.rho,
                degree: self.degree,
                coef0: self.coef0,
            },
            learner: Learner::Minimax { aim: self.aim, floor: self.floor },
            number: "reg",
            values: self.reg.grid(&REGS),
            gamma: self.gamma,
            how: self.multiclass,
            units: self.units,
            folds: self.folds,
        }
    }
}

/// What [`Mcpm`] and [`Scm`](super::Scm) share: everything but the learner.
#[derive(Debug)]
pub struct Plan {
    pub quantizer: Quantizer,
    pub summaries: Tuned,
    pub threshold: f64,
    pub kernel: KernelOf,
    pub learner: Learner,
    /// The name of the learner's number, and the values to try.
    pub number: &'static str,
    pub values: Vec<f64>,
    pub gamma: Width,
    pub how: Multiclass,
    pub units: Columns,
    pub folds: usize,
}

impl Plan {
    pub fn train<P: Params>(
        &self,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<Machine>> {
        let members = members(data, target);
        let sizes: Vec<usize> = members.iter().map(Vec::len).collect();
        let counts = self.counts::<P>(&sizes, target)?;
        self.require::<P>(data.n(), data.d(), target.k(), &counts, ctx)?;
        let x = data.x();
        let factors = factors(&x, data.weights(), self.units);
        let quantise = self.quantise(&factors, ctx.seed);
        let (rows, weights) = (&x, data.weights());
        let tuning = self.tuning((rows, weights), target, &members, (quantise, counts));
        let chosen = tuning.run(ctx)?;
        ctx.emit(Event::Phase { name: "summaries" });
        let summaries = quantise.run(rows, weights, &members, chosen.count);
        let (machine, planes, settings, reg) = self.machine(summaries, target, chosen)?;
        let known = Known { held_out: chosen.held_out, settings, reg, notices: Vec::new() };
        finish(machine, &planes, (data, target), known, ctx)
    }

    pub fn quantise<'a>(&self, factors: &'a [f64], seed: u64) -> Quantise<'a> {
        let Self { quantizer, threshold, .. } = *self;
        Quantise { quantizer, threshold, shape: self.kernel.shape, factors, seed }
    }

    pub fn tuning<'a>(
        &self,
        (rows, weights): (&'a dyn separa_math::matrix::Rows, Option<&'a [f64]>),
        target: &'a Target,
        members: &'a [Vec<usize>],
        (quantise, counts): (Quantise<'a>, Vec<usize>),
    ) -> Tuning<'a> {
        Tuning {
            rows,
            weights,
            target,
            members,
            quantise,
            kernel: self.kernel,
            learner: self.learner,
            how: self.how,
            counts,
            gamma: self.gamma,
            values: self.values.clone(),
            folds: self.folds,
        }
    }

    /// The model of these summaries, its boundaries, the settings in numbers and the regulariser.
    pub fn machine(
        &self,
        summaries: Summaries,
        target: &Target,
        chosen: super::product::Chosen,
    ) -> Result<(Machine, Vec<super::planes::Plane>, Settings, f64)> {
        let mut counts = vec![0; target.k()];
        summaries.class_of.iter().for_each(|&c| counts[c] += 1);
        let mut ready = Ready::new(summaries, self.kernel)?;
        let form = ready.form(chosen.width);
        let duels = super::duels::duels(target.k(), self.how);
        let planes = ready.planes(form, self.learner, &[chosen.value], &duels)?.remove(0);
        ready.product.form = form;
        let mut settings = Settings::new();
        settings.insert("summaries".into(), counts.into());
        if let Form::Rbf { gamma }
        | Form::RbfLiteral { gamma }
        | Form::Poly { gamma, .. }
        | Form::Tanh { gamma, .. } = form
        {
            settings.insert("gamma".into(), gamma.into());
        }
        settings.insert(self.number.into(), chosen.value.into());
        let basis = Basis::Product(Box::new(ready.product));
        Ok((Machine::new(target.k(), self.how, basis, &planes), planes, settings, chosen.value))
    }

    /// The numbers of summaries to try; one that was given must not be more than a class has rows.
    pub fn counts<P: Params>(&self, sizes: &[usize], target: &Target) -> Result<Vec<usize>> {
        let sizes = sizes.iter().copied().enumerate();
        let (class, least) = sizes.min_by_key(|(_, n)| *n).unwrap_or((0, 0));
        match self.summaries {
            Tuned::Value(v) if v as usize > least && self.threshold == 0.0 => {
                let expected = format!(
                    "at most the number of rows of the smallest class (\"{}\": {least})",
                    target.names()[class]
                );
                bad_param::<P, Vec<usize>>("summaries", expected, v)
            }
            Tuned::Value(v) => Ok(vec![v as usize]),
            // Where the threshold is given the count follows from it.
            Tuned::Cv if self.threshold > 0.0 => Ok(vec![COUNTS[2]]),
            Tuned::Cv => {
                let mut counts: Vec<usize> = COUNTS.iter().map(|c| *c.min(&least)).collect();
                counts.dedup();
                Ok(counts)
            }
        }
    }

    fn require<P: Params>(
        &self,
        n: usize,
        d: usize,
        k: usize,
        counts: &[usize],
        ctx: &Ctx<'_>,
    ) -> Result<()> {
        let most = counts.iter().max().copied().unwrap_or(1) * k;
        let packed = self.kernel.shape.len(d) as u64;
        let (n, m) = (n as u64, most as u64);
        // Logarithms of the rows, kernels and features of the summaries, the summaries themselves.
        let needed = 8 * (n * m.min(1024) + 6 * m * m + 4 * m * packed);
        let remedy = "use fewer summaries, or raise the limit (--memory, max_memory)";
        ctx.memory.require(P::NAME, needed, remedy)
    }
}

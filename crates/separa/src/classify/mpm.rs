//! The minimax probability machine: the boundary whose worst case is best.
//!
//! Problem   for each pair of classes max α  s.t.  every distribution with the mean and covariance of a class
//!           has at least the share α of it on its side (equation (1)).
//! Given     rows with classes; a kernel for curved boundaries.
//! Returns   boundaries with α, the regulariser it belongs to, and the rate of the training rows.
//! Cost      linear: one pass (N·d²/2) and a few factorisations (d³/3) for each pair; kernel: n³, with m
//!           landmarks n·m².
//! See       Lanckriet, El Ghaoui, Bhattacharyya & Jordan (2002), JMLR 3; Huang et al. (2004), JMLR 5.

use super::basis::Basis;
use super::choices::{AimChoice, Multiclass, Tuned, Units, Width};
use super::class_pairs::class_pairs;
use super::kernel_mpm;
use super::machine::{Machine, bytes};
use super::outcome::{Known, finish};
use super::params;
use super::planes::Plane;
use super::priors::Priors;
use super::search::{Found, Search};
use crate::context::Ctx;
use crate::data::Dataset;
use crate::data::Target;
use crate::error::Result;
use crate::method::{Classifier, Fit};
use crate::model_file::Tensors;
use crate::params::{Checked, ParamSpec, Params, bad_param};
use crate::params::{KERNELS, KernelChoice};
use crate::report::Settings;
use separa_math::scaling::Scaler;
use serde::{Deserialize, Serialize};

/// The minimax probability machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mpm {
    pub kernel: KernelChoice,
    pub gamma: Width,
    pub degree: u32,
    pub coef0: f64,
    pub landmarks: usize,
    pub reg: Tuned,
    pub aim: AimChoice,
    pub floor: f64,
    pub priors: Priors,
    pub multiclass: Multiclass,
    #[serde(deserialize_with = "Units::free_or_shared")]
    pub units: Units,
    pub folds: usize,
}

impl Default for Mpm {
    fn default() -> Self {
        Self {
            kernel: KernelChoice::Linear,
            gamma: Width::Median,
            degree: 3,
            coef0: 1.0,
            landmarks: 0,
            reg: Tuned::Cv,
            aim: AimChoice::Minimax,
            floor: 0.2,
            priors: Priors::None,
            multiclass: Multiclass::Pairs,
            units: Units::Free,
            folds: 5,
        }
    }
}

impl Params for Mpm {
    const NAME: &'static str = "mpm";
    const CLASS: &'static str = "MPMClassifier";
    const ABOUT: &'static str = "minimax probability machine: the boundary whose worst-case accuracy is best, and that accuracy";
    const SPECS: &'static [ParamSpec] = &[
        ParamSpec {
            name: "kernel",
            expected: "one of linear, rbf, laplacian, poly, tanh, cosine",
            default: "linear",
            doc: "similarity of two rows; linear draws flat boundaries",
        },
        ParamSpec {
            name: "gamma",
            expected: params::WIDTH,
            default: "median",
            doc: "factor of rbf, laplacian, poly and tanh; median as in kernel-kmeans, cv the best of a few multiples of it by cross-validation",
        },
        params::DEGREE_SPEC,
        params::COEF0,
        ParamSpec {
            name: "landmarks",
            expected: "a whole number, 0 or more",
            default: "0",
            doc: "rows that carry the kernel (Nyström); 0 takes all, or 500 of more than 2000",
        },
        params::REG,
        params::AIM,
        params::FLOOR_SPEC,
        params::PRIORS,
        params::MULTICLASS,
        params::UNITS,
        params::FOLDS_SPEC,
    ];

    fn check(&self) -> Result<()> {
        if self.kernel == KernelChoice::Precomputed {
            let expected = KERNELS.replace(", precomputed", "");
            return bad_param::<Self, ()>("kernel", expected, "\"precomputed\"");
        }
        params::width::<Self>(self.gamma)?;
        params::tuned::<Self>("reg", self.reg)?;
        params::aim::<Self>(self.aim, self.floor)?;
        self.priors.check()?;
        params::shape::<Self>(self.degree, self.coef0, self.folds)
    }
}

impl Classifier for Mpm {
    type Model = Machine;

    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<Machine>> {
        let (n, d) = (data.n() as u64, data.d() as u64);
        let scaler = Scaler::fit(&data.x(), data.weights(), p.units.scaling());
        let mut notices = Vec::new();
        // Moments of every class in every fold, and boundaries.
        let chooses = p.reg == Tuned::Cv || p.gamma == Width::Cv;
        let pieces = target.k() as u64 * if chooses { p.folds as u64 } else { 1 };
        let boundaries = class_pairs(target.k(), p.multiclass).len();
        let (basis, planes, chosen) = if p.kernel == KernelChoice::Linear {
            let remedy = "drop columns, or raise the limit (--memory, max_memory)";
            let needed = 8 * d * d * (pieces + 8) + bytes(data.n(), boundaries, data.d());
            ctx.memory.require(Self::NAME, needed, remedy)?;
            linear(p, data, target, &scaler, ctx)?
        } else {
            let rows = (0..data.n()).filter(|&i| data.weight(i) > 0.0).count();
            let count = kernel_mpm::count(p, rows, &mut notices)?;
            let m = count as u64;
            let remedy = "use fewer landmarks (--set landmarks=, landmarks), or raise the limit (--memory, max_memory)";
            let needed =
                8 * (2 * n * m + (pieces + 8) * m * m) + bytes(data.n(), boundaries, count);
            ctx.memory.require(Self::NAME, needed, remedy)?;
            kernel_mpm::curved(p, data, target, scaler, count, ctx)?
        };
        let Chosen { reg, width, held_out } = chosen;
        let mut settings = Settings::new();
        settings.insert("reg".into(), reg.into());
        if let Some(width) = width {
            settings.insert("gamma".into(), width.into());
            settings.insert("points".into(), basis.len().into());
        }
        let machine = Machine::new(target.k(), p.multiclass, basis, &planes);
        let known = Known { held_out, settings, reg, notices };
        finish(machine, &planes, data, target, known, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Machine> {
        Machine::load(tensors)
    }
}

/// The numbers that were used.
#[derive(Debug)]
pub struct Chosen {
    pub reg: f64,
    pub width: Option<f64>,
    pub held_out: Option<f64>,
}

fn linear(
    p: &Mpm,
    data: &Dataset<'_>,
    target: &Target,
    scaler: &Scaler,
    ctx: &mut Ctx<'_>,
) -> Result<(Basis, Vec<Plane>, Chosen)> {
    let view = scaler.view(data.x());
    let search = Search::new(p, data, target, &view, false)?;
    let Found { mut planes, reg, held_out } = search.run(ctx)?;
    // From scaled columns back to those of the table.
    for plane in &mut planes {
        plane.coef.iter_mut().zip(&scaler.columns).for_each(|(w, c)| *w *= c.factor);
    }
    Ok((Basis::Linear { d: data.d() }, planes, Chosen { reg, width: None, held_out }))
}

//! The minimax probability machine: the boundary whose worst case is best.
//!
//! Problem   for each pair of classes max α  s.t.  every distribution with the mean and covariance of a class
//!           has at least the fraction α of it on its side (equation (1)).
//! Given     rows with classes; a kernel for curved boundaries.
//! Returns   boundaries with α, the regulariser it belongs to, and the rate of the training rows.
//! Cost      linear: one pass (N·d²/2) and a few factorisations (d³/3) for each pair; kernel: n³, with m
//!           landmarks n·m².
//! See       Lanckriet, El Ghaoui, Bhattacharyya & Jordan (2002), JMLR 3; Huang et al. (2004), JMLR 5.

use super::basis::BasisFunctions;
use super::choices::{AimChoice, GammaOrCv, Multiclass, Scaling, Tuned};
use super::class_pairs::class_pairs;
use super::kernel_mpm;
use super::machine::{ClassifierModel, bytes};
use super::outcome::{TrainingFacts, finish};
use super::passes::{self, LearntFrom};
use super::planes::PairBoundary;
use super::priors::Priors;
use super::search::{RidgeFound, RidgeSearch};
use crate::context::Ctx;
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::method::{Classifier, Fit};
use crate::model_file::Tensors;
use crate::note::Remedy;
use crate::params::{Checked, KernelChoice, Named, Params};
use crate::pass::ClassPassRule;
use crate::report::Learnt;

params! {
    /// The minimax probability machine.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows: Vec<[f64; 2]> = (0..80).map(|i| [f64::from(i % 2) * 9.0 + f64::from(i % 5) * 0.2, f64::from(i / 2 % 9)]).collect();
    /// let weather: Vec<&str> = (0..80).map(|i| if i % 2 == 0 { "dry" } else { "wet" }).collect();
    /// let trained = Mpm::default().fit(&rows, &Target::from_texts("weather", &weather)?)?;
    /// assert_eq!(trained.predict(&[[0.3, 4.0], [9.2, 4.0]])?, [0, 1]);
    /// // The worst case over all distributions with these means and covariances.
    /// assert!(trained.learnt().bounds[0].alpha[0] > 0.9);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Mpm(
        "mpm",
        "MPMClassifier",
        "minimax probability machine: the boundary whose worst-case accuracy is best, and that accuracy",
    ) with shared_by_classifiers {
        /// Similarity of two rows; linear draws flat boundaries.
        kernel = KernelChoice::Linear, without_last();
        /// Factor of rbf, laplacian, poly and tanh; median as in kernel-kmeans, cv the best of a few
        /// multiples of it by cross-validation.
        gamma = GammaOrCv::Median;
        degree = 3;
        coef0 = 1.0;
        /// Rows that approximate the kernel (Nyström); 0 takes all, or 500 of more than 2000.
        landmarks = 0;
        reg = Tuned::Cv;
        aim = AimChoice::Minimax;
        floor = 0.2;
        /// Fractions of the classes to be expected of new rows, in the order of the classes or by name:
        /// minimax then makes the larger of the two sides' worst-case errors, each times its fraction,
        /// smallest; accuracy and biased go by them instead of the training rows.
        priors: Priors = Priors::None;
        multiclass = Multiclass::Pairs;
        scaling = Scaling::Auto;
        folds = 5;
    }
    check Mpm::check_priors;
}

impl Mpm {
    fn check_priors(&self) -> Result<()> {
        self.priors.check()
    }
}

impl Classifier for Mpm {
    type Model = ClassifierModel;

    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<ClassifierModel>> {
        let (n, d) = (data.n() as u64, data.d() as u64);
        let mut notes = Vec::new();
        // Moments of every class in every fold, and boundaries.
        let chooses = p.reg == Tuned::Cv || p.gamma == GammaOrCv::Cv;
        let pieces = target.k() as u64 * if chooses { p.folds as u64 } else { 1 };
        let boundaries = class_pairs(target.k(), p.multiclass).len();
        let (basis, planes, chosen) = if p.kernel == KernelChoice::Linear {
            let remedy = Remedy::DropColumns.or(Remedy::RaiseMemory);
            let needed = 8 * d * d * (pieces + 8) + bytes(data.n(), boundaries, data.d());
            ctx.memory.require(Self::NAME, needed, remedy)?;
            linear(p, data, target, ctx)?
        } else {
            let rows = (0..data.n()).filter(|&i| data.weight(i) > 0.0).count();
            let count = kernel_mpm::count(p, rows, &mut notes)?;
            let m = count as u64;
            let remedy = Remedy::FewerLandmarks.or(Remedy::RaiseMemory);
            let needed =
                8 * (2 * n * m + (pieces + 8) * m * m) + bytes(data.n(), boundaries, count);
            ctx.memory.require(Self::NAME, needed, remedy)?;
            kernel_mpm::curved(p, data, target, count, ctx)?
        };
        let TunedMpm { reg, width, held_out } = chosen;
        let mut settings = Named::new();
        settings.insert("reg".into(), reg.into());
        if let Some(width) = width {
            settings.insert("gamma".into(), width.into());
            settings.insert("points".into(), basis.len().into());
        }
        let machine = ClassifierModel::new(target.k(), p.multiclass, basis, &planes);
        let known = TrainingFacts { held_out, settings, reg, notes };
        finish(machine, &planes, data, target, known, ctx)
    }

    fn load(tensors: &Tensors) -> Result<ClassifierModel> {
        ClassifierModel::load(tensors)
    }

    fn passes(
        p: &Checked<Self>,
        tensors: &Tensors,
        learnt: &Learnt,
    ) -> Result<Option<Box<dyn ClassPassRule>>> {
        let from = match p.kernel {
            KernelChoice::Linear => LearntFrom::Classes(Box::new((**p).clone())),
            _ => LearntFrom::Sample,
        };
        passes::begin(from, tensors, learnt)
    }
}

/// The numbers that were used.
#[derive(Debug)]
pub struct TunedMpm {
    pub reg: f64,
    pub width: Option<f64>,
    pub held_out: Option<f64>,
}

fn linear(
    p: &Mpm,
    data: &Dataset<'_>,
    target: &Target,
    ctx: &mut Ctx<'_>,
) -> Result<(BasisFunctions, Vec<PairBoundary>, TunedMpm)> {
    let x = data.x();
    let search = RidgeSearch::new(p, data, target, &x, false)?;
    let RidgeFound { planes, reg, held_out } = search.run(ctx)?;
    Ok((BasisFunctions::Linear { d: data.d() }, planes, TunedMpm { reg, width: None, held_out }))
}

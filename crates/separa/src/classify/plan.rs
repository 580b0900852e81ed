//! From rows to a machine of summaries: the road that every learner of summaries takes.

use super::basis::BasisFunctions;
use super::choices::{GammaOrCv, Multiclass, Quantizer, Tuned};
use super::class_pairs::class_pairs;
use super::machine::ClassifierModel;
use super::outcome::{TrainingFacts, finish, members};
use super::planes::PairBoundary;
use super::product::{KernelOf, Learner, Ready};
use super::summaries::{Quantise, Summaries};
use super::tuning::{AT_ONCE, Room, TunedSummaries, Tuning};
use crate::context::{Ctx, MemoryBudget};
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::method::Fit;
use crate::params::{Named, Params, bad_param};
use crate::progress::Event;
use separa_math::kernel::ppk::Form;

/// Numbers of summaries a class that are tried, the fewest first.
const COUNTS: [usize; 4] = [4, 8, 15, 30];

/// The plan of parameters that bear the usual names, for a learner with its number's name and values.
macro_rules! plan_of {
    ($p:expr, $learner:expr, $number:literal, $values:expr) => {
        $crate::classify::plan::SummaryTraining {
            quantizer: $p.quantizer,
            summaries: $p.summaries,
            threshold: $p.threshold,
            kernel: $crate::classify::product::KernelOf {
                ppk: $p.ppk,
                shape: $p.covariance.into(),
                rho: $p.rho,
                degree: $p.degree,
                coef0: $p.coef0,
            },
            learner: $learner,
            number: $number,
            values: $values,
            gamma: $p.gamma,
            how: $p.multiclass,
            folds: $p.folds,
        }
    };
}
pub(super) use plan_of;

/// What [`Mcpm`](super::Mcpm) and [`Scm`](super::Scm) share: everything but the learner.
#[derive(Debug, Clone)]
pub struct SummaryTraining {
    pub quantizer: Quantizer,
    pub summaries: Tuned,
    pub threshold: f64,
    pub kernel: KernelOf,
    pub learner: Learner,
    /// The name of the learner's number, and the values to try.
    pub number: &'static str,
    pub values: Vec<f64>,
    pub gamma: GammaOrCv,
    pub how: Multiclass,
    pub folds: usize,
}

impl SummaryTraining {
    pub fn train<P: Params>(
        &self,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<ClassifierModel>> {
        let members = members(data, target);
        let sizes: Vec<usize> = members.iter().map(Vec::len).collect();
        let counts = self.counts::<P>(&sizes, target)?;
        let room = self.room::<P>(data.d(), target.k(), ctx.memory);
        // What is known before the summaries are; a threshold may make more of them.
        let most = counts.iter().max().copied().unwrap_or(1) * target.k();
        Room { tasks: 1, ..room }.require(0, most)?;
        if self.chooses(&counts) {
            room.require(data.n().div_ceil(self.folds), most)?;
        }
        let x = data.x();
        let factors = vec![1.0; data.d()];
        let quantise = self.quantise(&factors, ctx.seed, room);
        let (rows, weights) = (&x, data.weights());
        let tuning =
            Tuning { rows, weights, target, members: &members, quantise, plan: self, counts, room };
        let chosen = tuning.run(ctx)?;
        ctx.emit(Event::Phase { name: "summaries" });
        let summaries = quantise.run(rows, weights, &members, chosen.count);
        Room { tasks: 1, ..room }.require(0, summaries.cells.len())?;
        ctx.emit(Event::Phase { name: "boundaries" });
        let (machine, planes, settings, reg) = self.machine(summaries, target, chosen)?;
        let known = TrainingFacts { held_out: chosen.held_out, settings, reg, notes: Vec::new() };
        finish(machine, &planes, data, target, known, ctx)
    }

    pub fn quantise<'a>(&self, factors: &'a [f64], seed: u64, room: Room) -> Quantise<'a> {
        let Self { quantizer, threshold, .. } = *self;
        let (shape, most) = (self.kernel.shape, room.most());
        Quantise { quantizer, threshold, shape, factors, seed, most }
    }

    /// The model of these summaries, its boundaries, the settings in numbers and the regulariser.
    pub fn machine(
        &self,
        summaries: Summaries,
        target: &Target,
        chosen: TunedSummaries,
    ) -> Result<(ClassifierModel, Vec<PairBoundary>, Named, f64)> {
        let mut counts = vec![0; target.k()];
        summaries.class_of.iter().for_each(|&c| counts[c] += 1);
        let mut ready = Ready::new(summaries, self.kernel)?;
        let form = ready.form(chosen.width.0, chosen.width.1);
        let pairs = class_pairs(target.k(), self.how);
        let planes = ready.planes(form, self.learner, &[chosen.value], &pairs)?.remove(0);
        ready.product.form = form;
        let mut settings = Named::new();
        settings.insert("summaries".into(), counts.into());
        if let Form::Rbf { gamma }
        | Form::RbfLiteral { gamma }
        | Form::Poly { gamma, .. }
        | Form::Tanh { gamma, .. } = form
        {
            settings.insert("gamma".into(), gamma.into());
        }
        settings.insert(self.number.into(), chosen.value.into());
        let basis = BasisFunctions::Product(Box::new(ready.product));
        Ok((
            ClassifierModel::new(target.k(), self.how, basis, &planes),
            planes,
            settings,
            chosen.value,
        ))
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

    /// Whether anything is left to cross-validation.
    fn chooses(&self, counts: &[usize]) -> bool {
        counts.len() * self.values.len() > 1 || self.gamma == GammaOrCv::Cv
    }

    pub fn room<P: Params>(&self, d: usize, k: usize, memory: MemoryBudget) -> Room {
        Room {
            method: P::NAME,
            memory,
            shape: self.kernel.shape,
            d,
            boundaries: class_pairs(k, self.how).len(),
            tasks: rayon::current_num_threads().clamp(1, AT_ONCE),
        }
    }
}

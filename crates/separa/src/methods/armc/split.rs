//! One split of a part of the table: initializations, iterations, and the rule that comes out.
//!
//! Initializations are tried on all rows of the part while these are few, else on a sample: the best of them
//! then labels all rows, and the iterations go on with these.

mod first;

use super::basis::{ArmcBasis, Features};
use super::initializations::{Line, Part};
use super::iterations::{self, ArmcRun, Begin, upper};
use super::machine::{Answer, HingeInput, HingeProblem};
use super::params::Armc;
use super::plan::ArmcStorage;
use super::table::ArmcTable;
use crate::context::Ctx;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::report::InitializationReport;
use separa_math::kernel::gram_rows::GramRows;
use separa_math::matrix::Stored;
use separa_math::rng::Rng;

/// What all splits of a fit share.
pub(super) struct Job<'a> {
    pub params: &'a Armc,
    pub table: &'a ArmcTable,
    pub basis: ArmcBasis<'a>,
    pub plan: ArmcStorage,
    pub seed: u64,
}

/// f less its bias, by rows of the table or as a plane among features.
#[derive(Debug, Clone)]
pub(super) enum SplitFunction {
    Rows { index: Vec<usize>, coef: Vec<f64> },
    Plane(Vec<f64>),
}

/// A part in two.
#[derive(Debug)]
pub(super) struct Split {
    pub rule: SplitFunction,
    pub b: f64,
    /// The rows with f < 0, and those with f ≥ 0.
    pub sides: [Vec<usize>; 2],
    pub run: ArmcRun,
    /// The fraction that the labels of the upper side were given.
    pub share: f64,
    pub initializations: Vec<InitializationReport>,
    /// No label of a random initialization moved.
    pub frozen: bool,
    /// Of the weight, what the balance holds on the other side than f does.
    pub held: f64,
    /// Another fraction would be clearer.
    pub binds: bool,
    /// Less than `min_cluster_size` on one side.
    pub thin: bool,
    /// f has one sign, so that the balance says where to cut.
    pub shifted: bool,
}

/// The gap to which machines are solved that are only compared.
const ROUGH: f64 = 1e-2;
/// Parts with fewer rows may well rest from the first iteration on.
pub(super) const FEW: usize = 20;

impl Job<'_> {
    pub fn weights(&self, part: &[usize]) -> Vec<f64> {
        part.iter().map(|&i| self.table.weights[i]).collect()
    }

    /// The clearest split with one of these fractions above; none where f is the same for all rows.
    pub fn split(
        &self,
        part: &[usize],
        shares: &[f64],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Split>> {
        if part.len() < 2 {
            return Ok(None);
        }
        let drawn = Rng::new(self.seed, 0x7361).sample(part.len(), self.plan.sample);
        let sample: Vec<usize> = drawn.into_iter().map(|r| part[r]).collect();
        let weights = self.weights(&sample);
        let gram = self.basis.gram(&sample);
        let local = Part {
            basis: &self.basis,
            index: &sample,
            weights: &weights,
            gram: &gram,
            seed: self.seed,
        };
        let machine = self.machine(HingeInput::Kernel(&gram), &weights);
        let total: f64 = weights.iter().sum();
        let smallest = self.params.min_cluster_size.fraction(self.weights(part).iter().sum());
        let (first, lines) = self.first_labels(&local, shares)?;
        let first = self.screened(&machine, first)?;
        let first = first.into_iter().map(|s| (s.name, (s.begin, s.share))).collect();
        let ((mut run, share), initializations) = best_of(ctx, first, |ctx, (begin, share)| {
            let run = iterations::run(&machine, begin, share * total, ctx)?;
            let thin = lesser(&run.answer, &weights) < smallest * total;
            let score = if thin { -run.relative - THIN } else { -run.relative };
            Ok(Candidate { score, iterations: run.iterations, value: (run, share) })
        })?;
        let looks = !ctx.cancelled() && sample.len() >= FEW;
        let frozen = looks && self.is_frozen(&machine)?;
        let binds = looks && self.binds(&machine, &run, &lines)?;
        if sample.len() == part.len() || ctx.cancelled() {
            let rule = self.rule(&sample, &run.answer);
            let on_part = self.basis.scores(part, &sample, &run.answer.beta);
            let all = self.weights(part);
            let split = finish(self, part, &all, on_part, rule, run, share);
            return Ok(split.map(|split| Split { initializations, frozen, binds, ..split }));
        }
        drop(gram);
        let all = self.weights(part);
        run = self.on_all(part, &all, &sample, &run.answer, share, ctx)?;
        let rule = self.rule(part, &run.answer);
        let scores = run.answer.scores.clone();
        let split = finish(self, part, &all, scores, rule, run, share);
        Ok(split.map(|split| Split { initializations, frozen, binds, ..split }))
    }

    /// Iterations on all rows, from the labels that the sample's f gives them.
    fn on_all(
        &self,
        part: &[usize],
        weights: &[f64],
        sample: &[usize],
        answer: &Answer,
        share: f64,
        ctx: &mut Ctx<'_>,
    ) -> Result<ArmcRun> {
        let mass = share * weights.iter().sum::<f64>();
        let scores = self.basis.scores(part, sample, &answer.beta);
        let begin = Begin { side: upper(&scores, weights, mass), say: Vec::new() };
        let whole = part.len() == self.table.n();
        match &self.basis {
            ArmcBasis::Features(_, features) => {
                let own = (!whole).then(|| Stored::of(&features.rows, part));
                let x = own.as_ref().map_or(features.matrix(), Stored::matrix);
                iterations::run(&self.machine(HingeInput::Features(x), weights), begin, mass, ctx)
            }
            ArmcBasis::Kernel(rows, kernel) if self.plan.cached => {
                let own = (!whole).then(|| Stored::of(*rows, part));
                let made = GramRows::new(*kernel, own.as_ref().unwrap_or(rows));
                iterations::run(&self.machine(HingeInput::Kernel(&made), weights), begin, mass, ctx)
            }
            _ => {
                let gram = self.basis.gram(part);
                iterations::run(&self.machine(HingeInput::Kernel(&gram), weights), begin, mass, ctx)
            }
        }
    }

    pub fn machine<'m>(&'m self, space: HingeInput<'m>, weights: &'m [f64]) -> HingeProblem<'m> {
        let (params, cache, seed) = (self.params, self.plan.cache, self.seed);
        HingeProblem { params, space, weights, cache, seed }
    }

    /// Whether labels drawn at random stay as they are: the kernel tells every row from all others.
    pub fn is_frozen(&self, machine: &HingeProblem<'_>) -> Result<bool> {
        let mut rng = Rng::new(self.seed, 0x6672);
        let line: Vec<f64> = machine.weights.iter().map(|_| rng.uniform()).collect();
        let mass = 0.5 * machine.weights.iter().sum::<f64>();
        let side = upper(&line, machine.weights, mass);
        let answer = machine.solve(&side, machine.weights, None)?;
        Ok(upper(&answer.scores, machine.weights, mass) == side)
    }

    /// Whether some line, cut where it changes sign and not by a fraction, makes a clearer machine.
    fn binds(&self, machine: &HingeProblem<'_>, run: &ArmcRun, lines: &[Line]) -> Result<bool> {
        let rough = Armc { tol: ROUGH.max(self.params.tol), ..self.params.clone() };
        let machine = HingeProblem { params: &rough, ..*machine };
        let total: f64 = machine.weights.iter().sum();
        for line in lines.iter().filter(|line| !line.spare) {
            let side: Vec<bool> = line.values.iter().map(|v| *v > 0.0).collect();
            let level = iterations::level(&side, machine.weights);
            // 4q(1 − q) of the least fraction q that a side may have.
            let least = self.params.min_cluster_size.fraction(total).max(0.02);
            if level < 4.0 * least * (1.0 - least) * total {
                continue;
            }
            let value = machine.solve(&side, machine.weights, None)?.value;
            if value < CLEARER * run.relative * level {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn rule(&self, among: &[usize], answer: &Answer) -> SplitFunction {
        if let ArmcBasis::Features(_, features) = &self.basis {
            let plane = |f: &Features| f.plane(among, &answer.beta);
            return SplitFunction::Plane(if answer.w.is_empty() {
                plane(features)
            } else {
                answer.w.clone()
            });
        }
        let support = among.iter().zip(&answer.beta).filter(|(_, b)| **b != 0.0);
        let (index, coef) = support.map(|(&i, &b)| (i, b)).unzip();
        SplitFunction::Rows { index, coef }
    }
}

/// By so much another fraction must be clearer to be worth a word.
const CLEARER: f64 = 0.95;
/// Splits that are too thin come after all others.
pub(super) const THIN: f64 = 10.0;

/// The weight of the side with less of it.
fn lesser(answer: &Answer, weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let up: f64 = answer.f().zip(weights).map(|(f, w)| if f >= 0.0 { *w } else { 0.0 }).sum();
    up.min(total - up)
}

fn finish(
    job: &Job<'_>,
    part: &[usize],
    weights: &[f64],
    scores: Vec<f64>,
    rule: SplitFunction,
    run: ArmcRun,
    share: f64,
) -> Option<Split> {
    let total: f64 = weights.iter().sum();
    let wanted = upper(&scores, weights, share * total);
    let mut b = run.answer.b;
    let above = |b: f64| scores.iter().map(move |s| s + b >= 0.0);
    let count = above(b).filter(|up| *up).count();
    let shifted = count == 0 || count == part.len();
    if shifted {
        // Between the rows that the balance keeps apart.
        let least = scores.iter().zip(&wanted).filter(|(_, up)| **up).map(|(s, _)| *s);
        let most = scores.iter().zip(&wanted).filter(|(_, up)| !**up).map(|(s, _)| *s);
        let (least, most) =
            (least.fold(f64::INFINITY, f64::min), most.fold(f64::NEG_INFINITY, f64::max));
        if least <= most {
            return None;
        }
        b = -0.5 * (least + most);
    }
    let (mut sides, mut held, mut mass) = ([Vec::new(), Vec::new()], 0.0, 0.0);
    for (((up, &i), wanted), w) in above(b).zip(part).zip(&wanted).zip(weights) {
        sides[usize::from(up)].push(i);
        held += if up == *wanted { 0.0 } else { *w };
        mass += if up { *w } else { 0.0 };
    }
    let thin = mass.min(total - mass) < job.params.min_cluster_size.fraction(total) * total;
    let held = held / total;
    let (initializations, frozen, binds) = (Vec::new(), false, false);
    Some(Split { rule, b, sides, run, share, initializations, frozen, held, binds, thin, shifted })
}

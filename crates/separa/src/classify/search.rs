//! The regulariser of a minimax probability machine, in any space of features.

use super::choices::GammaOrCv;
use super::class_pairs::{ClassPair, class_pairs, decide};
use super::folds::{best, careful, folds, hits, steady};
use super::machine::{blocks, table};
use super::mpm::Mpm;
use super::outcome::members;
use super::planes::{BoundaryOptions, PairBoundary, minimax};
use crate::context::Ctx;
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::model::labels_of;
use crate::progress::Event;
use separa_math::matrix::{Rows, Subset, project};
use separa_math::moments::Moments;

/// Regularisers that are tried; a later one must be better by half a standard error where boundaries are flat.
const REGS: [f64; 5] = [0.01, 0.001, 1e-4, 1e-5, 0.1];

/// Boundaries in a space of features, and the regulariser that does best on rows held out.
#[allow(missing_debug_implementations)]
pub struct RidgeSearch<'a> {
    p: &'a Mpm,
    data: &'a Dataset<'a>,
    target: &'a Target,
    rows: &'a dyn Rows,
    /// The regulariser is a fraction of all variance, not of an axis's.
    whole: bool,
    /// The fractions of the classes that are to be expected, where they were given, and what each class's rows
    /// count for then.
    priors: Option<Vec<f64>>,
    lift: Vec<f64>,
}

#[derive(Debug)]
pub struct RidgeFound {
    pub planes: Vec<PairBoundary>,
    pub reg: f64,
    pub held_out: Option<f64>,
}

impl<'a> RidgeSearch<'a> {
    pub fn new(
        p: &'a Mpm,
        data: &'a Dataset<'a>,
        target: &'a Target,
        rows: &'a dyn Rows,
        whole: bool,
    ) -> Result<Self> {
        let priors = p.priors.of(target)?;
        let mut lift = vec![1.0; target.k()];
        if let Some(priors) = &priors {
            let mut masses = vec![0.0; target.k()];
            let classes = target.classes().iter().enumerate();
            classes.for_each(|(i, &c)| masses[c as usize] += data.weight(i));
            let all: f64 = masses.iter().sum();
            for ((l, p), m) in lift.iter_mut().zip(priors).zip(&masses) {
                *l = p * all / m;
            }
        }
        Ok(Self { p, data, target, rows, whole, priors, lift })
    }

    pub fn run(&self, ctx: &mut Ctx<'_>) -> Result<RidgeFound> {
        let pairs = class_pairs(self.target.k(), self.p.multiclass);
        let regs = self.p.reg.grid(&REGS);
        let members = members(self.data, self.target);
        let smallest = members.iter().map(Vec::len).min().unwrap_or(0);
        let count = self.p.folds.min(smallest);
        if (regs.len() == 1 && self.p.gamma != GammaOrCv::Cv) || count < 2 {
            let of = |index: &Vec<usize>| Moments::of_rows(self.rows, index, self.data.weights());
            let classes: Vec<Moments> = members.iter().map(of).collect();
            let reg = if regs.len() == 1 { regs[0] } else { 0.01 };
            let planes = minimax(&classes, &self.masses(&classes), &pairs, self.rule(reg))?;
            return Ok(RidgeFound { planes, reg, held_out: None });
        }
        ctx.emit(Event::Phase { name: "cross-validation" });
        let fold = folds(&members, self.data.n(), count, ctx.seed);
        // The moments of every class in every fold: one pass, and all else is sums of them.
        let part = |index: &Vec<usize>, f: usize| -> Vec<usize> {
            index.iter().copied().filter(|&i| fold[i] == f).collect()
        };
        let weights = self.data.weights();
        let pieces: Vec<Vec<Moments>> = members
            .iter()
            .map(|m| {
                (0..count).map(|f| Moments::of_rows(self.rows, &part(m, f), weights)).collect()
            })
            .collect();
        let whole: Vec<Moments> = pieces.iter().map(|p| without(p, usize::MAX)).collect();
        let mut total = 0.0;
        let rows = members.iter().map(Vec::len).sum::<usize>() as f64;
        let mut scores = vec![0.0; regs.len()];
        for f in 0..count {
            let kept: Vec<Moments> = pieces.iter().map(|p| without(p, f)).collect();
            let held: Vec<usize> = members.iter().flat_map(|m| part(m, f)).collect();
            let right = self.held_out(&kept, &held, &regs, &pairs)?;
            // A fraction of what was held out so far, so that it is one whenever the search stops.
            let more: f64 = held.iter().map(|&i| self.weight(i)).sum();
            total += more;
            for (s, v) in scores.iter_mut().zip(right) {
                *s += (v - *s * more) / total;
            }
            let (iteration, objective) = (f + 1, scores[best(&scores)]);
            if ctx.emit(Event::Iteration { iteration, max_iter: count, objective, changed: 0 }) {
                break;
            }
        }
        // A kernel can tell all rows apart, and then a small regulariser promises anything.
        let at = match self.whole {
            true => careful(&scores, |i| regs[i], rows),
            false => steady(&scores, rows),
        };
        let planes = minimax(&whole, &self.masses(&whole), &pairs, self.rule(regs[at]))?;
        Ok(RidgeFound { planes, reg: regs[at], held_out: Some(scores[at]) })
    }

    /// The weight of rows classified right on the rows `held` at each regulariser.
    fn held_out(
        &self,
        kept: &[Moments],
        held: &[usize],
        regs: &[f64],
        pairs: &[ClassPair],
    ) -> Result<Vec<f64>> {
        let mut out = Vec::with_capacity(regs.len());
        for &reg in regs {
            let planes = minimax(kept, &self.masses(kept), pairs, self.rule(reg))?;
            let (coef, offsets) = table(&planes, self.rows.n_cols());
            let mut labels = Vec::with_capacity(held.len());
            for range in blocks(held.len(), pairs.len()) {
                let some = Subset { rows: self.rows, index: &held[range] };
                let values = project(&some, coef.view(), &offsets);
                labels.extend(labels_of(&decide(values, pairs, self.target.k()))?);
            }
            out.push(hits(&labels, held, self.target.classes(), &|i| self.weight(i)));
        }
        Ok(out)
    }

    fn rule(&self, reg: f64) -> BoundaryOptions {
        boundary_options(self.p, reg, self.whole, self.priors.is_some())
    }

    /// What each class weighs against the others: its rows, or what is to be expected.
    fn masses(&self, classes: &[Moments]) -> Vec<f64> {
        self.priors.clone().unwrap_or_else(|| classes.iter().map(Moments::n).collect())
    }

    /// What a held-out row counts for: classes have the fractions that are to be expected.
    fn weight(&self, i: usize) -> f64 {
        self.data.weight(i) * self.lift[self.target.classes()[i] as usize]
    }
}

/// How boundaries are found with this regulariser; `weighted` if the fractions of the classes were given.
pub fn boundary_options(p: &Mpm, reg: f64, whole: bool, weighted: bool) -> BoundaryOptions {
    let Mpm { aim, floor, .. } = *p;
    BoundaryOptions { reg, whole, aim, floor, weighted }
}

/// All pieces but one, merged in order.
fn without(pieces: &[Moments], left_out: usize) -> Moments {
    let mut all = Moments::empty(pieces[0].d());
    pieces.iter().enumerate().filter(|(f, _)| *f != left_out).for_each(|(_, m)| all.merge(m));
    all
}

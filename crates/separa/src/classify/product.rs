//! Learning from summaries: the product kernel between them, and the choices made by cross-validation.

use super::basis::Product;
use super::choices::{AimChoice, Ppk};
use super::duels::{Duel, decide, duels};
use super::folds::{best, careful, folds, hits};
use super::machine::table;
use super::planes::{Plane, Rule, minimax};
use super::summaries::{Quantise, Summaries};
use super::{Multiclass, Width};
use crate::error::Result;
use crate::estimator::{Ctx, labels_of};
use crate::progress::Event;
use crate::target::Target;
use rayon::prelude::*;
use separa_math::gauss::{Gaussians, Shape, pooled};
use separa_math::kernel::mercer::map_of;
use separa_math::kernel::ppk::{Form, LogGram};
use separa_math::matrix::{Dense, Rows, Subset, project};
use separa_math::moments::Moments;
use separa_math::optim::svm_smo::{Dual, Options, solve};

/// Axes of the kernel with less than this of the first one's weight are rounding.
const LEAST: f64 = 1e-9;
/// Multiples of the median width that are tried.
pub const WIDTHS: [f64; 5] = [0.25, 1.0, 0.0625, 4.0, 0.015625];

/// The kernel.
#[derive(Debug, Clone, Copy)]
pub struct KernelOf {
    pub ppk: Ppk,
    pub shape: Shape,
    pub rho: f64,
    pub degree: u32,
    pub coef0: f64,
}

/// What is learnt from the kernel matrix.
#[derive(Debug, Clone, Copy)]
pub enum Learner {
    /// A minimax probability machine; its number is the regulariser.
    Minimax { aim: AimChoice, floor: f64 },
    /// A support vector machine; its number is C.
    Support,
}

/// Summaries with their kernel.
#[derive(Debug)]
pub struct Ready {
    pub product: Product,
    logs: LogGram,
    class_of: Vec<usize>,
    k: usize,
    kernel: KernelOf,
}

impl Ready {
    pub fn new(summaries: Summaries, kernel: KernelOf) -> Result<Self> {
        let Summaries { cells, class_of, k } = summaries;
        let within = pooled(&cells, kernel.shape);
        let gaussians = Gaussians::shrunk(&cells, &within, kernel.shape);
        let logs = LogGram::new(&gaussians, kernel.rho)?;
        // Equation (11): a row is a point. Everywhere else it has the variance within summaries.
        let point = (kernel.ppk != Ppk::Lppk || kernel.rho != 1.0).then_some(within);
        let form = Form::Linear { top: 0.0 };
        let product = Product::new(gaussians, (point, logs.own()), kernel.rho, form)?;
        Ok(Self { product, logs, class_of, k, kernel })
    }

    /// The kernel's form at a width: a multiple of the median one, or a number as it is.
    pub fn form(&self, (value, multiple): (f64, bool)) -> Form {
        let KernelOf { ppk, degree, coef0, .. } = self.kernel;
        let of = |median: f64| if multiple { value * median } else { value };
        match ppk {
            Ppk::Lppk => Form::Linear {
                top: self.product.own.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)),
            },
            Ppk::Rbf => Form::Rbf { gamma: of(self.logs.median_gamma(false)) },
            Ppk::RbfLiteral => Form::RbfLiteral { gamma: of(self.logs.median_gamma(true)) },
            Ppk::Poly => Form::Poly { gamma: of(1.0), degree, coef0 },
            Ppk::Tanh => Form::Tanh { gamma: of(1.0), coef0 },
        }
    }

    /// The boundaries at each of the learner's numbers.
    pub fn planes(
        &self,
        form: Form,
        learner: Learner,
        values: &[f64],
        duels: &[Duel],
    ) -> Result<Vec<Vec<Plane>>> {
        let gram = self.logs.gram(form);
        match learner {
            Learner::Minimax { aim, floor } => {
                let map = map_of(&gram, LEAST)?;
                let features = project(&gram, map.view(), &vec![0.0; map.rows()]);
                let labels: Vec<i32> = self.class_of.iter().map(|c| *c as i32).collect();
                let classes = Moments::by_label(&features, None, &labels, self.k);
                let mut masses = vec![0.0; self.k];
                let weights = self.class_of.iter().zip(&self.product.gaussians.weights);
                weights.for_each(|(c, w)| masses[*c] += w);
                let at = |&reg: &f64| {
                    let rule = Rule { reg, whole: true, aim, floor };
                    let planes = minimax(&classes, &masses, duels, rule)?;
                    Ok(planes.into_iter().map(|p| p.through(&map)).collect())
                };
                values.iter().map(at).collect()
            }
            Learner::Support => {
                let at = |c: &f64| duels.iter().map(|d| self.support(&gram, *d, *c)).collect();
                values.iter().map(at).collect()
            }
        }
    }

    /// The support vector machine of one duel: summary k has the box C·P_k/mean P.
    fn support(&self, gram: &Dense, duel: Duel, c: f64) -> Result<Plane> {
        let side = |k: usize| duel.side(self.class_of[k]);
        let index: Vec<usize> = (0..gram.rows()).filter(|&k| side(k).is_some()).collect();
        let share = |k: usize| self.product.gaussians.weights[k];
        let mean = index.iter().map(|&k| share(k)).sum::<f64>() / index.len() as f64;
        let mut own = Dense::zeros(index.len(), index.len());
        for (r, &i) in index.iter().enumerate() {
            own.row_mut(r).iter_mut().zip(&index).for_each(|(o, &j)| *o = gram[(i, j)]);
        }
        let labels: Vec<bool> = index.iter().map(|&k| side(k) == Some(true)).collect();
        let boxes: Vec<f64> = index.iter().map(|&k| c * share(k) / mean).collect();
        let options = Options { tol: 1e-4, max_steps: 1_000_000, ..Options::default() };
        let found = solve(&own, &Dual::classes(&labels, &boxes)?, None, &options)?;
        let mut coef = vec![0.0; gram.rows()];
        index.iter().zip(&found.beta).for_each(|(&k, b)| coef[k] = *b);
        let converged = found.converged;
        Ok(Plane { coef, b: found.b, alpha: None, short: false, converged })
    }
}

/// What there is to choose, and from what.
#[allow(missing_debug_implementations)]
pub struct Tuning<'a> {
    pub rows: &'a dyn Rows,
    pub weights: Option<&'a [f64]>,
    pub target: &'a Target,
    /// The rows of each class that count.
    pub members: &'a [Vec<usize>],
    pub quantise: Quantise<'a>,
    pub kernel: KernelOf,
    pub learner: Learner,
    pub how: Multiclass,
    pub counts: Vec<usize>,
    pub gamma: Width,
    pub values: Vec<f64>,
    pub folds: usize,
}

/// What was chosen.
#[derive(Debug, Clone, Copy)]
pub struct Chosen {
    pub count: usize,
    pub width: (f64, bool),
    pub value: f64,
    pub held_out: Option<f64>,
}

impl Tuning<'_> {
    /// The settings with the most right answers on rows held out. Earlier ones win ties.
    pub fn run(&self, ctx: &mut Ctx<'_>) -> Result<Chosen> {
        let widths = self.widths();
        let each = widths.len() * self.values.len();
        let smallest = self.members.iter().map(Vec::len).min().unwrap_or(0);
        let folds = self.folds.min(smallest);
        let first = Chosen {
            count: self.counts[0],
            width: widths[0],
            value: self.values[0],
            held_out: None,
        };
        if self.counts.len() * each <= 1 || folds < 2 {
            return Ok(first);
        }
        ctx.emit(Event::Phase { name: "cross-validation" });
        let fold = self::folds(self.members, self.target.classes().len(), (folds, ctx.seed));
        // Counts side by side and fold after fold, so that a stop leaves all settings judged by the same rows.
        let mut scores = vec![0.0; self.counts.len() * each];
        let mut total = 0.0;
        for f in 0..folds {
            let (kept, held) = self.split(&fold, f);
            let parts: Vec<Result<Vec<f64>>> =
                self.counts.par_iter().map(|&c| self.held_out(&kept, &held, c, &widths)).collect();
            let right = parts.into_iter().collect::<Result<Vec<_>>>()?.concat();
            let more: f64 = held.iter().map(|&i| self.weight(i)).sum();
            total += more;
            scores.iter_mut().zip(right).for_each(|(s, v)| *s += (v - *s * more) / total);
            let (iteration, objective) = (f + 1, scores[best(&scores)]);
            if ctx.emit(Event::Iteration { iteration, max_iter: folds, objective, changed: 0 }) {
                break;
            }
        }
        Ok(self.chosen(&scores, &widths, self.pick(&scores)))
    }

    /// The rows of each class that are kept for learning, and all that are held out as fold `f`.
    fn split(&self, fold: &[usize], f: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
        let part = |held: bool| -> Vec<Vec<usize>> {
            let some =
                |m: &Vec<usize>| m.iter().copied().filter(|&i| (fold[i] == f) == held).collect();
            self.members.iter().map(some).collect()
        };
        (part(false), part(true).concat())
    }

    /// As [`Tuning::run`] for summaries that are there already, by rows that took part in them: none are held out.
    pub fn run_on(&self, ready: &Ready) -> Result<Chosen> {
        let widths = self.widths();
        let held = self.members.concat();
        let total: f64 = held.iter().map(|&i| self.weight(i)).sum();
        let scores = self.right(ready, &held, &widths)?;
        let scores: Vec<f64> = scores.iter().map(|s| s / total).collect();
        let chosen = self.chosen(&scores, &widths, self.pick(&scores));
        Ok(Chosen { held_out: None, ..chosen })
    }

    fn widths(&self) -> Vec<(f64, bool)> {
        match self.kernel.ppk {
            Ppk::Lppk => vec![(1.0, true)],
            _ => self.gamma.grid(&WIDTHS),
        }
    }

    /// The place of the best settings.
    fn pick(&self, scores: &[f64]) -> usize {
        let rows = self.members.iter().map(Vec::len).sum::<usize>() as f64;
        match self.learner {
            Learner::Minimax { .. } => {
                careful(scores, |i| self.values[i % self.values.len()], rows)
            }
            Learner::Support => best(scores),
        }
    }

    fn chosen(&self, scores: &[f64], widths: &[(f64, bool)], at: usize) -> Chosen {
        let each = widths.len() * self.values.len();
        Chosen {
            count: self.counts[at / each],
            width: widths[at % each / self.values.len()],
            value: self.values[at % self.values.len()],
            held_out: Some(scores[at]),
        }
    }

    /// The weight of right answers on the rows `held` at each width and value, learnt from the rows `kept`.
    fn held_out(
        &self,
        kept: &[Vec<usize>],
        held: &[usize],
        count: usize,
        widths: &[(f64, bool)],
    ) -> Result<Vec<f64>> {
        let ready =
            Ready::new(self.quantise.run(self.rows, self.weights, kept, count), self.kernel)?;
        self.right(&ready, held, widths)
    }

    /// The weight of right answers on the rows `held` at each width and value.
    fn right(&self, ready: &Ready, held: &[usize], widths: &[(f64, bool)]) -> Result<Vec<f64>> {
        let duels = duels(self.target.k(), self.how);
        let logs = ready.product.logs(&Subset { rows: self.rows, index: held });
        let mut out = Vec::with_capacity(widths.len() * self.values.len());
        for &width in widths {
            let form = ready.form(width);
            for planes in ready.planes(form, self.learner, &self.values, &duels)? {
                let (coef, offsets) = table(&planes, ready.class_of.len());
                let values = ready.product.sums(form, &logs, &coef, &offsets);
                // Numbers out of range: these settings are not worth having.
                let labels = labels_of(&decide(values, &duels, self.target.k()));
                let labels = labels.unwrap_or_else(|_| vec![-1; held.len()]);
                out.push(hits(&labels, held, self.target.classes(), &|i| self.weight(i)));
            }
        }
        Ok(out)
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }
}

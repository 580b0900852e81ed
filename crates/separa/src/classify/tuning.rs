//! The choices of machines of summaries: their number, the width of the kernel, the learner's number.

use super::choices::Ppk;
use super::class_pairs::{class_pairs, decide};
use super::folds::{best, careful, folds, hits};
use super::machine::{blocks, bytes, table};
use super::plan::SummaryTraining;
use super::planes::PairBoundary;
use super::product::{Learner, Ready};
use super::summaries::Quantise;
use crate::context::{Ctx, MemoryBudget};
use crate::data::Target;
use crate::error::Result;
use crate::model::labels_of;
use crate::note::Remedy;
use crate::progress::Event;
use rayon::prelude::*;
use separa_math::gauss::Shape;
use separa_math::matrix::{Rows, Subset};

/// Multiples of the median width that are tried.
const WIDTHS: [f64; 5] = [0.25, 1.0, 0.0625, 4.0, 0.015625];
/// Pairs of a fold and a number of summaries that are judged side by side.
pub const AT_ONCE: usize = 8;

/// What there is to choose, and from what.
#[allow(missing_debug_implementations)]
pub struct Tuning<'a> {
    pub rows: &'a dyn Rows,
    pub weights: Option<&'a [f64]>,
    pub target: &'a Target,
    /// The rows of each class that count.
    pub members: &'a [Vec<usize>],
    pub quantise: Quantise<'a>,
    pub plan: &'a SummaryTraining,
    pub counts: Vec<usize>,
    pub room: Room,
}

/// What was chosen.
#[derive(Debug, Clone, Copy)]
pub struct TunedSummaries {
    pub count: usize,
    pub width: (f64, bool),
    pub value: f64,
    pub held_out: Option<f64>,
}

impl Tuning<'_> {
    /// The settings with the highest accuracy on rows held out. Earlier ones win ties.
    pub fn run(&self, ctx: &mut Ctx<'_>) -> Result<TunedSummaries> {
        let widths = self.widths();
        let each = widths.len() * self.plan.values.len();
        let smallest = self.members.iter().map(Vec::len).min().unwrap_or(0);
        let folds = self.plan.folds.min(smallest);
        let first = TunedSummaries {
            count: self.counts[0],
            width: widths[0],
            value: self.plan.values[0],
            held_out: None,
        };
        if self.counts.len() * each <= 1 || folds < 2 {
            return Ok(first);
        }
        ctx.emit(Event::Phase { name: "cross-validation" });
        let fold = self::folds(self.members, self.target.classes().len(), folds, ctx.seed);
        let mut scores = vec![0.0; self.counts.len() * each];
        let mut total = 0.0;
        // Some folds side by side, but counted one after the other, so that a stop leaves all settings judged
        // by the same rows.
        let all: Vec<usize> = (0..folds).collect();
        'waves: for wave in all.chunks(AT_ONCE.div_ceil(self.counts.len())) {
            for (f, right, more) in self.judge(&fold, wave, &widths)? {
                total += more;
                scores.iter_mut().zip(right).for_each(|(s, v)| *s += (v - *s * more) / total);
                let (iteration, objective) = (f + 1, scores[best(&scores)]);
                if ctx.emit(Event::Iteration { iteration, max_iter: folds, objective, changed: 0 })
                {
                    break 'waves;
                }
            }
        }
        Ok(self.chosen(&scores, &widths, self.pick(&scores)))
    }

    /// Every pair of a fold and a number of summaries in parallel: of each fold its number, the weight of rows
    /// labelled right at all settings, and the weight of its rows.
    fn judge(
        &self,
        fold: &[usize],
        wave: &[usize],
        widths: &[(f64, bool)],
    ) -> Result<Vec<(usize, Vec<f64>, f64)>> {
        let splits: Vec<_> = wave.iter().map(|&f| self.split(fold, f)).collect();
        let pairs: Vec<_> =
            splits.iter().flat_map(|s| self.counts.iter().map(move |&c| (s, c))).collect();
        let judged = |((kept, held), count): &(&(Vec<Vec<usize>>, Vec<usize>), usize)| {
            self.held_out(kept, held, *count, widths)
        };
        let found: Vec<Result<Vec<f64>>> = pairs.par_iter().map(judged).collect();
        let mut found = found.into_iter().collect::<Result<Vec<_>>>()?.into_iter();
        let of = |(&f, (_, held)): (&usize, &(Vec<Vec<usize>>, Vec<usize>))| {
            let right = found.by_ref().take(self.counts.len()).flatten().collect();
            (f, right, held.iter().map(|&i| self.weight(i)).sum())
        };
        Ok(wave.iter().zip(&splits).map(of).collect())
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

    fn widths(&self) -> Vec<(f64, bool)> {
        match self.plan.kernel.ppk {
            Ppk::Lppk => vec![(1.0, true)],
            _ => self.plan.gamma.grid(&WIDTHS),
        }
    }

    /// The place of the best settings.
    fn pick(&self, scores: &[f64]) -> usize {
        let rows = self.members.iter().map(Vec::len).sum::<usize>() as f64;
        match self.plan.learner {
            Learner::Minimax { .. } => {
                careful(scores, |i| self.plan.values[i % self.plan.values.len()], rows)
            }
            Learner::Support => best(scores),
        }
    }

    fn chosen(&self, scores: &[f64], widths: &[(f64, bool)], at: usize) -> TunedSummaries {
        let each = widths.len() * self.plan.values.len();
        TunedSummaries {
            count: self.counts[at / each],
            width: widths[at % each / self.plan.values.len()],
            value: self.plan.values[at % self.plan.values.len()],
            held_out: Some(scores[at]),
        }
    }

    /// The weight of rows classified right on the rows `held` at each width and value, learnt from the rows `kept`.
    fn held_out(
        &self,
        kept: &[Vec<usize>],
        held: &[usize],
        count: usize,
        widths: &[(f64, bool)],
    ) -> Result<Vec<f64>> {
        let summaries = self.quantise.run(self.rows, self.weights, kept, count);
        self.room.require(held.len(), summaries.cells.len())?;
        self.right(&Ready::new(summaries, self.plan.kernel)?, held, widths)
    }

    /// The weight of rows classified right on the rows `held` at each width and value.
    fn right(&self, ready: &Ready, held: &[usize], widths: &[(f64, bool)]) -> Result<Vec<f64>> {
        let pairs = class_pairs(self.target.k(), self.plan.how);
        let logs = ready.product.logs(&Subset { rows: self.rows, index: held });
        let at = |&(value, multiple): &(f64, bool)| -> Result<Vec<f64>> {
            let form = ready.form(value, multiple);
            let all = ready.planes(form, self.plan.learner, &self.plan.values, &pairs)?;
            let judged = |planes: &Vec<PairBoundary>| {
                let (coef, offsets) = table(planes, ready.class_of.len());
                let mut labels = Vec::with_capacity(held.len());
                for range in blocks(held.len(), pairs.len()) {
                    let n = range.len();
                    let values = ready.product.sums(form, &logs, range, &coef, &offsets);
                    // Numbers out of range: these settings are not worth having.
                    let found = labels_of(&decide(values, &pairs, self.target.k()));
                    labels.extend(found.unwrap_or_else(|_| vec![-1; n]));
                }
                hits(&labels, held, self.target.classes(), &|i| self.weight(i))
            };
            Ok(all.iter().map(judged).collect())
        };
        let found: Vec<Result<Vec<f64>>> = widths.par_iter().map(at).collect();
        Ok(found.into_iter().collect::<Result<Vec<_>>>()?.concat())
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }
}

/// Square tables of summaries that are alive at a time: kernels, their logarithms, axes, features and moments.
const KERNELS: u64 = 6;

/// What learning from summaries may take.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub method: &'static str,
    pub memory: MemoryBudget,
    pub shape: Shape,
    pub d: usize,
    /// How many boundaries there are.
    pub boundaries: usize,
    /// How many machines are learnt at a time.
    pub tasks: usize,
}

impl Room {
    /// Summaries beyond which even one machine by itself takes too much.
    pub fn most(&self) -> usize {
        let most = |budget: u64| (budget as f64 / (8.0 * KERNELS as f64)).sqrt() as usize + 1;
        self.memory.0.map_or(usize::MAX, most)
    }

    /// Refuses `m` summaries whose machines take too much, each with `rows` rows to judge it by.
    pub fn require(&self, rows: usize, m: usize) -> Result<()> {
        let packed = self.shape.len(self.d) as u64;
        let (n, wide) = (rows as u64, m as u64);
        // Logarithms of the kernels of rows and summaries; tables of summaries; the summaries as cells, as
        // Gaussians and with what compares them.
        let numbers = n * wide + KERNELS * wide * wide + 4 * wide * (self.d as u64 + packed);
        let needed = 8 * numbers + bytes(rows, self.boundaries, m);
        let fewer = Remedy::lower("summaries").or(Remedy::raise("threshold"));
        let remedy = fewer.or(Remedy::RaiseMemory);
        self.memory.require(self.method, self.tasks as u64 * needed, remedy)
    }
}

//! `logistic` and `mrmc` on rows that pass by: one pass per evaluation of the objective.
//!
//! A pass sums the entropy of the posteriors, their mean ȳ, the gradient of the first and the k gradients of the
//! second, so that the gradient of H(Y|X) + λ·R − β·H(ȳ) follows from the total whatever ȳ is. Rows are centred and
//! scaled as the first rule saw them, at its λ; L-BFGS goes on from its weights ([`AskedLbfgs`]).
//!
//! Cost      n·d·k² for the gradients of a pass; memory for k²·(d + 1) numbers.

use super::model::{LinearSpace, RowModel};
use super::posterior::{Link, normalise};
use super::settings::{Optimizer, RowParams};
use super::{Affine, entropy};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::params::Checked;
use crate::pass::{PassRule, Sums};
use crate::report::Stop;
use crate::scaled_model::ScaledModel;
use separa_math::matrix::{Dense, MatrixRef, Stored, gather, project};
use separa_math::optim::lbfgs::{AskedLbfgs, LbfgsOptions};
use separa_math::par;

/// All rows are searched ten times as exactly as a sample.
const EXACT: f64 = 0.1;

#[derive(Debug, Clone)]
struct EntropyPasses<L: Link> {
    p: RowParams<L>,
    /// The rule of the weights that are evaluated.
    model: ScaledModel<RowModel<L>>,
    space: LinearSpace,
    search: AskedLbfgs,
    trace: Vec<f64>,
    /// The search is over, and the rows of its rule are still to be counted.
    counts: Option<Stop>,
    ended: bool,
}

/// The weights of a model, or of passes under way; None for kernels, EM, one cluster, and models without what the
/// search saw.
pub(super) fn begin<L: Link>(
    p: &Checked<RowParams<L>>,
    tensors: &Tensors,
) -> Result<Option<Box<dyn PassRule>>> {
    let model = ScaledModel::load(tensors, RowModel::<L>::load)?;
    let Some(space) = model.space().cloned().filter(|_| p.optimizer == Optimizer::Gradient) else {
        return Ok(None);
    };
    // A tiny table keeps the rule of its sample.
    if !model.in_own_units() || model.n_clusters() < 2 {
        return Ok(None);
    }
    let options = options(p, model.n_clusters());
    let start = space.weights(&model.lines());
    let n_params = start.len();
    let mut passes = EntropyPasses {
        p: (**p).clone(),
        search: AskedLbfgs::new(start, options),
        model,
        space,
        trace: Vec::new(),
        counts: None,
        ended: false,
    };
    if tensors.contains("pass.search") {
        let wrong = || Error::Model("its state between passes has an impossible shape".into());
        let search = AskedLbfgs::from_numbers(&tensors.vector("pass.search")?, options);
        passes.search = search.filter(|s| s.best().0.len() == n_params).ok_or_else(wrong)?;
        passes.trace = tensors.vector("pass.trace")?;
        passes.counts = match tensors.integers("pass.counts")?[..] {
            [0] => None,
            [1] => Some(Stop::Converged),
            [2] => Some(Stop::MaxIter),
            _ => return Err(wrong()),
        };
    }
    Ok(Some(Box::new(passes)))
}

fn options<L: Link>(p: &RowParams<L>, k: usize) -> LbfgsOptions {
    let critical = L::STEEPNESS * L::STEEPNESS / (2.0 * k as f64);
    let tol = EXACT * p.tol * 4.0 * critical;
    LbfgsOptions { max_iter: p.max_iter, tol, ..LbfgsOptions::default() }
}

impl<L: Link> EntropyPasses<L> {
    /// The weights that are evaluated.
    fn w(&self) -> &[f64] {
        self.search.asks().filter(|_| self.counts.is_none()).unwrap_or(self.search.best().0)
    }

    fn k(&self) -> usize {
        self.model.n_clusters()
    }

    fn d(&self) -> usize {
        self.space.scaler.columns.len()
    }

    /// Loss, ȳ, and for the loss and all but one entry of ȳ the gradient: biases, then weights.
    fn numbers(&self) -> usize {
        1 + self.k() + self.k() * self.k() * (1 + self.d())
    }

    fn rule_of(&self, w: &[f64]) -> RowModel<L> {
        let none = Dense::zeros(0, self.d());
        let seen = Affine { rows: &none, scaler: &self.space.scaler, k: self.k() };
        let (weights, intercepts) = seen.rule(w);
        RowModel::new(None, &weights, &intercepts).with_space(self.space.clone())
    }

    /// Value and gradient of the objective from the sums of all rows.
    fn evaluate(&self, sums: &Sums) -> (f64, Vec<f64>) {
        let (k, d, n, w) = (self.k(), self.d(), sums.rows as f64, self.w());
        let (beta, reg) = (self.p.balance_weight, self.space.reg);
        let mean: Vec<f64> = sums.values[1..=k].iter().map(|v| v / n).collect();
        let slope = |y: usize| beta * (mean[y].max(f64::MIN_POSITIVE).ln() + 1.0);
        let mut grad: Vec<f64> = w.iter().map(|w| 2.0 * reg * w).collect();
        for (part, lines) in sums.values[1 + k..].chunks_exact(k * (1 + d)).enumerate() {
            // The entries of ȳ sum to 1: what the last gains the others lose.
            let weight = if part == 0 { 1.0 } else { slope(part - 1) - slope(k - 1) } / n;
            for (c, line) in lines.chunks_exact(1 + d).enumerate() {
                grad[k * d + c] += weight * line[0];
                let places = grad[c * d..(c + 1) * d].iter_mut().zip(&line[1..]);
                places.for_each(|(g, v)| *g += weight * v);
            }
        }
        let penalty = reg * w.iter().map(|w| w * w).sum::<f64>();
        (sums.values[0] / n + penalty - beta * entropy(&mean), grad)
    }

    /// Why the search is over, if it is.
    fn rests(&self) -> Option<Stop> {
        if self.search.asks().is_none() {
            let used_up = !self.search.converged() && self.search.iterations() >= self.p.max_iter;
            return Some(if used_up { Stop::MaxIter } else { Stop::Converged });
        }
        super::anneal::has_come_to_rest(&self.trace, EXACT * self.p.tol).then_some(Stop::Converged)
    }
}

impl<L: Link> PassRule for EntropyPasses<L> {
    fn sum(&self, block: MatrixRef<'_>) -> Result<Sums> {
        self.model.check_width(block)?;
        let scaled = self.model.scaler().map(|scaler| scaler.copy(block));
        let x = scaled.as_ref().map_or(block, Stored::matrix);
        let rule: &RowModel<L> = &self.model;
        let labels = rule.predict(x)?;
        let (k, d) = (self.k(), self.d());
        let rows = self.space.see(&x);
        let (weights, biases) = self.w().split_at(k * d);
        let weights = Dense::from_vec(k, d, weights.to_vec())?;
        let scores = project(&rows, weights.view(), biases);
        let posteriors = Posteriors::of::<L>(&scores);
        let mut values = posteriors.sums();
        for of in 0..k {
            let slopes = posteriors.slopes::<L>(&scores, of.checked_sub(1));
            let (sums, totals) = (gather(&rows, &slopes), column_sums(&slopes));
            for (c, total) in totals.iter().enumerate() {
                values.push(*total);
                values.extend(sums.row(c));
            }
        }
        Ok(Sums::of_labels(&labels, k, values))
    }

    fn step(&mut self, sums: &Sums) -> Result<Option<Stop>> {
        if self.counts.is_some() {
            self.ended = true;
            return Ok(self.counts);
        }
        let evaluated = self.w().to_vec();
        let (value, grad) = self.evaluate(sums);
        if self.search.tell(value, &grad) {
            self.trace.push(self.search.best().1);
        }
        if let Some(stop) = self.rests() {
            let best = self.search.best().0;
            self.ended = best == evaluated;
            self.counts = Some(stop);
            self.model = self.model.with(self.rule_of(best));
            return Ok(self.counts.filter(|_| self.ended));
        }
        self.model = self.model.with(self.rule_of(self.w()));
        Ok(None)
    }

    fn reorder(&mut self, order: &[usize]) {
        let mut rule = (*self.model).clone();
        rule.reorder(order);
        self.model = self.model.with(rule);
    }

    /// The lowest so far, whatever is being evaluated.
    fn model(&self) -> Box<dyn Model> {
        match self.ended {
            true => Box::new(self.model.clone()),
            false => Box::new(self.model.with(self.rule_of(self.search.best().0))),
        }
    }

    fn tensors(&self) -> Tensors {
        let mut out = self.model.tensors();
        out.put_vector("pass.search", &self.search.numbers());
        out.put_vector("pass.trace", &self.trace);
        let counts = match self.counts {
            None => 0,
            Some(Stop::MaxIter) => 2,
            Some(_) => 1,
        };
        out.put_integers("pass.counts", &[counts]);
        out
    }

    fn trace(&self) -> &[f64] {
        &self.trace
    }

    fn sum_bytes(&self) -> u64 {
        8 * self.numbers() as u64
    }

    fn boxed(&self) -> Box<dyn PassRule> {
        Box::new(self.clone())
    }
}

/// P and log P of every row, side by side.
struct Posteriors {
    k: usize,
    state: Dense,
}

impl Posteriors {
    fn of<L: Link>(scores: &Dense) -> Self {
        let k = scores.cols();
        let mut state = Dense::zeros(scores.rows(), 2 * k);
        par::fill_chunks(state.data_mut(), 2 * k, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(2 * k)) {
                let (p, log) = line.split_at_mut(k);
                L::potentials(scores.row(i), log);
                normalise(p, log);
            }
        });
        Self { k, state }
    }

    /// Σ H(p) and Σ p.
    fn sums(&self) -> Vec<f64> {
        let k = self.k;
        let map = |range: std::ops::Range<usize>| {
            let mut part = vec![0.0; 1 + k];
            for i in range {
                let (p, log) = self.state.row(i).split_at(k);
                part[0] -= p.iter().zip(log).map(|(p, l)| p * l).sum::<f64>();
                part[1..].iter_mut().zip(p).for_each(|(a, p)| *a += p);
            }
            part
        };
        let mut total = vec![0.0; 1 + k];
        par::fold_chunks(self.state.rows(), map, |part| {
            total.iter_mut().zip(part).for_each(|(a, b)| *a += b);
        });
        total
    }

    /// The gradient of every row's entropy in its scores, or of its probability of cluster `of`.
    fn slopes<L: Link>(&self, scores: &Dense, of: Option<usize>) -> Dense {
        let k = self.k;
        let mut out = Dense::zeros(scores.rows(), k);
        par::fill_chunks(out.data_mut(), k, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(k)) {
                let (p, log) = self.state.row(i).split_at(k);
                // −Σ p log p; a p of 0 has a finite log.
                let h: f64 = -p.iter().zip(log).map(|(p, l)| p * l).sum::<f64>();
                for c in 0..k {
                    line[c] = match of {
                        None => p[c] * (-log[c] - h),
                        Some(y) => p[c] * (f64::from(u8::from(c == y)) - p[y]),
                    };
                }
                L::pull(scores.row(i), line);
            }
        });
        out
    }
}

fn column_sums(a: &Dense) -> Vec<f64> {
    let map = |range: std::ops::Range<usize>| {
        let mut part = vec![0.0; a.cols()];
        range.for_each(|i| part.iter_mut().zip(a.row(i)).for_each(|(s, v)| *s += v));
        part
    };
    let mut total = vec![0.0; a.cols()];
    par::fold_chunks(a.rows(), map, |part| {
        total.iter_mut().zip(part).for_each(|(s, v)| *s += v);
    });
    total
}

#[cfg(test)]
mod tests {
    use super::super::posterior::Posterior;
    use super::super::{Against, Strengths, objective};
    use super::*;
    use crate::methods::{Hinge, Softmax};
    use separa_math::rng::Rng;
    use separa_math::scaling::Scaler;

    /// Sums of two blocks give what the posterior of the whole table gives in memory.
    fn sums_are_the_objective_of_memory<L: Link>(k: usize) {
        let (n, d) = (300, 3);
        let mut rng = Rng::new(k as u64, 5);
        let draw = |rng: &mut Rng, n: usize| (0..n).map(|_| rng.normal()).collect::<Vec<f64>>();
        let x = Dense::from_vec(n, d, draw(&mut rng, n * d)).unwrap();
        let scaler = Scaler::centred(&[0.3, -0.2, 5.0], &[0.5, 2.0, 0.0]);
        let space = LinearSpace { scaler: scaler.clone(), reg: 0.07 };
        let w = draw(&mut rng, k * (d + 1));
        let p = RowParams::<L> { n_clusters: k, balance_weight: 0.8, ..RowParams::default() };
        let none = Dense::zeros(0, d);
        let (weights, intercepts) = Affine { rows: &none, scaler: &scaler, k }.rule(&w);
        let model = RowModel::<L>::new(None, &weights, &intercepts).with_space(space.clone());
        let passes = EntropyPasses {
            search: AskedLbfgs::new(w.clone(), options(&p, k)),
            p,
            model: ScaledModel::plain(model),
            space,
            trace: Vec::new(),
            counts: None,
            ended: false,
        };
        let mut total = Sums::default();
        for part in x.data().chunks(100 * d) {
            let block = separa_math::matrix::DenseRef::new(part.len() / d, d, part).unwrap();
            total.add(&passes.sum(block.into()).unwrap()).unwrap();
        }
        let (value, grad) = passes.evaluate(&total);
        let shares = vec![1.0 / n as f64; n];
        let mut memory = Posterior::<L>::new(&x, &scaler, &shares, k);
        let (mut expected, strengths) =
            (vec![0.0; w.len()], Strengths { reg: 0.07, balance: 0.8, share: 1.0 });
        let known = objective(&mut memory, &w, strengths, Against::Themselves, &mut expected);
        assert!((value - known).abs() < 1e-13 * known.abs().max(1.0), "{value} {known}");
        for (g, e) in grad.iter().zip(&expected) {
            assert!((g - e).abs() < 1e-13, "{g} {e}");
        }
    }

    #[test]
    fn sums_of_blocks_are_the_objective_and_its_gradient() {
        for k in [2, 3, 5] {
            sums_are_the_objective_of_memory::<Softmax>(k);
            sums_are_the_objective_of_memory::<Hinge>(k);
        }
    }
}

//! The path: λ falls from just below its critical value, and w follows.
//!
//! Above the critical λ the point w = 0 is stable; below it clusters part along the directions of
//! largest variance first. Following the minimum while λ falls finds lower objectives than starting at
//! the last λ from anywhere. Two ways to take a step at one λ:
//!
//! - descent: L-BFGS on the objective itself.
//! - EM: keep Q ∝ P^(1/T) of the current posteriors, then lower the cross-entropy −Σ Q log P plus
//!   (1−T)·(λ·R − β·H(ȳ)), in turns. log Σ P^(1/T) = max over Q of ΣQ log P/T + H(Q), so every turn lowers
//!   H_{1/T}(Y|X) + λ·R − β·H(ȳ), with Rényi's entropy of order 1/T in the place of Shannon's. T → 1
//!   gives the paper's Algorithm 1, whose E-step only shrinks w; T = 0 is self-training.

use super::settings::{Optimizer, RowParams};
use super::{Against, Conditional, Strengths, objective};
use separa_math::optim::lbfgs::{self, LbfgsOptions};
use separa_math::rng::Rng;
use std::ops::ControlFlow;

/// λ of the first step as a fraction of the critical one, and from each step to the next.
const FIRST: f64 = 0.95;
const SHRINK: f64 = 0.6;
/// Iterations at most at a λ that is not the last.
const PASSING: usize = 30;
/// Iterations at most in one M-step: any descent will do.
const M_STEP: usize = 20;
/// A descent that gains less than a tenth of `tol` in this many iterations has come to rest: kinks of the
/// hinge keep the gradient from vanishing.
const LAST: usize = 10;
/// Standard deviation of w at the start, and of what is added at every λ, so that clusters that coincide
/// can part: too near to 0 the gradient is as small as at rest.
const START: f64 = 0.1;
const NOISE: f64 = 1e-2;

/// Where to go and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntropySearch {
    /// The λ at which w = 0 loses its stability.
    pub critical: f64,
    /// The last λ and β.
    pub strengths: Strengths,
    pub optimizer: Optimizer,
    /// T of EM.
    pub temperature: f64,
    pub max_iter: usize,
    /// Done where no entry of the gradient is larger than this times 4·critical (its scale at k clusters), or
    /// nothing is gained any more.
    pub tol: f64,
}

/// Where a search came to rest.
#[derive(Debug, Clone)]
pub(crate) struct EntropyMinimum {
    pub w: Vec<f64>,
    pub objective: f64,
    pub iterations: usize,
    pub converged: bool,
    /// The objective at the last λ: where it was begun, and after every iteration.
    pub trace: Vec<f64>,
}

/// Hears (iteration, objective); true stops the search.
pub(crate) type Watch<'a> = dyn FnMut(usize, f64) -> bool + 'a;

/// Follows the path from w near 0.
pub(crate) fn anneal(
    model: &mut dyn Conditional,
    search: &EntropySearch,
    rng: &mut Rng,
    watch: &mut Watch<'_>,
) -> EntropyMinimum {
    let mut w: Vec<f64> = (0..model.n_params()).map(|_| START * rng.normal()).collect();
    let (mut done, mut stopped) = (0, false);
    for reg in search.path() {
        w.iter_mut().for_each(|v| *v += NOISE * rng.normal());
        let strengths = Strengths { reg, ..search.strengths };
        let stage = EntropySearch {
            strengths,
            max_iter: search.max_iter.min(PASSING),
            tol: 10.0 * search.tol,
            ..*search
        };
        let found = stage.settle(model, w, done, &mut |i, value| {
            stopped = watch(i, value);
            stopped
        });
        (w, done) = (found.w, found.iterations);
        if stopped {
            // What was reached counts at the λ that was asked for.
            let objective = search.value(model, &w);
            return EntropyMinimum {
                w,
                objective,
                iterations: done,
                converged: false,
                trace: found.trace,
            };
        }
    }
    search.settle(model, w, done, watch)
}

/// Whether the last iterations of a descent gained nothing that counts; the trace begins at its start.
pub(super) fn has_come_to_rest(trace: &[f64], tol: f64) -> bool {
    let iterations = trace.len().saturating_sub(1);
    iterations > LAST && trace[iterations - LAST] - trace[iterations] < 0.1 * tol
}

impl EntropySearch {
    /// With λ as a fraction of the critical one.
    pub fn of<L>(s: &RowParams<L>, share: f64, critical: f64) -> Self {
        Self {
            critical,
            strengths: Strengths { reg: share * critical, balance: s.balance_weight, share: 1.0 },
            optimizer: s.optimizer,
            temperature: s.temperature,
            max_iter: s.max_iter,
            tol: s.tol,
        }
    }

    /// Every λ before the last.
    fn path(&self) -> impl Iterator<Item = f64> {
        let (first, last) = (FIRST * self.critical, self.strengths.reg);
        std::iter::successors(Some(first), |reg| Some(SHRINK * reg))
            .take_while(move |reg| *reg > last)
    }

    /// Comes to rest at the last λ from `w`; iterations count on from `done`.
    pub fn settle(
        &self,
        model: &mut dyn Conditional,
        w: Vec<f64>,
        done: usize,
        watch: &mut Watch<'_>,
    ) -> EntropyMinimum {
        match self.optimizer {
            Optimizer::Gradient => self.descend(model, w, done, watch),
            Optimizer::Em => self.turn(model, w, done, watch),
        }
    }

    fn descend(
        &self,
        model: &mut dyn Conditional,
        w: Vec<f64>,
        done: usize,
        watch: &mut Watch<'_>,
    ) -> EntropyMinimum {
        let tol = self.tol * 4.0 * self.critical;
        let options = LbfgsOptions { max_iter: self.max_iter, tol, ..LbfgsOptions::default() };
        let mut trace = Vec::new();
        let own = Against::Themselves;
        let found = lbfgs::minimise(
            |w, grad| objective(model, w, self.strengths, own, grad),
            w,
            &options,
            |at| {
                trace.push(at.value);
                if at.iterations == 0 {
                    return ControlFlow::Continue(());
                }
                let rests = has_come_to_rest(&trace, self.tol);
                match watch(done + at.iterations, at.value) || rests {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        // A search that finds no lower point before its iterations are used up has come to rest, too.
        let rest = found.converged || found.iterations < self.max_iter;
        EntropyMinimum {
            w: found.x,
            objective: found.value,
            iterations: done + found.iterations,
            converged: rest,
            trace,
        }
    }

    /// EM turns.
    fn turn(
        &self,
        model: &mut dyn Conditional,
        mut w: Vec<f64>,
        done: usize,
        watch: &mut Watch<'_>,
    ) -> EntropyMinimum {
        let mut trace = vec![self.expect(model, &w)];
        let (mut converged, mut iterations) = (false, done);
        let inner = Strengths { share: 1.0 - self.temperature, ..self.strengths };
        let options =
            LbfgsOptions { max_iter: M_STEP, tol: 0.1 * self.tol, ..LbfgsOptions::default() };
        for turn in 1..=self.max_iter {
            // M-step.
            let held = Against::Held;
            let f = |w: &[f64], grad: &mut [f64]| objective(model, w, inner, held, grad);
            let moved = lbfgs::minimise(f, w.clone(), &options, |_| ControlFlow::Continue(())).x;
            // E-step.
            let (value, last) = (self.expect(model, &moved), trace[trace.len() - 1]);
            iterations += 1;
            // At rest, rounding may lift the objective: the lower point stays.
            if value <= last {
                w = moved;
                trace.push(value);
            }
            if watch(done + turn, value.min(last)) {
                break;
            }
            // A change of the objective goes with the square of the gradient.
            if last - value <= 0.01 * self.tol {
                converged = true;
                break;
            }
        }
        EntropyMinimum { w, objective: trace[trace.len() - 1], iterations, converged, trace }
    }

    /// The E-step: keeps Q and returns H_{1/T}(Y|X) + λ·R − β·H(ȳ).
    fn expect(&self, model: &mut dyn Conditional, w: &[f64]) -> f64 {
        let renyi = model.hold(w, self.temperature);
        renyi - self.shannon_gap(model, w)
    }

    /// −λ·R + β·H(ȳ).
    fn shannon_gap(&self, model: &mut dyn Conditional, w: &[f64]) -> f64 {
        let mean = model.forward(w, Against::Themselves).mean;
        let penalty = model.penalty(w, self.strengths.reg, 1.0, &mut vec![0.0; w.len()]);
        self.strengths.balance * super::entropy(&mean) - penalty
    }

    /// The objective at w.
    pub fn value(&self, model: &mut dyn Conditional, w: &[f64]) -> f64 {
        match self.optimizer {
            Optimizer::Em => self.expect(model, w),
            Optimizer::Gradient => {
                let loss = model.forward(w, Against::Themselves).loss;
                loss - self.shannon_gap(model, w)
            }
        }
    }
}

//! The M-step: a support vector machine for given labels.
//!
//! Problem   min Σ wᵢ max(0, 1 − yᵢfᵢ) + λ‖w‖² (+ μB)  s.t.  |fᵢ| ≤ B where B is finite.
//! Given     labels, and the answer for labels of the iteration before.
//! Returns   f and its coefficients, to a relative duality gap.
//! See       Algorithm 2. It is a C-SVM with C = wᵢ/(2λ) for each row, its objective times 2λ.

use super::choices::OutputBound;
use super::params::Armc;
use crate::error::Result;
use separa_math::linalg::SymRows;
use separa_math::matrix::MatrixRef;
use separa_math::optim::svm_smo::{
    self, Dual, LinearOptions, LinearSvm, Start, SvmOptions, SvmSolution, solve_linear,
};

/// How pairs of rows are known.
#[derive(Clone, Copy)]
pub(super) enum HingeInput<'a> {
    Kernel(&'a dyn SymRows),
    /// By features: the kernel is their product.
    Features(MatrixRef<'a>),
}

/// All of the machine but its labels.
#[derive(Clone, Copy)]
pub(super) struct HingeProblem<'a> {
    pub params: &'a Armc,
    pub space: HingeInput<'a>,
    pub weights: &'a [f64],
    pub cache: usize,
    pub seed: u64,
}

/// What labels lead to.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub beta: Vec<f64>,
    /// Of features only.
    pub w: Vec<f64>,
    /// f less its bias.
    pub scores: Vec<f64>,
    pub b: f64,
    /// The objective, in the paper's scale.
    pub value: f64,
    /// The duality gap as a fraction of the objective.
    pub gap: f64,
    /// B, infinite where there is none.
    pub bound: f64,
    pub converged: bool,
    /// Where a free bound would fall below 1: the price at which it would not.
    pub price: Option<f64>,
}

impl Answer {
    pub fn f(&self) -> impl Iterator<Item = f64> + '_ {
        self.scores.iter().map(|s| s + self.b)
    }
}

/// The search of a free bound ends at this fraction of B.
const NEAR: f64 = 1e-4;

/// Steps of one machine at most, for so many rows: where boxes are so large that rounding decides, more of them lead
/// nowhere. A machine that is not done by then is told as such.
fn steps(rows: usize) -> usize {
    (50_000 + 3000 * rows).min(SvmOptions::default().max_steps)
}

impl HingeProblem<'_> {
    /// `side` says which rows are on the upper side; rows without weight have no say.
    pub fn solve(&self, side: &[bool], weights: &[f64], last: Option<&Answer>) -> Result<Answer> {
        let c: Vec<f64> = weights.iter().map(|w| w / (2.0 * self.params.reg)).collect();
        let dual = Dual::classes(side, &c)?;
        match self.params.bound {
            OutputBound::None => self.solve_bounded(&dual, f64::INFINITY, last),
            OutputBound::Value(b) => self.solve_bounded(&dual, b, last),
            OutputBound::Free => self.solve_free(&dual, last),
        }
    }

    fn solve_bounded(&self, dual: &Dual, bound: f64, last: Option<&Answer>) -> Result<Answer> {
        let dual = match bound.is_finite() {
            true => &dual.clone().bounded(bound)?,
            false => dual,
        };
        let gap = self.params.tol;
        let (solution, w) = match self.space {
            HingeInput::Kernel(kernel) => {
                let options = SvmOptions {
                    gap,
                    cache_bytes: self.cache,
                    max_steps: steps(kernel.size()),
                    ..SvmOptions::default()
                };
                let start = last.map(|l| Start { beta: &l.beta, scores: Some(&l.scores) });
                (svm_smo::solve(kernel, dual, start.as_ref(), &options)?, Vec::new())
            }
            HingeInput::Features(x) => {
                let options = LinearOptions { gap, seed: self.seed, ..LinearOptions::default() };
                let start = last.map(|l| (&l.beta[..], l.b));
                let LinearSvm { w, solution } = solve_linear(x, dual, start, &options)?;
                (solution, w)
            }
        };
        let SvmSolution { beta, scores, b, objective, gap, pressure, converged, .. } = solution;
        let primal = gap - objective;
        // The primal value is that of f brought into its bound, so that is the f to answer with.
        let top = scores.iter().fold(0.0, |top: f64, s| top.max((s + b).abs()));
        let scale = if top > bound { bound / top } else { 1.0 };
        let within = |v: Vec<f64>| v.into_iter().map(|v| scale * v).collect::<Vec<f64>>();
        let (beta, scores, w, b) = (within(beta), within(scores), within(w), scale * b);
        let scale = 2.0 * self.params.reg;
        let value = scale * primal;
        let gap = if primal > 0.0 { gap.max(0.0) / primal } else { 0.0 };
        let price = Some(scale * pressure);
        Ok(Answer { beta, w, scores, b, value, gap, bound, converged, price })
    }

    /// B where the pressure of its constraints is μ, from 1 to the largest |f| without it.
    fn solve_free(&self, dual: &Dual, last: Option<&Answer>) -> Result<Answer> {
        let mu = self.params.mu;
        let priced = |answer: Answer, price| Answer {
            value: answer.value + mu * answer.bound,
            price,
            ..answer
        };
        let loose = self.solve_bounded(dual, f64::INFINITY, last)?;
        let top = loose.f().fold(1.0, |top: f64, f| top.max(f.abs()));
        let tight = self.solve_bounded(dual, 1.0, Some(&loose))?;
        let most = tight.price.unwrap_or(0.0);
        if most < mu {
            return Ok(priced(tight, Some(most)));
        }
        let (mut low, mut high) = (1.0, top);
        let mut best = priced(tight, None);
        // The last iteration's bound is one to try: so the objective never rises.
        let mut next = last.map_or(0.5 * (low + high), |l| l.bound.clamp(low, high));
        while high - low > NEAR * high {
            let answer = self.solve_bounded(dual, next, Some(&best))?;
            if answer.price.unwrap_or(0.0) > mu {
                low = next
            } else {
                high = next
            }
            let answer = priced(answer, None);
            if answer.value < best.value {
                best = answer;
            }
            next = 0.5 * (low + high);
        }
        Ok(best)
    }
}

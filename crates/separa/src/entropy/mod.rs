//! Minimum conditional entropy: the framework that its methods plug a conditional model into.
//!
//! Problem   min over w of  H(Y|X) + λ·R(w) − β·H(ȳ), where H(Y|X) is the mean entropy of P(y|x; w), ȳ the
//!           mean of these posteriors and R the model's regulariser.
//! Given     a [`Conditional`]: a posterior with its entropy and gradient. One file a model.
//! Returns   a local minimum at the end of a path of falling λ ([`anneal`]).
//! See       Dai & Hu (2010), (2); the balance term −β·H(ȳ) is ours: without it one cluster for all rows
//!           is optimal. At β = 1 the first and the last term are minus the mutual information of
//!           label and row (Krause, Perona & Gomes, 2010).

mod affine;
mod anneal;
mod features;
mod initializations;
mod model;
mod passes;
mod posterior;
mod run;
mod settings;
mod variance;

pub(crate) use affine::Affine;
use anneal::anneal;
pub(crate) use anneal::{EntropyMinimum, EntropySearch};
pub(crate) use initializations::Scene;
pub use posterior::Link;
pub(crate) use posterior::{agree, one_hot, softmax};
pub(crate) use run::{Trial, check_init, report};
pub use settings::{Optimizer, Reg, RowParams};
pub(crate) use settings::{Settings, shared_by_entropy};
pub(crate) use variance::top_variance;

/// What the posteriors are measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Against {
    /// Themselves: the loss is the mean entropy H(Y|X).
    Themselves,
    /// What [`Conditional::hold`] kept: the loss is the mean cross-entropy −Σ Q log P.
    Held,
}

/// What a pass over the data found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Forward {
    pub loss: f64,
    /// The mean posterior ȳ of every cluster.
    pub mean: Vec<f64>,
}

/// P(y | x; w) of all data at once, w one flat vector. Rows need not be independent of one another:
/// a chain's posterior is one of whole sequences, with ȳ the mean of its marginals.
pub(crate) trait Conditional: Sync {
    fn n_params(&self) -> usize;
    fn n_clusters(&self) -> usize;

    /// The loss at w; keeps what [`Conditional::backward`] needs.
    fn forward(&mut self, w: &[f64], against: Against) -> Forward;

    /// Writes the gradient, at the w of the last pass, of loss + Σ_y cost_y·ȳ_y.
    fn backward(&mut self, w: &[f64], cost: &[f64], grad: &mut [f64]);

    /// share·λ·R(w); adds its gradient. λ says where on the path w is, the factor says nothing of that.
    fn penalty(&self, w: &[f64], reg: f64, share: f64, grad: &mut [f64]) -> f64;

    /// Keeps Q ∝ P(w)^(1/T) for [`Against::Held`]; T = 0 keeps the likeliest labels. Returns the mean
    /// Rényi entropy of order 1/T of P(w).
    fn hold(&mut self, w: &[f64], temperature: f64) -> f64;

    /// Keeps given labels for [`Against::Held`]; a row without one (−1) keeps all clusters alike.
    fn hold_labels(&mut self, labels: &[i32]);

    /// The fraction of the rows that the smallest cluster holds at w.
    fn smallest(&mut self, w: &[f64]) -> f64;
}

/// λ and β.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strengths {
    pub reg: f64,
    pub balance: f64,
    /// How much both count beside the loss: 1, and 1 − T in an M-step.
    pub share: f64,
}

/// loss + share·(λ·R(w) − β·H(ȳ)), with its gradient.
pub(crate) fn objective(
    model: &mut (impl Conditional + ?Sized),
    w: &[f64],
    Strengths { reg, balance, share }: Strengths,
    against: Against,
    grad: &mut [f64],
) -> f64 {
    let Forward { loss, mean } = model.forward(w, against);
    // d(β Σ ȳ log ȳ)/dȳ. A mean of 0 has all its posteriors at 0, and their derivatives too.
    let balance = share * balance;
    let slope = |y: &f64| balance * (y.max(f64::MIN_POSITIVE).ln() + 1.0);
    let cost: Vec<f64> = mean.iter().map(slope).collect();
    model.backward(w, &cost, grad);
    loss + model.penalty(w, reg, share, grad) - balance * entropy(&mean)
}

/// −Σ p log p, in nats.
pub(crate) fn entropy(p: &[f64]) -> f64 {
    -p.iter().filter(|p| **p > 0.0).map(|p| p * p.ln()).sum::<f64>()
}

#[cfg(test)]
mod tests;

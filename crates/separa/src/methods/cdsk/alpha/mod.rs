//! The weights α of the discriminative similarity (8), Sᵢⱼ = 2(αᵢ + αⱼ − λαᵢαⱼ)·Kᵢⱼ.
//!
//! Problem   min over α in the simplex of Q(α), (9″): see [`objective`].
//! Given     similarities K ≥ 0 with ones on the diagonal: without them α has no reason not to gather
//!           on a few rows that do not know each other, where αᵀKα, which keeps it apart, is zero.
//! Returns   α and the rows of the vectors Y that solve (11), for k-means.
//! Cost      exact: one eigenproblem a trial step, products with K only. paper: one eigenproblem and
//!           one quadratic programme an iteration, rows of K as well.
//! See       Yang & Li (2022), ICLR: equations (8)-(12), (9″), Algorithm 1.
//!
//! Where K is indefinite, K = K⁺ − K⁻ by its eigenvalues, (6) holds the weights apart by K⁺ + K⁻ = |K|:
//! Sᵢⱼ = 2(αᵢ + αⱼ)·Kᵢⱼ − 2λαᵢαⱼ·|K|ᵢⱼ, and λαᵀ|K|α in Q. That is `held`, None where it is K itself.
//!
//! [`learn_exact`] descends on Q itself and never raises it. [`learn_paper`] alternates between (11)
//! and (12) as printed. That is not a descent on Q, because (12) forgets YᵀDY = I; and with the
//! printed λ ≤ 2 the quadratic term is too weak to hold α apart: it collapses onto a few rows.

mod exact;
mod objective;
mod operator;
mod paper;
#[cfg(test)]
mod tests;

pub(crate) use exact::{Exact, learn_exact};
pub(crate) use paper::{Lambda, Paper, learn_paper};

use crate::report::Stop;
use separa_math::linalg::{SymOp, SymRows};
use separa_math::matrix::Dense;

/// The name in messages.
const METHOD: &str = "cdsk";

/// Above this weight of a single row α has collapsed.
const COLLAPSED: f64 = 0.5;

/// What k-means sees of Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Rows {
    /// Each row at length one: at uniform α the embedding of Ng, Jordan & Weiss.
    #[default]
    Unit,
    /// As they are, with YᵀDY = I.
    Plain,
}

/// Similarities that can be multiplied with and read by rows.
pub(crate) trait Similarities: SymOp + SymRows {}
impl<T: SymOp + SymRows> Similarities for T {}

/// Hears the iteration and its objective; true when the work should end now.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(usize, f64) -> bool;

#[derive(Debug, Clone)]
pub(crate) struct Learnt {
    pub alpha: Vec<f64>,
    pub lambda: f64,
    /// One row a row, one column a vector.
    pub embedding: Dense,
    /// Q at first and after each iteration.
    pub objective: Vec<f64>,
    pub iterations: usize,
    /// One row holds more than half of all weight.
    pub collapsed: bool,
    pub stop: Stop,
    /// False where an eigensolver ran out of products: the embedding is approximate.
    pub settled: bool,
}

impl Learnt {
    fn new(point: objective::Point, lambda: f64, rows: Rows, (objective, stop): Trace) -> Self {
        let (embedding, settled) = (point.embedding(rows), point.settled);
        let alpha = point.weights.alpha;
        Self {
            collapsed: alpha.len() > 1 && alpha.iter().any(|a| *a > COLLAPSED),
            alpha,
            lambda,
            embedding,
            iterations: objective.len() - 1,
            objective,
            stop,
            settled,
        }
    }

    /// 1/Σα²: how many rows of equal weight would be as spread. Few say as much as a collapse.
    pub fn effective_rows(&self) -> f64 {
        1.0 / self.alpha.iter().map(|a| a * a).sum::<f64>()
    }
}

/// The objectives and why they end.
type Trace = (Vec<f64>, Stop);

fn uniform(n: usize) -> Vec<f64> {
    vec![1.0 / n as f64; n]
}

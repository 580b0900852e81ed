//! The posterior of whole sequences: P(y|x) ∝ exp(Σₜ f(xₜ, yₜ) + Σₜ A[yₜ, yₜ₊₁]), f = W·z + b.

use crate::entropy::{Affine, Against, Conditional, Forward};
use separa_math::chain::{Beliefs, Chain, Scored, Sequences, best_path};
use separa_math::matrix::Dense;

/// How the penalty of transitions follows λ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stiffness {
    /// The λ of transitions at the end.
    pub last: f64,
    /// Transitions per λ of emissions on the way there.
    pub slope: f64,
    /// The λ of emissions at the end.
    pub reg: f64,
}

impl Stiffness {
    /// While λ falls, transitions wait for emissions to tell states apart: before, the surest chain
    /// would be one that never moves.
    fn at(&self, reg: f64) -> f64 {
        if reg > self.reg { self.last.max(self.slope * reg) } else { self.last }
    }
}

/// Parameters: the weights of every state, the biases, then the transitions row by row, where any row
/// that counts follows another.
#[allow(missing_debug_implementations)]
pub(super) struct ChainPosterior<'a> {
    affine: Affine<'a>,
    sequences: &'a Sequences,
    /// One a sequence; times their lengths they sum to 1.
    weights: &'a [f64],
    stiffness: Stiffness,
    /// Whether any row that counts follows another.
    moves: bool,
    against: Against,
    scores: Dense,
    beliefs: Beliefs,
    slopes: Dense,
    held: Option<Held>,
}

/// What posteriors are measured against: of every row, and of pairs summed with their weights.
struct Held {
    rows: Dense,
    pairs: Vec<f64>,
}

impl<'a> ChainPosterior<'a> {
    pub fn new(
        affine: Affine<'a>,
        sequences: &'a Sequences,
        weights: &'a [f64],
        stiffness: Stiffness,
    ) -> Self {
        let (n, k) = (sequences.rows(), affine.k);
        Self {
            affine,
            sequences,
            weights,
            stiffness,
            moves: sequences.ranges().iter().zip(weights).any(|(r, w)| r.len() > 1 && *w > 0.0),
            against: Against::Themselves,
            scores: Dense::zeros(n, k),
            beliefs: Beliefs::new(n, k),
            slopes: Dense::zeros(n, k),
            held: None,
        }
    }

    /// Bytes of the buffers.
    pub fn bytes(n: usize, k: usize) -> u64 {
        Beliefs::bytes(n, k) + 8 * 3 * (n * k) as u64
    }

    /// The transitions of w; none are zeros.
    pub fn transitions(&self, w: &[f64]) -> Vec<f64> {
        match &w[self.affine.n_params()..] {
            [] => vec![0.0; self.affine.k * self.affine.k],
            found => found.to_vec(),
        }
    }

    /// Scores and beliefs at w times `sharpness`; returns the pass with the chain.
    fn pass(&mut self, w: &[f64], sharpness: f64) -> (separa_math::chain::Forward, Chain) {
        self.affine.score(w, &mut self.scores);
        let mut transitions = self.transitions(w);
        if sharpness != 1.0 {
            let all = self.scores.data_mut().iter_mut().chain(&mut transitions);
            all.for_each(|v| *v *= sharpness);
        }
        let chain = Chain::new(self.affine.k, &transitions);
        let scored = Scored {
            chain: &chain,
            sequences: self.sequences,
            weights: Some(self.weights),
            emissions: self.scores.data(),
        };
        (self.beliefs.forward(&scored), chain)
    }

    fn scored<'b>(&'b self, chain: &'b Chain) -> Scored<'b> {
        Scored {
            chain,
            sequences: self.sequences,
            weights: Some(self.weights),
            emissions: self.scores.data(),
        }
    }

    /// Σ weight over pairs of neighbours of what `rows` says of each, taken for independent.
    fn hold_rows(&mut self, rows: Dense) {
        let k = self.affine.k;
        let mut pairs = vec![0.0; k * k];
        for (range, weight) in self.sequences.ranges().iter().zip(self.weights) {
            for t in range.clone().skip(1) {
                for (a, p) in rows.row(t - 1).iter().enumerate().filter(|(_, p)| **p > 0.0) {
                    let line = &mut pairs[a * k..(a + 1) * k];
                    line.iter_mut().zip(rows.row(t)).for_each(|(s, q)| *s += weight * p * q);
                }
            }
        }
        self.held = Some(Held { rows, pairs });
    }

    /// Σ weight·Σₜ score of what is held.
    fn held_score(&self, w: &[f64]) -> f64 {
        let held = self.held.as_ref().expect("held before it is asked for");
        let transitions = self.transitions(w);
        let mut total: f64 = held.pairs.iter().zip(&transitions).map(|(p, a)| p * a).sum();
        for (range, weight) in self.sequences.ranges().iter().zip(self.weights) {
            for t in range.clone() {
                let (q, e) = (held.rows.row(t), self.scores.row(t));
                total += weight * q.iter().zip(e).map(|(q, e)| q * e).sum::<f64>();
            }
        }
        total
    }
}

impl Conditional for ChainPosterior<'_> {
    fn n_params(&self) -> usize {
        let k = self.affine.k;
        self.affine.n_params() + if self.moves { k * k } else { 0 }
    }
    fn n_clusters(&self) -> usize {
        self.affine.k
    }

    fn forward(&mut self, w: &[f64], against: Against) -> Forward {
        self.against = against;
        let (found, _) = self.pass(w, 1.0);
        let loss = match against {
            Against::Themselves => found.entropy,
            Against::Held => found.log_z - self.held_score(w),
        };
        Forward { loss, mean: found.mass }
    }

    fn backward(&mut self, w: &[f64], cost: &[f64], grad: &mut [f64]) {
        let k = self.affine.k;
        let chain = Chain::new(k, &self.transitions(w));
        let mut slopes = std::mem::take(&mut self.slopes);
        let own = self.against == Against::Themselves;
        let scored = self.scored(&chain);
        let mut moved = self.beliefs.backward(&scored, own, cost, slopes.data_mut());
        if let (Against::Held, Some(held)) = (self.against, &self.held) {
            for (range, weight) in self.sequences.ranges().iter().zip(self.weights) {
                for t in range.clone() {
                    let (p, q) = (self.beliefs.marginal(t), held.rows.row(t));
                    for (y, slope) in slopes.row_mut(t).iter_mut().enumerate() {
                        *slope += weight * (p[y] - q[y]);
                    }
                }
            }
            let pairs = self.beliefs.pairs(&scored);
            let gaps = pairs.iter().zip(&held.pairs).map(|(p, q)| p - q);
            moved.iter_mut().zip(gaps).for_each(|(m, gap)| *m += gap);
        }
        let (emitted, rest) = grad.split_at_mut(self.affine.n_params());
        self.affine.gradient(&slopes, emitted);
        rest.iter_mut().zip(&moved).for_each(|(g, m)| *g = *m);
        self.slopes = slopes;
    }

    fn penalty(&self, w: &[f64], reg: f64, share: f64, grad: &mut [f64]) -> f64 {
        let own = self.affine.n_params();
        let stiff = self.stiffness.at(reg);
        let weight = |i: usize| share * if i < own { reg } else { stiff };
        grad.iter_mut().zip(w).enumerate().for_each(|(i, (g, w))| *g += 2.0 * weight(i) * w);
        w.iter().enumerate().map(|(i, w)| weight(i) * w * w).sum()
    }

    /// P^(1/T) of a chain is the chain of 1/T times its scores.
    fn hold(&mut self, w: &[f64], temperature: f64) -> f64 {
        let (n, k) = (self.sequences.rows(), self.affine.k);
        let (plain, chain) = self.pass(w, 1.0);
        if temperature == 0.0 {
            let path = best_path(&chain, self.sequences, self.scores.data());
            self.hold_labels(&path.iter().map(|s| *s as i32).collect::<Vec<_>>());
            return plain.log_z - self.held_score(w);
        }
        let order = 1.0 / temperature;
        let (sharp, chain) = self.pass(w, order);
        let mut rows = Dense::zeros(n, k);
        (0..n).for_each(|t| rows.row_mut(t).copy_from_slice(self.beliefs.marginal(t)));
        let pairs = self.beliefs.pairs(&self.scored(&chain));
        self.held = Some(Held { rows, pairs });
        (sharp.log_z - order * plain.log_z) / (1.0 - order)
    }

    fn hold_labels(&mut self, labels: &[i32]) {
        self.hold_rows(crate::entropy::one_hot(labels, self.affine.k));
    }

    fn smallest(&mut self, w: &[f64]) -> f64 {
        self.pass(w, 1.0);
        let mut held = vec![0.0; self.affine.k];
        for (range, weight) in self.sequences.ranges().iter().zip(self.weights) {
            for t in range.clone() {
                let p = self.beliefs.marginal(t);
                let top = (1..p.len()).fold(0, |best, y| if p[y] > p[best] { y } else { best });
                held[top] += weight;
            }
        }
        held.into_iter().fold(f64::INFINITY, f64::min)
    }
}

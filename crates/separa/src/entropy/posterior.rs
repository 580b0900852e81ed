//! Posteriors of independent rows: P(y|x) ∝ exp(u_y(f)), f the scores of [`Affine`].
//!
//! A method says how scores become log-potentials ([`Link`]): softmax for `logistic`, the hinge for
//! `mrmc`.

use super::{Affine, Against, Conditional, Forward};
use crate::error::Result;
use crate::model::labels_of;
use separa_math::matrix::{Dense, Rows};
use separa_math::par;
use separa_math::scaling::Scaler;
use std::marker::PhantomData;

/// Log-potentials u of the scores f of one row, one number a cluster.
pub trait Link: Clone + PartialEq + Send + Sync + std::fmt::Debug + 'static {
    /// The method as it is typed, its Python class, and one line about it.
    const NAME: &'static str;
    const CLASS: &'static str;
    const ABOUT: &'static str;
    /// How much larger the differences of u are than those of f near f = 0; at most, where that depends
    /// on the direction (the hinge of three clusters or more).
    const STEEPNESS: f64;
    fn potentials(f: &[f64], u: &mut [f64]);
    /// Turns ∂/∂u, in place, into ∂/∂f.
    fn pull(f: &[f64], slope: &mut [f64]);
}

/// The posteriors of a table. Parameters: the weights of every cluster, then the biases.
#[allow(missing_debug_implementations)]
pub(crate) struct Posterior<'a, L> {
    affine: Affine<'a>,
    rows: &'a dyn Rows,
    /// Fractions of the rows, summing to 1.
    shares: &'a [f64],
    k: usize,
    against: Against,
    scores: Dense,
    /// P and log P, side by side.
    state: Dense,
    held: Option<Dense>,
    slopes: Dense,
    link: PhantomData<L>,
}

impl<'a, L: Link> Posterior<'a, L> {
    pub fn new(rows: &'a dyn Rows, scaler: &'a Scaler, shares: &'a [f64], k: usize) -> Self {
        let n = rows.n_rows();
        Self {
            affine: Affine { rows, scaler, k },
            rows,
            shares,
            k,
            against: Against::Themselves,
            scores: Dense::zeros(n, k),
            state: Dense::zeros(n, 2 * k),
            held: None,
            slopes: Dense::zeros(n, k),
            link: PhantomData,
        }
    }

    /// Scores, P and log P at w.
    fn score(&mut self, w: &[f64]) {
        self.affine.score(w, &mut self.scores);
        let (k, scores) = (self.k, &self.scores);
        par::fill_chunks(self.state.data_mut(), 2 * k, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(2 * k)) {
                let (p, log) = line.split_at_mut(k);
                L::potentials(scores.row(i), log);
                normalise(p, log);
            }
        });
    }
}

/// Bytes of a posterior's buffers.
pub(super) fn bytes(n: u64, k: u64) -> u64 {
    8 * n * 5 * k
}

/// From log-potentials to P and log P.
pub(super) fn normalise(p: &mut [f64], log: &mut [f64]) {
    let top = log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut z = 0.0;
    for (p, u) in p.iter_mut().zip(log.iter()) {
        *p = (u - top).exp();
        z += *p;
    }
    let log_z = top + z.ln();
    p.iter_mut().for_each(|p| *p /= z);
    log.iter_mut().for_each(|u| *u -= log_z);
}

/// P(y) of one row's scores.
pub(crate) fn posterior_of<L: Link>(f: &[f64], p: &mut [f64]) {
    let mut log = vec![0.0; f.len()];
    L::potentials(f, &mut log);
    normalise(p, &mut log);
}

/// P ∝ exp(u) of one row.
pub(crate) fn softmax(u: &[f64], p: &mut [f64]) {
    normalise(p, &mut u.to_vec());
}

/// Lets the largest probability of every row be that of its label, where rounding made it a tie.
pub(crate) fn agree(decision: &Dense, proba: &mut Dense) -> Result<()> {
    let labels = labels_of(decision)?;
    let k = proba.cols();
    for (line, &label) in proba.data_mut().chunks_exact_mut(k).zip(&labels) {
        let largest = (1..k).fold(0, |best, c| if line[c] > line[best] { c } else { best });
        if largest != label as usize {
            line[label as usize] = line[largest].next_up();
        }
    }
    Ok(())
}

impl<L: Link> Conditional for Posterior<'_, L> {
    fn n_params(&self) -> usize {
        self.affine.n_params()
    }
    fn n_clusters(&self) -> usize {
        self.k
    }

    fn forward(&mut self, w: &[f64], against: Against) -> Forward {
        self.score(w);
        self.against = against;
        let (k, state, held) = (self.k, &self.state, &self.held);
        let map = |range: std::ops::Range<usize>| {
            let (mut loss, mut mean) = (0.0, vec![0.0; k]);
            for i in range.filter(|&i| self.shares[i] > 0.0) {
                let (p, log) = state.row(i).split_at(k);
                let q = match against {
                    Against::Themselves => p,
                    Against::Held => held.as_ref().expect("held before it is asked for").row(i),
                };
                let cross: f64 =
                    q.iter().zip(log).filter(|(q, _)| **q > 0.0).map(|(q, l)| q * l).sum();
                loss -= self.shares[i] * cross;
                mean.iter_mut().zip(p).for_each(|(m, p)| *m += self.shares[i] * p);
            }
            (loss, mean)
        };
        let mut found = Forward { loss: 0.0, mean: vec![0.0; k] };
        par::fold_chunks(self.rows.n_rows(), map, |(loss, mean)| {
            found.loss += loss;
            found.mean.iter_mut().zip(mean).for_each(|(a, b)| *a += b);
        });
        found
    }

    fn backward(&mut self, _: &[f64], cost: &[f64], grad: &mut [f64]) {
        let k = self.k;
        let (state, scores, held, against) = (&self.state, &self.scores, &self.held, self.against);
        let shares = self.shares;
        par::fill_chunks(self.slopes.data_mut(), k, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(k)) {
                let (p, log) = state.row(i).split_at(k);
                let paid: f64 = p.iter().zip(cost).map(|(p, c)| p * c).sum();
                match (against, held) {
                    (Against::Held, Some(q)) => {
                        for c in 0..k {
                            line[c] = p[c] - q.row(i)[c] + p[c] * (cost[c] - paid);
                        }
                    }
                    _ => {
                        // −Σ p log p; a p of 0 has a finite log.
                        let h: f64 = -p.iter().zip(log).map(|(p, l)| p * l).sum::<f64>();
                        for c in 0..k {
                            line[c] = p[c] * (cost[c] - paid - log[c] - h);
                        }
                    }
                }
                L::pull(scores.row(i), line);
                line.iter_mut().for_each(|v| *v *= shares[i]);
            }
        });
        self.affine.gradient(&self.slopes, grad);
    }

    /// λ·(Σ‖w_y‖² + Σ b_y²): the bias counts as a column of the largest variance.
    fn penalty(&self, w: &[f64], reg: f64, share: f64, grad: &mut [f64]) -> f64 {
        let reg = share * reg;
        grad.iter_mut().zip(w).for_each(|(g, w)| *g += 2.0 * reg * w);
        reg * w.iter().map(|w| w * w).sum::<f64>()
    }

    fn hold(&mut self, w: &[f64], temperature: f64) -> f64 {
        self.score(w);
        let (k, state) = (self.k, &self.state);
        let mut held = Dense::zeros(self.rows.n_rows(), k);
        par::fill_chunks(held.data_mut(), k, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(k)) {
                let log = &state.row(i)[k..];
                let top = (1..k).fold(0, |best, c| if log[c] > log[best] { c } else { best });
                match temperature > 0.0 {
                    true => line
                        .iter_mut()
                        .zip(log)
                        .for_each(|(q, l)| *q = ((l - log[top]) / temperature).exp()),
                    false => line[top] = 1.0,
                }
                let z: f64 = line.iter().sum();
                line.iter_mut().for_each(|q| *q /= z);
            }
        });
        let order = 1.0 / temperature;
        let map = |range: std::ops::Range<usize>| -> f64 {
            range.map(|i| self.shares[i] * renyi(&state.row(i)[k..], order)).sum()
        };
        let mut mean = 0.0;
        par::fold_chunks(self.rows.n_rows(), map, |part| mean += part);
        self.held = Some(held);
        mean
    }

    fn hold_labels(&mut self, labels: &[i32]) {
        self.held = Some(one_hot(labels, self.k));
    }

    fn smallest(&mut self, w: &[f64]) -> f64 {
        self.score(w);
        let mut held = vec![0.0; self.k];
        for i in 0..self.rows.n_rows() {
            let p = &self.state.row(i)[..self.k];
            let top = (1..self.k).fold(0, |best, c| if p[c] > p[best] { c } else { best });
            held[top] += self.shares[i];
        }
        held.into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// 1 for the given cluster of every row; a row without one (−1) has all clusters alike.
pub(crate) fn one_hot(labels: &[i32], k: usize) -> Dense {
    let mut held = Dense::zeros(labels.len(), k);
    for (line, &l) in held.data_mut().chunks_exact_mut(k).zip(labels) {
        match usize::try_from(l) {
            Ok(c) => line[c] = 1.0,
            Err(_) => line.fill(1.0 / k as f64),
        }
    }
    held
}

/// Rényi's entropy of order `order` > 1 (or infinite) of a row of log P.
fn renyi(log: &[f64], order: f64) -> f64 {
    let top = log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if order.is_infinite() {
        return -top;
    }
    let sum: f64 = log.iter().map(|l| (order * (l - top)).exp()).sum();
    (order * top + sum.ln()) / (1.0 - order)
}

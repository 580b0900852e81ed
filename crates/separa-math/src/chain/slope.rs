//! The gradient of H(y) + Σₜ c(yₜ), and that of log Z.
//!
//! With G(y) = Σₜ (c(yₜ) − eₜ(yₜ)) − Σₜ A(yₜ, yₜ₊₁), the derivative in the weight of any event is the
//! covariance of the event with G: H = log Z − E(score), and every derivative of an expectation is a
//! covariance with the score. G is a sum along the sequence, so its mean given a state of place t
//! falls into what lies before and after t: one sweep forwards, one backwards. Both parts are kept
//! centred, so that nothing grows with the length.

use super::Scored;
use super::beliefs::{Beliefs, ChainBeliefs};
use std::ops::Range;

impl Beliefs {
    /// After [`Beliefs::forward`] of the same scores: writes the gradient in the emissions, and returns
    /// that in the transitions. Without `entropy` it is the gradient of Σₜ c(yₜ) alone.
    pub fn backward(
        &self,
        scored: &Scored<'_>,
        entropy: bool,
        cost: &[f64],
        slope: &mut [f64],
    ) -> Vec<f64> {
        let own = if entropy { 1.0 } else { 0.0 };
        let k = self.k;
        let sequences = scored.sequences;
        let parts = sequences.map(slope, k, |group, slope| {
            let mut sum = vec![0.0; k * k];
            let mut scratch = vec![0.0; 3 * k];
            let first = sequences.ranges[group.start].start;
            for s in group {
                let rows = sequences.ranges[s].clone();
                let slope = &mut slope[(rows.start - first) * k..(rows.end - first) * k];
                let sweep = Sweep { scored, beliefs: self, own, cost, rows };
                sweep.before(slope);
                sweep.after(scored.weight(s), slope, &mut scratch, &mut sum);
            }
            sum
        });
        folded(k * k, &parts)
    }

    /// Σₜ P(yₜ = a, yₜ₊₁ = b) for every pair of states: the gradient of log Z in the transitions, as the
    /// marginals are in the emissions.
    pub fn pairs(&self, scored: &Scored<'_>) -> Vec<f64> {
        let (k, sequences) = (self.k, scored.sequences);
        let parts = sequences.map(&mut [0u8; 0], 0, |group, _| {
            let mut sum = vec![0.0; k * k];
            for s in group {
                for t in sequences.ranges[s].clone().skip(1) {
                    let (here, next) = (self.place(t - 1), self.place(t));
                    for a in 0..k {
                        let share = scored.weight(s) * here.marginal[a] * here.norm[a];
                        let weight = &scored.chain.weight[a * k..][..k];
                        for b in 0..k {
                            sum[a * k + b] += share * weight[b] * next.ahead[b];
                        }
                    }
                }
            }
            sum
        });
        folded(k * k, &parts)
    }
}

/// The sum of the parts, in their order.
fn folded(length: usize, parts: &[Vec<f64>]) -> Vec<f64> {
    let mut total = vec![0.0; length];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(t, p)| *t += p);
    }
    total
}

/// One sequence.
struct Sweep<'a> {
    scored: &'a Scored<'a>,
    beliefs: &'a Beliefs,
    /// 1, or 0 where G leaves the scores out.
    own: f64,
    cost: &'a [f64],
    rows: Range<usize>,
}

impl<'a> Sweep<'a> {
    fn place(&self, t: usize) -> ChainBeliefs<'a> {
        self.beliefs.place(self.rows.start + t)
    }

    /// c − eₜ, what place t adds to G.
    fn gain(&self, t: usize, state: usize) -> f64 {
        let emission = self.scored.emissions[(self.rows.start + t) * self.beliefs.k + state];
        self.cost[state] - self.own * emission
    }

    /// out(t, y) = E[1{yₜ = y}·(G up to t, less its mean)].
    fn before(&self, out: &mut [f64]) {
        let (k, chain) = (self.beliefs.k, self.scored.chain);
        let first = self.place(0);
        (0..k).for_each(|a| out[a] = first.marginal[a] * self.gain(0, a));
        centre(&mut out[..k], first.marginal);
        for t in 1..self.rows.len() {
            let (here, next) = (self.place(t - 1), self.place(t));
            let (past, rest) = out[(t - 1) * k..].split_at_mut(k);
            let now = &mut rest[..k];
            now.fill(0.0);
            for a in 0..k {
                let (part, share) = (past[a] * here.norm[a], here.marginal[a] * here.norm[a]);
                let weight = &chain.weight[a * k..][..k];
                let product = &chain.product[a * k..][..k];
                for b in 0..k {
                    now[b] += part * weight[b] - share * self.own * product[b];
                }
            }
            for b in 0..k {
                now[b] = now[b] * next.ahead[b] + next.marginal[b] * self.gain(t, b);
            }
            centre(now, next.marginal);
        }
    }

    /// Adds what lies after every place; `sum` collects the transitions.
    fn after(&self, weight: f64, out: &mut [f64], scratch: &mut [f64], sum: &mut [f64]) {
        let (k, chain) = (self.beliefs.k, self.scored.chain);
        let (mean, rest) = scratch.split_at_mut(k);
        let (gain, given) = rest.split_at_mut(k);
        // mean(y) = E[G after t | yₜ = y], less its mean.
        mean.fill(0.0);
        for t in (0..self.rows.len()).rev() {
            let here = self.place(t);
            let line = &mut out[t * k..(t + 1) * k];
            if t + 1 < self.rows.len() {
                let next = self.place(t + 1);
                (0..k).for_each(|b| gain[b] = mean[b] + self.gain(t + 1, b));
                let mut middle = 0.0;
                for a in 0..k {
                    let weight = &chain.weight[a * k..][..k];
                    let product = &chain.product[a * k..][..k];
                    let mut total = 0.0;
                    for b in 0..k {
                        total += (weight[b] * gain[b] - self.own * product[b]) * next.ahead[b];
                    }
                    given[a] = total * here.norm[a];
                    middle += here.marginal[a] * given[a];
                }
                (0..k).for_each(|a| mean[a] = given[a] - middle);
                for a in 0..k {
                    let chance = weight * here.norm[a];
                    let (past, p) = (line[a] - here.marginal[a] * middle, here.marginal[a]);
                    let (m, log) = (&chain.weight[a * k..][..k], &chain.log[a * k..][..k]);
                    for b in 0..k {
                        let event = past + p * (gain[b] - self.own * log[b]);
                        sum[a * k + b] += chance * m[b] * next.ahead[b] * event;
                    }
                }
            }
            for a in 0..k {
                line[a] = weight * (line[a] + here.marginal[a] * mean[a]);
            }
        }
    }
}

/// Takes the mean out of E[1{y}·value].
fn centre(values: &mut [f64], marginal: &[f64]) {
    let total: f64 = values.iter().sum();
    values.iter_mut().zip(marginal).for_each(|(v, p)| *v -= p * total);
}

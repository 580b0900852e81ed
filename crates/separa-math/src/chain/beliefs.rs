//! One pass over the sequences: messages backwards, marginals and entropies forwards.

use super::{Chain, Scored};

/// Numbers kept for each state of each place.
const KEPT: usize = 5;

/// What a pass leaves behind for the gradient.
#[derive(Debug, Clone)]
pub struct Beliefs {
    pub(super) k: usize,
    /// A [`ChainBeliefs`] a row.
    data: Vec<f64>,
}

/// Sums over sequences, each with its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Forward {
    /// Σ log Z.
    pub log_z: f64,
    /// Σ H(y) of whole sequences.
    pub entropy: f64,
    /// Σₜ P(yₜ = state) for each state.
    pub mass: Vec<f64>,
}

/// What is known of one place, a number a state each.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChainBeliefs<'a> {
    /// P(yₜ).
    pub marginal: &'a [f64],
    /// eₜ and the message to t, shifted so that the largest is 0, as exponentials; their logarithms
    /// stand before them.
    pub ahead: &'a [f64],
    /// The message to t, Σ over the next state of M·ahead: its logarithm and inverse.
    pub log_norm: &'a [f64],
    pub norm: &'a [f64],
}

fn place(k: usize, data: &[f64], t: usize) -> ChainBeliefs<'_> {
    let kept = &data[t * KEPT * k..(t + 1) * KEPT * k];
    let part = |i: usize| &kept[i * k..(i + 1) * k];
    ChainBeliefs { marginal: part(0), ahead: part(2), log_norm: part(3), norm: part(4) }
}

impl Beliefs {
    /// Room for rows of `k` states.
    pub fn new(rows: usize, k: usize) -> Self {
        Self { k, data: vec![0.0; rows * k * KEPT] }
    }

    /// Bytes of [`Beliefs::new`].
    pub fn bytes(rows: usize, k: usize) -> u64 {
        8 * (rows * k * KEPT) as u64
    }

    /// Runs over all sequences.
    pub fn forward(&mut self, scored: &Scored<'_>) -> Forward {
        let k = self.k;
        let Scored { chain, sequences, emissions, .. } = scored;
        let parts = sequences.map(&mut self.data, k * KEPT, |group, data| {
            let mut sum = Forward { log_z: 0.0, entropy: 0.0, mass: vec![0.0; k] };
            let first = sequences.ranges[group.start].start;
            for s in group {
                let rows = sequences.ranges[s].clone();
                let kept = (rows.start - first) * k * KEPT..(rows.end - first) * k * KEPT;
                let data = &mut data[kept];
                let log_z = messages(chain, &emissions[rows.start * k..rows.end * k], data);
                let entropy = marginals(chain, data);
                let weight = scored.weight(s);
                sum.log_z += weight * log_z;
                sum.entropy += weight * entropy;
                for kept in data.chunks_exact(k * KEPT) {
                    sum.mass.iter_mut().zip(kept).for_each(|(m, p)| *m += weight * p);
                }
            }
            sum
        });
        let mut total = Forward { log_z: 0.0, entropy: 0.0, mass: vec![0.0; k] };
        for part in parts {
            total.log_z += part.log_z;
            total.entropy += part.entropy;
            total.mass.iter_mut().zip(&part.mass).for_each(|(m, p)| *m += p);
        }
        total
    }

    /// P(yₜ) of a row.
    pub fn marginal(&self, row: usize) -> &[f64] {
        self.place(row).marginal
    }

    pub(super) fn place(&self, row: usize) -> ChainBeliefs<'_> {
        place(self.k, &self.data, row)
    }
}

/// Messages from the end of one sequence to its beginning; returns log Z.
fn messages(chain: &Chain, emissions: &[f64], data: &mut [f64]) -> f64 {
    let k = chain.k;
    let mut log_z = 0.0;
    let mut next: Option<&mut [f64]> = None;
    for (kept, e) in data.chunks_exact_mut(k * KEPT).zip(emissions.chunks_exact(k)).rev() {
        let (beliefs, norms) = kept.split_at_mut(3 * k);
        let (log_norm, norm) = norms.split_at_mut(k);
        match &next {
            Some(next) => {
                log_z += chain.top;
                let ahead = &next[2 * k..3 * k];
                for (a, line) in chain.weight.chunks_exact(k).enumerate() {
                    let sum: f64 = line.iter().zip(ahead).map(|(m, u)| m * u).sum();
                    (log_norm[a], norm[a]) = (sum.ln(), 1.0 / sum);
                }
            }
            None => {
                log_norm.fill(0.0);
                norm.fill(1.0);
            }
        }
        let (log_ahead, ahead) = beliefs[k..].split_at_mut(k);
        let mut top = f64::NEG_INFINITY;
        for a in 0..k {
            log_ahead[a] = e[a] + log_norm[a];
            // Written so that what is not a number stays one.
            top = if log_ahead[a] <= top { top } else { log_ahead[a] };
        }
        log_z += top;
        for a in 0..k {
            log_ahead[a] -= top;
            ahead[a] = log_ahead[a].exp();
        }
        next = Some(kept);
    }
    log_z + next.map_or(0.0, |first| first[2 * k..3 * k].iter().sum::<f64>().ln())
}

/// The marginals of one sequence, as of a Markov chain that begins with the first place; returns its
/// entropy, which is that of the beginning and of every step.
fn marginals(chain: &Chain, data: &mut [f64]) -> f64 {
    let k = chain.k;
    let (first, mut rest) = data.split_at_mut(k * KEPT);
    let (now, known) = first.split_at_mut(k);
    let (log_ahead, ahead) = (&known[..k], &known[k..2 * k]);
    let total: f64 = ahead.iter().sum();
    let mut entropy = 0.0;
    for a in 0..k {
        now[a] = ahead[a] / total;
        entropy += now[a] * (total.ln() - log_ahead[a]);
    }
    let mut here: &[f64] = first;
    while !rest.is_empty() {
        let (next, after) = rest.split_at_mut(k * KEPT);
        entropy += step(chain, here, next);
        (here, rest) = (next, after);
    }
    entropy
}

/// P(yₜ₊₁) from P(yₜ); returns H(yₜ₊₁ | yₜ).
#[inline(always)]
fn step(chain: &Chain, here: &[f64], next: &mut [f64]) -> f64 {
    let k = chain.k;
    let here = place(k, here, 0);
    let (now, known) = next.split_at_mut(k);
    let (log_ahead, ahead) = (&known[..k], &known[k..2 * k]);
    // Of −log P(b | a) = log norm(a) − log A(a, b) − log ahead(b), the mean.
    let mut entropy = 0.0;
    now.fill(0.0);
    let mut between = 0.0;
    for a in 0..k {
        let share = here.marginal[a] * here.norm[a];
        entropy += here.marginal[a] * here.log_norm[a];
        let (weight, product) = (&chain.weight[a * k..][..k], &chain.product[a * k..][..k]);
        for b in 0..k {
            now[b] += share * weight[b];
            between += share * product[b] * ahead[b];
        }
    }
    let mut total = 0.0;
    for b in 0..k {
        now[b] *= ahead[b];
        total += now[b];
    }
    // Rounding would add up along the sequence.
    for b in 0..k {
        now[b] /= total;
        entropy -= now[b] * log_ahead[b];
    }
    entropy - between
}

//! The most probable path of every sequence.

use super::{Chain, Sequences};

/// Viterbi's algorithm: the states of every row, the first of equals. `emissions` are k numbers a row.
pub fn best_path(chain: &Chain, sequences: &Sequences, emissions: &[f64]) -> Vec<u32> {
    let k = chain.k;
    let mut states = vec![0; sequences.rows()];
    sequences.map(&mut states, 1, |group, states| {
        let first = sequences.ranges[group.start].start;
        let mut scores = vec![0.0; 2 * k];
        let mut back = Vec::new();
        for s in group {
            let rows = sequences.ranges[s].clone();
            let e = &emissions[rows.start * k..rows.end * k];
            path(chain, e, &mut scores, &mut back, &mut states[rows.start - first..][..rows.len()]);
        }
    });
    states
}

/// One sequence: `back` notes from where the best path to each state comes.
fn path(
    chain: &Chain,
    emissions: &[f64],
    scores: &mut [f64],
    back: &mut Vec<u32>,
    out: &mut [u32],
) {
    let k = chain.k;
    let (mut now, mut next) = scores.split_at_mut(k);
    now.copy_from_slice(&emissions[..k]);
    back.clear();
    for e in emissions.chunks_exact(k).skip(1) {
        for b in 0..k {
            let score = |a: usize| now[a] + chain.log[a * k + b];
            let from = first_largest(k, score);
            next[b] = score(from) + e[b];
            back.push(from as u32);
        }
        // Sums would lose their digits along the sequence.
        let top = next.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        next.iter_mut().for_each(|v| *v -= top);
        std::mem::swap(&mut now, &mut next);
    }
    let last = out.len() - 1;
    out[last] = first_largest(k, |a| now[a]) as u32;
    for t in (0..last).rev() {
        out[t] = back[t * k + out[t + 1] as usize];
    }
}

fn first_largest(k: usize, score: impl Fn(usize) -> f64) -> usize {
    (1..k).fold(0, |best, a| if score(a) > score(best) { a } else { best })
}

//! Which function is the largest, and biases that leave every cluster its rows.

use crate::methods::armc::iterations::upper;
use crate::methods::armc::machine::Answer;

/// Turns over all biases at most.
const TURNS: usize = 50;

/// The function that is the largest for row i, the first of equals.
pub(super) fn largest(scores: &[&[f64]], biases: &[f64], i: usize) -> usize {
    let value = |c: usize| scores[c][i] + biases[c];
    (1..biases.len()).fold(0, |best, c| if value(c) > value(best) { c } else { best })
}

/// What the rows weigh for which each function is the largest.
pub(super) fn sizes(scores: &[&[f64]], biases: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; biases.len()];
    weights.iter().enumerate().for_each(|(i, w)| out[largest(scores, biases, i)] += w);
    out
}

/// The biases of the machines; where they leave a cluster without a row, those that give every cluster
/// the weight of its labels, one after the other against all others until none moves.
pub(super) fn biases(answers: &[Answer], weights: &[f64], labels: &[u32]) -> (Vec<f64>, bool) {
    let scores: Vec<&[f64]> = answers.iter().map(|a| &a.scores[..]).collect();
    let own: Vec<f64> = answers.iter().map(|a| a.b).collect();
    if sizes(&scores, &own, weights).iter().all(|s| *s > 0.0) {
        return (own, false);
    }
    let (k, n) = (own.len(), labels.len());
    let mut wanted = vec![0.0; k];
    labels.iter().zip(weights).for_each(|(l, w)| wanted[*l as usize] += w);
    let mut moved = own;
    for _ in 0..TURNS {
        let before = moved.clone();
        for c in 0..k {
            // By how much f less its bias is above the best of the others: the cluster gets the most.
            let lead = |i: usize| {
                let others = (0..k).filter(|o| *o != c).map(|o| scores[o][i] + moved[o]);
                scores[c][i] - others.fold(f64::NEG_INFINITY, f64::max)
            };
            let lead: Vec<f64> = (0..n).map(lead).collect();
            let inside = upper(&lead, weights, wanted[c]);
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for (lead, inside) in lead.iter().zip(&inside) {
                if *inside {
                    least = least.min(*lead);
                } else {
                    most = most.max(*lead);
                }
            }
            moved[c] = -0.5 * (least + most);
        }
        if moved == before {
            break;
        }
    }
    (moved, true)
}

//! The discriminative principle as a judge: do the clusters of a similarity vote for themselves?

use separa_math::matrix::Dense;

/// I(label; vote) / log k: how much the vote of the other rows tells about a row's label, from 0 to
/// 1. Votes of nothing count as a cluster of their own.
pub(super) fn self_information(labels: &[i32], votes: &Dense, weights: &[f64]) -> f64 {
    let k = votes.cols();
    if k < 2 {
        return 0.0;
    }
    let mut table = Dense::zeros(k, k + 1);
    for (i, &l) in labels.iter().enumerate() {
        table[(l as usize, winner(votes.row(i)).unwrap_or(k))] += weights[i];
    }
    let total: f64 = table.data().iter().sum();
    let of_label: Vec<f64> = (0..k).map(|l| table.row(l).iter().sum()).collect();
    let of_vote: Vec<f64> = (0..=k).map(|v| table.column(v).iter().sum()).collect();
    let mut sum = 0.0;
    for l in 0..k {
        for v in 0..=k {
            let joint = table[(l, v)];
            if joint > 0.0 {
                sum += joint / total * (joint * total / (of_label[l] * of_vote[v])).ln();
            }
        }
    }
    sum / (k as f64).ln()
}

/// The first of the largest, where one is positive.
fn winner(line: &[f64]) -> Option<usize> {
    let best = (1..line.len()).fold(0, |best, c| if line[c] > line[best] { c } else { best });
    (line[best] > 0.0).then_some(best)
}

/// Rows that are listed for each cluster at most.
const TYPICAL: usize = 5;

/// The rows of each cluster that the others of it vote for most, α weighing both sides.
pub(super) fn typical(labels: &[i32], votes: &Dense, alpha: &[f64]) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); votes.cols()];
    for (i, &l) in labels.iter().enumerate() {
        out[l as usize].push(i);
    }
    let score = |i: usize| votes[(i, labels[i] as usize)] * alpha[i];
    for list in &mut out {
        list.sort_by(|&i, &j| score(j).total_cmp(&score(i)).then(i.cmp(&j)));
        list.truncate(TYPICAL);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_vote_tells_all_and_a_constant_one_nothing() {
        let labels = [0, 0, 1, 1, 2, 2];
        let vote = |f: &dyn Fn(usize) -> usize| {
            let mut votes = Dense::zeros(6, 3);
            (0..6).for_each(|i| votes[(i, f(i))] = 1.0);
            self_information(&labels, &votes, &[1.0; 6])
        };
        assert!((vote(&|i| i / 2) - 1.0).abs() < 1e-15);
        assert!((vote(&|i| (i / 2 + 1) % 3) - 1.0).abs() < 1e-15);
        assert!(vote(&|_| 1).abs() < 1e-15);
        assert!(self_information(&labels, &Dense::zeros(6, 3), &[1.0; 6]).abs() < 1e-15);
        assert_eq!(self_information(&[0], &Dense::zeros(1, 1), &[1.0]), 0.0);
    }

    #[test]
    fn typical_rows_have_the_largest_votes_of_their_own_cluster() {
        let mut votes = Dense::zeros(4, 2);
        for (i, c, v) in [(0, 0, 0.2), (1, 0, 0.9), (2, 1, 0.1), (3, 0, 0.5)] {
            votes[(i, c)] = v;
        }
        let found = typical(&[0, 0, 1, 0], &votes, &[1.0; 4]);
        assert_eq!(found, [vec![1, 3, 0], vec![2]]);
    }
}

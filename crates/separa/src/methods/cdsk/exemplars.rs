//! The rows that stand for a cluster.

use separa_math::matrix::Dense;

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
    fn exemplars_have_the_largest_votes_of_their_own_cluster() {
        let mut votes = Dense::zeros(4, 2);
        for (i, c, v) in [(0, 0, 0.2), (1, 0, 0.9), (2, 1, 0.1), (3, 0, 0.5)] {
            votes[(i, c)] = v;
        }
        let found = typical(&[0, 0, 1, 0], &votes, &[1.0; 4]);
        assert_eq!(found, [vec![1, 3, 0], vec![2]]);
    }
}

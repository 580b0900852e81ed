//! Margins: the score of a row's cluster minus that of the runner-up.

use crate::model::Labels;
use separa_math::matrix::Dense;

/// Of every row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Margins {
    pub margin: Vec<f64>,
    pub runner_up: Labels,
}

impl Margins {
    /// Of decision values of two clusters or more, and the labels they led to; of an outlier whatever cluster 0 has.
    pub fn of(decision: &Dense, labels: &[i32]) -> Self {
        let each = labels.iter().enumerate();
        let (margin, runner_up) = each
            .map(|(i, &label)| {
                let (margin, second) = margin(&scores(decision.row(i)), label.max(0) as usize);
                (margin, second as i32)
            })
            .unzip();
        Self { margin, runner_up }
    }
}

/// One score per cluster; two clusters have their difference.
pub(super) fn scores(decision: &[f64]) -> Vec<f64> {
    match decision {
        [difference] => vec![-0.5 * difference, 0.5 * difference],
        all => all.to_vec(),
    }
}

/// The lead of a cluster over the best of the others, and which that is (the first of equals).
pub(super) fn margin(scores: &[f64], label: usize) -> (f64, usize) {
    let others = (0..scores.len()).filter(|&c| c != label);
    let second = others.reduce(|best, c| if scores[c] > scores[best] { c } else { best });
    let second = second.expect("two clusters or more");
    (scores[label] - scores[second], second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_of_two_and_of_three_clusters_by_hand() {
        let two = Margins::of(&Dense::from_vec(2, 1, vec![-3.0, 0.5]).unwrap(), &[0, 1]);
        assert_eq!(two, Margins { margin: vec![3.0, 0.5], runner_up: vec![1, 0] });
        let scores = Dense::from_vec(3, 3, vec![1.0, 4.0, 2.0, 7.0, 7.0, 0.0, 0.0, 1.0, 5.0]);
        // The last label is against the scores.
        let three = Margins::of(&scores.unwrap(), &[1, 0, 1]);
        assert_eq!(three, Margins { margin: vec![2.0, 0.0, -4.0], runner_up: vec![2, 1, 2] });
    }
}

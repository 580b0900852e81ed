//! How much the vote of its neighbours tells about a row's label.

use crate::matrix::Dense;

/// I(label; vote) / ln k: 1 where votes always tell the label and labels are equally frequent, 0 where
/// they tell nothing.
///
/// Given     labels (rows with a negative one are left out), the weight of each row, the number `k` of
///           labels that there should be, and `vote`, which sets the weight of each label among the
///           neighbours of a row.
/// The vote is the first label of the largest weight; no weight at all counts as a vote of its own.
pub fn vote_information(
    labels: &[i32],
    weight: impl Fn(usize) -> f64,
    k: usize,
    mut vote: impl FnMut(usize, &mut [f64]),
) -> f64 {
    let size = labels.iter().map(|l| (l + 1).max(0) as usize).fold(k, usize::max);
    let (mut table, mut line) = (Dense::zeros(size, size + 1), vec![0.0; size]);
    for (i, &l) in labels.iter().enumerate().filter(|(_, l)| **l >= 0) {
        vote(i, &mut line);
        table[(l as usize, winner(&line).unwrap_or(size))] += weight(i);
    }
    let total: f64 = table.data().iter().sum();
    let of_label: Vec<f64> = (0..size).map(|l| table.row(l).iter().sum()).collect();
    let of_vote: Vec<f64> = (0..=size).map(|v| table.column(v).iter().sum()).collect();
    let used = of_label.iter().filter(|mass| **mass > 0.0).count();
    if used.max(k) < 2 {
        return 0.0;
    }
    let mut sum = 0.0;
    for l in 0..size {
        for v in 0..=size {
            let joint = table[(l, v)];
            if joint > 0.0 {
                sum += joint / total * (joint * total / (of_label[l] * of_vote[v])).ln();
            }
        }
    }
    sum / (used.max(k) as f64).ln()
}

/// The first of the largest, where one is positive.
fn winner(line: &[f64]) -> Option<usize> {
    let best = (1..line.len()).fold(0, |best, c| if line[c] > line[best] { c } else { best });
    line.get(best).filter(|w| **w > 0.0).map(|_| best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_vote_tells_all_and_a_constant_one_nothing() {
        let labels = [0, 0, 1, 1, 2, 2];
        let information = |f: &dyn Fn(usize) -> usize| {
            vote_information(
                &labels,
                |_| 1.0,
                3,
                |i, line| {
                    line.fill(0.0);
                    line[f(i)] = 1.0;
                },
            )
        };
        assert!((information(&|i| i / 2) - 1.0).abs() < 1e-15);
        assert!((information(&|i| (i / 2 + 1) % 3) - 1.0).abs() < 1e-15);
        assert!(information(&|_| 1).abs() < 1e-15);
        assert!(vote_information(&labels, |_| 1.0, 3, |_, line| line.fill(0.0)).abs() < 1e-15);
        assert_eq!(vote_information(&[0], |_| 1.0, 1, |_, _| {}), 0.0);
    }

    #[test]
    fn missing_labels_count_against_the_vote_and_rows_without_a_label_do_not() {
        let perfect = |labels: &[i32], k: usize| {
            vote_information(
                labels,
                |_| 1.0,
                k,
                |i, line| {
                    line.fill(0.0);
                    line[labels[i] as usize] = 1.0;
                },
            )
        };
        assert!((perfect(&[0, 1, 0, 1], 4) - 0.5).abs() < 1e-15);
        assert!((perfect(&[0, -1, 5, -1], 2) - 1.0).abs() < 1e-15);
    }
}

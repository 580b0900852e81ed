//! How much the vote of its neighbours tells about a row's label.

use crate::matrix::Dense;
use std::collections::BTreeMap;

/// Labels against votes: how many rows, or how much weight, have each pair.
#[derive(Debug, Clone, PartialEq)]
pub struct VoteTable {
    /// One line a label, one column a vote; the last column is no vote at all.
    table: Dense,
    of_label: Vec<f64>,
    of_vote: Vec<f64>,
    total: f64,
    /// The largest entropy that the labels could have.
    most: f64,
}

impl VoteTable {
    /// Given     labels (rows with a negative one are left out), the weight of each row, the number `k` of
    ///           labels that there should be, and `vote`, which sets the weight of each label among the
    ///           neighbours of a row.
    /// The vote is the first label of the largest weight; no weight at all counts as a vote of its own.
    pub fn new(
        labels: &[i32],
        weight: impl Fn(usize) -> f64,
        k: usize,
        mut vote: impl FnMut(usize, &mut [f64]),
    ) -> Self {
        let size = labels.iter().map(|l| (l + 1).max(0) as usize).fold(k, usize::max);
        let (mut table, mut line) = (Dense::zeros(size, size + 1), vec![0.0; size]);
        for (i, &l) in labels.iter().enumerate().filter(|(_, l)| **l >= 0) {
            vote(i, &mut line);
            table[(l as usize, winner(&line).unwrap_or(size))] += weight(i);
        }
        let of_label: Vec<f64> = (0..size).map(|l| table.row(l).iter().sum()).collect();
        let of_vote: Vec<f64> = (0..=size).map(|v| table.column(v).iter().sum()).collect();
        let used = of_label.iter().filter(|mass| **mass > 0.0).count();
        let most = (used.max(k).max(1) as f64).ln();
        Self { total: table.data().iter().sum(), table, of_label, of_vote, most }
    }

    /// I(label; vote) in nats.
    fn shared(&self) -> f64 {
        let mut sum = 0.0;
        for (l, of_label) in self.of_label.iter().enumerate() {
            for (v, of_vote) in self.of_vote.iter().enumerate() {
                let joint = self.table[(l, v)];
                if joint > 0.0 {
                    sum += joint / self.total * (joint * self.total / (of_label * of_vote)).ln();
                }
            }
        }
        sum
    }

    /// I(label; vote) / ln k: 1 where votes always tell the label and labels are equally frequent, 0 where
    /// they tell nothing.
    pub fn information(&self) -> f64 {
        if self.most > 0.0 { self.shared() / self.most } else { 0.0 }
    }

    /// (I − E)/(√(H ln k) − E), H the entropy of the labels and E what chance gives: the mean is 0 for labels at random,
    /// however many there are, and labels that are equally frequent and always told have 1. Only for rows that weigh 1.
    ///
    /// See       Vinh, Epps & Bailey (2010), (24): E is the mean over all permutations of the labels.
    pub fn adjusted(&self) -> f64 {
        let expected = self.expected();
        let room = (self.most * self.entropy()).sqrt() - expected;
        if room > 1e-12 { (self.shared() - expected) / room } else { 0.0 }
    }

    /// H(label) in nats.
    fn entropy(&self) -> f64 {
        let fractions = self.of_label.iter().map(|mass| mass / self.total).filter(|p| *p > 0.0);
        fractions.map(|p| -p * p.ln()).sum()
    }

    /// The mean of I(label; vote) over all permutations of the labels.
    fn expected(&self) -> f64 {
        let n = self.total;
        let sizes = |of: &[f64]| {
            let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
            let whole = of.iter().map(|size| size.round() as u64).filter(|size| *size > 0);
            whole.for_each(|size| *counts.entry(size).or_insert(0.0) += 1.0);
            counts
        };
        let logs = ln_factorials(n.round() as usize);
        let factorial = |v: f64| logs[v.round() as usize];
        let mut sum = 0.0;
        for (a, labels) in sizes(&self.of_label) {
            for (b, votes) in sizes(&self.of_vote) {
                let (least, a, b) = ((a + b).saturating_sub(n as u64).max(1), a as f64, b as f64);
                // Of a hypergeometric joint count.
                let fixed = factorial(a) + factorial(b) + factorial(n - a) + factorial(n - b)
                    - factorial(n);
                for joint in least..=a.min(b) as u64 {
                    let m = joint as f64;
                    let ways = factorial(m)
                        + factorial(a - m)
                        + factorial(b - m)
                        + factorial(n - a - b + m);
                    sum += labels * votes * m / n * (n * m / (a * b)).ln() * (fixed - ways).exp();
                }
            }
        }
        sum
    }
}

/// ln 0!, ln 1!, … ln n!
fn ln_factorials(n: usize) -> Vec<f64> {
    let mut logs = vec![0.0; n + 1];
    (1..=n).for_each(|i| logs[i] = logs[i - 1] + (i as f64).ln());
    logs
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
        let table = |f: &dyn Fn(usize) -> usize| VoteTable::new(&labels, |_| 1.0, 3, voted(f));
        let information = |f: &dyn Fn(usize) -> usize| table(f).information();
        assert!((information(&|i| i / 2) - 1.0).abs() < 1e-15);
        assert!((information(&|i| (i / 2 + 1) % 3) - 1.0).abs() < 1e-15);
        assert!(information(&|_| 1).abs() < 1e-15);
        assert!((table(&|i| i / 2).adjusted() - 1.0).abs() < 1e-12);
        let mute = VoteTable::new(&labels, |_| 1.0, 3, |_, line| line.fill(0.0));
        assert!(mute.information().abs() < 1e-15 && mute.adjusted().abs() < 1e-15);
        let lone = VoteTable::new(&[0], |_| 1.0, 1, |_, _| {});
        assert_eq!((lone.information(), lone.adjusted()), (0.0, 0.0));
    }

    #[test]
    fn missing_labels_count_against_the_vote_and_rows_without_a_label_do_not() {
        let perfect = |labels: &[i32], k: usize| {
            VoteTable::new(labels, |_| 1.0, k, voted(&|i| labels[i] as usize)).information()
        };
        assert!((perfect(&[0, 1, 0, 1], 4) - 0.5).abs() < 1e-15);
        assert!((perfect(&[0, -1, 5, -1], 2) - 1.0).abs() < 1e-15);
    }

    /// Every row votes for one label.
    fn voted(f: &dyn Fn(usize) -> usize) -> impl FnMut(usize, &mut [f64]) + '_ {
        move |i, line| {
            line.fill(0.0);
            line[f(i)] = 1.0;
        }
    }

    #[test]
    fn what_chance_gives_is_the_mean_over_all_permutations() {
        // All 720 orders of six labels against fixed votes.
        let labels = [0, 0, 0, 1, 1, 2];
        let votes = [0, 1, 1, 1, 2, 2];
        let mut order: Vec<usize> = (0..6).collect();
        let (mut sum, mut count) = (0.0, 0.0);
        permute(&mut order, 6, &mut |order| {
            let turned: Vec<i32> = order.iter().map(|&i| labels[i]).collect();
            sum += VoteTable::new(&turned, |_| 1.0, 3, voted(&|i| votes[i])).shared();
            count += 1.0;
        });
        assert_eq!(count, 720.0);
        let table = VoteTable::new(&labels, |_| 1.0, 3, voted(&|i| votes[i]));
        assert!((table.expected() - sum / count).abs() < 1e-12);
    }

    /// Heap's algorithm.
    fn permute(order: &mut Vec<usize>, k: usize, see: &mut impl FnMut(&[usize])) {
        if k == 1 {
            return see(order);
        }
        for i in 0..k {
            permute(order, k - 1, see);
            order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
        }
    }
}

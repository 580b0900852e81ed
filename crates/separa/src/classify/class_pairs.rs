//! From two classes to more: which boundaries there are, and how they vote.

use super::choices::Multiclass;
use separa_math::matrix::Dense;

/// One boundary: `one` is where it is ≥ 0, against `two` or all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassPair {
    pub one: usize,
    pub two: Option<usize>,
}

impl ClassPair {
    /// Which side a class is on, if any.
    pub fn side(self, class: usize) -> Option<bool> {
        if class == self.one {
            return Some(true);
        }
        (self.two.is_none() || self.two == Some(class)).then_some(false)
    }
}

/// The boundaries between `k` classes: one for two, else one a pair or one a class.
pub fn class_pairs(k: usize, how: Multiclass) -> Vec<ClassPair> {
    if k == 2 || how == Multiclass::Pairs {
        let pairs = (0..k).flat_map(|i| (i + 1..k).map(move |j| (i, j)));
        return pairs.map(|(i, j)| ClassPair { one: j, two: Some(i) }).collect();
    }
    (0..k).map(|one| ClassPair { one, two: None }).collect()
}

/// Decision values from those of the boundaries: one column for two classes, else one a class.
///
/// Pairs: each class has its won pairs, and a part of one more for the margin; the rest: as they are.
pub fn decide(scores: Dense, pairs: &[ClassPair], k: usize) -> Dense {
    if k == 2 || pairs.iter().all(|d| d.two.is_none()) {
        return scores;
    }
    let mut out = Dense::zeros(scores.rows(), k);
    let mut margins = vec![0.0; k];
    for i in 0..scores.rows() {
        margins.fill(0.0);
        let line = out.row_mut(i);
        for (pair, &f) in pairs.iter().zip(scores.row(i)) {
            let two = pair.two.unwrap_or_default();
            line[if f >= 0.0 { pair.one } else { two }] += 1.0;
            margins[pair.one] += f;
            margins[two] -= f;
        }
        // Below a third on either side: a vote weighs more than all margins.
        line.iter_mut().zip(&margins).for_each(|(v, m)| *v += m / (3.0 * (m.abs() + 1.0)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_are_one_duel_and_more_are_pairs_or_classes() {
        assert_eq!(class_pairs(2, Multiclass::Rest), [ClassPair { one: 1, two: Some(0) }]);
        assert_eq!(class_pairs(4, Multiclass::Pairs).len(), 6);
        assert_eq!(class_pairs(4, Multiclass::Rest).len(), 4);
        assert_eq!(class_pairs(3, Multiclass::Pairs)[2], ClassPair { one: 2, two: Some(1) });
    }

    #[test]
    fn votes_come_first_and_margins_break_ties() {
        let pairs = class_pairs(3, Multiclass::Pairs);
        // 1 beats 0, 2 beats 0, 1 beats 2: class 1, however large the margins of class 2.
        let scores = Dense::from_vec(1, 3, vec![0.1, 1e6, -0.1]).unwrap();
        let out = decide(scores, &pairs, 3);
        assert!(out[(0, 1)] > out[(0, 2)] && out[(0, 2)] > out[(0, 0)]);
        // A circle: 1 beats 0, 0 beats 2, 2 beats 1 by most.
        let scores = Dense::from_vec(1, 3, vec![0.1, -0.1, 5.0]).unwrap();
        let out = decide(scores, &pairs, 3);
        assert!(out[(0, 2)] > out[(0, 0)] && out[(0, 0)] > out[(0, 1)]);
    }
}

//! Cross-validation: rows are dealt to folds class by class, in seeded order.

use separa_math::rng::Rng;

/// The fold of each of `n` rows, below `count`; each class is spread over the folds as evenly as can be.
/// `members[c]` are the rows of class c that count; the others are in fold 0 and must be left out.
pub fn folds(members: &[Vec<usize>], n: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut out = vec![0; n];
    let mut next = 0;
    for (class, rows) in members.iter().enumerate() {
        let mut rows = rows.clone();
        Rng::new(seed, 0x666f + ((class as u64) << 16)).shuffle(&mut rows);
        for i in rows {
            out[i] = next % count;
            next += 1;
        }
    }
    out
}

/// Of settings with these accuracies the first that is best by more than rounding.
pub(super) fn best(scores: &[f64]) -> usize {
    best_by(scores, 1e-12)
}

/// As [`best`], where a later one must be better by half a standard error.
pub(super) fn steady(scores: &[f64], rows: f64) -> usize {
    best_by(scores, slack(scores, rows))
}

fn best_by(scores: &[f64], more: f64) -> usize {
    (1..scores.len()).fold(0, |best, i| if scores[i] > scores[best] + more { i } else { best })
}

/// Half a standard error of the best share.
fn slack(scores: &[f64], rows: f64) -> f64 {
    let top = scores[best(scores)];
    0.5 * (top * (1.0 - top) / rows).max(0.0).sqrt()
}

/// Of settings within half a standard error of the best the one with the largest regulariser, of those the
/// best: a bound is worth little where a smaller one was chosen by chance.
pub(super) fn careful(scores: &[f64], reg: impl Fn(usize) -> f64, rows: f64) -> usize {
    let least = scores[best(scores)] - slack(scores, rows);
    let worth = |i: usize| (reg(i), scores[i]);
    let near = (0..scores.len()).filter(|&i| scores[i] >= least);
    near.fold(best(scores), |b, i| if worth(i) > worth(b) { i } else { b })
}

/// How often `labels` are right, by weight: the sum of the weights, and of all.
pub(crate) fn hits(
    labels: &[i32],
    held: &[usize],
    classes: &[u32],
    w: &dyn Fn(usize) -> f64,
) -> f64 {
    let right = labels.iter().zip(held).filter(|(l, i)| **l == classes[**i] as i32);
    right.map(|(_, &i)| w(i)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_every_class_and_the_seed_decides() {
        let classes: Vec<u32> = (0..103).map(|i| u32::from(i % 4 == 0)).collect();
        let members = [0, 1].map(|c| (0..103).filter(|&i| classes[i] == c).collect::<Vec<_>>());
        let fold = folds(&members, 103, 5, 1);
        assert_eq!(fold, folds(&members, 103, 5, 1));
        assert_ne!(fold, folds(&members, 103, 5, 2));
        for f in 0..5 {
            for c in 0..2 {
                let found = (0..103).filter(|&i| fold[i] == f && classes[i] == c).count();
                let all = classes.iter().filter(|x| **x == c).count();
                assert!(found == all / 5 || found == all / 5 + 1, "{found} of {all}");
            }
        }
    }

    #[test]
    fn the_first_of_equals_is_best() {
        assert_eq!(best(&[0.5, 0.7, 0.7, 0.6]), 1);
        assert_eq!(best(&[0.5]), 0);
    }

    #[test]
    fn a_larger_regulariser_wins_where_it_is_hardly_worse() {
        let regs = [0.001, 0.1, 0.01, 0.1];
        let reg = |i: usize| regs[i];
        // Half a standard error of 0.8 in 400 rows is 0.01.
        assert_eq!(careful(&[0.8, 0.795, 0.79, 0.793], reg, 400.0), 1);
        assert_eq!(careful(&[0.8, 0.78, 0.795, 0.78], reg, 400.0), 2);
        assert_eq!(careful(&[0.8, 0.78, 0.78, 0.78], reg, 400.0), 0);
        assert_eq!(careful(&[1.0, 0.999, 1.0, 1.0], reg, 400.0), 3);
        assert_eq!(steady(&[0.795, 0.8, 0.79], 400.0), 0);
        assert_eq!(steady(&[0.785, 0.8, 0.79], 400.0), 1);
    }
}

//! From scores to labels.

pub(crate) mod known;
pub(crate) mod tree;

use crate::data::Dataset;
use crate::error::Result;
use crate::model::{Labels, Model};
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::par;
use std::collections::HashMap;

/// Renumbers clusters by first appearance and returns the new labels with, for each new number,
/// the old one. Outliers (−1) stay as they are.
pub fn canonical(labels: &[i32]) -> (Labels, Vec<usize>) {
    let mut order: Vec<usize> = Vec::new();
    let mut place: HashMap<i32, i32> = HashMap::new();
    let renumber = |&l: &i32| {
        if l < 0 {
            return -1;
        }
        *place.entry(l).or_insert_with(|| {
            order.push(l as usize);
            order.len() as i32 - 1
        })
    };
    (labels.iter().map(renumber).collect(), order)
}

/// Labels rows by the rule of a model, numbers its clusters by first appearance and drops those without
/// rows. Rows on a boundary go by the numbers of their clusters, so numbering may move them: a few
/// iterations settle that, then the rule has the last word.
pub fn number<M: Model>(
    model: &mut M,
    predict: impl Fn(&M) -> Result<Labels>,
    reorder: impl Fn(&mut M, &[usize]),
) -> Result<Labels> {
    let mut labels = predict(model)?;
    for _ in 0..4 {
        let (renamed, order) = canonical(&labels);
        if order.iter().copied().eq(0..model.n_clusters()) {
            break;
        }
        reorder(model, &order);
        labels = predict(model)?;
        if labels == renamed {
            break;
        }
    }
    Ok(labels)
}

/// Rows per cluster.
pub fn sizes(labels: &[i32], k: usize) -> Vec<usize> {
    let mut sizes = vec![0; k];
    labels.iter().filter(|l| **l >= 0).for_each(|&l| sizes[l as usize] += 1);
    sizes
}

/// The weights of some rows as multiples of their mean, and that mean: squares of them then stay
/// within the range of numbers.
pub fn scaled_weights(data: &Dataset<'_>, rows: &[usize]) -> (Vec<f64>, f64) {
    let mean = rows.iter().map(|&i| data.weight(i) / rows.len() as f64).sum::<f64>();
    // A mean of ones is exactly one, whatever their number.
    let ones = rows.iter().all(|&i| data.weight(i) == 1.0);
    let mean = if ones { 1.0 } else { mean };
    (rows.iter().map(|&i| data.weight(i) / mean).collect(), mean)
}

/// Makes the scores of rows that are not finite no numbers, so that `predict` names the first.
pub fn mark_not_finite(x: MatrixRef<'_>, scores: &mut Dense) {
    let width = scores.cols();
    par::fill_chunks(scores.data_mut(), width, |range, part| {
        for (i, row) in range.zip(part.chunks_exact_mut(width)) {
            if !x.row_values(i).iter().fold(true, |ok, v| ok & v.is_finite()) {
                row.fill(f64::NAN);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_numbered_by_first_appearance() {
        let (labels, order) = canonical(&[2, 2, -1, 0, 2, 5, 0]);
        assert_eq!(labels, [0, 0, -1, 1, 0, 2, 1]);
        assert_eq!(order, [2, 0, 5]);
        assert_eq!(canonical(&[i32::MAX, 0]).0, [0, 1]);
        assert_eq!(sizes(&labels, 3), [3, 2, 1]);
    }
}

//! From scores to labels.

use crate::estimator::Labels;

/// Renumbers clusters by first appearance and returns the new labels with, for each new number,
/// the old one. Rows set aside (−1) stay as they are.
pub fn canonical(labels: &[i32]) -> (Labels, Vec<usize>) {
    let mut order: Vec<usize> = Vec::new();
    let mut place = vec![i32::MAX; labels.iter().max().map_or(0, |m| (m + 1).max(0) as usize)];
    let renumber = |&l: &i32| {
        if l < 0 {
            return -1;
        }
        let seen = &mut place[l as usize];
        if *seen == i32::MAX {
            *seen = order.len() as i32;
            order.push(l as usize);
        }
        *seen
    };
    (labels.iter().map(renumber).collect(), order)
}

/// Rows per cluster.
pub fn sizes(labels: &[i32], k: usize) -> Vec<usize> {
    let mut sizes = vec![0; k];
    labels.iter().filter(|l| **l >= 0).for_each(|&l| sizes[l as usize] += 1);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_numbered_by_first_appearance() {
        let (labels, order) = canonical(&[2, 2, -1, 0, 2, 5, 0]);
        assert_eq!(labels, [0, 0, -1, 1, 0, 2, 1]);
        assert_eq!(order, [2, 0, 5]);
        assert_eq!(sizes(&labels, 3), [3, 2, 1]);
    }
}

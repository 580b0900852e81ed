//! GMSP: the separation probability for any distance (supplement of Huang, Zhang, Song & Chen (2015), eq. (1)).
//!
//! |wᵀx − wᵀy| is replaced by a distance s(x, y):
//! κ̃ = mean of s between the clusters / Σ_k √(mean of s² within cluster k),  p̃ = κ̃²/(1 + κ̃²).
//!
//! It is a measure of its own: for well separated clusters on a line κ̃ tends to κ/√2, because the
//! mean of s² within a cluster is twice its variance. It is invariant to scale and consistent. The
//! supplement's third axiom, richness, is not shown: its proof sets s(x, x) = 1 within clusters,
//! which no distance does.

use crate::error::{Error, Result};
use separa_math::matrix::DenseRef;
use separa_math::optim::mpm::probability;

/// GMSP of a labelling; the smallest over pairs where there are more than two clusters, 0 for one.
///
/// `distances` is n x n, finite, not negative, symmetric, 0 on the diagonal. Rows with a negative label are left out.
/// Cost: one pass over the matrix.
pub fn gmsp(distances: DenseRef<'_>, labels: &[i32]) -> Result<f64> {
    check(distances, labels)?;
    let groups = members(labels);
    if groups.len() < 2 {
        return Ok(0.0);
    }
    // Units drop out of κ̃; taking them out first keeps the squares in range.
    let unit = (0..labels.len()).flat_map(|i| distances.row(i)).fold(0.0, |m: f64, v| m.max(*v));
    if unit == 0.0 {
        return Ok(0.0);
    }
    let spread: Vec<f64> = groups.iter().map(|g| root_mean_square(distances, g, unit)).collect();
    let mut worst = f64::INFINITY;
    for a in 0..groups.len() {
        for b in 0..a {
            let between = mean_between(distances, &groups[a], &groups[b], unit);
            let within = spread[a] + spread[b];
            // Two clusters of one place each: apart for certain, or the same place.
            let kappa = if between == 0.0 { 0.0 } else { between / within };
            worst = worst.min(probability(kappa));
        }
    }
    Ok(worst)
}

pub(super) fn check(distances: DenseRef<'_>, labels: &[i32]) -> Result<()> {
    let n = labels.len();
    if distances.rows() != n || distances.cols() != n {
        return Err(Error::DistanceShape { rows: distances.rows(), cols: distances.cols(), n });
    }
    for i in 0..n {
        if let Some(j) = distances.row(i).iter().position(|v| !v.is_finite() || *v < 0.0) {
            return Err(Error::Value {
                row: i + 1,
                column: (j + 1).to_string(),
                value: distances.row(i)[j],
                expected: "a distance: finite and not negative",
            });
        }
    }
    // To rounding, as a fraction of the largest distance.
    let row_top = |i| distances.row(i).iter().fold(0.0_f64, |top, v| top.max(*v));
    let slack = 1e-8 * (0..n).map(row_top).fold(0.0, f64::max);
    for i in 0..n {
        for (j, &value) in distances.row(i)[..=i].iter().enumerate() {
            let expected = match i == j {
                true if value > slack => "0, the distance of a row from itself",
                false if (value - distances.row(j)[i]).abs() > slack => {
                    "the number of the mirrored place (a symmetric matrix)"
                }
                _ => continue,
            };
            return Err(Error::Value { row: i + 1, column: (j + 1).to_string(), value, expected });
        }
    }
    Ok(())
}

/// The rows of every label in use.
pub(super) fn members(labels: &[i32]) -> Vec<Vec<usize>> {
    let mut groups = std::collections::BTreeMap::<i32, Vec<usize>>::new();
    for (i, l) in labels.iter().enumerate().filter(|(_, l)| **l >= 0) {
        groups.entry(*l).or_default().push(i);
    }
    groups.into_values().collect()
}

fn root_mean_square(s: DenseRef<'_>, group: &[usize], unit: f64) -> f64 {
    let line = |i: &usize| group.iter().map(|j| (s.row(*i)[*j] / unit).powi(2)).sum::<f64>();
    (group.iter().map(line).sum::<f64>()).sqrt() / group.len() as f64
}

fn mean_between(s: DenseRef<'_>, a: &[usize], b: &[usize], unit: f64) -> f64 {
    let line = |i: &usize| b.iter().map(|j| s.row(*i)[*j] / unit).sum::<f64>();
    a.iter().map(line).sum::<f64>() / (a.len() * b.len()) as f64
}

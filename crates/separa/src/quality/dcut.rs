//! The disparity cut of Chen & Bi (Clustering by maximizing sum-of-squared separation distance): how much two clusters differ beyond what they differ within.

use super::gmsp::{check, members};
use crate::error::{Error, Result};
use separa_math::matrix::DenseRef;

/// Dcut (3.7) of a labelling; the smallest over pairs where there are more than two clusters, 0 for
/// one. Larger is better.
///
/// 2·cut(A,B) − |B|/|A|·cut(A,A) − |A|/|B|·cut(B,B) with cut(A,B) = Σ βᵢβⱼdᵢⱼ over ordered pairs and
/// |A| = Σ βᵢ². `weights` are the vertex weights β, brought to length 1; uniform where none are given.
/// `distances` is n x n, finite, not negative, symmetric, 0 on the diagonal. Rows with a negative label are left out.
/// Cost: one pass over the matrix.
pub fn dcut(distances: DenseRef<'_>, labels: &[i32], weights: Option<&[f64]>) -> Result<f64> {
    check(distances, labels)?;
    let beta = vertex_weights(labels, weights)?;
    let groups = members(labels);
    let cut = |a: &[usize], b: &[usize]| -> f64 {
        let line = |i: &usize| b.iter().map(|j| beta[*j] * distances.row(*i)[*j]).sum::<f64>();
        a.iter().map(|i| beta[*i] * line(i)).sum()
    };
    let size = |a: &[usize]| a.iter().map(|i| beta[*i] * beta[*i]).sum::<f64>();
    let own: Vec<(f64, f64)> = groups.iter().map(|g| (size(g), cut(g, g))).collect();
    let pairs = (0..groups.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let values = pairs.map(|(a, b)| {
        let ((m, within_a), (n, within_b)) = (own[a], own[b]);
        2.0 * cut(&groups[a], &groups[b]) - n / m * within_a - m / n * within_b
    });
    Ok(values.min_by(f64::total_cmp).unwrap_or(0.0))
}

/// β with ‖β‖ = 1 over the rows in use.
fn vertex_weights(labels: &[i32], weights: Option<&[f64]>) -> Result<Vec<f64>> {
    let given = weights.map_or_else(|| vec![1.0; labels.len()], <[f64]>::to_vec);
    if given.len() != labels.len() {
        let (found, expected) = (given.len(), labels.len());
        return Err(Error::Length { what: "vertex weights", found, expected, of: "rows" });
    }
    if let Some(i) = given.iter().position(|w| !(1e-100..=1e100).contains(w)) {
        return Err(Error::Value {
            row: i + 1,
            column: "vertex weight".into(),
            value: given[i],
            expected: "a number from 1e-100 to 1e100",
        });
    }
    let used = given.iter().zip(labels).filter(|(_, l)| **l >= 0).map(|(w, _)| w);
    // The largest goes first, so that squares neither vanish nor overflow.
    let unit = used.clone().copied().fold(0.0, f64::max);
    let length = unit * used.map(|w| (w / unit).powi(2)).sum::<f64>().sqrt();
    Ok(given.iter().map(|w| w / length).collect())
}

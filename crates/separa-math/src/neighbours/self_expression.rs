//! Rows as sums of a few other rows: self-expression by orthogonal matching pursuit.
//!
//! Problem   min ‖x − Σⱼ cⱼ·pⱼ‖  with at most s coefficients, greedily.
//! Given     rows of length one and points of length one.      Returns  places and coefficients.
//! Cost      s products with all points a row, and a Cholesky factor that grows by a row a step.
//! See       Pati, Rezaiifar & Krishnaprasad (1993); You, Robinson & Vidal (2016) for clustering.

use crate::interrupt;
use crate::linalg::dot_lanes;
use crate::matrix::Dense;

/// What a row is made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expression {
    /// Other rows.
    pub places: Vec<u32>,
    /// The coefficient of each.
    pub values: Vec<f64>,
}

/// When a residual counts as nothing, as a fraction of the row.
const NOTHING: f64 = 1e-6;

/// Expresses `row` by at most `most` of the rows of `points`; those of `without` take no part.
pub fn express(
    row: &[f64],
    points: &Dense,
    most: usize,
    without: &dyn Fn(usize) -> bool,
) -> Expression {
    let length = dot_lanes(row, row).sqrt();
    let mut residual = row.to_vec();
    let mut chosen: Vec<usize> = Vec::new();
    // L with L·Lᵀ = the products of the chosen points; the right-hand side of L·y = Pᵀx.
    let (mut factor, mut half): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut values = Vec::new();
    interrupt::check();
    while chosen.len() < most && dot_lanes(&residual, &residual).sqrt() > NOTHING * length {
        let mut best: Option<(f64, usize)> = None;
        for j in 0..points.rows() {
            if without(j) || chosen.contains(&j) {
                continue;
            }
            let size = dot_lanes(points.row(j), &residual).abs();
            if best.is_none_or(|(top, _)| size > top) {
                best = Some((size, j));
            }
        }
        let Some((_, j)) = best.filter(|(size, _)| *size > NOTHING * length) else { break };
        // One more row of L.
        let mut line: Vec<f64> =
            chosen.iter().map(|&c| dot_lanes(points.row(c), points.row(j))).collect();
        for a in 0..line.len() {
            let before = dot_lanes(&factor[a][..a], &line[..a]);
            line[a] = (line[a] - before) / factor[a][a];
        }
        let own = dot_lanes(points.row(j), points.row(j)) - dot_lanes(&line, &line);
        // A point within the span of the others, a copy of one of them for instance, adds nothing.
        if own <= 1e-10 {
            break;
        }
        let pivot = own.sqrt();
        half.push((dot_lanes(points.row(j), row) - dot_lanes(&line, &half)) / pivot);
        line.push(pivot);
        factor.push(line);
        chosen.push(j);
        // Lᵀ·c = y, then the residual.
        values = half.clone();
        for a in (0..values.len()).rev() {
            let after: f64 = (a + 1..values.len()).map(|b| factor[b][a] * values[b]).sum();
            values[a] = (values[a] - after) / factor[a][a];
        }
        residual.copy_from_slice(row);
        for (&c, v) in chosen.iter().zip(&values) {
            residual.iter_mut().zip(points.row(c)).for_each(|(r, p)| *r -= v * p);
        }
    }
    Expression { places: chosen.iter().map(|&c| c as u32).collect(), values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{Chol, dot, norm};
    use crate::test_tables::normals;

    fn units(n: usize, d: usize, seed: u64) -> Dense {
        let mut x = normals(n, d, seed);
        for i in 0..n {
            let length = norm(x.row(i));
            x.row_mut(i).iter_mut().for_each(|v| *v /= length);
        }
        x
    }

    /// The same steps with a fresh least-squares solution each time.
    fn naive(row: &[f64], points: &Dense, most: usize, skip: usize) -> (Vec<usize>, Vec<f64>) {
        let (mut chosen, mut values, mut residual) = (Vec::new(), Vec::new(), row.to_vec());
        for _ in 0..most {
            let size = |j: &usize| dot(points.row(*j), &residual).abs();
            let free = (0..points.rows()).filter(|j| *j != skip && !chosen.contains(j));
            let Some(j) = free.reduce(|a, b| if size(&b) > size(&a) { b } else { a }) else {
                break;
            };
            chosen.push(j);
            let q = chosen.len();
            let mut gram = Dense::zeros(q, q);
            for a in 0..q {
                for b in 0..q {
                    gram[(a, b)] = dot(points.row(chosen[a]), points.row(chosen[b]));
                }
            }
            values = chosen.iter().map(|&c| dot(points.row(c), row)).collect();
            Chol::new(gram).unwrap().solve(&mut values);
            residual = row.to_vec();
            for (&c, v) in chosen.iter().zip(&values) {
                residual.iter_mut().zip(points.row(c)).for_each(|(r, p)| *r -= v * p);
            }
        }
        (chosen, values)
    }

    #[test]
    fn expressions_equal_those_of_repeated_least_squares() {
        let x = units(60, 12, 5);
        for i in 0..20 {
            let found = express(x.row(i), &x, 6, &|j| j == i);
            let (places, values) = naive(x.row(i), &x, 6, i);
            assert_eq!(found.places.iter().map(|&j| j as usize).collect::<Vec<_>>(), places);
            for (a, b) in found.values.iter().zip(&values) {
                assert!((a - b).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn copies_and_zero_rows_end_the_pursuit() {
        let mut x = units(6, 3, 1);
        let first = x.row(0).to_vec();
        x.row_mut(1).copy_from_slice(&first);
        let found = express(&first, &x, 5, &|j| j == 0);
        assert_eq!((found.places, found.values.len()), (vec![1], 1));
        assert_eq!(express(&[0.0; 3], &x, 5, &|_| false), Expression::default());
        let nothing = express(&first, &Dense::zeros(4, 3), 5, &|_| false);
        assert_eq!(nothing, Expression::default());
    }
}

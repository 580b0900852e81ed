//! Sums of rows about points that a rule brings along: those of blocks add up to those of the whole.

use super::few_rows;
use separa_math::linalg::add_gram_lower;
use separa_math::matrix::{Dense, DenseRef, Rows};
use separa_math::moments::Moments;
use separa_math::par;

/// Numbers of one group among the sums: weight, sums, the lower triangle of squares.
pub(crate) fn numbers(width: usize) -> usize {
    1 + width + width * (width + 1) / 2
}

/// Appends the sums of the rows `members`, taken about a point.
pub(crate) fn add_group(rows: &dyn Rows, members: &[usize], about: &[f64], values: &mut Vec<f64>) {
    let w = about.len();
    let (mut sum, mut squares) = (vec![0.0; w], Dense::zeros(w, w));
    let map = |range: std::ops::Range<usize>| {
        let (mut block, mut sum) = (Vec::new(), vec![0.0; w]);
        let mut squares = Dense::zeros(w, w);
        // At least as many as there are columns: each product goes once over the squares.
        for few in members[range].chunks(few_rows(w).max(w)) {
            block.resize(few.len() * w, 0.0);
            for (&i, row) in few.iter().zip(block.chunks_exact_mut(w)) {
                rows.copy_row(i, row);
                row.iter_mut().zip(about).for_each(|(x, a)| *x -= a);
                sum.iter_mut().zip(&*row).for_each(|(s, x)| *s += x);
            }
            let shifted = DenseRef::new(few.len(), w, &block).expect("the block has this shape");
            add_gram_lower(&mut squares, 1.0, shifted);
        }
        (sum, squares)
    };
    par::fold_chunks(members.len(), map, |(s, q)| {
        sum.iter_mut().zip(s).for_each(|(a, b)| *a += b);
        squares.data_mut().iter_mut().zip(q.data()).for_each(|(a, b)| *a += b);
    });
    values.push(members.len() as f64);
    values.extend(sum);
    (0..w).for_each(|i| values.extend(&squares.row(i)[..=i]));
}

/// The moments of each group, from sums about these points.
pub(crate) fn moments(values: &[f64], about: &Dense) -> Vec<Moments> {
    let w = about.cols();
    let each = values.chunks_exact(numbers(w)).enumerate();
    each.map(|(c, values)| {
        let mut squares = Dense::zeros(w, w);
        let mut triangle = &values[1 + w..];
        for i in 0..w {
            let (line, rest) = triangle.split_at(i + 1);
            squares.row_mut(i)[..=i].copy_from_slice(line);
            triangle = rest;
        }
        Moments::from_sums(values[0], about.row(c), &values[1..=w], squares)
    })
    .collect()
}

//! Distances between bags of rows.
//!
//! Problem   H(A, B) = max( max_a min_b d(a, b), max_b min_a d(a, b) ) for every two bags.
//! Given     bags as ranges of rows of a table, and a distance of rows.
//! Cost      one distance for every two rows; memory of a few blocks.      See  Hausdorff (1914).

use super::measure::Measure;
use super::pairs::Pairs;
use crate::error::{Error, Result};
use crate::linalg::{Precision, SymMatrix};
use crate::matrix::{Dense, Rows};
use crate::par;
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a block of distances; small bags that lie side by side share one.
const SIDE: usize = 256;
/// Bags longer than this are met one at a time.
const LONG: usize = 8192;

/// Rows `bags[i]` of a table are bag i.
#[allow(missing_debug_implementations)]
#[derive(Clone, Copy)]
pub struct Bags<'a> {
    rows: &'a dyn Rows,
    bags: &'a [Range<usize>],
}

impl<'a> Bags<'a> {
    /// Bags of at least one row each, all inside the table.
    pub fn new(rows: &'a dyn Rows, bags: &'a [Range<usize>]) -> Result<Self> {
        for (b, range) in bags.iter().enumerate() {
            if range.is_empty() {
                let (found, expected) = ("no rows".into(), "at least one".into());
                return Err(Error::Bag { bag: b + 1, found, expected });
            }
            if range.end > rows.n_rows() {
                return Err(Error::Bag {
                    bag: b + 1,
                    found: format!("rows up to {}", range.end),
                    expected: format!("at most {}, the rows of the table", rows.n_rows()),
                });
            }
        }
        Ok(Self { rows, bags })
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.bags.len()
    }

    /// The distance of every two bags.
    pub fn symmetric(&self, distance: impl Into<Measure>, precision: Precision) -> SymMatrix {
        let pairs = Pairs::among(distance, self.rows);
        let mut out = SymMatrix::zeros(self.count(), precision);
        out.fill(|a, b, block| tiles(&pairs, &self.bags[a], &self.bags[b], block));
        out
    }

    /// The distance of every bag to every one of `others`: one line a bag.
    pub fn matrix(&self, distance: impl Into<Measure>, others: &Bags<'_>) -> Dense {
        let pairs = Pairs::new(distance, self.rows, others.rows);
        let m = others.count();
        let mut out = Dense::zeros(self.count(), m);
        if m == 0 {
            return out;
        }
        let groups: Vec<Range<usize>> = groups(self.bags).collect();
        let mut rest = out.data_mut();
        let mut work = Vec::new();
        for group in groups {
            let (lines, after) = rest.split_at_mut(group.len() * m);
            work.push((&self.bags[group], lines));
            rest = after;
        }
        work.into_par_iter().for_each(|(bags, lines)| tiles(&pairs, bags, others.bags, lines));
        out
    }
}

/// Consecutive bags that lie side by side, up to a block's rows together.
fn groups(bags: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        let mut bag = bags.get(first)?;
        next += 1;
        while let Some(after) = bags.get(next)
            && after.start == bag.end
            && after.end - bags[first].start <= SIDE
        {
            bag = after;
            next += 1;
        }
        Some(first..next)
    })
}

/// The distances of the bags `a` (one line each) to the bags `b`.
fn tiles(pairs: &Pairs<'_>, a: &[Range<usize>], b: &[Range<usize>], out: &mut [f64]) {
    let m = b.len();
    for rows in groups(a) {
        for cols in groups(b) {
            let long = a[rows.start].len().max(b[cols.start].len()) > LONG;
            let step = if long { 1 } else { rows.len().max(cols.len()) };
            for i in rows.clone().step_by(step) {
                for j in cols.clone().step_by(step) {
                    let (i, j) = (i..(i + step).min(rows.end), j..(j + step).min(cols.end));
                    let values = tile(pairs, &a[i.clone()], &b[j.clone()]);
                    for (i, line) in i.zip(values.chunks_exact(j.len())) {
                        out[i * m + j.start..i * m + j.end].copy_from_slice(line);
                    }
                }
            }
        }
    }
}

/// As [`tiles`], for bags that lie side by side in `a` and in `b`.
fn tile(pairs: &Pairs<'_>, a: &[Range<usize>], b: &[Range<usize>]) -> Vec<f64> {
    let (rows, cols) = (a[0].start..a[a.len() - 1].end, b[0].start..b[b.len() - 1].end);
    // The nearest in each bag of b to every row, in each bag of a to every column.
    let mut to_b = vec![f64::INFINITY; rows.len() * b.len()];
    let mut to_a = vec![f64::INFINITY; a.len() * cols.len()];
    let mut block = vec![0.0; rows.len().min(SIDE) * cols.len().min(SIDE)];
    for down in par::chunks(rows.len(), SIDE) {
        for across in par::chunks(cols.len(), SIDE) {
            let block = &mut block[..down.len() * across.len()];
            let part = cols.start + across.start..cols.start + across.end;
            pairs.block(rows.start + down.start..rows.start + down.end, part.clone(), block);
            let mut bag = a.partition_point(|bag| bag.end <= rows.start + down.start);
            for (r, line) in down.clone().zip(block.chunks_exact(across.len())) {
                bag += usize::from(a[bag].end <= rows.start + r);
                let nearest = &mut to_a[bag * cols.len()..(bag + 1) * cols.len()];
                least(&mut nearest[across.clone()], line);
                for (q, other) in b.iter().enumerate() {
                    let (start, end) = (other.start.max(part.start), other.end.min(part.end));
                    if start < end {
                        let near = &line[start - part.start..end - part.start];
                        let found = &mut to_b[r * b.len() + q];
                        *found = near.iter().fold(*found, |m, v| if *v < m { *v } else { m });
                    }
                }
            }
        }
    }
    let mut out = vec![0.0_f64; a.len() * b.len()];
    for (p, bag) in a.iter().enumerate() {
        for (q, other) in b.iter().enumerate() {
            let there = bag.clone().map(|r| to_b[(r - rows.start) * b.len() + q]);
            let back = other.clone().map(|c| to_a[p * cols.len() + c - cols.start]);
            out[p * b.len() + q] = there.chain(back).fold(0.0, f64::max);
        }
    }
    out
}

fn least(into: &mut [f64], values: &[f64]) {
    into.iter_mut().zip(values).for_each(|(m, v)| *m = if *v < *m { *v } else { *m });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Metric;
    use crate::kernel::mercer::Kernel;
    use crate::rng::Rng;
    use crate::test_tables::{normals, sparse_copy};

    /// Bags of 1 to `most` rows, with a gap after every fifth.
    fn bags(n: usize, most: usize, seed: u64) -> Vec<Range<usize>> {
        let (mut rng, mut out, mut at) = (Rng::new(seed, 0), Vec::new(), 0);
        while at < n {
            let end = (at + 1 + rng.below(most)).min(n);
            out.push(at..end);
            at = end + usize::from(out.len() % 5 == 0);
        }
        out
    }

    fn naive(d: &Dense, a: &Range<usize>, b: &Range<usize>) -> f64 {
        let low = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let there = a.clone().map(|i| low(&mut b.clone().map(|j| d[(i, j)])));
        let back = b.clone().map(|j| low(&mut a.clone().map(|i| d[(i, j)])));
        there.chain(back).fold(0.0, f64::max)
    }

    #[test]
    fn bags_are_as_far_apart_as_the_definition_says() {
        let (x, y) = (normals(900, 3, 1), normals(700, 3, 2));
        for most in [1, 4, 60, 600] {
            let (a, b) = (bags(900, most, 3), bags(700, most, 4));
            for measure in [Metric::Manhattan.into(), Kernel::Rbf { gamma: 0.1 }.distance()] {
                let (among, between) = (measure.matrix(&x, &x), measure.matrix(&x, &y));
                let bags_x = Bags::new(&x, &a).unwrap();
                let bags_y = Bags::new(&y, &b).unwrap();
                let symmetric = bags_x.symmetric(measure, Precision::Double);
                let rectangular = bags_x.matrix(measure, &bags_y);
                for (p, bag) in a.iter().enumerate() {
                    for (q, other) in a.iter().enumerate() {
                        assert_eq!(symmetric.get(p, q), naive(&among, bag, other));
                    }
                    for (q, other) in b.iter().enumerate() {
                        assert_eq!(rectangular[(p, q)], naive(&between, bag, other));
                    }
                }
                let sparse = sparse_copy(&x);
                let view = sparse.view();
                let again = Bags::new(&view, &a).unwrap().symmetric(measure, Precision::Double);
                assert_eq!(again, symmetric);
            }
        }
    }

    #[test]
    fn empty_bags_and_rows_beyond_the_table_are_refused() {
        let x = normals(10, 2, 1);
        let refused = |bags: &[Range<usize>]| Bags::new(&x, bags).err().unwrap().to_string();
        assert_eq!(refused(&[0..2, 3..3]), "bag 2 holds no rows, expected at least one");
        assert_eq!(
            refused(&[0..5, 5..11]),
            "bag 2 holds rows up to 11, expected at most 10, the rows of the table"
        );
    }
}

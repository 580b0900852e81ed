//! Sums of rows about points that a rule brings along: those of blocks add up to those of the whole.

use super::{Spare, few_rows};
use separa_math::linalg::add_gram_lower;
use separa_math::matrix::{Dense, DenseRef, Rows};
use separa_math::moments::Moments;
use separa_math::par;

/// Numbers of one group among the sums: weight, sums, the lower triangle of squares.
pub(crate) fn numbers(width: usize) -> usize {
    1 + width + width * (width + 1) / 2
}

/// Sums of groups of rows, each about a point. Rows come one by one and wait until there are enough of a group for one
/// product.
#[derive(Debug)]
pub(crate) struct Groups {
    width: usize,
    /// Rows of a group that wait, at most; at least as many as there are columns, because a product goes once over the
    /// squares.
    most: usize,
    waiting: Vec<Vec<f64>>,
    n: Vec<f64>,
    sums: Vec<Vec<f64>>,
    /// Lower triangles.
    squares: Vec<Dense>,
}

impl Groups {
    pub fn new(groups: usize, width: usize) -> Self {
        let each = |_| vec![0.0; width];
        Self {
            width,
            most: few_rows(width).max(width) * width,
            waiting: vec![Vec::new(); groups],
            n: vec![0.0; groups],
            sums: (0..groups).map(each).collect(),
            squares: vec![Dense::zeros(width, width); groups],
        }
    }

    /// Rows of a chunk: the sums of one are zeroed and added, which is to cost little beside its products.
    pub fn chunk(&self) -> usize {
        par::CHUNK * self.n.len().div_ceil(4).max(1)
    }

    /// A row of group c.
    #[inline]
    pub fn add(&mut self, c: usize, row: &[f64], about: &[f64]) {
        let waiting = &mut self.waiting[c];
        waiting.extend(row.iter().zip(about).map(|(x, a)| x - a));
        if waiting.len() >= self.most {
            self.multiply(c);
        }
    }

    fn multiply(&mut self, c: usize) {
        let waiting = &mut self.waiting[c];
        for row in waiting.chunks_exact(self.width.max(1)) {
            self.n[c] += 1.0;
            self.sums[c].iter_mut().zip(row).for_each(|(s, x)| *s += x);
        }
        let rows = waiting.len() / self.width.max(1);
        let rows = DenseRef::new(rows, self.width, waiting).expect("whole rows wait");
        add_gram_lower(&mut self.squares[c], 1.0, rows);
        waiting.clear();
    }

    /// No row waits any longer.
    pub fn finish(&mut self) {
        (0..self.n.len()).for_each(|c| self.multiply(c));
    }

    /// Adds finished sums of the rows that follow.
    pub fn merge(&mut self, later: &Self) {
        for c in 0..self.n.len() {
            self.n[c] += later.n[c];
            self.sums[c].iter_mut().zip(&later.sums[c]).for_each(|(a, b)| *a += b);
            for i in 0..self.width {
                let line = self.squares[c].row_mut(i)[..=i].iter_mut();
                line.zip(later.squares[c].row(i)).for_each(|(a, b)| *a += b);
            }
        }
    }

    /// As new, with the memory it has.
    pub fn clear(&mut self) {
        self.n.fill(0.0);
        self.waiting.iter_mut().for_each(Vec::clear);
        self.sums.iter_mut().for_each(|s| s.fill(0.0));
        self.squares.iter_mut().for_each(|s| s.data_mut().fill(0.0));
    }

    /// Weight, sums and lower triangle of each group.
    pub fn values(&self) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.n.len() * numbers(self.width));
        for c in 0..self.n.len() {
            values.push(self.n[c]);
            values.extend(&self.sums[c]);
            (0..self.width).for_each(|i| values.extend(&self.squares[c].row(i)[..=i]));
        }
        values
    }
}

/// The sums of rows by group; those of a negative label take no part.
pub(crate) fn sums<'a>(
    rows: &dyn Rows,
    labels: &[i32],
    groups: usize,
    about: impl Fn(usize) -> &'a [f64] + Sync,
) -> Vec<f64> {
    let mut total = Groups::new(groups, rows.n_cols());
    let spare = Spare::default();
    let map = |range: std::ops::Range<usize>| {
        let mut part = spare.take(|| (Groups::new(groups, rows.n_cols()), Vec::new()));
        let size = few_rows(rows.n_cols());
        for start in range.clone().step_by(size) {
            let few = start..(start + size).min(range.end);
            let lines = rows.block(few.clone(), &mut part.1);
            let each = lines.chunks_exact(rows.n_cols().max(1)).zip(&labels[few]);
            for (row, label) in each.filter(|(_, label)| **label >= 0) {
                part.0.add(*label as usize, row, about(*label as usize));
            }
        }
        part.0.finish();
        part
    };
    par::fold_chunks_of(labels.len(), total.chunk(), map, |mut part| {
        total.merge(&part.0);
        part.0.clear();
        spare.put(part);
    });
    total.values()
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

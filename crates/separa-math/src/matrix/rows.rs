//! Reading a table block by block.

use super::{CsrRef, Dense, DenseRef, MatrixRef};
use std::ops::Range;

/// A table that hands out blocks of dense rows.
pub trait Rows: Sync {
    /// How many rows there are.
    fn n_rows(&self) -> usize;
    /// How many columns there are.
    fn n_cols(&self) -> usize;

    /// Rows `range`, row-major and contiguous; `buffer` is used where the table does not hold them so.
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        copied(self, range, buffer)
    }

    /// Writes row `i` into `out`.
    fn copy_row(&self, i: usize, out: &mut [f64]);

    /// Whether rows are stored as they are read: a copy would save nothing.
    fn in_memory(&self) -> bool {
        false
    }

    /// Row `i` as it lies in memory, if it does.
    fn dense_row(&self, _: usize) -> Option<&[f64]> {
        None
    }

    /// The sparse rows behind this table where products may skip zeros.
    fn sparse(&self) -> Option<CsrRef<'_>> {
        None
    }
}

/// Rows `range`, written into `buffer` one by one.
pub(super) fn copied<'b, R: Rows + ?Sized>(
    rows: &R,
    range: Range<usize>,
    buffer: &'b mut Vec<f64>,
) -> &'b [f64] {
    let d = rows.n_cols();
    buffer.clear();
    buffer.resize(range.len() * d, 0.0);
    for (r, i) in range.enumerate() {
        rows.copy_row(i, &mut buffer[r * d..(r + 1) * d]);
    }
    buffer
}

impl<R: Rows + ?Sized> Rows for &R {
    fn n_rows(&self) -> usize {
        (**self).n_rows()
    }
    fn n_cols(&self) -> usize {
        (**self).n_cols()
    }
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        (**self).block(range, buffer)
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        (**self).copy_row(i, out);
    }
    fn in_memory(&self) -> bool {
        (**self).in_memory()
    }
    fn dense_row(&self, i: usize) -> Option<&[f64]> {
        (**self).dense_row(i)
    }
    fn sparse(&self) -> Option<CsrRef<'_>> {
        (**self).sparse()
    }
}

impl Rows for DenseRef<'_> {
    fn n_rows(&self) -> usize {
        self.rows()
    }
    fn n_cols(&self) -> usize {
        self.cols()
    }
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        if self.stride() == self.cols() {
            return &self.data()[range.start * self.cols()..range.end * self.cols()];
        }
        buffer.clear();
        range.for_each(|i| buffer.extend_from_slice(self.row(i)));
        buffer
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.copy_from_slice(self.row(i));
    }
    fn dense_row(&self, i: usize) -> Option<&[f64]> {
        Some(self.row(i))
    }
}

impl Rows for CsrRef<'_> {
    fn n_rows(&self) -> usize {
        self.rows()
    }
    fn n_cols(&self) -> usize {
        self.cols()
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.fill(0.0);
        let (columns, values) = self.row(i);
        columns.iter().zip(values).for_each(|(&j, &v)| out[j as usize] = v);
    }
    fn sparse(&self) -> Option<CsrRef<'_>> {
        Some(*self)
    }
}

impl Rows for MatrixRef<'_> {
    fn n_rows(&self) -> usize {
        self.rows()
    }
    fn n_cols(&self) -> usize {
        self.cols()
    }
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        match self {
            Self::Dense(x) => x.block(range, buffer),
            Self::Sparse(x) => x.block(range, buffer),
        }
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        match self {
            Self::Dense(x) => x.copy_row(i, out),
            Self::Sparse(x) => x.copy_row(i, out),
        }
    }
    fn dense_row(&self, i: usize) -> Option<&[f64]> {
        match self {
            Self::Dense(x) => Some(x.row(i)),
            Self::Sparse(_) => None,
        }
    }
    fn sparse(&self) -> Option<CsrRef<'_>> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse(x) => Some(*x),
        }
    }
}

impl Rows for Dense {
    fn n_rows(&self) -> usize {
        self.rows()
    }
    fn n_cols(&self) -> usize {
        self.cols()
    }
    fn block<'b>(&'b self, range: Range<usize>, _: &'b mut Vec<f64>) -> &'b [f64] {
        &self.data()[range.start * self.cols()..range.end * self.cols()]
    }
    fn in_memory(&self) -> bool {
        true
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.copy_from_slice(self.row(i));
    }
    fn dense_row(&self, i: usize) -> Option<&[f64]> {
        Some(self.row(i))
    }
}

/// Some rows of a table, in the given order.
#[allow(missing_debug_implementations)]
#[derive(Clone, Copy)]
pub struct Subset<'a> {
    /// All rows.
    pub rows: &'a dyn Rows,
    /// Those that are meant, in this order.
    pub index: &'a [usize],
}

impl Rows for Subset<'_> {
    fn n_rows(&self) -> usize {
        self.index.len()
    }
    fn n_cols(&self) -> usize {
        self.rows.n_cols()
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        self.rows.copy_row(self.index[i], out);
    }
    fn dense_row(&self, i: usize) -> Option<&[f64]> {
        self.rows.dense_row(self.index[i])
    }
}

/// Copies the rows of `index` into a matrix of their own.
pub fn pick(rows: &dyn Rows, index: &[usize]) -> Dense {
    let mut out = Dense::zeros(index.len(), rows.n_cols());
    for (r, &i) in index.iter().enumerate() {
        rows.copy_row(i, out.row_mut(r));
    }
    out
}

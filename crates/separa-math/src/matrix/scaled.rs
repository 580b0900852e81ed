//! A table seen through a clip and an affine map per column, with columns left out.

use super::{MatrixRef, Rows};
use std::ops::Range;

/// One kept column: z = (clamp(x, lo, hi) − shift) · factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    pub source: usize,
    pub lo: f64,
    pub hi: f64,
    pub shift: f64,
    pub factor: f64,
}

impl Column {
    #[inline(always)]
    pub fn map(&self, x: f64) -> f64 {
        // max then min, not clamp: clamp asserts lo <= hi on every call.
        (x.max(self.lo).min(self.hi) - self.shift) * self.factor
    }
}

/// The view itself. Rows are mapped while they are read: no copy of the table is made.
#[derive(Debug, Clone)]
pub struct Scaled<'a> {
    x: MatrixRef<'a>,
    columns: &'a [Column],
    whole: bool,
}

impl<'a> Scaled<'a> {
    pub fn new(x: MatrixRef<'a>, columns: &'a [Column]) -> Self {
        let whole =
            columns.len() == x.cols() && columns.iter().enumerate().all(|(j, c)| c.source == j);
        Self { x, columns, whole }
    }
}

impl Rows for Scaled<'_> {
    fn n_rows(&self) -> usize {
        self.x.rows()
    }
    fn n_cols(&self) -> usize {
        self.columns.len()
    }
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        let d = self.n_cols();
        buffer.resize(range.len() * d, 0.0);
        for (r, i) in range.enumerate() {
            self.copy_row(i, &mut buffer[r * d..(r + 1) * d]);
        }
        buffer
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        match &self.x {
            MatrixRef::Dense(x) if self.whole => {
                for ((z, c), &v) in out.iter_mut().zip(self.columns).zip(x.row(i)) {
                    *z = c.map(v);
                }
            }
            MatrixRef::Dense(x) => {
                let row = x.row(i);
                for (z, c) in out.iter_mut().zip(self.columns) {
                    *z = c.map(row[c.source]);
                }
            }
            MatrixRef::Sparse(x) => {
                let (places, values) = x.row(i);
                let mut p = 0;
                for (z, c) in out.iter_mut().zip(self.columns) {
                    while p < places.len() && (places[p] as usize) < c.source {
                        p += 1;
                    }
                    let stored = p < places.len() && places[p] as usize == c.source;
                    *z = c.map(if stored { values[p] } else { 0.0 });
                }
            }
        }
    }
}

//! Rows of the lower triangle of a symmetric matrix, cut into tiles.

use crate::interrupt;
use std::ops::Range;

/// Rows of a band. Constant, because the order of every sum follows from it.
pub(super) const BAND: usize = 128;
/// Columns of a tile: four of its rows, a few vectors and their images fit the first cache.
pub(super) const TILE: usize = 256;

/// A stored entry.
pub(super) trait Entry: Copy + Default + Send + Sync {
    fn wide(self) -> f64;
    fn narrow(value: f64) -> Self;
}

impl Entry for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(value: f64) -> Self {
        value
    }
}

impl Entry for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn narrow(value: f64) -> Self {
        value as f32
    }
}

/// Rows `rows` of the lower triangle: tiles of the columns before `rows.start`, left to right, then
/// the square block on the diagonal, whole. Each tile is row-major.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Band<T> {
    pub(super) rows: Range<usize>,
    data: Vec<T>,
}

impl<T: Entry> Band<T> {
    pub(super) fn zeros(rows: Range<usize>) -> Self {
        let data = vec![T::default(); rows.len() * rows.end];
        Self { rows, data }
    }

    /// The columns of the tiles; the last one is the diagonal block.
    pub(super) fn spans(&self) -> impl Iterator<Item = Range<usize>> + use<T> {
        let (start, end) = (self.rows.start, self.rows.end);
        let left = (0..start).step_by(TILE).map(move |j| j..(j + TILE).min(start));
        left.chain(std::iter::once(start..end))
    }

    pub(super) fn tile(&self, span: &Range<usize>) -> &[T] {
        let height = self.rows.len();
        &self.data[span.start * height..span.end * height]
    }

    fn tile_mut(&mut self, span: &Range<usize>) -> &mut [T] {
        let height = self.rows.len();
        &mut self.data[span.start * height..span.end * height]
    }

    /// Row i (of the matrix) within the tile of `span`.
    pub(super) fn line(&self, i: usize, span: &Range<usize>) -> &[T] {
        let r = i - self.rows.start;
        &self.tile(span)[r * span.len()..(r + 1) * span.len()]
    }

    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        let start = self.rows.start;
        let first = if j < start { j - j % TILE } else { start };
        let end = if j < start { (first + TILE).min(start) } else { self.rows.end };
        self.line(i, &(first..end))[j - first].wide()
    }

    /// Entries (i, j) of every tile, given to `f` row by row; the diagonal block is mirrored after.
    pub(super) fn write(&mut self, mut f: impl FnMut(Range<usize>, &mut [T])) {
        let spans: Vec<_> = self.spans().collect();
        for span in spans {
            interrupt::check();
            f(span.clone(), self.tile_mut(&span));
        }
        let square = self.rows.clone();
        let m = square.len();
        let block = self.tile_mut(&square);
        for r in 0..m {
            (0..r).for_each(|c| block[c * m + r] = block[r * m + c]);
        }
    }
}

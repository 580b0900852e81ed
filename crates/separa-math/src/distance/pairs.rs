//! Pairwise values, block by block.
//!
//! Problem   a measure of every row with every point.
//! Given     two tables, dense or sparse.      Returns  any block of their matrix.
//! Cost      n·m·d multiply-adds in register panels; for two thin sparse tables only those of shared
//!           columns.
//!
//! A product xᵀy is one chain of multiply-adds over the columns in order (`matrix/product.rs`), so
//! each value is a function of its two rows alone: the same wherever they stand, in either order,
//! dense or sparse, for any blocks and threads.

use super::finish;
use super::measure::{Measure, Metric};
use super::pair_side::{Inverted, PairSide};
use crate::interrupt;
use crate::kernel::mercer::Kernel;
use crate::matrix::{Columns, Dense, DenseRef, Link, Product, Rows};
use crate::par;
use rayon::prelude::*;
use std::ops::Range;

/// Numbers packed at a time; blocks of more points are split.
const PACKED: usize = 1 << 20;
/// The fewest points packed at a time.
const FEWEST: usize = 12;
/// Tables with fewer than one number in so many places are multiplied by feature.
const THIN: usize = 16;
/// Rows that run together.
const ROWS: usize = 128;

/// What runs along the columns.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Chain {
    Product,
    Gaps,
    LargestGap,
}

/// acc + |x − w|.
struct Gaps;

impl Link for Gaps {
    #[inline(always)]
    fn link(x: f64, w: f64, acc: f64) -> f64 {
        acc + (x - w).abs()
    }
}

/// max(acc, |x − w|).
struct LargestGap;

impl Link for LargestGap {
    #[inline(always)]
    fn link(x: f64, w: f64, acc: f64) -> f64 {
        let gap = (x - w).abs();
        // Not f64::max: numbers are finite, and this is a single instruction.
        if gap > acc { gap } else { acc }
    }
}

/// Rows and points, ready to be measured.
#[allow(missing_debug_implementations)]
pub struct Pairs<'a> {
    pub(super) measure: Measure,
    pub(super) rows: PairSide<'a>,
    pub(super) points: PairSide<'a>,
}

/// Some points, laid out for many rows.
pub(crate) struct Packed {
    cols: Range<usize>,
    layout: Layout,
}

enum Layout {
    Columns(Columns),
    Inverted(Inverted),
}

impl<'a> Pairs<'a> {
    /// Rows against points of as many columns.
    pub fn new(measure: impl Into<Measure>, rows: &'a dyn Rows, points: &'a dyn Rows) -> Self {
        let mut pairs = Self::without_own(measure.into(), rows, points);
        if let Some(own) = finish::own(pairs.measure) {
            pairs.rows.set_own(&own);
            pairs.points.set_own(&own);
        }
        pairs
    }

    /// Rows against themselves.
    pub fn among(measure: impl Into<Measure>, rows: &'a dyn Rows) -> Self {
        let mut pairs = Self::without_own(measure.into(), rows, rows);
        if let Some(own) = finish::own(pairs.measure) {
            pairs.rows.set_own(&own);
            pairs.points.own.clone_from(&pairs.rows.own);
        }
        pairs
    }

    fn without_own(measure: Measure, rows: &'a dyn Rows, points: &'a dyn Rows) -> Self {
        debug_assert_eq!(rows.n_cols(), points.n_cols());
        // The same distance, without the way through the kernel.
        let linear = measure == Measure::Induced(Kernel::Linear);
        let measure = if linear { Metric::Euclidean.into() } else { measure };
        let centred = measure == Measure::Metric(Metric::Correlation);
        Self { measure, rows: PairSide::new(rows, centred), points: PairSide::new(points, centred) }
    }

    /// Writes the values of `rows` (one line each) with the points `cols`.
    pub fn block(&self, rows: Range<usize>, cols: Range<usize>, out: &mut [f64]) {
        let (width, from) = (self.group().min(cols.len().max(1)), cols.start);
        if width == cols.len() {
            return self.fill(rows, &self.pack(cols), out);
        }
        let mut part = vec![0.0; rows.len() * width];
        for group in par::chunks(cols.len(), width) {
            let part = &mut part[..rows.len() * group.len()];
            self.fill(rows.clone(), &self.pack(from + group.start..from + group.end), part);
            copy_columns(part, group, cols.len(), out);
        }
    }

    /// The whole matrix.
    pub fn matrix(&self) -> Dense {
        let m = self.points.rows().n_rows();
        let mut out = Dense::zeros(self.rows.rows().n_rows(), m);
        for group in par::chunks(m, self.group()) {
            let packed = self.pack(group.clone());
            let lines = out.data_mut().par_chunks_mut(ROWS * m).enumerate();
            lines.for_each(|(c, lines)| {
                let rows = c * ROWS..c * ROWS + lines.len() / m;
                if group.len() == m {
                    return self.fill(rows, &packed, lines);
                }
                let mut part = vec![0.0; rows.len() * group.len()];
                self.fill(rows, &packed, &mut part);
                copy_columns(&part, group.clone(), m, lines);
            });
        }
        out
    }

    /// How many points are packed at a time.
    pub(crate) fn group(&self) -> usize {
        (PACKED / self.points.rows().n_cols().max(1)).max(FEWEST)
    }

    pub(crate) fn pack(&self, cols: Range<usize>) -> Packed {
        let points = self.points.rows();
        if let (Chain::Product, Some(_), Some(x)) =
            (self.chain(), self.rows.rows().sparse(), points.sparse())
            && x.nnz() < x.rows() * x.cols() / THIN
        {
            return Packed { layout: Layout::Inverted(Inverted::of(x, cols.clone())), cols };
        }
        let mut buffer = Vec::new();
        let block = points.block(cols.clone(), &mut buffer);
        let view = DenseRef::new(cols.len(), points.n_cols(), block);
        let columns = Columns::pack(view.expect("a block has the shape of its range"));
        Packed { layout: Layout::Columns(columns), cols }
    }

    /// Writes the values of `rows` with the packed points.
    pub(crate) fn fill(&self, rows: Range<usize>, packed: &Packed, out: &mut [f64]) {
        interrupt::check();
        let (m, table) = (packed.cols.len(), self.rows.rows());
        if m == 0 {
            return;
        }
        if let (Chain::Product, Some(x)) = (self.chain(), table.sparse()) {
            for (i, line) in rows.zip(out.chunks_exact_mut(m)) {
                match &packed.layout {
                    Layout::Columns(columns) => columns.dots_sparse(x.row(i), line),
                    Layout::Inverted(points) => points.dots(x.row(i), line),
                }
                self.finish(i, packed.cols.clone(), line);
            }
            return;
        }
        let Layout::Columns(columns) = &packed.layout else {
            unreachable!("only sparse rows meet inverted points")
        };
        let mut buffer = Vec::new();
        // Rows that stay in the second-level cache beside a panel of points.
        let size = ((1 << 15) / table.n_cols().max(1) + 1).next_multiple_of(8);
        for sub in par::chunks(rows.len(), size) {
            let part = &mut out[sub.start * m..sub.end * m];
            let sub = rows.start + sub.start..rows.start + sub.end;
            let block = table.block(sub.clone(), &mut buffer);
            match self.chain() {
                Chain::Product => columns.chains::<Product>(block, part),
                Chain::Gaps => columns.chains::<Gaps>(block, part),
                Chain::LargestGap => columns.chains::<LargestGap>(block, part),
            }
            for (i, line) in sub.zip(part.chunks_exact_mut(m)) {
                self.finish(i, packed.cols.clone(), line);
            }
        }
    }

    fn chain(&self) -> Chain {
        match self.measure {
            Measure::Metric(Metric::Manhattan)
            | Measure::Kernel(Kernel::Laplacian { .. })
            | Measure::Induced(Kernel::Laplacian { .. }) => Chain::Gaps,
            Measure::Metric(Metric::Chebyshev) => Chain::LargestGap,
            _ => Chain::Product,
        }
    }
}

/// Puts the lines of `part` into the columns `group` of lines of length `m`.
fn copy_columns(part: &[f64], group: Range<usize>, m: usize, out: &mut [f64]) {
    for (from, to) in part.chunks_exact(group.len()).zip(out.chunks_exact_mut(m)) {
        to[group.clone()].copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests;

//! Rows that need not fit in memory: a fit that reads them block by block, as often as it needs.
//!
//! A [`Source`] gives blocks of rows in a fixed order. [`Clusterer::fit_source`](crate::Clusterer::fit_source) fits a
//! sample of the rows in memory, and improves its rule by passes over all rows. [`Passes`] is that loop without the
//! reading: a pass travels as bytes to where the rows are, its [`Sums`](crate::Sums) travel back, and
//! [`Passes::step`] makes the next pass of them. So Dask, Spark or anything else that maps and collects can drive it.

mod checkpoint;
mod fit;
mod judge;
mod passes;
mod training;

pub use checkpoint::Checkpoint;
pub use fit::draw;
pub use passes::{PIECE, Passes};
pub use training::{ClassPasses, ClassSource, class_sample, class_weights};

use crate::error::Error;
use separa_math::matrix::{Dense, DenseRef, MatrixRef};
use separa_math::rng::Rng;

/// Blocks of rows in a fixed order, which can be read again.
pub trait Source {
    /// What reading can end in.
    type Error: From<Error>;

    /// Features of every row.
    fn n_features(&self) -> usize;

    /// All rows, if that is known before they are read.
    fn n_rows(&self) -> Option<usize>;

    /// Goes back to the first block.
    fn rewind(&mut self) -> Result<(), Self::Error>;

    /// The next block, which can be empty; None after the last.
    fn next_block(&mut self) -> Result<Option<Dense>, Self::Error>;
}

/// The stream of the sample.
const STREAM: u64 = 0x736f;

/// Which of `n` rows a fit begins from: `m` of them, ascending; a function of the numbers and the seed.
pub fn sample(n: usize, m: usize, seed: u64) -> Vec<usize> {
    Rng::new(seed, STREAM).sample(n, m)
}

/// Rows in memory as a source, in blocks that end where they are told to.
#[derive(Debug, Clone)]
pub struct MemorySource<'a> {
    rows: DenseRef<'a>,
    /// The first row after each block.
    ends: Vec<usize>,
    next: usize,
}

impl<'a> MemorySource<'a> {
    /// Blocks of so many rows.
    pub fn new(rows: DenseRef<'a>, block: usize) -> Self {
        let ends = (0..rows.rows()).step_by(block.max(1));
        let ends = ends.map(|start| rows.rows().min(start + block.max(1))).collect();
        Self { rows, ends, next: 0 }
    }

    /// Blocks that end before these rows, ascending; the last ends with the last row.
    pub fn with_ends(rows: DenseRef<'a>, ends: Vec<usize>) -> Self {
        Self { rows, ends, next: 0 }
    }
}

impl Source for MemorySource<'_> {
    type Error = Error;

    fn n_features(&self) -> usize {
        self.rows.cols()
    }

    fn n_rows(&self) -> Option<usize> {
        Some(self.rows.rows())
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.next = 0;
        Ok(())
    }

    fn next_block(&mut self) -> Result<Option<Dense>, Error> {
        let Some(&end) = self.ends.get(self.next) else { return Ok(None) };
        let start = if self.next == 0 { 0 } else { self.ends[self.next - 1] };
        self.next += 1;
        let values = (start..end).flat_map(|i| self.rows.row(i)).copied().collect();
        Ok(Some(Dense::from_vec(end - start, self.rows.cols(), values)?))
    }
}

/// A block as the library takes rows.
fn matrix(block: &Dense) -> MatrixRef<'_> {
    block.view().into()
}

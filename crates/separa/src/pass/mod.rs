//! Iterations as passes over rows that need not fit in memory.
//!
//! A pass is one stateless map and one sum: every block of rows is labelled by the current rule and summed about
//! points that the rule brings along; the sums of blocks are added in the order of the blocks; the next rule follows
//! from the total. Labels are never stored. So the answer is a function of the rows, the boundaries of the blocks,
//! the parameters and the first rule, wherever a block is read and however often.

pub(crate) mod about;
mod sums;

pub use sums::Sums;

use crate::error::Result;
use crate::model::Model;
use crate::model_file::Tensors;
use crate::note::Note;
use crate::report::{Learnt, Stop};
use separa_math::matrix::MatrixRef;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Rows that are scaled and labelled together: their numbers stay in the first cache, and a buffer of them is small enough to
/// be used again. Larger ones go back to the system where memory is kept tight, as by Dask's workers, and the pages of each
/// are made anew: k-means took three times as long there.
pub(crate) fn few_rows(width: usize) -> usize {
    ((1 << 12) / width.max(1)).max(16)
}

/// What chunks of rows are worked on with, and used again: memory that is given back to the system for each of them costs
/// more than their sums do.
#[derive(Debug)]
pub(crate) struct Spare<T>(Mutex<Vec<T>>);

impl<T> Default for Spare<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Spare<T> {
    fn all(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn take(&self, new: impl FnOnce() -> T) -> T {
        let known = self.all().pop();
        known.unwrap_or_else(new)
    }

    pub fn put(&self, used: T) {
        self.all().push(used);
    }
}

/// A rule that is improved by passes over all rows.
pub trait PassRule: Send + Sync + std::fmt::Debug {
    /// What a block of rows adds to the sums, labelled by the current rule.
    fn sum(&self, block: MatrixRef<'_>) -> Result<Sums>;

    /// Goes on to the next rule by the sums of all rows. `Some` if the rule that made these sums is the last.
    fn step(&mut self, sums: &Sums) -> Result<Option<Stop>>;

    /// Numbers the clusters of the current rule anew: cluster i is the one that was `order[i]`.
    fn reorder(&mut self, order: &[usize]);

    /// The current rule.
    fn model(&self) -> Box<dyn Model>;

    /// All that another process needs to go on, [`Model::tensors`] of the current rule among it.
    fn tensors(&self) -> Tensors;

    /// The objective after each step.
    fn trace(&self) -> &[f64];

    /// Bytes of the sums of one block.
    fn sum_bytes(&self) -> u64;

    /// A copy.
    fn boxed(&self) -> Box<dyn PassRule>;
}

impl Clone for Box<dyn PassRule> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A classifier that all rows teach, in passes.
pub trait ClassPassRule: Send + Sync + std::fmt::Debug {
    /// Whether boundaries follow from all rows; otherwise those of the sample stand, and all rows measure them.
    fn takes_all_rows(&self) -> bool;

    /// What a block of rows with known classes adds to the sums.
    fn sum(&self, block: MatrixRef<'_>, classes: &[u32]) -> Result<Sums>;

    /// Ends a pass with the sums of all rows. Says whether it was the last.
    fn step(&mut self, sums: &Sums) -> Result<bool>;

    /// The current rule.
    fn model(&self) -> Box<dyn Model>;

    /// What is known of it.
    fn learnt(&self) -> &Learnt;

    /// What to say of boundaries that were learnt from all rows.
    fn notes(&self) -> &[Note];

    /// All that another process needs to go on, [`Model::tensors`] of the current rule among it.
    fn tensors(&self) -> Tensors;

    /// Bytes of the sums of one block.
    fn sum_bytes(&self) -> u64;

    /// A copy.
    fn boxed(&self) -> Box<dyn ClassPassRule>;
}

impl Clone for Box<dyn ClassPassRule> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

//! Kernel rows, whole or of the rows that take part.

use crate::linalg::SymRows;
use crate::optim::row_cache::{Lines, RowCache, RowSlot};

/// Whole rows where all take part; else copies of the places that do.
pub(super) struct KernelRows<'a> {
    whole: RowCache<'a>,
    parts: Lines,
    /// The rows that take part, where some do not.
    among: Option<Vec<usize>>,
}

impl<'a> KernelRows<'a> {
    /// Keeps `bytes` of rows: all of it copies where the kernel is stored, else half.
    pub fn new(kernel: &'a dyn SymRows, bytes: usize) -> Self {
        let n = kernel.size();
        let lines = bytes / (n.max(1) * size_of::<f64>());
        let stored = n > 0 && kernel.stored_row(0).is_some();
        let capacity = if stored { lines } else { lines / 2 };
        Self { whole: RowCache::new(kernel, capacity), parts: Lines::new(n, capacity), among: None }
    }

    /// Row i of the kernel at the places that take part.
    pub fn fetch(&mut self, i: usize) -> RowSlot {
        let Some(among) = &self.among else { return self.whole.fetch(i) };
        RowSlot::Line(self.parts.fetch(i, among.len(), |line| {
            let place = self.whole.fetch(i);
            let row = self.whole.row(place);
            line.iter_mut().zip(among).for_each(|(to, &j)| *to = row[j]);
        }))
    }

    pub fn row(&self, place: RowSlot) -> &[f64] {
        match place {
            RowSlot::Line(place) if self.among.is_some() => self.parts.line(place),
            _ => self.whole.row(place),
        }
    }

    /// All of row i, whoever takes part.
    pub fn whole(&mut self, i: usize) -> &[f64] {
        let place = self.whole.fetch(i);
        self.whole.row(place)
    }

    /// From now on only `rows` take part, which are those at the places `keep` of the present ones.
    pub fn narrow(&mut self, rows: &[usize], keep: &[usize]) {
        if self.among.is_some() {
            self.parts.narrow(keep);
        }
        self.among = Some(rows.to_vec());
    }

    /// All take part again.
    pub fn widen(&mut self) {
        self.parts.clear();
        self.among = None;
    }
}

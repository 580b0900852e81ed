//! The rows of a matrix that were asked for last.

use crate::linalg::SymRows;

const NOWHERE: usize = usize::MAX;

/// Where a row lies until two others were fetched.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Stored(usize),
    Slot(usize),
}

/// Keeps rows that are made on demand; rows that are stored anyway pass through.
pub(super) struct RowCache<'a> {
    a: &'a dyn SymRows,
    n: usize,
    slots: Vec<f64>,
    /// The row in each slot, and when it was fetched last.
    holds: Vec<(usize, u64)>,
    slot_of: Vec<usize>,
    capacity: usize,
    clock: u64,
}

impl<'a> RowCache<'a> {
    /// At least two rows, so that a pair can be read at once.
    pub fn new(a: &'a dyn SymRows, capacity: usize) -> Self {
        let n = a.size();
        Self {
            a,
            n,
            slots: Vec::new(),
            holds: Vec::new(),
            slot_of: vec![NOWHERE; n],
            capacity: capacity.clamp(2, n.max(2)),
            clock: 0,
        }
    }

    pub fn fetch(&mut self, i: usize) -> Place {
        if self.a.stored_row(i).is_some() {
            return Place::Stored(i);
        }
        self.clock += 1;
        let mut slot = self.slot_of[i];
        if slot == NOWHERE {
            slot = self.free_slot();
            self.a.copy_row(i, &mut self.slots[slot * self.n..(slot + 1) * self.n]);
            self.slot_of[i] = slot;
        }
        self.holds[slot] = (i, self.clock);
        Place::Slot(slot)
    }

    pub fn row(&self, place: Place) -> &[f64] {
        match place {
            Place::Stored(i) => self.a.stored_row(i).expect("fetch saw it"),
            Place::Slot(slot) => &self.slots[slot * self.n..(slot + 1) * self.n],
        }
    }

    /// A new slot, or that of the row that was not asked for the longest.
    fn free_slot(&mut self) -> usize {
        if self.holds.len() < self.capacity {
            self.slots.resize((self.holds.len() + 1) * self.n, 0.0);
            self.holds.push((NOWHERE, 0));
            return self.holds.len() - 1;
        }
        let oldest = self.holds.iter().enumerate().min_by_key(|(_, (_, used))| *used);
        let (slot, &(row, _)) = oldest.expect("a cache has two slots");
        self.slot_of[row] = NOWHERE;
        slot
    }
}

//! The rows of a matrix that were asked for last.

use crate::linalg::SymRows;

const NOWHERE: usize = usize::MAX;

/// Lines of numbers by key, the least recently used making room for new ones.
pub(super) struct Lines {
    lines: Vec<Vec<f64>>,
    /// The key of each line, and when it was fetched last.
    holds: Vec<(usize, u64)>,
    line_of: Vec<usize>,
    capacity: usize,
    clock: u64,
}

impl Lines {
    /// Keys are below `keys`. At least two lines, so that a pair can be read at once.
    pub fn new(keys: usize, capacity: usize) -> Self {
        Self {
            lines: Vec::new(),
            holds: Vec::new(),
            line_of: vec![NOWHERE; keys],
            capacity: capacity.clamp(2, keys.max(2)),
            clock: 0,
        }
    }

    /// Where the line of `key` is until two others were fetched; `fill` makes it where it is absent.
    pub fn fetch(&mut self, key: usize, length: usize, fill: impl FnOnce(&mut [f64])) -> usize {
        self.clock += 1;
        let mut place = self.line_of[key];
        if place == NOWHERE {
            place = self.free_line();
            self.lines[place].resize(length, 0.0);
            fill(&mut self.lines[place]);
            self.line_of[key] = place;
        }
        self.holds[place] = (key, self.clock);
        place
    }

    pub fn line(&self, place: usize) -> &[f64] {
        &self.lines[place]
    }

    /// Keeps of every line the entries `keep`, which ascend.
    pub fn narrow(&mut self, keep: &[usize]) {
        for line in &mut self.lines {
            keep.iter().enumerate().for_each(|(to, &from)| line[to] = line[from]);
            line.truncate(keep.len());
        }
    }

    pub fn clear(&mut self) {
        self.lines.clear();
        self.holds.clear();
        self.line_of.fill(NOWHERE);
    }

    /// A new line, or that of the key that was not asked for the longest.
    fn free_line(&mut self) -> usize {
        if self.lines.len() < self.capacity {
            self.lines.push(Vec::new());
            self.holds.push((NOWHERE, 0));
            return self.lines.len() - 1;
        }
        let oldest = self.holds.iter().enumerate().min_by_key(|(_, (_, used))| *used);
        let (place, &(key, _)) = oldest.expect("there are two lines");
        self.line_of[key] = NOWHERE;
        place
    }
}

/// Where a row lies until two others were fetched.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowSlot {
    Stored(usize),
    Line(usize),
}

/// Keeps rows that are made on demand; rows that are stored anyway pass through.
pub(super) struct RowCache<'a> {
    a: &'a dyn SymRows,
    lines: Lines,
}

impl<'a> RowCache<'a> {
    pub fn new(a: &'a dyn SymRows, capacity: usize) -> Self {
        Self { a, lines: Lines::new(a.size(), capacity) }
    }

    pub fn fetch(&mut self, i: usize) -> RowSlot {
        if self.a.stored_row(i).is_some() {
            return RowSlot::Stored(i);
        }
        RowSlot::Line(self.lines.fetch(i, self.a.size(), |line| self.a.copy_row(i, line)))
    }

    pub fn row(&self, place: RowSlot) -> &[f64] {
        match place {
            RowSlot::Stored(i) => self.a.stored_row(i).expect("fetch saw it"),
            RowSlot::Line(place) => self.lines.line(place),
        }
    }
}

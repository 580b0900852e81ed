//! One chunk of rows in an iteration: which rows to read, their scores, their moves.

use super::bounds::Ledger;
use super::nearest::Nearest;
use super::tally::Tally;
use crate::matrix::Rows;

/// A label that no row keeps.
pub(super) const NONE: u32 = u32::MAX;
/// Scattered rows scored together.
const BATCH: usize = 8;

/// The work on one chunk of rows.
pub(super) struct Chunk<'a> {
    pub rows: &'a dyn Rows,
    pub weights: Option<&'a [f64]>,
    pub rule: &'a Nearest,
    pub ledger: Option<Ledger<'a>>,
    pub first: usize,
    pub labels: &'a mut [u32],
    /// The ledger's numbers of these rows.
    pub stored: &'a mut [f64],
    pub changed: usize,
    pub delta: Option<Tally>,
}

impl Chunk<'_> {
    pub fn run(mut self) -> (usize, Option<Tally>) {
        let open = self.open();
        if let Some(x) = self.rows.sparse() {
            let mut scores = vec![0.0; self.rule.width()];
            for r in open {
                let row = x.row(self.first + r);
                self.rule.score_sparse(row, &mut scores);
                self.note(r, &scores, |t, l, w| t.add_sparse(l, w, row));
            }
        } else if open.len() == self.labels.len() {
            self.whole();
        } else {
            self.scattered(&open);
        }
        (self.changed, self.delta)
    }

    /// The rows that may change their label.
    fn open(&self) -> Vec<usize> {
        let all = 0..self.labels.len();
        let Some(ledger) = &self.ledger else { return all.collect() };
        let width = self.stored.len() / self.labels.len();
        all.filter(|&r| {
            let stored = &self.stored[r * width..(r + 1) * width];
            self.labels[r] == NONE || !ledger.settled(self.first + r, self.labels[r], stored)
        })
        .collect()
    }

    fn whole(&mut self) {
        let (d, m) = (self.rows.n_cols(), self.rule.width());
        // Blocks that stay in the second-level cache between scoring and summing.
        let size = (1 << 15) / d.max(1) + BATCH;
        let mut scores = vec![0.0; size.min(self.labels.len()) * m];
        let mut buffer = Vec::new();
        for start in (0..self.labels.len()).step_by(size) {
            let end = (start + size).min(self.labels.len());
            let block = self.rows.block(self.first + start..self.first + end, &mut buffer);
            let scores = &mut scores[..(end - start) * m];
            self.rule.score_block(block, scores);
            for (r, line) in (start..end).zip(scores.chunks_exact(m)) {
                let row = &block[(r - start) * d..(r - start + 1) * d];
                self.note(r, line, |t, l, w| t.add(l, w, row));
            }
        }
    }

    fn scattered(&mut self, open: &[usize]) {
        let (rows, m) = (self.rows, self.rule.width());
        let mut buffers: [Vec<f64>; BATCH] = Default::default();
        let mut scores = vec![0.0; BATCH * m];
        for batch in open.chunks(BATCH) {
            let mut lines: [&[f64]; BATCH] = [&[]; BATCH];
            for ((line, buffer), r) in lines.iter_mut().zip(&mut buffers).zip(batch) {
                *line = rows.block(self.first + r..self.first + r + 1, buffer);
            }
            let scores = &mut scores[..batch.len() * m];
            self.rule.score_lines(&lines[..batch.len()], scores);
            for ((&r, line), row) in batch.iter().zip(scores.chunks_exact(m)).zip(lines) {
                self.note(r, line, |t, l, w| t.add(l, w, row));
            }
        }
    }

    /// Records the label that a row's scores choose, and its move where it is one.
    #[inline]
    fn note(&mut self, r: usize, scores: &[f64], add: impl Fn(&mut Tally, u32, f64)) {
        let (new, old) = (self.rule.pick(scores), self.labels[r]);
        if let Some(ledger) = &self.ledger {
            let width = self.stored.len() / self.labels.len();
            ledger.renew(self.first + r, new, scores, &mut self.stored[r * width..(r + 1) * width]);
        }
        if old == new {
            return;
        }
        self.labels[r] = new;
        self.changed += 1;
        let w = self.weights.map_or(1.0, |w| w[self.first + r]);
        if w > 0.0 {
            let (k, d) = (self.rule.count(), self.rows.n_cols());
            let delta = self.delta.get_or_insert_with(|| Tally::new(k, d));
            if old != NONE {
                add(delta, old, -w);
            }
            add(delta, new, w);
        }
    }
}

//! One round of Lloyd's algorithm: nearest point, and the sums of the rows that each point wins.

use super::gaps::{Gaps, Ledger};
use super::nearest::Nearest;
use super::spread::{Spread, square_distance};
use super::tally::Tally;
use crate::matrix::{Dense, Rows};
use crate::par;
use rayon::prelude::*;

/// A label that no row keeps.
const NONE: u32 = u32::MAX;
/// Multiply-adds a row from which a look at the bounds is cheaper than the scores, as measured.
const WORTH_SKIPPING: usize = 640;
/// Scattered rows scored together.
const BATCH: usize = 8;

/// Rows with their labels and, for every label, the weighted sum of its rows.
///
/// The sums follow the labels: a round adds and subtracts the rows that moved, chunk by chunk in
/// order, so the numbers do not depend on the threads.
#[allow(missing_debug_implementations)]
pub struct Partition<'a> {
    rows: &'a dyn Rows,
    weights: Option<&'a [f64]>,
    labels: Vec<u32>,
    tally: Tally,
    gaps: Option<Gaps<'a>>,
}

impl<'a> Partition<'a> {
    /// Rows without labels. With a `spread`, rounds skip the rows that keep theirs for certain; the
    /// answer is the same bit for bit.
    pub fn new(
        rows: &'a dyn Rows,
        weights: Option<&'a [f64]>,
        k: usize,
        spread: Option<&'a Spread>,
    ) -> Self {
        let labels = vec![NONE; rows.n_rows()];
        let worth = rows.n_cols() * k >= WORTH_SKIPPING && 4 * k < rows.n_rows();
        let gaps = spread.filter(|_| worth).map(|s| Gaps::new(s, k));
        Self { rows, weights, labels, tally: Tally::new(k, rows.n_cols()), gaps }
    }

    pub fn labels(&self) -> &[u32] {
        &self.labels
    }
    pub fn into_labels(self) -> Vec<u32> {
        self.labels
    }
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Gives every row its nearest point and returns how many labels changed.
    pub fn assign(&mut self, points: &Dense) -> usize {
        let rule = &Nearest::new(points);
        let (rows, weights) = (self.rows, self.weights);
        let mut none = [];
        let (groups, stored, ledger) = match &mut self.gaps {
            Some(gaps) => {
                gaps.advance(points);
                let groups = gaps.groups();
                let (stored, ledger) = gaps.split();
                (groups, stored, Some(ledger))
            }
            None => (0, none.as_mut_slice(), None),
        };
        let wave = wave(points.rows() * points.cols()) * par::CHUNK;
        let mut stored = stored.chunks_mut((par::CHUNK * groups).max(1));
        let mut changed = 0;
        for (w, group) in self.labels.chunks_mut(wave).enumerate() {
            let work: Vec<_> = group
                .chunks_mut(par::CHUNK)
                .enumerate()
                .map(|(c, labels)| {
                    (w * wave + c * par::CHUNK, labels, stored.next().unwrap_or_default())
                })
                .collect();
            let parts: Vec<_> = work
                .into_par_iter()
                .map(|(first, labels, stored)| {
                    let chunk = Chunk {
                        rows,
                        weights,
                        rule,
                        ledger,
                        first,
                        labels,
                        stored,
                        changed: 0,
                        delta: None,
                    };
                    chunk.run()
                })
                .collect();
            for (count, delta) in parts {
                changed += count;
                delta.iter().for_each(|t| self.tally.merge(t));
            }
        }
        changed
    }

    /// Moves one row to another label.
    pub fn relabel(&mut self, i: usize, label: u32) {
        let mut row = vec![0.0; self.rows.n_cols()];
        self.rows.copy_row(i, &mut row);
        let w = self.weights.map_or(1.0, |w| w[i]);
        self.tally.add(self.labels[i], -w, &row);
        if self.tally.count[label as usize] == 0 {
            self.tally.clear(label as usize);
        }
        self.tally.add(label, w, &row);
        self.labels[i] = label;
        self.gaps.iter_mut().for_each(|g| g.forget(i));
    }
}

/// ‖x − c‖² of every row to the point of its label, by differences: no digits are lost.
pub fn squares(rows: &dyn Rows, labels: &[u32], points: &Dense) -> Vec<f64> {
    let mut out = vec![0.0; labels.len()];
    par::fill_chunks(&mut out, 1, |range, part| {
        let mut buffer = Vec::new();
        for (i, square) in range.zip(part) {
            let row = rows.block(i..i + 1, &mut buffer);
            *square = square_distance(row, points.row(labels[i] as usize));
        }
    });
    out
}

/// Chunks whose results may be alive together; the answer does not depend on it.
fn wave(values: usize) -> usize {
    let threads = rayon::current_num_threads().max(1);
    ((1 << 23) / values.max(1)).clamp(2 * threads, 16 * threads)
}

/// The work on one chunk of rows.
struct Chunk<'a> {
    rows: &'a dyn Rows,
    weights: Option<&'a [f64]>,
    rule: &'a Nearest,
    ledger: Option<Ledger<'a>>,
    first: usize,
    labels: &'a mut [u32],
    /// The ledger's numbers of these rows.
    stored: &'a mut [f64],
    changed: usize,
    delta: Option<Tally>,
}

impl Chunk<'_> {
    fn run(mut self) -> (usize, Option<Tally>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sparse_copy;
    use crate::rng::Rng;
    use proptest::prelude::*;

    /// Blobs about k points, some of the numbers zero.
    fn blobs(n: usize, d: usize, k: usize, offset: f64, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let centers: Vec<f64> = (0..k * d).map(|_| 2.0 * rng.normal()).collect();
        let mut x = Dense::zeros(n, d);
        for i in 0..n {
            let c = rng.below(k);
            for (j, v) in x.row_mut(i).iter_mut().enumerate() {
                let value = offset + centers[c * d + j] + rng.normal();
                *v = if rng.below(4) == 0 { 0.0 } else { value };
            }
        }
        x
    }

    /// Lloyd rounds; the labels and centres of every round.
    fn rounds(
        mut state: Partition<'_>,
        mut points: Dense,
        count: usize,
    ) -> Vec<(usize, Vec<u32>, Dense)> {
        let mut seen = Vec::new();
        for _ in 0..count {
            let changed = state.assign(&points);
            let tally = state.tally();
            for c in (0..points.rows()).filter(|&c| tally.count[c] > 0) {
                let sums = tally.sums.row(c);
                points.row_mut(c).iter_mut().zip(sums).for_each(|(p, s)| *p = s / tally.mass[c]);
            }
            seen.push((changed, state.labels().to_vec(), points.clone()));
        }
        seen
    }

    fn first_rows(x: &Dense, k: usize) -> Dense {
        crate::matrix::pick(x, &(0..k).collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn skipping_sparse_storage_and_threads_change_no_bit(
            k in 1usize..40, wide in 0usize..3, offset in 0usize..2, seed in 0u64..1000
        ) {
            // Enough columns that bounds are kept, and a number of rows that ends within a chunk.
            let (n, d) = (2300, WORTH_SKIPPING.div_ceil(k) + 7 * wide);
            let x = blobs(n, d, k.min(6), 100.0 * offset as f64, seed);
            let weights: Vec<f64> = (0..n).map(|i| (i % 3) as f64 * 0.7).collect();
            let weights = (seed % 2 == 0).then_some(weights.as_slice());
            let spread = Spread::of(&x, weights);
            let slow = rounds(Partition::new(&x, weights, k, None), first_rows(&x, k), 12);
            let fast = Partition::new(&x, weights, k, Some(&spread));
            prop_assert!(fast.gaps.is_some());
            prop_assert_eq!(&rounds(fast, first_rows(&x, k), 12), &slow);
            let sparse = sparse_copy(&x);
            let view = sparse.view();
            let state = Partition::new(&view, weights, k, Some(&spread));
            prop_assert_eq!(&rounds(state, first_rows(&x, k), 12), &slow);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
            let pooled = pool.install(|| {
                rounds(Partition::new(&x, weights, k, Some(&spread)), first_rows(&x, k), 12)
            });
            prop_assert_eq!(&pooled, &slow);
        }
    }

    #[test]
    fn rows_that_cannot_move_are_not_read_again() {
        let x = blobs(2000, 80, 8, 0.0, 3);
        let spread = Spread::of(&x, None);
        let mut state = Partition::new(&x, None, 8, Some(&spread));
        let points = first_rows(&x, 8);
        state.assign(&points);
        let gaps = state.gaps.as_mut().unwrap();
        gaps.advance(&points);
        let (width, labels) = (gaps.groups(), &state.labels);
        let (stored, ledger) = gaps.split();
        let settled =
            |i: &usize| ledger.settled(*i, labels[*i], &stored[i * width..(i + 1) * width]);
        assert!((0..2000).filter(settled).count() >= 1990);
    }

    #[test]
    fn the_tally_is_that_of_the_labels_after_many_moves() {
        let x = blobs(1500, 90, 8, 0.0, 4);
        let mut state = Partition::new(&x, None, 8, None);
        for shift in 0..5 {
            state.assign(&crate::matrix::pick(&x, &(shift..shift + 8).collect::<Vec<_>>()));
        }
        state.relabel(7, 3);
        let labels: Vec<i32> = state.labels().iter().map(|&l| l as i32).collect();
        let fresh = Tally::of(&x, None, &labels, 8);
        assert_eq!((&state.tally().count, &state.tally().mass), (&fresh.count, &fresh.mass));
        for (a, b) in state.tally().sums.data().iter().zip(fresh.sums.data()) {
            // A few moves of 1500 rows of size 4 each.
            assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
    }
}

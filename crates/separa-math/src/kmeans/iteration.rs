//! One iteration of Lloyd's algorithm: nearest point, and the sums of the rows that each point wins.

use super::bounds::Gaps;
use super::chunk::{Chunk, NONE};
use super::nearest::Nearest;
use super::spread::Spread;
use super::tally::Tally;
use crate::distance::square_distance;
use crate::interrupt;
use crate::matrix::{Dense, Rows};
use crate::par;
use rayon::prelude::*;

/// Multiply-adds a row from which a look at the bounds is cheaper than the scores, as measured.
const WORTH_SKIPPING: usize = 640;

/// Rows with their labels and, for every label, the weighted sum of its rows.
///
/// The sums follow the labels: an iteration adds and subtracts the rows that moved, chunk by chunk in
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
    /// Rows without labels. With a `spread`, iterations skip the rows that keep theirs for certain; the
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

    /// The nearest centre of each row.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }
    /// As [`Self::labels`].
    pub fn into_labels(self) -> Vec<u32> {
        self.labels
    }
    /// Sums and masses of the clusters.
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
                    interrupt::check();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::test_tables::sparse_copy;
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

    /// Lloyd iterations; the labels and centres of every iteration.
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
        let fresh = Tally::of(&x, None, state.labels(), 8);
        assert_eq!((&state.tally().count, &state.tally().mass), (&fresh.count, &fresh.mass));
        for (a, b) in state.tally().sums.data().iter().zip(fresh.sums.data()) {
            // A few moves of 1500 rows of size 4 each.
            assert!((a - b).abs() < 1e-10, "{a} {b}");
        }
    }
}

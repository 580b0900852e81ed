//! Which rows a search reads: all of them, or windows of the sequences of a long table.

use separa_math::chain::Sequences;
use separa_math::rng::Rng;
use std::ops::Range;

/// Rows that are searched before all of them are.
const SAMPLE: usize = 8192;
/// Rows of one window at most: long enough that what is cut off at its ends counts little.
const WINDOW: usize = 256;

/// Some rows of a table as a table of their own.
pub(super) struct Windows {
    /// The rows, ascending.
    pub index: Vec<usize>,
    pub sequences: Sequences,
    /// Of every sequence, as in the whole table but summing to 1 over the rows.
    pub weights: Vec<f64>,
}

/// Windows drawn by the seed; None where all rows are few enough. Sequences without weight take no part.
pub(super) fn windows(sequences: &Sequences, weights: &[f64], seed: u64) -> Option<Windows> {
    let counted = || sequences.ranges().iter().zip(weights).filter(|(_, w)| **w > 0.0);
    if counted().map(|(range, _)| range.len()).sum::<usize>() <= SAMPLE {
        return None;
    }
    let cut = |(range, weight): (&Range<usize>, &f64)| {
        let (range, weight) = (range.clone(), *weight);
        let ends = range.clone().step_by(WINDOW);
        ends.map(move |start| (start..(start + WINDOW).min(range.end), weight))
    };
    let mut all: Vec<(Range<usize>, f64)> = counted().flat_map(cut).collect();
    Rng::new(seed, 0x77696e).shuffle(&mut all);
    let mut rows = 0;
    let enough = all.iter().position(|(range, _)| {
        rows += range.len();
        rows >= SAMPLE
    });
    all.truncate(enough.map_or(all.len(), |last| last + 1));
    all.sort_by_key(|(range, _)| range.start);
    let total: f64 = all.iter().map(|(range, weight)| weight * range.len() as f64).sum();
    let mut next = 0;
    let ranges = all.iter().map(|(range, _)| {
        let own = next..next + range.len();
        next = own.end;
        own
    });
    let sequences = Sequences::new(ranges.collect());
    Some(Windows {
        index: all.iter().flat_map(|(range, _)| range.clone()).collect(),
        sequences,
        weights: all.iter().map(|(_, weight)| weight / total).collect(),
    })
}

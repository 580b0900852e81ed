//! The one way to run in parallel: constant chunks, mapped on the current pool, folded in order. Every chunk is an
//! occasion to end the work.

use crate::interrupt;
use rayon::prelude::*;
use std::ops::Range;

/// Rows per chunk. Constant, because the order of every sum follows from it.
pub const CHUNK: usize = 1024;

/// The chunks of `0..n`.
pub fn chunks(n: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n.div_ceil(size)).map(move |c| c * size..((c + 1) * size).min(n))
}

/// Maps every chunk in parallel and folds the results in chunk order.
///
/// Chunks run in waves of a few per thread, so at most one wave of results is alive; the wave's
/// size follows the pool but the order of the fold does not.
pub fn fold_chunks<T: Send>(n: usize, map: impl Fn(Range<usize>) -> T + Sync, fold: impl FnMut(T)) {
    fold_chunks_of(n, CHUNK, map, fold);
}

/// As [`fold_chunks`], by chunks of `size` rows: a constant of the task, never of the machine.
pub fn fold_chunks_of<T: Send>(
    n: usize,
    size: usize,
    map: impl Fn(Range<usize>) -> T + Sync,
    mut fold: impl FnMut(T),
) {
    // One chunk: not worth a visit to the pool.
    if (1..=size).contains(&n) {
        interrupt::check();
        return fold(map(0..n));
    }
    let map = |range| {
        interrupt::check();
        map(range)
    };
    let ranges: Vec<_> = chunks(n, size).collect();
    let wave = rayon::current_num_threads().max(1);
    for group in ranges.chunks(wave) {
        let parts: Vec<T> = group.par_iter().map(|r| map(r.clone())).collect();
        parts.into_iter().for_each(&mut fold);
    }
}

/// Fills `out` (`width` values a row) chunk by chunk in parallel.
pub fn fill_chunks<T: Send>(
    out: &mut [T],
    width: usize,
    fill: impl Fn(Range<usize>, &mut [T]) + Sync,
) {
    if width == 0 {
        return;
    }
    if (1..=CHUNK * width).contains(&out.len()) {
        interrupt::check();
        return fill(0..out.len() / width, out);
    }
    out.par_chunks_mut(CHUNK * width).enumerate().for_each(|(c, part)| {
        interrupt::check();
        let start = c * CHUNK;
        fill(start..start + part.len() / width, part);
    });
}

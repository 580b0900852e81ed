//! Few long vectors as rows of one buffer: the sums behind a Krylov basis, by constant chunks.

use super::multiply_add;
use crate::interrupt;
use crate::matrix::Dense;
use crate::par;
use crate::rng::Rng;
use rayon::prelude::*;
use std::ops::Range;

const LANES: usize = 8;
/// Rows that share one pass over another row.
const GROUP: usize = 4;

/// (a, b) ↦ a bᵀ for rows of length n.
pub(super) fn dots(a: &[f64], b: &[f64], n: usize) -> Dense {
    let (rows, cols) = (a.len() / n, b.len() / n);
    let mut out = Dense::zeros(rows, cols);
    let places: Vec<Range<usize>> = par::chunks(n, par::CHUNK).collect();
    let part = |at: &Range<usize>| {
        interrupt::check();
        let mut sums = Vec::with_capacity(rows * cols);
        for a in a.chunks_exact(n).map(|a| &a[at.clone()]) {
            for group in b.chunks(GROUP * n) {
                let line = |q: usize| &group[q * n..(q + 1) * n][at.clone()];
                match group.len() / n {
                    1 => sums.extend(dot_group(a, [line(0)])),
                    2 => sums.extend(dot_group(a, [line(0), line(1)])),
                    3 => sums.extend(dot_group(a, [line(0), line(1), line(2)])),
                    _ => sums.extend(dot_group(a, [line(0), line(1), line(2), line(3)])),
                }
            }
        }
        sums
    };
    // One chunk is not worth a visit to the pool. The parts are small: all are kept, in order.
    let parts: Vec<Vec<f64>> = if places.len() < 2 {
        places.iter().map(part).collect()
    } else {
        places.par_iter().map(part).collect()
    };
    for part in parts {
        out.data_mut().iter_mut().zip(part).for_each(|(o, p)| *o += p);
    }
    out
}

/// a · b for a few b at once, in lanes folded in order; each sum is a function of a and its b alone.
#[inline]
fn dot_group<const G: usize>(a: &[f64], b: [&[f64]; G]) -> [f64; G] {
    let mut acc = [[0.0; LANES]; G];
    let (heads, rest) = a.as_chunks::<LANES>();
    let b = b.map(|b| b.as_chunks::<LANES>());
    for (c, x) in heads.iter().enumerate() {
        for g in 0..G {
            let y = &b[g].0[c];
            (0..LANES).for_each(|l| acc[g][l] = multiply_add(x[l], y[l], acc[g][l]));
        }
    }
    std::array::from_fn(|g| {
        let tail: f64 = rest.iter().zip(b[g].1).map(|(x, y)| x * y).sum();
        acc[g].iter().sum::<f64>() + tail
    })
}

/// ‖row‖.
pub(super) fn length_of(row: &[f64]) -> f64 {
    dots(row, row, row.len())[(0, 0)].sqrt()
}

/// Row r of `out` += Σ_j weight(r, j) · row j of `basis`.
pub(super) fn add_combinations(
    out: &mut [f64],
    basis: &[f64],
    n: usize,
    weight: impl Fn(usize, usize) -> f64 + Sync,
) {
    let mut pieces: Vec<(usize, usize, &mut [f64])> = Vec::new();
    for (r, row) in out.chunks_exact_mut(n).enumerate() {
        pieces.extend(row.chunks_mut(par::CHUNK).enumerate().map(|(c, piece)| (r, c, piece)));
    }
    let fill = |(r, c, piece): (usize, usize, &mut [f64])| {
        interrupt::check();
        let at = c * par::CHUNK..c * par::CHUNK + piece.len();
        // Four rows a pass: the sums are read and written a quarter as often.
        for (g, rows) in basis.chunks(GROUP * n).enumerate() {
            let count = rows.len() / n;
            let line = |q: usize| &rows[q * n..(q + 1) * n][at.clone()];
            let w = |q: usize| weight(r, GROUP * g + q);
            if count < GROUP {
                (0..count).for_each(|q| add_one(piece, line(q), w(q)));
            } else {
                add_four(piece, [line(0), line(1), line(2), line(3)], [w(0), w(1), w(2), w(3)]);
            }
        }
    };
    if n <= par::CHUNK {
        pieces.into_iter().for_each(fill);
    } else {
        pieces.into_par_iter().for_each(fill);
    }
}

fn add_one(out: &mut [f64], row: &[f64], w: f64) {
    out.iter_mut().zip(row).for_each(|(o, v)| *o = multiply_add(w, *v, *o));
}

fn add_four(out: &mut [f64], [a, b, c, d]: [&[f64]; 4], w: [f64; 4]) {
    for ((((o, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let left = multiply_add(w[1], *b, multiply_add(w[0], *a, *o));
        *o = multiply_add(w[3], *d, multiply_add(w[2], *c, left));
    }
}

/// Takes the span of the orthonormal rows `basis` away from the rows of `f`; returns basis · fᵀ.
pub(super) fn subtract_span(f: &mut [f64], basis: &[f64], n: usize) -> Dense {
    let h = dots(basis, f, n);
    add_combinations(f, basis, n, |r, j| -h[(j, r)]);
    h
}

/// Rows that continue an orthonormal set.
pub(super) struct NextBlock {
    /// Orthonormal, and orthogonal to what they continue.
    pub(super) rows: Vec<f64>,
    /// f = weights · rows, up to what was dropped as rounding noise.
    pub(super) weights: Dense,
}

/// Makes the rows of `f`, which are orthogonal to `held` already, orthonormal.
///
/// A row no longer than `noise` is rounding error and depends on the others: a random one takes its
/// place, so that the block keeps its width and what no product reaches is still looked at. Fewer
/// rows come back only where the space has no more.
pub(super) fn next_block(
    f: &[f64],
    held: &[f64],
    n: usize,
    noise: f64,
    rng: &mut Rng,
) -> NextBlock {
    let width = (f.len() / n).min(n - held.len() / n);
    let mut rows: Vec<f64> = Vec::with_capacity(width * n);
    for row in f.chunks_exact(n).take(width) {
        let mut row = row.to_vec();
        let before = length_of(&row);
        (0..2).for_each(|_| drop(subtract_span(&mut row, &rows, n)));
        // Where little is left, rounding of what was taken away is a large fraction of it.
        let mut length = length_of(&row);
        if length < 0.1 * before || length < 1e4 * noise {
            length = clean(&mut row, held, &rows, n);
        }
        if length <= noise {
            row.iter_mut().for_each(|v| *v = rng.normal());
            length = clean(&mut row, held, &rows, n);
            let drawn = (n as f64).sqrt();
            if length <= 1e-8 * drawn {
                continue;
            }
        }
        row.iter_mut().for_each(|v| *v /= length);
        rows.extend_from_slice(&row);
    }
    let weights = dots(f, &rows, n);
    NextBlock { rows, weights }
}

/// Makes `row` orthogonal to two orthonormal sets and returns its length.
fn clean(row: &mut [f64], held: &[f64], rows: &[f64], n: usize) -> f64 {
    for _ in 0..3 {
        subtract_span(row, held, n);
        subtract_span(row, rows, n);
    }
    length_of(row)
}

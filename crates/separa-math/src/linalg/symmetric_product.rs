//! Products with a [`SymMatrix`]: every stored entry is read once and used twice.

use super::band::{Band, Entry};
use super::symmetric::{Store, SymMatrix};
use super::{SymOp, multiply_add};
use crate::interrupt;
use rayon::prelude::*;
use std::ops::Range;

/// Rows that share one pass over a vector and its image.
const GROUP: usize = 4;
const LANES: usize = 8;
/// Sums of one group for one vector, in lanes that are folded in order at the end.
type Sums = [[f64; LANES]; GROUP];

impl SymOp for SymMatrix {
    fn dim(&self) -> usize {
        self.n()
    }

    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }

    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        match &self.store {
            Store::Single(bands) => multiply(bands, self.n(), x, out),
            Store::Double(bands) => multiply(bands, self.n(), x, out),
        }
    }
}

/// Each row of `out` ← A · the same row of `x`.
///
/// Cost      n²/2 entries read, n² multiply-adds a vector. A band adds to the images of its own rows
/// and, for the mirror, to those of all rows before it. The latter go to a buffer of the band, and
/// the buffers are added in the order of the bands, so the bits do not follow the threads.
fn multiply<T: Entry>(bands: &[Band<T>], n: usize, x: &[f64], out: &mut [f64]) {
    if n == 0 {
        return;
    }
    // A few bands a worker: its buffers stay small, and the pool waits for the last one only.
    let wave = 8 * rayon::current_num_threads().max(1);
    out.fill(0.0);
    for group in bands.chunks(wave) {
        let parts: Vec<Vec<f64>> =
            group.par_iter().rev().with_max_len(1).map(|band| band_images(band, n, x)).collect();
        for (band, part) in group.iter().zip(parts.iter().rev()) {
            let end = band.rows.end;
            for (image, sums) in out.chunks_exact_mut(n).zip(part.chunks_exact(end)) {
                image.iter_mut().zip(sums).for_each(|(o, s)| *o += s);
            }
        }
    }
}

/// What `band` and its mirror add to the images: `band.rows.end` values a vector.
fn band_images<T: Entry>(band: &Band<T>, n: usize, x: &[f64]) -> Vec<f64> {
    interrupt::check();
    let (rows, count) = (band.rows.clone(), x.len() / n);
    let mut images = vec![0.0; count * rows.end];
    let groups = rows.len().div_ceil(GROUP);
    let mut sums: Vec<Sums> = vec![[[0.0; LANES]; GROUP]; groups * count];
    for span in band.spans() {
        let lines = band.tile(&span).chunks(GROUP * span.len());
        let mirrored = span.end <= rows.start;
        for (g, lines) in lines.enumerate() {
            let at = rows.start + g * GROUP..(rows.start + (g + 1) * GROUP).min(rows.end);
            for v in 0..count {
                let x = &x[v * n..(v + 1) * n];
                let sums = &mut sums[g * count + v];
                if mirrored && at.len() == GROUP {
                    let image = &mut images[v * rows.end..(v + 1) * rows.end];
                    both_sides(
                        lines,
                        &x[span.clone()],
                        &x[at.clone()],
                        &mut image[span.clone()],
                        sums,
                    );
                } else {
                    let image = mirrored.then(|| &mut images[v * rows.end..][span.clone()]);
                    line_by_line(lines, x, &at, &span, image, sums);
                }
            }
        }
    }
    for (s, sums) in sums.iter().enumerate() {
        let (g, v) = (s / count, s % count);
        let at = rows.start + g * GROUP..(rows.start + (g + 1) * GROUP).min(rows.end);
        for (r, i) in at.enumerate() {
            images[v * rows.end + i] = sums[r].iter().sum();
        }
    }
    images
}

/// GROUP rows at once: sums += rows · x and image += rowsᵀ · weights.
#[inline]
fn both_sides<T: Entry>(
    lines: &[T],
    x: &[f64],
    weights: &[f64],
    image: &mut [f64],
    sums: &mut Sums,
) {
    let width = x.len();
    let line = |r: usize| lines[r * width..(r + 1) * width].as_chunks::<LANES>();
    let [(a0, r0), (a1, r1), (a2, r2), (a3, r3)] = [line(0), line(1), line(2), line(3)];
    let w = [weights[0], weights[1], weights[2], weights[3]];
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (images, image_rest) = image.as_chunks_mut::<LANES>();
    let [mut s0, mut s1, mut s2, mut s3] = *sums;
    let rows = a0.iter().zip(a1).zip(a2.iter().zip(a3));
    for ((((a0, a1), (a2, a3)), x), z) in rows.zip(xs).zip(images) {
        let (a0, a1, a2, a3) = (widen(a0), widen(a1), widen(a2), widen(a3));
        add(&mut s0, &a0, x);
        add(&mut s1, &a1, x);
        add(&mut s2, &a2, x);
        add(&mut s3, &a3, x);
        let mut sum = *z;
        add(&mut sum, &a0, &[w[0]; LANES]);
        add(&mut sum, &a1, &[w[1]; LANES]);
        add(&mut sum, &a2, &[w[2]; LANES]);
        add(&mut sum, &a3, &[w[3]; LANES]);
        *z = sum;
    }
    *sums = [s0, s1, s2, s3];
    for (l, (x, z)) in x_rest.iter().zip(image_rest).enumerate() {
        for (r, rest) in [r0, r1, r2, r3].into_iter().enumerate() {
            let a = rest[l].wide();
            sums[r][l] = multiply_add(a, *x, sums[r][l]);
            *z = multiply_add(a, w[r], *z);
        }
    }
}

#[inline(always)]
fn widen<T: Entry>(a: &[T; LANES]) -> [f64; LANES] {
    let mut out = [0.0; LANES];
    (0..LANES).for_each(|l| out[l] = a[l].wide());
    out
}

/// sum += a · b, lane by lane.
#[inline(always)]
fn add(sum: &mut [f64; LANES], a: &[f64; LANES], b: &[f64; LANES]) {
    (0..LANES).for_each(|l| sum[l] = multiply_add(a[l], b[l], sum[l]));
}

/// The same for the few rows of the last group and, without the mirror, for the diagonal block.
fn line_by_line<T: Entry>(
    lines: &[T],
    x: &[f64],
    at: &Range<usize>,
    span: &Range<usize>,
    mut image: Option<&mut [f64]>,
    sums: &mut Sums,
) {
    for ((i, line), sums) in at.clone().zip(lines.chunks_exact(span.len())).zip(sums) {
        let (a, a_rest) = line.as_chunks::<LANES>();
        let (xs, x_rest) = x[span.clone()].as_chunks::<LANES>();
        a.iter().zip(xs).for_each(|(a, x)| add(sums, &widen(a), x));
        for ((sum, a), x) in sums.iter_mut().zip(a_rest).zip(x_rest) {
            *sum = multiply_add(a.wide(), *x, *sum);
        }
        if let Some(image) = image.as_deref_mut() {
            image.iter_mut().zip(line).for_each(|(z, a)| *z = multiply_add(a.wide(), x[i], *z));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{Precision, times};
    use crate::matrix::Dense;
    use crate::rng::Rng;

    fn random(n: usize) -> Dense {
        let mut rng = Rng::new(n as u64, 5);
        let mut a = Dense::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                a[(i, j)] = f64::from(rng.normal() as f32);
                a[(j, i)] = a[(i, j)];
            }
        }
        a
    }

    #[test]
    fn products_equal_the_dense_ones_in_either_precision_for_any_number_of_vectors() {
        for n in [0, 1, 2, 3, 5, 127, 128, 129, 131, 300, 517] {
            let a = random(n);
            for precision in [Precision::Single, Precision::Double] {
                let s = SymMatrix::from_dense(&a, precision);
                for count in [1, 2, 5] {
                    let mut rng = Rng::new(1, count);
                    let x: Vec<f64> = (0..count as usize * n).map(|_| rng.normal()).collect();
                    let mut out = vec![7.0; x.len()];
                    s.apply_rows(&x, &mut out);
                    for (x, out) in x.chunks(n.max(1)).zip(out.chunks(n.max(1))) {
                        let slow = times(&a, x);
                        // Entries are exact in f32; sums of n terms of size one.
                        let gap = slow.iter().zip(out).map(|(p, q)| (p - q).abs());
                        assert!(gap.fold(0.0, f64::max) < 1e-13 * (n as f64 + 1.0), "size {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_vector_has_the_same_image_alone_and_among_others_on_any_number_of_threads() {
        let s = SymMatrix::from_dense(&random(700), Precision::Double);
        let mut rng = Rng::new(2, 0);
        let x: Vec<f64> = (0..3 * 700).map(|_| rng.normal()).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut out = vec![0.0; x.len()];
            pool.install(|| s.apply_rows(&x, &mut out));
            out
        };
        let one = run(1);
        assert!([2, 3, 4].into_iter().all(|t| run(t) == one));
        let mut alone = vec![0.0; 700];
        s.apply(&x[700..1400], &mut alone);
        assert_eq!(alone, one[700..1400]);
    }
}

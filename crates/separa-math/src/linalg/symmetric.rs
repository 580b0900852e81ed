//! A symmetric matrix that is kept once: its lower triangle, in bands of tiles.
//!
//! Distances and kernels between n points are the largest object of the methods that use them. Half
//! of such a matrix is a mirror of the other half: not storing it halves the memory, and a product
//! that reads each entry once halves the traffic that a product waits for
//! (`linalg/symmetric_product.rs`).

use super::band::{BAND, Band, Entry, TILE};
use crate::matrix::Dense;
use rayon::prelude::*;
use std::ops::Range;

/// How the entries of a matrix are stored. Sums run in double precision either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// f32.
    Single,
    /// f64.
    #[default]
    Double,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Store {
    Single(Vec<Band<f32>>),
    Double(Vec<Band<f64>>),
}

/// Runs `$body` with `$bands` bound to the bands of either precision.
macro_rules! with_bands {
    ($store:expr, $bands:ident => $body:expr) => {
        match $store {
            Store::Single($bands) => $body,
            Store::Double($bands) => $body,
        }
    };
}

/// A symmetric n x n matrix, in f64 or f32, of which the lower triangle is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct SymMatrix {
    n: usize,
    pub(super) store: Store,
}

impl SymMatrix {
    /// All entries 0.
    pub fn zeros(n: usize, precision: Precision) -> Self {
        let store = match precision {
            Precision::Single => Store::Single(ranges(n).map(Band::zeros).collect()),
            Precision::Double => Store::Double(ranges(n).map(Band::zeros).collect()),
        };
        Self { n, store }
    }

    /// The symmetric matrix whose lower triangle is that of `a`.
    pub fn from_dense(a: &Dense, precision: Precision) -> Self {
        let mut out = Self::zeros(a.rows(), precision);
        out.fill(|rows, cols, block| {
            for (i, line) in rows.zip(block.chunks_exact_mut(cols.len())) {
                line.copy_from_slice(&a.row(i)[cols.clone()]);
            }
        });
        out
    }

    /// Order of the matrix.
    pub fn n(&self) -> usize {
        self.n
    }

    /// How entries are stored.
    pub fn precision(&self) -> Precision {
        match self.store {
            Store::Single(_) => Precision::Single,
            Store::Double(_) => Precision::Double,
        }
    }

    /// The memory that such a matrix takes: a little over half of n².
    pub fn bytes(n: usize, precision: Precision) -> u64 {
        let size = match precision {
            Precision::Single => size_of::<f32>(),
            Precision::Double => size_of::<f64>(),
        };
        ranges(n).map(|rows| rows.len() as u64 * rows.end as u64).sum::<u64>() * size as u64
    }

    /// Entry (i, j) = (j, i).
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        with_bands!(&self.store, bands => bands[i / BAND].get(i, j))
    }

    /// Row i, which is also column i.
    pub fn copy_row(&self, i: usize, out: &mut [f64]) {
        with_bands!(&self.store, bands => copy_row(bands, i, out));
    }

    /// Fills the matrix from its lower triangle: `panel(rows, cols, out)` writes the block
    /// rows x cols, row-major, which it finds zero. Every block has `cols.end <= rows.end`; of a block that meets the
    /// diagonal only the lower triangle counts. Blocks are of constant size and run in parallel.
    pub fn fill(&mut self, panel: impl Fn(Range<usize>, Range<usize>, &mut [f64]) + Sync) {
        match &mut self.store {
            Store::Double(bands) => each_band(bands, |band| {
                let rows = band.rows.clone();
                band.write(|cols, tile| {
                    tile.fill(0.0);
                    panel(rows.clone(), cols, tile);
                });
            }),
            Store::Single(bands) => each_band(bands, |band| {
                let rows = band.rows.clone();
                let mut wide = vec![0.0; rows.len() * TILE];
                band.write(|cols, tile| {
                    let wide = &mut wide[..tile.len()];
                    wide.fill(0.0);
                    panel(rows.clone(), cols, wide);
                    tile.iter_mut().zip(wide).for_each(|(t, w)| *t = f32::narrow(*w));
                });
            }),
        }
    }

    /// aᵢⱼ ← f(i, j, aᵢⱼ) for a symmetric f, which is asked for i ≥ j. Runs in parallel.
    pub fn map(&mut self, f: impl Fn(usize, usize, f64) -> f64 + Sync) {
        with_bands!(&mut self.store, bands => each_band(bands, |band| map_band(band, &f)));
    }
}

fn ranges(n: usize) -> impl Iterator<Item = Range<usize>> {
    crate::par::chunks(n, BAND)
}

/// The longest bands first, so that no worker is left with one at the end.
fn each_band<T: Send>(bands: &mut [Band<T>], f: impl Fn(&mut Band<T>) + Sync + Send) {
    bands.par_iter_mut().rev().with_max_len(1).for_each(f);
}

fn map_band<T: Entry>(band: &mut Band<T>, f: &impl Fn(usize, usize, f64) -> f64) {
    let rows = band.rows.clone();
    band.write(|cols, tile| {
        for (i, line) in rows.clone().zip(tile.chunks_exact_mut(cols.len())) {
            for (j, v) in cols.clone().zip(line).take_while(|(j, _)| *j <= i) {
                *v = T::narrow(f(i, j, v.wide()));
            }
        }
    });
}

fn copy_row<T: Entry>(bands: &[Band<T>], i: usize, out: &mut [f64]) {
    let own = &bands[i / BAND];
    for span in own.spans() {
        out[span.clone()].iter_mut().zip(own.line(i, &span)).for_each(|(o, v)| *o = v.wide());
    }
    for band in &bands[i / BAND + 1..] {
        let span = band.spans().find(|s| s.contains(&i)).expect("earlier columns are in a tile");
        let (width, place) = (span.len(), i - span.start);
        let column = band.tile(&span)[place..].iter().step_by(width);
        out[band.rows.clone()].iter_mut().zip(column).for_each(|(o, v)| *o = v.wide());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 9] = [0, 1, 2, 127, 128, 129, 257, 400, 700];

    fn entry(i: usize, j: usize) -> f64 {
        ((i * j) % 101) as f64 + (i + j) as f64 / 8.0
    }

    /// Filled with rubbish above the diagonal, which must not be read.
    fn filled(n: usize, precision: Precision) -> SymMatrix {
        let mut a = SymMatrix::zeros(n, precision);
        a.fill(|rows, cols, out| {
            assert!(cols.end <= rows.end && out.len() == rows.len() * cols.len());
            for (i, line) in rows.zip(out.chunks_exact_mut(cols.len())) {
                for (j, v) in cols.clone().zip(line) {
                    *v = if j <= i { entry(i, j) } else { -1.0 };
                }
            }
        });
        a
    }

    #[test]
    fn every_entry_and_every_row_is_what_the_lower_triangle_says() {
        for n in SIZES {
            for precision in [Precision::Single, Precision::Double] {
                let mut a = filled(n, precision);
                a.map(|i, j, v| v + (i * j) as f64);
                let mut row = vec![0.0; n];
                for i in 0..n {
                    a.copy_row(i, &mut row);
                    for j in 0..n {
                        // Eighths below 2²⁴: exact in either precision.
                        assert_eq!(row[j], entry(i, j) + (i * j) as f64, "{n}: {i} {j}");
                        assert_eq!(a.get(i, j), row[j]);
                    }
                }
            }
        }
    }

    #[test]
    fn a_dense_matrix_keeps_its_entries_and_the_memory_is_half() {
        let mut dense = Dense::zeros(300, 300);
        (0..300).for_each(|i| (0..300).for_each(|j| dense[(i, j)] = entry(i, j)));
        let a = SymMatrix::from_dense(&dense, Precision::Double);
        assert!((0..300).all(|i| (0..300).all(|j| a.get(i, j) == dense[(i, j)])));
        assert_eq!((a.n(), a.precision()), (300, Precision::Double));
        let share = SymMatrix::bytes(10_000, Precision::Single) as f64 / 4e8;
        assert!((0.5..0.51).contains(&share), "{share}");
    }
}

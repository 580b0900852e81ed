//! Products of many rows with a few columns: projections, and the scores behind nearest points.
//!
//! Every output is one chain of multiply-adds over the columns in order. So a row's value does not
//! depend on its neighbours, its place in a block or the thread, and a sparse row (whose chain skips
//! zeros) gives the same bits as the dense one.

use super::strip::{LANES, Link, PANEL, Product, Strip, VECTORS, dot_sparse};
use super::{CsrRef, Dense, DenseRef, Rows};
use crate::par;

/// Columns that run together: their part of a panel stays in the first-level cache. Chains go on
/// where they stopped, so the bits do not depend on it.
const DEPTH: usize = 256;

/// Rows of the widest step of the inner loop.
const STEP: usize = 8;

/// A few directions or points, packed so that the inner loop reads them in order.
#[derive(Debug, Clone)]
pub struct Columns {
    d: usize,
    m: usize,
    /// Panels of up to PANEL directions: for each feature the PANEL weights side by side.
    panels: Vec<f64>,
}

impl Columns {
    /// Packs the rows of `w` (m directions of length d).
    pub fn pack(w: DenseRef<'_>) -> Self {
        let (m, d) = (w.rows(), w.cols());
        let mut panels = vec![0.0; m.next_multiple_of(LANES) * d];
        for first in (0..m).step_by(PANEL) {
            let width = vectors(m - first) * LANES;
            let panel = &mut panels[first * d..(first + width) * d];
            match first + PANEL <= m {
                true => interleave(std::array::from_fn(|r| w.row(first + r)), panel),
                false => (first..m).for_each(|r| {
                    let places = panel.iter_mut().skip(r - first).step_by(width);
                    places.zip(w.row(r)).for_each(|(p, v)| *p = *v);
                }),
            }
        }
        Self { d, m, panels }
    }

    /// How many columns were packed.
    pub fn count(&self) -> usize {
        self.m
    }

    /// The panels as (first direction, weights of LANES directions by feature).
    fn panels(&self) -> impl Iterator<Item = (usize, &[[f64; LANES]])> {
        let mut rest = self.panels.as_chunks::<LANES>().0;
        (0..self.m).step_by(PANEL).map(move |first| {
            let (panel, after) = rest.split_at(vectors(self.m - first) * self.d);
            rest = after;
            (first, panel)
        })
    }

    /// out[r·m + c] = row r · direction c, for contiguous dense rows.
    pub fn dots(&self, rows: &[f64], out: &mut [f64]) {
        self.chains::<Product>(rows, out);
    }

    /// out[r·m + c] = the chain of links between row r and direction c, for contiguous dense rows.
    pub fn chains<L: Link>(&self, rows: &[f64], out: &mut [f64]) {
        let n = rows.len().checked_div(self.d).unwrap_or(0);
        self.chains_by::<L>(n, &|r| &rows[r * self.d..(r + 1) * self.d], out);
    }

    /// As [`Columns::dots`], for `n` rows that lie anywhere.
    pub fn dots_by<'x>(&self, n: usize, line: impl Fn(usize) -> &'x [f64], out: &mut [f64]) {
        self.chains_by::<Product>(n, &line, out);
    }

    fn chains_by<'x, L: Link>(
        &self,
        n: usize,
        line: &impl Fn(usize) -> &'x [f64],
        out: &mut [f64],
    ) {
        if self.d == 0 {
            out.fill(0.0);
            return;
        }
        for (first, panel) in self.panels() {
            // More rows a step where fewer vectors leave registers free.
            match vectors(self.m - first) {
                1 => self.sweep::<L, STEP, 1>(n, line, first, panel, out),
                2 => self.sweep::<L, 4, 2>(n, line, first, panel, out),
                _ => self.sweep::<L, 4, VECTORS>(n, line, first, panel, out),
            }
        }
    }

    fn sweep<'x, L: Link, const R: usize, const V: usize>(
        &self,
        n: usize,
        line: &impl Fn(usize) -> &'x [f64],
        first: usize,
        panel: &[[f64; LANES]],
        out: &mut [f64],
    ) {
        let panel = panel.as_chunks::<V>().0;
        let (whole, depth) = (n - n % R, self.d.div_ceil(self.d.div_ceil(DEPTH)));
        for from in (0..self.d).step_by(depth) {
            let part = from..(from + depth).min(self.d);
            let strip = Strip { panel: &panel[part.clone()], resume: from > 0 };
            for r in (0..whole).step_by(R) {
                let lines = std::array::from_fn::<_, R, _>(|q| &line(r + q)[part.clone()]);
                strip.run::<L, R>(lines, &mut out[r * self.m + first..], self.m, self.m - first);
            }
            for r in whole..n {
                let lines = [&line(r)[part.clone()]];
                strip.run::<L, 1>(lines, &mut out[r * self.m + first..], self.m, self.m - first);
            }
        }
    }

    /// As [`Columns::dots`] for one sparse row.
    pub fn dots_sparse(&self, row: (&[u32], &[f64]), out: &mut [f64]) {
        for (first, panel) in self.panels() {
            match vectors(self.m - first) {
                1 => dot_sparse::<1>(row, panel, &mut out[first..]),
                2 => dot_sparse::<2>(row, panel, &mut out[first..]),
                _ => dot_sparse::<VECTORS>(row, panel, &mut out[first..]),
            }
        }
    }
}

/// Writes a whole panel in one go: row by row, each number would touch a cache line of its own.
fn interleave(lines: [&[f64]; PANEL], panel: &mut [f64]) {
    for (j, place) in panel.as_chunks_mut::<PANEL>().0.iter_mut().enumerate() {
        for r in 0..PANEL {
            place[r] = lines[r][j];
        }
    }
}

/// Vectors that the next panel of `left` directions needs.
fn vectors(left: usize) -> usize {
    left.min(PANEL).div_ceil(LANES)
}

/// out = rows · wᵀ + offset: one line of `out` per row, one entry per direction.
pub fn project_into(rows: &dyn Rows, w: &Columns, offset: &[f64], out: &mut [f64]) {
    let (m, d) = (w.count(), rows.n_cols());
    debug_assert!(offset.len() == m && w.d == d && out.len() == rows.n_rows() * m);
    par::fill_chunks(out, m, |range, part| {
        match rows.sparse() {
            Some(x) => sparse_dots(x, range, w, part),
            None => {
                let mut buffer = Vec::new();
                // Blocks that stay in the second-level cache between mapping and multiplying.
                let size = ((1 << 15) / d.max(1) + 1).next_multiple_of(STEP);
                for sub in range.clone().step_by(size) {
                    let end = (sub + size).min(range.end);
                    let block = rows.block(sub..end, &mut buffer);
                    w.dots(block, &mut part[(sub - range.start) * m..(end - range.start) * m]);
                }
            }
        }
        for line in part.chunks_exact_mut(m) {
            line.iter_mut().zip(offset).for_each(|(v, o)| *v += o);
        }
    });
}

fn sparse_dots(x: CsrRef<'_>, range: std::ops::Range<usize>, w: &Columns, out: &mut [f64]) {
    for (i, line) in range.zip(out.chunks_exact_mut(w.count())) {
        w.dots_sparse(x.row(i), line);
    }
}

/// rows · wᵀ + offset as a matrix.
pub fn project(rows: &dyn Rows, w: DenseRef<'_>, offset: &[f64]) -> Dense {
    let mut out = Dense::zeros(rows.n_rows(), w.rows());
    project_into(rows, &Columns::pack(w), offset, out.data_mut());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::fma;
    use crate::rng::Rng;
    use proptest::prelude::*;

    /// Normal numbers, every third a zero.
    fn random(rows: usize, cols: usize, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let draw = |_| if rng.below(3) == 0 { 0.0 } else { rng.normal() };
        Dense::from_vec(rows, cols, (0..rows * cols).map(draw).collect()).unwrap()
    }

    fn chain(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).fold(0.0, |acc, (x, y)| fma(*x, *y, acc))
    }

    proptest! {
        #[test]
        fn every_product_is_one_chain_whatever_its_place_and_storage(
            n in 0usize..30, d in 0usize..40, m in 1usize..27, seed in 0u64..1000
        ) {
            let (x, w) = (random(n, d, seed), random(m, d, seed + 1));
            let columns = Columns::pack(w.view());
            let mut dense = vec![1.0; n * m];
            columns.dots(x.data(), &mut dense);
            for i in 0..n {
                let row: Vec<(u32, f64)> =
                    (0..d).map(|j| (j as u32, x[(i, j)])).filter(|e| e.1 != 0.0).collect();
                let (places, values): (Vec<u32>, Vec<f64>) = row.into_iter().unzip();
                let mut sparse = vec![1.0; m];
                columns.dots_sparse((&places, &values), &mut sparse);
                prop_assert_eq!(&sparse, &dense[i * m..(i + 1) * m]);
                let mut alone = vec![1.0; m];
                columns.dots_by(1, |_| x.row(i), &mut alone);
                prop_assert_eq!(&alone, &sparse);
                for c in 0..m {
                    prop_assert_eq!(alone[c], chain(x.row(i), w.row(c)));
                }
            }
        }
    }

    #[test]
    fn chains_go_on_where_a_strip_of_columns_stopped() {
        for (n, m, d) in [(9, 14, DEPTH), (13, 27, DEPTH + 1), (6, 5, 3 * DEPTH + 7)] {
            let (x, w) = (random(n, d, 3), random(m, d, 4));
            let mut out = vec![1.0; n * m];
            Columns::pack(w.view()).dots(x.data(), &mut out);
            for (p, v) in out.iter().enumerate() {
                assert_eq!(*v, chain(x.row(p / m), w.row(p % m)));
            }
        }
    }

    #[test]
    fn projections_of_many_rows_add_the_offset() {
        let (x, w) = (random(2500, 7, 1), random(3, 7, 2));
        let out = project(&x, w.view(), &[1.0, -2.0, 0.5]);
        for (i, c) in [(0, 0), (1023, 1), (1024, 2), (2499, 0)] {
            assert_eq!(out[(i, c)], chain(x.row(i), w.row(c)) + [1.0, -2.0, 0.5][c]);
        }
    }
}

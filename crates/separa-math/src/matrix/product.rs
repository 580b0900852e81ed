//! Products of many rows with a few columns: projections, and the nearest of a few points.
//!
//! Every output is one chain of multiply-adds over the columns in order. So a row's value does not
//! depend on its neighbours, its place in a block or the thread, and a sparse row (whose chain skips
//! zeros) gives the same bits as the dense one.

use super::{CsrRef, Dense, DenseRef, Rows};
use crate::par;

const LANES: usize = 4;
const PANEL: usize = 3 * LANES;
/// Rows per step of the inner loop: four rows by three vectors fill the register file.
const STEP: usize = 4;

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
        let mut panels = Vec::new();
        for first in (0..m).step_by(PANEL) {
            let width = padded((m - first).min(PANEL));
            let start = panels.len();
            panels.resize(start + width * d, 0.0);
            for r in first..(first + PANEL).min(m) {
                for (j, &v) in w.row(r).iter().enumerate() {
                    panels[start + j * width + r - first] = v;
                }
            }
        }
        Self { d, m, panels }
    }

    pub fn count(&self) -> usize {
        self.m
    }

    /// The panels as (first direction, padded width, weights).
    fn panels(&self) -> impl Iterator<Item = (usize, usize, &[f64])> {
        let mut start = 0;
        (0..self.m).step_by(PANEL).map(move |first| {
            let width = padded((self.m - first).min(PANEL));
            let panel = &self.panels[start..start + width * self.d];
            start += width * self.d;
            (first, width, panel)
        })
    }

    /// out[r·m + c] = row r · direction c, for contiguous dense rows.
    pub fn dots(&self, rows: &[f64], out: &mut [f64]) {
        if self.d == 0 {
            out.fill(0.0);
            return;
        }
        for (first, width, panel) in self.panels() {
            let used = (self.m - first).min(width);
            let mut steps = rows.chunks_exact(STEP * self.d);
            let mut r = 0;
            for step in &mut steps {
                let lines: [&[f64]; STEP] =
                    std::array::from_fn(|q| &step[q * self.d..(q + 1) * self.d]);
                self.store(dot_lines(lines, width, panel), (r, first, used), out);
                r += STEP;
            }
            for line in steps.remainder().chunks_exact(self.d) {
                self.store(dot_lines([line], width, panel), (r, first, used), out);
                r += 1;
            }
        }
    }

    fn store<const R: usize>(
        &self,
        acc: [[f64; PANEL]; R],
        (row, first, used): (usize, usize, usize),
        out: &mut [f64],
    ) {
        for (q, line) in acc.iter().enumerate() {
            let at = (row + q) * self.m + first;
            out[at..at + used].copy_from_slice(&line[..used]);
        }
    }

    fn dots_sparse(&self, (places, values): (&[u32], &[f64]), out: &mut [f64]) {
        for (first, width, panel) in self.panels() {
            let used = (self.m - first).min(width);
            let mut acc = [0.0; PANEL];
            for (&j, &v) in places.iter().zip(values) {
                let line = &panel[j as usize * width..(j as usize + 1) * width];
                line.iter().zip(&mut acc).for_each(|(&w, a)| *a = fma(v, w, *a));
            }
            out[first..first + used].copy_from_slice(&acc[..used]);
        }
    }
}

fn padded(width: usize) -> usize {
    width.div_ceil(LANES) * LANES
}

/// Fused where the machine has it; a library call would be slower than the product it rounds.
#[inline(always)]
fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

fn dot_lines<const R: usize>(lines: [&[f64]; R], width: usize, panel: &[f64]) -> [[f64; PANEL]; R] {
    match width {
        4 => widen(dot_fixed::<R, 4>(lines, panel)),
        8 => widen(dot_fixed::<R, 8>(lines, panel)),
        _ => widen(dot_fixed::<R, 12>(lines, panel)),
    }
}

fn widen<const R: usize, const W: usize>(acc: [[f64; W]; R]) -> [[f64; PANEL]; R] {
    std::array::from_fn(|q| std::array::from_fn(|c| if c < W { acc[q][c] } else { 0.0 }))
}

#[inline(always)]
fn dot_fixed<const R: usize, const W: usize>(lines: [&[f64]; R], panel: &[f64]) -> [[f64; W]; R] {
    let mut acc = [[0.0; W]; R];
    let d = lines[0].len();
    let lines: [&[f64]; R] = std::array::from_fn(|q| &lines[q][..d]);
    for (j, weights) in panel.chunks_exact(W).enumerate().take(d) {
        let weights: &[f64; W] = weights.try_into().expect("chunks_exact gives W values");
        for q in 0..R {
            let v = lines[q][j];
            for c in 0..W {
                acc[q][c] = fma(v, weights[c], acc[q][c]);
            }
        }
    }
    acc
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
                let size = (1 << 15) / d.max(1) + STEP;
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

/// The nearest of `points` for every row: its index (the first of equals).
pub fn nearest(rows: &dyn Rows, points: DenseRef<'_>) -> Vec<u32> {
    let halves: Vec<f64> = (0..points.rows())
        .map(|c| -0.5 * points.row(c).iter().map(|v| v * v).sum::<f64>())
        .collect();
    // ‖x − c‖² = ‖x‖² − 2(x·c − ½‖c‖²): the row's own norm does not decide.
    let scores = project(rows, points, &halves);
    (0..rows.n_rows()).map(|i| argmax(scores.row(i)) as u32).collect()
}

fn argmax(values: &[f64]) -> usize {
    let mut best = 0;
    for (c, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = c;
        }
    }
    best
}

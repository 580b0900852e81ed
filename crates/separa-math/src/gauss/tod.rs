//! The threshold order dependent quantiser: rows to cells in one pass.
//!
//! Problem   few cells that stand for many rows.
//! Given     rows in some order, a threshold T, one factor a column for distances.
//! Returns   cells: a row joins the cell of the nearest mean within T, else it founds one.
//! Cost      n·k·d, in parallel over parts of constant size whose cells are then merged by the same rule.
//! See       Friedman & Kandel (1999), Introduction to pattern recognition.

use super::cell::{Cell, Shape};
use crate::interrupt;
use crate::matrix::Rows;
use rayon::prelude::*;

/// Means whose distances are found side by side.
const LANES: usize = 8;
/// Rows of a part: up to here a pass is the textbook's, row by row.
pub(super) const PART: usize = 16_384;

/// Cells that grow row by row.
#[derive(Debug, Clone)]
pub struct Tod {
    shape: Shape,
    factors: Vec<f64>,
    square: f64,
    cells: Vec<Cell>,
    /// The means times the factors, in panels of `LANES` columns; what is not used is infinite.
    panels: Vec<f64>,
    scaled: Vec<f64>,
}

impl Tod {
    /// Distances are those of the columns times `factors`.
    pub fn new(factors: &[f64], threshold: f64, shape: Shape) -> Self {
        Self {
            shape,
            factors: factors.to_vec(),
            square: threshold * threshold,
            cells: Vec::new(),
            panels: Vec::new(),
            scaled: vec![0.0; factors.len()],
        }
    }

    /// Of the rows `order`, in that order. Ends early with more than `most` cells, where these are too many.
    pub fn of(
        rows: &dyn Rows,
        weights: Option<&[f64]>,
        order: &[usize],
        empty: &Self,
        most: usize,
    ) -> Self {
        let part = |order: &[usize]| {
            let mut cells = empty.clone();
            let mut row = vec![0.0; rows.n_cols()];
            for (turn, &i) in order.iter().enumerate() {
                if turn % 64 == 0 {
                    interrupt::check();
                }
                if cells.cells.len() > most {
                    break;
                }
                rows.copy_row(i, &mut row);
                cells.see(&row, weights.map_or(1.0, |w| w[i]));
            }
            cells
        };
        if order.len() <= PART {
            return part(order);
        }
        let parts: Vec<Self> = order.par_chunks(PART).map(part).collect();
        let mut whole = empty.clone();
        for part in &parts {
            if whole.cells.len() <= most {
                whole.merge(part);
            }
        }
        whole
    }

    /// One row.
    pub fn see(&mut self, x: &[f64], weight: f64) {
        if weight > 0.0 {
            let to = self.place(x);
            self.cells[to].add(x, weight);
            self.refresh(to);
        }
    }

    /// The cells of `other` in their order, each as one heavy row.
    pub fn merge(&mut self, other: &Self) {
        for cell in &other.cells {
            let to = self.place(&cell.mean);
            self.cells[to].merge(cell);
            self.refresh(to);
        }
    }

    /// Merges cells until `count` are left, always the two whose union spreads least (Ward's criterion).
    /// Cost: M²d for M cells.
    pub fn coarsen(&mut self, count: usize) {
        let count = count.max(1);
        if self.cells.len() <= count {
            return;
        }
        let mut cells: Vec<Option<Cell>> = self.cells.drain(..).map(Some).collect();
        let mut left = cells.len();
        let mut near: Vec<(f64, usize)> = (0..left).map(|i| self.cheapest(&cells, i)).collect();
        while left > count {
            let alive = (0..near.len()).filter(|&i| cells[i].is_some());
            let i = alive
                .reduce(|b, i| if near[i].0 < near[b].0 { i } else { b })
                .expect("more cells are left than asked for");
            let j = near[i].1;
            let taken = cells[j].take().expect("the cheapest partner is alive");
            cells[i].as_mut().expect("so is the one that takes it").merge(&taken);
            near[j].0 = f64::INFINITY;
            left -= 1;
            for k in 0..near.len() {
                let stale = near[k].1 == i || near[k].1 == j || k == i;
                if cells[k].is_some() && stale {
                    near[k] = self.cheapest(&cells, k);
                } else if let (Some(a), Some(b)) = (&cells[k], &cells[i]) {
                    let cost = self.cost(a, b);
                    near[k] = if cost < near[k].0 { (cost, i) } else { near[k] };
                }
            }
        }
        self.panels.clear();
        for cell in cells.into_iter().flatten() {
            self.found(cell);
        }
    }

    /// Raises the threshold, by at least a fifth, and sees the cells anew: fewer of them, and fewer to come.
    pub fn widen(&mut self) {
        let nearest = self.closest_pair();
        let square = (self.square * 1.5).max(nearest * (1.0 + 1e-12));
        let mut coarse = Self::new(&self.factors, square.sqrt(), self.shape);
        coarse.merge(self);
        *self = coarse;
    }

    /// The cells so far, the first one found first.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// As [`Tod::cells`].
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// The distance up to which a row joins a cell.
    pub fn threshold(&self) -> f64 {
        self.square.sqrt()
    }

    /// The cell that `x` belongs to, founded where there is none.
    fn place(&mut self, x: &[f64]) -> usize {
        self.scaled.iter_mut().zip(x).zip(&self.factors).for_each(|((s, x), f)| *s = x * f);
        let (square, at) = self.nearest();
        if square <= self.square {
            return at;
        }
        self.found(Cell::empty(x.len(), self.shape));
        self.cells.len() - 1
    }

    /// Takes a cell in as it is, near another or not.
    pub fn adopt(&mut self, cell: Cell) {
        self.found(cell);
    }

    fn found(&mut self, cell: Cell) {
        let d = cell.mean.len();
        self.cells.push(cell);
        if self.cells.len() > self.panels.len() / d.max(1) {
            self.panels.resize(self.panels.len() + LANES * d, f64::INFINITY);
        }
        self.refresh(self.cells.len() - 1);
    }

    /// By how much the spread within grows where two cells become one.
    fn cost(&self, a: &Cell, b: &Cell) -> f64 {
        a.weight * b.weight / (a.weight + b.weight) * self.gap(a, b)
    }

    /// The cell that is cheapest to merge with cell i.
    fn cheapest(&self, cells: &[Option<Cell>], i: usize) -> (f64, usize) {
        let Some(mine) = &cells[i] else { return (f64::INFINITY, i) };
        let mut best: Option<(f64, usize)> = None;
        for (j, other) in cells.iter().enumerate() {
            if let (Some(other), true) = (other, j != i) {
                let cost = self.cost(mine, other);
                // The first even where all costs are beyond the largest number.
                if best.is_none_or(|b| cost < b.0) {
                    best = Some((cost, j));
                }
            }
        }
        best.unwrap_or((f64::INFINITY, i))
    }

    /// The squared distance of two means.
    fn gap(&self, a: &Cell, b: &Cell) -> f64 {
        let lines = a.mean.iter().zip(&b.mean).zip(&self.factors);
        lines.map(|((x, y), f)| ((x - y) * f).powi(2)).sum()
    }

    /// The squared distance of `scaled` to the nearest mean (the first of equals), and its place.
    fn nearest(&self) -> (f64, usize) {
        let d = self.scaled.len();
        let mut best = (f64::INFINITY, 0);
        for (p, panel) in self.panels.chunks_exact(LANES * d).enumerate() {
            let mut sums = [0.0; LANES];
            for (x, line) in self.scaled.iter().zip(panel.chunks_exact(LANES)) {
                for (s, c) in sums.iter_mut().zip(line) {
                    *s += (x - c) * (x - c);
                }
            }
            for (l, s) in sums.iter().enumerate() {
                if *s < best.0 {
                    best = (*s, p * LANES + l);
                }
            }
        }
        best
    }

    fn refresh(&mut self, k: usize) {
        let start = k / LANES * LANES * self.factors.len() + k % LANES;
        for (j, (m, f)) in self.cells[k].mean.iter().zip(&self.factors).enumerate() {
            self.panels[start + j * LANES] = m * f;
        }
    }

    fn closest_pair(&self) -> f64 {
        let mut least = f64::INFINITY;
        for (i, a) in self.cells.iter().enumerate() {
            for b in &self.cells[..i] {
                least = least.min(self.gap(a, b));
            }
        }
        least
    }
}

/// The threshold whose pass over the rows `order` makes at most `count` cells, and of those found by
/// bisection the most. The number of cells does not fall steadily with the threshold, so it may be less.
pub fn threshold_for(
    rows: &dyn Rows,
    weights: Option<&[f64]>,
    order: &[usize],
    factors: &[f64],
    count: usize,
) -> f64 {
    // Beyond `count` it does not matter how many.
    let cells = |threshold: f64| {
        let mut tod = Tod::new(factors, threshold, Shape::Diag);
        let mut row = vec![0.0; rows.n_cols()];
        for &i in order {
            rows.copy_row(i, &mut row);
            tod.see(&row, weights.map_or(1.0, |w| w[i]));
            if tod.cells.len() > count {
                break;
            }
        }
        tod.cells.len()
    };
    let mut top = reach(rows, order, factors);
    if cells(0.0) <= count {
        return 0.0;
    }
    let (mut low, mut best) = (0.0, (1, top));
    for _ in 0..30 {
        let middle = 0.5 * (low + top);
        let found = cells(middle);
        if found > count {
            low = middle;
            continue;
        }
        top = middle;
        if found > best.0 {
            best = (found, middle);
        }
        if found == count {
            break;
        }
    }
    best.1
}

/// A threshold that takes all rows together: twice the distance of the farthest from the first.
fn reach(rows: &dyn Rows, order: &[usize], factors: &[f64]) -> f64 {
    let d = rows.n_cols();
    let (mut first, mut row) = (vec![0.0; d], vec![0.0; d]);
    let mut far = 0.0_f64;
    for (place, &i) in order.iter().enumerate() {
        rows.copy_row(i, &mut row);
        if place == 0 {
            first.copy_from_slice(&row);
        }
        let lines = row.iter().zip(&first).zip(factors);
        far = far.max(lines.map(|((x, y), f)| ((x - y) * f).powi(2)).sum());
    }
    2.0 * far.sqrt()
}

#[cfg(test)]
mod tests;

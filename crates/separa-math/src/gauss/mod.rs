//! Groups of rows as Gaussians: weight, mean, covariance.
//!
//! A [`Cell`] gathers rows one by one and is merged with others in any order; [`Tod`] makes cells in one
//! pass; [`Gaussians`] are cells with covariances that can be inverted.

mod cell;
mod tod;

pub use cell::{Cell, Shape};
pub use tod::{Tod, threshold_for};

use crate::error::Result;
use crate::linalg::{Chol, mirror_lower};
use crate::matrix::Dense;
use crate::scaling::LEAST_SPREAD;

/// Rows that the pooled covariance counts for in each cell's own.
pub const PSEUDO_ROWS: f64 = 2.0;
/// A pooled variance is at least this fraction of the column's whole variance.
const LEAST: f64 = 1e-3;
/// What is taken from the covariances between columns, so that few rows give no singular matrix.
const LOOSE: f64 = 0.05;

/// Some Gaussians of one width, their covariances packed as in [`Cell`].
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussians {
    /// How the covariances are packed.
    pub shape: Shape,
    /// Fractions that sum to one.
    pub weights: Vec<f64>,
    /// One mean a row.
    pub means: Dense,
    /// One packed covariance a row.
    pub covs: Dense,
}

impl Gaussians {
    /// Cells with their covariances shrunk to the pooled one, which counts as two more rows. A column that
    /// is the same in all rows has the pooled variance everywhere: what a cell weighs must not show in it.
    pub fn shrunk(cells: &[Cell], pooled: &[f64], shape: Shape) -> Self {
        let d = cells.first().map_or(0, |c| c.mean.len());
        let total: f64 = cells.iter().map(|c| c.weight).sum();
        let mut all = Self {
            shape,
            weights: cells.iter().map(|c| c.weight / total).collect(),
            means: Dense::zeros(cells.len(), d),
            covs: Dense::zeros(cells.len(), shape.len(d)),
        };
        for (k, cell) in cells.iter().enumerate() {
            all.means.row_mut(k).copy_from_slice(&cell.mean);
            let mass = cell.weight + PSEUDO_ROWS;
            let parts = cell.scatter.iter().zip(pooled);
            let out = all.covs.row_mut(k).iter_mut().zip(parts);
            out.for_each(|(o, (s, p))| *o = (s + PSEUDO_ROWS * p) / mass);
        }
        for j in (0..d).filter(|&j| constant(cells, j, shape)) {
            let at = shape.diagonal(j);
            (0..cells.len()).for_each(|k| all.covs[(k, at)] = pooled[at]);
        }
        all
    }

    /// How many Gaussians.
    pub fn count(&self) -> usize {
        self.weights.len()
    }

    /// Number of columns.
    pub fn d(&self) -> usize {
        self.means.cols()
    }

    /// Those of `index`, with the weights they have here.
    pub fn pick(&self, index: &[usize]) -> Self {
        let rows = |from: &Dense| crate::matrix::pick(from, index);
        let weights = index.iter().map(|&i| self.weights[i]).collect();
        Self { shape: self.shape, weights, means: rows(&self.means), covs: rows(&self.covs) }
    }
}

/// The covariance within cells, packed: diagonals are at least a thousandth of the column's variance
/// over all rows (1 in a constant column), and what lies between columns is taken a little smaller.
pub fn pooled(cells: &[Cell], shape: Shape) -> Vec<f64> {
    let d = cells.first().map_or(0, |c| c.mean.len());
    let mut within = vec![0.0; shape.len(d)];
    let Some(mut whole) = cells.first().cloned() else { return within };
    for cell in &cells[1..] {
        whole.merge(cell);
    }
    for cell in cells {
        within.iter_mut().zip(&cell.scatter).for_each(|(w, s)| *w += s / whole.weight);
    }
    if shape == Shape::Full {
        within.iter_mut().for_each(|v| *v *= 1.0 - LOOSE);
    }
    for j in 0..d {
        let at = shape.diagonal(j);
        let total = whole.scatter[at] / whole.weight;
        let kept = if shape == Shape::Full { within[at] / (1.0 - LOOSE) } else { within[at] };
        within[at] = match total > LEAST_SPREAD * LEAST_SPREAD {
            true => kept.max(LEAST * total),
            false => 1.0,
        };
    }
    within
}

/// Whether column j is the same in all rows of all cells.
fn constant(cells: &[Cell], j: usize, shape: Shape) -> bool {
    let at = shape.diagonal(j);
    let still = |c: &Cell| c.scatter[at] <= c.weight * LEAST_SPREAD * LEAST_SPREAD;
    let same = |c: &Cell| (c.mean[j] - cells[0].mean[j]).abs() <= LEAST_SPREAD;
    cells.iter().all(|c| still(c) && same(c))
}

/// log|Σ| of a packed covariance, and its factor where it is more than a diagonal.
pub(crate) fn factor(packed: &[f64], d: usize, shape: Shape) -> Result<(f64, Option<Chol>)> {
    match shape {
        Shape::Diag => Ok((packed.iter().map(|v| v.ln()).sum(), None)),
        Shape::Full => {
            let chol = Chol::new(unpack(packed, d))?;
            let log = (0..d).map(|i| 2.0 * chol.row(i)[i].ln()).sum();
            Ok((log, Some(chol)))
        }
    }
}

/// Both triangles of a packed full covariance.
pub fn unpack(packed: &[f64], d: usize) -> Dense {
    let mut out = Dense::zeros(d, d);
    for i in 0..d {
        let at = i * (i + 1) / 2;
        out.row_mut(i)[..=i].copy_from_slice(&packed[at..=at + i]);
    }
    mirror_lower(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_tables::normals;

    fn cells(shape: Shape) -> Vec<Cell> {
        let x = normals(90, 3, 4);
        let mut cells: Vec<Cell> = (0..4).map(|_| Cell::empty(3, shape)).collect();
        (0..90).for_each(|i| cells[i % 4].add(x.row(i), 1.0));
        // One row alone: no scatter of its own.
        let mut single = Cell::empty(3, shape);
        single.add(&[9.0, 9.0, 9.0], 1.0);
        cells.push(single);
        cells
    }

    #[test]
    fn a_cell_of_one_row_gets_two_thirds_of_the_pooled_covariance() {
        for shape in [Shape::Diag, Shape::Full] {
            let cells = cells(shape);
            let pooled = pooled(&cells, shape);
            let all = Gaussians::shrunk(&cells, &pooled, shape);
            assert!((all.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            for (own, pooled) in all.covs.row(4).iter().zip(&pooled) {
                assert!((own - pooled * 2.0 / 3.0).abs() < 1e-15);
            }
            assert!(factor(all.covs.row(4), 3, shape).unwrap().0.is_finite());
        }
    }

    #[test]
    fn pooled_variances_are_the_scatter_within_over_all_rows() {
        let cells = cells(Shape::Diag);
        let within: f64 = cells.iter().map(|c| c.scatter[1]).sum();
        let n: f64 = cells.iter().map(|c| c.weight).sum();
        assert!((pooled(&cells, Shape::Diag)[1] - within / n).abs() < 1e-14);
    }

    #[test]
    fn columns_without_variance_get_one_that_can_be_inverted() {
        for shape in [Shape::Diag, Shape::Full] {
            let mut cells = Vec::new();
            for v in [0.0, 4.0] {
                let mut cell = Cell::empty(2, shape);
                (0..5).for_each(|_| cell.add(&[v, 7.0], 1.0));
                cells.push(cell);
            }
            let pooled = pooled(&cells, shape);
            // The first column differs between the cells only (variance 4), the second nowhere.
            assert!((pooled[0] - 4.0 * LEAST).abs() < 1e-15);
            assert_eq!(pooled[shape.diagonal(1)], 1.0);
            assert!(factor(&pooled, 2, shape).unwrap().0.is_finite());
        }
    }
}

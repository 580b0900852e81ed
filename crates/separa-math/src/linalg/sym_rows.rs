//! Symmetric matrices that can be read row by row.

use super::{SparseSym, SymMatrix};
use crate::matrix::Dense;

/// A symmetric matrix known by its rows: what a solver reads that changes few variables at a time.
pub trait SymRows: Sync {
    /// Order of the matrix.
    fn size(&self) -> usize;

    /// Writes all entries (i, i).
    fn diagonal(&self, out: &mut [f64]);

    /// out ← row i.
    fn copy_row(&self, i: usize, out: &mut [f64]);

    /// Row i where it lies in memory as it is, so that nobody keeps a copy.
    fn stored_row(&self, _: usize) -> Option<&[f64]> {
        None
    }
}

impl SymRows for Dense {
    fn size(&self) -> usize {
        self.rows()
    }
    fn diagonal(&self, out: &mut [f64]) {
        out.iter_mut().enumerate().for_each(|(i, o)| *o = self[(i, i)]);
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.copy_from_slice(self.row(i));
    }
    fn stored_row(&self, i: usize) -> Option<&[f64]> {
        Some(self.row(i))
    }
}

impl SymRows for SymMatrix {
    fn size(&self) -> usize {
        self.n()
    }
    fn diagonal(&self, out: &mut [f64]) {
        out.iter_mut().enumerate().for_each(|(i, o)| *o = self.get(i, i));
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        SymMatrix::copy_row(self, i, out);
    }
}

impl SymRows for SparseSym {
    fn size(&self) -> usize {
        self.n()
    }
    fn diagonal(&self, out: &mut [f64]) {
        for (i, o) in out.iter_mut().enumerate() {
            let (columns, values) = self.row(i);
            *o = columns.binary_search(&(i as u32)).map_or(0.0, |place| values[place]);
        }
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.fill(0.0);
        let (columns, values) = self.row(i);
        columns.iter().zip(values).for_each(|(&j, &v)| out[j as usize] = v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::Precision;

    #[test]
    fn three_ways_to_store_a_matrix_have_the_same_rows_and_diagonal() {
        for n in [0, 1, 3, 150] {
            let mut dense = Dense::zeros(n, n);
            let mut edges = Vec::new();
            for i in 0..n {
                for j in (0..=i).filter(|j| (i * 7 + j * 3) % 4 != 1) {
                    let v = (i + 2 * j) as f64 / 8.0 - 3.0;
                    (dense[(i, j)], dense[(j, i)]) = (v, v);
                    edges.push((i as u32, j as u32, v));
                }
            }
            let packed = SymMatrix::from_dense(&dense, Precision::Double);
            let sparse = SparseSym::from_edges(n, &edges).unwrap();
            let (mut want, mut got) = (vec![0.0; n], vec![0.0; n]);
            for other in [&packed as &dyn SymRows, &sparse] {
                assert_eq!(other.size(), n);
                dense.diagonal(&mut want);
                other.diagonal(&mut got);
                assert_eq!(got, want);
                for i in 0..n {
                    SymRows::copy_row(&dense, i, &mut want);
                    other.copy_row(i, &mut got);
                    assert_eq!(got, want, "{n}: row {i}");
                    assert_eq!(dense.stored_row(i), Some(&want[..]));
                }
            }
        }
    }
}

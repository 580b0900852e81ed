//! Rows of a kernel matrix, made when they are asked for.

use crate::distance::{Measure, Packed, Pairs};
use crate::linalg::SymRows;
use crate::matrix::Rows;
use crate::par;
use rayon::prelude::*;
use std::ops::Range;

/// Points that are measured together.
const GROUP: usize = 512;
/// Multiply-adds from which on a row is made by several threads.
const LONG: usize = 1 << 18;

/// A measure of every row with every row, row by row: the values of [`Measure::matrix`].
///
/// Cost   the packed rows beside the given ones; n·d multiply-adds for a row.
#[allow(missing_debug_implementations)]
pub struct GramRows<'a> {
    pairs: Pairs<'a>,
    packed: Vec<Packed>,
    n: usize,
    d: usize,
}

impl<'a> GramRows<'a> {
    /// Nothing is computed until a row is asked for.
    pub fn new(measure: impl Into<Measure>, rows: &'a dyn Rows) -> Self {
        let (n, d) = (rows.n_rows(), rows.n_cols());
        let pairs = Pairs::among(measure, rows);
        let groups: Vec<Range<usize>> = par::chunks(n, GROUP).collect();
        let packed = groups.into_par_iter().map(|cols| pairs.pack(cols)).collect();
        Self { pairs, packed, n, d }
    }
}

impl SymRows for GramRows<'_> {
    fn size(&self) -> usize {
        self.n
    }

    fn diagonal(&self, out: &mut [f64]) {
        par::fill_chunks(out, 1, |rows, out| {
            for (i, o) in rows.zip(out) {
                self.pairs.block(i..i + 1, i..i + 1, std::slice::from_mut(o));
            }
        });
    }

    fn copy_row(&self, i: usize, out: &mut [f64]) {
        let parts = out.chunks_mut(GROUP).zip(&self.packed);
        if self.n * self.d < LONG {
            return parts.for_each(|(part, packed)| self.pairs.fill(i..i + 1, packed, part));
        }
        let parts = out.par_chunks_mut(GROUP).zip(&self.packed);
        parts.for_each(|(part, packed)| self.pairs.fill(i..i + 1, packed, part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Metric;
    use crate::kernel::mercer::Kernel;
    use crate::test_tables::{normals, sparse_copy};

    #[test]
    fn rows_made_alone_have_the_bits_of_the_matrix_dense_or_sparse_short_or_long() {
        for (n, d) in [(1, 3), (40, 3), (GROUP + 7, 5), (GROUP * 2 + 1, 300)] {
            let x = normals(n, d, 7);
            let copy = sparse_copy(&x);
            let thin = copy.view();
            let kernels = [Kernel::Rbf { gamma: 0.1 }, Kernel::Tanh { gamma: 0.2, coef0: -0.1 }];
            let measures = kernels.map(Measure::from).into_iter();
            for measure in measures.chain([Metric::Manhattan.into()]) {
                let want = measure.matrix(&x, &x);
                let (dense, sparse) = (GramRows::new(measure, &x), GramRows::new(measure, &thin));
                let mut row = vec![0.0; n];
                for made in [&dense as &dyn SymRows, &sparse] {
                    for i in [0, n / 2, n - 1] {
                        made.copy_row(i, &mut row);
                        assert_eq!(row, want.row(i), "{measure:?}: row {i} of {n} x {d}");
                    }
                    made.diagonal(&mut row);
                    assert!((0..n).all(|i| row[i] == want[(i, i)]));
                }
            }
        }
    }
}

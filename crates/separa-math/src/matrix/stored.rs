//! Rows that are kept: a copy of a table's rows, sparse where that is smaller.

use super::rows::copied;
use super::{CsrRef, Dense, MatrixRef, Rows};
use crate::error::Result;
use std::ops::Range;

/// Tables with fewer numbers than one place in so many are kept sparse: a number and its place take
/// two words.
const THIN: usize = 4;

/// Copied rows. Which form they have follows from their numbers, not from that of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Dense(Dense),
    Sparse { cols: usize, indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64> },
}

/// What [`Stored`] holds.
#[derive(Debug, Clone, Copy)]
pub enum StoredView<'a> {
    /// Every entry.
    Dense(&'a Dense),
    /// Three arrays, as in SciPy's `csr_matrix`.
    #[allow(missing_docs, reason = "named as in SciPy")]
    Sparse { cols: usize, indptr: &'a [usize], indices: &'a [u32], values: &'a [f64] },
}

impl Stored {
    /// The rows of `index`, in that order.
    pub fn of(rows: &dyn Rows, index: &[usize]) -> Self {
        let d = rows.n_cols();
        let mut row = vec![0.0; d];
        let mut count = 0;
        for &i in index {
            count += match rows.sparse() {
                Some(x) => x.row(i).1.iter().filter(|v| **v != 0.0).count(),
                None => {
                    rows.copy_row(i, &mut row);
                    row.iter().filter(|v| **v != 0.0).count()
                }
            };
        }
        if THIN * count >= index.len() * d {
            return Self(Form::Dense(super::pick(rows, index)));
        }
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for &i in index {
            rows.copy_row(i, &mut row);
            for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                indices.push(j as u32);
                values.push(v);
            }
            indptr.push(values.len());
        }
        Self(Form::Sparse { cols: d, indptr, indices, values })
    }

    /// Without a copy.
    pub fn from_dense(rows: Dense) -> Self {
        Self(Form::Dense(rows))
    }

    /// Sparse rows from elsewhere, checked.
    pub fn from_sparse(
        cols: usize,
        indptr: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Self> {
        CsrRef::new(cols, &indptr, &indices, &values)?;
        Ok(Self(Form::Sparse { cols, indptr, indices, values }))
    }

    /// The rows as a table.
    pub fn matrix(&self) -> MatrixRef<'_> {
        match &self.0 {
            Form::Dense(x) => x.view().into(),
            Form::Sparse { cols, indptr, indices, values } => {
                // Checked when it was built.
                CsrRef { cols: *cols, indptr, indices, values }.into()
            }
        }
    }

    /// The arrays themselves, to write them to a file.
    pub fn view(&self) -> StoredView<'_> {
        match &self.0 {
            Form::Dense(x) => StoredView::Dense(x),
            Form::Sparse { cols, indptr, indices, values } => {
                StoredView::Sparse { cols: *cols, indptr, indices, values }
            }
        }
    }
}

impl Rows for Stored {
    fn n_rows(&self) -> usize {
        match &self.0 {
            Form::Dense(x) => x.rows(),
            Form::Sparse { indptr, .. } => indptr.len() - 1,
        }
    }
    fn n_cols(&self) -> usize {
        match &self.0 {
            Form::Dense(x) => x.cols(),
            Form::Sparse { cols, .. } => *cols,
        }
    }
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        match &self.0 {
            Form::Dense(x) => x.block(range, buffer),
            Form::Sparse { .. } => copied(self, range, buffer),
        }
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        self.matrix().copy_row(i, out);
    }
    fn dense_row(&self, i: usize) -> Option<&[f64]> {
        match &self.0 {
            Form::Dense(x) => Some(x.row(i)),
            Form::Sparse { .. } => None,
        }
    }
    fn in_memory(&self) -> bool {
        matches!(self.0, Form::Dense(_))
    }
    fn sparse(&self) -> Option<CsrRef<'_>> {
        match self.matrix() {
            MatrixRef::Dense(_) => None,
            MatrixRef::Sparse(x) => Some(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::pick;

    #[test]
    fn rows_are_kept_as_they_are_and_their_form_follows_from_their_numbers() {
        let mut full = Dense::zeros(4, 9);
        (0..4).for_each(|i| full[(i, 2 * i)] = 1.0 + i as f64);
        let index = [3, 0, 0];
        let thin = Stored::of(&full, &index);
        assert!(thin.sparse().is_some());
        assert_eq!(pick(&thin, &[0, 1, 2]), pick(&full, &index));
        let again = Stored::of(&thin.sparse().unwrap(), &[0, 1, 2]);
        assert_eq!(again, thin);
        let StoredView::Sparse { cols, indptr, indices, values } = thin.view() else { panic!() };
        let built = Stored::from_sparse(cols, indptr.into(), indices.into(), values.into());
        assert_eq!(built.unwrap(), thin);
        assert!(Stored::from_sparse(1, vec![0, 1], vec![5], vec![1.0]).is_err());
        full.data_mut()[..20].fill(1.0);
        let thick = Stored::of(&full, &index);
        assert!(thick.sparse().is_none() && thick.in_memory());
        let mut buffer = Vec::new();
        assert_eq!(thick.block(1..3, &mut buffer), [full.row(0), full.row(0)].concat());
    }
}

//! What rows can be given as.

use super::Dataset;
use crate::error::{Error, Result};
use separa_math::matrix::{CsrRef, Dense, DenseRef, MatrixRef};

/// Rows of features: arrays, slices, vectors, matrices, or a [`Dataset`] with names, weights, bags or sequences.
pub trait AsRows {
    /// Checks the rows and hands them to `work`.
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T>;
}

impl AsRows for Dataset<'_> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        work(self)
    }
}

impl AsRows for MatrixRef<'_> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        work(&Dataset::new(*self)?)
    }
}

impl AsRows for DenseRef<'_> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        MatrixRef::from(*self).with_rows(work)
    }
}

impl AsRows for CsrRef<'_> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        MatrixRef::from(*self).with_rows(work)
    }
}

impl AsRows for Dense {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        DenseRef::new(self.rows(), self.cols(), self.data())?.with_rows(work)
    }
}

impl<const D: usize> AsRows for [[f64; D]] {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        DenseRef::new(self.len(), D, self.as_flattened())?.with_rows(work)
    }
}

impl<const N: usize, const D: usize> AsRows for [[f64; D]; N] {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        self.as_slice().with_rows(work)
    }
}

impl<const D: usize> AsRows for Vec<[f64; D]> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        self.as_slice().with_rows(work)
    }
}

/// Rows of different widths are refused; the values are copied.
impl AsRows for [Vec<f64>] {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        let width = self.first().map_or(0, Vec::len);
        if let Some(i) = self.iter().position(|row| row.len() != width) {
            return Err(Error::RowWidth { row: i + 1, found: self[i].len(), expected: width });
        }
        DenseRef::new(self.len(), width, &self.concat())?.with_rows(work)
    }
}

impl AsRows for Vec<Vec<f64>> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        self.as_slice().with_rows(work)
    }
}

#[cfg(feature = "ndarray")]
impl<S: ndarray::Data<Elem = f64>> AsRows for ndarray::ArrayBase<S, ndarray::Ix2> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        let rows = self.as_standard_layout();
        let values = rows.as_slice().expect("the standard layout is contiguous");
        DenseRef::new(self.nrows(), self.ncols(), values)?.with_rows(work)
    }
}

#[cfg(feature = "faer")]
impl AsRows for faer::MatRef<'_, f64> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        let (n, d) = (self.nrows(), self.ncols());
        let values: Vec<f64> = (0..n * d).map(|i| self[(i / d, i % d)]).collect();
        DenseRef::new(n, d, &values)?.with_rows(work)
    }
}

#[cfg(feature = "faer")]
impl AsRows for faer::Mat<f64> {
    fn with_rows<T>(&self, work: impl FnOnce(&Dataset<'_>) -> Result<T>) -> Result<T> {
        self.as_ref().with_rows(work)
    }
}

//! Rows of numbers: dense or sparse is decided here and nowhere else.
//!
//! [`Rows`] is what the rest of the workshop reads: blocks of dense rows, made on the fly where the
//! table is sparse or is seen through a scaler ([`crate::scaling::Scaled`]).

mod gather;
mod product;
mod rows;
mod stored;
mod strip;

pub use gather::gather;
pub use product::{Columns, project, project_into};
pub use rows::{Rows, Subset, pick};
pub use stored::{Stored, StoredView};
pub use strip::{Link, Product, fma};

use crate::error::{Error, Result};

/// An owned row-major matrix.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dense {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Dense {
    /// All entries 0.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// Ones on the diagonal, else 0.
    pub fn identity(n: usize) -> Self {
        let mut eye = Self::zeros(n, n);
        (0..n).for_each(|i| eye[(i, i)] = 1.0);
        eye
    }

    /// Entries row by row; an error unless there are `rows * cols`.
    pub fn from_vec(rows: usize, cols: usize, data: Vec<f64>) -> Result<Self> {
        if data.len() != rows * cols {
            return Err(Error::Shape {
                what: "a row-major buffer",
                found: format!("{} values", data.len()),
                expected: format!("{rows} x {cols}"),
            });
        }
        Ok(Self { rows, cols, data })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }
    /// Row `i`, to change.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }
    /// A copy of column `j`.
    pub fn column(&self, j: usize) -> Vec<f64> {
        (0..self.rows).map(|i| self[(i, j)]).collect()
    }
    /// All entries, row by row.
    pub fn data(&self) -> &[f64] {
        &self.data
    }
    /// All entries, to change.
    pub fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }
    /// All entries, without a copy.
    pub fn into_vec(self) -> Vec<f64> {
        self.data
    }
    /// Borrows the whole matrix.
    pub fn view(&self) -> DenseRef<'_> {
        DenseRef { rows: self.rows, cols: self.cols, stride: self.cols, data: &self.data }
    }
    /// A copy with rows and columns exchanged.
    pub fn transposed(&self) -> Self {
        let mut t = Self::zeros(self.cols, self.rows);
        for i in 0..self.rows {
            for j in 0..self.cols {
                t[(j, i)] = self[(i, j)];
            }
        }
        t
    }
}

impl std::ops::Index<(usize, usize)> for Dense {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

/// Row-major dense rows, possibly with a stride (a slice of columns of a larger table).
#[derive(Debug, Clone, Copy)]
pub struct DenseRef<'a> {
    rows: usize,
    cols: usize,
    stride: usize,
    data: &'a [f64],
}

impl<'a> DenseRef<'a> {
    /// Entries row by row; an error unless there are `rows * cols`.
    pub fn new(rows: usize, cols: usize, data: &'a [f64]) -> Result<Self> {
        Self::with_stride(rows, cols, cols, data)
    }

    /// Rows that begin every `stride` entries.
    pub fn with_stride(rows: usize, cols: usize, stride: usize, data: &'a [f64]) -> Result<Self> {
        let needed = if rows == 0 { 0 } else { (rows - 1) * stride + cols };
        if stride < cols || data.len() < needed {
            return Err(Error::Shape {
                what: "a row-major buffer",
                found: format!("{} values, stride {stride}", data.len()),
                expected: format!("{rows} x {cols}"),
            });
        }
        Ok(Self { rows, cols, stride, data })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Entries from one row to the next.
    pub fn stride(&self) -> usize {
        self.stride
    }
    /// All entries, with those between rows.
    pub fn data(&self) -> &'a [f64] {
        self.data
    }
    /// Row `i`.
    pub fn row(&self, i: usize) -> &'a [f64] {
        &self.data[i * self.stride..i * self.stride + self.cols]
    }
    /// The rows `range`, which must exist.
    pub fn part(&self, range: std::ops::Range<usize>) -> Self {
        let end = if range.is_empty() {
            range.start * self.stride
        } else {
            (range.end - 1) * self.stride + self.cols
        };
        Self { rows: range.len(), data: &self.data[range.start * self.stride..end], ..*self }
    }
}

/// Compressed sparse rows, column indices ascending within a row.
#[derive(Debug, Clone, Copy)]
pub struct CsrRef<'a> {
    cols: usize,
    indptr: &'a [usize],
    indices: &'a [u32],
    values: &'a [f64],
}

impl<'a> CsrRef<'a> {
    /// The three arrays of SciPy's `csr_matrix`; an error unless they fit together.
    pub fn new(
        cols: usize,
        indptr: &'a [usize],
        indices: &'a [u32],
        values: &'a [f64],
    ) -> Result<Self> {
        let bad = |found: String, expected: &str| {
            Err(Error::Shape { what: "a sparse table", found, expected: expected.into() })
        };
        if indptr.first() != Some(&0) || indptr.windows(2).any(|w| w[0] > w[1]) {
            return bad(
                "a row pointer that is not ascending from 0".into(),
                "ascending row starts",
            );
        }
        if indptr.last() != Some(&values.len()) || indices.len() != values.len() {
            let found = format!("{} indices and {} values", indices.len(), values.len());
            return bad(found, "one index a value, all of them inside rows");
        }
        for (i, w) in indptr.windows(2).enumerate() {
            let row = &indices[w[0]..w[1]];
            if row.windows(2).any(|p| p[0] >= p[1]) {
                return bad(
                    format!("row {i} with unsorted or repeated columns"),
                    "ascending columns",
                );
            }
            if row.last().is_some_and(|&j| j as usize >= cols) {
                return bad(
                    format!("row {i} with a column beyond {cols}"),
                    "columns below the width",
                );
            }
        }
        Ok(Self { cols, indptr, indices, values })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.indptr.len() - 1
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }
    /// The columns and values stored for row `i`.
    pub fn row(&self, i: usize) -> (&'a [u32], &'a [f64]) {
        let range = self.indptr[i]..self.indptr[i + 1];
        (&self.indices[range.clone()], &self.values[range])
    }
}

/// A table, dense or sparse.
#[derive(Debug, Clone, Copy)]
pub enum MatrixRef<'a> {
    /// Every entry stored.
    Dense(DenseRef<'a>),
    /// Entries that are not stored are 0.
    Sparse(CsrRef<'a>),
}

impl<'a> From<DenseRef<'a>> for MatrixRef<'a> {
    fn from(x: DenseRef<'a>) -> Self {
        Self::Dense(x)
    }
}

impl<'a> From<CsrRef<'a>> for MatrixRef<'a> {
    fn from(x: CsrRef<'a>) -> Self {
        Self::Sparse(x)
    }
}

impl<'a> MatrixRef<'a> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(x) => x.rows(),
            Self::Sparse(x) => x.rows(),
        }
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        match self {
            Self::Dense(x) => x.cols(),
            Self::Sparse(x) => x.cols(),
        }
    }
    /// The stored values, for checks that do not care about places (zeros may be left out).
    pub fn row_values(&self, i: usize) -> &'a [f64] {
        match self {
            Self::Dense(x) => x.row(i),
            Self::Sparse(x) => x.row(i).1,
        }
    }
    /// The column of the `p`-th stored value of row `i`.
    pub fn column_of(&self, i: usize, p: usize) -> usize {
        match self {
            Self::Dense(_) => p,
            Self::Sparse(x) => x.row(i).0[p] as usize,
        }
    }
}

//! Rows that a model or a part keeps for itself.

use crate::error::{Error, Result};
use crate::persist::Tensors;
use separa_math::matrix::{CsrRef, Dense, MatrixRef};

/// Rows are kept sparse where fewer than one value in so many is not zero. That is a property of the
/// numbers, not of how the table held them, so a dense and a sparse table give the same model.
const THIN: usize = 4;

/// Some rows, copied.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Points {
    Dense(Dense),
    Sparse { cols: usize, indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64> },
}

impl Points {
    /// The rows `index` of a table.
    pub fn gather(x: MatrixRef<'_>, index: &[usize]) -> Self {
        let (cols, full) = (x.cols(), x.cols() * index.len());
        let stored = |i: usize| x.row_values(i).iter().enumerate().filter(|(_, v)| **v != 0.0);
        let filled: usize = index.iter().map(|&i| stored(i).count()).sum();
        if filled * THIN >= full {
            let mut out = Dense::zeros(index.len(), cols);
            for (r, &i) in index.iter().enumerate() {
                let row = out.row_mut(r);
                stored(i).for_each(|(p, v)| row[x.column_of(i, p)] = *v);
            }
            return Self::Dense(out);
        }
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for &i in index {
            for (p, v) in stored(i) {
                indices.push(x.column_of(i, p) as u32);
                values.push(*v);
            }
            indptr.push(values.len());
        }
        Self::Sparse { cols, indptr, indices, values }
    }

    pub fn view(&self) -> MatrixRef<'_> {
        match self {
            Self::Dense(x) => x.view().into(),
            Self::Sparse { cols, indptr, indices, values } => {
                let rows = CsrRef::new(*cols, indptr, indices, values);
                rows.expect("checked when they were gathered or loaded").into()
            }
        }
    }

    pub fn store(&self, tensors: &mut Tensors) {
        match self {
            Self::Dense(x) => tensors.put_matrix("points", x),
            Self::Sparse { cols, indptr, indices, values } => {
                let mut starts = vec![*cols as i64];
                starts.extend(indptr.iter().map(|&p| p as i64));
                tensors.put_integers("point_starts", &starts);
                let places: Vec<i64> = indices.iter().map(|&j| i64::from(j)).collect();
                tensors.put_integers("point_columns", &places);
                tensors.put_vector("point_values", values);
            }
        }
    }

    pub fn load(tensors: &Tensors) -> Result<Self> {
        if tensors.contains("points") {
            return Ok(Self::Dense(tensors.matrix("points")?));
        }
        let bad = || Error::Model("its points are not a sparse table".into());
        let starts = tensors.integers("point_starts")?;
        let whole = |v: &i64| usize::try_from(*v).map_err(|_| bad());
        let starts: Vec<usize> = starts.iter().map(whole).collect::<Result<_>>()?;
        let (&cols, indptr) = starts.split_first().ok_or_else(bad)?;
        let places = tensors.integers("point_columns")?;
        let indices = places.iter().map(|v| u32::try_from(*v).map_err(|_| bad()));
        let indices: Vec<u32> = indices.collect::<Result<_>>()?;
        let values = tensors.vector("point_values")?;
        if indptr.is_empty() || CsrRef::new(cols, indptr, &indices, &values).is_err() {
            return Err(bad());
        }
        Ok(Self::Sparse { cols, indptr: indptr.to_vec(), indices, values })
    }
}

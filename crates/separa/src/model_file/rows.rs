//! Rows that a model keeps, dense or sparse.

use super::Tensors;
use crate::error::{Error, Result};
use separa_math::matrix::{Rows, Stored, StoredView};

impl Tensors {
    /// Rows that a model keeps.
    pub fn put_rows(&mut self, name: &str, rows: &Stored) {
        match rows.view() {
            StoredView::Dense(x) => self.put_matrix(name, x),
            StoredView::Sparse { cols, indptr, indices, values } => {
                let starts: Vec<i64> = indptr.iter().map(|&p| p as i64).collect();
                let places: Vec<i64> = indices.iter().map(|&j| i64::from(j)).collect();
                self.put_integers(&format!("{name}.columns"), &[cols as i64]);
                self.put_integers(&format!("{name}.starts"), &starts);
                self.put_integers(&format!("{name}.places"), &places);
                self.put_vector(&format!("{name}.values"), values);
            }
        }
    }

    /// Rows that [`Tensors::put_rows`] stored: at least one, of at least one column.
    pub fn rows(&self, name: &str) -> Result<Stored> {
        let damaged = || Error::Model(format!("tensor \"{name}\" holds no table of rows"));
        let rows = if self.contains(name) {
            Stored::from_dense(self.matrix(name)?)
        } else {
            let whole = |part: &str| -> Result<Vec<usize>> {
                let numbers = self.integers(&format!("{name}.{part}"))?;
                numbers.iter().map(|&v| usize::try_from(v).map_err(|_| damaged())).collect()
            };
            let [cols] = whole("columns")?[..] else { return Err(damaged()) };
            let places = whole("places")?;
            let indices = places.iter().map(|&j| u32::try_from(j).map_err(|_| damaged()));
            let indices = indices.collect::<Result<Vec<u32>>>()?;
            let values = self.vector(&format!("{name}.values"))?;
            Stored::from_sparse(cols, whole("starts")?, indices, values).map_err(|_| damaged())?
        };
        // No table is wider than this; a file that says so is not to be allocated for.
        let widest = 1 << 26;
        if rows.n_rows() == 0 || rows.n_cols() == 0 || rows.n_cols() > widest {
            return Err(damaged());
        }
        Ok(rows)
    }
}

//! Missing values of sparse rows: rows left out, or means put in their place.

use crate::error::{Error, Result};
use crate::load::Origin;
use crate::prepared::Aside;

/// The table whose gaps (NaN) are to be treated.
pub(crate) struct Gaps<'a> {
    pub origin: &'a Origin,
    pub names: &'a [String],
    pub notices: &'a mut Vec<String>,
}

/// Entries of a sparse matrix by rows.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Csr {
    pub indptr: Vec<usize>,
    pub indices: Vec<u32>,
    pub values: Vec<f64>,
}

impl Gaps<'_> {
    /// Puts the mean of the column's values in each gap; entries not stored are zeros and count.
    pub fn fill_sparse(&mut self, mut matrix: Csr) -> Result<Csr> {
        let mut means = vec![Mean::default(); self.names.len()];
        for (&column, &value) in matrix.indices.iter().zip(&matrix.values) {
            means[column as usize].add(value);
        }
        let rows = matrix.indptr.len() - 1;
        for mean in &mut means {
            mean.present = rows - mean.gaps;
        }
        let means = self.finish_means(&means)?;
        for (&column, value) in matrix.indices.iter().zip(&mut matrix.values) {
            if value.is_nan() {
                *value = means[column as usize];
            }
        }
        Ok(matrix)
    }

    /// Leaves out the rows with a gap; also returns the rows kept, counted from 1 in the input.
    pub fn drop_sparse(&mut self, matrix: &Csr, aside: &mut [Aside]) -> Result<(Csr, Vec<u64>)> {
        let entries = |row: usize| matrix.indptr[row]..matrix.indptr[row + 1];
        let rows = matrix.indptr.len() - 1;
        let keep: Vec<bool> =
            (0..rows).map(|i| matrix.values[entries(i)].iter().all(|v| !v.is_nan())).collect();
        let source_rows = self.keep_rows(&keep, aside)?;
        let mut kept = Csr { indptr: vec![0], ..Csr::default() };
        for &row in &source_rows {
            let entries = entries(row as usize - 1);
            kept.indices.extend_from_slice(&matrix.indices[entries.clone()]);
            kept.values.extend_from_slice(&matrix.values[entries]);
            kept.indptr.push(kept.values.len());
        }
        Ok((kept, source_rows))
    }

    fn finish_means(&mut self, means: &[Mean]) -> Result<Vec<f64>> {
        if let Some(column) = means.iter().position(|m| m.gaps > 0 && m.present == 0) {
            return Err(Error::NoMean {
                file: self.origin.name(),
                column: self.names[column].clone(),
                in_model: false,
            });
        }
        let gaps: usize = means.iter().map(|m| m.gaps).sum();
        let columns = means.iter().filter(|m| m.gaps > 0).count();
        self.notices.push(format!(
            "filled {gaps} missing values in {columns} columns with the column means"
        ));
        Ok(means.iter().map(|m| m.sum / m.present as f64).collect())
    }

    fn keep_rows(&mut self, keep: &[bool], aside: &mut [Aside]) -> Result<Vec<u64>> {
        let source_rows: Vec<u64> =
            (1..).zip(keep).filter(|(_, k)| **k).map(|(row, _)| row).collect();
        if source_rows.is_empty() {
            return Err(Error::NoRowsLeft { file: self.origin.name(), rows: keep.len() });
        }
        for column in aside {
            let mut flags = keep.iter();
            column.values.retain(|_| *flags.next().expect("aside columns have one value per row"));
        }
        let gone = keep.len() - source_rows.len();
        self.notices.push(format!("dropped {gone} of {} rows with missing values", keep.len()));
        Ok(source_rows)
    }
}

/// A running mean that counts gaps. Values are summed in row order, whatever the number of threads.
#[derive(Debug, Clone, Default)]
struct Mean {
    sum: f64,
    present: usize,
    gaps: usize,
}

impl Mean {
    fn add(&mut self, value: f64) {
        if value.is_nan() {
            self.gaps += 1;
        } else {
            self.sum += value;
            self.present += 1;
        }
    }
}

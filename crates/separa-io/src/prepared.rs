//! What comes out of a table: features, and columns kept beside them.

use separa::preparation::Preparation;

/// A table of numbers with its columns kept aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// Feature names, one per column of `values`.
    pub names: Vec<String>,
    /// The features, row by row.
    pub values: Values,
    /// Number of rows.
    pub rows: usize,
    /// Columns that are not features (truth, id, others), as text; a missing value is empty text.
    pub aside: Vec<Aside>,
    /// Data row of the input, counted from 1, behind each row of the table. Empty when every row
    /// was kept, that is when row i is simply row i + 1 of the input.
    pub source_rows: Vec<u64>,
    /// What a person should know about how the table was read.
    pub notices: Vec<String>,
    /// What was done to the columns; sparse rows need nothing done.
    pub preparation: Option<Preparation>,
}

/// The numbers of a [`Prepared`]: always finite.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Row-major, `rows * cols` long.
    Dense(Vec<f64>),
    /// Compressed rows: the entries of row i are at `indptr[i]..indptr[i + 1]`, by ascending column.
    #[allow(missing_docs, reason = "named as in SciPy")]
    Sparse { indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64> },
}

/// A column that is not a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// As in the file.
    pub name: String,
    /// One text per row.
    pub values: Vec<String>,
}

impl Prepared {
    /// The values of a column kept aside.
    pub fn column(&self, name: &str) -> Option<&[String]> {
        self.aside.iter().find(|a| a.name == name).map(|a| a.values.as_slice())
    }

    /// The rows `order`, in that order; each keeps its place in the input.
    pub fn rows_in(&self, order: &[usize]) -> Self {
        let cols = self.cols();
        let values = match &self.values {
            Values::Dense(all) => Values::Dense(
                order.iter().flat_map(|&i| &all[i * cols..(i + 1) * cols]).copied().collect(),
            ),
            Values::Sparse { indptr, indices, values } => {
                let entries = || order.iter().map(|&i| indptr[i]..indptr[i + 1]);
                let mut ends = vec![0];
                ends.extend(entries().scan(0, |end, range| {
                    *end += range.len();
                    Some(*end)
                }));
                Values::Sparse {
                    indptr: ends,
                    indices: entries().flat_map(|range| &indices[range]).copied().collect(),
                    values: entries().flat_map(|range| &values[range]).copied().collect(),
                }
            }
        };
        let column = |a: &Aside| Aside {
            name: a.name.clone(),
            values: order.iter().map(|&i| a.values[i].clone()).collect(),
        };
        Self {
            names: self.names.clone(),
            values,
            rows: order.len(),
            aside: self.aside.iter().map(column).collect(),
            source_rows: order.iter().map(|&i| self.source_row(i)).collect(),
            notices: self.notices.clone(),
            preparation: self.preparation.clone(),
        }
    }

    /// Number of features.
    pub fn cols(&self) -> usize {
        self.names.len()
    }

    /// Data row of the input, counted from 1, behind row `i` of the table.
    pub fn source_row(&self, i: usize) -> u64 {
        self.source_rows.get(i).copied().unwrap_or(i as u64 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: Values) -> Prepared {
        let aside = Aside { name: "id".into(), values: ["a", "b", "c"].map(String::from).into() };
        Prepared {
            names: vec!["x".into(), "y".into()],
            values,
            rows: 3,
            aside: vec![aside],
            source_rows: vec![2, 4, 7],
            notices: vec!["read".into()],
            preparation: None,
        }
    }

    #[test]
    fn rows_move_with_all_that_belongs_to_them() {
        let dense = table(Values::Dense(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])).rows_in(&[2, 0]);
        assert_eq!(dense.values, Values::Dense(vec![5.0, 6.0, 1.0, 2.0]));
        assert_eq!((dense.rows, &dense.source_rows[..]), (2, &[7, 2][..]));
        assert_eq!(dense.column("id").unwrap(), ["c", "a"]);
        let sparse = Values::Sparse {
            indptr: vec![0, 1, 1, 3],
            indices: vec![1, 0, 1],
            values: vec![2.0, 5.0, 6.0],
        };
        let moved = Values::Sparse {
            indptr: vec![0, 2, 2, 3],
            indices: vec![0, 1, 1],
            values: vec![5.0, 6.0, 2.0],
        };
        assert_eq!(table(sparse).rows_in(&[2, 1, 0]).values, moved);
    }
}

//! What comes out of a file.

/// A table of numbers with its columns kept aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Feature names, one per column of `values`.
    pub names: Vec<String>,
    pub values: Values,
    pub rows: usize,
    /// Columns that are not features (truth, id, others), as text; a missing value is empty text.
    pub aside: Vec<Aside>,
    /// Data row of the input, counted from 1, behind each row of the table. Empty when every row
    /// was kept, that is when row i is simply row i + 1 of the input.
    pub source_rows: Vec<u64>,
    /// What a person should know about how the table was read.
    pub notices: Vec<String>,
}

/// The numbers of a [`Table`]: always finite.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Row-major, `rows * cols` long.
    Dense(Vec<f64>),
    /// Compressed rows: the entries of row i are at `indptr[i]..indptr[i + 1]`, by ascending column.
    Sparse { indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64> },
}

/// A column that is not a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    pub name: String,
    pub values: Vec<String>,
}

impl Table {
    /// The values of a column kept aside.
    pub fn column(&self, name: &str) -> Option<&[String]> {
        self.aside.iter().find(|a| a.name == name).map(|a| a.values.as_slice())
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

//! Where rows came from, and cells that something has to be said about.

use crate::error::{Error, Result, shown};

/// Which file a row came from.
#[derive(Debug, Default, Clone)]
pub(crate) struct Origin {
    /// Name and number of rows of each file, in order.
    pub files: Vec<(String, usize)>,
}

impl Origin {
    pub fn rows(&self) -> usize {
        self.files.iter().map(|f| f.1).sum()
    }

    /// How messages call the whole input.
    pub fn name(&self) -> String {
        self.files.first().map(|f| f.0.clone()).unwrap_or_default()
    }

    /// File name and row within it, counted from 1, of row `row` of the table.
    pub fn locate(&self, row: usize) -> (String, u64) {
        let mut before = 0;
        for (name, rows) in &self.files {
            if row < before + rows {
                return (name.clone(), (row - before) as u64 + 1);
            }
            before += rows;
        }
        (self.name(), row as u64 + 1)
    }
}

/// A cell that something has to be said about; ordered by row, then column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub row: usize,
    pub slot: usize,
    pub value: String,
}

impl Cell {
    pub fn missing(&self, origin: &Origin, column: &str) -> Error {
        let (file, row) = origin.locate(self.row);
        let what = match self.value.trim() {
            "" => "is empty".to_owned(),
            value => format!("holds \"{}\"", shown(value)),
        };
        Error::Missing { file, row, column: column.to_owned(), what, in_model: false }
    }

    pub fn infinite(&self, origin: &Origin, column: &str) -> Error {
        let Place { file, row, column, value } = self.place(origin, column);
        Error::NotFinite { file, row, column, value, in_model: false }
    }

    pub fn big_integer(&self, origin: &Origin, column: &str) -> Error {
        let Place { file, row, column, value } = self.place(origin, column);
        Error::IntegerTooLarge { file, row, column, value, in_model: false }
    }

    fn place(&self, origin: &Origin, column: &str) -> Place {
        let (file, row) = origin.locate(self.row);
        Place { file, row, column: column.to_owned(), value: shown(self.value.trim()) }
    }
}

/// Where a cell is and what it holds, as messages say it.
struct Place {
    file: String,
    row: u64,
    column: String,
    value: String,
}

/// A zeroed row-major matrix, or an error where the allocator would have aborted.
pub(crate) fn allocate(file: &str, rows: usize, columns: usize) -> Result<Vec<f64>> {
    let too_large = || Error::TooLarge { file: file.to_owned(), rows, columns };
    let length = rows.checked_mul(columns).ok_or_else(too_large)?;
    // One allocation, which can say no: asking first and allocating then would be two.
    let mut values = Vec::new();
    values.try_reserve_exact(length).map_err(|_| too_large())?;
    values.resize(length, 0.0);
    Ok(values)
}

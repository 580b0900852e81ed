//! What can go wrong in the workshop: numbers only, no names of files or columns.

/// An operation could not be carried out on these numbers.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("matrix is not positive definite (pivot {pivot} of {size})")]
    NotPositiveDefinite { pivot: usize, size: usize },
    #[error("the eigenvalue iteration did not converge on a matrix of size {size}")]
    EigenNotConverged { size: usize },
    #[error("{what} has shape {found}, expected {expected}")]
    Shape { what: &'static str, found: String, expected: String },
    /// Row and column count from 1, as people do.
    #[error("{what}: row {row}, column {column} holds {found}, expected {expected}")]
    Entry { what: &'static str, row: usize, column: usize, found: String, expected: String },
    /// The number counts from 1.
    #[error("bag {bag} holds {found}, expected {expected}")]
    Bag { bag: usize, found: String, expected: String },
    #[error("all rows with a weight are on one side ({rows} rows), expected two classes")]
    OneClass { rows: usize },
    #[error("the bound on |f| is {found}, expected at least {least}")]
    Bound { found: f64, least: f64 },
}

pub type Result<T> = std::result::Result<T, Error>;

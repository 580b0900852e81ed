//! What can go wrong with numbers; no names of files or columns.

/// An operation could not be carried out on these numbers.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the sentence of each variant says what its fields are")]
pub enum Error {
    /// A factorisation needs a positive definite matrix.
    #[error("matrix is not positive definite (pivot {pivot} of {size})")]
    NotPositiveDefinite { pivot: usize, size: usize },
    /// Eigenvalues were not found.
    #[error("the eigenvalue iteration did not converge on a matrix of size {size}")]
    EigenNotConverged { size: usize },
    /// A matrix of the wrong size.
    #[error("{what} has shape {found}, expected {expected}")]
    Shape { what: &'static str, found: String, expected: String },
    /// One entry of a matrix; row and column count from 1.
    #[error("{what}: row {row}, column {column} holds {found}, expected {expected}")]
    Entry { what: &'static str, row: usize, column: usize, found: String, expected: String },
    /// One bag of rows; it counts from 1.
    #[error("bag {bag} holds {found}, expected {expected}")]
    Bag { bag: usize, found: String, expected: String },
    /// A classifier has only one class to learn from.
    #[error("all rows with a weight are on one side ({rows} rows), expected two classes")]
    OneClass { rows: usize },
    /// The bound on the decision function is too small.
    #[error("the bound on |f| is {found}, expected at least {least}")]
    Bound { found: f64, least: f64 },
}

/// What functions on numbers return.
pub type Result<T> = std::result::Result<T, Error>;

//! What to take from a file: roles of columns, text columns, missing values, header.

/// Options of [`read`](crate::read). The default takes every column as a feature and refuses
/// text, missing values and anything else that is not a finite number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Feature columns, in the order wanted; empty means every column without another role.
    pub features: Vec<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Column with the true classes: kept as text, never a feature.
    pub truth: Option<String>,
    /// Column that names the rows: kept as text, never a feature.
    pub id: Option<String>,
    /// Further columns kept as text and never features, e.g. starting labels.
    pub aside: Vec<String>,
    /// Read the columns kept aside alone: no column is a feature.
    pub only_aside: bool,
    /// What to do with text columns.
    pub encode: Encode,
    /// What to do with missing values.
    pub missing: Missing,
    /// Whether a CSV file starts with a row of names.
    pub header: Header,
    /// Feature names of a fitted model: exactly these are selected, in this order. A name
    /// `col=value` that is no column stands for the indicator of `value` in text column `col`.
    pub expect: Option<Vec<String>>,
}

/// What to do with a text column that should be a feature.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Encode {
    /// An error that names the column.
    #[default]
    Refuse,
    /// One 0/1 column `col=value` per value, sorted by value.
    OneHot,
}

/// What to do with a missing value (empty, `NA`, `N/A`, `n/a`, `NaN`, `null`, `None`, `?`, Parquet null).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// An error that names the cell.
    #[default]
    Refuse,
    /// Leave out the row, with a notice.
    Drop,
    /// Put the mean of the column's other values, with a notice.
    Mean,
}

/// Whether the first row of a CSV file holds the column names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Header {
    /// It does when any of its fields is neither a number nor missing.
    #[default]
    Auto,
    /// It does, whatever it holds.
    Yes,
    /// It does not: columns are called `x1`, `x2`, ….
    No,
}

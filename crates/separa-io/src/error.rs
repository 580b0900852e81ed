//! What can go wrong between a file and a table, in sentences that name the place and the remedy.
//!
//! Rows in messages are data rows counted from 1 within the named file: a header is not counted.

use std::fmt::Write as _;

use crate::repair::sentences;

/// The result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error in the input, in the options that select from it, or in writing a result.
#[allow(missing_docs, reason = "the message of a variant is its documentation")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // --- finding and opening ---
    #[error("{file}: no such file or folder; check the path")]
    NotFound { file: String },
    #[error("{pattern}: no file matches this pattern; quote it only if separa should expand it")]
    NoMatch { pattern: String },
    #[error("{pattern}: not a valid file pattern ({detail})")]
    BadPattern { pattern: String, detail: String },
    #[error("{folder}: the folder holds no data files, expected .csv, .tsv, .txt or .parquet")]
    NoDataFiles { folder: String },
    #[error("{file}: cannot be read ({source})")]
    Read { file: String, source: std::io::Error },
    #[error(
        "{file}: unknown file type \"{extension}\", and the content is none that can be read; expected .csv, .tsv, .txt, \
         .xlsx, .xls, .ods, .json, .jsonl, .parquet, .arrow, .feather, .sqlite, .npy, .svm, .libsvm or .svmlight; \
         convert the file"
    )]
    UnknownExtension { file: String, extension: String },
    #[error(
        "{first} and {second} are of different types; read one type at a time, e.g. with a pattern like \"*.csv\""
    )]
    MixedFormats { first: String, second: String },
    #[error(
        "{first} and {second}: only CSV and Parquet files can be joined; read one file at a time"
    )]
    CannotJoin { first: String, second: String },
    #[error("{first} and {second} do not have the same columns: {detail}")]
    SchemaDiffers { first: String, second: String, detail: String },
    #[error("{file}: no {what} \"{part}\" in it, it has {parts}; name one of them after {file}::")]
    UnknownPart { file: String, what: &'static str, part: String, parts: String },
    #[error("{file}: {part} is empty, expected a table with at least one row")]
    EmptyPart { file: String, part: String },
    #[error("{file}: the database has the tables {tables}; choose one, e.g. {}", shell_word(&format!("{file}::{example}")))]
    WhichTable { file: String, tables: String, example: String },
    #[error(
        "{file}: a file of this type has one table; leave out \"::{part}\", which names a sheet or a table of a database"
    )]
    NoParts { file: String, part: String },
    #[error(
        "{file}: this separa was built without {what}; build it again with the feature \"{feature}\", or {instead}"
    )]
    FeatureOff { file: String, what: &'static str, feature: &'static str, instead: &'static str },
    #[error(
        "{file}: DuckDB databases are not read directly; write the table to a Parquet file first: {command}"
    )]
    DuckDb { file: String, command: String },
    #[error("{file}: the file is damaged or cut short ({detail}); write or download it again")]
    Damaged { file: String, detail: String },
    #[error(
        "{file}: a table of {rows} rows and {columns} columns does not fit in memory; select columns with --features"
    )]
    TooLarge { file: String, rows: usize, columns: usize },

    #[error(
        "{file}: the file was changed or removed while it was being read; read it when nobody writes to it"
    )]
    Changed { file: String },
    /// A packed file that is larger than memory.
    #[error(
        "{file}: unpacks to more than {megabytes} MB, which is more than there is memory for; unpack it to a file and \
         read parts of it"
    )]
    Unpacked { file: String, megabytes: u64 },

    // --- the shape of the table ---
    #[error("{file}: the file is empty, expected a table with at least one row")]
    Empty { file: String },
    #[error(
        "{file}: the file has a header but no rows; if its first line is data, use --no-header"
    )]
    HeaderOnly { file: String },
    #[error(
        "{file}: row {row} has {found} fields, expected {expected}{}; {}",
        match ragged {
            0 | 1 => String::new(),
            n if found > expected => format!(" ({n} rows have too many)"),
            n => format!(" (all {n} rows have too few)"),
        },
        match (found > expected, ragged) {
            (true, 0 | 1) => "repair the row (a field that holds the separator must be quoted)",
            (true, _) => "repair the rows (a field that holds the separator must be quoted)",
            (false, _) => "repair the header, which names more columns than there are",
        }
    )]
    Ragged { file: String, row: u64, found: usize, expected: usize, ragged: usize },
    #[error(
        "{file}: row {row}, column \"{column}\" opens a quote that is never closed; close it or double it"
    )]
    OpenQuote { file: String, row: u64, column: String },
    #[error(
        "{file}: columns {first} and {second} are both called \"{name}\"; rename one of them{hint}"
    )]
    DuplicateColumn { file: String, name: String, first: usize, second: usize, hint: &'static str },
    #[error(
        "{file}: {place} is not UTF-8: byte 0x{byte:02x} at offset {offset}; convert the file, e.g. with iconv -f latin1 -t utf-8"
    )]
    NotUtf8 { file: String, place: String, byte: u8, offset: u64 },
    #[error("{file}: {what}, {expected}")]
    Unsupported { file: String, what: String, expected: String },
    #[error("{file}: row {row}: {what}, expected `label index:value index:value ...`")]
    Svmlight { file: String, row: u64, what: String },
    #[error(
        "{file}: holds index 0, but the model's features count from 1; renumber the file, or leave the feature \
         out with --drop x0"
    )]
    IndexZero { file: String },

    // --- columns and options ---
    #[error("{file}: no column \"{name}\", named by {option}{hint}")]
    UnknownColumn {
        file: String,
        name: String,
        option: &'static str,
        hint: String,
        near: Option<String>,
    },
    /// Every column with its problem.
    #[error("{file}: {} columns cannot be used as asked: {}", errors.len(), sentences(file, errors))]
    Several { file: String, errors: Vec<Error> },
    #[error(
        "column \"{name}\" is named by both {first} and {second}; a column can have one role only"
    )]
    RoleConflict { name: String, first: &'static str, second: &'static str },
    #[error("{file}: no feature column is left; name some with --features or drop fewer")]
    NoFeatures { file: String },
    #[error(
        "{file}: table has {table} feature columns, but the model was fitted on {model}{detail}"
    )]
    ModelColumns { file: String, table: usize, model: usize, detail: String },
    #[error(
        "{file}: the model was fitted on columns that the table does not have; missing: {detail}"
    )]
    MissingColumns { file: String, detail: String },
    #[error(
        "{file}: column \"{column}\" is not numeric (row {row} holds \"{value}\"); {remedy}",
        remedy = match in_model {
            true => "the model was fitted on numbers in it: correct the column".to_owned(),
            false => format!(
                "drop it with --drop {}, keep it aside with --truth or --id, or turn it into \
                 indicators with --encode onehot",
                shell_word(column)
            ),
        }
    )]
    TextColumn { file: String, column: String, row: u64, value: String, in_model: bool },
    #[error(
        "{file}: column \"{column}\" holds {what}, expected numbers; {remedy}",
        remedy = match in_model {
            true => "the model was fitted on numbers in it: convert the column".to_owned(),
            false => format!("drop it with --drop {}", shell_word(column)),
        }
    )]
    UnreadableColumn { file: String, column: String, what: String, in_model: bool },
    #[error(
        "{file}: no column can be a feature: {detail}{}",
        match (only_ids, text) {
            (true, _) => "; these are only ids, add columns that describe the rows",
            (false, Some(_)) => "",
            (false, None) if instead.is_none() => "; add columns of numbers or words",
            (false, None) => "; name columns to use all the same with --features COLS",
        }
    )]
    NothingToUse {
        file: String,
        detail: String,
        instead: Option<(&'static str, String)>,
        /// A column of free text, where nothing else is there.
        text: Option<String>,
        /// Whether every column counts or names the rows.
        only_ids: bool,
    },
    #[error(
        "{file}: {count} values of features are missing: {detail}; fill them with --missing nearest, leave out their \
         rows with --missing drop, or the columns with --drop {drop}"
    )]
    Gaps { file: String, count: usize, detail: String, drop: String },
    #[error(
        "{file}: column \"{column}\" also holds {}, which --order does not name; {}",
        quoted_list(words),
        match words.len() {
            1 => "add it to the order",
            2..=10 => "add them to the order",
            _ => "leave the column out of --order",
        }
    )]
    OrderLacks { file: String, column: String, words: Vec<String> },
    #[error(
        "{file}: column \"{column}\" holds no number (\"{value}\"), named by --numeric; leave it out of --numeric"
    )]
    NoNumbers { file: String, column: String, value: String },
    #[error(
        "{file}: column \"{column}\" holds \"{value}\", expected a date such as 2024-03-31, named by --date; \
         leave it out of --date"
    )]
    NotADate { file: String, column: String, value: String },

    // --- cells ---
    #[error(
        "{file}: row {row}, column \"{column}\" {what}, expected a number; {remedy}",
        remedy = match in_model {
            true => "leave the rows out with --missing drop or take the mean with --missing mean".to_owned(),
            false => format!(
                "drop the column with --drop {} or the rows with --missing drop, or take the mean with --missing mean",
                shell_word(column)
            ),
        }
    )]
    Missing { file: String, row: u64, column: String, what: String, in_model: bool },
    #[error(
        "{file}: row {row}, column \"{column}\" holds \"{value}\", which looks like a number with {what}; \
         rewrite the column with plain numbers, e.g. 1234.5"
    )]
    NumberStyle { file: String, row: u64, column: String, value: String, what: &'static str },
    #[error(
        "{file}: row {row}, column \"{column}\" holds \"{value}\", expected a finite number; correct the value{}",
        or_drop(column, *in_model)
    )]
    NotFinite { file: String, row: u64, column: String, value: String, in_model: bool },
    #[error(
        "{file}: row {row}, column \"{column}\" holds \"{value}\", expected an integer within ±2^53 (larger ones are \
         not exact as numbers); {remedy}",
        remedy = match in_model {
            true => "the model was fitted on numbers in it: correct the value".to_owned(),
            false => format!(
                "drop the column with --drop {word} or keep it as the row name with --id {word}",
                word = shell_word(column)
            ),
        }
    )]
    IntegerTooLarge { file: String, row: u64, column: String, value: String, in_model: bool },
    #[error(
        "{file}: column \"{column}\" has no value at all, so no mean; {remedy}",
        remedy = match in_model {
            true => "the model was fitted on numbers in it: fill it in".to_owned(),
            false => format!("drop it with --drop {}", shell_word(column)),
        }
    )]
    NoMean { file: String, column: String, in_model: bool },
    #[error(
        "{file}: every one of the {rows} rows has a missing value, so --missing drop leaves none; fill them with --missing nearest, or drop columns"
    )]
    NoRowsLeft { file: String, rows: usize },

    #[error(
        "{file}: {left} of {rows} rows are left without missing values, too few to find the number of clusters \
         (expected at least {least}); fill the missing values with --missing nearest"
    )]
    FewRowsLeft { file: String, left: usize, rows: usize, least: usize },

    // --- writing ---
    #[error("{file}: cannot be written ({source}); nothing was changed")]
    Write { file: String, source: std::io::Error },
    #[error("{file}: cannot be written ({source}); some of the output is there")]
    WrittenInPart { file: String, source: std::io::Error },
    #[error("{file}: the folder {folder} does not exist; create it first")]
    NoFolder { file: String, folder: String },
    #[error(
        "{file}: unknown type \"{extension}\" for labels, expected .csv, .tsv, .parquet or .xlsx (.csv and .tsv also with .gz or .zst)"
    )]
    UnknownOutput { file: String, extension: String },
    #[error("{file}: {what} has {found} entries for {expected} labels")]
    Lengths { file: String, what: String, found: usize, expected: usize },
}

impl Error {
    /// The same in a row that is so much further down.
    pub(crate) fn further(mut self, rows: u64) -> Self {
        match &mut self {
            Self::NotFinite { row, .. } | Self::IntegerTooLarge { row, .. } => *row += rows,
            _ => {}
        }
        self
    }

    /// The same for a column that a fitted model needs: dropping it is no remedy.
    pub(crate) fn for_model(mut self) -> Self {
        match &mut self {
            Self::TextColumn { in_model, .. }
            | Self::UnreadableColumn { in_model, .. }
            | Self::Missing { in_model, .. }
            | Self::NotFinite { in_model, .. }
            | Self::IntegerTooLarge { in_model, .. }
            | Self::NoMean { in_model, .. } => *in_model = true,
            _ => {}
        }
        self
    }
}

fn or_drop(column: &str, in_model: bool) -> String {
    match in_model {
        true => String::new(),
        false => format!(" or drop the column with --drop {}", shell_word(column)),
    }
}

/// A name as one word of a command line.
pub fn shell_word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.,+:@%/=".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

/// `"a", "b" and 7 more`: quoted names, at most ten of them.
pub(crate) fn quoted_list<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 10;
    let mut text = String::new();
    for (i, name) in names.iter().take(SHOWN).enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{separator}\"{}\"", name.as_ref());
    }
    if names.len() > SHOWN {
        let _ = write!(text, " and {} more", names.len() - SHOWN);
    }
    text
}

/// A value for a message: cut after 60 characters, line breaks and control characters escaped.
pub(crate) fn shown(value: &str) -> String {
    let mut text: String = value.chars().take(60).flat_map(char::escape_debug).collect();
    if value.chars().nth(60).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_quote_names_that_are_not_one_word() {
        assert_eq!(shell_word("price"), "price");
        assert_eq!(shell_word("unit price"), "'unit price'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }

    #[test]
    fn long_lists_and_values_are_cut() {
        let names: Vec<String> = (0..12).map(|i| i.to_string()).collect();
        assert!(quoted_list(&names).ends_with("\"9\" and 2 more"));
        assert_eq!(shown("a\nb"), "a\\nb");
        assert_eq!(shown(&"x".repeat(100)).chars().count(), 61);
    }
}

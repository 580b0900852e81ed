//! What a command must say otherwise after a refusal, so that one line can be pasted.

use crate::error::Error;

/// More words are not added to an order: the column was meant to be something else.
const MOST_WORDS: usize = 10;

/// A change to the options that led to a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// An option must not name this column.
    Unname {
        /// E.g. `--numeric`.
        option: &'static str,
        /// As it was named.
        column: String,
    },
    /// An option meant another column.
    Rename {
        /// E.g. `--drop`.
        option: &'static str,
        /// As it was named.
        column: String,
        /// What the table has.
        to: String,
    },
    /// The order of a column lacks words.
    Extend {
        /// Its name.
        column: String,
        /// The words, behind those that are there.
        words: Vec<String>,
    },
    /// An option with this value, whatever it was before.
    Set {
        /// E.g. `--missing`.
        option: &'static str,
        /// E.g. `nearest`.
        value: String,
    },
    /// The words of a column must become features first.
    Words {
        /// The table.
        file: String,
        /// Its column of free text.
        column: String,
    },
}

impl Error {
    /// All that must be changed for the same table to be read; nothing if options cannot help.
    pub fn repairs(&self) -> Vec<Repair> {
        let unname =
            |option, column: &String| vec![Repair::Unname { option, column: column.clone() }];
        let set = |option, value: &str| vec![Repair::Set { option, value: value.to_owned() }];
        match self {
            Self::Several { errors, .. } => {
                let all: Vec<Vec<Repair>> = errors.iter().map(Self::repairs).collect();
                // A command that mends some of them only would be refused again.
                if all.iter().any(Vec::is_empty) { Vec::new() } else { all.concat() }
            }
            Self::UnknownColumn { name, option, near: Some(near), .. } => {
                let (column, to) = (name.clone(), near.clone());
                vec![Repair::Rename { option, column, to }]
            }
            Self::UnknownColumn { name, option, .. } => unname(option, name),
            Self::NoNumbers { column, .. } => unname("--numeric", column),
            Self::NotADate { column, .. } => unname("--date", column),
            Self::UnreadableColumn { column, in_model: false, .. } => unname("--features", column),
            // A column of so many words is not on a scale.
            Self::OrderLacks { column, words, .. } if words.len() > MOST_WORDS => {
                unname("--order", column)
            }
            Self::OrderLacks { column, words, .. } => {
                vec![Repair::Extend { column: column.clone(), words: words.clone() }]
            }
            Self::Gaps { .. } | Self::NoRowsLeft { .. } | Self::FewRowsLeft { .. } => {
                set("--missing", "nearest")
            }
            Self::NothingToUse { instead: Some((option, columns)), .. } => set(option, columns),
            Self::NothingToUse { file, text: Some(column), .. } => {
                vec![Repair::Words { file: file.clone(), column: column.clone() }]
            }
            _ => Vec::new(),
        }
    }

    /// Errors of the columns of one table, and another that may be several.
    pub(crate) fn joined(mut errors: Vec<Self>, other: Option<Self>) -> Vec<Self> {
        match other {
            Some(Self::Several { errors: more, .. }) => errors.extend(more),
            other => errors.extend(other),
        }
        errors
    }

    /// All errors of the columns of one table as one.
    pub(crate) fn all(file: &str, mut errors: Vec<Self>) -> Self {
        match errors.len() {
            1 => errors.remove(0),
            _ => Self::Several { file: file.to_owned(), errors },
        }
    }
}

/// The sentences of several errors without the table's name, which stands before them.
pub(crate) fn sentences(file: &str, errors: &[Error]) -> String {
    let start = format!("{file}: ");
    let said = errors.iter().map(|e| {
        let sentence = e.to_string();
        sentence.strip_prefix(&start).unwrap_or(&sentence).to_owned()
    });
    said.collect::<Vec<_>>().join("; ")
}

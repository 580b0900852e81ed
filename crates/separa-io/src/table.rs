//! A table as it was found: every column with what it holds, before anything is decided about it.
//!
//! Every reader of tables hands over a [`Table`]; [`Table::prepare`] makes features of it.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::load::allocate;

/// The columns of a file, a sheet or a data frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Rows of each file, with its name; one file for most tables.
    pub files: Vec<(String, usize)>,
    /// Rows of the first file before these.
    pub(crate) first_row: usize,
    /// The columns in their order.
    pub columns: Vec<Column>,
    /// Columns of the file that were not read because nobody wanted them.
    pub unread: Vec<String>,
    /// Whether the columns have names of their own; otherwise they are called by their place.
    pub named: bool,
    /// What a person should know about the reading.
    pub notices: Vec<String>,
    /// Numbers, booleans and times row by row, [`Table::width`] of them per row; NaN where one is missing.
    pub(crate) numbers: Vec<f64>,
    pub(crate) width: usize,
    pub(crate) words: Vec<Words>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// No other column has this name.
    pub name: String,
    /// What it holds, and where.
    pub(crate) held: Held,
}

/// What a column holds, and where: a place among the numbers of a row, or among the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    Numbers(usize),
    Booleans(usize),
    Times(usize, TimeKind),
    Words(usize),
    Unreadable(String),
}

/// The values of a column, as readers and data frames hand them over.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValues {
    /// NaN where one is missing.
    Numbers(Vec<f64>),
    /// 1 and 0, NaN where one is missing.
    Booleans(Vec<f64>),
    /// Seconds since 1970-01-01 or, for [`TimeKind::Clock`], since midnight; NaN where one is missing.
    Times(Vec<f64>, TimeKind),
    /// Text.
    Words(Words),
    /// Nothing that could be used: what it is, e.g. "nested values (lists)".
    Unreadable(String),
}

/// What a column of times counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeKind {
    /// Days.
    Date,
    /// Days with a time.
    DateTime,
    /// Times of the day.
    Clock,
}

/// Text, each different one stored once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Per row the place of its text in `levels`, or [`Words::MISSING`].
    pub codes: Vec<u32>,
    /// The different texts in order of first appearance.
    pub levels: Vec<String>,
}

impl Words {
    /// The code of a missing text.
    pub const MISSING: u32 = u32::MAX;

    /// From one text per row; one that means "missing" (empty, `NA`, `n/a`, …) has no text.
    pub fn from_texts<T: AsRef<str>>(texts: impl IntoIterator<Item = Option<T>>) -> Self {
        let mut words = WordsBuilder::default();
        for text in texts {
            words.push(text.as_ref().map(AsRef::as_ref));
        }
        words.finish()
    }

    /// The text of a row.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.levels.get(self.codes[row] as usize).map(String::as_str)
    }

    /// Rows of every level.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.levels.len()];
        for &code in self.codes.iter().filter(|code| **code != Self::MISSING) {
            counts[code as usize] += 1;
        }
        counts
    }

    /// The rows of these places.
    pub(crate) fn rows_in(&self, places: &[usize]) -> Self {
        let mut words = WordsBuilder::default();
        places.iter().for_each(|&i| words.add(self.get(i)));
        words.finish()
    }

    /// Adds the rows of a later part.
    pub(crate) fn append(&mut self, later: Words) {
        if self.levels.is_empty() && self.codes.is_empty() {
            *self = later;
            return;
        }
        let mut known: HashMap<&str, u32> =
            self.levels.iter().zip(0..).map(|(level, code)| (level.as_str(), code)).collect();
        let mut fresh = Vec::new();
        let mut moved = Vec::with_capacity(later.levels.len());
        let before = self.levels.len();
        for level in &later.levels {
            moved.push(*known.entry(level).or_insert_with(|| {
                fresh.push(level.clone());
                (before + fresh.len() - 1) as u32
            }));
        }
        let code = |code: &u32| moved.get(*code as usize).copied().unwrap_or(Self::MISSING);
        self.codes.extend(later.codes.iter().map(code));
        self.levels.extend(fresh);
    }
}

/// Collects texts row by row.
#[derive(Debug, Default)]
pub(crate) struct WordsBuilder {
    words: Words,
    known: HashMap<String, u32>,
}

impl WordsBuilder {
    /// A text that is kept as it is; only an empty one is missing.
    pub fn push_kept(&mut self, text: &str) {
        self.add(Some(text).filter(|text| !text.trim().is_empty()));
    }

    /// A text, of which words such as NA are missing.
    pub fn push(&mut self, text: Option<&str>) {
        self.add(text.filter(|text| !crate::number::is_missing(text)));
    }

    fn add(&mut self, text: Option<&str>) {
        let code = match text {
            None => Words::MISSING,
            Some(text) => match self.known.get(text) {
                Some(code) => *code,
                None => {
                    let code = self.words.levels.len() as u32;
                    self.words.levels.push(text.to_owned());
                    self.known.insert(text.to_owned(), code);
                    code
                }
            },
        };
        self.words.codes.push(code);
    }

    pub fn len(&self) -> usize {
        self.words.codes.len()
    }

    pub fn finish(self) -> Words {
        self.words
    }
}

impl Table {
    /// A table from named columns of the same length, as a data frame has them.
    pub fn from_columns(source: &str, columns: Vec<(String, ColumnValues)>) -> Result<Self> {
        let rows = columns.iter().find_map(|(_, values)| values.len()).unwrap_or(0);
        let mut table =
            Self { files: vec![(source.to_owned(), rows)], named: true, ..Self::default() };
        let mut numbers: Vec<Vec<f64>> = Vec::new();
        for (name, values) in columns {
            if let Some(found) = values.len().filter(|found| *found != rows) {
                let what = format!("column \"{name}\"");
                return Err(Error::Lengths {
                    file: source.to_owned(),
                    what,
                    found,
                    expected: rows,
                });
            }
            let next = numbers.len();
            let held = match values {
                ColumnValues::Numbers(values) => {
                    numbers.push(values);
                    Held::Numbers(next)
                }
                ColumnValues::Booleans(values) => {
                    numbers.push(values);
                    Held::Booleans(next)
                }
                ColumnValues::Times(values, kind) => {
                    numbers.push(values);
                    Held::Times(next, kind)
                }
                ColumnValues::Words(words) => {
                    table.words.push(words);
                    Held::Words(table.words.len() - 1)
                }
                ColumnValues::Unreadable(what) => Held::Unreadable(what),
            };
            table.columns.push(Column { name, held });
        }
        table.width = numbers.len();
        table.numbers = allocate(source, rows, numbers.len())?;
        let width = table.width.max(1);
        table.numbers.par_chunks_mut(width).enumerate().for_each(|(i, row)| {
            row.iter_mut().zip(&numbers).for_each(|(value, column)| *value = column[i]);
        });
        Ok(table)
    }

    /// How messages call it.
    pub fn source(&self) -> &str {
        self.files.first().map_or("the table", |(name, _)| name)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.files.iter().map(|(_, rows)| rows).sum()
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The place of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names().position(|found| found == name)
    }

    /// File, and row within it counted from 1, of a row.
    pub(crate) fn locate(&self, row: usize) -> (&str, usize) {
        let (mut before, mut skipped) = (0, self.first_row);
        for (name, rows) in &self.files {
            if row < before + rows {
                return (name, row - before + skipped + 1);
            }
            before += rows;
            skipped = 0;
        }
        (self.source(), row + 1)
    }

    /// One number per row.
    pub(crate) fn number(&self, slot: usize) -> impl Iterator<Item = f64> + '_ {
        self.numbers.iter().skip(slot).step_by(self.width.max(1)).copied()
    }

    fn value(&self, row: usize, slot: usize) -> f64 {
        self.numbers[row * self.width + slot]
    }

    /// One text per row; long columns on all cores.
    fn each(&self, text: impl Fn(usize) -> String + Sync + Send) -> Vec<String> {
        (0..self.rows()).into_par_iter().with_min_len(1 << 12).map(text).collect()
    }

    /// The values of a column as text, empty where one is missing.
    pub fn texts(&self, position: usize) -> Vec<String> {
        match &self.columns[position].held {
            Held::Numbers(slot) => self.each(|i| number_text(self.value(i, *slot))),
            Held::Booleans(slot) => self.each(|i| boolean_text(self.value(i, *slot))),
            Held::Times(slot, kind) => self.each(|i| time_text(self.value(i, *slot), *kind)),
            Held::Words(at) => {
                let words = &self.words[*at];
                self.each(|i| words.get(i).unwrap_or_default().to_owned())
            }
            Held::Unreadable(_) => vec![String::new(); self.rows()],
        }
    }
}

impl ColumnValues {
    fn len(&self) -> Option<usize> {
        match self {
            Self::Numbers(values) | Self::Booleans(values) | Self::Times(values, _) => {
                Some(values.len())
            }
            Self::Words(words) => Some(words.codes.len()),
            Self::Unreadable(_) => None,
        }
    }
}

pub(crate) fn number_text(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

pub(crate) fn boolean_text(value: f64) -> String {
    let word = if value == 0.0 { "false" } else { "true" };
    if value.is_nan() { String::new() } else { word.to_owned() }
}

pub(crate) fn time_text(seconds: f64, kind: TimeKind) -> String {
    const MICROS: f64 = 1e6;
    if !seconds.is_finite() {
        return String::new();
    }
    match kind {
        TimeKind::Date => crate::temporal::date((seconds / 86_400.0).floor() as i64),
        TimeKind::DateTime => {
            crate::temporal::timestamp((seconds * MICROS).round() as i64, MICROS as i64)
        }
        TimeKind::Clock => crate::temporal::time((seconds * MICROS).round() as i64, MICROS as i64),
    }
}

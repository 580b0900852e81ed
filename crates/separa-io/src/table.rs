//! A table as it was found: every column with what it holds, before anything is decided about it.
//!
//! Every reader of tables hands over a [`Table`]; [`Table::prepare`] makes features of it.

use std::collections::{HashMap, TryReserveError};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::load::allocate;

/// Numbers that a preparation keeps of a text at the same time: rows, two ways to read a number and a date, an order, and
/// as much again.
const LISTS: usize = 16;

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
    /// Of a sample: where each row was among all.
    pub(crate) places: Vec<usize>,
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
        words.into_words()
    }

    /// From one number per row; each different one becomes text once.
    pub(crate) fn from_numbers(
        numbers: impl Iterator<Item = f64>,
        text: impl Fn(f64) -> String,
    ) -> Self {
        let (mut words, mut known) = (WordsBuilder::default(), HashMap::new());
        for number in numbers {
            match known.get(&number.to_bits()) {
                Some(code) => words.words.codes.push(*code),
                None => {
                    words.push(Some(&text(number)));
                    known.insert(number.to_bits(), *words.words.codes.last().expect("pushed"));
                }
            }
        }
        words.into_words()
    }

    /// The text of a row.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.levels.get(self.codes[row] as usize).map(String::as_str)
    }

    /// One text per row, empty where one is missing.
    pub(crate) fn into_texts(self) -> Vec<String> {
        let all_different = self.codes.len() == self.levels.len();
        // Codes go by first appearance, so texts that all differ are in the order of rows.
        if all_different && !self.codes.contains(&Self::MISSING) {
            return self.levels;
        }
        let text = |i: usize| self.get(i).unwrap_or_default().to_owned();
        each(self.codes.len(), text)
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
        words.into_words()
    }

    /// Each of `count` lists, of which every part has its rows.
    pub(crate) fn concat_each(
        parts: impl IntoIterator<Item = Vec<Words>>,
        count: usize,
    ) -> std::result::Result<Vec<Self>, TryReserveError> {
        let mut lists: Vec<Vec<Words>> = (0..count).map(|_| Vec::new()).collect();
        for part in parts {
            lists.iter_mut().zip(part).for_each(|(all, words)| all.push(words));
        }
        lists.into_iter().map(Self::concat).collect()
    }

    /// The rows of all parts, one after another.
    fn concat(mut parts: Vec<Words>) -> std::result::Result<Self, TryReserveError> {
        parts.retain(|part| !part.codes.is_empty());
        if parts.len() < 2 {
            return Ok(parts.pop().unwrap_or_default());
        }
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut moved: Vec<Vec<u32>> = Vec::with_capacity(parts.len());
        for part in &parts {
            let mut of_part = Vec::new();
            of_part.try_reserve_exact(part.levels.len())?;
            known.try_reserve(part.levels.len())?;
            for level in &part.levels {
                let next = known.len() as u32;
                of_part.push(*known.entry(level).or_insert(next));
            }
            moved.push(of_part);
        }
        let (mut levels, mut codes) = (Vec::new(), Vec::new());
        levels.try_reserve_exact(known.len())?;
        codes.try_reserve_exact(parts.iter().map(|part| part.codes.len()).sum())?;
        for (part, moved) in parts.into_iter().zip(&moved) {
            let code = |code: &u32| moved.get(*code as usize).copied().unwrap_or(Self::MISSING);
            codes.extend(part.codes.iter().map(code));
            // Codes were given in the order of first appearance, so a level that is new has the next one.
            for (level, code) in part.levels.into_iter().zip(moved) {
                if *code as usize == levels.len() {
                    levels.push(level);
                }
            }
        }
        Ok(Self { codes, levels })
    }
}

/// Collects texts row by row; what does not fit in memory is told at the end.
#[derive(Debug, Default)]
pub(crate) struct WordsBuilder {
    words: Words,
    known: HashMap<String, u32>,
    full: Option<TryReserveError>,
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
        if let Err(full) = self.try_add(text) {
            self.full.get_or_insert(full);
        }
    }

    fn try_add(&mut self, text: Option<&str>) -> std::result::Result<(), TryReserveError> {
        self.words.codes.try_reserve(1)?;
        let code = match text {
            None => Words::MISSING,
            Some(text) => match self.known.get(text) {
                Some(code) => *code,
                None => {
                    self.words.levels.try_reserve(1)?;
                    self.known.try_reserve(1)?;
                    let code = self.words.levels.len() as u32;
                    self.words.levels.push(text.to_owned());
                    self.known.insert(text.to_owned(), code);
                    code
                }
            },
        };
        self.words.codes.push(code);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.words.codes.len()
    }

    pub fn finish(self) -> std::result::Result<Words, TryReserveError> {
        self.full.map_or(Ok(self.words), Err)
    }

    /// For texts that were in memory before.
    pub fn into_words(self) -> Words {
        self.finish().expect("memory for a second copy of the texts")
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

    /// Refuses a table whose preparation would run out of memory. For every different text it makes lists, short-lived ones
    /// in many places: room for all of them is asked for at once, so that there being none is an error and not the end of
    /// the process.
    pub(crate) fn check_room(&self) -> Result<()> {
        let texts: usize = self.words.iter().map(|words| words.levels.len()).sum();
        let room = Vec::<[f64; LISTS]>::new().try_reserve_exact(texts);
        room.map_err(|_| Error::TooLarge {
            file: self.source().to_owned(),
            rows: self.rows(),
            columns: self.columns.len(),
        })
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

    /// The values of a column as text, empty where one is missing.
    pub fn texts(&self, position: usize) -> Vec<String> {
        let column = &self.columns[position];
        match &column.held {
            Held::Words(at) => {
                let words = &self.words[*at];
                each(self.rows(), |i| words.get(i).unwrap_or_default().to_owned())
            }
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                each(self.rows(), |i| column.text(self.value(i, *slot)))
            }
            Held::Unreadable(_) => vec![String::new(); self.rows()],
        }
    }

    /// The values of a column as text, each different one once; words such as NA are missing.
    pub(crate) fn as_words(&self, column: &Column) -> Words {
        match &column.held {
            Held::Words(at) => self.words[*at].clone(),
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                Words::from_numbers(self.number(*slot), |value| column.text(value))
            }
            Held::Unreadable(_) => {
                Words { codes: vec![Words::MISSING; self.rows()], levels: Vec::new() }
            }
        }
    }
}

/// One text per row; long columns on all cores.
fn each(rows: usize, text: impl Fn(usize) -> String + Sync + Send) -> Vec<String> {
    (0..rows).into_par_iter().with_min_len(1 << 12).map(text).collect()
}

impl Column {
    /// The text of a number that the column holds.
    pub(crate) fn text(&self, value: f64) -> String {
        match &self.held {
            Held::Booleans(_) => boolean_text(value),
            Held::Times(_, kind) => time_text(value, *kind),
            _ => number_text(value),
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
    const EXACT: f64 = crate::number::EXACT as f64;
    match value {
        v if v.is_nan() => String::new(),
        // Whole numbers are written much faster as integers; -0 is none.
        v if v.fract() == 0.0 && v.abs() < EXACT && v != 0.0 => (v as i64).to_string(),
        v => v.to_string(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_words_are_the_same_as_all_of_them_at_once() {
        let text = |i: usize| (i % 5 != 3).then(|| format!("w{}", i * i % 7));
        let parts = [0..4, 4..4, 4..5, 5..23].map(|rows| vec![Words::from_texts(rows.map(text))]);
        let whole = Words::from_texts((0..23).map(text));
        assert_eq!(Words::concat_each(parts, 1).unwrap(), [whole]);
        assert_eq!(Words::concat_each([], 2).unwrap(), [Words::default(), Words::default()]);
    }

    #[test]
    fn numbers_are_texts_each_different_one_once() {
        let numbers = [1.0, 0.5, f64::NAN, 1.0, -0.0, 12_345_678.0, -3.0, 1e300];
        let words = Words::from_numbers(numbers.into_iter(), number_text);
        assert_eq!(words, Words::from_texts(numbers.map(|v| Some(number_text(v)))));
        for value in [0.0, -0.0, 1.0, -17.0, 0.1, 9_007_199_254_740_991.0, 1e16, f64::INFINITY] {
            assert_eq!(number_text(value), value.to_string());
        }
        assert_eq!(number_text(f64::NAN), "");
    }

    #[test]
    fn texts_that_all_differ_are_moved_and_others_copied() {
        for texts in [vec![Some("a"), Some("b")], vec![Some("a"), None, Some("a")], vec![None]] {
            let wanted: Vec<String> =
                texts.iter().map(|t| t.unwrap_or_default().to_owned()).collect();
            assert_eq!(Words::from_texts(texts).into_texts(), wanted);
        }
    }
}

//! What is in a table: types, missing values, duplicates, outliers, before anything is clustered.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use rayon::prelude::*;
use separa::preparation::{ColumnPreparation, Encoding, Preparation, Role};
use serde::Serialize;

use super::apply::word_value;
use super::stats::{median, middle_of, sorted};
use crate::error::Result;
use crate::options::TableOptions;
use crate::prepared::Prepared;
use crate::table::{Held, Table, Words};

/// Robust deviations beyond which a value is an outlier.
const FAR: f64 = 5.0;
/// Outliers of a column that are located.
const LOCATED: usize = 5;

/// A table at a glance, and how it would be prepared.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Look {
    /// Rows of the table.
    pub rows: usize,
    /// Rows that repeat an earlier one in every column but ids.
    pub duplicate_rows: usize,
    /// One entry per column.
    pub columns: Vec<ColumnLook>,
    /// What would be done.
    pub preparation: Preparation,
    /// How many features there would be.
    pub features: usize,
    /// What a person should know.
    pub notices: Vec<String>,
}

/// One column at a glance.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ColumnLook {
    /// Its name.
    pub name: String,
    /// Different values.
    pub distinct: usize,
    /// Missing values.
    pub missing: usize,
    /// Smallest, middle and largest value, if it holds numbers.
    pub range: Option<[f64; 3]>,
    /// Values more than five robust deviations from the middle, if it holds numbers.
    pub outliers: Option<usize>,
    /// The rows of the farthest of them, at most five, counted from 1.
    pub outlier_rows: Vec<usize>,
    /// First and last, if it holds dates or times.
    pub dates: Option<[String; 2]>,
    /// The most frequent text with its rows, if it holds text.
    pub most_frequent: Option<(String, usize)>,
}

impl ColumnLook {
    /// Range and outliers of numbers, one per row; what is not finite is missing. `all` are those that are there, in order.
    fn see(&mut self, numbers: impl Iterator<Item = f64>, all: &[f64]) {
        let (Some(first), Some(last)) = (all.first(), all.last()) else { return };
        let middle = median(all);
        self.range = Some([*first, middle, *last]);
        let mut off: Vec<f64> = all.iter().map(|v| (v - middle).abs()).collect();
        // 1.4826 makes the median deviation of a Gaussian its standard deviation.
        let limit = FAR * 1.4826 * middle_of(&mut off);
        let far = |d: f64| limit > 0.0 && d.is_finite() && d > limit;
        let off = numbers.map(|v| (v - middle).abs()).zip(1..);
        let mut off: Vec<(f64, usize)> = off.filter(|(d, _)| far(*d)).collect();
        off.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.outliers = Some(off.len());
        self.outlier_rows = off.iter().take(LOCATED).map(|(_, row)| *row).collect();
    }

    /// What texts stand for, if they are numbers or dates.
    fn see_words(&mut self, words: &Words, encoding: Option<&Encoding>) {
        let value = |encoding| words.levels.iter().map(|l| word_value(encoding, l)).collect();
        match encoding {
            Some(encoding @ Encoding::Number { .. }) => {
                let values: Vec<f64> = value(encoding);
                let of = |code: &u32| values.get(*code as usize).copied().unwrap_or(f64::NAN);
                let numbers = || words.codes.iter().map(of);
                self.see(numbers(), &sorted(numbers(), words.codes.len(), true));
            }
            Some(encoding @ Encoding::Date { .. }) => {
                let values: Vec<f64> = value(encoding);
                let known = || (0..values.len()).filter(|&l| values[l].is_finite());
                let by = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
                let ends = known().min_by(by).zip(known().max_by(by));
                self.dates = ends.map(|(a, b)| [a, b].map(|l| words.levels[l].clone()));
            }
            _ => {}
        }
    }
}

impl Table {
    /// What is in the table, and how [`Table::prepare`] would prepare it.
    pub fn look(self, options: &TableOptions) -> Result<Look> {
        Ok(self.look_prepared(options)?.0)
    }

    /// The same, with the prepared table itself; none if it cannot be clustered: such a table can still be looked at.
    pub fn look_prepared(mut self, options: &TableOptions) -> Result<(Look, Option<Prepared>)> {
        self.arrange(options)?;
        let prepared = match self.clone().prepare(options) {
            Ok(prepared) => Some(prepared),
            Err(crate::Error::NothingToUse { .. } | crate::Error::Gaps { .. }) => None,
            Err(other) => return Err(other),
        };
        let (preparation, notices) = match &prepared {
            Some(done) => (done.preparation.clone().unwrap_or_default(), done.notices.clone()),
            None => {
                let (preparation, suspicions) = super::decide::decide(&self, options)?;
                (preparation, [self.notices.clone(), suspicions].concat())
            }
        };
        let glance = |j| self.column_look(j, preparation.columns.get(j));
        let columns = (0..self.columns.len()).into_par_iter().map(glance).collect();
        let duplicate_rows = self.duplicates(&preparation);
        let features = preparation.feature_names().len();
        let rows = self.rows();
        Ok((Look { rows, duplicate_rows, columns, preparation, features, notices }, prepared))
    }

    fn column_look(&self, j: usize, done: Option<&ColumnPreparation>) -> ColumnLook {
        let column = &self.columns[j];
        let mut look = ColumnLook { name: column.name.clone(), ..ColumnLook::default() };
        match &column.held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                let all = sorted(self.number(*slot), self.rows(), true);
                look.missing = self.rows() - all.len();
                look.distinct = all.chunk_by(|a, b| a == b).count();
                match (&column.held, all.first(), all.last()) {
                    (Held::Numbers(_), ..) => look.see(self.number(*slot), &all),
                    (Held::Times(..), Some(first), Some(last)) => {
                        look.dates = Some([*first, *last].map(|seconds| column.text(seconds)));
                    }
                    _ => {}
                }
            }
            Held::Words(at) => {
                let words = &self.words[*at];
                let counts = words.counts();
                look.missing = self.rows() - counts.iter().sum::<usize>();
                look.distinct = counts.iter().filter(|c| **c > 0).count();
                let most = (0..counts.len()).max_by_key(|&l| (counts[l], std::cmp::Reverse(l)));
                look.most_frequent = most.map(|l| (words.levels[l].clone(), counts[l]));
                look.see_words(words, done.and_then(|done| done.encoding.as_ref()));
            }
            Held::Unreadable(_) => {}
        }
        // What is no number in a column of numbers is missing, too.
        look.missing = look.missing.max(done.map_or(0, |done| done.missing));
        look
    }

    /// Rows that repeat an earlier one.
    fn duplicates(&self, preparation: &Preparation) -> usize {
        let used: Vec<usize> = (0..self.columns.len())
            .filter(|&j| preparation.columns.get(j).is_none_or(|c| c.role != Role::Id))
            .collect();
        if used.is_empty() {
            return 0;
        }
        let of = |row: usize, j: usize| match &self.columns[j].held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                self.numbers[row * self.width + slot].to_bits()
            }
            Held::Words(at) => u64::from(self.words[*at].codes[row]),
            Held::Unreadable(_) => 0,
        };
        // 128 bits of a row stand for it: two rows in 2^64 would have to be different and look equal.
        let key = |row: usize| -> [u64; 2] {
            [1u64, 2].map(|seed| {
                let mut hasher = DefaultHasher::new();
                seed.hash(&mut hasher);
                used.iter().for_each(|&j| of(row, j).hash(&mut hasher));
                hasher.finish()
            })
        };
        let keys: Vec<[u64; 2]> = (0..self.rows()).into_par_iter().map(key).collect();
        let mut seen = HashSet::with_capacity(keys.len());
        keys.iter().filter(|key| !seen.insert(**key)).count()
    }
}

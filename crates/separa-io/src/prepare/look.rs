//! What is in a table: types, missing values, duplicates, outliers, before anything is clustered.

use std::collections::HashMap;

use separa::preparation::{Preparation, Role};
use serde::Serialize;

use super::stats::{median, sorted};
use crate::error::Result;
use crate::options::TableOptions;
use crate::table::{Held, Table};

/// Robust deviations beyond which a value is an outlier.
const FAR: f64 = 5.0;
/// Outliers of a column that are located.
const LOCATED: usize = 5;

/// A table at a glance, and how it would be prepared.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// The most frequent text with its rows, if it holds text.
    pub most_frequent: Option<(String, usize)>,
}

impl Table {
    /// What is in the table, and how [`Table::prepare`] would prepare it.
    pub fn look(self, options: &TableOptions) -> Result<Look> {
        let columns: Vec<ColumnLook> =
            (0..self.columns.len()).map(|j| self.column_look(j)).collect();
        let rows = self.rows();
        let table = self.clone();
        let (preparation, notices) = match self.prepare(options) {
            Ok(prepared) => (prepared.preparation.unwrap_or_default(), prepared.notices),
            // A table that cannot be clustered can still be looked at.
            Err(crate::Error::NothingToUse { .. } | crate::Error::Gaps { .. }) => {
                (super::decide::decide(&table, options)?, table.notices.clone())
            }
            Err(other) => return Err(other),
        };
        let duplicate_rows = table.duplicates(&preparation);
        let features = preparation.feature_names().len();
        Ok(Look { rows, duplicate_rows, columns, preparation, features, notices })
    }

    fn column_look(&self, j: usize) -> ColumnLook {
        let name = self.columns[j].name.clone();
        let mut look = ColumnLook {
            name,
            distinct: 0,
            missing: 0,
            range: None,
            outliers: None,
            outlier_rows: Vec::new(),
            most_frequent: None,
        };
        match &self.columns[j].held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                let all = sorted(self.number(*slot), self.rows(), true);
                look.missing = self.rows() - all.len();
                look.distinct = all.chunk_by(|a, b| a == b).count();
                if let (Some(first), Some(last), Held::Numbers(_)) =
                    (all.first(), all.last(), &self.columns[j].held)
                {
                    let middle = median(&all);
                    look.range = Some([*first, middle, *last]);
                    let mut off: Vec<f64> = all.iter().map(|v| (v - middle).abs()).collect();
                    off.sort_unstable_by(f64::total_cmp);
                    // 1.4826 makes the median deviation of a Gaussian its standard deviation.
                    let deviation = 1.4826 * median(&off);
                    let far = |d: &&f64| deviation > 0.0 && **d > FAR * deviation;
                    let count = off.iter().filter(far).count();
                    look.outliers = Some(count);
                    look.outlier_rows = self.farthest(*slot, middle, count.min(LOCATED));
                }
            }
            Held::Words(at) => {
                let words = &self.words[*at];
                let counts = words.counts();
                look.missing = self.rows() - counts.iter().sum::<usize>();
                look.distinct = counts.iter().filter(|c| **c > 0).count();
                let most = (0..counts.len()).max_by_key(|&l| (counts[l], std::cmp::Reverse(l)));
                look.most_frequent = most.map(|l| (words.levels[l].clone(), counts[l]));
            }
            Held::Unreadable(_) => {}
        }
        look
    }

    /// The rows whose values are farthest from the middle, the farthest first.
    fn farthest(&self, slot: usize, middle: f64, count: usize) -> Vec<usize> {
        let off = self.number(slot).map(|v| (v - middle).abs()).zip(1..);
        let mut off: Vec<(f64, usize)> = off.filter(|(d, _)| d.is_finite()).collect();
        off.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        off.into_iter().take(count).map(|(_, row)| row).collect()
    }

    /// Rows that repeat an earlier one.
    fn duplicates(&self, preparation: &Preparation) -> usize {
        let used: Vec<usize> = (0..self.columns.len())
            .filter(|&j| preparation.columns.get(j).is_none_or(|c| c.role != Role::Id))
            .collect();
        let key = |row: usize| -> Vec<u64> {
            let of = |&j: &usize| match &self.columns[j].held {
                Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                    self.numbers[row * self.width + slot].to_bits()
                }
                Held::Words(at) => u64::from(self.words[*at].codes[row]),
                Held::Unreadable(_) => 0,
            };
            used.iter().map(of).collect()
        };
        let mut seen: HashMap<Vec<u64>, ()> = HashMap::new();
        (0..self.rows()).filter(|&row| seen.insert(key(row), ()).is_some()).count()
    }
}

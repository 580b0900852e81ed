//! Features as columns of the user's table: their names, and their values in its own words.

use crate::clustering::Fitted;
use crate::preparation::Encoding;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

const DAY: f64 = 86_400.0;

/// A value of a table as a person would write it: a number, or a word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CellValue {
    /// A number.
    Number(f64),
    /// The level of a category, a truth value or a date.
    Word(String),
}

impl fmt::Display for CellValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => {
                let plain = *value == 0.0 || (1e-4..1e15).contains(&value.abs());
                if plain { write!(f, "{value}") } else { write!(f, "{value:e}") }
            }
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// A column of the table with the features that it became.
#[derive(Debug, Clone)]
pub(super) struct TableColumn<'a> {
    pub name: String,
    pub features: Range<usize>,
    pub encoding: Option<&'a Encoding>,
}

/// How the one value of a column is spread over its features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// One feature that can have any value.
    Number,
    /// Only certain values make sense: levels, yes or no.
    Levels,
    /// A date: days, and what follows from them.
    Date,
}

/// The columns of the table, in the order of their features.
pub(super) fn table_columns<'a>(
    fitted: &'a Fitted,
    names: Option<&[String]>,
) -> Vec<TableColumn<'a>> {
    let done = fitted.preparation().filter(|done| done.feature_columns().len() == fitted.d());
    if let Some(done) = done {
        let mut at = 0;
        let column =
            |(column, encoding): (&crate::preparation::ColumnPreparation, &'a Encoding)| {
                let features = at..at + encoding.width();
                at = features.end;
                TableColumn { name: column.name.clone(), features, encoding: Some(encoding) }
            };
        return done.features().map(column).collect();
    }
    let names = fitted.feature_names().or(names);
    let name = |j: usize| names.map_or_else(|| format!("column {}", j + 1), |n| n[j].clone());
    let column = |j| TableColumn { name: name(j), features: j..j + 1, encoding: None };
    (0..fitted.d()).map(column).collect()
}

impl TableColumn<'_> {
    pub fn kind(&self) -> ColumnKind {
        match self.encoding {
            Some(Encoding::Date { .. }) => ColumnKind::Date,
            Some(Encoding::Boolean { .. } | Encoding::Ordered { .. } | Encoding::OneHot { .. }) => {
                ColumnKind::Levels
            }
            _ => ColumnKind::Number,
        }
    }

    /// Whether feature `j` is 0 or 1 for a level of a category.
    pub fn is_indicator(&self) -> bool {
        matches!(self.encoding, Some(Encoding::OneHot { .. } | Encoding::Boolean { .. }))
    }

    /// The level that feature `j` stands for, and where there are just two the other one.
    pub fn indicated(&self, j: usize) -> (String, Option<String>) {
        match self.encoding {
            Some(Encoding::Boolean { yes, no, .. }) => {
                let first = |words: &[String]| words.first().cloned();
                (first(yes).unwrap_or_else(|| "1".to_owned()), first(no))
            }
            Some(Encoding::OneHot { levels, base, .. }) => {
                let level = levels.get(j - self.features.start).cloned();
                (level.unwrap_or_else(|| "another word".to_owned()), base.clone())
            }
            _ => (String::new(), None),
        }
    }

    /// A bound on feature `j` in words: a date, the last level below it, or the number itself.
    pub fn bound(&self, j: usize, threshold: f64) -> CellValue {
        match self.encoding {
            Some(Encoding::Ordered { levels, .. }) => {
                let last = levels.len().saturating_sub(1) as f64;
                CellValue::Word(levels[threshold.floor().clamp(0.0, last) as usize].clone())
            }
            Some(Encoding::Date { origin, .. }) if j == self.features.start => {
                CellValue::Word(date(*origin, threshold))
            }
            _ => CellValue::Number(threshold),
        }
    }

    /// What feature `j` is called: the column, or a part of it.
    pub fn feature_name(&self, j: usize) -> String {
        match self.encoding {
            Some(encoding @ Encoding::Date { .. }) => {
                encoding.feature_names(&self.name)[j - self.features.start].clone()
            }
            _ => self.name.clone(),
        }
    }
}

/// The day, and the time if it is not midnight, so many days after `origin` (seconds since 1970-01-01).
pub(super) fn date(origin: f64, days: f64) -> String {
    let seconds = (origin + days * DAY).round();
    let (year, month, day) = civil((seconds / DAY).floor() as i64);
    let rest = seconds.rem_euclid(DAY) as i64;
    let written = format!("{year:04}-{month:02}-{day:02}");
    match (rest / 3600, rest / 60 % 60, rest % 60) {
        (0, 0, 0) => written,
        (h, m, 0) => format!("{written} {h:02}:{m:02}"),
        (h, m, s) => format!("{written} {h:02}:{m:02}:{s:02}"),
    }
}

/// Year, month and day so many days after 1970-01-01 in the Gregorian calendar (Hinnant 2013).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // From `date -u -d @SECONDS`.
        for (seconds, text) in [
            (0.0, "1970-01-01"),
            (951_782_400.0, "2000-02-29"),
            (-2_203_891_200.0, "1900-03-01"),
            (1_700_000_000.0, "2023-11-14 22:13:20"),
            (4_107_542_400.0, "2100-03-01"),
        ] {
            assert_eq!(date(seconds, 0.0), text);
            assert_eq!(date(seconds - 3.0 * DAY, 3.0), text);
        }
    }

    #[test]
    fn numbers_are_written_short() {
        let said = |v: f64| CellValue::Number(v).to_string();
        assert_eq!([said(755.0), said(0.25), said(0.0), said(1e-9)], ["755", "0.25", "0", "1e-9"]);
    }
}

//! Columns whose type the user gave.

use separa::preparation::ColumnType;

use super::numbers::Reading;
use super::times::Dates;
use super::{Decision, Judge, left_out, same_word};
use crate::error::{Error, Result, shown};
use crate::prepare::texts;
use crate::table::{Column, Held, TimeKind};

impl Judge<'_> {
    /// A column whose type the user gave.
    pub(super) fn typed(&self, column: &Column, missing: usize) -> Result<Option<Decision>> {
        let (name, o) = (&column.name, self.options);
        let has = |list: &[String]| list.iter().any(|n| n == name);
        if has(&o.text) {
            return Ok(Some(left_out(ColumnType::Text, missing, "it was called text".to_owned())));
        }
        if let Some((_, levels)) = o.order.iter().find(|(n, _)| n == name) {
            return self.ordered_as(column, levels, missing).map(Some);
        }
        if has(&o.categorical) {
            let words = self.table.as_words(column);
            return Ok(Some(self.category(&words, missing, true)));
        }
        if has(&o.numeric) || o.strict {
            return self.numeric(column, missing).map(Some);
        }
        if has(&o.date) {
            return self.dates_asked(column, missing).map(Some);
        }
        Ok(None)
    }

    fn ordered_as(&self, column: &Column, levels: &[String], missing: usize) -> Result<Decision> {
        let words = self.table.as_words(column);
        let known = |level: &String| levels.iter().any(|l| same_word(l, level));
        let unknown: Vec<String> = words.levels.iter().filter(|l| !known(l)).cloned().collect();
        if !unknown.is_empty() {
            let (file, column) = (self.table.source().to_owned(), column.name.clone());
            return Err(Error::OrderLacks { file, column, words: unknown });
        }
        Ok(self.ordered(levels.to_vec(), &words, missing))
    }

    /// A column that must be numbers.
    fn numeric(&self, column: &Column, missing: usize) -> Result<Decision> {
        match &column.held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                Ok(self.plain_numbers(*slot, missing))
            }
            Held::Words(at) => {
                let words = &self.table.words[*at];
                let reading = Reading::of(words, 0.0);
                if reading.fraction == 0.0 {
                    let (file, column) = (self.table.source().to_owned(), column.name.clone());
                    let value = shown(words.levels.first().map_or("", String::as_str));
                    return Err(Error::NoNumbers { file, column, value });
                }
                Ok(self.read_numbers(words, reading, missing))
            }
            Held::Unreadable(_) => unreachable!("refused before"),
        }
    }

    fn dates_asked(&self, column: &Column, missing: usize) -> Result<Decision> {
        let name = &column.name;
        let wrong = |value: &str| Error::NotADate {
            file: self.table.source().to_owned(),
            column: name.clone(),
            value: shown(value),
        };
        match &column.held {
            Held::Times(slot, kind) => {
                let seconds: Vec<f64> = self.table.number(*slot).collect();
                Ok(self.times(name, &seconds, *kind, false, missing))
            }
            Held::Words(at) => {
                let words = &self.table.words[*at];
                match Dates::of(words) {
                    Some(dates) if dates.fraction > 0.5 => {
                        Ok(self.dates(name, words, dates, missing))
                    }
                    _ => {
                        let odd = words.levels.iter().find(|l| texts::date(l, false).is_none());
                        Err(wrong(odd.or(words.levels.first()).map_or("", String::as_str)))
                    }
                }
            }
            Held::Numbers(slot) | Held::Booleans(slot) => {
                if let Some(seconds) = self.compact_dates(*slot) {
                    return Ok(self.times(name, &seconds, TimeKind::Date, false, missing));
                }
                let first = self.table.number(*slot).find(|v| v.is_finite()).unwrap_or(f64::NAN);
                Err(wrong(&first.to_string()))
            }
            Held::Unreadable(_) => unreachable!("refused before"),
        }
    }
}

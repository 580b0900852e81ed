//! Columns from formats in which every cell has a type of its own: sheets, JSON records, SQLite tables.

use crate::number::EXACT;
use crate::table::{ColumnValues, TimeKind, WordsBuilder, boolean_text, number_text, time_text};

/// The value of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CellValue<'a> {
    Missing,
    Number(f64),
    Boolean(bool),
    /// Seconds, as in [`ColumnValues::Times`].
    Time(f64, TimeKind),
    Text(&'a str),
}

/// Collects the cells of a column. It stays a column of numbers, booleans or times as long as every cell is one;
/// otherwise it becomes text.
#[derive(Debug, Default)]
pub(crate) struct ColumnBuilder {
    kind: Kind,
    numbers: Vec<f64>,
    words: WordsBuilder,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Kind {
    #[default]
    Empty,
    Numbers,
    Booleans,
    Times(TimeKind),
    Words,
}

impl ColumnBuilder {
    /// A column whose first cells are missing.
    pub fn after(rows: usize) -> Self {
        Self { numbers: vec![f64::NAN; rows], ..Self::default() }
    }

    pub fn len(&self) -> usize {
        if self.kind == Kind::Words { self.words.len() } else { self.numbers.len() }
    }

    pub fn push(&mut self, cell: CellValue<'_>) {
        let kind = match cell {
            CellValue::Missing => self.kind,
            CellValue::Number(_) => Kind::Numbers,
            CellValue::Boolean(_) => Kind::Booleans,
            CellValue::Time(_, kind) => Kind::Times(kind),
            CellValue::Text(text) if crate::number::is_missing(text) => self.kind,
            CellValue::Text(_) => Kind::Words,
        };
        let joint = join(self.kind, kind);
        if joint == Kind::Words && self.kind != Kind::Words {
            self.become_words();
        }
        self.kind = joint;
        if joint != Kind::Words {
            self.numbers.push(match cell {
                CellValue::Number(value) | CellValue::Time(value, _) => value,
                CellValue::Boolean(truth) => f64::from(u8::from(truth)),
                CellValue::Missing | CellValue::Text(_) => f64::NAN,
            });
            return;
        }
        match cell {
            CellValue::Missing => self.words.push(None),
            CellValue::Text(text) => self.words.push(Some(text.trim())),
            CellValue::Number(value) => self.words.push(Some(&number_text(value))),
            CellValue::Boolean(truth) => self.words.push(Some(&truth.to_string())),
            CellValue::Time(seconds, kind) => self.words.push(Some(&time_text(seconds, kind))),
        }
    }

    /// An integer; one that is not exact as a number is kept as text.
    pub fn push_integer(&mut self, value: i64) {
        if value.unsigned_abs() <= EXACT {
            self.push(CellValue::Number(value as f64));
        } else {
            self.push(CellValue::Text(&value.to_string()));
        }
    }

    fn become_words(&mut self) {
        for value in std::mem::take(&mut self.numbers) {
            let text = match self.kind {
                Kind::Booleans => boolean_text(value),
                Kind::Times(kind) => time_text(value, kind),
                Kind::Empty | Kind::Numbers | Kind::Words => number_text(value),
            };
            self.words.push(Some(&text));
        }
    }

    /// Whether no cell has a value.
    pub fn is_empty(&self) -> bool {
        self.kind == Kind::Empty
    }

    pub fn finish(self) -> ColumnValues {
        match self.kind {
            Kind::Empty | Kind::Numbers => ColumnValues::Numbers(self.numbers),
            Kind::Booleans => ColumnValues::Booleans(self.numbers),
            Kind::Times(kind) => ColumnValues::Times(self.numbers, kind),
            Kind::Words => ColumnValues::Words(self.words.into_words()),
        }
    }
}

/// The kind of a column that holds both.
fn join(a: Kind, b: Kind) -> Kind {
    use TimeKind::{Date, DateTime};
    match (a, b) {
        (Kind::Empty, kind) | (kind, Kind::Empty) => kind,
        (a, b) if a == b => a,
        (Kind::Times(Date | DateTime), Kind::Times(Date | DateTime)) => Kind::Times(DateTime),
        _ => Kind::Words,
    }
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
pub(crate) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last day of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Words;
    use CellValue::{Boolean, Missing, Number, Text, Time};

    fn built(cells: &[CellValue<'_>]) -> ColumnValues {
        let mut column = ColumnBuilder::default();
        cells.iter().for_each(|cell| column.push(*cell));
        assert_eq!(column.len(), cells.len());
        column.finish()
    }

    #[test]
    fn cells_of_one_kind_keep_it() {
        let ColumnValues::Numbers(values) = built(&[Missing, Number(2.5), Text("NA")]) else {
            panic!()
        };
        assert!(values[0].is_nan() && values[1] == 2.5 && values[2].is_nan());
        assert_eq!(built(&[Boolean(true), Boolean(false)]), ColumnValues::Booleans(vec![1.0, 0.0]));
        let times = [Time(86_400.0, TimeKind::Date), Time(1.0, TimeKind::DateTime)];
        assert_eq!(built(&times), ColumnValues::Times(vec![86_400.0, 1.0], TimeKind::DateTime));
    }

    #[test]
    fn cells_of_several_kinds_are_text_from_the_first_row_on() {
        let cells = [Missing, Number(2.5), Boolean(true), Text(" x "), Time(0.0, TimeKind::Date)];
        let texts = [None, Some("2.5"), Some("true"), Some("x"), Some("1970-01-01")];
        assert_eq!(built(&cells), ColumnValues::Words(Words::from_texts(texts)));
        let mut big = ColumnBuilder::after(1);
        big.push_integer((1 << 53) + 1);
        assert_eq!(
            big.finish(),
            ColumnValues::Words(Words::from_texts([None, Some("9007199254740993")]))
        );
    }

    #[test]
    fn days_are_the_inverse_of_dates() {
        for days in (-800_000..800_000).step_by(97) {
            let date = crate::temporal::date(days);
            if date.starts_with('-') {
                continue;
            }
            let parts: Vec<i64> = date.split('-').map(|part| part.parse().unwrap()).collect();
            assert_eq!(days_since_1970(parts[0], parts[1], parts[2]), days, "{date}");
        }
    }
}

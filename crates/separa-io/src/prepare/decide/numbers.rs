//! Columns of numbers: data, ids, codes for missing values; numbers that are written as text.

use separa::preparation::{ColumnType, Encoding, MissingRule, NumberStyle};

use super::{Decision, FEWEST_COUNTED, Judge, MAJORITY, feature, id, left_out};
use crate::error::{quoted_list, shown};
use crate::number::{Field, classify};
use crate::prepare::stats::{NumberStats, median, sorted};
use crate::prepare::texts;
use crate::table::{TimeKind, Words, number_text};

impl Judge<'_> {
    pub(super) fn numbers(&self, name: &str, slot: usize, missing: usize) -> Decision {
        let stats = &self.stats[slot];
        let asked = self.is_asked(name);
        if stats.is_constant() && !asked && !self.keep_constants {
            let why = format!("every value is {}", stats.min);
            return left_out(ColumnType::Number, missing, why);
        }
        if !asked {
            if let Some(why) = self.counts_rows(name, slot) {
                return id(ColumnType::Number, missing, &why);
            }
            if stats.whole && is_id_name(name) && !is_index_name(name) {
                let why = "it is called an id, and its numbers repeat".to_owned();
                return left_out(ColumnType::Number, missing, why);
            }
            if let Some(seconds) = self.compact_dates(slot) {
                return self.times(name, &seconds, TimeKind::Date, false, missing);
            }
            if self.is_a_few_years(name, slot) {
                let words = Words::from_numbers(self.table.number(slot), number_text);
                let why = "a few years are groups of rows, not amounts".to_owned();
                return Decision { why, ..self.category(&words, missing, false) };
            }
        }
        let decision = self.plain_numbers(slot, missing);
        // 1 and 0 are yes and no as they are.
        match stats.whole && stats.min == 0.0 && stats.max == 1.0 && stats.infinite == 0 {
            true => Decision { kind: ColumnType::Boolean, done: "1 or 0".to_owned(), ..decision },
            false => decision,
        }
    }

    pub(super) fn plain_numbers(&self, slot: usize, missing: usize) -> Decision {
        let fill = self.middle(self.sorted_slot(slot, missing > 0));
        let infinite = self.stats[slot].infinite;
        let mut done = "number".to_owned();
        if infinite > 0 {
            done = format!("number; infinite values taken for missing: {infinite}");
        }
        let mut decision = feature(
            ColumnType::Number,
            missing,
            done,
            Encoding::Number { style: NumberStyle::default(), fill },
        );
        let NumberStats { min, max, .. } = self.stats[slot];
        if is_nines(min) || is_nines(max) {
            decision.suspect = code_for_missing(&self.sorted_slot(slot, true));
        }
        decision
    }

    pub(super) fn read_numbers(&self, words: &Words, reading: Reading, missing: usize) -> Decision {
        let Reading { style, values, odd, .. } = reading;
        let of_row = words.codes.iter().filter_map(|code| values.get(*code as usize).copied());
        let all = sorted(of_row, words.codes.len(), true);
        let suspect = code_for_missing(&all);
        let fill = self.middle(all);
        let unread: usize =
            words.counts().iter().zip(&values).filter(|(_, v)| v.is_nan()).map(|(c, _)| c).sum();
        let mut done = "number".to_owned();
        if style.decimal_comma {
            done.push_str(", decimal comma");
        }
        if let Some(unit) = &style.unit {
            done.push_str(&format!(", without its unit \"{unit}\""));
        }
        let why = match unread {
            0 => String::new(),
            count => format!("{count} values that are no numbers ({odd}) taken for missing"),
        };
        let encoding = Encoding::Number { style, fill };
        let missing = missing + unread;
        Decision { why, suspect, ..feature(ColumnType::Number, missing, done, encoding) }
    }

    /// What a missing number becomes.
    pub(super) fn middle(&self, sorted: Vec<f64>) -> f64 {
        match self.rule {
            MissingRule::Mean => sorted.iter().sum::<f64>() / sorted.len() as f64,
            _ => median(&sorted),
        }
    }

    fn sorted_slot(&self, slot: usize, all: bool) -> Vec<f64> {
        sorted(self.table.number(slot), self.table.rows(), all)
    }

    /// Why a column counts or names the rows, if it does.
    fn counts_rows(&self, name: &str, slot: usize) -> Option<String> {
        let stats = &self.stats[slot];
        if !stats.whole || stats.missing > 0 || self.table.rows() < FEWEST_COUNTED {
            return None;
        }
        if stats.spaced {
            return Some("it counts the rows".to_owned());
        }
        let suspect = is_index_name(name) || is_id_name(name);
        (suspect && self.all_different(slot))
            .then(|| "it is a different number in every row".to_owned())
    }

    /// Three to five calendar years under such a name. Two are the same as a number or as a category.
    fn is_a_few_years(&self, name: &str, slot: usize) -> bool {
        let stats = &self.stats[slot];
        let like_years = stats.whole && stats.min >= 1800.0 && stats.max <= 2100.0;
        let count = || self.sorted_slot(slot, true).chunk_by(|a, b| a == b).count();
        like_years && is_year_name(name) && (3..=5).contains(&count())
    }

    /// Seconds since 1970-01-01, if every number is a date such as 20240331 and at least three of them differ.
    pub(super) fn compact_dates(&self, slot: usize) -> Option<Vec<f64>> {
        let stats = &self.stats[slot];
        let like_dates = stats.whole && stats.min >= 19_000_101.0 && stats.max <= 21_001_231.0;
        if !like_dates || stats.infinite > 0 {
            return None;
        }
        let second = |value: f64| match value.is_nan() {
            true => Some(f64::NAN),
            false => texts::compact_day(value as u32).map(|days| days * 86_400.0),
        };
        let seconds: Vec<f64> = self.table.number(slot).map(second).collect::<Option<_>>()?;
        (self.sorted_slot(slot, true).chunk_by(|a, b| a == b).nth(2).is_some()).then_some(seconds)
    }

    fn all_different(&self, slot: usize) -> bool {
        let all = self.sorted_slot(slot, true);
        all.windows(2).all(|pair| pair[0] < pair[1])
    }
}

/// A number that looks like a code for "missing", and how often it is there: all nines, at an end, far from all others.
fn code_for_missing(sorted: &[f64]) -> Option<(f64, usize)> {
    let ends = [*sorted.first()?, *sorted.last()?];
    ends.into_iter().filter(|value| is_nines(*value)).find_map(|value| {
        let others: Vec<f64> = sorted.iter().copied().filter(|v| *v != value).collect();
        let (first, last) = (others.first()?, others.last()?);
        let gap = (first - value).max(value - last);
        let far = gap > last - first && others.len() >= 5;
        far.then(|| (value, sorted.len() - others.len()))
    })
}

/// The number of every text where most rows are numbers; NaN for others.
pub(crate) fn numbers_of(words: &Words) -> Vec<f64> {
    Reading::of(words, MAJORITY).values
}

/// A column of which more than this fraction are codes is one of codes, even if most of them are numbers.
const CODES: f64 = 0.2;

/// The numbers that the texts of a column stand for.
pub(super) struct Reading {
    pub style: NumberStyle,
    /// One per level; NaN for what is no number.
    pub values: Vec<f64>,
    /// Rows with a number, among those with a text.
    pub fraction: f64,
    /// Some of the texts that are no numbers.
    pub odd: String,
    /// Whether some of those hold a digit, as in "5+".
    pub odd_digits: bool,
    /// Whether some are whole numbers beyond 2^53, which floating point rounds.
    pub huge: bool,
    /// Codes such as 007.
    pub leading_zeros: bool,
    /// Whether many begin with a letter and hold a digit, as the tickets "113803", "A/5 21171", "PC 17599".
    pub codes: bool,
}

impl Reading {
    /// Reads all texts, or stops when it is certain that no more than the fraction `enough` of the rows are numbers.
    pub(super) fn of(words: &Words, enough: f64) -> Self {
        let counts = words.counts();
        let total: usize = counts.iter().sum::<usize>().max(1);
        let unit = common_unit(words);
        let most_lost = (1.0 - enough) * total as f64;
        let read = |decimal_comma: bool| {
            let style = NumberStyle { decimal_comma, text: true, unit: unit.clone() };
            let mut values = vec![f64::NAN; words.levels.len()];
            let (mut rows, mut lost) = (0, 0);
            for ((value, level), count) in values.iter_mut().zip(&words.levels).zip(&counts) {
                match texts::number(level, &style) {
                    Some(number) => (*value, rows) = (number, rows + count),
                    None => lost += count,
                }
                if lost as f64 >= most_lost {
                    break;
                }
            }
            (style, values, rows)
        };
        let (point, comma) = (read(false), read(true));
        let (style, values, rows) = if comma.2 > point.2 { comma } else { point };
        let fraction = rows as f64 / total as f64;
        let levels = || words.levels.iter().filter(|_| fraction > enough);
        let pairs = || words.levels.iter().zip(&values).filter(|(_, v)| v.is_nan()).map(|(l, _)| l);
        let has_digit = |l: &String| l.contains(|c: char| c.is_ascii_digit());
        let is_code = |l: &String| l.trim().starts_with(char::is_alphabetic) && has_digit(l);
        let codes: usize = (words.levels.iter().zip(&values).zip(&counts))
            .filter(|((l, v), _)| fraction > enough && v.is_nan() && is_code(l))
            .map(|(_, count)| count)
            .sum();
        let zeros = |l: &String| {
            let l = l.trim();
            l.len() > 1 && l.starts_with('0') && l.bytes().all(|b| b.is_ascii_digit())
        };
        Self {
            fraction,
            odd: quoted_list(&pairs().take(3).map(|l| shown(l)).collect::<Vec<String>>()),
            odd_digits: pairs().any(has_digit),
            codes: codes as f64 > CODES * total as f64,
            huge: levels().any(|l| matches!(classify(l), Field::BigInteger)),
            leading_zeros: levels().any(zeros),
            style,
            values,
        }
    }
}

/// The unit that every text has behind its number.
fn common_unit(words: &Words) -> Option<String> {
    let unit = texts::unit(words.levels.first()?)?;
    words.levels.iter().all(|l| texts::unit(l) == Some(unit)).then(|| unit.to_owned())
}

/// The units behind the numbers of most rows, as messages list them: `"kg", "g"`.
pub(super) fn units(words: &Words) -> Option<String> {
    /// More are no units.
    const MOST: usize = 3;
    words.levels.iter().take(20).find_map(|l| texts::unit(l))?;
    let counts = words.counts();
    let mut found: Vec<(&str, usize)> = Vec::new();
    for (level, count) in words.levels.iter().zip(&counts) {
        let Some(unit) = texts::unit(level) else { continue };
        match found.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, rows)) => *rows += count,
            None => found.push((unit, *count)),
        }
        if found.len() > MOST {
            return None;
        }
    }
    let rows: usize = found.iter().map(|(_, rows)| rows).sum();
    let names: Vec<String> = found.iter().map(|(unit, _)| (*unit).to_owned()).collect();
    (rows as f64 > MAJORITY * counts.iter().sum::<usize>() as f64).then(|| quoted_list(&names))
}

fn is_nines(value: f64) -> bool {
    let size = value.abs();
    [99.0, 999.0, 9999.0, 99_999.0, 999_999.0].contains(&size) || value == -9.0
}

/// Names that software gives to row numbers.
fn is_index_name(name: &str) -> bool {
    let name = name.to_lowercase();
    let known =
        ["unnamed: 0", "rownames", "row.names", "row", "index", "row_number", "rownum", "obs"];
    known.contains(&name.as_str()) || name.starts_with("column 1")
}

/// `year`, `yr_sold`, `Sale.Year`, `modelYear`.
fn is_year_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut parts = lower.split(|c: char| !c.is_alphanumeric());
    parts.any(|part| part == "year" || part == "yr") || name.ends_with("Year")
}

fn is_id_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = ["_id", ".id", " id", "-id"].iter().any(|end| lower.ends_with(end));
    lower == "id"
        || lower == "uuid"
        || lower == "guid"
        || ends
        || (name.ends_with("Id") || name.ends_with("ID")) && name.len() > 2
}

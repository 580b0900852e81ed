//! From a column of the table to a number: what a cell stands for, or nothing.

use super::Dialect;
use crate::export::portable::InputColumn;
use crate::preparation::{Encoding, MISSING_WORDS, NumberStyle};

/// The column as the next step takes it: as it is, or as text with one spelling.
pub(super) fn cell(dialect: Dialect, input: &InputColumn) -> String {
    let column = format!("t.{}", dialect.quoted(&input.name));
    match &input.encoding {
        Encoding::Number { style, .. } if style.text => {
            one_spelling(dialect, &dialect.as_text(&column), style)
        }
        Encoding::Number { .. } | Encoding::Date { .. } => column,
        Encoding::Boolean { .. } | Encoding::Ordered { .. } | Encoding::OneHot { .. } => {
            let text = dialect.as_text(&column);
            let missing = MISSING_WORDS.map(|word| dialect.text(word)).join(", ");
            format!("CASE WHEN {text} NOT IN ({missing}) THEN {text} END")
        }
    }
}

/// The value of the cell, before it is spread over features: a number, seconds, or the place of a word; nothing
/// if it is missing.
pub(super) fn value(dialect: Dialect, input: &InputColumn, cell: &str) -> String {
    match &input.encoding {
        Encoding::Number { style, .. } if style.text => dialect.grouped_number(cell),
        Encoding::Number { .. } => dialect.as_number(cell),
        Encoding::Date { day_first, .. } => {
            dialect.seconds(cell, *day_first, is_clock(&input.encoding))
        }
        Encoding::Boolean { yes, no, .. } => {
            // As systems write truth values, whatever the words were.
            let known = |word: &&str| !yes.iter().chain(no).any(|w| w == *word);
            let spelled = |words: &[String], also: [&str; 2]| -> Vec<String> {
                let also = also.iter().copied().filter(|word| known(word)).map(str::to_owned);
                words.iter().cloned().chain(also).collect()
            };
            let places = [(spelled(yes, ["true", "1"]), 1), (spelled(no, ["false", "0"]), 0)];
            by_word(dialect, cell, &places, "NULL")
        }
        Encoding::Ordered { levels, .. } => {
            let places: Vec<(Vec<String>, usize)> =
                levels.iter().enumerate().map(|(place, l)| (vec![l.clone()], place)).collect();
            by_word(dialect, cell, &places, "NULL")
        }
        Encoding::OneHot { levels, base, other, .. } => {
            let mut arms: Vec<String> = levels
                .iter()
                .enumerate()
                .map(|(place, level)| {
                    format!("WHEN {} THEN {place}", spellings(dialect, cell, level))
                })
                .collect();
            if let Some(base) = base {
                arms.push(format!("WHEN {} THEN {}", spellings(dialect, cell, base), levels.len()));
            }
            let rest = if *other { levels.len().to_string() } else { "-1".to_owned() };
            format!("CASE WHEN {cell} IS NULL THEN NULL {} ELSE {rest} END", arms.join(" "))
        }
    }
}

/// Whether a column of times holds times of the day: seconds since midnight are all in the first day of 1970.
fn is_clock(encoding: &Encoding) -> bool {
    let day = 0.0..86_400.0;
    matches!(encoding, Encoding::Date { origin, fill, .. } if day.contains(origin) && day.contains(fill))
}

/// A word, or a whole number that a system shows with a decimal.
fn spellings(dialect: Dialect, cell: &str, level: &str) -> String {
    let whole = level.parse::<i64>().is_ok_and(|number| number.to_string() == level);
    match whole {
        true => {
            format!("{cell} IN ({}, {})", dialect.text(level), dialect.text(&format!("{level}.0")))
        }
        false => format!("{cell} = {}", dialect.text(level)),
    }
}

/// The place of a word, whether its letters are small or capital.
fn by_word(dialect: Dialect, cell: &str, places: &[(Vec<String>, usize)], rest: &str) -> String {
    let arm = |(words, place): &(Vec<String>, usize)| {
        let mut all: Vec<String> = Vec::new();
        for word in words {
            let (lower, upper) = (word.trim().to_lowercase(), word.trim().to_uppercase());
            let mut variants = vec![lower.clone()];
            // SQLite knows small and capital letters of ASCII alone.
            if dialect == Dialect::Sqlite && !lower.is_ascii() {
                let first = lower.chars().next().map(|c| c.to_uppercase().collect::<String>());
                let rest: String = lower.chars().skip(1).collect();
                variants.push(upper.to_ascii_lowercase());
                variants.push((first.unwrap_or_default() + &rest).to_ascii_lowercase());
            }
            all.extend(variants.iter().map(|word| dialect.text(word)));
        }
        all.dedup();
        format!("WHEN LOWER({cell}) IN ({}) THEN {place}", all.join(", "))
    };
    let arms: Vec<String> = places.iter().filter(|(words, _)| !words.is_empty()).map(arm).collect();
    format!("CASE {} ELSE {rest} END", arms.join(" "))
}

/// A number as people write it, without currency, percent sign, brackets and unit; groups of thousands are
/// separated by commas, decimals by a point.
fn one_spelling(dialect: Dialect, text: &str, style: &NumberStyle) -> String {
    const GONE: [&str; 13] =
        [")", "$", "€", "£", "¥", "₹", "₩", "%", "USD", "EUR", "GBP", "CHF", "JPY"];
    const BLANKS: [&str; 5] = [" ", "\u{a0}", "\u{202f}", "\u{2009}", "'"];
    let replace = |text: String, from: &str, to: &str| {
        format!("REPLACE({text}, {}, '{to}')", dialect.text(from))
    };
    let mut out = GONE.iter().fold(text.to_owned(), |text, gone| replace(text, gone, ""));
    if let Some(unit) = &style.unit {
        let without = replace(out, unit, "");
        let pattern = dialect.text(&format!("%{unit}"));
        out = format!("CASE WHEN {text} LIKE {pattern} THEN {without} END");
    }
    out = format!("TRIM({out})");
    out = replace(replace(out, "(", "-"), "\u{2212}", "-");
    if style.decimal_comma {
        out = replace(replace(replace(out, ".", ";"), ",", "."), ";", ",");
    }
    out = ["- ", "-"].windows(2).fold(out, |text, pair| replace(text, pair[0], pair[1]));
    BLANKS.iter().fold(out, |text, blank| replace(text, blank, ","))
}

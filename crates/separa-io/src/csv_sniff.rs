//! Which delimiter a text has: a byte, or runs of blanks.

use std::ops::Range;

use crate::csv_comments::{Line, Markers};
use crate::csv_layout::fields;
use crate::csv_rewrite::blanks_to_tabs;
use crate::csv_split::Dialect;
use crate::number::{Field, classify};
use crate::table_shape::{Fields, is_number, modal};

const DELIMITERS: [u8; 4] = *b",;\t|";
/// Tried where none of those makes fields, and only if the first line has as many as the others: times of the day hold colons.
const RARE: [u8; 3] = *b"^~:";
/// Records and bytes looked at; of wide tables at least a few records.
const RECORDS: usize = 200;
const BYTES: usize = 1 << 17;
const FEWEST: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    Byte(u8),
    Blanks,
}

/// The first lines of a text.
pub(crate) fn sample(
    bytes: &[u8],
    dialect: Dialect,
    markers: &Markers,
) -> Vec<(Line, Range<usize>)> {
    let mut records = 0;
    let mut lines = Vec::new();
    for (kind, range) in markers.lines(bytes, 0, dialect, |_| false) {
        if records >= RECORDS || (range.start > BYTES && records >= FEWEST) {
            break;
        }
        records += usize::from(kind == Line::Record);
        lines.push((kind, range));
    }
    lines
}

/// The delimiter that cuts most records into the same number of fields, and into numbers rather than words.
pub(crate) fn sniff(bytes: &[u8], markers: &Markers) -> Separator {
    let mut best = (Separator::Byte(b','), Score::default());
    for delimiter in DELIMITERS {
        let score = score(&records(bytes, delimiter, markers));
        if score.beats(best.1) {
            best = (Separator::Byte(delimiter), score);
        }
    }
    let is_one_column = best.1.width <= 1;
    for delimiter in RARE.into_iter().filter(|_| is_one_column) {
        let records = records(bytes, delimiter, markers);
        let score = score(&records);
        let is_named = records.first().is_some_and(|names| {
            let is_name = |name: &str| name == name.trim() && !is_number(name);
            names.len() == score.width && names.iter().all(|name| is_name(name))
        });
        if is_named && score.even == 1.0 && score.beats(best.1) {
            best = (Separator::Byte(delimiter), score);
        }
    }
    let lines = &bytes[..first_lines(bytes)];
    let blanks = score(&records(&blanks_to_tabs(lines, markers), b'\t', markers));
    // Words with blanks between them are no table, least of all where another separator makes fields of them; and one that
    // cuts into more fields knows empty ones.
    let (more, least) = match best.1.value() {
        0.0 => (true, f64::MIN_POSITIVE),
        _ => (blanks.width > best.1.width, 0.5),
    };
    if more && blanks.numbers >= least && blanks.beats(best.1) { Separator::Blanks } else { best.0 }
}

fn records(bytes: &[u8], delimiter: u8, markers: &Markers) -> Vec<Fields> {
    let dialect = Dialect::of(&bytes[..first_lines(bytes)], delimiter);
    let lines = sample(bytes, dialect, markers).into_iter().filter(|line| line.0 == Line::Record);
    lines.map(|(_, range)| fields(dialect, &bytes[range])).collect()
}

/// Bytes of the lines that a sample needs.
fn first_lines(bytes: &[u8]) -> usize {
    let ends = memchr::memchr_iter(b'\n', bytes);
    let enough = |(i, end): &(usize, usize)| (*i >= FEWEST && *end > BYTES) || *i > 2 * RECORDS;
    ends.enumerate().find(enough).map_or(bytes.len(), |(_, end)| end)
}

/// How well a delimiter fits.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    /// Fraction of the records that have the most frequent number of fields.
    even: f64,
    /// Fraction of their fields that are numbers.
    numbers: f64,
    width: usize,
}

impl Score {
    fn value(self) -> f64 {
        // Tables of words have no number at all; even records must still count.
        if self.width > 1 { self.even * (0.2 + self.numbers) } else { 0.0 }
    }

    /// Better, or as good with more fields; what was tried before wins ties.
    fn beats(self, other: Self) -> bool {
        let (a, b) = (self.value(), other.value());
        a > b + 1e-9 || (a > b - 1e-9 && a > 0.0 && self.width > other.width)
    }
}

fn score(records: &[Fields]) -> Score {
    let width = modal(records.iter().map(Vec::len));
    let even: Vec<&Fields> = records.iter().filter(|record| record.len() == width).collect();
    // The first one is most likely the header.
    let rows = if even.len() > 1 { &even[1..] } else { &even[..] };
    let is_missing = |field: &str| matches!(classify(field), Field::Missing);
    let present =
        || rows.iter().flat_map(|record| record.iter()).filter(|field| !is_missing(field));
    let numbers = present().filter(|field| is_number(field)).count();
    Score {
        even: even.len() as f64 / records.len().max(1) as f64,
        numbers: numbers as f64 / present().count().max(1) as f64,
        width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Separator {
        sniff(text.as_bytes(), &Markers::of(text.as_bytes()))
    }

    #[test]
    fn the_delimiter_is_what_makes_numbers() {
        for (text, delimiter) in [
            ("a,b\n1,2\n3,4", b','),
            ("1,5;2,5;3,5\n4,5;5,5;6,5", b';'),
            ("a;b\n1,5;2,5\n4,5;5,5", b';'),
            ("1,2,A;B\n3,4,C;D", b','),
            ("1, 2, 3\n4, 5, 6", b','),
            ("a b|c d\n1|2", b'|'),
            ("2020-01-01 10:00\t5\n2020-01-02 11:00\t6", b'\t'),
            ("Sales of 2020 by region\n\na,b\n1,2\n3,4", b','),
            ("x\n1\n2", b','),
            ("a^b\n1^2\n3^4", b'^'),
            ("a:b\n1:2\n3:4", b':'),
            ("time\n10:20\n11:30", b','),
            ("10:20\n11:30", b','),
            ("note: all\n10:20\n11:30", b','),
            (
                "title,body\nred car 1,fast and loud\nblue bus 2,slow and big\ngreen tram 3,long and flat",
                b',',
            ),
        ] {
            assert_eq!(found(text), Separator::Byte(delimiter), "{text}");
        }
    }

    #[test]
    fn runs_of_blanks_separate_where_nothing_else_does() {
        for text in [
            "  1  2\n 10 20",
            "a b\n1 2\n3  4",
            "18.0  8\t\"chevrolet malibu\"\n15.0  8\t\"buick\"",
        ] {
            assert_eq!(found(text), Separator::Blanks, "{text}");
        }
        assert_eq!(found("John Smith\nJane Doe"), Separator::Byte(b','));
    }
}

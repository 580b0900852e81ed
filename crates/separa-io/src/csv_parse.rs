//! One part of a delimited text to numbers and texts.

use std::collections::TryReserveError;

use crate::csv_layout::{content, count_fields};
use crate::csv_split::{Dialect, is_blank, quoted_end};
use crate::load::Cell;
use crate::number::{Field, classify, decimal};
use crate::table::{Words, WordsBuilder};

/// What to do with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    Skip,
    /// Into this slot of the row.
    Number(usize),
    /// Into this list of texts, where words such as NA are missing.
    Text(usize),
    /// Into this list of texts; quoted ones as they are.
    Kept(usize),
    /// Into this list of texts, as it is.
    Id(usize),
}

/// A part of a text, and what is wanted from it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task<'a> {
    pub bytes: &'a [u8],
    /// Row of the table that the first record becomes.
    pub first_row: usize,
    pub dialect: Dialect,
    pub takes: &'a [Take],
    /// Slots in a row, and lists of texts.
    pub slots: usize,
    pub texts: usize,
}

/// What was found besides numbers.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub texts: Vec<Words>,
    /// Per slot, where anything but a number was met.
    pub oddities: Vec<Option<Box<Oddities>>>,
    /// Records that end before the last column.
    pub short: Option<Short>,
}

/// Records with fewer fields than there are columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub count: usize,
    /// The rows of the first and of the last of them.
    pub first: usize,
    pub last: usize,
    /// Fields of the first.
    pub fields: usize,
}

impl Short {
    /// These and those of later rows.
    pub fn joined(first: Option<Self>, later: Option<Self>) -> Option<Self> {
        match (first, later) {
            (Some(a), Some(b)) => Some(Self { count: a.count + b.count, last: b.last, ..a }),
            (a, b) => a.or(b),
        }
    }
}

impl Found {
    /// What was found in all rows, from what was found in each part of them.
    pub fn joined(parts: Vec<Self>, texts: usize, slots: usize) -> Result<Self, TryReserveError> {
        let mut oddities: Vec<Option<Box<Oddities>>> = vec![None; slots];
        let mut lists = Vec::with_capacity(parts.len());
        let mut short = None;
        for part in parts {
            lists.push(part.texts);
            short = Short::joined(short, part.short);
            for (all, odd) in oddities.iter_mut().zip(part.oddities) {
                match (all, odd) {
                    (Some(all), Some(odd)) => all.merge(*odd),
                    (all, odd @ Some(_)) => *all = odd,
                    _ => {}
                }
            }
        }
        Ok(Self { texts: Words::concat_each(lists, texts)?, oddities, short })
    }
}

/// Fields of one slot that are not numbers: how many, and the first of each kind.
#[derive(Debug, Default, Clone)]
pub(crate) struct Oddities {
    pub missing: Tally,
    pub boolean: Tally,
    pub text: Tally,
    pub infinite: Tally,
    pub big_integer: Tally,
    /// Codes such as 007.
    pub zeros: Tally,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Tally {
    pub count: usize,
    pub first: Option<Cell>,
}

/// A fault in the structure of a part, in terms of the table's rows.
#[derive(Debug)]
pub(crate) enum Fault {
    Ragged { row: usize, found: usize },
    OpenQuote { row: usize, column: usize },
    NotUtf8 { row: usize, position: usize, byte: u8 },
    TooLarge,
}

impl Tally {
    fn note(&mut self, row: usize, slot: usize, value: &str) {
        self.count += 1;
        if self.first.is_none() {
            self.first = Some(Cell { row, slot, value: value.to_owned() });
        }
    }

    /// Adds a tally of later rows.
    fn merge(&mut self, later: Tally) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
    }
}

impl Oddities {
    /// Adds what was met in later rows.
    pub fn merge(&mut self, later: Oddities) {
        self.missing.merge(later.missing);
        self.boolean.merge(later.boolean);
        self.text.merge(later.text);
        self.infinite.merge(later.infinite);
        self.big_integer.merge(later.big_integer);
        self.zeros.merge(later.zeros);
    }
}

/// Parses a part into `out`, one row of `slots` numbers per record.
pub(crate) fn parse(task: Task<'_>, out: &mut [f64]) -> Result<Found, Fault> {
    if let Err(error) = std::str::from_utf8(task.bytes) {
        let position = error.valid_up_to();
        let before = task.dialect.records(&task.bytes[..position]).count();
        // The bad byte is in the record that `before` counted as cut short, or in the next one.
        let inside = position > 0 && task.bytes[position - 1] != b'\n';
        let row = task.first_row + before - usize::from(inside && before > 0);
        return Err(Fault::NotUtf8 { row, position, byte: task.bytes[position] });
    }
    let texts = (0..task.texts).map(|_| WordsBuilder::default()).collect();
    let mut found = Finding { texts, oddities: vec![None; task.slots], short: None };
    let mut at = 0;
    let mut row = 0;
    while at < task.bytes.len() {
        let line = &task.bytes[at..];
        if let [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r'] = line {
            at += 1 + usize::from(line[0] == b'\r');
            continue;
        }
        if line[0] == b' ' {
            let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
            if is_blank(&line[..end]) {
                at += end + 1;
                continue;
            }
        }
        let slots = &mut out[row * task.slots..(row + 1) * task.slots];
        at = task.record(at, task.first_row + row, slots, &mut found)?;
        row += 1;
    }
    let texts: Result<_, _> = found.texts.into_iter().map(WordsBuilder::finish).collect();
    let texts = texts.map_err(|_| Fault::TooLarge)?;
    Ok(Found { texts, oddities: found.oddities, short: found.short })
}

/// What is being found.
struct Finding {
    texts: Vec<WordsBuilder>,
    oddities: Vec<Option<Box<Oddities>>>,
    short: Option<Short>,
}

impl Task<'_> {
    /// Parses the record at `start`; returns where the next one begins.
    fn record(
        self,
        start: usize,
        row: usize,
        slots: &mut [f64],
        found: &mut Finding,
    ) -> Result<usize, Fault> {
        let delimiter = self.dialect.delimiter;
        let last = self.takes.len() - 1;
        let mut at = start;
        for (column, &take) in self.takes.iter().enumerate() {
            let begin = at;
            // Most fields of most files are plain numbers: read them without looking for their end first.
            let mut number = None;
            let coded = self.bytes.get(begin) == Some(&b'0')
                && self.bytes.get(begin + 1).is_some_and(u8::is_ascii_digit);
            if let Take::Number(slot) = take
                && !coded
                && let Some((value, end)) = decimal(self.bytes, begin)
            {
                at = end;
                number = Some((slot, value));
            }
            let mut byte = self.bytes.get(at).copied();
            let ended = byte == Some(delimiter) || matches!(byte, None | Some(b'\n' | b'\r'));
            if let Some((slot, value)) = number
                && ended
            {
                slots[slot] = value;
            } else {
                at = self.field(begin, row, column, slots, found)?;
                byte = self.bytes.get(at).copied();
            }
            if byte == Some(delimiter) {
                if column == last {
                    return Err(self.ragged(start, row));
                }
                at += 1;
            } else if column < last {
                self.leave_missing(row, column + 1, slots, found);
                break;
            }
        }
        if self.bytes.get(at) == Some(&b'\r') {
            at += 1;
        }
        match self.bytes.get(at) {
            None => Ok(at),
            Some(b'\n') => Ok(at + 1),
            Some(_) => Err(self.ragged(start, row)),
        }
    }

    /// Any field, slowly; returns the position of what ends it.
    fn field(
        self,
        begin: usize,
        row: usize,
        column: usize,
        slots: &mut [f64],
        found: &mut Finding,
    ) -> Result<usize, Fault> {
        let quoted = self.bytes.get(begin) == Some(&b'"');
        let from = if quoted { quoted_end(self.bytes, begin) } else { begin };
        if quoted && (from < begin + 2 || self.bytes[from - 1] != b'"') {
            return Err(Fault::OpenQuote { row, column });
        }
        let stop = memchr::memchr2(self.dialect.delimiter, b'\n', &self.bytes[from..]);
        let mut end = stop.map_or(self.bytes.len(), |at| from + at);
        if self.takes[column] != Take::Skip {
            let bytes = content(&self.bytes[begin..end], quoted);
            let text = std::str::from_utf8(&bytes).expect("the part was checked to be UTF-8");
            match self.takes[column] {
                Take::Number(slot) => slots[slot] = judge(text, row, slot, found),
                Take::Text(list) => found.texts[list].push(Some(text.trim())),
                Take::Kept(list) => {
                    found.texts[list].push_kept(if quoted { text } else { text.trim() })
                }
                // Names of rows stay as they are: other tables are joined by them.
                Take::Id(list) => found.texts[list].push_kept(text.trim_end_matches('\r')),
                Take::Skip => {}
            }
        }
        if end > begin
            && self.bytes[end - 1] == b'\r'
            && self.bytes.get(end) != Some(&self.dialect.delimiter)
        {
            end -= 1;
        }
        Ok(end)
    }

    /// The cells from column `from` on, which the record does not have.
    #[cold]
    fn leave_missing(self, row: usize, from: usize, slots: &mut [f64], found: &mut Finding) {
        for take in &self.takes[from..] {
            match *take {
                Take::Number(slot) => slots[slot] = judge("", row, slot, found),
                Take::Text(list) | Take::Kept(list) | Take::Id(list) => {
                    found.texts[list].push(None)
                }
                Take::Skip => {}
            }
        }
        let one = Short { count: 1, first: row, last: row, fields: from };
        found.short = Short::joined(found.short, Some(one));
    }

    fn ragged(self, start: usize, row: usize) -> Fault {
        let end = self.dialect.record_end(self.bytes, start);
        Fault::Ragged { row, found: count_fields(self.dialect, &self.bytes[start..end]) }
    }
}

/// The number of a field, or NaN and a note of what it is instead.
fn judge(text: &str, row: usize, slot: usize, found: &mut Finding) -> f64 {
    let kind = classify(text);
    if let Field::Number(value) = kind {
        let code = text.trim();
        if code.len() > 1 && code.starts_with('0') && code.bytes().all(|b| b.is_ascii_digit()) {
            let odd = found.oddities[slot].get_or_insert_default();
            odd.zeros.note(row, slot, text);
        }
        return value;
    }
    let odd = found.oddities[slot].get_or_insert_default();
    match kind {
        Field::Boolean(_) => odd.boolean.note(row, slot, text),
        Field::Infinite => odd.infinite.note(row, slot, text),
        Field::BigInteger => odd.big_integer.note(row, slot, text),
        Field::Text => odd.text.note(row, slot, text),
        Field::Missing | Field::Number(_) => odd.missing.note(row, slot, text),
    }
    match kind {
        Field::Boolean(truth) => f64::from(u8::from(truth)),
        Field::Infinite => text.trim().parse().unwrap_or(f64::INFINITY),
        _ => f64::NAN,
    }
}

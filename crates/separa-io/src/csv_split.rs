//! Where records of a delimited text begin and end, so that parts of it can be parsed at the same time.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};
use rayon::prelude::*;

/// Bytes per part: large enough to make the bookkeeping vanish, small enough to share out evenly.
const PART: usize = 1 << 20;

/// How the records of a text are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    pub delimiter: u8,
    /// Whether the text has any quote character at all; without one, every line break ends a record.
    pub quotes: bool,
}

/// A range of whole records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub range: Range<usize>,
    /// Records before it in the text.
    pub first: usize,
    /// Records in it; blank lines are none.
    pub count: usize,
}

impl Dialect {
    pub fn of(bytes: &[u8], delimiter: u8) -> Self {
        let quotes = bytes.par_chunks(PART).any(|part| memchr(b'"', part).is_some());
        Self { delimiter, quotes }
    }

    /// Position of the line break that ends the record beginning at `start`, or the end of the text.
    pub fn record_end(self, bytes: &[u8], start: usize) -> usize {
        if !self.quotes {
            return memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        }
        let mut at = start;
        while let Some(found) = memchr2(b'\n', b'"', &bytes[at..]) {
            at += found;
            if bytes[at] == b'\n' {
                return at;
            }
            // A quote opens a quoted field only where a field begins; elsewhere it is a character.
            let opens = at == start || bytes[at - 1] == self.delimiter;
            at = if opens { quoted_end(bytes, at) } else { at + 1 };
        }
        bytes.len()
    }

    /// Cuts `bytes[from..]` into parts of whole records and counts them.
    pub fn split(self, bytes: &[u8], from: usize) -> Vec<Part> {
        self.split_by(bytes, from, PART)
    }

    fn split_by(self, bytes: &[u8], from: usize, size: usize) -> Vec<Part> {
        let ranges =
            if self.quotes { self.follow(bytes, from, size) } else { cut(bytes, from, size) };
        let counts: Vec<usize> = ranges.par_iter().map(|r| self.count(bytes, r.clone())).collect();
        let mut first = 0;
        let mut parts = Vec::with_capacity(ranges.len());
        for (range, count) in ranges.into_iter().zip(counts) {
            parts.push(Part { range, first, count });
            first += count;
        }
        parts
    }

    /// Part boundaries when a line break may be inside a quoted field: only a walk from the start can tell.
    fn follow(self, bytes: &[u8], from: usize, size: usize) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let (mut start, mut at) = (from, from);
        while at < bytes.len() {
            at = (self.record_end(bytes, at) + 1).min(bytes.len());
            if at - start >= size || at == bytes.len() {
                ranges.push(start..at);
                start = at;
            }
        }
        ranges
    }

    /// Records in a range of whole records.
    fn count(self, bytes: &[u8], range: Range<usize>) -> usize {
        let bytes = &bytes[range];
        if !self.quotes {
            let mut start = 0;
            let mut count = 0;
            for end in memchr_iter(b'\n', bytes) {
                count += usize::from(!is_blank(&bytes[start..end]));
                start = end + 1;
            }
            return count + usize::from(!is_blank(&bytes[start..]));
        }
        self.records(bytes).count()
    }

    /// The records of a text that begins with one, without their line breaks and without blank lines.
    pub fn records(self, bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < bytes.len() {
                let end = self.record_end(bytes, at);
                let record = &bytes[at..end];
                at = end + 1;
                if !is_blank(record) {
                    return Some(record);
                }
            }
            None
        })
    }
}

/// Part boundaries at the line breaks nearest after equal steps.
fn cut(bytes: &[u8], from: usize, size: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = from;
    while start < bytes.len() {
        let target = (start + size).min(bytes.len());
        let end = memchr(b'\n', &bytes[target..]).map_or(bytes.len(), |at| target + at + 1);
        ranges.push(start..end);
        start = end;
    }
    ranges
}

/// Position after the quoted field that opens at `open`; the end of the text when it is never closed.
pub(crate) fn quoted_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(found) = memchr(b'"', &bytes[at.min(bytes.len())..]) {
        at += found + 1;
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Whether a line holds nothing but blanks.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.iter().all(|byte| *byte == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_of_any_size_hold_the_same_records_as_the_whole(text in "[ab ,\"\n\r]{0,60}", size in 1usize..20) {
            let dialect = Dialect::of(text.as_bytes(), b',');
            let whole: Vec<&[u8]> = dialect.records(text.as_bytes()).collect();
            let parts = dialect.split_by(text.as_bytes(), 0, size);
            let mut joined = Vec::new();
            for part in &parts {
                prop_assert_eq!(part.first, joined.len());
                joined.extend(dialect.records(&text.as_bytes()[part.range.clone()]));
                prop_assert_eq!(part.first + part.count, joined.len());
            }
            prop_assert_eq!(joined, whole);
        }
    }

    #[test]
    fn a_line_break_inside_quotes_does_not_end_a_record() {
        let text = b"a,\"x\ny\"\nb,5\" pipe\n";
        let dialect = Dialect::of(text, b',');
        let records: Vec<&[u8]> = dialect.records(text).collect();
        assert_eq!(records, [&b"a,\"x\ny\""[..], b"b,5\" pipe"]);
    }
}

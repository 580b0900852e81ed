//! Odd ways to write delimited text, rewritten as the parser knows it: single quotes, runs of blanks, delimiters at
//! the end of every line, comments. Plain texts never come here.

use std::borrow::Cow;

use memchr::memchr;

use crate::csv_comments::{Line, Markers};
use crate::csv_layout::{count_fields, field_end};
use crate::csv_split::Dialect;

/// Lines looked at to tell whether single quotes enclose fields.
const SAMPLE: usize = 200;

/// Double quotes for single ones, if fields of the text are plainly enclosed in single ones.
pub(crate) fn single_quotes(bytes: Vec<u8>) -> (Vec<u8>, bool) {
    if !uses_single_quotes(&bytes) {
        return (bytes, false);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let begins = at == 0 || is_delimiter(bytes[at - 1]) || bytes[at - 1] == b'\n';
        match if begins { single_quoted_end(&bytes, at) } else { None } {
            Some(end) => {
                push_quoted(&mut out, &bytes[at + 1..end - 1]);
                at = end;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    (out, true)
}

/// At least two fields are enclosed in single quotes, and none begins with one or a double quote otherwise.
fn uses_single_quotes(bytes: &[u8]) -> bool {
    let mut enclosed = 0;
    for line in bytes.split(|byte| *byte == b'\n').take(SAMPLE) {
        let mut at = 0;
        while at < line.len() {
            let begins = at == 0 || is_delimiter(line[at - 1]);
            match (begins, line[at]) {
                (true, b'"') => return false,
                (true, b'\'') => match single_quoted_end(line, at) {
                    Some(end) => {
                        enclosed += 1;
                        at = end;
                    }
                    None => return false,
                },
                _ => at += 1,
            }
        }
    }
    enclosed >= 2
}

fn is_delimiter(byte: u8) -> bool {
    b",;\t| ".contains(&byte)
}

/// The end of the field in single quotes at `open`: after a closing quote that a delimiter or line break follows.
fn single_quoted_end(bytes: &[u8], open: usize) -> Option<usize> {
    if bytes.get(open) != Some(&b'\'') {
        return None;
    }
    let mut at = open + 1;
    loop {
        at += memchr(b'\'', bytes.get(at..)?)? + 1;
        match bytes.get(at) {
            None | Some(b'\n' | b'\r') => return Some(at),
            Some(&byte) if is_delimiter(byte) => return Some(at),
            Some(b'\'') => at += 1,
            Some(_) => {}
        }
    }
}

fn push_quoted(out: &mut Vec<u8>, content: &[u8]) {
    out.push(b'"');
    let mut bytes = content.iter().peekable();
    while let Some(&byte) = bytes.next() {
        if byte == b'\'' {
            bytes.next_if(|next| **next == b'\'');
        }
        out.push(byte);
        if byte == b'"' {
            out.push(byte);
        }
    }
    out.push(b'"');
}

/// Tabs for runs of blanks; blanks around a line are left out, comments stay as they are.
pub(crate) fn blanks_to_tabs(bytes: &[u8], markers: &Markers) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split(|byte| *byte == b'\n') {
        if markers.strip(line).is_some() {
            out.extend_from_slice(line);
        } else {
            push_fields(&mut out, line.trim_ascii());
        }
        out.push(b'\n');
    }
    out
}

fn push_fields(out: &mut Vec<u8>, line: &[u8]) {
    let mut rest = line;
    while !rest.is_empty() {
        let end = blank_field_end(rest);
        out.extend_from_slice(&rest[..end]);
        rest = rest[end..].trim_ascii_start();
        if !rest.is_empty() {
            out.push(b'\t');
        }
    }
}

/// The end of the field that `text` begins with: the first blank outside of double quotes.
fn blank_field_end(text: &[u8]) -> usize {
    let close = if text[0] == b'"' { memchr(b'"', &text[1..]).map_or(0, |at| at + 2) } else { 0 };
    let blank = text[close..].iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    blank.map_or(text.len(), |at| close + at)
}

/// What to leave out of the rows of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Omit {
    pub width: usize,
    /// The empty field after the delimiter at the end of a line.
    pub trailing: bool,
    /// Whether the first column holds numbers, so that a line with a marker in front is a comment even if it has as
    /// many fields as the rows.
    pub numbers_first: bool,
}

impl Omit {
    /// Whether a line that begins with a marker is a row nevertheless.
    pub fn is_data(self, dialect: Dialect, line: &[u8]) -> bool {
        !self.numbers_first && count_fields(dialect, line) == self.width
    }
}

/// The rows of `bytes[from..]` without comments and trailing delimiters, and how many comments there were.
pub(crate) fn rows(
    bytes: &[u8],
    from: usize,
    dialect: Dialect,
    markers: &Markers,
    omit: Omit,
) -> (Vec<u8>, usize) {
    let mut out = Vec::with_capacity(bytes.len() - from);
    let mut comments = 0;
    for (kind, range) in markers.lines(bytes, from, dialect, |line| omit.is_data(dialect, line)) {
        match kind {
            Line::Blank => {}
            Line::Comment => comments += 1,
            Line::Record => {
                let record = &bytes[range];
                let (start, count) = last_field(dialect, record);
                let cut = omit.trailing && count == omit.width;
                out.extend_from_slice(if cut { &record[..start - 1] } else { record });
                out.push(b'\n');
            }
        }
    }
    (out, comments)
}

/// Whether every row of full width ends with an empty field.
pub(crate) fn all_end_empty(bytes: &[u8], from: usize, dialect: Dialect, width: usize) -> bool {
    dialect.records(&bytes[from..]).all(|record| {
        let (start, count) = last_field(dialect, record);
        count != width || record[start..].trim_ascii().is_empty()
    })
}

/// Where the last field begins, and how many fields there are.
fn last_field(dialect: Dialect, record: &[u8]) -> (usize, usize) {
    let (mut start, mut count) = (0, 1);
    loop {
        let (end, _) = field_end(dialect, record, start);
        if end == record.len() {
            return (start, count);
        }
        start = end + 1;
        count += 1;
    }
}

/// Text for a line break of the first Macintosh: a lone carriage return.
pub(crate) fn line_breaks(mut bytes: Vec<u8>) -> Vec<u8> {
    if memchr(b'\n', &bytes).is_none() {
        bytes.iter_mut().filter(|b| **b == b'\r').for_each(|b| *b = b'\n');
    }
    bytes
}

/// Fields of a comment that may be the header: split as the rows are.
pub(crate) fn comment_fields(text: &[u8], dialect: Dialect, blanks: bool) -> Vec<String> {
    let text = text.trim_ascii();
    let text = if blanks {
        Cow::Owned(blanks_to_tabs(text, &Markers::default()))
    } else {
        Cow::Borrowed(text)
    };
    crate::csv_layout::fields(dialect, text.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        String::from_utf8(single_quotes(text.as_bytes().to_vec()).0).unwrap()
    }

    #[test]
    fn single_quotes_around_fields_become_double_ones() {
        assert_eq!(quoted("'a','b, c'\n1,'it''s'\n"), "\"a\",\"b, c\"\n1,\"it's\"\n");
        assert_eq!(quoted("'a';'5\" pipe'\n"), "\"a\";\"5\"\" pipe\"\n");
    }

    #[test]
    fn an_apostrophe_is_no_quote() {
        for text in ["a,b\n'tis,1\n'x',2\n'y',3\n", "it's,don't\n", "\"a\",'b','c'\n", "'a',1\n"] {
            assert_eq!(quoted(text), text);
        }
    }

    #[test]
    fn runs_of_blanks_become_one_tab() {
        let text = b"  a   b\tc \r\n1 \t 2 \"x  y\"\n# as  it is\n";
        let markers = Markers::of(text);
        assert_eq!(blanks_to_tabs(text, &markers), b"a\tb\tc\n1\t2\t\"x  y\"\n# as  it is\n\n");
    }

    #[test]
    fn the_last_empty_field_is_cut_whatever_the_delimiter() {
        for delimiter in [",", "\t"] {
            let dialect = Dialect { delimiter: delimiter.as_bytes()[0], quotes: false };
            let text = "1,2,\r\n3,,\n4,5".replace(',', delimiter);
            let omit = Omit { width: 3, trailing: true, numbers_first: true };
            let (rows, _) = rows(text.as_bytes(), 0, dialect, &Markers::default(), omit);
            assert_eq!(String::from_utf8(rows).unwrap(), "1,2\n3,\n4,5\n".replace(',', delimiter));
            assert!(all_end_empty(text.as_bytes(), 0, dialect, 3));
            assert!(!all_end_empty(b"1,2\t3\n1,2\t3", 0, dialect, 2));
        }
    }
}

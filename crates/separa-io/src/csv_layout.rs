//! How a delimited text is laid out: its delimiter and its header.

use std::borrow::Cow;

use crate::columns::positional;
use crate::csv_split::{Dialect, is_blank, quoted_end};
use crate::error::{Error, Result};
use crate::number::{Field, classify};
use crate::options::Header;

const DELIMITERS: [u8; 4] = *b",;\t|";
/// Records looked at to tell the delimiter.
const SAMPLE: usize = 50;

/// A delimited text, ready to be cut into parts.
#[derive(Debug)]
pub(crate) struct Layout {
    pub dialect: Dialect,
    pub names: Vec<String>,
    /// False when there is no header.
    pub named: bool,
    /// Where the first data record begins.
    pub body: usize,
    pub notices: Vec<String>,
}

/// Brings old line breaks into shape and refuses what is not text.
pub(crate) fn prepare(file: &str, mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes[..] {
        let what = "the text is UTF-16".to_owned();
        let expected = "expected UTF-8; convert it, e.g. with iconv -f utf-16 -t utf-8".to_owned();
        return Err(Error::Unsupported { file: file.to_owned(), what, expected });
    }
    // Line breaks of the first Macintosh: a lone carriage return.
    if memchr::memchr(b'\n', &bytes).is_none() {
        bytes.iter_mut().filter(|b| **b == b'\r').for_each(|b| *b = b'\n');
    }
    Ok(bytes)
}

/// Tells the delimiter and the column names of a text.
pub(crate) fn layout(file: &str, bytes: &[u8], header: Header) -> Result<Layout> {
    let dialect = sniff_delimiter(bytes);
    let mut start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut end = dialect.record_end(bytes, start);
    while end < bytes.len() && is_blank(&bytes[start..end]) {
        start = end + 1;
        end = dialect.record_end(bytes, start);
    }
    let record = &bytes[start..end];
    if is_blank(record) {
        return Err(Error::Empty { file: file.to_owned() });
    }
    let fields = fields(dialect, record).map_err(|byte| Error::NotUtf8 {
        file: file.to_owned(),
        place: "the first line".to_owned(),
        byte: record[byte],
        offset: (start + byte) as u64,
    })?;
    let is_word = |f: &&String| matches!(classify(f), Field::Text);
    let words = fields.iter().filter(is_word).count();
    let named = match header {
        Header::Auto => words > 0,
        Header::Yes => true,
        Header::No => false,
    };
    if !named {
        let names = positional(fields.len());
        return Ok(Layout { dialect, names, named, body: start, notices: Vec::new() });
    }
    let mut notices = Vec::new();
    let numbers = fields.iter().filter(|f| matches!(classify(f), Field::Number(_))).count();
    if header == Header::Auto && numbers > 0 {
        notices.push(format!(
            "{file}: the first row was taken as the header although {numbers} of its {} fields are numbers; \
             use --no-header if it is data",
            fields.len()
        ));
    }
    let names = name_columns(file, fields, &mut notices);
    Ok(Layout { dialect, names, named, body: (end + 1).min(bytes.len()), notices })
}

fn name_columns(file: &str, fields: Vec<String>, notices: &mut Vec<String>) -> Vec<String> {
    let mut names = Vec::with_capacity(fields.len());
    for (i, field) in fields.into_iter().enumerate() {
        let name = field.trim().to_owned();
        if name.is_empty() {
            let made = format!("x{}", i + 1);
            notices.push(format!(
                "{file}: column {} has no name and was called \"{made}\"; if it only counts the rows, use --drop {made}",
                i + 1
            ));
            names.push(made);
        } else {
            names.push(name);
        }
    }
    names
}

/// The delimiter that cuts the first records into the same number of fields, and into the most.
fn sniff_delimiter(bytes: &[u8]) -> Dialect {
    let quotes = Dialect::of(bytes, b',').quotes;
    let score = |dialect: &Dialect| {
        let fields = |record| count_fields(*dialect, record);
        let counts: Vec<usize> = dialect.records(bytes).take(SAMPLE).map(fields).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let even = counts.iter().all(|&c| c == most) && most > 1;
        (even, counts.iter().sum::<usize>())
    };
    // max_by_key keeps the last of equals: reversed, so that the comma wins ties.
    let candidates = DELIMITERS.into_iter().rev().map(|delimiter| Dialect { delimiter, quotes });
    candidates.max_by_key(score).expect("there are four delimiters")
}

/// The field of `record` that begins at `start`: where it ends, and whether it is quoted.
#[inline]
pub(crate) fn field_end(dialect: Dialect, record: &[u8], start: usize) -> (usize, bool) {
    let quoted = record.get(start) == Some(&b'"');
    let from = if quoted { quoted_end(record, start) } else { start };
    let end =
        memchr::memchr(dialect.delimiter, &record[from..]).map_or(record.len(), |at| from + at);
    (end, quoted)
}

/// Content of a field: quotes removed, doubled ones made single; a carriage return at the end is a line break's.
pub(crate) fn content(field: &[u8], quoted: bool) -> Cow<'_, [u8]> {
    let field = field.strip_suffix(b"\r").unwrap_or(field);
    if !quoted {
        return Cow::Borrowed(field);
    }
    let close = quoted_end(field, 0);
    let inner = field[1..close].strip_suffix(b"\"").unwrap_or(&field[1..close]);
    if !inner.contains(&b'"') && close == field.len() {
        return Cow::Borrowed(inner);
    }
    let mut text = Vec::with_capacity(field.len());
    let mut bytes = inner.iter();
    while let Some(&byte) = bytes.next() {
        text.push(byte);
        if byte == b'"' {
            bytes.next();
        }
    }
    // `"ab"c` reads as `abc`.
    text.extend_from_slice(&field[close..]);
    Cow::Owned(text)
}

/// Fields of one record as text; on failure, the position of the first byte that is not UTF-8.
fn fields(dialect: Dialect, record: &[u8]) -> std::result::Result<Vec<String>, usize> {
    std::str::from_utf8(record).map_err(|e| e.valid_up_to())?;
    let mut fields = Vec::new();
    let mut start = 0;
    loop {
        let (end, quoted) = field_end(dialect, record, start);
        fields.push(String::from_utf8_lossy(&content(&record[start..end], quoted)).into_owned());
        if end == record.len() {
            return Ok(fields);
        }
        start = end + 1;
    }
}

pub(crate) fn count_fields(dialect: Dialect, record: &[u8]) -> usize {
    let (mut start, mut count) = (0, 1);
    loop {
        let (end, _) = field_end(dialect, record, start);
        if end == record.len() {
            return count;
        }
        start = end + 1;
        count += 1;
    }
}

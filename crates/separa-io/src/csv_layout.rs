//! How a delimited text is laid out: its delimiter, its header, and what is not data around the rows.
//!
//! Odd texts are rewritten (`csv_rewrite.rs`), so that the parser knows one way of writing only.

use std::borrow::Cow;
use std::ops::Range;

use crate::column_names::unique;
use crate::columns::positional;
use crate::csv_comments::{Line, Markers, is_separator_line};
use crate::csv_rewrite::{
    Omit, all_end_empty, blanks_to_tabs, comment_fields, line_breaks, rows, single_quotes,
};
use crate::csv_sniff::{Separator, sample, sniff};
use crate::csv_split::{Dialect, is_blank, quoted_end};
use crate::error::{Error, Result};
use crate::number::{Field, classify};
use crate::options::Header;
use crate::table_shape::{Fields, LastRow, Shape, footers, is_number, is_text, shape, skipped};
use crate::text_encoding::to_utf8;

/// Lines looked at to tell footers.
const LAST: usize = 40;

/// A delimited text, ready to be cut into parts.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub dialect: Dialect,
    pub names: Vec<String>,
    /// False when there is no header.
    pub named: bool,
    /// Where the first data record begins.
    pub body: usize,
    pub notices: Vec<String>,
    pub markers: Markers,
    pub omit: Omit,
}

impl Layout {
    /// Lines below the rows, such as notes and totals: how many there are, and where the first begins. `bytes` are the
    /// last records of the text.
    pub fn below(&self, file: &str, bytes: &[u8]) -> Option<(usize, usize)> {
        self.text(file, bytes).below(0, self.omit)
    }

    /// Whether comments are among these records.
    pub fn has_comments(&self, file: &str, bytes: &[u8]) -> bool {
        let is_comment = |(kind, _): (Line, Range<usize>)| kind == Line::Comment;
        let is_data = |line: &[u8]| self.omit.is_data(self.dialect, line);
        let mut lines = self.markers.lines(bytes, 0, self.dialect, is_data);
        self.text(file, bytes).markers.any(bytes) && lines.any(is_comment)
    }

    fn text<'a>(&self, file: &'a str, bytes: &'a [u8]) -> Text<'a> {
        let (dialect, markers) = (self.dialect, self.markers.clone());
        Text { file, bytes, dialect, markers, blanks: false }
    }
}

/// How much of a text is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// The first lines: what is below the rows cannot be seen.
    Head,
}

/// The text as the parser reads it, and its layout.
pub(crate) fn lay_out(
    file: &str,
    bytes: Vec<u8>,
    extent: Extent,
    header: Header,
) -> Result<(Vec<u8>, Layout)> {
    let (bytes, assumed) = to_utf8(file, bytes)?;
    if is_web_page(&bytes) {
        let what = "the file is a web page".to_owned();
        let expected = "expected a table as text; download the table itself, or read the page with pandas.read_html";
        let (file, expected) = (file.to_owned(), expected.to_owned());
        return Err(Error::Unsupported { file, what, expected });
    }
    let (mut bytes, _) = single_quotes(line_breaks(bytes));
    let mut notices: Vec<String> = assumed.into_iter().collect();
    let markers = Markers::of(&bytes);
    let separator = markers.separator(&bytes).unwrap_or_else(|| sniff(&bytes, &markers));
    let delimiter = match separator {
        Separator::Byte(delimiter) => delimiter,
        Separator::Blanks => {
            bytes = blanks_to_tabs(&bytes, &markers);
            b'\t'
        }
    };
    let dialect = Dialect::of(&bytes, delimiter);
    let text =
        Text { file, bytes: &bytes, dialect, markers, blanks: separator == Separator::Blanks };
    let top = text.top(header, &mut notices)?;
    let end = match extent {
        Extent::Whole => text.end(&top, &mut notices),
        Extent::Head => bytes.len(),
    };
    let rewritten = text.body(&top, end, &mut notices);
    let (Top { names, named, body, omit }, markers) = (top, text.markers);
    let body = match rewritten {
        Some(rows) => {
            bytes = rows;
            0
        }
        None => {
            bytes.truncate(end);
            body
        }
    };
    Ok((bytes, Layout { dialect, names, named, body, notices, markers, omit }))
}

/// Whether a text is HTML: what a server sends where there is no such table, or where somebody must log in first.
fn is_web_page(text: &[u8]) -> bool {
    const BEGINNINGS: [&str; 4] = ["<!doctype html", "<html", "<table", "<head"];
    let start = &text.trim_ascii_start()[..text.trim_ascii_start().len().min(20)];
    let start = start.to_ascii_lowercase();
    BEGINNINGS.iter().any(|beginning| start.starts_with(beginning.as_bytes()))
}

/// A text whose delimiter is known.
struct Text<'a> {
    file: &'a str,
    bytes: &'a [u8],
    dialect: Dialect,
    markers: Markers,
    /// Whether runs of blanks were the delimiter.
    blanks: bool,
}

/// What is known after a look at the first lines.
struct Top {
    names: Vec<String>,
    named: bool,
    body: usize,
    omit: Omit,
}

impl Text<'_> {
    /// Names and the place of the first row.
    fn top(&self, header: Header, notices: &mut Vec<String>) -> Result<Top> {
        let lines = sample(self.bytes, self.dialect, &self.markers);
        let is_record = |line: &&(Line, Range<usize>)| line.0 == Line::Record;
        let starts: Vec<_> = lines.iter().filter(is_record).map(|line| line.1.clone()).collect();
        let head: Vec<Fields> =
            starts.iter().map(|range| fields(self.dialect, &self.bytes[range.clone()])).collect();
        if head.is_empty() {
            return Err(Error::Empty { file: self.file.to_owned() });
        }
        let found = shape(&head, header);
        let above = self.comment_header(&lines, &head, found, header);
        let found = if above.is_some() { shape(&head, Header::No) } else { found };
        let place =
            |record: usize| starts.get(record).map_or(self.bytes.len(), |range| range.start);
        let body = place(found.above());
        let data = &head[found.above().min(head.len())..];
        let trailing = self.trailing(&head, data, found, body);
        self.say_top(&lines, found, body, notices);

        let width = found.width - usize::from(trailing);
        let given = match above {
            Some(given) => {
                notices.push(format!(
                    "{}: the names of the columns were taken from the comment above them",
                    self.file
                ));
                Some(given)
            }
            None if found.named => {
                Some(self.header(&head, starts[found.titles].clone(), found, header, notices)?)
            }
            None => {
                notices.extend(data_first(self.file, &head[found.titles], header));
                None
            }
        };
        let named = given.is_some();
        let names = match given {
            None => positional(width),
            Some(mut given) => {
                let extra =
                    given.len() == width + 1 && given.last().is_some_and(|n| n.trim().is_empty());
                given.truncate(given.len() - usize::from(extra));
                if given.len() + 1 == width && found.row_names {
                    given.insert(0, free_row_name(&given));
                }
                unique(self.file, given, notices)
            }
        };
        // Rows can lack cells at their end, even most of them.
        let full = found.width.max(names.len() + usize::from(trailing));
        let omit = Omit { width: full, trailing, numbers_first: numbers_first(data) };
        Ok(Top { names, named, body, omit })
    }

    /// The header's fields; it must be UTF-8.
    fn header(
        &self,
        head: &[Fields],
        range: Range<usize>,
        found: Shape,
        header: Header,
        notices: &mut Vec<String>,
    ) -> Result<Fields> {
        let start = range.start;
        if let Err(error) = std::str::from_utf8(&self.bytes[range]) {
            let offset = start + error.valid_up_to();
            let (file, place) = (self.file.to_owned(), "the first line".to_owned());
            return Err(Error::NotUtf8 {
                file,
                place,
                byte: self.bytes[offset],
                offset: offset as u64,
            });
        }
        let given = found.names(head).expect("the shape has names");
        let numbers = given.iter().filter(|f| matches!(classify(f), Field::Number(_))).count();
        if header == Header::Auto && numbers > 0 {
            notices.push(format!(
                "{}: the first row was taken as the header although {numbers} of its {} fields are numbers; \
                 use --no-header if it is data",
                self.file,
                given.len()
            ));
        }
        Ok(given)
    }

    /// Names in a comment right above rows that have no header, as `numpy.savetxt` writes them.
    fn comment_header(
        &self,
        lines: &[(Line, Range<usize>)],
        head: &[Fields],
        found: Shape,
        header: Header,
    ) -> Option<Fields> {
        let first = lines.iter().position(|line| line.0 == Line::Record)?;
        let (kind, range) = lines.get(first.checked_sub(1)?)?;
        let data = head[0].iter().any(|field| is_number(field)) && found.titles == 0;
        if *kind != Line::Comment || !data || header != Header::Auto {
            return None;
        }
        let comment = self.markers.strip(&self.bytes[range.clone()])?;
        let names = comment_fields(comment, self.dialect, self.blanks);
        let all_words = names.iter().all(|name| is_text(name));
        (names.len() == found.width && names.len() > 1 && all_words).then_some(names)
    }

    /// Whether every line ends with a delimiter, so that the last column is empty and has no name.
    fn trailing(&self, head: &[Fields], data: &[Fields], found: Shape, body: usize) -> bool {
        let empty = |row: &Fields| {
            row.len() != found.width || row.last().is_some_and(|f| f.trim().is_empty())
        };
        let unnamed = !found.named
            || (head[found.names_row()].get(found.width - 1))
                .is_none_or(|name| name.trim().is_empty());
        let candidate = found.width > 1 && unnamed && data.iter().all(empty) && !data.is_empty();
        candidate && all_end_empty(self.bytes, body, self.dialect, found.width)
    }

    fn say_top(
        &self,
        lines: &[(Line, Range<usize>)],
        found: Shape,
        body: usize,
        notices: &mut Vec<String>,
    ) {
        let is_comment = |line: &&(Line, Range<usize>)| {
            line.0 == Line::Comment
                && line.1.start < body
                && !is_separator_line(&self.bytes[line.1.clone()])
        };
        let comments = lines.iter().filter(is_comment).count();
        notices.extend(skipped(self.file, comments, "comment", ""));
        notices.extend(skipped(self.file, found.titles, "title line", " above the header"));
        if found.groups {
            notices.push(format!("{}: two rows of names were joined", self.file));
        }
        if found.units {
            notices.push(format!("{}: the row of units under the header was skipped", self.file));
        }
    }

    /// The end of the last row that is data.
    fn end(&self, top: &Top, notices: &mut Vec<String>) -> usize {
        let Some((count, place)) = self.below(top.body, top.omit) else { return self.bytes.len() };
        notices.extend(say_below(self.file, count));
        place
    }

    /// How many of the lines after `from` are footers, and where the first of them begins.
    fn below(&self, from: usize, omit: Omit) -> Option<(usize, usize)> {
        let found = self.footers(last_lines(self.bytes, from), omit)?;
        if !self.dialect.quotes {
            return Some(found);
        }
        // A line inside a quoted field is no row of its own; only a walk from the first row can tell.
        let is_data = |line: &[u8]| omit.is_data(self.dialect, line);
        let lines = self.markers.lines(self.bytes, from, self.dialect, is_data);
        let ranges: Vec<Range<usize>> = lines.map(|(_, range)| range).collect();
        self.footers(ranges[ranges.len().saturating_sub(LAST)..].to_vec(), omit)
    }

    /// How many of the last lines are footers, and where the first of them begins.
    fn footers(&self, lines: Vec<Range<usize>>, omit: Omit) -> Option<(usize, usize)> {
        let (mut last, mut places) = (Vec::new(), Vec::new());
        let mut after_blank = false;
        for range in lines {
            let line = &self.bytes[range.clone()];
            let marked = self.markers.strip(line).is_some();
            if is_blank(line) {
                after_blank = true;
            } else if !marked || omit.is_data(self.dialect, line) {
                last.push(LastRow { fields: fields(self.dialect, line), after_blank });
                places.push(range.start);
                after_blank = false;
            }
        }
        let count = footers(&last, omit.width);
        (count > 0 && count < last.len()).then(|| (count, places[places.len() - count]))
    }

    /// The rows rewritten, if comments or trailing delimiters are among them.
    fn body(&self, top: &Top, end: usize, notices: &mut Vec<String>) -> Option<Vec<u8>> {
        let bytes = &self.bytes[..end];
        if !top.omit.trailing && !self.markers.any(&bytes[top.body..]) {
            return None;
        }
        let (rows, comments) = rows(bytes, top.body, self.dialect, &self.markers, top.omit);
        notices.extend(skipped(self.file, comments, "comment", " between the rows"));
        (top.omit.trailing || comments > 0).then_some(rows)
    }
}

/// What to say of footers.
pub(crate) fn say_below(file: &str, count: usize) -> Option<String> {
    skipped(file, count, "line", " below the data")
}

/// What to say of a first row with words that was taken as data.
fn data_first(file: &str, first: &[String], header: Header) -> Option<String> {
    let words = header == Header::Auto && first.iter().any(|field| is_text(field));
    words.then(|| {
        format!("{file}: the first row was taken as data, because words of it appear again below; use --header if it holds names")
    })
}

/// The name of R's row names.
fn free_row_name(names: &[String]) -> String {
    let taken = names.iter().any(|name| name.trim() == "row");
    if taken { String::new() } else { "row".to_owned() }
}

/// Whether most of the first fields are numbers.
fn numbers_first(rows: &[Fields]) -> bool {
    let numbers = rows.iter().filter(|row| is_number(&row[0])).count();
    let words = rows.iter().filter(|row| is_text(&row[0])).count();
    numbers > words
}

/// The last lines of a text in their order, without line breaks.
fn last_lines(bytes: &[u8], from: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut end = bytes.len() - usize::from(bytes.len() > from && bytes.last() == Some(&b'\n'));
    while end > from && lines.len() < LAST {
        let start = memchr::memrchr(b'\n', &bytes[from..end]).map_or(from, |at| from + at + 1);
        lines.push(start..end);
        if start == from {
            break;
        }
        end = start - 1;
    }
    lines.reverse();
    lines
}

/// Rows of a text that have more than `width` fields.
pub(crate) fn count_longer(dialect: Dialect, bytes: &[u8], width: usize) -> usize {
    dialect.records(bytes).filter(|record| count_fields(dialect, record) > width).count()
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

/// Fields of one record as text.
pub(crate) fn fields(dialect: Dialect, record: &[u8]) -> Fields {
    let mut fields = Vec::new();
    let mut start = 0;
    loop {
        let (end, quoted) = field_end(dialect, record, start);
        fields.push(String::from_utf8_lossy(&content(&record[start..end], quoted)).into_owned());
        if end == record.len() {
            return fields;
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

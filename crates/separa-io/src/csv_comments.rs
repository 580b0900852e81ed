//! Comment lines of a delimited text: where they are, and what is none although it begins like one.

use std::ops::Range;

use memchr::{memchr, memmem};
use rayon::prelude::*;

use crate::csv_sniff::Separator;
use crate::csv_split::{Dialect, is_blank};

const MARKERS: [&str; 3] = ["#", "%", "//"];
/// Lines looked at to tell whether a marker begins most of them.
const SAMPLE: usize = 200;

/// What Excel writes before the separator in a line of its own.
const SEPARATOR: &[u8] = b"sep=";

/// Whether a line names the separator and nothing else.
pub(crate) fn is_separator_line(line: &[u8]) -> bool {
    let line = if line.ends_with(b"\r") { &line[..line.len() - 1] } else { line };
    line.len() == SEPARATOR.len() + 1
        && line[..SEPARATOR.len()].eq_ignore_ascii_case(SEPARATOR)
        && b",;\t|".contains(&line[SEPARATOR.len()])
}

/// What a line of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Blank,
    Comment,
    Record,
}

/// The words that begin a comment in this text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Markers(Vec<&'static str>);

impl Markers {
    /// A marker that begins more than half of the lines is part of the data.
    pub fn of(bytes: &[u8]) -> Self {
        let lines: Vec<&[u8]> =
            bytes.split(|b| *b == b'\n').filter(|line| !is_blank(line)).take(SAMPLE).collect();
        let comments = |marker: &&&str| {
            let begins = |line: &&&[u8]| line.starts_with(marker.as_bytes());
            let rest = &lines[lines.iter().take_while(|line| begins(line)).count()..];
            2 * rest.iter().filter(|line| begins(line)).count() <= rest.len() && !rest.is_empty()
        };
        Self(MARKERS.iter().filter(comments).copied().collect())
    }

    /// The separator that the first line names, as Excel writes it: `sep=;`.
    pub fn separator(&self, bytes: &[u8]) -> Option<Separator> {
        let line = bytes.split(|b| *b == b'\n').next()?;
        is_separator_line(line).then(|| Separator::Byte(line[SEPARATOR.len()]))
    }

    /// The text after the marker, if the line begins with one and is no error value of a spreadsheet (`#N/A`).
    pub fn strip<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        const ERRORS: [&str; 7] =
            ["#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!"];
        let error = ERRORS.iter().any(|word| line.starts_with(word.as_bytes()));
        let begins = |marker: &&str| line.strip_prefix(marker.as_bytes());
        if error { None } else { self.0.iter().find_map(begins) }
    }

    /// Whether any line may be a comment.
    pub fn any(&self, bytes: &[u8]) -> bool {
        const PART: usize = 1 << 20;
        let inside = |marker: &'static str| {
            let needle = format!("\n{marker}");
            let find = memmem::Finder::new(&needle);
            (0..bytes.len().div_ceil(PART)).into_par_iter().any(|i| {
                let end = ((i + 1) * PART + needle.len()).min(bytes.len());
                find.find(&bytes[i * PART..end]).is_some()
            })
        };
        self.strip(bytes).is_some() || self.0.iter().any(|marker| inside(marker))
    }

    /// The lines of `bytes[from..]` with what they are. A line that begins with a marker is a comment unless
    /// `is_data` says otherwise.
    pub fn lines<'a>(
        &'a self,
        bytes: &'a [u8],
        from: usize,
        dialect: Dialect,
        is_data: impl Fn(&[u8]) -> bool + 'a,
    ) -> impl Iterator<Item = (Line, Range<usize>)> + 'a {
        let mut at = from;
        std::iter::from_fn(move || {
            if at >= bytes.len() {
                return None;
            }
            let start = at;
            let break_at = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found);
            let line = &bytes[start..break_at];
            let (kind, end) = match () {
                () if is_blank(line) => (Line::Blank, break_at),
                () if start == 0 && is_separator_line(line) => (Line::Comment, break_at),
                () if self.strip(line).is_some() && !is_data(line) => (Line::Comment, break_at),
                () => (Line::Record, dialect.record_end(bytes, start)),
            };
            at = end + 1;
            Some((kind, start..end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Line> {
        let dialect = Dialect::of(text.as_bytes(), b',');
        let markers = Markers::of(text.as_bytes());
        markers.lines(text.as_bytes(), 0, dialect, |_| false).map(|line| line.0).collect()
    }

    #[test]
    fn comments_are_told_from_data() {
        use Line::{Blank, Comment, Record};
        assert_eq!(
            kinds("# a\na,b\n\n1,2\n// x\n3,4"),
            [Comment, Record, Blank, Record, Comment, Record]
        );
        assert_eq!(kinds("a,b\n#1,2\n#2,3\n#3,4"), [Record; 4]);
        assert_eq!(kinds("a,b\n1,2\n2,3\n#N/A,4"), [Record; 4]);
        // Inside quotes a line is no line.
        assert_eq!(kinds("a,b\n\"x\n# y\",1\n1,2\n"), [Record; 3]);
    }

    #[test]
    fn a_first_line_can_name_the_separator() {
        use Line::{Comment, Record};
        assert_eq!(kinds("sep=;\na;b\n1;2"), [Comment, Record, Record]);
        assert_eq!(kinds("a\nsep=;\n1"), [Record; 3]);
        assert_eq!(kinds("sep=x\n1\n2"), [Record; 3]);
        let found = |text: &str| Markers::of(text.as_bytes()).separator(text.as_bytes());
        assert_eq!(found("SEP=;\r\na,b;c"), Some(Separator::Byte(b';')));
        assert_eq!(found("sep=\t\na\tb"), Some(Separator::Byte(b'\t')));
        assert_eq!(found("a,b\n1,2"), None);
    }

    #[test]
    fn a_comment_far_down_is_found() {
        let text = format!("{}%x\n1\n", "1\n".repeat(3 << 19));
        assert!(Markers::of(text.as_bytes()).any(text.as_bytes()));
        assert!(!Markers::of(b"1\n5%\n").any(b"1\n5%\n"));
    }
}

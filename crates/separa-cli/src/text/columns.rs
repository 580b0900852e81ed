//! Cells in columns that line up.

use super::style::{paint, plain};
use anstyle::Style;

/// Widest line that we print.
pub const SCREEN: usize = 80;

/// One cell: text, a side to lean on, perhaps a colour.
#[derive(Debug, Clone)]
pub struct Cell {
    text: String,
    right: bool,
    style: Option<Style>,
}

pub fn left(text: impl Into<String>) -> Cell {
    Cell { text: one_line(&text.into()), right: false, style: None }
}

pub fn right(text: impl Into<String>) -> Cell {
    Cell { right: true, ..left(text) }
}

/// A cell is a line, whatever the name in it holds.
fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

impl Cell {
    pub fn styled(self, style: Style) -> Self {
        Self { style: Some(style), ..self }
    }
}

/// Lines of cells, indented by two, columns three spaces apart; no spaces at line ends.
pub fn align(rows: &[Vec<Cell>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |c: usize| {
        rows.iter().filter_map(|r| r.get(c)).map(|cell| width(&cell.text)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(wide).collect();
    let mut text = String::new();
    for row in rows {
        text.push_str("  ");
        for (c, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[c] - width(&cell.text));
            let shown = match cell.style {
                Some(style) => paint(style, &cell.text),
                None => cell.text.clone(),
            };
            let last = c + 1 == row.len();
            match (cell.right, last) {
                (true, _) => text.push_str(&format!("{padding}{shown}")),
                (false, true) => text.push_str(&shown),
                (false, false) => text.push_str(&format!("{shown}{padding}")),
            }
            if !last {
                text.push_str("   ");
            }
        }
        text.push('\n');
    }
    text
}

/// Breaks a sentence into lines of at most `columns` characters, words kept whole; a no-break space
/// becomes a space in the end.
pub fn wrap(sentence: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in plain(sentence).split_ascii_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| line.replace('\u{a0}', " ")).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_lines_have_no_tails() {
        let rows = vec![
            vec![left("cluster"), right("rows"), left("x")],
            vec![left("0"), right("59"), left("")],
        ];
        assert_eq!(align(&rows), "  cluster   rows   x\n  0           59   \n");
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrap("a b\u{a0}c", 4), ["a", "b c"]);
        assert!(wrap("", 6).is_empty());
    }
}

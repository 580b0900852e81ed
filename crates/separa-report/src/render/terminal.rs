//! A document as text in columns, for a terminal of any width.
//!
//! Colours are few, each with one meaning; whoever prints takes them out where no terminal shows them. All text passes
//! [`plain`], so that a name from the data cannot steer the terminal.

use crate::document::{Block, Cell, Document, Histogram, Medium, Section, Table};
use crate::html::{is_control, shortened};
use crate::{names, number};
use anstyle::{AnsiColor, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Of what went wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Of what needs attention.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Of good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Of headings.
pub const TITLE: Style = Style::new().bold();
/// Of bars.
pub const BAR: Style = AnsiColor::Cyan.on_default();
/// Of explanations.
pub const DIM: Style = Style::new().dimmed();
/// Of the other side of a boundary.
const OTHER: Style = AnsiColor::Yellow.on_default();

/// The width where none is known.
pub const WIDTH: usize = 80;
/// Letters between two columns, and before the first.
const BETWEEN: usize = 3;
const INDENT: usize = 2;
/// Letters of a name, and of the longest bar.
const LETTERS: usize = 24;
const LONGEST_BAR: usize = 30;
/// How narrow bars, sentences and names become before columns are left out.
const LEAST: [usize; 3] = [8, 20, 14];
/// The place of names in it.
const NAMES: usize = 2;
const HEIGHT: usize = 2;

/// The whole document in lines of at most `width` letters; commands to copy are not broken.
pub fn render(document: &Document, width: usize) -> String {
    let mut text = String::new();
    for warning in &document.warnings {
        let head = "warning:";
        for (i, line) in wrap(warning, width - head.len() - 1).iter().enumerate() {
            let said = if i == 0 { paint(WARNING, head) } else { " ".repeat(head.len()) };
            text.push_str(&format!("{said} {line}\n"));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for (name, said) in &document.facts {
        text.push_str(&format!("{}: {}\n", paint(TITLE, one_line(name)), one_line(said)));
    }
    if !document.verdict.is_empty() {
        let style = match document.good {
            Some(true) => GOOD,
            Some(false) => WARNING,
            None => TITLE,
        };
        text.push_str(&lines(&document.verdict, INDENT, width, Some(style)));
    }
    document.sections.iter().for_each(|s| text.push_str(&section(s, width)));
    text
}

/// A section below an empty line; nothing if it has no block for a terminal.
fn section(section: &Section, width: usize) -> String {
    let blocks: Vec<String> =
        section.on(Medium::Terminal).map(|block| self::block(block, width)).collect();
    if blocks.is_empty() {
        return String::new();
    }
    let remark = match section.remark.as_str() {
        "" => String::new(),
        said => format!(" {}", paint(DIM, said)),
    };
    format!("\n{}{remark}\n{}", paint(TITLE, section.title), blocks.concat())
}

fn block(block: &Block, width: usize) -> String {
    match block {
        Block::Text(said) => lines(said, INDENT, width, None),
        Block::Missing(said) => lines(said, INDENT, width, Some(DIM)),
        Block::List(all) => all.iter().map(|said| lines(said, INDENT, width, Some(DIM))).collect(),
        Block::Code { code, .. } => {
            code.lines().map(|line| format!("{}{}\n", " ".repeat(INDENT), plain(line))).collect()
        }
        Block::Table(found) => table(found, width),
        Block::Histogram(found) => histogram(found, width),
        Block::Figure { .. } | Block::Gallery(_) | Block::Plot { .. } | Block::Legend(_) => {
            String::new()
        }
    }
}

/// A sentence in lines, each indented and painted.
fn lines(sentence: &str, indent: usize, width: usize, style: Option<Style>) -> String {
    let said = wrap(sentence, width - indent).into_iter();
    let painted = said.map(|line| style.map_or_else(|| line.clone(), |s| paint(s, &line)));
    painted.map(|line| format!("{}{line}\n", " ".repeat(indent))).collect()
}

/// A table in columns that line up. Where it is too wide, bars become shorter, sentences take several lines and names
/// are cut; then the last columns are left out.
pub fn table(table: &Table, width: usize) -> String {
    let places = table.columns_on(Medium::Terminal);
    let (rows, hidden) = table.rows_on(Medium::Terminal);
    let rest = table.rest.clone().unwrap_or_else(|| vec![Cell::Name(format!("{hidden} more"))]);
    let all = rows.iter().chain((hidden > 0).then_some(&rest)).chain(&table.footer);
    let rows: Vec<Vec<&Cell>> =
        all.map(|row| places.iter().filter_map(|c| row.get(*c)).collect()).collect();
    let heads: Vec<String> =
        places.iter().map(|c| shortened(&one_line(&table.columns[*c].name), LETTERS)).collect();
    let widths = widths(&heads, &rows, width);
    let short: Vec<BTreeMap<String, String>> =
        widths.iter().enumerate().map(|(c, width)| short_names(&rows, c, *width)).collect();
    let right: Vec<bool> = places.iter().map(|c| table.columns[*c].number).collect();
    let mut text = String::new();
    if heads.iter().any(|head| !head.is_empty()) {
        let cells = heads.iter().map(|head| (head.clone(), None));
        text.push_str(&line(&cells.collect::<Vec<_>>(), &widths, &right));
    }
    for row in &rows {
        let places = widths.iter().zip(&short);
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(places)
            .map(|(cell, (width, short))| fitted(cell, *width, short))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for i in 0..height {
            let of = |(cell, found): (&&Cell, &Vec<String>)| {
                (found.get(i).cloned().unwrap_or_default(), style(cell))
            };
            let cells: Vec<_> = row.iter().zip(&cells).map(of).collect();
            text.push_str(&line(&cells, &widths, &right));
        }
    }
    text
}

/// The widths of the columns that have room.
fn widths(heads: &[String], rows: &[Vec<&Cell>], width: usize) -> Vec<usize> {
    let column = |c: usize| rows.iter().filter_map(move |row| row.get(c).copied());
    let wide = |c: usize| column(c).map(natural).chain([letters(&heads[c])]).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..heads.len()).map(wide).collect();
    let over = |widths: &[usize]| {
        let all = INDENT + widths.iter().sum::<usize>() + BETWEEN * widths.len().saturating_sub(1);
        all.saturating_sub(width)
    };
    for (kind, least) in LEAST.into_iter().enumerate() {
        for c in (0..widths.len()).rev() {
            if column(c).any(|cell| flexible(cell) == Some(kind)) {
                let narrow = widths[c].saturating_sub(over(&widths));
                widths[c] = narrow.max(least.min(widths[c]));
            }
        }
    }
    while widths.len() > 2 && over(&widths) > 0 {
        widths.pop();
    }
    widths
}

/// Which of [`LEAST`] a cell may be narrowed to.
fn flexible(cell: &Cell) -> Option<usize> {
    match cell {
        Cell::Bar(..) => Some(0),
        Cell::Text(_) | Cell::Note(_) => Some(1),
        Cell::Name(_) | Cell::Title(_) | Cell::Cluster(..) => Some(NAMES),
        _ => None,
    }
}

fn natural(cell: &Cell) -> usize {
    match cell {
        Cell::Bar(..) => LONGEST_BAR,
        Cell::Name(text) | Cell::Title(text) | Cell::Cluster(_, text) => {
            letters(text).min(LETTERS).max(letters(cell.words()).min(LETTERS))
        }
        _ => letters(&one_line(cell.words())),
    }
}

/// The names of a column by their whole ones, in at most `width` letters and still different.
fn short_names(rows: &[Vec<&Cell>], c: usize, width: usize) -> BTreeMap<String, String> {
    let cells = rows.iter().filter_map(|row| row.get(c));
    let names =
        cells.filter(|cell| flexible(cell) == Some(NAMES)).map(|cell| one_line(cell.words()));
    let mut seen = BTreeSet::new();
    let whole: Vec<String> = names.filter(|name| seen.insert(name.clone())).collect();
    let short = names::within(&whole, width.max(1));
    whole.into_iter().zip(short).collect()
}

/// The lines of a cell in a column of this width.
fn fitted(cell: &Cell, width: usize, short: &BTreeMap<String, String>) -> Vec<String> {
    match cell {
        Cell::Bar(fraction, _) => vec![bar(*fraction, width)],
        Cell::Text(text) | Cell::Note(text) => wrap(text, width.max(1)),
        _ => {
            let whole = one_line(cell.words());
            vec![short.get(&whole).cloned().unwrap_or_else(|| shortened(&whole, width.max(1)))]
        }
    }
}

fn style(cell: &Cell) -> Option<Style> {
    match cell {
        Cell::Bar(..) => Some(BAR),
        Cell::Note(_) => Some(DIM),
        Cell::Title(_) => Some(TITLE),
        Cell::Judged(_, good) => Some(if *good { GOOD } else { WARNING }),
        _ => None,
    }
}

/// One line of cells; no spaces at its end.
fn line(cells: &[(String, Option<Style>)], widths: &[usize], right: &[bool]) -> String {
    let used = cells.iter().take(widths.len()).rposition(|(text, _)| !text.is_empty());
    let mut out = String::new();
    for (c, (text, style)) in cells.iter().enumerate().take(used.map_or(0, |last| last + 1)) {
        let padding = " ".repeat(widths[c].saturating_sub(letters(text)));
        let shown = style.map_or_else(|| text.clone(), |s| paint(s, text));
        out.push_str(&" ".repeat(if c == 0 { INDENT } else { BETWEEN }));
        match (right[c], used == Some(c)) {
            (true, _) => out.push_str(&format!("{padding}{shown}")),
            (false, true) => out.push_str(&shown),
            (false, false) => out.push_str(&format!("{shown}{padding}")),
        }
    }
    out.push('\n');
    out
}

/// Two lines of blocks with their ends, and the boundary between two clusters.
fn histogram(found: &Histogram, width: usize) -> String {
    let bins = &found.bins;
    let count = bins.counts.first().map_or(0, Vec::len);
    let most = (0..count).map(|b| bins.total(b)).max().unwrap_or(1).max(1) as f64;
    let (low, high) = (bins.low, bins.high);
    // Where the boundary falls, if it is in sight.
    let zero = (found.boundary && low < 0.0 && high > 0.0)
        .then(|| ((0.0 - low) / (high - low) * count as f64) as usize);
    let indent = " ".repeat(INDENT);
    let mut text = String::new();
    for line in (0..HEIGHT).rev() {
        let height = |b: usize| bins.total(b) as f64 / most * HEIGHT as f64 - line as f64;
        let mut drawn: Vec<char> = (0..count).map(|b| block_of(height(b))).collect();
        let used = drawn.iter().rposition(|c| *c != ' ').map_or(0, |last| last + 1);
        drawn.truncate(used);
        let (left, right) = drawn.split_at(zero.unwrap_or(count).min(used));
        let side = |part: &[char], colour| paint(colour, part.iter().collect::<String>());
        text.push_str(&format!("{indent}{}{}\n", side(left, BAR), side(right, OTHER)));
    }
    let (low, high) = (number::value(low), number::value(high));
    let mut scale = low.clone();
    if let Some(at) = zero.filter(|at| *at > low.len() && at + high.len() + 1 < count) {
        scale.push_str(&format!("{}0", " ".repeat(at - low.len())));
    }
    let room = count.saturating_sub(scale.len() + high.len());
    let scale = format!("{scale}{}{high}   {}", " ".repeat(room), found.axis);
    text.push_str(&format!("{indent}{}\n", paint(DIM, scale)));
    if let Some(sample) = &found.sample {
        text.push_str(&lines(sample, INDENT, width, Some(DIM)));
    }
    text
}

/// Eighths of a block for a height between 0 and 1.
fn block_of(height: f64) -> char {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    BLOCKS[(height.clamp(0.0, 1.0) * 8.0).round() as usize]
}

/// A bar of `width` letters at most for a fraction between 0 and 1; never empty above zero.
fn bar(fraction: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (fraction.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let eighths = if fraction > 0.0 { eighths.max(1) } else { eighths };
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// Text in a colour.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{}{style:#}", plain(&text.to_string()))
}

/// Text from data as a terminal may show it: what would steer the terminal is replaced.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_control(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A name is one line, whatever it holds.
fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

/// A number stays on the line of its sign: "29 %", "p < 0.001".
fn unbroken(sentence: &str) -> String {
    let joined = sentence.replace(" %", "\u{a0}%");
    joined.replace("p < ", "p\u{a0}<\u{a0}").replace("p = ", "p\u{a0}=\u{a0}")
}

/// Breaks a sentence into lines of at most `width` letters, words kept whole; a no-break space becomes a space in the
/// end.
pub fn wrap(sentence: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in plain(&unbroken(sentence)).split_ascii_whitespace() {
        match lines.last_mut() {
            Some(line) if letters(line) + 1 + letters(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| line.replace('\u{a0}', " ")).collect()
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::histogram::Bins;
    use crate::html::Html;
    use separa::view::Decided;

    /// Without colours.
    fn bare(text: &str) -> String {
        let mut out = String::new();
        let mut parts = text.split('\u{1b}');
        out.push_str(parts.next().unwrap_or_default());
        parts.for_each(|part| out.push_str(part.split_once('m').map_or("", |(_, rest)| rest)));
        out
    }

    fn sample() -> Table {
        let mut table = Table::new("").text("cluster").number("rows").text("").text("meaning");
        for c in 0..9 {
            table.row(vec![
                Cell::Cluster(c, format!("a rather long name of a cluster {c}")),
                Cell::count(59),
                Cell::Bar(0.5, 0),
                Cell::Note("many words that need several lines where there is no room".into()),
            ]);
        }
        table
    }

    #[test]
    fn columns_line_up_and_lines_have_no_tails() {
        let mut table = Table::new("").text("cluster").number("rows").text("x");
        table.row(vec![Cell::Name("0".into()), Cell::count(59), Cell::Text(String::new())]);
        assert_eq!(self::table(&table, 80), "  cluster   rows   x\n  0           59\n");
    }

    #[test]
    fn tables_fit_every_width() {
        for width in [40, 60, 80, 100, 200] {
            let text = bare(&table(&sample(), width));
            assert!(
                text.lines().all(|l| letters(l) <= width && l.trim_end() == l),
                "{width}\n{text}"
            );
            assert!(text.contains("59"), "{text}");
        }
        assert_eq!(table(&sample(), 200).lines().count(), 10);
    }

    #[test]
    fn names_that_differ_in_the_middle_stay_different() {
        let whole = ["online", "offline", "returned"]
            .map(|kind| format!("average_number_of_{kind}_transactions_per_registered_member"));
        for width in [40, 80] {
            let mut table = Table::new("").text("column").text("type").text("what is done");
            for name in &whole {
                let done =
                    Cell::Text("many words that need several lines where there is no room".into());
                table.row(vec![Cell::Title(name.clone()), Cell::Name("number".into()), done]);
            }
            let text = bare(&self::table(&table, width));
            assert!(
                ["…online…", "…offline…", "…returned…"].iter().all(|n| text.contains(n)),
                "{text}"
            );
        }
    }

    #[test]
    fn rows_that_are_not_shown_are_counted_or_summed_above_the_footer() {
        let mut table = sample().shown(5);
        table.footer = vec![vec![Cell::Cluster(-1, String::new()), Cell::count(3)]];
        let text = bare(&self::table(&table, 200));
        assert!(text.ends_with("\n  4 more\n  outliers                      3\n"), "{text}");
        table.rest = Some(vec![Cell::Name("the rest".into()), Cell::count(236)]);
        assert!(bare(&self::table(&table, 200)).contains("\n  the rest                    236\n"));
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrap("a b\u{a0}c", 4), ["a", "b c"]);
        assert_eq!(wrap("of 29 % (p < 0.1)", 9), ["of 29 %", "(p < 0.1)"]);
        assert!(wrap("", 6).is_empty());
    }

    #[test]
    fn names_cannot_steer_the_terminal() {
        let name = "a\u{1b}[2J\r\u{202e}b\u{9b}31m";
        assert_eq!(plain(name), "a\u{fffd}[2J\u{fffd}\u{fffd}b\u{fffd}31m");
        assert_eq!(paint(TITLE, name).matches('\u{1b}').count(), 2, "our own");
        let mut document =
            Document { title: name.into(), verdict: name.into(), ..Document::default() };
        document.facts = vec![(name.into(), name.into())];
        document.warnings = vec![name.into()];
        let mut section = Section::new("x", "X");
        section.say(crate::document::On::Everywhere, name);
        let mut hostile = Table::new(name).text(name).text(name);
        hostile.row(vec![Cell::Name(name.into()), Cell::Text(name.into())]);
        document.add(section.table(hostile).clone());
        let text = bare(&render(&document, 80));
        assert!(!text.contains(|c: char| is_control(c)), "{text:?}");
    }

    #[test]
    fn bars_grow_with_the_fraction_and_show_the_smallest() {
        assert_eq!(bar(1.0, 4), "████");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(1e-9, 4), "▏");
        assert_eq!(bar(0.0, 4), "");
    }

    fn drawn(values: Vec<f64>, sample: Option<String>) -> String {
        let labels = values.iter().map(|v| i32::from(*v >= 0.0)).collect();
        let n = values.len();
        let decided = Decided { rows: (0..n).collect(), labels, other: vec![0; n], values };
        let bins = Bins::of(&decided, 2).unwrap();
        let (drawing, caption) = (Html::new(), String::new());
        let axis = "decision value";
        bare(&histogram(&Histogram { bins, drawing, caption, axis, boundary: true, sample }, 80))
    }

    #[test]
    fn two_hills_with_the_boundary_between_them() {
        let values = (0..200).map(|i| if i % 2 == 0 { -3.0 } else { 5.0 } + f64::from(i % 7) * 0.1);
        let text = drawn(values.collect(), None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), HEIGHT + 1, "{text}");
        assert!(lines[HEIGHT].contains(" 0 "), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 60 && l.trim_end() == l));
        // The highest hill reaches the top, the gap is empty.
        assert!(lines[0].contains('█') && lines[HEIGHT - 1].contains("█      "), "{text}");
        assert!(drawn(vec![2.0; 9], None).contains('█'), "equal values do no harm");
    }

    #[test]
    fn a_sample_is_called_one() {
        let text = drawn(vec![2.0; 500], Some("of a random sample of 500 of 4,000 bags".into()));
        assert!(text.ends_with("\n  of a random sample of 500 of 4,000 bags\n"), "{text}");
    }
}

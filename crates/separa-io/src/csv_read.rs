//! Delimited text files to a table: all parts of all files are parsed at the same time.

use rayon::prelude::*;
use separa::note::thousands;

use crate::csv_layout::{Extent, Layout, count_longer, lay_out};
use crate::csv_parse::{Fault, Found, Oddities, Short, Take, Task, parse};
use crate::csv_split::Part;
use crate::error::{Error, Result};
use crate::load::{Origin, allocate};
use crate::options::{TableOptions, unselected};
use crate::source::Source;
use crate::table::{Column, Held, Table};

/// A file in memory, or a piece of one.
pub(crate) struct Text {
    bytes: Vec<u8>,
    layout: Layout,
    parts: Vec<Part>,
}

impl Text {
    /// Whole records after so many rows.
    pub fn piece(bytes: Vec<u8>, layout: &Layout, before: usize) -> Self {
        let mut parts = layout.dialect.split(&bytes, 0);
        parts.iter_mut().for_each(|part| part.first += before);
        Self { bytes, layout: Layout { body: 0, ..layout.clone() }, parts }
    }

    pub fn rows(&self) -> usize {
        self.parts.iter().map(|p| p.count).sum()
    }

    pub fn ends_open(&self) -> bool {
        self.bytes.last() != Some(&b'\n')
    }
}

pub(crate) fn read(sources: Vec<Source>, options: &TableOptions) -> Result<Table> {
    let names: Vec<String> = sources.iter().map(|s| s.name.clone()).collect();
    let texts: Vec<Text> =
        sources.into_par_iter().map(|s| open(s, options)).collect::<Result<_>>()?;
    for (text, name) in texts.iter().zip(&names).skip(1) {
        same_columns((&names[0], &texts[0].layout), (name, &text.layout))?;
    }
    let rows = |t: &Text| t.parts.iter().map(|p| p.count).sum();
    let origin = Origin { files: names.into_iter().zip(texts.iter().map(rows)).collect() };
    let layout = &texts[0].layout;
    let selected = options.select_whole(&origin.name(), &layout.names, layout.named)?;
    if origin.rows() == 0 {
        return Err(Error::HeaderOnly { file: origin.name() });
    }
    load(&texts, &selected, origin, options)
}

fn open(source: Source, options: &TableOptions) -> Result<Text> {
    let name = source.name.clone();
    let (bytes, layout) = lay_out(&name, source.into_bytes()?, Extent::Whole, options.header)?;
    let parts = layout.dialect.split(&bytes, layout.body);
    Ok(Text { bytes, layout, parts })
}

pub(crate) fn same_columns(first: (&str, &Layout), second: (&str, &Layout)) -> Result<()> {
    let (a, b) = (&first.1.names, &second.1.names);
    if a == b && first.1.named == second.1.named {
        return Ok(());
    }
    let detail = match a.iter().zip(b).position(|(a, b)| a != b) {
        _ if a.len() != b.len() => format!("{} against {}", a.len(), b.len()),
        Some(i) => format!("column {} is \"{}\" in one, \"{}\" in the other", i + 1, a[i], b[i]),
        None => "only one of them has a header".to_owned(),
    };
    Err(Error::SchemaDiffers { first: first.0.to_owned(), second: second.0.to_owned(), detail })
}

/// Numbers in a first pass; columns that hold anything else as text in a second.
fn load(
    texts: &[Text],
    selected: &[bool],
    origin: Origin,
    options: &TableOptions,
) -> Result<Table> {
    let layout = &texts[0].layout;
    let (takes, slots, lists) = takes(&layout.names, selected, options);
    let mut numbers = allocate(&origin.name(), origin.rows(), slots)?;
    let want = Want { takes: &takes, slots, texts: lists };
    let found = parse_all(texts, &origin, want, &mut numbers)?;
    let held = holdings(&found, origin.rows());
    let short = found.short.map(|short| say_short(short, &origin, layout)).transpose()?;

    let mut words = found.texts;
    let mut again = vec![Take::Skip; layout.names.len()];
    let mut more = 0;
    let mut columns = Vec::new();
    for (j, name) in layout.names.iter().enumerate() {
        let held = match takes[j] {
            Take::Skip => continue,
            Take::Text(list) | Take::Kept(list) | Take::Id(list) => Held::Words(list),
            Take::Number(slot) => match held[slot] {
                Holding::Numbers => Held::Numbers(slot),
                Holding::Booleans => Held::Booleans(slot),
                Holding::Words => {
                    again[j] = Take::Text(more);
                    more += 1;
                    Held::Words(lists + more - 1)
                }
            },
        };
        columns.push(Column { name: name.clone(), held });
    }
    if more > 0 {
        let want = Want { takes: &again, slots: 0, texts: more };
        words.extend(parse_all(texts, &origin, want, &mut [])?.texts);
    }
    let cut = found.short.and_then(|short| say_cut(short, texts, &origin));
    let notices = texts.iter().flat_map(|t| t.layout.notices.clone());
    let notices = notices.chain(short).chain(cut).collect();
    let (files, named) = (origin.files, layout.named);
    let unread = unselected(&layout.names, selected);
    let width = slots;
    Ok(Table { files, columns, unread, named, notices, numbers, width, words, ..Table::default() })
}

/// What to say of rows that lack cells at their end. Where every row does, the header is what does not fit.
pub(crate) fn say_short(short: Short, origin: &Origin, layout: &Layout) -> Result<String> {
    let (file, row) = origin.locate(short.first);
    if short.count == origin.rows() {
        let (found, expected) = (short.fields, layout.names.len());
        return Err(Error::Ragged { file, row, found, expected, ragged: short.count });
    }
    let rows = if short.count == 1 { "row is" } else { "rows are" };
    let than = if layout.named { "the header" } else { "the others" };
    Ok(format!(
        "{file}: {} {rows} shorter than {than}; missing cells at their end are taken as missing values, first: row {row}",
        thousands(short.count)
    ))
}

/// What to say where the text ends in the middle of a row.
fn say_cut(short: Short, texts: &[Text], origin: &Origin) -> Option<String> {
    // Only the last row of the last file can be the last that is short.
    let ends_open = texts.last()?.ends_open();
    let (file, row) = origin.locate(short.last);
    (ends_open && short.last + 1 == origin.rows()).then(|| cut_text(&file, row))
}

pub(crate) fn cut_text(file: &str, row: u64) -> String {
    format!("{file}: ends in the middle of row {row}, without a line break: it may be cut short")
}

/// What is taken from the columns in a first pass, with the slots of a row and the lists of texts.
pub(crate) fn takes(
    names: &[String],
    selected: &[bool],
    options: &TableOptions,
) -> (Vec<Take>, usize, usize) {
    let as_text = |name: &String| {
        let has = |list: &[String]| list.contains(name);
        has(&options.categorical)
            || has(&options.text)
            || options.order.iter().any(|(n, _)| n == name)
    };
    let (mut takes, mut slots, mut lists) = (vec![Take::Skip; names.len()], 0, 0);
    for (j, name) in names.iter().enumerate().filter(|(j, _)| selected[*j]) {
        takes[j] = if options.is_kept(name) || as_text(name) {
            lists += 1;
            match options.is_kept(name) {
                true if options.id.as_deref() == Some(name) => Take::Id(lists - 1),
                true => Take::Kept(lists - 1),
                false => Take::Text(lists - 1),
            }
        } else {
            slots += 1;
            Take::Number(slots - 1)
        };
    }
    (takes, slots, lists)
}

/// What each slot holds after all rows were parsed.
pub(crate) fn holdings(found: &Found, rows: usize) -> Vec<Holding> {
    let each = found.oddities.iter();
    each.map(|odd| odd.as_ref().map_or(Holding::Numbers, |odd| holding(odd, rows))).collect()
}

/// What the fields of a column that are not plain numbers make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holding {
    Numbers,
    Booleans,
    Words,
}

fn holding(odd: &Oddities, rows: usize) -> Holding {
    let present = rows - odd.missing.count;
    match odd.text.count + odd.big_integer.count + odd.zeros.count {
        0 if odd.boolean.count == 0 => Holding::Numbers,
        0 if odd.boolean.count == present => Holding::Booleans,
        _ => Holding::Words,
    }
}

/// What to take from the parts, see [`Task`].
#[derive(Clone, Copy)]
pub(crate) struct Want<'a> {
    pub takes: &'a [Take],
    pub slots: usize,
    pub texts: usize,
}

/// Parses a piece that begins at byte `start` of its file.
pub(crate) fn parse_piece(
    file: &str,
    text: &Text,
    start: usize,
    want: Want<'_>,
    values: &mut [f64],
) -> Result<Found> {
    // Rows are counted in the one file, however many follow.
    let origin = Origin { files: vec![(file.to_owned(), usize::MAX)] };
    let parsed = parse_all(std::slice::from_ref(text), &origin, want, values);
    parsed.map_err(|e| match e {
        Error::NotUtf8 { file, place, byte, offset } => {
            Error::NotUtf8 { file, place, byte, offset: offset + start as u64 }
        }
        other => other,
    })
}

/// Parses every part and joins what was found, in the order of the files.
fn parse_all(texts: &[Text], origin: &Origin, want: Want<'_>, values: &mut [f64]) -> Result<Found> {
    let Want { takes, slots, texts: lists } = want;
    let mut tasks = Vec::new();
    let (mut rest, mut before) = (values, 0);
    for text in texts {
        for part in &text.parts {
            let (out, after) = rest.split_at_mut(part.count * slots);
            rest = after;
            let bytes = &text.bytes[part.range.clone()];
            let first_row = before + part.first;
            let dialect = text.layout.dialect;
            tasks.push((part, Task { bytes, first_row, dialect, takes, slots, texts: lists }, out));
        }
        before += text.parts.iter().map(|p| p.count).sum::<usize>();
    }
    let results: Vec<Result<Found>> = tasks
        .into_par_iter()
        .map(|(part, task, out)| {
            parse(task, out).map_err(|fault| explain(fault, origin, part, texts))
        })
        .collect();
    let parts = results.into_iter().collect::<Result<_>>()?;
    Found::joined(parts, lists, slots).map_err(|_| too_large(origin, &texts[0].layout))
}

fn too_large(origin: &Origin, layout: &Layout) -> Error {
    let (rows, columns) = (origin.rows(), layout.names.len());
    Error::TooLarge { file: origin.files[0].0.clone(), rows, columns }
}

fn explain(fault: Fault, origin: &Origin, part: &Part, texts: &[Text]) -> Error {
    let layout = &texts[0].layout;
    match fault {
        Fault::TooLarge => too_large(origin, layout),
        Fault::Ragged { row, found } => {
            let (file, row) = origin.locate(row);
            let expected = layout.names.len();
            let count =
                |t: &Text| count_longer(t.layout.dialect, &t.bytes[t.layout.body..], expected);
            let ragged = texts.iter().map(count).sum();
            Error::Ragged { file, row, found, expected, ragged }
        }
        Fault::OpenQuote { row, column } => {
            let (file, row) = origin.locate(row);
            Error::OpenQuote { file, row, column: layout.names[column].clone() }
        }
        Fault::NotUtf8 { row, position, byte } => {
            let (file, row) = origin.locate(row);
            let offset = (part.range.start + position) as u64;
            Error::NotUtf8 { file, place: format!("row {row}"), byte, offset }
        }
    }
}

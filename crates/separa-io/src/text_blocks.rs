//! Delimited text block by block: memory for one piece of the text and its rows, however long the text is.
//!
//! The first pass, when the files are opened, counts the rows and finds what every column holds, as reading the whole
//! table does. A piece ends with a record, so where blocks end is a function of the text.

use std::io::Read;

use crate::blocks::{Block, BlockReader};
use crate::csv_layout::{Extent, Layout, lay_out, say_below};
use crate::csv_parse::{Found, Short, Take};
use crate::csv_read::{
    Holding, Text, Want, cut_text, holdings, parse_piece, same_columns, say_short, takes,
};
use crate::csv_split::Dialect;
use crate::error::{Error, Result};
use crate::load::{Origin, allocate};
use crate::options::{TableOptions, unselected};
use crate::source::{Source, read_error};
use crate::table::{Column, Held, Table};

/// Bytes of a piece, and of the first lines that tell how the text is laid out.
const PIECE: usize = 4 << 20;
const HEAD: usize = 1 << 20;
/// A record longer than this is a fault.
const LONGEST: usize = 256 << 20;
/// Marks UTF-8.
const BOM: &[u8] = &[0xef, 0xbb, 0xbf];

/// Texts that are read piece by piece.
pub(crate) struct TextBlocks {
    files: Vec<TextFile>,
    rows: Vec<(String, usize)>,
    plan: Plan,
    /// What there is to know about the reading: it goes with the first block.
    notices: Vec<String>,
    /// The file that is being read, and its pieces.
    next: usize,
    open: Option<Pieces>,
}

struct TextFile {
    source: Source,
    layout: Layout,
}

/// What becomes of the columns.
struct Plan {
    takes: Vec<Take>,
    columns: Vec<Column>,
    unread: Vec<String>,
    slots: usize,
    lists: usize,
}

/// Opens texts to read them in blocks.
pub(crate) fn open(sources: Vec<Source>, options: &TableOptions) -> Result<TextBlocks> {
    let files: Vec<TextFile> =
        sources.into_iter().map(|s| TextFile::open(s, options)).collect::<Result<_>>()?;
    let first = &files[0];
    for file in &files[1..] {
        let known = (first.source.name.as_str(), &first.layout);
        same_columns(known, (&file.source.name, &file.layout))?;
    }
    let layout = &first.layout;
    let selected = options.select(&first.source.name, &layout.names, layout.named)?;
    let (wanted, slots, lists) = takes(&layout.names, &selected, options);
    let want = Want { takes: &wanted, slots, texts: lists };
    let (mut rows, mut odd, mut total) = (Vec::new(), Vec::new(), 0);
    let mut notices = Vec::new();
    for file in &files {
        let name = &file.source.name;
        let mut pieces = Pieces::open(file)?;
        let mut open_row = None;
        while let Some(text) = pieces.next_piece(file)? {
            let mut values = allocate(name, text.rows(), slots)?;
            let found = parse_piece(name, &text, pieces.start, want, &mut values)?;
            let cut = found.short.filter(|s| s.last + 1 == pieces.rows && text.ends_open());
            open_row = cut.map(|short| short.last as u64 + 1);
            let among_all = |s: Short| Short { first: total + s.first, last: total + s.last, ..s };
            let short = found.short.map(among_all);
            odd.push(Found { texts: Vec::new(), short, ..found });
        }
        notices.extend(file.layout.notices.iter().cloned());
        notices.extend(say_below(name, pieces.below));
        notices.extend(open_row.map(|row| cut_text(name, row)));
        rows.push((name.clone(), pieces.rows));
        total += pieces.rows;
    }
    if total == 0 {
        return Err(Error::HeaderOnly { file: first.source.name.clone() });
    }
    let unread = unselected(&layout.names, &selected);
    let found = Found::joined(odd, 0, slots).expect("no texts are joined");
    let origin = Origin { files: rows };
    notices.extend(found.short.map(|short| say_short(short, &origin, layout)).transpose()?);
    let plan = Plan::of(&layout.names, &wanted, &holdings(&found, total), unread);
    Ok(TextBlocks { files, rows: origin.files, plan, notices, next: 0, open: None })
}

impl Plan {
    fn of(names: &[String], wanted: &[Take], held: &[Holding], unread: Vec<String>) -> Self {
        let mut plan = Self { takes: Vec::new(), columns: Vec::new(), unread, slots: 0, lists: 0 };
        for (name, take) in names.iter().zip(wanted) {
            let holding = match take {
                Take::Number(slot) => held[*slot],
                _ => Holding::Words,
            };
            let (take, held) = match (take, holding) {
                (Take::Skip, _) => (Take::Skip, None),
                (_, Holding::Numbers) => {
                    (Take::Number(plan.slots), Some(Held::Numbers(plan.slots)))
                }
                (_, Holding::Booleans) => {
                    (Take::Number(plan.slots), Some(Held::Booleans(plan.slots)))
                }
                (Take::Kept(_), _) => (Take::Kept(plan.lists), Some(Held::Words(plan.lists))),
                (Take::Id(_), _) => (Take::Id(plan.lists), Some(Held::Words(plan.lists))),
                _ => (Take::Text(plan.lists), Some(Held::Words(plan.lists))),
            };
            match take {
                Take::Skip => {}
                Take::Number(_) => plan.slots += 1,
                _ => plan.lists += 1,
            }
            plan.takes.push(take);
            plan.columns.extend(held.map(|held| Column { name: name.clone(), held }));
        }
        plan
    }
}

impl BlockReader for TextBlocks {
    fn files(&self) -> &[(String, usize)] {
        &self.rows
    }

    fn row_bytes(&self) -> u64 {
        (8 * self.plan.slots + 4 * self.plan.lists) as u64
    }

    fn rewind(&mut self) -> Result<()> {
        (self.next, self.open) = (0, None);
        Ok(())
    }

    fn next_block(&mut self) -> Result<Option<Block>> {
        while let Some(file) = self.files.get(self.next) {
            let name = &file.source.name;
            let pieces = match &mut self.open {
                Some(pieces) => pieces,
                none => none.insert(Pieces::open(file)?),
            };
            let first_row = pieces.rows;
            let Some(text) = pieces.next_piece(file)? else {
                // Nothing but its rows was counted: fewer mean that it was cut.
                if first_row != self.rows[self.next].1 {
                    return Err(Error::Changed { file: name.clone() });
                }
                (self.next, self.open) = (self.next + 1, None);
                continue;
            };
            let Plan { takes, columns, unread, slots, lists } = &self.plan;
            let mut numbers = allocate(name, text.rows(), *slots)?;
            let want = Want { takes, slots: *slots, texts: *lists };
            let found = parse_piece(name, &text, pieces.start, want, &mut numbers)?;
            let table = Table {
                files: vec![(name.clone(), text.rows())],
                first_row,
                columns: columns.clone(),
                unread: unread.clone(),
                named: file.layout.named,
                numbers,
                width: *slots,
                words: found.texts,
                notices: match (self.next, first_row) {
                    (0, 0) => self.notices.clone(),
                    _ => Vec::new(),
                },
                ..Table::default()
            };
            return Ok(Some(Block { table, file: self.next, first_row }));
        }
        Ok(None)
    }
}

impl TextFile {
    /// Looks at the first lines.
    fn open(source: Source, options: &TableOptions) -> Result<Self> {
        let mut head = Vec::new();
        let from = reader(&source)?;
        from.take(HEAD as u64).read_to_end(&mut head).map_err(|e| read_error(&source.name, e))?;
        if head.len() == HEAD {
            let end = memchr::memrchr(b'\n', &head).map_or(head.len(), |at| at + 1);
            head.truncate(end);
        }
        let mark = if head.starts_with(BOM) { BOM.len() } else { 0 };
        let plain = head[mark..].to_vec();
        let (bytes, mut layout) = lay_out(&source.name, head, Extent::Head, options.header)?;
        if !plain.starts_with(&bytes) {
            return Err(not_plain(&source.name));
        }
        layout.body += mark;
        // Quotes can come later.
        layout.dialect = Dialect { quotes: true, ..layout.dialect };
        Ok(Self { source, layout })
    }
}

fn not_plain(file: &str) -> Error {
    Error::Unsupported {
        file: file.to_owned(),
        what:
            "the text cannot be read in blocks: it is not UTF-8, or has comments between the rows, \
               delimiters at their ends, or blanks between the columns"
                .to_owned(),
        expected: "expected plain rows; save it as CSV in UTF-8, or as Parquet".to_owned(),
    }
}

fn reader(source: &Source) -> Result<Box<dyn Read + Send>> {
    source.reader().expect("only files on disk are read in blocks")
}

/// The pieces of one text.
struct Pieces {
    reader: Box<dyn Read + Send>,
    rest: Vec<u8>,
    ended: bool,
    /// Bytes and rows before the next piece.
    at: usize,
    rows: usize,
    /// Where the last piece began.
    start: usize,
    /// Lines below the rows, once the last piece was seen.
    below: usize,
}

impl Pieces {
    fn open(file: &TextFile) -> Result<Self> {
        let mut pieces = Self {
            reader: reader(&file.source)?,
            rest: Vec::new(),
            ended: false,
            at: file.layout.body,
            rows: 0,
            start: 0,
            below: 0,
        };
        while pieces.rest.len() < file.layout.body && !pieces.ended {
            pieces.fill(file, file.layout.body)?;
        }
        pieces.rest.drain(..file.layout.body.min(pieces.rest.len()));
        Ok(pieces)
    }

    /// Reads on until there are so many bytes.
    fn fill(&mut self, file: &TextFile, wanted: usize) -> Result<()> {
        let more = wanted.saturating_sub(self.rest.len()) as u64;
        let name = &file.source.name;
        let read = self.reader.by_ref().take(more).read_to_end(&mut self.rest);
        let read = read.map_err(|e| match file.source.plain_path() {
            Some(_) => read_error(name, e),
            None => Error::Damaged { file: name.clone(), detail: e.to_string() },
        })?;
        self.ended = (read as u64) < more;
        Ok(())
    }

    /// The next whole records; None after the last.
    fn next_piece(&mut self, file: &TextFile) -> Result<Option<Text>> {
        let mut size = PIECE;
        loop {
            self.fill(file, size)?;
            let end = if self.ended { self.rest.len() } else { whole(file, &self.rest) };
            if self.ended && end == 0 {
                return Ok(None);
            }
            if end > 0 {
                let after = self.rest.split_off(end);
                let mut bytes = std::mem::replace(&mut self.rest, after);
                let name = &file.source.name;
                if self.ended
                    && let Some((count, place)) = file.layout.below(name, &bytes)
                {
                    bytes.truncate(place);
                    self.below = count;
                }
                if file.layout.has_comments(name, &bytes) {
                    return Err(not_plain(name));
                }
                let text = Text::piece(bytes, &file.layout, self.rows);
                (self.start, self.at) = (self.at, self.at + end);
                self.rows += text.rows();
                return Ok(Some(text));
            }
            if size >= LONGEST {
                let detail = format!(
                    "row {} is longer than {} MB: a quote may never be closed",
                    self.rows + 1,
                    LONGEST >> 20
                );
                return Err(Error::Damaged { file: file.source.name.clone(), detail });
            }
            size *= 2;
        }
    }
}

/// Where the last whole record of a text ends.
fn whole(file: &TextFile, bytes: &[u8]) -> usize {
    let (mut at, mut end) = (0, 0);
    while at < bytes.len() {
        let found = file.layout.dialect.record_end(bytes, at);
        if found == bytes.len() {
            break;
        }
        at = found + 1;
        end = at;
    }
    end
}

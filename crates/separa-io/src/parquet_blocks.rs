//! Parquet files block by block, as often as needed: memory for a row group's compressed columns and one block.

use std::path::PathBuf;
use std::time::SystemTime;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::load::{Origin, allocate};
use crate::options::{TableOptions, unselected};
use crate::parquet_column::Stream;
use crate::parquet_file::ParquetFile;
use crate::parquet_read::{Layout, lay_out, same_columns};
use crate::source::{self, Format};
use crate::table::{Table, Words, WordsBuilder};

/// Rows of a block at most, and numbers of one: wide rows come in smaller blocks.
const ROWS: usize = 16_384;
const NUMBERS: usize = 1 << 22;

/// Blocks of rows, in the order of the files and their row groups. No block has rows of two row groups, so where
/// blocks end is a function of the files.
#[allow(missing_debug_implementations)]
pub struct Blocks {
    files: Vec<ParquetFile>,
    stamps: Vec<Option<Stamp>>,
    origin: Origin,
    layout: Layout,
    unread: Vec<String>,
    /// The next row group: its file and its place there.
    next: (usize, usize),
    open: Option<Open>,
}

/// A block and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The columns that were asked for.
    pub table: Table,
    /// The number of its file.
    pub file: usize,
    /// Its first row, counted from 0 within the file.
    pub first_row: usize,
}

/// How a file on disk is known again.
#[derive(Debug, Clone, PartialEq)]
struct Stamp {
    path: PathBuf,
    length: u64,
    changed: Option<SystemTime>,
}

/// A row group that is being read.
struct Open {
    file: usize,
    /// Rows of the file before the next block.
    before: usize,
    left: usize,
    numbers: Vec<Box<dyn Stream>>,
    texts: Vec<(Box<dyn Stream>, bool)>,
}

/// Opens a Parquet input to read it in blocks; None for other formats and standard input.
pub fn blocks(input: &str, options: &TableOptions) -> Result<Option<Blocks>> {
    if input == "-" {
        return Ok(None);
    }
    let sources = source::find(input)?;
    if sources[0].format != Format::Parquet {
        return Ok(None);
    }
    let stamps = sources.iter().map(|s| s.plain_path().and_then(|p| Stamp::of(p.into()))).collect();
    let files: Vec<ParquetFile> =
        sources.into_iter().map(ParquetFile::open).collect::<Result<_>>()?;
    for file in &files[1..] {
        same_columns(&files[0], file)?;
    }
    let names: Vec<String> = files[0].columns.iter().map(|c| c.name.clone()).collect();
    let selected = options.select(&files[0].name, &names, true)?;
    let rows = files.iter().map(|f| (f.name.clone(), f.groups.iter().sum())).collect();
    let origin = Origin { files: rows };
    if origin.rows() == 0 {
        return Err(Error::Empty { file: origin.name() });
    }
    let layout = lay_out(&files[0], &selected, options)?;
    let unread = unselected(&names, &selected);
    Ok(Some(Blocks { files, stamps, origin, layout, unread, next: (0, 0), open: None }))
}

impl Blocks {
    /// All rows.
    pub fn rows(&self) -> usize {
        self.origin.rows()
    }

    /// Name and rows of each file.
    pub fn files(&self) -> &[(String, usize)] {
        &self.origin.files
    }

    /// Bytes of the whole table in memory.
    pub fn bytes(&self) -> u64 {
        self.rows() as u64
            * (8 * self.layout.plan.features.len() + 4 * self.layout.texts.len()) as u64
    }

    /// Goes back to the first block. A file that is gone or was changed since it was opened is named.
    pub fn rewind(&mut self) -> Result<()> {
        (self.next, self.open) = ((0, 0), None);
        for (file, stamp) in self.files.iter().zip(&self.stamps) {
            let same = stamp.as_ref().is_none_or(|s| Stamp::of(s.path.clone()).as_ref() == Some(s));
            if !same {
                return Err(Error::Changed { file: file.name.clone() });
            }
        }
        Ok(())
    }

    /// The next block; None after the last.
    pub fn next_block(&mut self) -> Result<Option<Block>> {
        while self.open.as_ref().is_none_or(|open| open.left == 0) {
            if !self.advance()? {
                return Ok(None);
            }
        }
        let open = self.open.as_mut().expect("a row group with rows left was opened");
        let slots = open.numbers.len();
        let rows = open.left.min((NUMBERS / slots.max(1)).clamp(1024, ROWS));
        let (file, first_row) = (open.file, open.before);
        open.left -= rows;
        open.before += rows;
        let from = &self.files[file];
        let decode = |stream: &mut Box<dyn Stream>| {
            let mut column = vec![0.0; rows];
            from.decode(|| stream.numbers(&mut column))?;
            Ok(column)
        };
        let columns: Vec<Vec<f64>> =
            open.numbers.par_iter_mut().map(decode).collect::<Result<_>>()?;
        let mut numbers = allocate(&from.name, rows, slots)?;
        numbers.par_chunks_mut(slots.max(1)).enumerate().for_each(|(i, row)| {
            row.iter_mut().zip(&columns).for_each(|(v, column)| *v = column[i]);
        });
        let words = open.texts.iter_mut().map(|(stream, kept)| words(from, stream, *kept, rows));
        let words = words.collect::<Result<_>>()?;
        let table = self.table(vec![(from.name.clone(), rows)], first_row, numbers, words);
        Ok(Some(Block { table, file, first_row }))
    }

    /// The rows of these places among all, ascending, as one table.
    pub fn pick(&mut self, places: &[usize]) -> Result<Table> {
        self.rewind()?;
        let mut left = places.iter().copied().peekable();
        let (mut before, mut numbers) = (0, Vec::new());
        let mut words = vec![Words::default(); self.layout.texts.len()];
        let mut files: Vec<(String, usize)> = Vec::new();
        while let (Some(Block { table, .. }), true) = (self.next_block()?, left.peek().is_some()) {
            let (rows, width) = (table.rows(), table.width);
            let mut own = Vec::new();
            while let Some(i) = left.next_if(|i| *i < before + rows) {
                own.push(i - before);
            }
            before += rows;
            numbers.extend(own.iter().flat_map(|&i| &table.numbers[i * width..(i + 1) * width]));
            for (all, part) in words.iter_mut().zip(&table.words) {
                all.append(part.rows_in(&own));
            }
            match files.last_mut() {
                Some((name, count)) if *name == table.files[0].0 => *count += own.len(),
                _ => files.push((table.files[0].0.clone(), own.len())),
            }
        }
        Ok(self.table(files, 0, numbers, words))
    }

    fn table(
        &self,
        files: Vec<(String, usize)>,
        first_row: usize,
        numbers: Vec<f64>,
        words: Vec<Words>,
    ) -> Table {
        Table {
            files,
            first_row,
            columns: self.layout.columns.clone(),
            unread: self.unread.clone(),
            named: true,
            notices: Vec::new(),
            numbers,
            width: self.layout.plan.features.len(),
            words,
        }
    }

    /// Opens the next row group; false after the last.
    fn advance(&mut self) -> Result<bool> {
        let (mut file, mut group) = self.next;
        while file < self.files.len() && group >= self.files[file].groups.len() {
            (file, group) = (file + 1, 0);
        }
        let Some(from) = self.files.get(file) else { return Ok(false) };
        // The last group's bytes go before the next one's come.
        self.open = None;
        let stream = |position: usize| from.stream(group, &from.columns[position]);
        let numbers = self.layout.plan.features.iter().map(|f| stream(f.position));
        let numbers = numbers.collect::<Result<_>>()?;
        let texts = self.layout.texts.iter().map(|&(p, kept)| Ok((stream(p)?, kept)));
        let texts = texts.collect::<Result<_>>()?;
        let before = from.groups[..group].iter().sum();
        self.open = Some(Open { file, before, left: from.groups[group], numbers, texts });
        self.next = (file, group + 1);
        Ok(true)
    }
}

fn words(
    file: &ParquetFile,
    stream: &mut Box<dyn Stream>,
    kept: bool,
    rows: usize,
) -> Result<Words> {
    let (mut texts, mut words) = (Vec::with_capacity(rows), WordsBuilder::default());
    file.decode(|| stream.texts(rows, &mut texts))?;
    for text in &texts {
        if kept { words.push_kept(text) } else { words.push(Some(text)) }
    }
    Ok(words.finish())
}

impl Stamp {
    fn of(path: PathBuf) -> Option<Self> {
        let found = std::fs::metadata(&path).ok()?;
        Some(Self { path, length: found.len(), changed: found.modified().ok() })
    }
}

//! Tables that are read block by block, as often as needed: Parquet, delimited text, NumPy arrays, svmlight.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, Result};
use crate::options::TableOptions;
use crate::source::{self, Format, Source};
use crate::table::{Table, Words};
use crate::{npy_blocks, parquet_blocks, svmlight_blocks, text_blocks};

/// A text and the table in it are both in memory if it is read whole.
const TEXT_AND_TABLE: u64 = 2;
/// A text that is smaller than this is read whole whatever the memory.
const SMALL_TEXT: u64 = 1 << 20;
/// How much a compressed text grows, roughly.
const PACKED: u64 = 4;

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

/// What reads the blocks of one format.
pub(crate) trait BlockReader: Send {
    /// Name and rows of each file.
    fn files(&self) -> &[(String, usize)];
    /// Bytes of a row in memory.
    fn row_bytes(&self) -> u64;
    /// Blocks that are decoded at the same time may take so many bytes.
    fn keep_within(&mut self, bytes: u64) {
        let _ = bytes;
    }
    /// Goes back to the first block.
    fn rewind(&mut self) -> Result<()>;
    /// The next block; None after the last.
    fn next_block(&mut self) -> Result<Option<Block>>;
}

/// Blocks of rows, in the order of the files. Where they end is a function of the files.
#[allow(missing_debug_implementations)]
pub struct Blocks {
    reader: Box<dyn BlockReader>,
    stamps: Vec<Option<Stamp>>,
    format: Format,
    /// The files below what they have in common.
    below: Vec<PathBuf>,
}

/// Opens an input to read it in blocks; None for formats that are read whole, and standard input.
pub fn blocks(input: &str, options: &TableOptions) -> Result<Option<Blocks>> {
    if input == "-" {
        return Ok(None);
    }
    let sources = source::find(input)?;
    let stamps: Vec<Option<Stamp>> =
        sources.iter().map(|s| s.path().and_then(|p| Stamp::of(p.into()))).collect();
    let paths: Vec<PathBuf> = sources.iter().map(|s| PathBuf::from(&s.name)).collect();
    let format = sources[0].format;
    let reader: Box<dyn BlockReader> = match format {
        Format::Parquet => Box::new(parquet_blocks::open(sources, options)?),
        Format::Delimited if on_disk(&sources) => Box::new(text_blocks::open(sources, options)?),
        Format::Npy if sources[0].plain_path().is_some() => {
            Box::new(npy_blocks::open(&sources[0], options)?)
        }
        Format::Svmlight if on_disk(&sources) => {
            Box::new(svmlight_blocks::open(&sources[0], options)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(Blocks { reader, stamps, format, below: below(&paths) }))
}

fn on_disk(sources: &[Source]) -> bool {
    sources.iter().all(|s| s.path().is_some())
}

/// About how much memory the input takes if it is read whole, without reading it; None if it cannot be read in
/// blocks.
pub fn estimated_bytes(input: &str, options: &TableOptions) -> Result<Option<u64>> {
    if input == "-" {
        return Ok(None);
    }
    let sources = source::find(input)?;
    match sources[0].format {
        Format::Parquet | Format::Npy => Ok(blocks(input, options)?.map(|b| b.bytes())),
        Format::Delimited | Format::Svmlight if on_disk(&sources) => {
            let length = |s: &Source| {
                let found = s.path().and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len());
                found * if s.plain_path().is_some() { 1 } else { PACKED }
            };
            let text: u64 = sources.iter().map(length).sum();
            Ok((text >= SMALL_TEXT).then_some(TEXT_AND_TABLE * text))
        }
        _ => Ok(None),
    }
}

impl Blocks {
    /// All rows.
    pub fn rows(&self) -> usize {
        self.files().iter().map(|(_, rows)| rows).sum()
    }

    /// Name and rows of each file.
    pub fn files(&self) -> &[(String, usize)] {
        self.reader.files()
    }

    /// The path of each file below the folder that all of them are in.
    pub fn below(&self) -> &[PathBuf] {
        &self.below
    }

    /// Whether the columns are numbers without names of their own: an array, or sparse rows.
    pub fn are_arrays(&self) -> bool {
        matches!(self.format, Format::Npy | Format::Svmlight)
    }

    /// Whether columns that nobody wants cost nothing, so that it is worth opening the files again for fewer.
    pub fn projects(&self) -> bool {
        self.format == Format::Parquet
    }

    /// Bytes of the whole table in memory.
    pub fn bytes(&self) -> u64 {
        self.rows() as u64 * self.reader.row_bytes()
    }

    /// Decodes several row groups at the same time where their blocks take no more than so many bytes: one block for
    /// each thread at most. Blocks and their order stay the same.
    pub fn keep_within(mut self, bytes: u64) -> Self {
        self.reader.keep_within(bytes);
        self
    }

    /// Goes back to the first block. A file that is gone or was changed since it was opened is named.
    pub fn rewind(&mut self) -> Result<()> {
        for ((file, _), stamp) in self.files().iter().zip(&self.stamps) {
            let same = stamp.as_ref().is_none_or(|s| Stamp::of(s.path.clone()).as_ref() == Some(s));
            if !same {
                return Err(Error::Changed { file: file.clone() });
            }
        }
        self.reader.rewind()
    }

    /// The next block; None after the last.
    pub fn next_block(&mut self) -> Result<Option<Block>> {
        self.reader.next_block()
    }

    /// The rows of these places among all, ascending, as one table.
    pub fn pick(&mut self, places: &[usize]) -> Result<Table> {
        let mut left = places.iter().copied().peekable();
        let mut before = 0;
        self.pick_by(|table| {
            left.peek()?;
            let mut own = Vec::new();
            while let Some(i) = left.next_if(|i| *i < before + table.rows()) {
                own.push(i - before);
            }
            before += table.rows();
            Some(own)
        })
    }

    /// The rows of every block that `own` picks, ascending, as one table; None ends the reading.
    pub fn pick_by(&mut self, mut own: impl FnMut(&Table) -> Option<Vec<usize>>) -> Result<Table> {
        self.rewind()?;
        let (mut before, mut places, mut all) = (0, Vec::new(), None::<Table>);
        let mut lists: Vec<Vec<Words>> = Vec::new();
        while let Some(Block { table, .. }) = self.next_block()? {
            let Some(own) = own(&table) else { break };
            lists.push(table.words.iter().map(|words| words.rows_in(&own)).collect());
            let all = all.get_or_insert_with(|| Table {
                files: Vec::new(),
                first_row: 0,
                numbers: Vec::new(),
                words: Vec::new(),
                ..table.clone()
            });
            append(all, &table, &own);
            places.extend(own.iter().map(|i| before + i));
            before += table.rows();
        }
        let mut all = all.unwrap_or_default();
        let count = lists.first().map_or(0, Vec::len);
        let too_large = |_| Error::TooLarge {
            file: all.files.first().map_or_else(String::new, |(name, _)| name.clone()),
            rows: places.len(),
            columns: all.columns.len(),
        };
        let words = Words::concat_each(lists, count).map_err(too_large)?;
        all.words = words;
        all.places = places;
        Ok(all)
    }
}

/// Appends the numbers of some rows of a block.
fn append(all: &mut Table, table: &Table, own: &[usize]) {
    let width = table.width;
    all.numbers.extend(own.iter().flat_map(|&i| &table.numbers[i * width..(i + 1) * width]));
    let name = table.source();
    match all.files.last_mut() {
        Some((last, count)) if last == name => *count += own.len(),
        _ => all.files.push((name.to_owned(), own.len())),
    }
}

/// Paths below the folder that all files are in.
fn below(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut common = paths[0].parent().map(Path::to_owned).unwrap_or_default();
    while !paths.iter().all(|p| p.starts_with(&common)) && common.pop() {}
    let rest = |p: &PathBuf| p.strip_prefix(&common).unwrap_or(p).to_owned();
    paths.iter().map(rest).collect()
}

/// How a file on disk is known again.
#[derive(Debug, Clone, PartialEq)]
struct Stamp {
    path: PathBuf,
    length: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    fn of(path: PathBuf) -> Option<Self> {
        let found = std::fs::metadata(&path).ok()?;
        Some(Self { path, length: found.len(), changed: found.modified().ok() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_below_the_folder_they_share() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(below(&paths(&["lake/a.csv", "lake/b.csv"])), paths(&["a.csv", "b.csv"]));
        let hive = ["lake/y=1/a.csv", "lake/y=2/a.csv", "lake/y=2/m=3/a.csv"];
        assert_eq!(below(&paths(&hive)), paths(&["y=1/a.csv", "y=2/a.csv", "y=2/m=3/a.csv"]));
        assert_eq!(below(&paths(&["a.csv"])), paths(&["a.csv"]));
    }
}

//! Parquet files block by block, as often as needed: memory for a row group's compressed columns and one block.

use rayon::prelude::*;

use crate::blocks::{Block, BlockReader};
use crate::error::{Error, Result};
use crate::load::{Origin, allocate};
use crate::options::{TableOptions, unselected};
use crate::parquet_column::Stream;
use crate::parquet_file::ParquetFile;
use crate::parquet_read::{Layout, lay_out, same_columns};
use crate::source::Source;
use crate::table::{Table, Words, WordsBuilder};

/// Rows of a block at most, and numbers of one: wide rows come in smaller blocks.
const ROWS: usize = 16_384;
const NUMBERS: usize = 1 << 22;

/// Blocks of rows, in the order of the files and their row groups. No block has rows of two row groups, so where
/// blocks end is a function of the files.
pub(crate) struct ParquetBlocks {
    files: Vec<ParquetFile>,
    origin: Origin,
    layout: Layout,
    unread: Vec<String>,
    /// The next row group: its file and its place there.
    next: (usize, usize),
    open: Option<Open>,
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

/// Opens Parquet files to read them in blocks.
pub(crate) fn open(sources: Vec<Source>, options: &TableOptions) -> Result<ParquetBlocks> {
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
    Ok(ParquetBlocks { files, origin, layout, unread, next: (0, 0), open: None })
}

impl BlockReader for ParquetBlocks {
    fn files(&self) -> &[(String, usize)] {
        &self.origin.files
    }

    fn row_bytes(&self) -> u64 {
        (8 * self.layout.plan.features.len() + 4 * self.layout.texts.len()) as u64
    }

    fn rewind(&mut self) -> Result<()> {
        (self.next, self.open) = ((0, 0), None);
        Ok(())
    }

    fn next_block(&mut self) -> Result<Option<Block>> {
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
}

impl ParquetBlocks {
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

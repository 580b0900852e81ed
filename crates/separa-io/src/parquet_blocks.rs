//! Parquet files block by block, as often as needed: memory for a row group's compressed columns and one block, or for a
//! few row groups that are decoded at the same time.

use rayon::prelude::*;
use std::collections::VecDeque;

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
/// blocks end is a function of the files, however many row groups are decoded at the same time.
pub(crate) struct ParquetBlocks {
    content: Content,
    /// The next row group: its file and its place there.
    next: (usize, usize),
    open: Option<Open>,
    /// Blocks that may be in memory at the same time, and those that wait for their turn.
    at_once: usize,
    ready: VecDeque<Block>,
}

/// What does not change while blocks are read.
struct Content {
    files: Vec<ParquetFile>,
    origin: Origin,
    layout: Layout,
    unread: Vec<String>,
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
    let content = Content { files, origin, layout, unread };
    Ok(ParquetBlocks { content, next: (0, 0), open: None, at_once: 1, ready: VecDeque::new() })
}

impl BlockReader for ParquetBlocks {
    fn files(&self) -> &[(String, usize)] {
        &self.content.origin.files
    }

    fn row_bytes(&self) -> u64 {
        (8 * self.content.layout.plan.features.len() + 4 * self.content.layout.texts.len()) as u64
    }

    fn rewind(&mut self) -> Result<()> {
        (self.next, self.open) = ((0, 0), None);
        self.ready.clear();
        Ok(())
    }

    fn keep_within(&mut self, bytes: u64) {
        let block = self.content.block_rows() as u64 * self.row_bytes().max(1);
        let most = rayon::current_num_threads();
        self.at_once = usize::try_from(bytes / block.max(1)).unwrap_or(most).clamp(1, most);
    }

    fn next_block(&mut self) -> Result<Option<Block>> {
        if let Some(block) = self.ready.pop_front() {
            return Ok(Some(block));
        }
        while self.open.as_ref().is_none_or(|open| open.left == 0) {
            // The last group's bytes go before the next one's come.
            self.open = None;
            match &self.take_groups()[..] {
                [] => return Ok(None),
                [(file, group)] => self.open = Some(self.content.open(*file, *group)?),
                several => return self.side_by_side(several),
            }
        }
        let mut open = self.open.take().expect("a row group with rows left was opened");
        let block = self.content.decode(&mut open);
        self.open = Some(open);
        block.map(Some)
    }
}

impl ParquetBlocks {
    /// The next row groups that are decoded together: as many as fit in memory, at least one; none after the last.
    fn take_groups(&mut self) -> Vec<(usize, usize)> {
        let (mut taken, mut blocks) = (Vec::new(), 0);
        loop {
            let (mut file, mut group) = self.next;
            while file < self.content.files.len() && group >= self.content.files[file].groups.len()
            {
                (file, group) = (file + 1, 0);
            }
            let Some(from) = self.content.files.get(file) else { return taken };
            let rows = from.groups[group];
            blocks += rows.div_ceil(self.content.block_rows());
            if !taken.is_empty() && blocks > self.at_once {
                return taken;
            }
            self.next = (file, group + 1);
            if rows > 0 {
                taken.push((file, group));
            }
        }
    }

    /// Decodes whole row groups at the same time; the first of their blocks is the next.
    fn side_by_side(&mut self, groups: &[(usize, usize)]) -> Result<Option<Block>> {
        let content = &self.content;
        let read = |&(file, group): &(usize, usize)| {
            let mut open = content.open(file, group)?;
            let mut blocks = Vec::new();
            while open.left > 0 {
                blocks.push(content.decode(&mut open)?);
            }
            Ok(blocks)
        };
        let found: Vec<Result<Vec<Block>>> = groups.par_iter().map(read).collect();
        for blocks in found {
            self.ready.extend(blocks?);
        }
        Ok(self.ready.pop_front())
    }
}

impl Content {
    /// Rows of a block at most.
    fn block_rows(&self) -> usize {
        (NUMBERS / self.layout.plan.features.len().max(1)).clamp(1024, ROWS)
    }

    fn open(&self, file: usize, group: usize) -> Result<Open> {
        let from = &self.files[file];
        let stream = |position: usize| from.stream(group, &from.columns[position]);
        let numbers = self.layout.plan.features.iter().map(|f| stream(f.position));
        let numbers = numbers.collect::<Result<_>>()?;
        let texts = self.layout.texts.iter().map(|&(p, kept)| Ok((stream(p)?, kept)));
        let texts = texts.collect::<Result<_>>()?;
        let before = from.groups[..group].iter().sum();
        Ok(Open { file, before, left: from.groups[group], numbers, texts })
    }

    /// The next block of a row group.
    fn decode(&self, open: &mut Open) -> Result<Block> {
        let slots = open.numbers.len();
        let rows = open.left.min(self.block_rows());
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
        let words =
            open.texts.par_iter_mut().map(|(stream, kept)| words(from, stream, *kept, rows));
        let words = words.collect::<Result<_>>()?;
        let table = self.table(vec![(from.name.clone(), rows)], first_row, numbers, words);
        Ok(Block { table, file, first_row })
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
            numbers,
            width: self.layout.plan.features.len(),
            words,
            ..Table::default()
        }
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
    words.finish().map_err(|_| file.too_large(rows))
}

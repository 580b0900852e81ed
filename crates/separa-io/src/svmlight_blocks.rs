//! svmlight files block by block: rows without their zeros become rows with them.

use std::io::{BufRead, BufReader};

use crate::blocks::{Block, BlockReader};
use crate::error::{Error, Result};
use crate::load::allocate;
use crate::options::{TableOptions, unselected};
use crate::source::{Source, read_error};
use crate::svmlight_read::{Line, is_comment, name, parse_text};
use crate::table::{Column, Held, Table, WordsBuilder};

/// Rows of a block at most, and numbers of one.
const ROWS: usize = 16_384;
const NUMBERS: usize = 1 << 22;
/// Rows with their zeros can have so many columns.
const WIDEST: usize = 20_000;
const LABEL: &str = "label";

/// Lines that are read one after the other.
pub(crate) struct SvmlightBlocks {
    source: Source,
    files: Vec<(String, usize)>,
    /// The index of the first feature, and the names of all columns, the label first.
    base: u32,
    names: Vec<String>,
    selected: Vec<bool>,
    kept: Vec<bool>,
    open: Option<Lines>,
}

struct Lines {
    from: BufReader<Box<dyn std::io::Read + Send>>,
    rows: usize,
}

/// Opens a file to read it in blocks: one look at all rows tells how many there are, and the largest index.
pub(crate) fn open(source: &Source, options: &TableOptions) -> Result<SvmlightBlocks> {
    let file = source.name.clone();
    let mut lines = Lines::open(source)?;
    let (mut smallest, mut largest) = (None::<u32>, None::<u32>);
    while let Some(line) = lines.next_line(&file)? {
        if let (Some(first), Some(last)) = (line.entries.first(), line.entries.last()) {
            smallest = Some(smallest.map_or(first.0, |s| s.min(first.0)));
            largest = Some(largest.map_or(last.0, |l| l.max(last.0)));
        }
    }
    if lines.rows == 0 {
        return Err(Error::Empty { file });
    }
    let model = options.preparation.as_ref().map(separa::Preparation::feature_names);
    let expect: Vec<String> = options.expect.clone().or(model).unwrap_or_default();
    let known = |index: u32| expect.contains(&name(index));
    let base = u32::from(smallest != Some(0) && !known(0));
    // Trailing features may be zero in every row of this file.
    let wanted = expect.iter().filter_map(|n| n.strip_prefix('x')?.parse::<u32>().ok()).max();
    let end = largest.max(wanted).map_or(base, |last| last + 1);
    let width = end.saturating_sub(base) as usize;
    if width > WIDEST {
        let what = format!("{width} features are too many to read the file in blocks");
        let expected = format!("expected at most {WIDEST}");
        return Err(Error::Unsupported { file, what, expected });
    }
    let names: Vec<String> =
        std::iter::once(LABEL.to_owned()).chain((base..end).map(name)).collect();
    let mut selected = options.select(&file, &names, !expect.is_empty())?;
    let kept: Vec<bool> = names.iter().map(|n| options.is_kept(n)).collect();
    // The label is no feature.
    selected[0] &= kept[0];
    let files = vec![(file, lines.rows)];
    Ok(SvmlightBlocks { source: source.again(), files, base, names, selected, kept, open: None })
}

impl Lines {
    fn open(source: &Source) -> Result<Self> {
        let reader = source.reader().expect("only files on disk are read in blocks")?;
        Ok(Self { from: BufReader::with_capacity(1 << 20, reader), rows: 0 })
    }

    /// The next row; comments and empty lines are none.
    fn next_line(&mut self, file: &str) -> Result<Option<Line>> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = self.from.read_until(b'\n', &mut bytes);
            if read.map_err(|e| read_error(file, e))? == 0 {
                return Ok(None);
            }
            if is_comment(&bytes) {
                continue;
            }
            self.rows += 1;
            return parse_text(file, &bytes, self.rows as u64).map(Some);
        }
    }
}

impl BlockReader for SvmlightBlocks {
    fn files(&self) -> &[(String, usize)] {
        &self.files
    }

    fn row_bytes(&self) -> u64 {
        8 * self.selected.iter().filter(|s| **s).count() as u64
    }

    fn rewind(&mut self) -> Result<()> {
        self.open = None;
        Ok(())
    }

    fn next_block(&mut self) -> Result<Option<Block>> {
        let file = self.files[0].0.clone();
        let lines = match &mut self.open {
            Some(lines) => lines,
            none => none.insert(Lines::open(&self.source)?),
        };
        let (first_row, mut columns) = (lines.rows, Vec::new());
        let (mut places, mut slots, mut lists) = (vec![None; self.names.len()], 0, 0);
        for (j, column) in self.names.iter().enumerate().filter(|(j, _)| self.selected[*j]) {
            let held = match self.kept[j] {
                true => Held::Words(lists),
                false => Held::Numbers(slots),
            };
            *if self.kept[j] { &mut lists } else { &mut slots } += 1;
            places[j] = Some(held.clone());
            columns.push(Column { name: column.clone(), held });
        }
        let most = (NUMBERS / slots.max(1)).clamp(64, ROWS);
        let mut numbers = allocate(&file, most, slots)?;
        let mut words: Vec<WordsBuilder> = (0..lists).map(|_| WordsBuilder::default()).collect();
        let (mut rows, mut texts) = (0, vec![String::new(); lists]);
        while rows < most
            && let Some(line) = lines.next_line(&file)?
        {
            texts.iter_mut().for_each(|t| *t = "0".to_owned());
            if let Some(Held::Words(at)) = &places[0] {
                texts[*at] = line.label.unwrap_or_default();
            }
            for (index, value) in line.entries {
                let Some(j) = index.checked_sub(self.base).map(|j| j as usize + 1) else {
                    continue;
                };
                match places.get(j).and_then(Option::as_ref) {
                    Some(Held::Numbers(slot)) => numbers[rows * slots + slot] = value,
                    Some(Held::Words(at)) => texts[*at] = value.to_string(),
                    _ => {}
                }
            }
            words.iter_mut().zip(&texts).for_each(|(list, text)| list.push_kept(text));
            rows += 1;
        }
        if rows == 0 {
            return match first_row == self.files[0].1 {
                true => Ok(None),
                false => Err(Error::Changed { file }),
            };
        }
        numbers.truncate(rows * slots);
        let words: std::result::Result<_, _> =
            words.into_iter().map(WordsBuilder::finish).collect();
        let too_large = |_| Error::TooLarge { file: file.clone(), rows, columns: lists };
        let words = words.map_err(too_large)?;
        let table = Table {
            files: vec![(file, rows)],
            first_row,
            columns,
            unread: unselected(&self.names[1..], &self.selected[1..]),
            numbers,
            width: slots,
            words,
            ..Table::default()
        };
        Ok(Some(Block { table, file: 0, first_row }))
    }
}

//! Parquet files batch by batch: memory for a row group's compressed columns and a few batches, however
//! many rows there are.

use rayon::prelude::*;
use separa::preparation::MissingRule;

use crate::columns::{Offer, Plan, plan};
use crate::error::{Error, Result};
use crate::load::Origin;
use crate::options::TableOptions;
use crate::parquet_column::Stream;
use crate::parquet_file::ParquetFile;
use crate::parquet_group::Cells;
use crate::parquet_read::{check_readable, same_columns};
use crate::source::{self, Format};

/// Rows of a batch.
const ROWS: usize = 16_384;

/// Rows one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// How many.
    pub rows: usize,
    /// Row-major, as many columns as [`Batches::names`] has names.
    pub values: Vec<f64>,
    /// The columns kept aside, in the order of the options that named them.
    pub aside: Vec<Vec<String>>,
}

/// Batches of rows, read when they are asked for.
#[allow(missing_debug_implementations)]
pub struct Batches {
    files: Vec<ParquetFile>,
    plan: Plan,
    origin: Origin,
    /// The next row group: its file and its place there.
    next: (usize, usize),
    open: Option<Open>,
    first_row: usize,
}

/// A row group that is being read.
struct Open {
    file: usize,
    left: usize,
    numbers: Vec<Box<dyn Stream>>,
    texts: Vec<Box<dyn Stream>>,
}

/// Opens a Parquet input as a stream; `None` where the input or the options need the whole table: other
/// formats, text features, missing values that are to be filled or dropped.
pub fn stream(input: &str, options: &TableOptions) -> Result<Option<Batches>> {
    let whole = options.missing.is_some_and(|rule| rule != MissingRule::Refuse);
    if input == "-" || whole {
        return Ok(None);
    }
    let sources = source::find(input)?;
    if sources[0].format != Format::Parquet {
        return Ok(None);
    }
    let files: Vec<ParquetFile> =
        sources.into_iter().map(ParquetFile::open).collect::<Result<_>>()?;
    for file in &files[1..] {
        same_columns(&files[0], file)?;
    }
    let names: Vec<String> = files[0].columns.iter().map(|c| c.name.clone()).collect();
    let plan = plan(Offer { file: &files[0].name, names: &names, named: true }, options)?;
    let rows = files.iter().map(|f| (f.name.clone(), f.groups.iter().sum())).collect();
    let origin = Origin { files: rows };
    if origin.rows() == 0 {
        return Err(Error::Empty { file: origin.name() });
    }
    check_readable(&files, &plan)?;
    Ok(Some(Batches { files, plan, origin, next: (0, 0), open: None, first_row: 0 }))
}

impl Batches {
    /// The feature columns.
    pub fn names(&self) -> Vec<String> {
        self.plan.features.iter().map(|f| f.name.clone()).collect()
    }

    /// All rows of the input.
    pub fn rows(&self) -> usize {
        self.origin.rows()
    }

    /// The next rows; `None` after the last.
    pub fn next_batch(&mut self) -> Result<Option<Batch>> {
        while self.open.as_ref().is_none_or(|open| open.left == 0) {
            if !self.advance()? {
                return Ok(None);
            }
        }
        let open = self.open.as_mut().expect("a row group with rows left was opened");
        let file = &self.files[open.file];
        let rows = open.left.min(ROWS);
        open.left -= rows;
        let slots = self.plan.features.len();
        let first_row = self.first_row;
        self.first_row += rows;
        let decode = |(slot, stream): (usize, &mut Box<dyn Stream>)| {
            let mut column = vec![0.0; rows];
            let odd = file.decode(|| stream.numbers(&mut column))?;
            Ok((column, Cells::of(odd, first_row, slot)))
        };
        let columns: Vec<Result<(Vec<f64>, Cells)>> =
            open.numbers.par_iter_mut().enumerate().map(decode).collect();
        let (mut values, mut cells) = (vec![0.0; rows * slots], Cells::default());
        let mut parts = Vec::with_capacity(slots);
        for column in columns {
            let (column, odd) = column?;
            cells = cells.join(odd);
            parts.push(column);
        }
        for (i, line) in values.chunks_exact_mut(slots.max(1)).enumerate() {
            line.iter_mut().zip(&parts).for_each(|(v, column)| *v = column[i]);
        }
        if let Some(cell) = cells.verdict(&self.plan, &self.origin)? {
            return Err(cell.missing(&self.origin, &self.plan.features[cell.slot].name));
        }
        let text = |stream: &mut Box<dyn Stream>| {
            let mut out = Vec::with_capacity(rows);
            file.decode(|| stream.texts(rows, &mut out))?;
            Ok(out)
        };
        let aside = open.texts.iter_mut().map(text).collect::<Result<_>>()?;
        Ok(Some(Batch { rows, values, aside }))
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
        let numbers =
            self.plan.features.iter().map(|f| from.stream(group, &from.columns[f.position]));
        let numbers = numbers.collect::<Result<_>>()?;
        let texts = self.plan.aside.iter().map(|&p| from.stream(group, &from.columns[p]));
        let texts = texts.collect::<Result<_>>()?;
        self.open = Some(Open { file, left: from.groups[group], numbers, texts });
        self.next = (file, group + 1);
        Ok(true)
    }
}

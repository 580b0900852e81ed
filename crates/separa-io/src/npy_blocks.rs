//! NumPy arrays block by block: rows are read where they lie in the file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use crate::blocks::{Block, BlockReader};
use crate::columns::positional;
use crate::error::{Error, Result};
use crate::load::Origin;
use crate::npy_read::{Array, Element, load};
use crate::options::TableOptions;
use crate::source::{Source, read_error};

/// Bytes that hold every header.
const HEAD: u64 = 1 << 20;
/// Rows of a block at most, and numbers of one: wide rows come in smaller blocks.
const ROWS: usize = 16_384;
const NUMBERS: usize = 1 << 22;

/// An array whose rows are read by their place.
pub(crate) struct NpyBlocks {
    path: PathBuf,
    files: Vec<(String, usize)>,
    options: TableOptions,
    names: Vec<String>,
    selected: Vec<bool>,
    /// Where the numbers begin.
    start: u64,
    element: Element,
    by_columns: bool,
    next: usize,
}

/// Opens an array to read it in blocks.
pub(crate) fn open(source: &Source, options: &TableOptions) -> Result<NpyBlocks> {
    let name = source.name.clone();
    let path = source.plain_path().expect("only plain files are read in blocks").to_owned();
    let wrong = |e| read_error(&name, e);
    let file = File::open(&path).map_err(wrong)?;
    let length = file.metadata().map_err(wrong)?.len();
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).map_err(wrong)?;
    if head.is_empty() {
        return Err(Error::Empty { file: name });
    }
    let array = Array::open_part(&name, &head, length as usize)?;
    let names = positional(array.columns);
    let selected = options.select(&name, &names, false)?;
    Ok(NpyBlocks {
        path,
        options: options.clone(),
        names,
        selected,
        start: (head.len() - array.data.len()) as u64,
        element: array.element,
        by_columns: array.strides.0 == 1 && array.columns > 1,
        files: vec![(name, array.rows)],
        next: 0,
    })
}

impl NpyBlocks {
    /// The bytes of some rows, in the order of the file.
    fn bytes(&self, first: usize, rows: usize) -> std::io::Result<Vec<u8>> {
        let (size, columns) = (self.element.size, self.names.len());
        let mut file = File::open(&self.path)?;
        let mut out = vec![0; rows * columns * size];
        if !self.by_columns {
            file.seek(SeekFrom::Start(self.start + (first * columns * size) as u64))?;
            file.read_exact(&mut out)?;
            return Ok(out);
        }
        for (j, part) in out.chunks_exact_mut(rows * size).enumerate() {
            let place = (j * self.files[0].1 + first) * size;
            file.seek(SeekFrom::Start(self.start + place as u64))?;
            file.read_exact(part)?;
        }
        Ok(out)
    }
}

impl BlockReader for NpyBlocks {
    fn files(&self) -> &[(String, usize)] {
        &self.files
    }

    fn row_bytes(&self) -> u64 {
        8 * self.selected.iter().filter(|s| **s).count() as u64
    }

    fn rewind(&mut self) -> Result<()> {
        self.next = 0;
        Ok(())
    }

    fn next_block(&mut self) -> Result<Option<Block>> {
        let ((name, all), columns) = (&self.files[0], self.names.len());
        let rows = (all - self.next).min((NUMBERS / columns.max(1)).clamp(1024, ROWS));
        if rows == 0 {
            return Ok(None);
        }
        let first_row = self.next;
        let data = self.bytes(first_row, rows).map_err(|e| read_error(name, e))?;
        let strides = if self.by_columns { (1, rows) } else { (columns, 1) };
        let array = Array { data: &data, rows, columns, strides, element: self.element };
        let origin = Origin { files: vec![(name.clone(), rows)] };
        let table = load(&array, &self.names, &self.selected, &self.options, origin);
        let mut table = table.map_err(|e| e.further(first_row as u64))?;
        table.first_row = first_row;
        self.next += rows;
        Ok(Some(Block { table, file: 0, first_row }))
    }
}

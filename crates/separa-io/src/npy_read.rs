//! NumPy `.npy` files to a table: one- or two-dimensional, numbers or booleans, either order.

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};
use rayon::prelude::*;

use crate::columns::positional;
use crate::error::{Error, Result};
use crate::load::{Cell, Origin, allocate};
use crate::number::{EXACT, half_to_f64};
use crate::options::{TableOptions, unselected};
use crate::source::Source;
use crate::table::{Column, Held, Table, WordsBuilder};

/// Rows handled together, so that a column-major array is read by whole cache lines.
const TILE: usize = 64;

pub(crate) fn read(source: Source, options: &TableOptions) -> Result<Table> {
    let file = source.name.clone();
    let bytes = source.into_bytes()?;
    if bytes.is_empty() {
        return Err(Error::Empty { file });
    }
    let array = Array::open(&file, &bytes)?;
    let names = positional(array.columns);
    let selected = options.select(&file, &names, false)?;
    load(&array, &names, &selected, options, Origin { files: vec![(file, array.rows)] })
}

/// The array inside a file, or some rows of it.
pub(crate) struct Array<'a> {
    pub data: &'a [u8],
    pub rows: usize,
    pub columns: usize,
    /// Steps, in elements, from one row to the next and from one column to the next.
    pub strides: (usize, usize),
    pub element: Element,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element {
    kind: TypeChar,
    pub size: usize,
    big_endian: bool,
}

/// One element: integers stay exact for text.
enum Value {
    Real(f64),
    Signed(i64),
    Unsigned(u64),
}

impl<'a> Array<'a> {
    fn open(file: &str, bytes: &'a [u8]) -> Result<Self> {
        Self::open_part(file, bytes, bytes.len())
    }

    /// The array of a file of `length` bytes, of which these are the first: `data` is what is here of it.
    pub fn open_part(file: &str, bytes: &'a [u8], length: usize) -> Result<Self> {
        let damaged = |detail: String| Error::Damaged { file: file.to_owned(), detail };
        check_header(bytes).map_err(damaged)?;
        let mut data = bytes;
        let header = NpyHeader::from_reader(&mut data).map_err(|e| damaged(e.to_string()))?;
        let element = Element::of(file, &header.dtype())?;
        let size = |n: u64| usize::try_from(n).map_err(|e| damaged(e.to_string()));
        let (rows, columns) = match *header.shape() {
            [rows] => (size(rows)?, 1),
            [rows, columns] => (size(rows)?, size(columns)?),
            _ => {
                let what = format!("the array has {} dimensions", header.shape().len());
                let expected = "expected 1 or 2; reshape it to one row per object".to_owned();
                return Err(Error::Unsupported { file: file.to_owned(), what, expected });
            }
        };
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { file: file.to_owned() });
        }
        let needed = rows.checked_mul(columns).and_then(|n| n.checked_mul(element.size));
        let present = length - (bytes.len() - data.len());
        if needed.is_none_or(|needed| needed > present) {
            return Err(damaged(format!(
                "{rows} x {columns} values announced, {present} bytes present"
            )));
        }
        let strides = if header.order() == Order::Fortran { (1, rows) } else { (columns, 1) };
        Ok(Self { data, rows, columns, strides, element })
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let at = (row * self.strides.0 + column * self.strides.1) * self.element.size;
        self.element.value(&self.data[at..at + self.element.size])
    }
}

/// The header's own length must be within the file: the decoder allocates what it says.
fn check_header(bytes: &[u8]) -> std::result::Result<(), String> {
    let length = match bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => u16::from_le_bytes([*a, *b]).into(),
        [0x93, b'N', b'U', b'M', b'P', b'Y', _, _, a, b, c, d, ..] => {
            u32::from_le_bytes([*a, *b, *c, *d])
        }
        _ => return Ok(()),
    };
    match length as usize <= bytes.len() {
        true => Ok(()),
        false => Err(format!("a header of {length} bytes announced, {} present", bytes.len())),
    }
}

impl Element {
    fn of(file: &str, dtype: &DType) -> Result<Self> {
        let unsupported = |what: String| {
            let expected =
                "expected numbers or booleans; save the array with .astype(float)".to_owned();
            Error::Unsupported { file: file.to_owned(), what, expected }
        };
        let DType::Plain(plain) = dtype else {
            return Err(unsupported("the array has named fields".to_owned()));
        };
        let (kind, size) = (plain.type_char(), plain.num_bytes().unwrap_or(0));
        match (kind, size) {
            (TypeChar::Bool, 1)
            | (TypeChar::Int | TypeChar::Uint, 1 | 2 | 4 | 8)
            | (TypeChar::Float, 2 | 4 | 8) => {
                Ok(Self { kind, size, big_endian: plain.endianness() == Endianness::Big })
            }
            _ => Err(unsupported(format!("the array holds elements of type \"{plain}\""))),
        }
    }

    #[inline]
    fn value(self, bytes: &[u8]) -> Value {
        let mut low_first = [0; 8];
        low_first[..self.size].copy_from_slice(bytes);
        if self.big_endian {
            low_first[..self.size].reverse();
        }
        let bits = u64::from_le_bytes(low_first);
        match (self.kind, self.size) {
            (TypeChar::Float, 2) => Value::Real(half_to_f64(bits as u16)),
            (TypeChar::Float, 4) => Value::Real(f64::from(f32::from_bits(bits as u32))),
            (TypeChar::Float, _) => Value::Real(f64::from_bits(bits)),
            (TypeChar::Int, size) => {
                // Move the sign to the top and back.
                let shift = 64 - 8 * size as u32;
                Value::Signed((bits << shift) as i64 >> shift)
            }
            _ => Value::Unsigned(bits),
        }
    }
}

impl Value {
    #[inline]
    fn number(&self) -> f64 {
        match *self {
            Value::Real(value) => value,
            Value::Signed(value) => value as f64,
            Value::Unsigned(value) => value as f64,
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Real(value) if value.is_nan() => String::new(),
            Value::Real(value) => value.to_string(),
            Value::Signed(value) => value.to_string(),
            Value::Unsigned(value) => value.to_string(),
        }
    }

    fn is_inexact(&self) -> bool {
        match *self {
            Value::Real(_) => false,
            Value::Signed(value) => value.unsigned_abs() > EXACT,
            Value::Unsigned(value) => value > EXACT,
        }
    }
}

pub(crate) fn load(
    array: &Array<'_>,
    names: &[String],
    selected: &[bool],
    options: &TableOptions,
    origin: Origin,
) -> Result<Table> {
    let (kept, positions): (Vec<usize>, Vec<usize>) =
        (0..names.len()).filter(|&j| selected[j]).partition(|&j| options.is_kept(&names[j]));
    let width = positions.len();
    let mut numbers = allocate(&origin.name(), array.rows, width)?;
    let plain: Vec<bool> = numbers
        .par_chunks_mut((TILE * width).max(1))
        .enumerate()
        .map(|(tile, out)| fill(array, &positions, tile * TILE, out))
        .collect();
    if plain.contains(&false) {
        judge(array, &positions, &origin)?;
    }
    let mut words = Vec::new();
    let mut held: Vec<(usize, Held)> =
        positions.iter().enumerate().map(|(slot, &j)| (j, Held::Numbers(slot))).collect();
    for j in kept {
        let mut texts = WordsBuilder::default();
        (0..array.rows).for_each(|row| texts.push_kept(&array.value(row, j).text()));
        held.push((j, Held::Words(words.len())));
        let (file, rows) = (origin.files[0].0.clone(), array.rows);
        let too_large = |_| Error::TooLarge { file, rows, columns: names.len() };
        words.push(texts.finish().map_err(too_large)?);
    }
    held.sort_by_key(|(j, _)| *j);
    let column = |(j, held): (usize, Held)| Column { name: names[j].clone(), held };
    let columns = held.into_iter().map(column).collect();
    let unread = unselected(names, selected);
    Ok(Table { files: origin.files, columns, unread, numbers, width, words, ..Table::default() })
}

/// Fills some rows; false when one of the values needs a second look.
fn fill(array: &Array<'_>, positions: &[usize], first: usize, out: &mut [f64]) -> bool {
    let mut plain = true;
    for (slot, &position) in positions.iter().enumerate() {
        for (i, row) in out.chunks_exact_mut(positions.len()).enumerate() {
            row[slot] = array.value(first + i, position).number();
            plain &= row[slot].abs() < EXACT as f64;
        }
    }
    plain
}

/// Looks at every cell: refuses infinities and large integers.
fn judge(array: &Array<'_>, positions: &[usize], origin: &Origin) -> Result<()> {
    for row in 0..array.rows {
        for (slot, &position) in positions.iter().enumerate() {
            let value = array.value(row, position);
            let cell = |value: String| Cell { row, slot, value };
            let name = format!("x{}", position + 1);
            if value.number().is_infinite() {
                return Err(cell(value.text()).infinite(origin, &name));
            } else if value.is_inexact() {
                return Err(cell(value.text()).big_integer(origin, &name));
            }
        }
    }
    Ok(())
}

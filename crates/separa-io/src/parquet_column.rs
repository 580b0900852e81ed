//! The values of one Parquet column chunk, as numbers or as text.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{DataType, Int96};
use parquet::errors::{ParquetError, Result};

use crate::number::{EXACT, half_to_f64};
use crate::parquet_schema::Holds;
use crate::temporal;

/// Successive values of a column chunk.
pub(crate) trait Stream: Send {
    /// Fills `out` with the next values, NaN for null.
    fn numbers(&mut self, out: &mut [f64]) -> Result<()>;
    /// Appends the next `count` values, empty text for null.
    fn texts(&mut self, count: usize, out: &mut Vec<String>) -> Result<()>;
}

/// Reads a column chunk as what it holds.
pub(crate) fn stream(reader: ColumnReader, holds: Holds) -> Box<dyn Stream> {
    use ColumnReader::*;
    match (reader, holds) {
        (BoolColumnReader(r), _) => typed(
            r,
            |v| f64::from(u8::from(*v)),
            |v| Some(if *v { "true" } else { "false" }.to_owned()),
        ),
        (Int32ColumnReader(r), Holds::Unsigned) => {
            typed(r, |v| f64::from(*v as u32), |v| Some((*v as u32).to_string()))
        }
        (Int32ColumnReader(r), Holds::Decimal(s)) => decimal(r, s, |v| i128::from(*v)),
        (Int32ColumnReader(r), Holds::Date) => {
            typed(r, |v| f64::from(*v) * 86_400.0, |v| Some(temporal::date(i64::from(*v))))
        }
        (Int32ColumnReader(r), Holds::Time(u)) => typed(
            r,
            move |v| f64::from(*v) / u as f64,
            move |v| Some(temporal::time(i64::from(*v), u)),
        ),
        (Int32ColumnReader(r), _) => typed(r, |v| f64::from(*v), |v| Some(v.to_string())),
        (Int64ColumnReader(r), Holds::Unsigned) => {
            typed(r, |v| *v as u64 as f64, |v| Some((*v as u64).to_string()))
        }
        (Int64ColumnReader(r), Holds::Decimal(s)) => decimal(r, s, |v| i128::from(*v)),
        (Int64ColumnReader(r), Holds::Time(u)) => {
            typed(r, move |v| *v as f64 / u as f64, move |v| Some(temporal::time(*v, u)))
        }
        (Int64ColumnReader(r), Holds::Timestamp(u)) => {
            typed(r, move |v| *v as f64 / u as f64, move |v| Some(temporal::timestamp(*v, u)))
        }
        (Int64ColumnReader(r), _) => typed(r, |v| *v as f64, |v| Some(v.to_string())),
        (Int96ColumnReader(r), _) => typed(
            r,
            |v: &Int96| v.to_micros() as f64 / 1e6,
            |v: &Int96| Some(temporal::timestamp(v.to_micros(), 1_000_000)),
        ),
        (FloatColumnReader(r), _) => typed(r, |v| f64::from(*v), |v| Some(v.to_string())),
        (DoubleColumnReader(r), _) => typed(r, |v| *v, |v| Some(v.to_string())),
        (ByteArrayColumnReader(r), Holds::Decimal(s)) => decimal(r, s, |v| big_endian(v.data())),
        (ByteArrayColumnReader(r), _) => {
            typed(r, not_numeric, |v| std::str::from_utf8(v.data()).ok().map(str::to_owned))
        }
        (FixedLenByteArrayColumnReader(r), Holds::Decimal(s)) => {
            decimal(r, s, |v| big_endian(v.data()))
        }
        (FixedLenByteArrayColumnReader(r), Holds::Half) => {
            typed(r, |v| half(v.data()), |v| Some(half(v.data()).to_string()))
        }
        (FixedLenByteArrayColumnReader(r), _) => {
            typed(r, not_numeric, |v| Some(hexadecimal(v.data())))
        }
    }
}

struct Typed<T: DataType, N, S> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
    levels: Vec<i16>,
    number: N,
    text: S,
}

fn typed<T, N, S>(reader: ColumnReaderImpl<T>, number: N, text: S) -> Box<dyn Stream>
where
    T: DataType,
    N: Fn(&T::T) -> f64 + Send + 'static,
    S: Fn(&T::T) -> Option<String> + Send + 'static,
{
    Box::new(Typed { reader, values: Vec::new(), levels: Vec::new(), number, text })
}

fn decimal<T: DataType>(
    reader: ColumnReaderImpl<T>,
    scale: u32,
    unscaled: impl Fn(&T::T) -> i128 + Copy + Send + 'static,
) -> Box<dyn Stream> {
    // The text is exact, and parsing it rounds once; dividing by a power of ten would round twice.
    let text = move |v: &T::T| decimal_text(unscaled(v), scale);
    let number = move |v: &T::T| match (unscaled(v), scale) {
        (whole, 0..=22) if whole.unsigned_abs() <= u128::from(EXACT) => {
            whole as f64 / 10f64.powi(scale as i32)
        }
        (whole, _) => decimal_text(whole, scale).parse().unwrap_or(f64::NAN),
    };
    typed(reader, number, move |v| Some(text(v)))
}

impl<T, N, S> Typed<T, N, S>
where
    T: DataType,
    N: Fn(&T::T) -> f64 + Send,
    S: Fn(&T::T) -> Option<String> + Send,
{
    /// Reads the next `count` records into `values` (without nulls) and `levels` (0 for null).
    fn pull(&mut self, count: usize) -> Result<()> {
        self.values.clear();
        self.levels.clear();
        let (records, ..) =
            self.reader.read_records(count, Some(&mut self.levels), None, &mut self.values)?;
        if records != count {
            return Err(ParquetError::EOF(format!(
                "a column ends after {records} of {count} values"
            )));
        }
        Ok(())
    }
}

impl<T, N, S> Stream for Typed<T, N, S>
where
    T: DataType,
    N: Fn(&T::T) -> f64 + Send,
    S: Fn(&T::T) -> Option<String> + Send,
{
    fn numbers(&mut self, out: &mut [f64]) -> Result<()> {
        self.pull(out.len())?;
        if self.values.len() == out.len() {
            for (out, value) in out.iter_mut().zip(&self.values) {
                *out = (self.number)(value);
            }
        } else {
            let mut values = self.values.iter().map(&self.number);
            for (out, &level) in out.iter_mut().zip(&self.levels) {
                *out = if level == 0 { f64::NAN } else { values.next().unwrap_or(f64::NAN) };
            }
        }
        Ok(())
    }

    fn texts(&mut self, count: usize, out: &mut Vec<String>) -> Result<()> {
        self.pull(count)?;
        let mut values = self.values.iter();
        for i in 0..count {
            let value = if self.levels.get(i) == Some(&0) { None } else { values.next() };
            let text = value.map_or(Some(String::new()), &self.text);
            out.push(
                text.ok_or_else(|| ParquetError::General("a text value is not UTF-8".to_owned()))?,
            );
        }
        Ok(())
    }
}

/// The number of a value that has none; such columns are read as text only.
fn not_numeric<V>(_: &V) -> f64 {
    f64::NAN
}

/// A two's complement integer, highest byte first; beyond 128 bits only the low ones count.
fn big_endian(bytes: &[u8]) -> i128 {
    let start = if bytes.first().is_some_and(|b| b >> 7 == 1) { -1 } else { 0 };
    bytes.iter().fold(start, |value, &byte| value << 8 | i128::from(byte))
}

fn decimal_text(unscaled: i128, scale: u32) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", unscaled.unsigned_abs(), width = scale as usize + 1);
    let (whole, part) = digits.split_at(digits.len() - scale as usize);
    let part = part.trim_end_matches('0');
    if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

fn half(bytes: &[u8]) -> f64 {
    match bytes {
        [low, high] => half_to_f64(u16::from_le_bytes([*low, *high])),
        _ => f64::NAN,
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (i, byte) in bytes.iter().enumerate() {
        // A UUID is written with dashes.
        if bytes.len() == 16 && matches!(i, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

//! Arrow files and streams (`.arrow`, `.feather`, `.ipc`) to a table.

use std::io::Cursor;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use crate::cells::{CellValue, ColumnBuilder};
use crate::column_names::unique;
use crate::error::{Error, Result};
use crate::parquet_file::guard;
use crate::source::Source;
use crate::table::{ColumnValues, Table, TimeKind};

pub(crate) fn read(source: Source) -> Result<Table> {
    let file = source.name.clone();
    let bytes = source.into_bytes()?;
    if bytes.starts_with(b"FEA1") {
        let what = "the file is Feather version 1".to_owned();
        let expected = "expected version 2; write it again with a current pandas or R".to_owned();
        return Err(Error::Unsupported { file, what, expected });
    }
    let (names, batches) = guard(&file, || batches(&bytes))?;
    let mut notices = Vec::new();
    let names = unique(&file, names, &mut notices);
    let values: Vec<ColumnValues> = guard(&file, || {
        Ok::<_, ArrowError>((0..names.len()).map(|column| values(&batches, column)).collect())
    })?;
    let mut table = Table::from_columns(&file, names.into_iter().zip(values).collect())?;
    if table.rows() == 0 {
        return Err(Error::Empty { file });
    }
    table.notices = notices;
    Ok(table)
}

fn batches(bytes: &[u8]) -> std::result::Result<(Vec<String>, Vec<RecordBatch>), ArrowError> {
    let (schema, batches) = if bytes.starts_with(b"ARROW1") {
        let reader = FileReader::try_new(Cursor::new(bytes), None)?;
        (reader.schema(), reader.collect::<std::result::Result<Vec<_>, _>>()?)
    } else {
        let reader = StreamReader::try_new(Cursor::new(bytes), None)?;
        (reader.schema(), reader.collect::<std::result::Result<Vec<_>, _>>()?)
    };
    Ok((schema.fields().iter().map(|field| field.name().clone()).collect(), batches))
}

/// A column of all batches.
fn values(batches: &[RecordBatch], column: usize) -> ColumnValues {
    let mut cells = ColumnBuilder::default();
    for batch in batches {
        if let Err(what) = push(batch.column(column).as_ref(), &mut cells) {
            return ColumnValues::Unreadable(what);
        }
    }
    cells.finish()
}

/// Adds an array, or says what it holds instead of values.
fn push(array: &dyn Array, cells: &mut ColumnBuilder) -> std::result::Result<(), String> {
    match array.data_type() {
        DataType::Null => (0..array.len()).for_each(|_| cells.push(CellValue::Missing)),
        DataType::Boolean => {
            array
                .as_boolean()
                .iter()
                .for_each(|v| cells.push(v.map_or(CellValue::Missing, CellValue::Boolean)));
        }
        DataType::Int8 => numbers::<Int8Type>(array, cells, f64::from),
        DataType::Int16 => numbers::<Int16Type>(array, cells, f64::from),
        DataType::Int32 => numbers::<Int32Type>(array, cells, f64::from),
        DataType::UInt8 => numbers::<UInt8Type>(array, cells, f64::from),
        DataType::UInt16 => numbers::<UInt16Type>(array, cells, f64::from),
        DataType::UInt32 => numbers::<UInt32Type>(array, cells, f64::from),
        DataType::Int64 => {
            let push = |value: Option<i64>| match value {
                Some(value) => cells.push_integer(value),
                None => cells.push(CellValue::Missing),
            };
            array.as_primitive::<Int64Type>().iter().for_each(push);
        }
        DataType::UInt64 => {
            let push = |value: Option<u64>| match value.map(i64::try_from) {
                Some(Ok(value)) => cells.push_integer(value),
                Some(Err(_)) => cells.push(CellValue::Text(&value.unwrap_or_default().to_string())),
                None => cells.push(CellValue::Missing),
            };
            array.as_primitive::<UInt64Type>().iter().for_each(push);
        }
        DataType::Float16 => numbers::<Float16Type>(array, cells, f64::from),
        DataType::Float32 => numbers::<Float32Type>(array, cells, f64::from),
        DataType::Float64 => numbers::<Float64Type>(array, cells, |v| v),
        DataType::Decimal128(_, scale) => {
            let unit = 10f64.powi(i32::from(*scale));
            numbers::<Decimal128Type>(array, cells, |v| v as f64 / unit);
        }
        DataType::Utf8 => texts(array.as_string::<i32>().iter(), cells),
        DataType::LargeUtf8 => texts(array.as_string::<i64>().iter(), cells),
        DataType::Utf8View => texts(array.as_string_view().iter(), cells),
        DataType::Dictionary(..) => return dictionary(array, cells),
        other => return times(array, other, cells),
    }
    Ok(())
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    cells: &mut ColumnBuilder,
    number: impl Fn(T::Native) -> f64,
) {
    let cell = |value: Option<T::Native>| value.map(&number).filter(|v| !v.is_nan());
    let values = array.as_primitive::<T>().iter();
    values.for_each(|value| cells.push(cell(value).map_or(CellValue::Missing, CellValue::Number)));
}

fn texts<'a>(texts: impl Iterator<Item = Option<&'a str>>, cells: &mut ColumnBuilder) {
    texts.for_each(|text| cells.push(text.map_or(CellValue::Missing, CellValue::Text)));
}

/// Categories: the values they stand for.
fn dictionary(array: &dyn Array, cells: &mut ColumnBuilder) -> std::result::Result<(), String> {
    let array = array.as_any_dictionary();
    let values = array.values();
    let keys = array.normalized_keys();
    let text = |key: usize| match values.data_type() {
        _ if values.is_null(key) => Ok(None),
        DataType::Utf8 => Ok(Some(values.as_string::<i32>().value(key))),
        DataType::LargeUtf8 => Ok(Some(values.as_string::<i64>().value(key))),
        DataType::Utf8View => Ok(Some(values.as_string_view().value(key))),
        other => Err(format!("categories of {other}")),
    };
    for (row, key) in keys.into_iter().enumerate() {
        let missing = array.keys().is_null(row) || values.is_empty();
        let text = if missing { None } else { text(key)? };
        cells.push(text.map_or(CellValue::Missing, CellValue::Text));
    }
    Ok(())
}

fn times(
    array: &dyn Array,
    kind: &DataType,
    cells: &mut ColumnBuilder,
) -> std::result::Result<(), String> {
    use TimeKind::{Clock, Date, DateTime};
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    match kind {
        DataType::Date32 => moments::<Date32Type>(array, cells, Date, |v| f64::from(v) * 86_400.0),
        DataType::Date64 => moments::<Date64Type>(array, cells, DateTime, |v| v as f64 / 1e3),
        DataType::Timestamp(Second, _) => {
            moments::<TimestampSecondType>(array, cells, DateTime, |v| v as f64)
        }
        DataType::Timestamp(Millisecond, _) => {
            moments::<TimestampMillisecondType>(array, cells, DateTime, |v| v as f64 / 1e3);
        }
        DataType::Timestamp(Microsecond, _) => {
            moments::<TimestampMicrosecondType>(array, cells, DateTime, |v| v as f64 / 1e6);
        }
        DataType::Timestamp(Nanosecond, _) => {
            moments::<TimestampNanosecondType>(array, cells, DateTime, |v| v as f64 / 1e9);
        }
        DataType::Time32(Second) => moments::<Time32SecondType>(array, cells, Clock, f64::from),
        DataType::Time32(_) => {
            moments::<Time32MillisecondType>(array, cells, Clock, |v| f64::from(v) / 1e3)
        }
        DataType::Time64(Microsecond) => {
            moments::<Time64MicrosecondType>(array, cells, Clock, |v| v as f64 / 1e6)
        }
        DataType::Time64(_) => {
            moments::<Time64NanosecondType>(array, cells, Clock, |v| v as f64 / 1e9)
        }
        other => return Err(format!("values of type {other}")),
    }
    Ok(())
}

fn moments<T: ArrowPrimitiveType>(
    array: &dyn Array,
    cells: &mut ColumnBuilder,
    kind: TimeKind,
    seconds: impl Fn(T::Native) -> f64,
) {
    for value in array.as_primitive::<T>() {
        cells.push(value.map_or(CellValue::Missing, |value| CellValue::Time(seconds(value), kind)));
    }
}

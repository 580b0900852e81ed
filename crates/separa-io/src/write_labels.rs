//! Labels to CSV, TSV or Parquet.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::error::{Error, Result};
use crate::source::ending;
use crate::write::write_atomic;

/// Rows of a Parquet row group.
const GROUP: usize = 1 << 20;

/// Labels as numbers, or as the names that the numbers stand for.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    labels: &'a [i32],
    names: Option<&'a [String]>,
}

impl<'a> Shown<'a> {
    /// Label i is written as `names[i]`.
    pub fn named(labels: &'a [i32], names: &'a [String]) -> Self {
        Self { labels, names: Some(names) }
    }

    fn name(&self, label: i32) -> Option<&'a str> {
        let place = usize::try_from(label).ok()?;
        self.names?.get(place).map(String::as_str)
    }
}

impl<'a> From<&'a [i32]> for Shown<'a> {
    fn from(labels: &'a [i32]) -> Self {
        Self { labels, names: None }
    }
}

impl<'a, const N: usize> From<&'a [i32; N]> for Shown<'a> {
    fn from(labels: &'a [i32; N]) -> Self {
        labels.as_slice().into()
    }
}

impl<'a> From<&'a Vec<i32>> for Shown<'a> {
    fn from(labels: &'a Vec<i32>) -> Self {
        labels.as_slice().into()
    }
}

/// Writes one row per label, atomically, in the format that the ending of `path` names: `.csv`, `.tsv`
/// (also with `.gz` or `.zst`) or `.parquet`.
///
/// The first column is `id` with its name, or else `row`, counted from 1; then `label`; then the score
/// columns, given as their names and the scores row by row.
pub fn write_labels<'a>(
    path: &Path,
    id: Option<(&str, &[String])>,
    labels: impl Into<Shown<'a>>,
    scores: Option<(&[String], &[f64])>,
) -> Result<()> {
    let shown = labels.into();
    let sheet = Sheet { id, labels: shown.labels, shown, scores };
    sheet.check(path)?;
    let packing = ending(path);
    let inner = if matches!(packing.as_str(), "gz" | "zst") {
        ending(&path.with_extension(""))
    } else {
        packing.clone()
    };
    let delimiter = match inner.as_str() {
        "csv" => b',',
        "tsv" => b'\t',
        "parquet" if inner == packing => return write_atomic(path, |out| sheet.parquet(out)),
        _ => {
            let extension =
                path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
            return Err(Error::UnknownOutput { file: path.display().to_string(), extension });
        }
    };
    write_atomic(path, |out| match packing.as_str() {
        "gz" => {
            let mut out = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            sheet.delimited(&mut out, delimiter)?;
            out.finish().map(drop)
        }
        "zst" => {
            let mut out = zstd::Encoder::new(out, 0)?;
            sheet.delimited(&mut out, delimiter)?;
            out.finish().map(drop)
        }
        _ => sheet.delimited(out, delimiter),
    })
}

/// The same columns as [`write_labels`], as CSV into any writer. The lengths must agree.
pub fn labels_to_csv<'a>(
    out: &mut dyn Write,
    id: Option<(&str, &[String])>,
    labels: impl Into<Shown<'a>>,
    scores: Option<(&[String], &[f64])>,
) -> io::Result<()> {
    let shown = labels.into();
    Sheet { id, labels: shown.labels, shown, scores }.delimited(out, b',')
}

struct Sheet<'a> {
    id: Option<(&'a str, &'a [String])>,
    labels: &'a [i32],
    shown: Shown<'a>,
    scores: Option<(&'a [String], &'a [f64])>,
}

impl Sheet<'_> {
    fn check(&self, path: &Path) -> Result<()> {
        let lengths = |what: &str, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => {
                let (file, what) = (path.display().to_string(), what.to_owned());
                Err(Error::Lengths { file, what, found, expected })
            }
        };
        if let Some((name, ids)) = self.id {
            lengths(&format!("column \"{name}\""), ids.len(), self.labels.len())?;
        }
        if let Some((names, scores)) = self.scores {
            lengths("the table of scores", scores.len(), self.labels.len() * names.len())?;
        }
        Ok(())
    }

    fn score_names(&self) -> &[String] {
        self.scores.map_or(&[], |(names, _)| names)
    }

    fn delimited(&self, out: &mut dyn Write, delimiter: u8) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
        let first = self.id.map_or("row", |(name, _)| name);
        let header =
            [first, "label"].into_iter().chain(self.score_names().iter().map(String::as_str));
        writer.write_record(header)?;
        let width = self.score_names().len();
        for (i, label) in self.labels.iter().enumerate() {
            match self.id {
                Some((_, ids)) => writer.write_field(&ids[i])?,
                None => writer.write_field((i + 1).to_string())?,
            }
            match self.shown.name(*label) {
                Some(name) => writer.write_field(name)?,
                None => writer.write_field(label.to_string())?,
            }
            if let Some((_, scores)) = self.scores {
                for score in &scores[i * width..(i + 1) * width] {
                    // The shortest text that reads back as the same number.
                    writer.write_field(format!("{score:?}"))?;
                }
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }

    fn parquet(&self, out: &mut dyn Write) -> io::Result<()> {
        self.try_parquet(out).map_err(|error| match error {
            ParquetError::External(source) => match source.downcast::<io::Error>() {
                Ok(source) => *source,
                Err(source) => io::Error::other(source),
            },
            other => io::Error::other(other),
        })
    }

    fn try_parquet(&self, out: &mut dyn Write) -> parquet::errors::Result<()> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        // The writer must be Send, which a borrowed one may not be: collect the bytes, then pass them on.
        let mut bytes = Vec::new();
        let mut writer =
            SerializedFileWriter::new(&mut bytes, self.schema()?, Arc::new(properties))?;
        let width = self.score_names().len();
        for first in (0..self.labels.len().max(1)).step_by(GROUP) {
            let rows = first..self.labels.len().min(first + GROUP);
            let mut group = writer.next_row_group()?;
            match self.id {
                Some((_, ids)) => {
                    let ids: Vec<ByteArray> =
                        ids[rows.clone()].iter().map(|id| id.as_str().into()).collect();
                    column::<ByteArrayType>(&mut group, &ids)?;
                }
                None => {
                    let numbers: Vec<i64> = rows.clone().map(|i| i as i64 + 1).collect();
                    column::<Int64Type>(&mut group, &numbers)?;
                }
            }
            let labels = &self.labels[rows.clone()];
            match self.shown.names {
                None => column::<Int32Type>(&mut group, labels)?,
                Some(_) => {
                    let name = |l: &i32| self.shown.name(*l).unwrap_or_default().into();
                    let names: Vec<ByteArray> = labels.iter().map(name).collect();
                    column::<ByteArrayType>(&mut group, &names)?;
                }
            }
            if let Some((_, scores)) = self.scores {
                for j in 0..width {
                    let values: Vec<f64> = rows.clone().map(|i| scores[i * width + j]).collect();
                    column::<DoubleType>(&mut group, &values)?;
                }
            }
            group.close()?;
        }
        writer.close()?;
        out.write_all(&bytes)?;
        Ok(())
    }

    fn schema(&self) -> parquet::errors::Result<Arc<Type>> {
        let field = |name: &str, physical, logical: Option<LogicalType>| {
            let builder =
                Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
            builder.with_logical_type(logical).build().map(Arc::new)
        };
        let mut fields = vec![match self.id {
            Some((name, _)) => field(name, Physical::BYTE_ARRAY, Some(LogicalType::String))?,
            None => field("row", Physical::INT64, None)?,
        }];
        fields.push(match self.shown.names {
            None => field("label", Physical::INT32, None)?,
            Some(_) => field("label", Physical::BYTE_ARRAY, Some(LogicalType::String))?,
        });
        for name in self.score_names() {
            fields.push(field(name, Physical::DOUBLE, None)?);
        }
        Type::group_type_builder("labels").with_fields(fields).build().map(Arc::new)
    }
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
) -> parquet::errors::Result<()> {
    let mut column = group.next_column()?.expect("the schema has a column for every call");
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

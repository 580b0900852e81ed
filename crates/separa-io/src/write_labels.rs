//! Labels to CSV, TSV, Parquet or Excel.

mod excel;

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::error::{Error, Result};
use crate::prepared::Aside;
use crate::source::ending;
use crate::write::FileSet;

/// Rows of a Parquet row group.
const GROUP: usize = 1 << 20;
/// The column of what clusters are called.
const NAME: &str = "name";

/// Labels as numbers, or as the names that the numbers stand for.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    labels: &'a [i32],
    names: Option<&'a [String]>,
    called: Option<&'a [String]>,
    excel_safe: bool,
    sure: Option<Sure<'a>>,
    more_ids: &'a [&'a Aside],
}

/// How sure labels are, one value per row each.
#[derive(Debug, Clone, Copy)]
pub struct Sure<'a> {
    /// From 0 to 1.
    pub confidence: &'a [f64],
    /// The second best label; −1 where there is none, which is written as an empty cell.
    pub runner_up: &'a [i32],
    /// The margin over it; not a number where there is none, which is written as an empty cell.
    pub margin: &'a [f64],
}

impl Sure<'_> {
    const COLUMNS: [&'static str; 3] = ["confidence", "runner_up", "margin"];
}

impl<'a> Shown<'a> {
    /// Label i is written as `names[i]`.
    pub fn named(labels: &'a [i32], names: &'a [String]) -> Self {
        Self { names: Some(names), ..Self::from(labels) }
    }

    /// With what clusters are called in a column `name` behind their numbers, if any of them has a name; an empty text
    /// stands for none and is written as an empty cell.
    pub fn called(self, called: &'a [String]) -> Self {
        Self { called: Some(called).filter(|all| all.iter().any(|name| !name.is_empty())), ..self }
    }

    /// With how sure they are: columns `confidence`, `runner_up` and `margin` behind it.
    pub fn sure(self, sure: Sure<'a>) -> Self {
        Self { sure: Some(sure), ..self }
    }

    /// With further columns that name the rows, behind the first.
    pub fn more_ids(self, more_ids: &'a [&'a Aside]) -> Self {
        Self { more_ids, ..self }
    }

    /// The name of the column: what numbers stand for are clusters, what has names are labels.
    fn title(&self) -> &'static str {
        if self.names.is_some() { "label" } else { "cluster" }
    }

    /// The label as it is written; nothing for none.
    fn text(&self, label: i32) -> String {
        self.name(label).map_or_else(|| label.to_string(), |name| self.field(name).into_owned())
    }

    /// Whether text that a spreadsheet would take for a formula is written with an apostrophe before it. Text is
    /// written as it is unless asked for: ids are what other tables are joined by.
    pub fn excel_safe(self, excel_safe: bool) -> Self {
        Self { excel_safe, ..self }
    }

    /// A text field as it is written.
    fn field<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        match self.excel_safe && formula && text.parse::<f64>().is_err() {
            true => format!("'{text}").into(),
            false => text.into(),
        }
    }

    fn name(&self, label: i32) -> Option<&'a str> {
        of_label(self.names?, label)
    }

    /// What the cluster is called; nothing where it has no name.
    fn calling(&self, label: i32) -> &'a str {
        self.called.and_then(|called| of_label(called, label)).unwrap_or_default()
    }
}

fn of_label(names: &[String], label: i32) -> Option<&str> {
    names.get(usize::try_from(label).ok()?).map(String::as_str)
}

impl<'a> From<&'a [i32]> for Shown<'a> {
    fn from(labels: &'a [i32]) -> Self {
        Self { labels, names: None, called: None, sure: None, excel_safe: false, more_ids: &[] }
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
/// (also with `.gz` or `.zst`), `.parquet` or `.xlsx`.
///
/// The first column is `id` with its name, or else `row`, counted from 1; then further ids, if there are any; then `cluster`, or `label` of
/// labels with names; then the `name` of the cluster, if clusters have names; then how sure it is, if that is given; then the score columns,
/// given as their names and the scores row by row.
pub fn write_labels<'a>(
    path: &Path,
    id: Option<(&str, &[String])>,
    labels: impl Into<Shown<'a>>,
    scores: Option<(&[String], &[f64])>,
) -> Result<()> {
    let mut set = FileSet::default();
    add_labels(&mut set, path, id, labels, scores)?;
    set.commit()
}

/// The same as one file of a set.
pub fn add_labels<'a>(
    set: &mut FileSet,
    path: &Path,
    id: Option<(&str, &[String])>,
    labels: impl Into<Shown<'a>>,
    scores: Option<(&[String], &[f64])>,
) -> Result<()> {
    let shown = labels.into();
    let sheet = Sheet { id, first: 0, labels: shown.labels, shown, scores };
    sheet.check(path)?;
    add_as(set, path, |out, form| match form {
        Form::Parquet => sheet.parquet(out),
        Form::Excel => sheet.excel(out),
        Form::Delimited(delimiter) => sheet.delimited(out, delimiter),
    })
}

/// How labels are written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Delimited(u8),
    Parquet,
    Excel,
}

/// Writes a file of labels, atomically, as its ending says; `fill` sees the bytes before they are compressed.
pub(crate) fn write_as(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write, Form) -> io::Result<()>,
) -> Result<()> {
    let mut set = FileSet::default();
    add_as(&mut set, path, fill)?;
    set.commit()
}

fn add_as(
    set: &mut FileSet,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write, Form) -> io::Result<()>,
) -> Result<()> {
    let packing = ending(path);
    let inner = if matches!(packing.as_str(), "gz" | "zst") {
        ending(&path.with_extension(""))
    } else {
        packing.clone()
    };
    let form = match inner.as_str() {
        "csv" => Form::Delimited(b','),
        "tsv" => Form::Delimited(b'\t'),
        "parquet" if inner == packing => Form::Parquet,
        "xlsx" if inner == packing => Form::Excel,
        _ => {
            let extension =
                path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
            return Err(Error::UnknownOutput { file: path.display().to_string(), extension });
        }
    };
    set.add(path, |out| match packing.as_str() {
        "gz" => {
            let mut out = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            fill(&mut out, form)?;
            out.finish().map(drop)
        }
        "zst" => {
            let mut out = zstd::Encoder::new(out, 0)?;
            fill(&mut out, form)?;
            out.finish().map(drop)
        }
        _ => fill(out, form),
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
    Sheet { id, first: 0, labels: shown.labels, shown, scores }.delimited(out, b',')
}

#[derive(Clone, Copy)]
pub(crate) struct Sheet<'a> {
    pub id: Option<(&'a str, &'a [String])>,
    /// Rows before these.
    pub first: usize,
    pub labels: &'a [i32],
    pub shown: Shown<'a>,
    pub scores: Option<(&'a [String], &'a [f64])>,
}

impl Sheet<'_> {
    pub fn check(&self, path: &Path) -> Result<()> {
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
        for column in self.shown.more_ids {
            let what = format!("column \"{}\"", column.name);
            lengths(&what, column.values.len(), self.labels.len())?;
        }
        if let Some(sure) = self.shown.sure {
            let all = [sure.confidence.len(), sure.runner_up.len(), sure.margin.len()];
            for (name, found) in Sure::COLUMNS.into_iter().zip(all) {
                lengths(&format!("column \"{name}\""), found, self.labels.len())?;
            }
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
        self.header(&mut writer)?;
        self.lines(&mut writer)?;
        writer.flush()
    }

    pub fn header<W: Write>(&self, writer: &mut csv::Writer<W>) -> io::Result<()> {
        let first = self.id.map_or("row", |(name, _)| name);
        let called = self.shown.called.map(|_| NAME);
        let sure: &[&str] = if self.shown.sure.is_some() { &Sure::COLUMNS } else { &[] };
        let scores = self.score_names().iter().map(String::as_str);
        let more = self.shown.more_ids.iter().map(|column| column.name.as_str());
        let header = [first].into_iter().chain(more).chain([self.shown.title()]).chain(called);
        let header = header.chain(sure.iter().copied()).chain(scores);
        Ok(writer.write_record(header.map(|name| self.shown.field(name).into_owned()))?)
    }

    pub fn lines<W: Write>(&self, writer: &mut csv::Writer<W>) -> io::Result<()> {
        let width = self.score_names().len();
        for (i, label) in self.labels.iter().enumerate() {
            match self.id {
                Some((_, ids)) => writer.write_field(self.shown.field(&ids[i]).as_bytes())?,
                None => writer.write_field((self.first + i + 1).to_string())?,
            }
            for column in self.shown.more_ids {
                writer.write_field(self.shown.field(&column.values[i]).as_bytes())?;
            }
            writer.write_field(self.shown.text(*label))?;
            if self.shown.called.is_some() {
                writer.write_field(self.shown.field(self.shown.calling(*label)).as_bytes())?;
            }
            if let Some(Sure { confidence, runner_up, margin }) = self.shown.sure {
                writer.write_field(format!("{:?}", confidence[i]))?;
                let second = runner_up[i];
                writer.write_field(if second < 0 {
                    String::new()
                } else {
                    self.shown.text(second)
                })?;
                let lead = margin[i];
                writer.write_field(if lead.is_nan() {
                    String::new()
                } else {
                    format!("{lead:?}")
                })?;
            }
            if let Some((_, scores)) = self.scores {
                for score in &scores[i * width..(i + 1) * width] {
                    // The shortest text that reads back as the same number.
                    writer.write_field(format!("{score:?}"))?;
                }
            }
            writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    fn parquet(&self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = self.try_parquet().map_err(as_io)?;
        out.write_all(&bytes)
    }

    fn try_parquet(&self) -> parquet::errors::Result<Vec<u8>> {
        let mut writer = self.parquet_writer()?;
        for first in (0..self.labels.len().max(1)).step_by(GROUP) {
            self.parquet_group(&mut writer, first..self.labels.len().min(first + GROUP))?;
        }
        Ok(writer.into_inner()?.take())
    }

    /// A writer into memory: one into the file would have to be Send, which a borrowed one may not be.
    pub fn parquet_writer(&self) -> parquet::errors::Result<SerializedFileWriter<Pending>> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        SerializedFileWriter::new(Pending::default(), self.schema()?, Arc::new(properties))
    }

    pub fn parquet_group(
        &self,
        writer: &mut SerializedFileWriter<Pending>,
        rows: std::ops::Range<usize>,
    ) -> parquet::errors::Result<()> {
        let width = self.score_names().len();
        let mut group = writer.next_row_group()?;
        match self.id {
            Some((_, ids)) => texts(&mut group, &ids[rows.clone()])?,
            None => {
                let numbers: Vec<i64> = rows.clone().map(|i| (self.first + i) as i64 + 1).collect();
                column::<Int64Type>(&mut group, &numbers)?;
            }
        }
        for column in self.shown.more_ids {
            texts(&mut group, &column.values[rows.clone()])?;
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
        if self.shown.called.is_some() {
            let names = labels.iter().map(|label| self.shown.calling(*label).into());
            let names: Vec<ByteArray> = names.collect();
            some::<ByteArrayType>(&mut group, &names, |name| !name.is_empty())?;
        }
        if let Some(sure) = self.shown.sure {
            self.sure_columns(&mut group, sure, rows.clone())?;
        }
        if let Some((_, scores)) = self.scores {
            for j in 0..width {
                let values: Vec<f64> = rows.clone().map(|i| scores[i * width + j]).collect();
                column::<DoubleType>(&mut group, &values)?;
            }
        }
        group.close().map(drop)
    }

    fn sure_columns(
        &self,
        group: &mut Group<'_>,
        sure: Sure<'_>,
        rows: Range<usize>,
    ) -> parquet::errors::Result<()> {
        column::<DoubleType>(group, &sure.confidence[rows.clone()])?;
        let second: Vec<i32> = sure.runner_up[rows.clone()].to_vec();
        match self.shown.names {
            None => some::<Int32Type>(group, &second, |label| *label >= 0)?,
            Some(_) => {
                let name = |l: &i32| self.shown.name(*l).unwrap_or_default().into();
                let names: Vec<ByteArray> = second.iter().map(name).collect();
                some::<ByteArrayType>(group, &names, |name| !name.is_empty())?;
            }
        }
        some::<DoubleType>(group, &sure.margin[rows], |lead| !lead.is_nan())
    }

    fn schema(&self) -> parquet::errors::Result<Arc<Type>> {
        let column = |name: &str, physical, logical: Option<LogicalType>, repetition| {
            let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
            builder.with_logical_type(logical).build().map(Arc::new)
        };
        let field =
            |name: &str, physical, logical| column(name, physical, logical, Repetition::REQUIRED);
        let label = |name: &str, repetition| match self.shown.names {
            None => column(name, Physical::INT32, None, repetition),
            Some(_) => column(name, Physical::BYTE_ARRAY, Some(LogicalType::String), repetition),
        };
        let mut fields = vec![match self.id {
            Some((name, _)) => field(name, Physical::BYTE_ARRAY, Some(LogicalType::String))?,
            None => field("row", Physical::INT64, None)?,
        }];
        for more in self.shown.more_ids {
            fields.push(field(&more.name, Physical::BYTE_ARRAY, Some(LogicalType::String))?);
        }
        fields.push(label(self.shown.title(), Repetition::REQUIRED)?);
        if self.shown.called.is_some() {
            let text = Some(LogicalType::String);
            fields.push(column(NAME, Physical::BYTE_ARRAY, text, Repetition::OPTIONAL)?);
        }
        if self.shown.sure.is_some() {
            let [confidence, runner_up, margin] = Sure::COLUMNS;
            fields.push(field(confidence, Physical::DOUBLE, None)?);
            fields.push(label(runner_up, Repetition::OPTIONAL)?);
            fields.push(column(margin, Physical::DOUBLE, None, Repetition::OPTIONAL)?);
        }
        for name in self.score_names() {
            fields.push(field(name, Physical::DOUBLE, None)?);
        }
        Type::group_type_builder("labels").with_fields(fields).build().map(Arc::new)
    }
}

pub(crate) fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}

/// Bytes that were written, and not taken yet. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pending(Arc<Mutex<Vec<u8>>>);

impl Pending {
    /// What was written since the last call.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().expect("nobody panics while writing"))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics while writing").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

type Group<'g> = SerializedRowGroupWriter<'g, Pending>;

fn texts(group: &mut Group<'_>, texts: &[String]) -> parquet::errors::Result<()> {
    let bytes: Vec<ByteArray> = texts.iter().map(|text| text.as_str().into()).collect();
    column::<ByteArrayType>(group, &bytes)
}

fn column<T: DataType>(group: &mut Group<'_>, values: &[T::T]) -> parquet::errors::Result<()> {
    let mut column = group.next_column()?.expect("the schema has a column for every call");
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

/// A column in which values that `is` refuses are missing.
fn some<T: DataType>(
    group: &mut Group<'_>,
    values: &[T::T],
    is: impl Fn(&T::T) -> bool,
) -> parquet::errors::Result<()> {
    let mut column = group.next_column()?.expect("the schema has a column for every call");
    let levels: Vec<i16> = values.iter().map(|value| i16::from(is(value))).collect();
    let there: Vec<T::T> = values.iter().filter(|value| is(value)).cloned().collect();
    column.typed::<T>().write_batch(&there, Some(&levels), None)?;
    column.close()
}

//! Labels to a file, part by part: whole or not at all.

use std::io;
use std::path::Path;

use crate::error::Error;
use crate::prepared::Aside;
use crate::write_labels::{Form, Sheet, Shown, Sure, as_io, write_as};

/// Rows of a Parquet row group.
const GROUP: usize = 1 << 18;

/// What stands beside the labels of every part.
#[derive(Debug, Clone, Default)]
pub struct LabelColumns {
    /// The column that names the rows; they are counted from 1 without it.
    pub id: Option<String>,
    /// Further columns that name the rows.
    pub more_ids: Vec<String>,
    /// The columns of scores.
    pub scores: Vec<String>,
    /// What labels stand for, if they have names.
    pub classes: Option<Vec<String>>,
    /// What clusters are called, as in [`Shown::called`]; none if no cluster has a name.
    pub called: Vec<String>,
    /// Whether it is said how sure the labels are.
    pub sure: bool,
}

/// The next rows.
#[derive(Debug, Clone, Default)]
pub struct LabelPart {
    /// Their names, if they have any.
    pub ids: Vec<String>,
    /// Their further names, one column for each of [`LabelColumns::more_ids`].
    pub more_ids: Vec<Aside>,
    /// Their labels.
    pub labels: Vec<i32>,
    /// How sure they are, if that is said: as in [`Sure`].
    pub confidence: Vec<f64>,
    /// The second best labels.
    pub runner_up: Vec<i32>,
    /// By how much the labels beat them.
    pub margin: Vec<f64>,
    /// Their scores, row by row.
    pub scores: Vec<f64>,
}

/// Takes the next part.
pub type Put<'a, E> = &'a mut dyn FnMut(LabelPart) -> std::result::Result<(), E>;

/// Writes what `fill` hands over, in the columns and formats of [`write_labels`](crate::write_labels). If `fill`
/// fails, what was at `path` stays.
pub fn write_label_parts<E: From<Error>>(
    path: &Path,
    columns: &LabelColumns,
    fill: impl FnOnce(Put<'_, E>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut failed = None;
    let broken = |source| E::from(Error::Write { file: path.display().to_string(), source });
    let written = write_as(path, |out, form| {
        let mut before = 0;
        let done = match form {
            Form::Excel => {
                let said = "a workbook is not written part by part; write .csv or .parquet";
                return Err(io::Error::new(io::ErrorKind::Unsupported, said));
            }
            Form::Delimited(delimiter) => {
                let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
                columns.with_sheet(&columns.no_rows(), 0, |sheet| sheet.header(&mut writer))?;
                let filled = fill(&mut |part| {
                    columns.with_sheet(&part, before, |sheet| {
                        sheet.check(path)?;
                        sheet.lines(&mut writer).map_err(broken)
                    })?;
                    before += part.labels.len();
                    Ok(())
                });
                filled.map(|()| writer.flush())
            }
            Form::Parquet => {
                let writer = columns.with_sheet(&columns.no_rows(), 0, |s| s.parquet_writer());
                let mut writer = writer.map_err(as_io)?;
                let pending = writer.inner().clone();
                let mut waiting = columns.no_rows();
                let mut flush =
                    |waiting: &mut LabelPart, least: usize| -> std::result::Result<(), E> {
                        if waiting.labels.len() < least {
                            return Ok(());
                        }
                        columns.with_sheet(waiting, before, |sheet| {
                            sheet.check(path)?;
                            let group = sheet.parquet_group(&mut writer, 0..waiting.labels.len());
                            group.map_err(|e| broken(as_io(e)))
                        })?;
                        out.write_all(&pending.take()).map_err(broken)?;
                        before += waiting.labels.len();
                        *waiting = columns.no_rows();
                        Ok(())
                    };
                let filled = fill(&mut |part| {
                    waiting.ids.extend(part.ids);
                    for (all, more) in waiting.more_ids.iter_mut().zip(part.more_ids) {
                        all.values.extend(more.values);
                    }
                    waiting.labels.extend(part.labels);
                    waiting.confidence.extend(part.confidence);
                    waiting.runner_up.extend(part.runner_up);
                    waiting.margin.extend(part.margin);
                    waiting.scores.extend(part.scores);
                    flush(&mut waiting, GROUP)
                });
                let filled = filled.and_then(|()| flush(&mut waiting, 1));
                match filled {
                    Ok(()) => {
                        let rest = writer.into_inner().map_err(as_io)?.take();
                        Ok(out.write_all(&rest))
                    }
                    Err(e) => Err(e),
                }
            }
        };
        done.unwrap_or_else(|e| {
            failed = Some(e);
            Err(io::Error::other("the labels ended early"))
        })
    });
    match failed {
        Some(e) => Err(e),
        None => Ok(written?),
    }
}

impl LabelColumns {
    /// A part before any row, which has all columns.
    fn no_rows(&self) -> LabelPart {
        let column = |name: &String| Aside { name: name.clone(), values: Vec::new() };
        LabelPart { more_ids: self.more_ids.iter().map(column).collect(), ..LabelPart::default() }
    }

    fn with_sheet<T>(&self, part: &LabelPart, first: usize, f: impl FnOnce(Sheet<'_>) -> T) -> T {
        let more_ids: Vec<&Aside> = part.more_ids.iter().collect();
        let shown = match &self.classes {
            Some(names) => Shown::named(&part.labels, names),
            None => (&part.labels).into(),
        };
        let sure =
            Sure { confidence: &part.confidence, runner_up: &part.runner_up, margin: &part.margin };
        let shown = if self.sure { shown.sure(sure) } else { shown };
        let shown = shown.called(&self.called).more_ids(&more_ids);
        let id = self.id.as_deref().map(|name| (name, part.ids.as_slice()));
        let scores = (!self.scores.is_empty()).then_some((&self.scores[..], &part.scores[..]));
        f(Sheet { id, first, labels: &part.labels, shown, scores })
    }
}

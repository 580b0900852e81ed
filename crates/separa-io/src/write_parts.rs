//! Labels to a file, part by part: whole or not at all.

use std::io;
use std::path::Path;

use crate::error::Error;
use crate::write_labels::{Form, Sheet, Shown, Sure, as_io, write_as};

/// Rows of a Parquet row group.
const GROUP: usize = 1 << 18;

/// What stands beside the labels of every part.
#[derive(Debug, Clone, Default)]
pub struct LabelColumns {
    /// The column that names the rows; they are counted from 1 without it.
    pub id: Option<String>,
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
    /// Their labels.
    pub labels: Vec<i32>,
    /// How sure they are, if that is said: as in [`Sure`].
    pub confidence: Vec<f64>,
    /// The second best labels.
    pub runner_up: Vec<i32>,
    /// The lead over them.
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
            Form::Delimited(delimiter) => {
                let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
                let empty = LabelPart::default();
                columns.sheet(&empty, 0).header(&mut writer)?;
                let filled = fill(&mut |part| {
                    columns.sheet(&part, before).check(path)?;
                    before += part.labels.len();
                    let first = before - part.labels.len();
                    columns.sheet(&part, first).lines(&mut writer).map_err(broken)
                });
                filled.map(|()| writer.flush())
            }
            Form::Parquet => {
                let mut writer =
                    columns.sheet(&LabelPart::default(), 0).parquet_writer().map_err(as_io)?;
                let pending = writer.inner().clone();
                let mut waiting = LabelPart::default();
                let mut flush =
                    |waiting: &mut LabelPart, least: usize| -> std::result::Result<(), E> {
                        if waiting.labels.len() < least {
                            return Ok(());
                        }
                        let sheet = columns.sheet(waiting, before);
                        sheet.check(path)?;
                        let group = sheet.parquet_group(&mut writer, 0..waiting.labels.len());
                        group.map_err(|e| broken(as_io(e)))?;
                        out.write_all(&pending.take()).map_err(broken)?;
                        before += waiting.labels.len();
                        *waiting = LabelPart::default();
                        Ok(())
                    };
                let filled = fill(&mut |part| {
                    waiting.ids.extend(part.ids);
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
    fn sheet<'a>(&'a self, part: &'a LabelPart, first: usize) -> Sheet<'a> {
        let shown = match &self.classes {
            Some(names) => Shown::named(&part.labels, names),
            None => (&part.labels).into(),
        };
        let sure =
            Sure { confidence: &part.confidence, runner_up: &part.runner_up, margin: &part.margin };
        let shown = if self.sure { shown.sure(sure) } else { shown }.called(&self.called);
        let id = self.id.as_deref().map(|name| (name, part.ids.as_slice()));
        let scores = (!self.scores.is_empty()).then_some((&self.scores[..], &part.scores[..]));
        Sheet { id, first, labels: &part.labels, shown, scores }
    }
}

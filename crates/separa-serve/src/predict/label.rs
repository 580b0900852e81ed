//! From a body to labels: the table is prepared as the model's own was.

use super::sure::Sure;
use crate::room::{Head, Problem};
use separa::model_file::Saved;
use separa::{CsrRef, Dataset, DenseRef, MatrixRef};
use separa_io::{Prepared, TableOptions, Values};
use serde::Serialize;

/// How messages call what was sent.
const BODY: &str = "body";

/// A model with what it takes to prepare rows for it, made once.
#[derive(Debug)]
pub(super) struct Labeller {
    saved: Saved,
    options: TableOptions,
}

/// The answer: one entry per row that was sent; null where the preparation leaves a row out.
#[derive(Debug, Serialize)]
pub(super) struct Labelled {
    labels: Vec<Option<Label>>,
    /// What the clusters are called, if a user has named any.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<Option<String>>>,
    #[serde(flatten)]
    sure: Sure,
    notes: Vec<String>,
}

/// A cluster's number, or a class's name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Label {
    Number(i32),
    Name(String),
}

impl Labeller {
    pub fn new(saved: Saved) -> Self {
        let (preparation, names) = (saved.preparation().cloned(), saved.feature_names());
        let options = TableOptions {
            // A model of arrays: every column is a number and a feature, however few rows there are.
            strict: preparation.is_none() && names.is_none(),
            expect: names.map(<[String]>::to_vec),
            preparation,
            ..TableOptions::default()
        };
        Self { saved, options }
    }

    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    pub fn label(&self, head: &Head, body: Vec<u8>) -> Result<Labelled, Problem> {
        let sent = self.prepared(head, body).map_err(|e| unreadable(&e))?;
        let found = self.found(&sent);
        let (labels, sure) = found.map_err(|e| Problem::sentence(422, e.code(), &e.to_string()))?;
        Ok(self.placed(sent, &labels, sure))
    }

    fn prepared(&self, head: &Head, body: Vec<u8>) -> separa_io::Result<Prepared> {
        let kind = head.header("content-type").unwrap_or_default().to_ascii_lowercase();
        let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
        // Programs often send JSON without saying so.
        let json = kind.contains("json") && !kind.contains("ndjson")
            || !kind.contains("csv") && matches!(first, Some(b'{' | b'['));
        match json {
            true => separa_io::prepare_table(separa_io::read_json(BODY, &body)?, &self.options),
            // CSV, Parquet, Arrow and the rest are known by their first bytes.
            false => separa_io::read_bytes(BODY, body, &self.options),
        }
    }

    fn found(&self, sent: &Prepared) -> separa::Result<(Vec<i32>, Sure)> {
        let cols = sent.cols();
        let x: MatrixRef<'_> = match &sent.values {
            Values::Dense(values) => DenseRef::new(sent.rows, cols, values)?.into(),
            Values::Sparse { indptr, indices, values } => {
                CsrRef::new(cols, indptr, indices, values)?.into()
            }
        };
        let names = self.saved.feature_names().map(|_| sent.names.as_slice());
        self.saved.check_columns(names, cols)?;
        let data = Dataset::with_names(x, names)?;
        let labels = self.saved.predict(&data)?;
        let sure = Sure::of(&self.saved, &data)?;
        Ok((labels, sure))
    }

    /// Every entry at the place of its row in the body.
    fn placed(&self, sent: Prepared, labels: &[i32], sure: Sure) -> Labelled {
        let classes = self.saved.trained().map(|trained| trained.classes());
        let name = |label: i32| match (classes, usize::try_from(label)) {
            (Some(names), Ok(place)) => Label::Name(names[place].clone()),
            _ => Label::Number(label),
        };
        let names = self.called(labels);
        let labels: Vec<Option<Label>> = labels.iter().map(|&label| Some(name(label))).collect();
        let sure = sure.named(name);
        let left_out = sent.preparation.as_ref().map_or(0, |done| done.rows_left_out);
        let places = match left_out {
            0 => None,
            _ => Some((sent.rows + left_out, sent.source_rows)),
        };
        let labels = spread(labels, places.as_ref());
        let names = names.map(|names| spread(names, places.as_ref()));
        Labelled { labels, names, sure: sure.placed(places.as_ref()), notes: sent.notices }
    }

    /// What a user calls the cluster of each row; None if no cluster has a name.
    fn called(&self, labels: &[i32]) -> Option<Vec<Option<String>>> {
        let names = self.saved.clustering().ok()?.names();
        let name = |label: &i32| names.get(&usize::try_from(*label).ok()?).cloned();
        (!names.is_empty()).then(|| labels.iter().map(name).collect())
    }
}

impl Labelled {
    pub fn rows(&self) -> usize {
        self.labels.len()
    }
}

/// Where the rows that were kept stood: how many there were, and the place of each, counted from 1.
pub(super) type Places = (usize, Vec<u64>);

/// Entries at their places, with nothing in between.
pub(super) fn spread<T: Clone>(entries: Vec<Option<T>>, places: Option<&Places>) -> Vec<Option<T>> {
    let Some((rows, places)) = places else { return entries };
    let mut all = vec![None; *rows];
    entries.into_iter().zip(places).for_each(|(entry, &place)| all[place as usize - 1] = entry);
    all
}

/// A table that cannot be read, or that is not the model's.
fn unreadable(e: &separa_io::Error) -> Problem {
    use separa_io::Error::{Damaged, Empty, MissingColumns, ModelColumns, Unsupported};
    let (status, code) = match e {
        Damaged { .. } | Unsupported { .. } => (400, "malformed-body"),
        Empty { .. } => (400, "empty-body"),
        MissingColumns { .. } | ModelColumns { .. } => (422, "columns"),
        _ => (422, "table"),
    };
    if let MissingColumns { .. } = e {
        // The names stand at the end of the sentence.
        return Problem::new(status, code, e.to_string(), "send every column that GET / lists");
    }
    let mut problem = Problem::sentence(status, code, &e.to_string());
    if code == "malformed-body" || problem.remedy.is_none() {
        problem.remedy = Some("GET / shows an example of what is taken".to_owned());
    }
    problem
}

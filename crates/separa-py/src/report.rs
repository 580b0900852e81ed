//! The document of a rule: what a model file knows, and with the training table at hand its rows.

use crate::convert::Table;
use crate::rule::Rule;
use crate::{enter, error};
use pyo3::prelude::*;
use separa::model_file::Saved;
use separa::view::{View, ViewOptions};
use separa::{Clustering, Dataset, Error, Fitted, Labels, Note, Rules, Trained};
use separa_report::{
    About, Apply, Document, Names, SeenRows, Sentences, StateSequence, TrainingRows, Truth,
};
use std::path::PathBuf;

/// Classes of the rows by number (−1: not known) and their names.
type Known = (Vec<i32>, Vec<String>);

/// Beside the rule: what the table is called, the names of its rows, threads.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    name: String,
    ids: Option<Vec<String>>,
    threads: Option<usize>,
}

/// What was seen in the training table.
enum Seen {
    Clusters(Labels, Box<View>, Option<Box<Rules>>, Vec<StateSequence>),
    Classes(Box<Result<TrainingRows, String>>),
}

const NO_ROWS: &str =
    "a model holds no rows of its training table; give them to `report` to see them here";
const NO_CLASSES: &str =
    "the classes of the rows were not given; give them to `report` as y to see what became of them";

/// Writes the page of `rule` to `path`, whole or not at all.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    rule: &Bound<'_, Rule>,
    path: PathBuf,
    x: Option<&Bound<'_, PyAny>>,
    known: Option<Known>,
    how: How,
) -> PyResult<()> {
    let rule = rule.get();
    let seen = x.map(|x| see(py, rule, Table::new(x)?, known.as_ref(), how.threads)).transpose()?;
    let page = document(rule, seen, known, &how)?.html();
    separa_io::write_atomic(&path, |out| out.write_all(page.as_bytes()))
        .map_err(|e| error::system(e.to_string()))
}

/// What a notebook shows of `rule`, with its map where its rows are at hand.
#[pyfunction]
#[pyo3(signature = (rule, x=None))]
pub fn notebook(rule: &Bound<'_, Rule>, x: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let (py, rule) = (rule.py(), rule.get());
    let how = How { name: "separa".to_owned(), ids: None, threads: None };
    let seen = x.map(|x| see(py, rule, Table::new(x)?, None, None)).transpose()?;
    Ok(document(rule, seen, None, &how)?.notebook())
}

fn document(
    rule: &Rule,
    seen: Option<Seen>,
    known: Option<Known>,
    how: &How,
) -> PyResult<Document> {
    match rule.0.as_ref() {
        Saved::Clustering(found) => of_clustering(found, seen, known, how),
        Saved::Trained(trained) => Ok(of_classifier(trained, seen, known.is_some(), how)),
    }
}

/// Looks at the rows behind the gate.
fn see(
    py: Python<'_>,
    rule: &Rule,
    table: Table,
    known: Option<&Known>,
    threads: Option<usize>,
) -> PyResult<Seen> {
    let saved = rule.0.clone();
    let classes = known.map(|k| k.0.iter().map(|c| (*c).max(0) as u32).collect::<Vec<_>>());
    let work = move |_| {
        saved.model().check_width(table.matrix()?)?;
        let data = table.dataset(saved.feature_names())?;
        let found = saved.predict(&data)?;
        if data.n() != saved.n() {
            let (n, m) = (data.n(), saved.n());
            let why = format!("{n} {}, the training table had {m}", data.things());
            return Err(Error::OtherTable { why });
        }
        let model = saved.model().as_ref();
        let Saved::Clustering(clustering) = saved.as_ref() else {
            let rows = match classes {
                Some(classes) => TrainingRows::of(&data, &classes, &found, model),
                None => Err(NO_CLASSES.to_owned()),
            };
            return Ok((Seen::Classes(Box::new(rows)), table));
        };
        let labels = clustering.has_labels().then(|| clustering.labels().to_vec());
        check_same(&found, clustering.sizes(), labels.as_deref())?;
        let labels = labels.unwrap_or(found);
        let view = look_at(&saved, &data, &labels)?;
        let rules = clustering.rules(&data).ok().map(Box::new);
        let ranges = data.sequences().unwrap_or_default();
        let sequences = StateSequence::of(ranges, &|i| format!("sequence {i}"), &labels);
        Ok((Seen::Clusters(labels, Box::new(view), rules, sequences), table))
    };
    Ok(enter::run(py, threads, None, work)?.0)
}

/// Rows as the rule labels them, ready to be drawn.
pub fn look_at(saved: &Saved, data: &Dataset<'_>, labels: &[i32]) -> separa::Result<View> {
    let clustering = saved.clustering().ok();
    let quality = clustering.and_then(|found| found.quality().ok());
    let columns = quality.and_then(separa_report::telling);
    let options = ViewOptions {
        seed: saved.seed(),
        features: clustering.map_or(saved.rows().is_none(), Clustering::has_features),
        flat: clustering.map_or(saved.is_linear(), |found| !found.is_curved()),
        columns: columns.as_deref(),
    };
    View::of(data, labels, saved.model().as_ref(), &options)
}

/// Refuses a table that is not the one of the training: its labels, or the sizes of its clusters, differ.
fn check_same(found: &[i32], sizes: &[usize], labels: Option<&[i32]>) -> separa::Result<()> {
    let size = |c: usize| found.iter().filter(|l| **l == c as i32).count();
    let same = match labels {
        Some(labels) => labels == found,
        None => (0..sizes.len()).all(|c| size(c) == sizes[c]),
    };
    if same { Ok(()) } else { Err(Error::OtherTable { why: "other labels".into() }) }
}

fn of_clustering(
    found: &Clustering,
    seen: Option<Seen>,
    known: Option<Known>,
    how: &How,
) -> PyResult<Document> {
    let (labels, view, rules, sequences) = match seen {
        Some(Seen::Clusters(labels, view, rules, sequences)) => {
            (Some(labels), Ok(view), rules, sequences)
        }
        _ => (found.has_labels().then(|| found.labels().to_vec()), Err(NO_ROWS), None, Vec::new()),
    };
    let truth = match (labels, known) {
        (Some(labels), Some((numbers, names))) => {
            Some(Truth::new("y", &labels, &numbers, names).map_err(error::raise)?)
        }
        _ => None,
    };
    let view = view.as_deref().map_err(|why| *why);
    let seen = SeenRows {
        view,
        decided: None,
        truth: truth.as_ref(),
        profile: false,
        rules: rules.as_deref(),
        rules_asked: false,
        sequences: &sequences,
    };
    let called = |cluster| found.called(cluster);
    Ok(with_about(found, how, &called, |about| separa_report::cluster(found, about, &seen)))
}

fn of_classifier(trained: &Trained, seen: Option<Seen>, known: bool, how: &How) -> Document {
    let rows = match (seen, known) {
        (Some(Seen::Classes(rows)), _) => *rows,
        (_, true) | (None, false) => Err(NO_ROWS.to_owned()),
        (_, false) => Err(NO_CLASSES.to_owned()),
    };
    let rows = rows.as_ref().map_err(String::as_str);
    let called = |class: i32| class.to_string();
    with_about(trained, how, &called, |about| separa_report::train(trained, about, rows))
}

fn with_about(
    fitted: &Fitted,
    how: &How,
    cluster: &dyn Fn(i32) -> String,
    document: impl FnOnce(&About<'_>) -> Document,
) -> Document {
    let names = fitted.feature_names();
    let column = |j: usize| names.map_or_else(|| format!("column {j}"), |names| names[j].clone());
    let row = |i: usize| how.ids.as_ref().map_or_else(|| i.to_string(), |ids| ids[i].clone());
    let sentences = |warning: bool| {
        let asked = |note: &&Note| note.is_warning() == warning;
        fitted.notes().iter().filter(asked).map(|note| note.sentence(error::word)).collect()
    };
    document(&About {
        input: &how.name,
        said: &Sentences {
            warnings: sentences(true),
            notices: sentences(false),
            cautions: Vec::new(),
        },
        names: Names { column: &column, row: &row, cluster },
        made: &separa_io::today(),
        seconds: 0.0,
        apply: &Apply::default(),
    })
}

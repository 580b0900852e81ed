//! The document of a rule: what a model file knows, and with the training table at hand its rows.

use crate::convert::Table;
use crate::enter;
use crate::error;
use crate::rule::Rule;
use pyo3::prelude::*;
use separa::quality::Quality;
use separa::registry::{CLASSIFIERS, METHODS};
use separa::view::{View, ViewOptions};
use separa::{Error, Grouping, Labels, judge};
use separa_report::{About, Apply, Clustering, Document, Names, Training, TrainingRows, Truth};
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
    Clusters(Labels, Box<View>),
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

/// What a notebook shows of `rule`.
#[pyfunction]
pub fn notebook(rule: &Bound<'_, Rule>) -> PyResult<String> {
    let how = How { name: "separa".to_owned(), ids: None, threads: None };
    Ok(document(rule.get(), None, None, &how)?.notebook())
}

fn document(
    rule: &Rule,
    seen: Option<Seen>,
    known: Option<Known>,
    how: &How,
) -> PyResult<Document> {
    match CLASSIFIERS.iter().any(|e| e.name == rule.method) {
        true => Ok(of_classifier(rule, seen, known.is_some(), how)),
        false => of_clustering(rule, seen, known, how),
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
    let (model, names, params) = (rule.model.clone(), rule.names.clone(), rule.params.clone());
    let (labels, training) = (rule.labels.clone(), rule.training.clone());
    let entry = METHODS.iter().find(|e| e.name == rule.method);
    let classes = known.map(|k| k.0.iter().map(|c| (*c).max(0) as u32).collect::<Vec<_>>());
    let quality = quality(rule);
    let work = move |_| {
        model.check_width(table.matrix()?)?;
        let data = table.dataset(names.as_deref())?;
        let found = model.predict_on(&data)?;
        if data.n() != training.n {
            let (n, m) = (data.n(), training.n);
            return Err(other_table(&format!("{n} {}, the training table had {m}", data.things())));
        }
        let Some(entry) = entry else {
            let rows = match classes {
                Some(classes) => TrainingRows::of(&data, &classes, &found, model.as_ref()),
                None => Err(NO_CLASSES.to_owned()),
            };
            return Ok((Seen::Classes(Box::new(rows)), table));
        };
        check_same(&found, &training.sizes, labels.as_deref())?;
        let columns = quality.as_ref().and_then(separa_report::telling);
        let options = ViewOptions {
            seed: training.seed,
            features: judge::unjudged(&data, &params).is_none(),
            flat: !judge::curved(entry, &params),
            columns: columns.as_deref(),
        };
        let labels = labels.unwrap_or(found);
        let view = View::of(&data, &labels, model.as_ref(), &options)?;
        Ok((Seen::Clusters(labels, Box::new(view)), table))
    };
    Ok(enter::run(py, threads, None, work)?.0)
}

/// Refuses a table that is not the one of the training: its labels, or the sizes of its groups, differ.
fn check_same(found: &[i32], sizes: &[usize], labels: Option<&[i32]>) -> separa::Result<()> {
    let size = |c: usize| found.iter().filter(|l| **l == c as i32).count();
    let same = match labels {
        Some(labels) => labels == found,
        None => (0..sizes.len()).all(|c| size(c) == sizes[c]),
    };
    if same { Ok(()) } else { Err(other_table("other labels")) }
}

fn other_table(why: &str) -> Error {
    Error::Data(format!(
        "the rows are not those that the model was fitted on ({why}); give the training table, or none"
    ))
}

fn quality(rule: &Rule) -> Option<Quality> {
    rule.training.quality.clone().and_then(|q| serde_json::from_value(q).ok())
}

fn of_clustering(
    rule: &Rule,
    seen: Option<Seen>,
    known: Option<Known>,
    how: &How,
) -> PyResult<Document> {
    let quality = quality(rule);
    let (labels, view) = match seen {
        Some(Seen::Clusters(labels, view)) => (Some(labels), Ok(view)),
        _ => (rule.labels.clone(), Err(NO_ROWS)),
    };
    let truth = match (labels, known) {
        (Some(labels), Some((numbers, names))) => {
            Some(Truth::new("y", &labels, &numbers, names).map_err(error::raise)?)
        }
        _ => None,
    };
    let mut warnings = rule.training.report.warnings.clone();
    warnings.extend(rule.trouble.clone());
    Ok(with_about(rule, how, &warnings, |about| {
        separa_report::cluster(&Clustering {
            about,
            sizes: &rule.training.sizes,
            quality: quality.as_ref(),
            reg: judge::reg(&rule.method, &rule.params),
            view: view.as_deref().map_err(|why| *why),
            decided: None,
            truth: truth.as_ref(),
            stability: None,
        })
    }))
}

fn of_classifier(rule: &Rule, seen: Option<Seen>, known: bool, how: &How) -> Document {
    let report = &rule.training.report;
    let learnt = report.trained.as_ref().expect("every classifier reports what it learnt");
    let rows = match (seen, known) {
        (Some(Seen::Classes(rows)), _) => *rows,
        (_, true) | (None, false) => Err(NO_ROWS.to_owned()),
        (_, false) => Err(NO_CLASSES.to_owned()),
    };
    with_about(rule, how, &report.warnings, |about| {
        separa_report::train(&Training {
            about,
            learnt,
            sizes: &rule.training.sizes,
            cv: None,
            rows: rows.as_ref().map_err(String::as_str),
        })
    })
}

fn with_about(
    rule: &Rule,
    how: &How,
    warnings: &[String],
    document: impl FnOnce(About<'_>) -> Document,
) -> Document {
    let methods = METHODS.iter().map(|e| [e.name, e.class, e.about]);
    let classifiers = CLASSIFIERS.iter().map(|e| [e.name, e.class, e.about]);
    let method = methods.chain(classifiers).find(|m| m[0] == rule.method);
    let column = |j: usize| match &rule.names {
        Some(names) => names[j].clone(),
        None => format!("column {j}"),
    };
    let row = |i: usize| how.ids.as_ref().map_or_else(|| i.to_string(), |ids| ids[i].clone());
    let thing = match rule.model.grouping() {
        Some(Grouping::Bags) => "bag",
        _ => "row",
    };
    document(About {
        input: &how.name,
        method: method.unwrap_or([&rule.method, "", ""]),
        params: &rule.params,
        seed: rule.training.seed,
        thing,
        n: rule.training.n,
        within: "",
        d: rule.model.n_features(),
        seconds: None,
        report: &rule.training.report,
        warnings,
        notices: &rule.training.report.notices,
        cautions: &rule.cautions(),
        names: Names { column: &column, row: &row, cluster: &|c| c.to_string() },
        apply: &Apply::default(),
    })
}

//! `separa demo`: on one screen, why separa exists.

use crate::failure::{ExitCode, Failure, Result};
use crate::text;
use separa::quality::External;
use separa::{Clusterer, Clustering, Dataset, DenseRef, Named};
use separa_io::{TableOptions, Values};
use separa_report::{Apply, Cell, Document, On, Section, Table};
use std::path::Path;

const WINE: &str = include_str!("../../data/wine.csv");
/// Where the same table is in the source tree, and where the demo puts it elsewhere.
const IN_TREE: &str = "examples/data/wine.csv";
const BESIDE: &str = "separa-demo-wine.csv";
const LABELS: &str = "separa-demo-labels.csv";
const MODEL: &str = "separa-demo.separa";

const TRUTH: &str = "cultivar";
const K: usize = 3;
/// What the default is compared with, in the table's own units.
const PLAIN: &str = "kmeans";
const SEED: u64 = 0;
/// Another unit: as if mg were written instead of g.
const FACTOR: f64 = 1000.0;

pub fn run() -> Result<ExitCode> {
    let wine = Wine::read()?;
    let kmeans = wine.fit(PLAIN, &wine.values, false)?;
    let mspc = wine.fit("mspc", &wine.values, true)?;
    let (data, quality) = (write(&mspc)?, mspc.quality()?);

    let mut written = vec![("labels", LABELS.to_owned()), ("model", MODEL.to_owned())];
    if data == BESIDE {
        written.push(("data", BESIDE.to_owned()));
    }
    let (rows, features) = (wine.table.rows, wine.table.cols());
    let known =
        format!("{rows} wines, {features} features, {K} cultivars that the methods do not see");
    let mut document = Document {
        facts: vec![("wine".to_owned(), known)],
        verdict: format!("separa: {}.", quality.verdict()),
        good: Some(quality.is_real()),
        ..Document::default()
    };
    let lines =
        [Line::new("k-means", PLAIN, &wine, &kmeans)?, Line::new("separa", "mspc", &wine, &mspc)?];
    document.add(comparison(&lines));
    document.add(separa_report::quality(quality, mspc.method().quality_reg(), &[]));
    let apply = Apply { written, next: next(data), ..Apply::default() };
    apply.closing().into_iter().for_each(|section| document.add(section));
    text::show(&document)?;
    Ok(ExitCode::SUCCESS)
}

/// The embedded table with its truth.
#[derive(Debug)]
struct Wine {
    table: separa_io::Prepared,
    values: Vec<f64>,
    truth: Vec<i32>,
}

impl Wine {
    fn read() -> Result<Self> {
        let options = TableOptions { truth: Some(TRUTH.into()), ..TableOptions::default() };
        let table = separa_io::read_bytes("wine.csv", WINE.into(), &options)?;
        let Values::Dense(values) = table.values.clone() else { unreachable!("CSV is dense") };
        let classes = table.column(TRUTH).expect("kept aside");
        let truth = classes.iter().map(|c| c.parse().expect("cultivars are numbered")).collect();
        Ok(Self { table, values, truth })
    }

    /// The same wines with one feature in another unit.
    fn rescaled(&self, column: usize) -> Vec<f64> {
        let mut values = self.values.clone();
        for row in values.chunks_exact_mut(self.table.cols()) {
            row[column] *= FACTOR;
        }
        values
    }

    fn dataset<'a>(&'a self, values: &'a [f64]) -> Result<Dataset<'a>> {
        let x = DenseRef::new(self.table.rows, self.table.cols(), values)
            .map_err(separa::Error::from)?;
        Ok(Dataset::with_names(x.into(), Some(&self.table.names))?)
    }

    fn fit(&self, method: &str, values: &[f64], judged: bool) -> Result<Clustering> {
        let mut params = Named::from_iter([("n_clusters".to_owned(), K.into())]);
        if method == PLAIN {
            // As k-means is elsewhere.
            params.insert("scaling".to_owned(), "none".into());
        }
        let request = Clusterer::named(method, &params)?.seed(SEED).quality(judged);
        Ok(request.fit(&self.dataset(values)?)?)
    }
}

/// One method before and after changes of units.
#[derive(Debug)]
struct Line {
    name: &'static str,
    error: f64,
    wrong: usize,
    changed: usize,
}

impl Line {
    fn new(name: &'static str, method: &str, wine: &Wine, fit: &Clustering) -> Result<Self> {
        let count = |share: f64| (share * wine.table.rows as f64).round() as usize;
        let error = External::new(fit.labels(), &wine.truth)?.error;
        let mut changed = 0;
        for column in 0..wine.table.cols() {
            let scaled = wine.fit(method, &wine.rescaled(column), false)?;
            // Clusters are matched before they are compared: a new number alone is no change.
            changed = changed.max(count(External::new(scaled.labels(), fit.labels())?.error));
        }
        Ok(Self { name, error, wrong: count(error), changed })
    }
}

fn comparison(lines: &[Line]) -> Section {
    let mut table = Table::new("Errors and units").text("").number("wrong").number("of all");
    table = table.number("in other units").text("");
    for line in lines {
        let changed = match line.changed {
            1 => "1 label changes".to_owned(),
            n => format!("{n} labels change"),
        };
        table.row(vec![
            Cell::Title(line.name.into()),
            Cell::count(line.wrong),
            Cell::percent(line.error),
            Cell::Number(changed, line.changed as f64),
            Cell::Bar(line.error, 0),
        ]);
    }
    let said = format!(
        "Other units: each feature in turn times {FACTOR}, the largest number of labels that change."
    );
    Section::new("errors", "Errors").table(table).say(On::Everywhere, said).clone()
}

/// Writes labels and model, and the table where the source tree is not at hand; says where it is.
fn write(found: &Clustering) -> Result<&'static str> {
    put(MODEL, &found.to_bytes()?)?;
    separa_io::write_labels(Path::new(LABELS), None, found.labels(), None)?;
    if Path::new(IN_TREE).is_file() {
        return Ok(IN_TREE);
    }
    put(BESIDE, WINE.as_bytes())?;
    Ok(BESIDE)
}

fn put(name: &str, bytes: &[u8]) -> Result<()> {
    separa_io::write_atomic(Path::new(name), |out| out.write_all(bytes)).map_err(|e| {
        Failure::new(format!("{e}; the demo writes into the current folder, go to one of yours"))
    })
}

fn next(data: &str) -> Vec<String> {
    vec![
        format!("separa predict {MODEL} {data}"),
        format!("separa cluster {data} -k 3 --truth {TRUTH} -o labels.csv"),
        format!("separa score {data} --labels {TRUTH}"),
    ]
}

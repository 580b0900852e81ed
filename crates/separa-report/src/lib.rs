//! One page about a clustering or a classifier: a single HTML file that needs no network.
//!
//! [`cluster`] and [`train`] turn what is known into the text of the page; whoever calls them writes it
//! somewhere. What is missing is left out, and the page says why. All text that comes from data passes
//! [`html::Html::text`]; nothing else can become markup.
//!
//! Rooms: `svg` draws (scales, axes, marks, colours), `figures` has one file a figure, `page` puts them together
//! with words and tables, `assets` holds the style sheet and the script.

pub mod figures;
pub mod html;
pub mod number;
mod page;
pub mod svg;
mod verdict;

pub use page::apply::{Apply, shell_word};
pub use page::cluster::page as cluster;
pub use page::compare::{page as compare, remarks};
pub use page::importance::telling;
pub use page::stability::word as comes_back;
pub use page::train::page as train;
pub use page::truth::Truth;

use separa::compare::Comparison;
use separa::quality::Quality;
use separa::stability::Stability;
use separa::validate::CrossValidated;
use separa::view::{self, View};
use separa::{Dataset, Model, Report, Trained};
use serde_json::{Map, Value};

/// What is said about any fit.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// What the table is called.
    pub input: &'a str,
    /// The method's name, its Python class, and what it is in a line.
    pub method: [&'a str; 3],
    pub params: &'a Map<String, Value>,
    pub seed: u64,
    /// What is labelled, in the singular: a row or a bag.
    pub thing: &'a str,
    pub n: usize,
    pub d: usize,
    /// Of the fit alone.
    pub seconds: Option<f64>,
    pub report: &'a Report,
    /// Sentences to read first.
    pub warnings: &'a [String],
    /// Sentences to keep in mind.
    pub notices: &'a [String],
    pub names: Names<'a>,
    pub apply: &'a Apply<'a>,
}

impl<'a> About<'a> {
    fn head(&self) -> page::Head<'a> {
        page::Head { input: self.input, kind: self.method[0], warnings: self.warnings }
    }
}

/// What columns and rows are called.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub column: &'a dyn Fn(usize) -> String,
    pub row: &'a dyn Fn(usize) -> String,
}

impl std::fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Names")
    }
}

/// A clustering.
#[derive(Debug, Clone, Copy)]
pub struct Clustering<'a> {
    pub about: About<'a>,
    pub sizes: &'a [usize],
    /// None where it was not judged; a warning or a notice says why.
    pub quality: Option<&'a Quality>,
    /// The regulariser that the quality was computed with.
    pub reg: f64,
    /// Rows to draw, or why there are none.
    pub view: Result<&'a View, &'a str>,
    pub truth: Option<&'a Truth>,
    /// Which groups come back when the rows change, where it was asked for.
    pub stability: Option<&'a Stability>,
}

/// Several methods on one table.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// What the table is called.
    pub input: &'a str,
    pub n: usize,
    pub d: usize,
    pub seed: u64,
    pub params: &'a Map<String, Value>,
    pub comparison: &'a Comparison,
    /// Rows to draw, or why there are none.
    pub map: Result<&'a view::Map, &'a str>,
    /// Where known classes are from, where there are any.
    pub truth: Option<&'a str>,
    pub notices: &'a [String],
    pub apply: &'a Apply<'a>,
}

/// A classifier.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    pub about: About<'a>,
    pub learnt: &'a Trained,
    pub sizes: &'a [usize],
    pub cv: Option<&'a CrossValidated>,
    /// What became of the training rows, or why that is not known.
    pub rows: Result<&'a TrainingRows, &'a str>,
}

/// The training rows as the rule decides them.
#[derive(Debug, Clone)]
pub struct TrainingRows {
    /// The class of each by number, and what the rule says.
    pub classes: Vec<u32>,
    pub found: Vec<i32>,
    /// Decision values: a column for two classes (the second from 0 up), else one for each of the first classes.
    pub scores: separa::Dense,
    /// The plane of two columns, where the table has just these.
    pub plane: Option<view::Plane>,
}

impl TrainingRows {
    /// Classes whose decision values are kept: those that have a curve.
    pub const CURVES: usize = 8;

    /// `found` are the labels that `model` gives the rows of `classes`; else the sentence that says why not.
    pub fn of(
        data: &Dataset<'_>,
        classes: &[u32],
        found: &[i32],
        model: &dyn Model,
    ) -> Result<Self, String> {
        let labels: Vec<i32> = classes.iter().map(|c| *c as i32).collect();
        let rows = || -> separa::Result<Self> {
            Ok(Self {
                plane: view::Plane::of(data, &labels, model, 0)?,
                scores: view::leading_scores(data, model, Self::CURVES)?,
                classes: classes.to_vec(),
                found: found.to_vec(),
            })
        };
        rows().map_err(|e| format!("the rows could not be drawn: {e}"))
    }
}

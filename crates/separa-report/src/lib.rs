//! One document about a clustering, a classifier, labels or a comparison, and three renderings of it: a page of HTML
//! that needs no network, text for a terminal, and a small piece of HTML for notebooks.
//!
//! [`cluster`], [`score`], [`train`] and [`compare`] turn what is known into a [`Document`]; [`Document::html`],
//! [`Document::terminal`] and [`Document::notebook`] are its text, and whoever calls them writes it somewhere. What is
//! missing is left out, and the page says why. All text that comes from data passes [`html::Html::text`] or
//! [`terminal::plain`]; nothing else can become markup or steer a terminal.
//!
//! Rooms: `present` says what there is to say, `render` shows it, `figures` has one file a figure, `svg` draws (scales,
//! axes, marks, colours), `assets` holds the style sheet and the script.

#![warn(missing_docs)]

pub mod document;
pub mod figures;
pub mod html;
mod names;
pub mod number;
mod present;
mod render;
pub mod svg;

pub use document::{Cell, Document, On, Section, Table};
pub use present::apply::Apply;
pub use present::cluster::{document as cluster, good, map_caption, map_data};
pub use present::compare::document as compare;
pub use present::explain::{Explained, document as explain};
pub use present::importance::telling;
pub use present::quality::{is_caution, section as quality};
pub use present::score::document as score;
pub use present::settings::ended;
pub use present::timeline::StateSequence;
pub use present::train::document as train;
pub use present::truth::Truth;
pub use render::page::MAP_SCRIPT;
pub use render::terminal;
pub use svg::alone::style as figure_style;

use separa::compare::Comparison;
use separa::explain::Rules;
use separa::quality::Quality;
use separa::view::{self, Decided, View};
use separa::{Dataset, Fitted, Model, Remedy};
use serde_json::{Map, Value};

/// What a front end knows about any result beside the result itself.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// What the table is called.
    pub input: &'a str,
    /// Notes in the words of the front end.
    pub said: &'a Sentences,
    /// What columns, rows and clusters are called.
    pub names: Names<'a>,
    /// The day the document is made; empty if it is to be the same whenever it is made.
    pub made: &'a str,
    /// How long the fit took; 0 if the document is to be the same whenever it is made.
    pub seconds: f64,
    /// Commands and file names.
    pub apply: &'a Apply<'a>,
}

/// Notes as sentences.
#[derive(Debug, Clone, Default)]
pub struct Sentences {
    /// To read first.
    pub warnings: Vec<String>,
    /// To keep in mind; a terminal shows them elsewhere.
    pub notices: Vec<String>,
    /// To keep in mind about the quality; a terminal shows them, too.
    pub cautions: Vec<String>,
}

/// A result with what its front end knows about it.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub about: &'a About<'a>,
    pub fitted: &'a Fitted,
}

impl Subject<'_> {
    /// "178 rows, 13 features".
    pub fn size(&self) -> String {
        let fitted = self.fitted;
        let n = number::counted(fitted.n(), fitted.thing());
        let within = match (fitted.rows(), fitted.sequences()) {
            (Some(rows), _) => format!(" of {}", number::counted(rows, "row")),
            (None, Some(many)) => format!(" in {}", number::counted(many, "sequence")),
            (None, None) => String::new(),
        };
        format!("{n}{within}, {}", number::counted(fitted.d(), "feature"))
    }

    /// "converged after 4 iterations, 3 ms".
    pub fn course(&self) -> String {
        let ended = ended(self.fitted.stop());
        let course = match self.fitted.iterations() {
            0 => ended.to_owned(),
            some => format!("{ended} after {}", number::counted(some, "iteration")),
        };
        format!("{course}{}", self.time(", "))
    }

    /// The time that the fit took, after `before`; nothing if it is not known.
    pub fn time(&self, before: &str) -> String {
        match self.about.seconds > 0.0 {
            true => format!("{before}{}", number::seconds(self.about.seconds)),
            false => String::new(),
        }
    }

    /// The document before its sections.
    pub fn document(&self, verdict: String, good: Option<bool>) -> Document {
        let (input, method) = (self.about.input.to_owned(), self.fitted.method_name().to_owned());
        Document {
            title: input.clone(),
            kind: method.clone(),
            made: self.about.made.to_owned(),
            facts: vec![(input, self.size()), (method, String::new())],
            warnings: self.about.said.warnings.clone(),
            verdict,
            good,
            ..Document::default()
        }
    }

    /// What every document ends with; notes that stand `elsewhere` are not repeated.
    pub fn end(&self, mut document: Document, elsewhere: &[String]) -> Document {
        let about = self.about;
        let rest = |all: &[String]| -> Vec<String> {
            all.iter().filter(|note| !elsewhere.contains(note)).cloned().collect()
        };
        let said = &about.said;
        document.add(present::settings::notes(&rest(&said.notices), &rest(&said.cautions)));
        document.add(about.apply.section());
        document.add(present::settings::settings(self));
        about.apply.closing().into_iter().for_each(|section| document.add(section));
        document
    }
}

impl Document {
    /// One file of HTML that needs no network.
    pub fn html(&self) -> String {
        render::page::render(self)
    }

    /// Text in lines of at most `width` letters, with colours.
    pub fn terminal(&self, width: usize) -> String {
        terminal::render(self, width)
    }

    /// A piece of HTML that needs no style sheet.
    pub fn notebook(&self) -> String {
        render::notebook::render(self)
    }
}

/// What columns, rows and clusters are called.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Features by their place.
    pub column: &'a dyn Fn(usize) -> String,
    /// Rows by their place.
    pub row: &'a dyn Fn(usize) -> String,
    /// Clusters by their label.
    pub cluster: &'a dyn Fn(i32) -> String,
}

impl std::fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Names")
    }
}

/// The rows of a clustering, as far as a document shows them.
#[derive(Debug, Clone, Copy)]
pub struct SeenRows<'a> {
    /// Rows to draw, or why there are none.
    pub view: Result<&'a View, &'a str>,
    /// The margins of the rows, if they are known without a view.
    pub decided: Option<&'a Decided>,
    /// The agreement with known classes, if there are any.
    pub truth: Option<&'a Truth>,
    /// Whether a terminal shows the profiles of the clusters, too.
    pub profile: bool,
    /// The clusters as rules in words, if they are known.
    pub rules: Option<&'a Rules>,
    /// Whether a terminal shows them, too.
    pub rules_asked: bool,
    /// The states of sequences; empty if rows stand for themselves.
    pub sequences: &'a [StateSequence],
}

/// Labels that were given, with their quality.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// What the table is called.
    pub input: &'a str,
    /// How many rows.
    pub n: usize,
    /// How many features.
    pub d: usize,
    /// Where the labels are from.
    pub by: &'a str,
    /// What the clusters are called.
    pub names: &'a [String],
    /// What the features are called.
    pub columns: &'a [String],
    /// Rows of each cluster.
    pub sizes: &'a [usize],
    /// Their quality.
    pub quality: &'a Quality,
    /// The regulariser that the quality was computed with.
    pub reg: f64,
    /// The agreement with known classes, if there are any.
    pub truth: Option<&'a Truth>,
    /// Sentences to keep in mind.
    pub cautions: &'a [String],
}

/// Several methods on one table.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// What the table is called.
    pub input: &'a str,
    /// How many rows.
    pub n: usize,
    /// How many features.
    pub d: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// Parameters that all methods share.
    pub params: &'a Map<String, Value>,
    /// What was found.
    pub comparison: &'a Comparison,
    /// Rows to draw, or why there are none.
    pub map: Result<&'a view::Map, &'a str>,
    /// Where known classes are from, if there are any.
    pub truth: Option<&'a str>,
    /// Sentences to keep in mind, which a terminal shows elsewhere.
    pub notices: &'a [String],
    /// Sentences to keep in mind, which a terminal shows, too.
    pub cautions: &'a [String],
    /// The words of the front end for what can be done.
    pub word: &'a dyn Fn(&Remedy) -> String,
    /// Commands and file names.
    pub apply: &'a Apply<'a>,
}

impl std::fmt::Debug for Compared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compared").field("input", &self.input).finish_non_exhaustive()
    }
}

/// The training rows as the rule decides them.
#[derive(Debug, Clone)]
pub struct TrainingRows {
    /// The class of each by number.
    pub classes: Vec<u32>,
    /// What the rule says.
    pub found: Vec<i32>,
    /// Decision values: a column for two classes (the second from 0 up), else one for each of the first classes.
    pub scores: separa::Dense,
    /// The plane of two columns, where the table has just these.
    pub plane: Option<view::RegionPlot>,
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
                plane: view::RegionPlot::of(data, &labels, model, 0)?,
                scores: view::leading_scores(data, model, Self::CURVES)?,
                classes: classes.to_vec(),
                found: found.to_vec(),
            })
        };
        rows().map_err(|e| format!("the rows could not be drawn: {e}"))
    }
}

//! How a fit went.

use crate::note::{self, Note};
use crate::params::Named;
use serde::{Deserialize, Serialize};

/// Why the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    Converged,
    MaxIter,
    Stalled,
    Cancelled,
}

/// One start and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StartReport {
    pub name: String,
    /// What the choice between starts went by: larger is better.
    pub score: f64,
    pub iterations: usize,
    pub chosen: bool,
}

/// What a classifier promises and what it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learnt {
    /// The names of the classes, in the order of the labels.
    pub classes: Vec<String>,
    /// The classes are text, even where their names read as numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text: bool,
    /// Share of the training rows that get their own class.
    pub accuracy: f64,
    /// The same of rows held out in cross-validation, with the settings that did best: a little too
    /// high, for they were chosen by it. None where nothing was to be chosen.
    pub held_out: Option<f64>,
    /// Settings as they were used: chosen by cross-validation, from the data, or given.
    pub settings: Named,
    /// One of each pair of classes, or of each class against the rest; none where the classifier
    /// promises nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
}

/// The worst-case accuracy of one boundary.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    pub class: usize,
    /// None for all others together.
    pub against: Option<usize>,
    /// Whatever the distributions, with the moments (and the regulariser) that the boundary was found
    /// from at least this share of each side is on its side.
    pub alpha: [f64; 2],
    /// The regulariser: without it the number above means nothing.
    pub reg: f64,
    /// The share of the training rows of each side that is on its side.
    pub rate: [f64; 2],
}

/// How the fit went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The method's own objective at the end.
    pub objective: f64,
    pub iterations: usize,
    pub stop: Stop,
    pub starts: Vec<StartReport>,
    /// The objective after each round of the chosen start.
    pub trace: Vec<f64>,
    /// Rows that stand for each cluster, the most typical first, by their place in the table (from
    /// 0); empty where the method names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exemplars: Vec<Vec<usize>>,
    /// Rows that took no part in the fit, by their place in the table: the quality leaves them out.
    #[serde(skip)]
    pub outliers: Vec<usize>,
    /// What a classifier learnt; none of a clustering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learnt: Option<Learnt>,
    /// What to read before the result is used, and what is good to know.
    #[serde(flatten, with = "note::stored")]
    pub notes: Vec<Note>,
}

impl Report {
    /// Of a fit with nothing to do.
    pub fn idle() -> Self {
        Self {
            objective: 0.0,
            iterations: 0,
            stop: Stop::Converged,
            starts: Vec::new(),
            trace: Vec::new(),
            exemplars: Vec::new(),
            outliers: Vec::new(),
            learnt: None,
            notes: Vec::new(),
        }
    }

    /// The notes to read before the result is used.
    pub fn warnings(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| note.is_warning())
    }

    /// The notes that are good to know.
    pub fn notices(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(|note| !note.is_warning())
    }
}

//! How a fit went.

use crate::note::Note;
use crate::params::Named;
use serde::{Deserialize, Serialize};

/// Why the iterations ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    /// Nothing changes any more.
    Converged,
    /// At the largest number of iterations.
    MaxIter,
    /// No further progress, short of the tolerance.
    Stalled,
    /// The observer asked for it.
    Cancelled,
}

/// One initialization and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InitializationReport {
    /// Its name.
    pub name: String,
    /// What the choice between initializations goes by: larger is better.
    pub score: f64,
    /// How many it took.
    pub iterations: usize,
    /// Whether it is the one of the result.
    pub chosen: bool,
}

/// What a classifier guarantees and what it achieves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learnt {
    /// The names of the classes, in the order of the labels.
    pub classes: Vec<String>,
    /// The classes are text, even where their names read as numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text: bool,
    /// Fraction of the training rows that get their own class.
    pub accuracy: f64,
    /// The same of rows held out in cross-validation, with the settings that did best: a little too
    /// high, because they were chosen by it. None if nothing was to be chosen.
    pub held_out: Option<f64>,
    /// Settings as they were used: chosen by cross-validation, from the data, or given.
    pub settings: Named,
    /// One of each pair of classes, or of each class against the rest; none if the classifier
    /// guarantees nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
}

/// The worst-case accuracy of one boundary.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// The class.
    pub class: usize,
    /// None for all others together.
    pub against: Option<usize>,
    /// Whatever the distributions, with the moments (and the regulariser) that the boundary was found
    /// from at least this fraction of each side is on its side.
    pub alpha: [f64; 2],
    /// The regulariser: without it the number above means nothing.
    pub reg: f64,
    /// The fraction of the training rows of each side that is on its side.
    pub rate: [f64; 2],
}

impl Bound {
    /// The least accuracy that these guarantee; 0 if there are none.
    pub(crate) fn least(bounds: &[Self]) -> f64 {
        let least = bounds.iter().flat_map(|b| b.alpha).fold(1.0, f64::min);
        if bounds.is_empty() { 0.0 } else { least }
    }
}

/// How the fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The method's own objective at the end.
    pub objective: f64,
    /// Those of the chosen initialization.
    pub iterations: usize,
    /// Why they ended.
    pub stop: Stop,
    /// All initializations that were tried.
    pub initializations: Vec<InitializationReport>,
    /// The objective after each iteration of the chosen initialization.
    pub trace: Vec<f64>,
    /// Rows that stand for each cluster, the most typical first, by their place in the table (from
    /// 0); empty where the method names none.
    pub exemplars: Vec<Vec<usize>>,
    /// Rows that took no part in the fit, by their place in the table: the quality leaves them out.
    pub outliers: Vec<usize>,
    /// What a classifier learnt; none of a clustering.
    pub learnt: Option<Learnt>,
    /// What to read before the result is used, and what is good to know.
    pub notes: Vec<Note>,
}

impl Report {
    /// Of a fit with nothing to do.
    pub fn idle() -> Self {
        Self {
            objective: 0.0,
            iterations: 0,
            stop: Stop::Converged,
            initializations: Vec::new(),
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

//! What a comparison found.

use crate::clustering::Clustering;
use crate::k_auto::Counted;
use crate::note::{Note, codes};
use crate::quality::{External, Quality};
use crate::report::Stop;
use serde::{Serialize, Serializer};

/// Notices that bear on what a quality is worth.
const LIMITS: [&str; 3] = [codes::OUTLIERS, codes::SPLIT_HALVES_DIFFER, codes::TIME_LIMIT];

/// How a method ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It ran to its end.
    Done,
    /// Stopped at its time limit with its best so far.
    TimeLimit,
    /// It has no labels.
    Failed,
    /// The whole comparison was interrupted before or while it ran.
    Interrupted,
}

/// One method and what it found.
#[derive(Debug, Clone)]
pub struct MethodResult {
    /// The method's name.
    pub method: &'static str,
    /// From 1; none if the method has no labels.
    pub rank: Option<usize>,
    /// What the rank goes by: 1 − (1.08 − s)/1.08·e^(−a/2), s how much the neighbours of a row know of its cluster
    /// ([`separation_score`](crate::quality::separation_score)), a the agreement with the other methods.
    pub score: Option<f64>,
    /// How it ended.
    pub status: Status,
    /// Why it failed.
    pub error: Option<String>,
    /// Of the fit and its judgement.
    pub seconds: f64,
    /// The mean adjusted Rand index with the labels of the other methods.
    pub agreement: Option<f64>,
    /// Agreement with known classes, if there are any.
    pub truth: Option<External>,
    /// What it found.
    pub clustering: Option<Clustering>,
}

impl MethodResult {
    /// How many clusters it found.
    pub fn k(&self) -> Option<usize> {
        self.clustering.as_ref().map(|found| found.k())
    }

    /// How separable its clusters are, if that is known.
    pub fn quality(&self) -> Option<&Quality> {
        self.clustering.as_ref()?.quality().ok()
    }

    /// What to keep in mind about it: warnings, and what limits its quality.
    pub fn notes(&self) -> Vec<Note> {
        let notes = self.clustering.as_ref().map_or(&[][..], |found| found.notes());
        notes
            .iter()
            .filter(|note| note.is_warning() || LIMITS.contains(&note.code.as_ref()))
            .cloned()
            .collect()
    }
}

impl Serialize for MethodResult {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Line<'a> {
            method: &'static str,
            rank: Option<usize>,
            score: Option<f64>,
            status: Status,
            error: &'a Option<String>,
            seconds: f64,
            k: Option<usize>,
            sizes: &'a [usize],
            stop: Option<Stop>,
            agreement: Option<f64>,
            quality: Option<&'a Quality>,
            truth: &'a Option<External>,
            notes: Vec<Note>,
        }
        let found = self.clustering.as_ref();
        Line {
            method: self.method,
            rank: self.rank,
            score: self.score,
            status: self.status,
            error: &self.error,
            seconds: self.seconds,
            k: self.k(),
            sizes: found.map_or(&[], |found| found.sizes()),
            stop: found.map(|found| found.stop()),
            agreement: self.agreement,
            quality: self.quality(),
            truth: &self.truth,
            notes: self.notes(),
        }
        .serialize(out)
    }
}

/// All methods, the best first.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// One per method.
    pub results: Vec<MethodResult>,
    /// Whether `p_unimodal` is at most 0.05.
    pub gap_found: bool,
    /// p (unimodal). Half of the level is the first method's, the other half is shared by the rest: the
    /// least of twice the first p-value and of the others' times twice their number. Methods that were
    /// stopped are not asked.
    pub p_unimodal: Option<f64>,
    /// One plain sentence.
    pub verdict: String,
    /// How the number of clusters was found, if it was not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto: Option<Counted>,
}

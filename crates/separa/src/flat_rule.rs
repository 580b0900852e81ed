//! A rule that needs no kernel and no training rows: affine scores of scaled features, and what they choose.
//!
//! Every model that is one says so by [`Model::flat`](crate::Model::flat). What writes rules for other systems (`export/`)
//! and what explains a row by its terms (`explain/`) know this form alone, and no method.

use separa_math::linalg::dot;
use separa_math::matrix::Dense;
use separa_math::scaling::{Column, Scaler};
use serde::Serialize;

/// score = weights·z + intercept with z = (clamp(x, lo, hi) − shift)·factor, and a label from the scores.
#[derive(Debug, Clone, PartialEq)]
pub struct FlatRule {
    /// How features are clipped and scaled; features that are left out have none.
    pub columns: Vec<Column>,
    /// One row per score, one entry per scaled column.
    pub weights: Dense,
    /// One per score.
    pub intercepts: Vec<f64>,
    /// From scores to a label.
    pub choice: LabelChoice,
    /// Whether rows beyond the clip limits in more than half of the columns get the label −1.
    pub marks_outliers: bool,
}

/// How scores lead to a label.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum LabelChoice {
    /// Splits from the first on: a score below zero leads to the first side, any other to the second. Without
    /// splits the label is 0.
    Tree {
        /// One per score; parents come before their children.
        splits: Vec<[Branch; 2]>,
    },
    /// The largest score, the first of equals.
    Largest,
    /// Every score is a vote; most votes win, then the higher margin, then the first label.
    Votes {
        /// The labels that a score votes for: from zero up, and below.
        pairs: Vec<[usize; 2]>,
        /// What decides between labels with equally many votes.
        margin: VoteMargin,
    },
}

/// A linear function of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    /// One per feature.
    pub weights: Vec<f64>,
    /// Its value for a row of zeros.
    pub intercept: f64,
}

impl Plane {
    /// Its value for a row.
    pub fn value(&self, row: &[f64]) -> f64 {
        dot(&self.weights, row) + self.intercept
    }

    /// The same with the other sign.
    fn turned(self) -> Self {
        Self { weights: self.weights.iter().map(|w| -w).collect(), intercept: -self.intercept }
    }
}

/// Where a side of a split leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// To another split.
    Split(usize),
    /// To this label.
    Label(usize),
}

impl Branch {
    fn label(self) -> Option<usize> {
        match self {
            Self::Split(_) => None,
            Self::Label(label) => Some(label),
        }
    }
}

/// The margin of a label, from its scores with their signs turned towards it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteMargin {
    /// The least.
    Worst,
    /// Their sum.
    Sum,
}

impl FlatRule {
    /// A rule that sees the features as they are: label 1 from zero up if there is one score, else the largest.
    pub fn linear(weights: Dense, intercepts: Vec<f64>) -> Self {
        let choice = match intercepts.len() {
            1 => LabelChoice::sign(false),
            _ => LabelChoice::Largest,
        };
        let columns = (0..weights.cols()).map(|j| Column::unclipped(j, 0.0, 1.0)).collect();
        Self { columns, weights, intercepts, choice, marks_outliers: false }
    }

    /// The same rule behind a scaler; none if it has one of its own.
    pub(crate) fn behind(mut self, scaler: &Scaler) -> Option<Self> {
        let plain = self.columns.iter().all(|c| *c == Column::unclipped(c.source, 0.0, 1.0));
        if !plain || scaler.columns.len() != scaler.n_features {
            return None;
        }
        self.columns.iter_mut().for_each(|c| *c = scaler.columns[c.source]);
        Some(self)
    }

    /// The same columns with label 0 for every row.
    pub(crate) fn of_one_label(self) -> Self {
        let weights = Dense::zeros(0, self.columns.len());
        Self {
            weights,
            intercepts: Vec::new(),
            choice: LabelChoice::Tree { splits: Vec::new() },
            ..self
        }
    }

    /// The linear function, in the units of the table, that decides label `a` against `b` where just the two are compared: `a`
    /// where it is positive. None if no score does.
    pub(crate) fn pair(&self, a: usize, b: usize, n_features: usize) -> Option<Plane> {
        match &self.choice {
            LabelChoice::Largest => {
                let both = self.weights.row(a).iter().zip(self.weights.row(b));
                let weights: Vec<f64> = both.map(|(one, two)| one - two).collect();
                Some(self.in_units(&weights, self.intercepts[a] - self.intercepts[b], n_features))
            }
            LabelChoice::Tree { splits } => match splits[..] {
                [sides] => self.score_between(0, sides.map(Branch::label), [a, b], n_features),
                _ => None,
            },
            LabelChoice::Votes { pairs, .. } => {
                let at = pairs.iter().position(|p| [[a, b], [b, a]].contains(p))?;
                let [up, down] = pairs[at];
                self.score_between(at, [Some(down), Some(up)], [a, b], n_features)
            }
        }
    }

    /// A score that decides between the labels below zero and from zero up, turned towards `a`.
    fn score_between(
        &self,
        score: usize,
        [down, up]: [Option<usize>; 2],
        [a, b]: [usize; 2],
        n_features: usize,
    ) -> Option<Plane> {
        let plane = || self.in_units(self.weights.row(score), self.intercepts[score], n_features);
        match (up? == a && down? == b, up? == b && down? == a) {
            (true, _) => Some(plane()),
            (_, true) => Some(plane().turned()),
            _ => None,
        }
    }

    /// Weights of scaled columns as those of features.
    fn in_units(&self, weights: &[f64], intercept: f64, n_features: usize) -> Plane {
        let mut plane = Plane { weights: vec![0.0; n_features], intercept };
        for (c, w) in self.columns.iter().zip(weights) {
            plane.weights[c.source] = w * c.factor;
            plane.intercept -= w * c.factor * c.shift;
        }
        plane
    }

    /// Of every feature the smallest and the largest value that the rule tells apart: values beyond count as the limits.
    pub(crate) fn limits(&self, n_features: usize) -> Vec<[f64; 2]> {
        let mut limits = vec![[f64::NEG_INFINITY, f64::INFINITY]; n_features];
        self.columns.iter().for_each(|c| limits[c.source] = [c.lo, c.hi]);
        limits
    }

    /// Whether a label is given exactly where it wins all of its pairs.
    pub(crate) fn is_won_by_pairs(&self) -> bool {
        !matches!(self.choice, LabelChoice::Votes { .. })
    }

    /// The label of one row of features.
    pub fn label(&self, row: &[f64]) -> i32 {
        let beyond = |c: &&Column| row[c.source] < c.lo || row[c.source] > c.hi;
        let outside = self.columns.iter().filter(beyond).count();
        if self.marks_outliers && 2 * outside > self.columns.len() {
            return -1;
        }
        let scale = |c: &Column| (row[c.source].max(c.lo).min(c.hi) - c.shift) * c.factor;
        let z: Vec<f64> = self.columns.iter().map(scale).collect();
        let score = |(r, b): (usize, &f64)| {
            self.weights.row(r).iter().zip(&z).map(|(w, z)| w * z).sum::<f64>() + b
        };
        let scores: Vec<f64> = self.intercepts.iter().enumerate().map(score).collect();
        self.choice.label(&scores) as i32
    }
}

impl LabelChoice {
    /// One score: label 1 from zero up, or with `swapped` sides label 0.
    pub fn sign(swapped: bool) -> Self {
        let sides = [usize::from(swapped), usize::from(!swapped)];
        Self::Tree { splits: vec![sides.map(Branch::Label)] }
    }

    fn label(&self, scores: &[f64]) -> usize {
        let first_best = |better: &dyn Fn(usize, usize) -> bool, k: usize| {
            (1..k).fold(0, |best, c| if better(c, best) { c } else { best })
        };
        match self {
            Self::Tree { splits } => {
                let mut at = if splits.is_empty() { Branch::Label(0) } else { Branch::Split(0) };
                while let Branch::Split(i) = at {
                    at = splits[i][usize::from(scores[i] >= 0.0)];
                }
                let Branch::Label(label) = at else { unreachable!("splits were followed") };
                label
            }
            Self::Largest => first_best(&|a, b| scores[a] > scores[b], scores.len()),
            Self::Votes { pairs, margin } => {
                let k = 1 + pairs.iter().flatten().copied().max().unwrap_or(0);
                let start = if *margin == VoteMargin::Worst { f64::INFINITY } else { 0.0 };
                let mut votes = vec![(0, start); k];
                for (&[up, down], &score) in pairs.iter().zip(scores) {
                    votes[if score >= 0.0 { up } else { down }].0 += 1;
                    for (label, own) in [(up, score), (down, -score)] {
                        let so_far = &mut votes[label].1;
                        *so_far = match margin {
                            VoteMargin::Worst => so_far.min(own),
                            VoteMargin::Sum => *so_far + own,
                        };
                    }
                }
                first_best(&|a, b| votes[a] > votes[b], k)
            }
        }
    }
}

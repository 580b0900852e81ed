//! The rule a fit ends with: a hyperplane, or a vote of pairwise hyperplanes in a few dimensions.

use crate::error::{Error, Result};
use crate::start::vote::{Ballot, Vote};
use separa_math::matrix::{Columns, Dense, Rows, project, project_into};

/// Labels rows of standardised features.
#[derive(Debug, Clone, PartialEq)]
pub enum MspcRule {
    /// Everything is cluster 0.
    One,
    /// Side 1 is where wᵀz + b ≥ 0; `swap` names the sides the other way round.
    Plane { w: Vec<f64>, b: f64, swap: bool },
    /// Most pairwise wins, then the better worst margin; `order[c]` is the vote's number of cluster c.
    Vote { basis: Dense, vote: Vote, order: Vec<usize> },
}

impl MspcRule {
    pub fn n_clusters(&self) -> usize {
        match self {
            Self::One => 1,
            Self::Plane { .. } => 2,
            Self::Vote { order, .. } => order.len(),
        }
    }

    /// Decision values as [`crate::Model::decision`] defines them.
    pub fn decision(&self, rows: &dyn Rows) -> Dense {
        match self {
            Self::One => {
                let mut out = Dense::zeros(rows.n_rows(), 1);
                out.data_mut().fill(-1.0);
                out
            }
            Self::Plane { w, b, swap } => {
                let mut out = plane_values(rows, w, *b);
                if *swap {
                    // A value of exactly 0 belongs to side 1 and must change its name as well.
                    out.iter_mut()
                        .for_each(|v| *v = if *v == 0.0 { -f64::MIN_POSITIVE } else { -*v });
                }
                Dense::from_vec(rows.n_rows(), 1, out).expect("one value a row")
            }
            Self::Vote { basis, vote, order } => {
                let y = project(rows, basis.view(), &vec![0.0; basis.rows()]);
                let scores = vote.scores(&y);
                let k = order.len();
                let mut out = Dense::zeros(rows.n_rows(), k);
                for (i, line) in out.data_mut().chunks_exact_mut(k).enumerate() {
                    line.iter_mut().zip(order).for_each(|(v, &c)| *v = scores[(i, c)]);
                }
                out
            }
        }
    }
}

/// A rule that labels a few rows at a time, again and again: what it needs is packed once.
pub struct Labeller<'a> {
    rule: &'a MspcRule,
    columns: Columns,
    ballot: Option<Ballot<'a>>,
    /// What the vote's numbers are called.
    names: Vec<i32>,
    values: Vec<f64>,
}

impl<'a> Labeller<'a> {
    pub fn new(rule: &'a MspcRule) -> Self {
        let (columns, ballot, order) = match rule {
            MspcRule::One => (Dense::zeros(0, 0), None, &[][..]),
            MspcRule::Plane { w, .. } => (line(w), None, &[][..]),
            MspcRule::Vote { basis, vote, order } => {
                (basis.clone(), Some(Ballot::new(vote)), &order[..])
            }
        };
        let mut names = vec![0; order.len()];
        order.iter().enumerate().for_each(|(name, &c)| names[c] = name as i32);
        Self { rule, columns: Columns::pack(columns.view()), ballot, names, values: Vec::new() }
    }

    /// Appends the labels of `n` contiguous rows: those that the decision values give.
    pub fn label(&mut self, n: usize, rows: &[f64], labels: &mut Vec<i32>) -> Result<()> {
        self.values.resize(n * self.columns.count(), 0.0);
        self.columns.dots(rows, &mut self.values);
        let start = labels.len();
        match (self.rule, &mut self.ballot) {
            (MspcRule::Plane { b, swap, .. }, _) => labels.extend(self.values.iter().map(|v| {
                let value = v + b;
                // A value of exactly 0 belongs to side 1, whatever the sides are called.
                let side = if *swap { value < 0.0 } else { value >= 0.0 };
                if value.is_nan() { i32::MIN } else { i32::from(side) }
            })),
            (_, Some(ballot)) => {
                let names = &self.names;
                let name = |c: Option<usize>| c.map_or(i32::MIN, |c| names[c]);
                ballot.winners(n, &self.values, |c| labels.push(name(c)));
            }
            _ => labels.resize(start + n, 0),
        }
        match labels[start..].iter().position(|label| *label == i32::MIN) {
            Some(i) => Err(Error::NotFinite { row: i + 1 }),
            None => Ok(()),
        }
    }
}

fn line(w: &[f64]) -> Dense {
    Dense::from_vec(1, w.len(), w.to_vec()).expect("one row of weights")
}

/// wᵀz + b for every row.
pub fn plane_values(rows: &dyn Rows, w: &[f64], b: f64) -> Vec<f64> {
    let mut out = vec![0.0; rows.n_rows()];
    project_into(rows, &Columns::pack(line(w).view()), &[b], &mut out);
    out
}

//! The fitted rule: a tree of separation functions over distances to training rows.

use super::bags::{Bagged, StoredBags, Things};
use super::source::each_line;
use crate::assign::mark_not_finite;
use crate::assign::tree::{self, Sides};
use crate::data::{Dataset, Grouping};
use crate::error::Result;
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::distance::{Measure, Pairs};
use separa_math::linalg::dot_lanes;
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored};
use separa_math::par;
use separa_math::scaling::Scaler;

/// f(x) = Σ coefⱼ d(x, xⱼ) against a threshold; coef is w/√m.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MscNode {
    /// The points that distances are taken to, by number.
    pub points: Vec<usize>,
    pub coef: Vec<f64>,
    pub threshold: f64,
    /// Where f < threshold, and where not.
    pub next: Sides,
}

impl MscNode {
    /// The same split seen from the other side.
    fn flip(&mut self) {
        self.coef.iter_mut().for_each(|c| *c = -*c);
        self.threshold = -self.threshold;
    }
}

/// What a row is measured against.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TrainingPoints {
    Rows {
        points: Stored,
        measure: Measure,
    },
    Bags(StoredBags),
    /// A new row holds its distances to this many training rows.
    Distances(usize),
}

/// A tree of splits. It holds the training rows that its distances are taken to: all of them, or the
/// landmarks.
#[derive(Debug, Clone, PartialEq)]
pub struct MscModel {
    pub(super) frame: TrainingPoints,
    /// Parents come before their children; none for one cluster.
    pub(super) nodes: Vec<MscNode>,
    /// What rows are scaled by before they are measured, for Gower's distance.
    pub(super) scaler: Option<Scaler>,
}

impl MscModel {
    /// Gives cluster `order[c]` the number c, and turns every split so that the cluster of least
    /// number is below.
    pub(super) fn renumber(&mut self, order: &[usize]) {
        tree::renumber(&mut self.nodes, order, |node| &mut node.next, MscNode::flip);
    }

    /// The distances to the hyperplane of every split.
    fn values(&self, things: Things<'_>) -> Dense {
        let (x, q) = (things.rows(), self.nodes.len());
        let mut out = Dense::zeros(things.n(), q);
        if q == 0 {
            return out;
        }
        let see = |own: &mut Vec<f64>, line: &[f64], out: &mut [f64]| {
            for (node, v) in self.nodes.iter().zip(out) {
                own.clear();
                own.extend(node.points.iter().map(|&j| line[j]));
                *v = dot_lanes(own, &node.coef) - node.threshold;
            }
        };
        match &self.frame {
            TrainingPoints::Bags(stored) => {
                let Things::Bags(new) = things else { unreachable!("checked by the caller") };
                let mut own = Vec::new();
                let see = |line: &[f64], out: &mut [f64]| see(&mut own, line, out);
                stored.each_line(new, out.data_mut(), q, see);
            }
            TrainingPoints::Rows { points, measure } => {
                let pairs = Pairs::new(*measure, &x, points);
                each_line(&pairs, points.n_rows(), out.data_mut(), q, see);
            }
            TrainingPoints::Distances(n) => par::fill_chunks(out.data_mut(), q, |range, out| {
                let (mut line, mut own) = (vec![0.0; *n], Vec::new());
                for (i, out) in range.zip(out.chunks_exact_mut(q)) {
                    x.copy_row(i, &mut line);
                    see(&mut own, &line, out);
                }
            }),
        }
        out
    }
}

impl Model for MscModel {
    fn n_features(&self) -> usize {
        match &self.frame {
            TrainingPoints::Rows { points, .. } => points.n_cols(),
            TrainingPoints::Bags(bags) => bags.cols(),
            TrainingPoints::Distances(n) => *n,
        }
    }

    fn n_clusters(&self) -> usize {
        self.nodes.len() + 1
    }

    /// Two clusters: the signed distance to the hyperplane, in the space of distances to m rows, over
    /// √m. More: for every cluster the least distance, signed towards it, on the way down to it.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_grouping(None)?;
        self.check_width(x)?;
        let scaled = self.scaler.as_ref().map(|scaler| scaler.stored(&x));
        let mut out = self.decide(Things::Rows(scaled.as_ref().map_or(x, Stored::matrix)));
        mark_not_finite(x, &mut out);
        Ok(out)
    }

    fn grouping(&self) -> Option<Grouping> {
        matches!(self.frame, TrainingPoints::Bags(_)).then_some(Grouping::Bags)
    }

    fn decision_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        self.check_grouping(data.grouping())?;
        match data.bags() {
            None => self.decision(data.x()),
            Some(extents) => {
                self.check_width(data.x())?;
                let scaled = self.scaler.as_ref().map(|scaler| scaler.stored(&data.x()));
                let x = scaled.as_ref().map_or(data.x(), Stored::matrix);
                Ok(self.decide(Things::Bags(Bagged { x, extents })))
            }
        }
    }

    fn tensors(&self) -> Tensors {
        self.store()
    }
}

impl MscModel {
    fn decide(&self, things: Things<'_>) -> Dense {
        let q = self.nodes.len();
        let width = if q < 2 { 1 } else { q + 1 };
        let mut out = Dense::zeros(things.n(), width);
        let values = self.values(things);
        par::fill_chunks(out.data_mut(), width, |range, out| {
            let mut way = vec![f64::INFINITY; q];
            for (i, out) in range.zip(out.chunks_exact_mut(width)) {
                if q < 2 {
                    // A single cluster is number 0: below.
                    out[0] = if q == 0 { -1.0 } else { values.row(i)[0] };
                } else {
                    let sides = self.nodes.iter().map(|node| &node.next);
                    tree::descend(sides, values.row(i), &mut way, out);
                }
            }
        });
        out
    }
}

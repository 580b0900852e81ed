//! The rule a fit ends with: a hyperplane, or a vote of pairwise hyperplanes in a few dimensions.

use crate::start::vote::Vote;
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

/// wᵀz + b for every row.
pub fn plane_values(rows: &dyn Rows, w: &[f64], b: f64) -> Vec<f64> {
    let direction = Dense::from_vec(1, w.len(), w.to_vec()).expect("one row of weights");
    let mut out = vec![0.0; rows.n_rows()];
    project_into(rows, &Columns::pack(direction.view()), &[b], &mut out);
    out
}

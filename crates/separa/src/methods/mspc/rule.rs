//! The rule a fit ends with: a hyperplane, or a vote of pairwise hyperplanes in a few dimensions.

use super::shared::Clusters;
use crate::error::Result;
use separa_math::linalg::dot;
use separa_math::matrix::{Columns, Dense, Rows, project, project_into};
use separa_math::optim::mpm;
use separa_math::par;

/// Labels rows of standardised features.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// Everything is cluster 0.
    One,
    /// Side 1 is where wᵀz + b ≥ 0; `swap` names the sides the other way round.
    Plane { w: Vec<f64>, b: f64, swap: bool },
    /// Most pairwise wins, then the better worst margin; `order[c]` is the vote's number of cluster c.
    Vote { basis: Dense, vote: Vote, order: Vec<usize> },
}

impl Rule {
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
                let k = order.len();
                let mut out = Dense::zeros(rows.n_rows(), k);
                par::fill_chunks(out.data_mut(), k, |range, part| {
                    let mut scores = vec![0.0; k];
                    for (i, line) in range.zip(part.chunks_exact_mut(k)) {
                        vote.scores(y.row(i), &mut scores);
                        line.iter_mut().zip(order).for_each(|(v, &c)| *v = scores[c]);
                    }
                });
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

/// All k(k−1)/2 minimax machines between clusters, in the discriminant space.
#[derive(Debug, Clone, PartialEq)]
pub struct Vote {
    k: usize,
    /// One row per pair i < j: weights, then the offset; side 1 (≥ 0) is cluster i.
    pairs: Dense,
    /// The smallest worst-case probability of all pairs.
    pub worst: f64,
}

impl Vote {
    /// Solves every pair of clusters that have rows.
    pub fn fit(clusters: &Clusters, k: usize, q: usize) -> Result<Self> {
        let mut pairs = Dense::zeros(k * (k - 1) / 2, q + 1);
        let mut worst = f64::INFINITY;
        for (r, (i, j)) in pairs_of(k).enumerate() {
            let row = pairs.row_mut(r);
            if clusters.n[i] > 0.0 && clusters.n[j] > 0.0 {
                let m = mpm::solve(clusters.side(i), clusters.side(j))?;
                row[..q].copy_from_slice(&m.w);
                row[q] = m.b;
                worst = worst.min(m.p());
            } else {
                // A cluster without rows wins nothing.
                row[q] = if clusters.n[i] > 0.0 { 1.0 } else { -1.0 };
            }
        }
        Ok(Self { k, pairs, worst })
    }

    pub fn from_parts(k: usize, pairs: Dense) -> Self {
        Self { k, pairs, worst: f64::NAN }
    }

    pub fn pairs(&self) -> &Dense {
        &self.pairs
    }

    /// Wins plus a fraction in (0, 1) that rises with the cluster's worst margin.
    pub fn scores(&self, y: &[f64], out: &mut [f64]) {
        let q = y.len();
        let mut worst = [f64::INFINITY; 64];
        let mut many = vec![f64::INFINITY; if self.k > 64 { self.k } else { 0 }];
        let worst = if self.k > 64 { &mut many[..] } else { &mut worst[..self.k] };
        out.fill(0.0);
        let mut r = 0;
        for i in 0..self.k {
            for j in i + 1..self.k {
                let rule = self.pairs.row(r);
                let value = dot(&rule[..q], y) + rule[q];
                out[if value >= 0.0 { i } else { j }] += 1.0;
                worst[i] = worst[i].min(value);
                worst[j] = worst[j].min(-value);
                r += 1;
            }
        }
        for (score, w) in out.iter_mut().zip(worst) {
            // Strictly inside (0, 1): a margin never outweighs a win.
            *score += 0.5 + 0.99 * w.atan() / std::f64::consts::PI;
        }
    }

    /// The winner of every row of discriminant coordinates.
    pub fn winners(&self, y: &Dense) -> Vec<u32> {
        let mut out = vec![0; y.rows()];
        par::fill_chunks(&mut out, 1, |range, part| {
            let mut scratch = vec![0.0; self.k];
            for (i, label) in range.zip(part) {
                *label = self.winner(y.row(i), &mut scratch);
            }
        });
        out
    }

    /// The winner of every standardised row.
    pub fn labels(&self, rows: &dyn Rows, basis: &Dense) -> Vec<u32> {
        self.winners(&project(rows, basis.view(), &vec![0.0; basis.rows()]))
    }

    /// The first of the largest scores.
    fn winner(&self, y: &[f64], scratch: &mut [f64]) -> u32 {
        self.scores(y, scratch);
        let mut best = 0;
        for c in 1..self.k {
            if scratch[c] > scratch[best] {
                best = c;
            }
        }
        best as u32
    }
}

fn pairs_of(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..k).flat_map(move |i| (i + 1..k).map(move |j| (i, j)))
}

//! The rule a fit ends with: a hyperplane, or a vote of pairwise hyperplanes in a few dimensions.

use super::shared::Clusters;
use crate::error::Result;
use rayon::prelude::*;
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
    /// Solves every pair of clusters that have rows, in parallel.
    pub fn fit(clusters: &Clusters, k: usize, q: usize) -> Result<Self> {
        let solve = |&(i, j): &(usize, usize)| -> Result<(Vec<f64>, f64)> {
            if clusters.n[i] > 0.0 && clusters.n[j] > 0.0 {
                let m = mpm::solve(clusters.side(i), clusters.side(j))?;
                let p = m.p();
                return Ok(([m.w, vec![m.b]].concat(), p));
            }
            // A cluster without rows wins nothing.
            let mut row = vec![0.0; q + 1];
            row[q] = if clusters.n[i] > 0.0 { 1.0 } else { -1.0 };
            Ok((row, f64::INFINITY))
        };
        let both: Vec<(usize, usize)> = pairs_of(k).collect();
        let solved: Vec<(Vec<f64>, f64)> = both.par_iter().map(solve).collect::<Result<_>>()?;
        let worst = solved.iter().map(|(_, p)| *p).fold(f64::INFINITY, f64::min);
        let rows: Vec<f64> = solved.into_iter().flat_map(|(row, _)| row).collect();
        Ok(Self { k, pairs: Dense::from_vec(both.len(), q + 1, rows)?, worst })
    }

    pub fn from_parts(k: usize, pairs: Dense) -> Self {
        Self { k, pairs, worst: f64::NAN }
    }

    pub fn pairs(&self) -> &Dense {
        &self.pairs
    }

    pub fn n_clusters(&self) -> usize {
        self.k
    }

    /// The pair rules packed for rows of discriminant coordinates: value ≥ 0 is a win for i.
    fn packed(&self) -> (Columns, Vec<f64>) {
        let q = self.pairs.cols() - 1;
        let mut weights = Dense::zeros(self.pairs.rows(), q);
        for r in 0..self.pairs.rows() {
            weights.row_mut(r).copy_from_slice(&self.pairs.row(r)[..q]);
        }
        (Columns::pack(weights.view()), self.pairs.column(q))
    }

    /// Calls `put` with the wins and the worst margins of every row of a chunk.
    fn count(
        &self,
        rules: &Columns,
        offsets: &[f64],
        y: &[f64],
        mut put: impl FnMut(usize, &[u32], &[f64]),
    ) {
        let pairs = self.pairs.rows();
        let rows = y.len() / (self.pairs.cols() - 1);
        let mut values = vec![0.0; rows * pairs];
        rules.dots(y, &mut values);
        let (mut wins, mut worst) = (vec![0u32; self.k], vec![0.0; self.k]);
        for (r, line) in values.chunks_exact(pairs).enumerate() {
            wins.fill(0);
            worst.fill(f64::INFINITY);
            let mut p = 0;
            for i in 0..self.k {
                for j in i + 1..self.k {
                    let value = line[p] + offsets[p];
                    wins[if value >= 0.0 { i } else { j }] += 1;
                    worst[i] = lower(value, worst[i]);
                    worst[j] = lower(-value, worst[j]);
                    p += 1;
                }
            }
            put(r, &wins, &worst);
        }
    }

    /// Decision values: wins plus a fraction strictly inside (0, 1) that rises with the cluster's
    /// worst margin, so that a margin never outweighs a win. One line a row, one entry a cluster.
    pub fn scores(&self, y: &Dense) -> Dense {
        let (k, q) = (self.k, y.cols());
        let (rules, offsets) = self.packed();
        let mut out = Dense::zeros(y.rows(), k);
        par::fill_chunks(out.data_mut(), k, |range, part| {
            let rows = &y.data()[range.start * q..range.end * q];
            self.count(&rules, &offsets, rows, |r, wins, worst| {
                for c in 0..k {
                    let margin = 0.5 + 0.99 * worst[c].atan() / std::f64::consts::PI;
                    part[r * k + c] = f64::from(wins[c]) + margin;
                }
            });
        });
        out
    }

    /// The winner of every row of discriminant coordinates: most wins, then the better worst
    /// margin, then the first.
    pub fn winners(&self, y: &Dense) -> Vec<u32> {
        let q = y.cols();
        let (rules, offsets) = self.packed();
        let mut out = vec![0; y.rows()];
        par::fill_chunks(&mut out, 1, |range, part| {
            let rows = &y.data()[range.start * q..range.end * q];
            self.count(&rules, &offsets, rows, |r, wins, worst| {
                let better = |a: usize, b: usize| (wins[a], worst[a]) > (wins[b], worst[b]);
                part[r] =
                    (1..self.k).fold(0, |best, c| if better(c, best) { c } else { best }) as u32;
            });
        });
        out
    }

    /// The winner of every standardised row.
    pub fn labels(&self, rows: &dyn Rows, basis: &Dense) -> Vec<u32> {
        self.winners(&project(rows, basis.view(), &vec![0.0; basis.rows()]))
    }
}

/// The lower of two values; one that is not a number stays, so that its row is noticed.
fn lower(value: f64, than: f64) -> f64 {
    if value >= than { than } else { value }
}

/// All i < j below k, in order.
pub fn pairs_of(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..k).flat_map(move |i| (i + 1..k).map(move |j| (i, j)))
}

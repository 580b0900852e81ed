//! A vote of pairwise hyperplanes in a few dimensions.

use super::standardised::Clusters;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::matrix::{Columns, Dense, Rows, project};
use separa_math::optim::mpm;
use separa_math::par;

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

    /// Decision values: half of a cluster's worst margin. A row that wins all its pairs leads by its margin in the closest
    /// of them, which is 0 on the boundary. If no cluster wins all of its pairs, the winner is put just above the rest.
    /// One line a row, one entry a cluster.
    pub fn scores(&self, y: &Dense) -> Dense {
        let (k, q) = (self.k, y.cols());
        let (rules, offsets) = self.packed();
        let mut out = Dense::zeros(y.rows(), k);
        par::fill_chunks(out.data_mut(), k, |range, part| {
            let rows = &y.data()[range.start * q..range.end * q];
            self.count(&rules, &offsets, rows, |r, wins, worst| {
                let line = &mut part[r * k..(r + 1) * k];
                line.iter_mut().zip(worst).for_each(|(score, worst)| *score = 0.5 * worst);
                let first = winner(wins, worst);
                let others = (0..k).filter(|c| *c != first).map(|c| line[c]);
                let best = others.fold(f64::NEG_INFINITY, f64::max);
                if line[first] <= best {
                    line[first] = best.next_up();
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
                part[r] = winner(wins, worst) as u32;
            });
        });
        out
    }

    /// The winner of every standardised row.
    pub fn labels(&self, rows: &dyn Rows, basis: &Dense) -> Vec<u32> {
        self.winners(&project(rows, basis.view(), &vec![0.0; basis.rows()]))
    }
}

/// The cluster with most wins, then with the better worst margin, then the first.
fn winner(wins: &[u32], worst: &[f64]) -> usize {
    let better = |a: usize, b: usize| (wins[a], worst[a]) > (wins[b], worst[b]);
    (1..wins.len()).fold(0, |best, c| if better(c, best) { c } else { best })
}

/// The lower of two values; one that is not a number stays, so that its row is noticed.
fn lower(value: f64, than: f64) -> f64 {
    if value >= than { than } else { value }
}

/// All i < j below k, in order.
pub fn pairs_of(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..k).flat_map(move |i| (i + 1..k).map(move |j| (i, j)))
}

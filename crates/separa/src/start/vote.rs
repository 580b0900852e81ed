//! A vote of pairwise hyperplanes in a few dimensions.

use super::standardised::Clusters;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::matrix::{Columns, Dense, Rows, fma, project};
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

/// Rows that are voted on side by side.
const LANES: usize = 8;

type Lanes = [f64; LANES];

/// A vote on a few rows at a time, again and again: the winners of [`Vote::winners`] without anything in memory but
/// the votes of LANES rows, in lanes.
pub struct Ballot<'a> {
    vote: &'a Vote,
    coordinates: Vec<Lanes>,
    wins: Vec<Lanes>,
    worst: Vec<Lanes>,
}

impl<'a> Ballot<'a> {
    pub fn new(vote: &'a Vote) -> Self {
        let lanes = |n| vec![[0.0; LANES]; n];
        let q = vote.pairs.cols() - 1;
        Self { vote, coordinates: lanes(q), wins: lanes(vote.k), worst: lanes(vote.k) }
    }

    /// Calls `put` with the winner of each of `n` rows of discriminant coordinates, in their order; `None` if margins of
    /// a row are not numbers.
    pub fn winners(&mut self, n: usize, y: &[f64], mut put: impl FnMut(Option<usize>)) {
        let q = self.coordinates.len();
        for first in (0..n).step_by(LANES) {
            let few = LANES.min(n - first);
            let rows = &y[first * q..(first + few) * q];
            for (j, lanes) in self.coordinates.iter_mut().enumerate() {
                let places = lanes[..few].iter_mut().zip(rows[j..].iter().step_by(q));
                places.for_each(|(lane, v)| *lane = *v);
            }
            self.count();
            let best = self.best();
            best[..few].iter().for_each(|c| put(Some(*c as usize).filter(|_| !c.is_nan())));
        }
    }

    /// Wins and worst margins of the rows in the lanes.
    fn count(&mut self) {
        self.wins.fill([0.0; LANES]);
        self.worst.fill([f64::INFINITY; LANES]);
        let q = self.coordinates.len();
        for (p, (i, j)) in pairs_of(self.vote.k).enumerate() {
            let (weights, offset) = self.vote.pairs.row(p).split_at(q);
            let mut value = [0.0; LANES];
            for (w, y) in weights.iter().zip(&self.coordinates) {
                value = each(|l| fma(y[l], *w, value[l]));
            }
            let value = each(|l| value[l] + offset[0]);
            let won = each(|l| if value[l] >= 0.0 { 1.0 } else { 0.0 });
            let ([a, b], [x, y]) = ([self.wins[i], self.wins[j]], [self.worst[i], self.worst[j]]);
            self.wins[i] = each(|l| a[l] + won[l]);
            self.wins[j] = each(|l| b[l] + (1.0 - won[l]));
            self.worst[i] = each(|l| lower(value[l], x[l]));
            self.worst[j] = each(|l| lower(-value[l], y[l]));
        }
    }

    /// The winner in each lane; NaN where margins are.
    fn best(&self) -> Lanes {
        let (mut best, mut wins, mut worst) = ([0.0; LANES], self.wins[0], self.worst[0]);
        for (c, (w, o)) in self.wins.iter().zip(&self.worst).enumerate().skip(1) {
            let level = |l: usize| (w[l] == wins[l]) & (o[l] > worst[l]);
            let better: [bool; LANES] = std::array::from_fn(|l| (w[l] > wins[l]) | level(l));
            best = each(|l| if better[l] { c as f64 } else { best[l] });
            wins = each(|l| if better[l] { w[l] } else { wins[l] });
            worst = each(|l| if better[l] { o[l] } else { worst[l] });
        }
        for margins in &self.worst {
            best = each(|l| if margins[l].is_nan() { f64::NAN } else { best[l] });
        }
        best
    }
}

/// Whole lanes at a time, from copies: in loops over places in memory the compiler falls back to scalars (three times
/// slower).
#[inline(always)]
fn each(f: impl Fn(usize) -> f64) -> Lanes {
    std::array::from_fn(f)
}

/// The cluster with most wins, then with the better worst margin, then the first.
fn winner(wins: &[u32], worst: &[f64]) -> usize {
    let better = |a: usize, b: usize| (wins[a], worst[a]) > (wins[b], worst[b]);
    (1..wins.len()).fold(0, |best, c| if better(c, best) { c } else { best })
}

/// The lower of two values; one that is not a number stays, so that its row is noticed.
#[inline(always)]
fn lower(value: f64, than: f64) -> f64 {
    if value >= than { than } else { value }
}

/// All i < j below k, in order.
pub fn pairs_of(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..k).flat_map(move |i| (i + 1..k).map(move |j| (i, j)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::rng::Rng;

    fn random(rows: usize, cols: usize, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let data = (0..rows * cols).map(|_| rng.normal()).collect();
        Dense::from_vec(rows, cols, data).expect("it has this shape")
    }

    #[test]
    fn a_ballot_has_the_winners_of_the_vote_for_any_number_of_rows() {
        for k in [2, 3, 5, 9] {
            let q = k - 1;
            let mut pairs = random(k * (k - 1) / 2, q + 1, k as u64);
            // Two pairs that every row ties in.
            pairs.row_mut(0).fill(0.0);
            let last = pairs.rows() - 1;
            pairs.row_mut(last).fill(0.0);
            let vote = Vote::from_parts(k, pairs);
            let mut ballot = Ballot::new(&vote);
            for n in [0, 1, 7, 8, 9, 300] {
                let y = random(n, q, 100 + n as u64);
                let mut found = Vec::new();
                ballot.winners(n, y.data(), |c| found.push(c.expect("numbers") as u32));
                assert_eq!(found, vote.winners(&y), "k = {k}, {n} rows");
            }
        }
    }

    #[test]
    fn a_row_whose_margins_are_no_numbers_wins_nothing() {
        let vote = Vote::from_parts(3, random(3, 3, 1));
        let mut found = Vec::new();
        Ballot::new(&vote).winners(2, &[f64::NAN, 0.0, 1.0, 2.0], |c| found.push(c.is_some()));
        assert_eq!(found, [false, true]);
    }
}

//! Lloyd's iterations in the space of a kernel, by its matrix alone.
//!
//! A centre is the weighted mean of its members' images: c = Σⱼ wⱼ·φ(xⱼ)/W. So
//! ‖φ(xᵢ) − c‖² = Kᵢᵢ − 2·Fᵢc/W + Q_c/W² with Fᵢc = Σⱼ wⱼ·Kᵢⱼ and Q_c = Σᵢ wᵢ·Fᵢc over the members.

use crate::report::Stop;
use separa_math::linalg::{SymMatrix, SymOp};
use separa_math::matrix::Dense;
use separa_math::par;

/// A row belongs to no centre.
pub(super) const NONE: u32 = u32::MAX;
/// Changed rows that are read together.
const BATCH: usize = 64;
/// A row this near to its centre, relative to its own length, is the centre up to rounding.
const COINCIDES: f64 = 1e-12;

/// The kernel of all pairs of rows, and the rows' weights, all positive.
pub(super) struct KernelSpace<'a> {
    pub gram: &'a SymMatrix,
    pub diagonal: Vec<f64>,
    pub weights: &'a [f64],
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub max_iter: usize,
    pub tol: f64,
}

/// Where the iterations came to rest.
#[derive(Debug)]
pub(super) struct KernelKMeansRun {
    /// The partition whose means are the centres.
    pub members: Vec<u32>,
    /// ‖c‖² of each.
    pub squares: Vec<f64>,
    pub objective: f64,
    pub iterations: usize,
    pub stop: Stop,
    pub trace: Vec<f64>,
}

/// Centres as means of their members.
struct Centres {
    members: Vec<u32>,
    /// Row c: F of centre c.
    sums: Dense,
    mass: Vec<f64>,
    squares: Vec<f64>,
}

/// The nearest centre of every row and the squared distance to it.
struct Nearest {
    labels: Vec<u32>,
    distances: Vec<f64>,
}

impl<'a> KernelSpace<'a> {
    pub fn new(gram: &'a SymMatrix, weights: &'a [f64]) -> Self {
        let diagonal = (0..gram.n()).map(|i| gram.get(i, i)).collect();
        Self { gram, diagonal, weights }
    }

    /// The first row whose image is too long to be summed.
    pub fn overflow(&self) -> Option<(usize, f64)> {
        let fits = |v: &f64| v.abs() < 1e200;
        self.diagonal.iter().position(|v| !fits(v)).map(|i| (i, self.diagonal[i]))
    }

    /// Iterations of "nearest centre, then mean", from the means of `members`.
    pub fn lloyd(
        &self,
        members: Vec<u32>,
        k: usize,
        limits: Limits,
        watch: &mut dyn FnMut(usize, f64, usize) -> bool,
    ) -> KernelKMeansRun {
        let mut centres = self.centres(members, k);
        let mut before = Vec::new();
        let (mut stop, mut trace) = (Stop::MaxIter, Vec::<f64>::new());
        while trace.len() < limits.max_iter {
            // Nearest centre.
            let mut near = self.nearest(&centres);
            let objective = self.total(&near.distances);
            let labels = near.labels.iter().zip(&centres.members);
            let changed = labels.filter(|(a, b)| a != b).count();
            let fell = trace.last().map_or(f64::INFINITY, |last| last - objective);
            if fell < -1e-9 * objective.abs() {
                // Only a kernel that is no inner product lets a mean be worse than what it is of.
                centres = self.centres(before, k);
                stop = Stop::Stalled;
                break;
            }
            trace.push(objective);
            if watch(trace.len(), objective, changed) {
                stop = Stop::Cancelled;
                break;
            }
            // Empty clusters take the farthest rows.
            let repaired = self.repair(&mut near, k);
            if changed == 0 && !repaired {
                stop = Stop::Converged;
                break;
            }
            // Means.
            before.clone_from(&centres.members);
            self.move_to(&mut centres, near.labels);
            if fell <= limits.tol * objective.abs() && !repaired {
                stop = Stop::Converged;
                break;
            }
        }
        let objective = self.settle(&mut centres, k);
        let Centres { members, squares, .. } = centres;
        KernelKMeansRun { members, squares, objective, iterations: trace.len(), stop, trace }
    }

    /// Gives centres that lost all their rows in the last move a row, and returns the objective.
    fn settle(&self, centres: &mut Centres, k: usize) -> f64 {
        let mut near = self.nearest(centres);
        for _ in 0..k + 8 {
            if !self.repair(&mut near, k) {
                break;
            }
            self.move_to(centres, near.labels);
            near = self.nearest(centres);
        }
        self.total(&near.distances)
    }

    pub fn total(&self, distances: &[f64]) -> f64 {
        distances.iter().zip(self.weights).map(|(d, w)| w * d).sum()
    }

    fn centres(&self, members: Vec<u32>, k: usize) -> Centres {
        let n = self.gram.n();
        let mut indicator = Dense::zeros(k, n);
        for (i, &c) in members.iter().enumerate().filter(|(_, c)| **c != NONE) {
            indicator[(c as usize, i)] = self.weights[i];
        }
        let mut sums = Dense::zeros(k, n);
        self.gram.apply_rows(indicator.data(), sums.data_mut());
        let mut centres = Centres { members, sums, mass: vec![0.0; k], squares: vec![0.0; k] };
        self.weigh(&mut centres);
        centres
    }

    /// The mass and ‖c‖² of every centre.
    fn weigh(&self, centres: &mut Centres) {
        let Centres { members, sums, mass, squares } = centres;
        mass.fill(0.0);
        squares.fill(0.0);
        for (i, &c) in members.iter().enumerate().filter(|(_, c)| **c != NONE) {
            mass[c as usize] += self.weights[i];
            squares[c as usize] += self.weights[i] * sums[(c as usize, i)];
        }
        squares.iter_mut().zip(mass).filter(|(_, m)| **m > 0.0).for_each(|(s, m)| *s /= *m * *m);
    }

    /// The means of other labels: few changed rows are moved one by one.
    fn move_to(&self, centres: &mut Centres, labels: Vec<u32>) {
        let n = labels.len();
        let changed: Vec<usize> = (0..n).filter(|&i| labels[i] != centres.members[i]).collect();
        let scattered = centres.members.contains(&NONE);
        if scattered || 8 * changed.len() > n {
            *centres = self.centres(labels, centres.mass.len());
            return;
        }
        for batch in changed.chunks(BATCH) {
            let mut rows = Dense::zeros(batch.len(), n);
            par::fill_chunks(rows.data_mut(), n, |range, part| {
                for (r, row) in range.zip(part.chunks_exact_mut(n)) {
                    self.gram.copy_row(batch[r], row);
                }
            });
            for (r, &i) in batch.iter().enumerate() {
                let (from, to, w) = (centres.members[i], labels[i], self.weights[i]);
                add(centres.sums.row_mut(from as usize), rows.row(r), -w);
                add(centres.sums.row_mut(to as usize), rows.row(r), w);
            }
        }
        centres.members = labels;
        self.weigh(centres);
    }

    fn nearest(&self, centres: &Centres) -> Nearest {
        let n = self.gram.n();
        let k = centres.mass.len();
        let mut found = vec![(0, 0.0); n];
        par::fill_chunks(&mut found, 1, |range, part| {
            for (i, out) in range.zip(part) {
                let distance = |c: usize| {
                    self.diagonal[i] - 2.0 * centres.sums[(c, i)] / centres.mass[c]
                        + centres.squares[c]
                };
                let mut best = (NONE, f64::INFINITY);
                for c in (0..k).filter(|&c| centres.mass[c] > 0.0) {
                    let d = distance(c);
                    if d < best.1 {
                        best = (c as u32, d);
                    }
                }
                *out = best;
            }
        });
        let (labels, distances) = found.into_iter().unzip();
        Nearest { labels, distances }
    }

    /// Gives each cluster without rows the row farthest from its centre, the lowest of equals, out of
    /// a cluster that keeps another. False where nothing was moved.
    fn repair(&self, near: &mut Nearest, k: usize) -> bool {
        let mut count = vec![0; k];
        near.labels.iter().for_each(|&c| count[c as usize] += 1);
        let mut moved = false;
        for cluster in (0..k).filter(|&c| count[c] == 0).collect::<Vec<_>>() {
            let mut farthest: Option<usize> = None;
            for (i, &d) in near.distances.iter().enumerate() {
                if count[near.labels[i] as usize] >= 2
                    && farthest.is_none_or(|f| d > near.distances[f])
                {
                    farthest = Some(i);
                }
            }
            let apart = |i: &usize| near.distances[*i] > COINCIDES * self.diagonal[*i].abs();
            let Some(i) = farthest.filter(apart) else { break };
            count[near.labels[i] as usize] -= 1;
            count[cluster] += 1;
            near.labels[i] = cluster as u32;
            near.distances[i] = 0.0;
            moved = true;
        }
        moved
    }
}

fn add(out: &mut [f64], row: &[f64], w: f64) {
    out.iter_mut().zip(row).for_each(|(o, v)| *o += w * v);
}

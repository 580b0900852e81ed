//! Lloyd's algorithm.
//!
//! Problem   min Σᵢ wᵢ ‖xᵢ − c(i)‖²  over k centres, each row with its nearest.
//! Given     rows, weights, starting centres.      Returns  centres, labels, inertia: a local minimum.
//! Cost      n·d·k an iteration; rows that cannot change their label are not read.
//! See       Lloyd (1982); the tolerance is scikit-learn's.

use super::iteration::{Partition, squares};
use super::seeding::Seeding;
use super::spread::Spread;
use crate::matrix::{Dense, Rows};
use crate::par;
use crate::rng::Rng;

/// A row this near to its centre, relative to the row's length, is the centre up to rounding.
const COINCIDES: f64 = 1e-12;

/// Where k-means came to rest.
///
/// `labels` are the nearest of `centers` for every row. Each of the k centres has a row where the
/// table holds k distinct rows of positive weight; with fewer, some centres are unused: no label
/// names them.
#[derive(Debug, Clone)]
pub struct KMeansRun {
    /// One row per cluster.
    pub centers: Dense,
    /// The nearest centre of each row.
    pub labels: Vec<u32>,
    /// Σ wᵢ ‖xᵢ − c(i)‖².
    pub inertia: f64,
    /// Passes over the rows.
    pub iterations: usize,
    /// Whether the run came to rest; false where a limit or the caller ended it.
    pub converged: bool,
    /// The inertia of each iteration, before the centres move.
    pub trace: Vec<f64>,
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Passes at most.
    pub max_iter: usize,
    /// Done when the squared shift of the centres is at most this multiple of the variance.
    pub tol: f64,
}

/// Hears (iteration, inertia, labels changed) after each iteration; true stops the run.
pub type OnIteration<'a> = dyn FnMut(usize, f64, usize) -> bool + 'a;

/// Asked between restarts; true ends them.
pub type Pause<'a> = dyn FnMut() -> bool + 'a;

/// How often, how long and from where.
#[derive(Debug, Clone, Copy)]
pub struct Restarts {
    /// How many restarts.
    pub n_init: usize,
    /// Of each restart.
    pub limits: Limits,
    /// Restart i draws from stream i of this seed.
    pub seed: u64,
}

/// The best of `n_init` greedy k-means++ initializations: number i draws from stream (seed, i). A later initialization
/// must be better by more than rounding, so ties keep the first.
///
/// Methods restart in the library's driver (`driver::best_of`), which reports every initialization to an observer. This loop
/// is for k-means as a step within something else, such as an initialization or a count of clusters: it has no
/// observer, no report and no error, so that the driver would be more than the loop.
pub fn kmeans(
    rows: &dyn Rows,
    weights: Option<&[f64]>,
    k: usize,
    Restarts { n_init, limits, seed }: Restarts,
    pause: &mut Pause<'_>,
) -> KMeansRun {
    let table = KMeansData::new(rows, weights);
    let mut best: Option<KMeansRun> = None;
    for index in 0..n_init.max(1) {
        let centers = table.seed(k, Seeding::Greedy, &mut Rng::new(seed, index as u64));
        let run = table.lloyd(centers, limits, &mut |_, _, _| false);
        if best.as_ref().is_none_or(|b| clearly_less(run.inertia, b.inertia)) {
            best = Some(run);
        }
        if pause() {
            break;
        }
    }
    let mut best = best.expect("at least one initialization is run");
    best.inertia = table.exact_inertia(&best.labels, &best.centers);
    best
}

/// Less by more than rounding, so that equal results count as equal.
pub fn clearly_less(a: f64, b: f64) -> bool {
    a < b * (1.0 - 1e-12)
}

/// Rows, weights and what every restart needs to know of them.
#[allow(missing_debug_implementations)]
pub struct KMeansData<'a> {
    /// The table.
    pub rows: &'a dyn Rows,
    /// One per row; all 1 if None.
    pub weights: Option<&'a [f64]>,
    /// How far the rows lie from their mean.
    pub spread: Spread,
}

impl<'a> KMeansData<'a> {
    /// One pass over the rows.
    pub fn new(rows: &'a dyn Rows, weights: Option<&'a [f64]>) -> Self {
        Self { rows, weights, spread: Spread::of(rows, weights) }
    }

    /// Iterations of "nearest centre, then mean" until no label changes, the centres rest
    /// (Σ‖shift‖² ≤ tol · mean variance of the columns), or a limit is met.
    pub fn lloyd(
        &self,
        mut centers: Dense,
        limits: Limits,
        watch: &mut OnIteration<'_>,
    ) -> KMeansRun {
        let mut state = Partition::new(self.rows, self.weights, centers.rows(), Some(&self.spread));
        let (mut converged, mut settled, mut iterations) = (false, false, 0);
        let mut trace = Vec::new();
        while iterations < limits.max_iter {
            iterations += 1;
            // Nearest centre.
            let changed = state.assign(&centers);
            trace.push(self.inertia(&state, &centers));
            if watch(iterations, trace[iterations - 1], changed) {
                break;
            }
            // Empty clusters take the farthest rows.
            let repaired = self.repair(&mut state, &centers);
            if changed == 0 && !repaired {
                (converged, settled) = (true, true);
                break;
            }
            // Means.
            let shift = move_to_means(&state, &mut centers);
            if shift <= limits.tol * self.spread.variance() && !repaired {
                converged = true;
                break;
            }
        }
        if !settled {
            self.settle(&mut state, &mut centers);
        }
        let inertia = self.inertia(&state, &centers);
        KMeansRun { centers, labels: state.into_labels(), inertia, iterations, converged, trace }
    }

    /// Labels for centres that have just moved. Where that leaves a centre without rows, it goes to
    /// the farthest row; each such move lowers the inertia, so a few suffice.
    fn settle(&self, state: &mut Partition<'_>, centers: &mut Dense) {
        for _ in 0..centers.rows() + 8 {
            state.assign(centers);
            if !self.repair(state, centers) {
                return;
            }
            move_to_means(state, centers);
        }
        state.assign(centers);
    }

    /// Gives each cluster without rows (of positive weight) the row farthest from its centre, the
    /// lowest of equals, out of a cluster that keeps another. False where nothing was moved: all
    /// clusters have rows, or every row lies on its centre.
    fn repair(&self, state: &mut Partition<'_>, centers: &Dense) -> bool {
        let empty: Vec<u32> =
            (0..centers.rows() as u32).filter(|&c| state.tally().count[c as usize] == 0).collect();
        if empty.is_empty() {
            return false;
        }
        let squares = squares(self.rows, state.labels(), centers);
        let mut moved = false;
        for cluster in empty {
            let mut farthest: Option<usize> = None;
            for (i, &square) in squares.iter().enumerate() {
                let donor = state.labels()[i] as usize;
                if self.weights.is_none_or(|w| w[i] > 0.0)
                    && state.tally().count[donor] >= 2
                    && farthest.is_none_or(|f| square > squares[f])
                {
                    farthest = Some(i);
                }
            }
            let Some(i) = farthest.filter(|&i| !self.coincides(i, squares[i])) else { break };
            state.relabel(i, cluster);
            moved = true;
        }
        moved
    }

    fn coincides(&self, i: usize, square: f64) -> bool {
        let mut row = vec![0.0; self.rows.n_cols()];
        self.rows.copy_row(i, &mut row);
        square <= COINCIDES * COINCIDES * row.iter().map(|x| x * x).sum::<f64>()
    }

    /// Σ w‖x − c‖² without a pass over the rows: T − Σ_c (2δ·(S − Wr) − W‖δ‖²) with δ = c − r about the
    /// reference r, S and W the sums of the cluster. By differences where little is left of T.
    fn inertia(&self, state: &Partition<'_>, centers: &Dense) -> f64 {
        let (tally, reference) = (state.tally(), self.spread.reference());
        let mut explained = 0.0;
        for c in 0..centers.rows() {
            let lines = centers.row(c).iter().zip(tally.sums.row(c)).zip(reference);
            explained += lines
                .map(|((x, s), r)| {
                    let delta = x - r;
                    delta * (2.0 * (s - tally.mass[c] * r) - tally.mass[c] * delta)
                })
                .sum::<f64>();
        }
        let rest = self.spread.total() - explained;
        if rest > 1e-6 * self.spread.total() {
            return rest;
        }
        self.exact_inertia(state.labels(), centers)
    }

    /// Σ w‖x − c‖² by differences: one pass, no digits lost.
    pub fn exact_inertia(&self, labels: &[u32], centers: &Dense) -> f64 {
        let squares = squares(self.rows, labels, centers);
        let part = |range: std::ops::Range<usize>| -> f64 {
            range.map(|i| self.weights.map_or(1.0, |w| w[i]) * squares[i]).sum()
        };
        par::chunks(squares.len(), par::CHUNK).map(part).sum()
    }
}

/// Moves each centre to the mean of its rows, where it has any; returns Σ‖shift‖².
fn move_to_means(state: &Partition<'_>, centers: &mut Dense) -> f64 {
    let tally = state.tally();
    let mut shift = 0.0;
    for c in (0..centers.rows()).filter(|&c| tally.count[c] > 0) {
        for (x, s) in centers.row_mut(c).iter_mut().zip(tally.sums.row(c)) {
            let mean = s / tally.mass[c];
            shift += (mean - *x) * (mean - *x);
            *x = mean;
        }
    }
    shift
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { max_iter: 100, tol: 0.0 };

    fn restarts(n_init: usize, seed: u64) -> Restarts {
        Restarts { n_init, limits: LIMITS, seed }
    }

    fn line(values: &[f64]) -> Dense {
        Dense::from_vec(values.len(), 1, values.to_vec()).unwrap()
    }

    #[test]
    fn an_empty_cluster_takes_the_farthest_row_the_lowest_of_equals() {
        let x = line(&[0.0, 1.0, 12.0, 30.0, -30.0]);
        let table = KMeansData::new(&x, None);
        // The third centre is nearest to no row.
        let mut rounds = Vec::new();
        let run = table.lloyd(line(&[0.0, 12.0, 1e6]), LIMITS, &mut |_, inertia, changed| {
            rounds.push((inertia, changed));
            false
        });
        // The first iteration: {0, 1, −30}, {12, 30}; −30 is 30 from its centre, 30 only 18.
        assert_eq!(rounds[0], (1.0 + 900.0 + 324.0, 5));
        assert_eq!(run.labels, [0, 0, 1, 1, 2]);
        assert_eq!(run.centers.data(), [0.5, 21.0, -30.0]);
        assert!(run.converged && run.iterations == 2);
        let equal = line(&[0.0, -5.0, 5.0]);
        let run =
            KMeansData::new(&equal, None).lloyd(line(&[0.0, 1e6]), LIMITS, &mut |_, _, _| false);
        assert_eq!(run.labels, [0, 1, 0]);
    }

    #[test]
    fn rows_without_weight_are_labelled_but_move_nothing() {
        let x = line(&[0.0, 1.0, 10.0, 11.0, 500.0]);
        let weights = [1.0, 1.0, 1.0, 1.0, 0.0];
        let run = kmeans(&x, Some(&weights), 2, restarts(3, 0), &mut || false);
        assert_eq!(run.inertia, 1.0);
        assert_eq!(run.labels[4], run.labels[3]);
        let mut centers = run.centers.into_vec();
        centers.sort_by(f64::total_cmp);
        assert_eq!(centers, [0.5, 10.5]);
    }

    #[test]
    fn fewer_distinct_rows_than_centres_leave_some_unused() {
        // 0.1 + 0.1 + 0.1 is not 3 · 0.1: a mean of equal rows may differ from them by rounding.
        let x = line(&[0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 0.7]);
        for k in 2..6 {
            let run = kmeans(&x, None, k, restarts(2, 1), &mut || false);
            let used: std::collections::BTreeSet<u32> = run.labels.iter().copied().collect();
            assert!(used.len() == 2 && run.converged);
            assert!(run.inertia < 1e-30);
        }
    }

    #[test]
    fn the_cheap_inertia_equals_the_exact_one() {
        let mut rng = Rng::new(2, 0);
        for offset in [0.0, 1e6] {
            let data = (0..3000).map(|_| offset + rng.normal()).collect();
            let x = Dense::from_vec(1000, 3, data).unwrap();
            let table = KMeansData::new(&x, None);
            let run =
                table.lloyd(table.seed(4, Seeding::Random, &mut rng), LIMITS, &mut |_, _, _| false);
            let exact = table.exact_inertia(&run.labels, &run.centers);
            // The sums of a table at 1e6 keep ten digits of what is left of them.
            assert!((run.inertia / exact - 1.0).abs() < if offset > 0.0 { 1e-8 } else { 1e-12 });
            assert_eq!(run.trace.len(), run.iterations);
        }
    }
}

//! Pairs of the rows that are nearest to moving, all others as they are.

use super::{Descent, row_times};
use crate::linalg::SymRows;
use crate::matrix::{MatrixRef, Rows};
use crate::optim::svm_smo::rows::KernelRows;
use crate::optim::svm_smo::start::Point;
use crate::optim::svm_smo::{Smo, SvmOptions, SvmSolution};

/// Rows that are paired first: so many for each column, within these limits; twice as many every turn, to
/// the upper one. Inside their boxes are seldom more rows than columns and one, but passes may not have
/// told which.
const EACH: usize = 2;
const LEAST: usize = 100;
const MOST: usize = 1000;
/// The violation that is left among the rows of the first turn; each turn leaves a tenth of the last.
pub(super) const FIRST: f64 = 1e-4;
const LEAST_TOL: f64 = 1e-12;
/// Steps of one turn at most.
const STEPS: usize = 200_000;
/// Steps of all turns together, for each row that can be paired: where boxes are so large that rounding decides, more
/// of them lead nowhere.
const STEPS_EACH: usize = 20_000;

/// Steps that all turns of a problem of `n` rows have together.
pub(super) fn steps(n: usize) -> usize {
    STEPS_EACH * n.min(MOST)
}

/// How many rows are paired in the first turn.
pub(super) fn rows(columns: usize) -> usize {
    (EACH * (columns + 1)).clamp(LEAST, MOST)
}

impl Descent<'_> {
    /// From a point with Σβ = 0, which it keeps.
    pub(super) fn pair_up(&mut self, at: &SvmSolution) {
        let rows = self.nearest_to_move(at);
        let pick = |from: &[f64]| rows.iter().map(|&i| from[i]).collect();
        let point = Point { beta: pick(&at.beta), scores: pick(&at.scores) };
        let dual = self.dual.part(&rows);
        let products = Products { x: self.x, rows: &rows, squares: &self.squares };
        let cached = 16 * rows.len() * rows.len();
        let kernel = KernelRows::new(&products, cached);
        let mut smo = Smo::new(&products, &dual, kernel, point);
        let max_steps = STEPS.min(self.steps_left);
        smo.run(self.tol, &SvmOptions { max_steps, ..SvmOptions::default() });
        self.steps_left -= smo.steps.min(max_steps);
        let beta = std::mem::take(&mut smo.point.beta);
        drop(smo);
        rows.iter().zip(beta).for_each(|(&i, x)| self.set(i, x));
        self.tol = (0.1 * self.tol).max(LEAST_TOL);
        self.paired = (2 * self.paired).min(MOST);
    }

    /// Those whose gradient pushes them least against where they are, in order.
    fn nearest_to_move(&self, at: &SvmSolution) -> Vec<usize> {
        let push = |i: usize| {
            let (down, up) = self.dual.slopes(i, at.beta[i]);
            let f = at.scores[i] + at.b;
            (f + up).min(-f - down)
        };
        let mut ranked: Vec<(f64, usize)> = (0..at.beta.len()).map(|i| (push(i), i)).collect();
        let count = self.paired.min(ranked.len());
        if count < ranked.len() {
            ranked.select_nth_unstable_by(count, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let mut rows: Vec<usize> = ranked[..count].iter().map(|r| r.1).collect();
        rows.sort_unstable();
        rows
    }
}

/// XXᵀ of some rows, made on demand.
struct Products<'a> {
    x: MatrixRef<'a>,
    rows: &'a [usize],
    /// Of all rows.
    squares: &'a [f64],
}

impl SymRows for Products<'_> {
    fn size(&self) -> usize {
        self.rows.len()
    }
    fn diagonal(&self, out: &mut [f64]) {
        out.iter_mut().zip(self.rows).for_each(|(o, &i)| *o = self.squares[i]);
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        let mut row = vec![0.0; self.x.cols()];
        self.x.copy_row(self.rows[i], &mut row);
        out.iter_mut().zip(self.rows).for_each(|(o, &j)| *o = row_times(self.x, j, &row));
    }
}

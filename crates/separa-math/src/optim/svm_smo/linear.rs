//! The same dual for the linear kernel: one row at a time, in time of the table for a pass.
//!
//! Problem   as [`super`], with K = XXᵀ.
//! Given     the rows of X, dense or sparse; any β to begin with.
//! Returns   w = Xᵀβ beside the solution.
//! Cost      a pass reads every row that takes part once; memory for β and w. No row of K is made.
//! See       Hsieh, Chang, Lin, Keerthi & Sundararajan (2008) for the steps and the rows left out;
//!           Hestenes (1969) and Powell (1969) for the multiplier.
//!
//! A step along one coordinate would leave Σβ = 0. So that is asked for by a multiplier b, which is the
//! bias, and a penalty ½ρ(Σβ)², and b moves by ρΣβ after each pass. ρ is the mean ‖x‖²: the bias then
//! weighs as much as one more column.
//!
//! Passes soon tell most rows to their boxes' ends. The few that are left inside, or hold a bound on f,
//! have a Gram matrix that may be near singular, and would take hundreds of passes to agree: they are
//! moved by pairs instead, all other rows as they are ([`near`]).
//!
//! Where columns are nearly as many as rows all rows may be inside, and pairs agree slowly too: 800 overlapping
//! rows of 300 columns have a gap of 3e-6 after 300 passes. `gap` and `converged` say what was reached.

mod near;

use super::dual::{Dual, same_length};
use super::finish::Finish;
use super::front::Front;
use super::start::Point;
use super::{Extremes, SvmSolution};
use crate::error::Result;
use crate::interrupt;
use crate::linalg::dot_lanes;
use crate::matrix::MatrixRef;
use crate::par;
use crate::rng::Rng;

/// When the search ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearOptions {
    /// Done where the duality gap is at most this fraction of the primal value.
    pub gap: f64,
    /// Passes over the rows at most.
    pub max_passes: usize,
    /// Of the order of the rows.
    pub seed: u64,
}

impl Default for LinearOptions {
    fn default() -> Self {
        Self { gap: 1e-6, max_passes: 2000, seed: 0 }
    }
}

/// A solution and its plane.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSvm {
    /// Normal of the hyperplane.
    pub w: Vec<f64>,
    /// Its scores are Xw, its steps are passes.
    pub solution: SvmSolution,
}

/// Passes between two looks at the gap; the rows left out are included again with each.
const WINDOW: usize = 10;

/// Solves from β and a bias, or from nothing.
pub fn solve_linear(
    x: MatrixRef<'_>,
    dual: &Dual,
    start: Option<(&[f64], f64)>,
    options: &LinearOptions,
) -> Result<LinearSvm> {
    let n = dual.size();
    same_length("rows of the dual", n, x.rows())?;
    let mut descent = Descent::new(x, dual);
    if let Some((beta, b)) = start {
        descent.b = b;
        same_length("start", beta.len(), n)?;
        beta.iter().enumerate().for_each(|(i, v)| descent.set(i, dual.inside(i, *v)));
    }
    let mut rng = Rng::new(options.seed, 0x6c69);
    let (mut passes, mut paired) = (0, true);
    loop {
        let end = descent.look();
        let met = end.solution.gap <= options.gap * (end.solution.gap - end.solution.objective);
        if met || passes >= options.max_passes {
            let LinearSvm { w, solution } = end;
            return Ok(LinearSvm {
                w,
                solution: SvmSolution { steps: passes, converged: met, ..solution },
            });
        }
        if !paired && descent.steps_left > 0 {
            descent.pair_up(&end.solution);
            paired = true;
            continue;
        }
        if passes > 0 {
            descent.b = end.solution.b;
        }
        descent.run(WINDOW, &mut rng);
        (passes, paired) = (passes + WINDOW, false);
    }
}

struct Descent<'a> {
    x: MatrixRef<'a>,
    dual: &'a Dual,
    squares: Vec<f64>,
    beta: Vec<f64>,
    w: Vec<f64>,
    /// Σβ, the multiplier and the penalty.
    sum: f64,
    b: f64,
    rho: f64,
    order: Vec<usize>,
    /// How exact the next pairs are, and of how many rows.
    tol: f64,
    paired: usize,
    /// Steps that pairs still have.
    steps_left: usize,
}

impl<'a> Descent<'a> {
    fn new(x: MatrixRef<'a>, dual: &'a Dual) -> Self {
        let n = x.rows();
        let squares: Vec<f64> =
            (0..n).map(|i| dot_lanes(x.row_values(i), x.row_values(i))).collect();
        let mean = squares.iter().sum::<f64>() / n.max(1) as f64;
        let rho = if mean > 0.0 { mean } else { 1.0 };
        let (beta, w, order) = (vec![0.0; n], vec![0.0; x.cols()], (0..n).collect());
        let paired = near::rows(x.cols());
        let (tol, steps_left) = (near::FIRST, near::steps(n));
        Self { x, dual, squares, beta, w, sum: 0.0, b: 0.0, rho, order, tol, paired, steps_left }
    }

    fn set(&mut self, i: usize, to: f64) {
        let step = to - self.beta[i];
        if step != 0.0 {
            add_row(self.x, i, step, &mut self.w);
            self.beta[i] = to;
            self.sum += step;
        }
    }

    /// Some passes in an order of their own each; rows that rest at an end and are pushed against it
    /// by more than any row moved in the pass before are left out of the next.
    fn run(&mut self, passes: usize, rng: &mut Rng) {
        self.order = (0..self.beta.len()).collect();
        let mut moved = f64::INFINITY;
        for _ in 0..passes {
            rng.shuffle(&mut self.order);
            let (mut most, mut kept) = (0.0_f64, 0);
            for at in 0..self.order.len() {
                if at % 256 == 0 {
                    interrupt::check();
                }
                let i = self.order[at];
                let f = row_times(self.x, i, &self.w) + self.b + self.rho * self.sum;
                let old = self.beta[i];
                let curvature = self.squares[i] + self.rho;
                let new = self.dual.nearest(i, old, f, curvature);
                let (down, up) = self.dual.slopes(i, old);
                let rests = new == old && (f + up > moved || f + down < -moved);
                self.set(i, new);
                most = most.max((new - old).abs() * curvature);
                if !rests {
                    self.order[kept] = i;
                    kept += 1;
                }
            }
            self.order.truncate(kept);
            self.b += self.rho * self.sum;
            moved = most;
        }
    }

    /// Brings Σβ to 0 and reads the solution off.
    fn look(&mut self) -> LinearSvm {
        self.balance();
        let n = self.beta.len();
        let mut scores = vec![0.0; n];
        par::fill_chunks(&mut scores, 1, |rows, out| {
            rows.zip(out).for_each(|(i, s)| *s = row_times(self.x, i, &self.w));
        });
        let (down, up) = (0..n).map(|i| self.dual.slopes(i, self.beta[i])).unzip();
        let (rows, diagonal) = ((0..n).collect(), self.squares.clone());
        let front = Front { rows, score: scores.clone(), down, up, diagonal };
        let point = Point { beta: self.beta.clone(), scores };
        let end = Finish::of(self.dual, &point, &front);
        let extremes: Extremes = front.extremes();
        let solution = SvmSolution {
            b: end.b,
            objective: end.objective,
            gap: end.gap,
            violation: extremes.violation(),
            pressure: end.pressure,
            steps: 0,
            converged: false,
            beta: point.beta,
            scores: point.scores,
        };
        LinearSvm { w: self.w.clone(), solution }
    }

    /// What is left of Σβ goes to rows inside their boxes first, an equal part each, then to any.
    fn balance(&mut self) {
        let n = self.beta.len();
        for inside in [true, false] {
            let ends = |s: &Self, i: usize| (s.dual.low[i], s.dual.high[i]);
            let room = |s: &Self, i: usize| {
                let (low, high) = ends(s, i);
                if s.sum > 0.0 { s.beta[i] - low } else { high - s.beta[i] }
            };
            let takes = |s: &Self, i: usize| {
                let (low, high) = ends(s, i);
                room(s, i) > 0.0 && (!inside || (s.beta[i] > low && s.beta[i] < high))
            };
            let mut rows: Vec<usize> = (0..n).filter(|&i| takes(self, i)).collect();
            // The tightest first: each takes its fraction of the rest or all it can.
            rows.sort_by(|&a, &b| room(self, a).total_cmp(&room(self, b)));
            for (at, &i) in rows.iter().enumerate() {
                let share = self.sum / (rows.len() - at) as f64;
                let (low, high) = ends(self, i);
                let end = if share > 0.0 { low } else { high };
                let all = share.abs() >= room(self, i);
                self.set(i, if all { end } else { self.beta[i] - share });
            }
        }
        // The rest is rounding.
        self.sum = self.beta.iter().sum();
    }
}

fn row_times(x: MatrixRef<'_>, i: usize, w: &[f64]) -> f64 {
    match x {
        MatrixRef::Dense(x) => dot_lanes(x.row(i), w),
        MatrixRef::Sparse(x) => {
            let (columns, values) = x.row(i);
            columns.iter().zip(values).map(|(&j, v)| v * w[j as usize]).sum()
        }
    }
}

/// w ← w + by · xᵢ.
fn add_row(x: MatrixRef<'_>, i: usize, by: f64, w: &mut [f64]) {
    match x {
        MatrixRef::Dense(x) => w.iter_mut().zip(x.row(i)).for_each(|(w, v)| *w += by * v),
        MatrixRef::Sparse(x) => {
            let (columns, values) = x.row(i);
            columns.iter().zip(values).for_each(|(&j, v)| w[j as usize] += by * v);
        }
    }
}

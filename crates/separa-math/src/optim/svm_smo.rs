//! The dual of a support vector machine, by sequential minimal optimisation.
//!
//! Problem   min ½βᵀKβ + Σ hᵢ(βᵢ)  s.t.  Σβᵢ = 0, with hᵢ(β) = qᵢβ on a box of its own for each row;
//!           outside of it hᵢ is infinite, or of slope ±B ([`Dual`]).
//! Given     K by its rows ([`SymRows`]); it need not be semidefinite. Any start ([`Start`]).
//! Returns   β, Kβ, the bias b of f = Kβ + b, the value, the duality gap.
//! Cost      two rows of K and two passes over the rows that take part for a step; a warm start costs a
//!           row for each βᵢ ≠ 0, or for each that changes where Kβ is given.
//! See       Platt (1998); Fan, Chen & Lin (2005), JMLR 6, for the choice of the pair; Joachims (1998)
//!           for shrinking.
//!
//! The C-SVM  min ½‖w‖² + Σ cᵢ max(0, 1 − yᵢfᵢ)  has q = −y and β = yα with 0 ≤ αᵢ ≤ cᵢ: signs are in β,
//! so the labels appear in the boxes only and a changed label changes nothing else. With a finite
//! B the primal has |fᵢ| ≤ B too. The primal value falls with B at the rate [`SvmSolution::pressure`],
//! so a free B with a price μ has pressure = μ: a search in one variable, each step from the last.
//!
//! A step moves mass from j to i: i has the least gradient of those that may grow, j the best gain
//! by second order. Where the curvature is not positive the step goes to the end of its segment, so
//! the value never rises. From time to time rows that no violating pair holds are left out; before
//! the end all are looked at again, with scores anew from what has changed since.

mod dual;
mod finish;
mod front;
mod linear;
mod rows;
mod start;
mod watch;

pub use dual::Dual;
pub use linear::{LinearOptions, LinearSvm, solve_linear};
pub use start::Start;

use crate::error::Result;
use crate::interrupt;
use crate::linalg::SymRows;
use dual::same_length;
use finish::Finish;
use front::{Extremes, Front};
use rows::KernelRows;
use start::Point;
use watch::Watch;

/// When the search ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SvmOptions {
    /// Done where max{gⱼ : βⱼ may fall} − min{gᵢ : βᵢ may grow} ≤ tol; g is in units of f.
    pub tol: f64,
    /// And where the duality gap is at most this fraction of the primal value, for K semidefinite.
    pub gap: f64,
    /// Pairs of variables changed at most.
    pub max_steps: usize,
    /// Steps between two looks for rows to leave out; `usize::MAX` keeps all.
    pub shrink_every: usize,
    /// Memory for kernel rows that are not stored as they are needed.
    pub cache_bytes: usize,
}

impl Default for SvmOptions {
    fn default() -> Self {
        Self {
            tol: 1e-3,
            gap: f64::INFINITY,
            max_steps: 10_000_000,
            shrink_every: 1000,
            cache_bytes: 200 << 20,
        }
    }
}

/// Where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub struct SvmSolution {
    /// yα for classes.
    pub beta: Vec<f64>,
    /// Kβ; the decision values are Kβ + b.
    pub scores: Vec<f64>,
    /// Of the biases that are best for this β the nearest to the multiplier of Σβ = 0.
    pub b: f64,
    /// ½βᵀKβ + Σ hᵢ(βᵢ): the negative of the dual's value in its usual form.
    pub objective: f64,
    /// The primal value at (β, b) plus `objective`; where |f| is bounded f is first scaled into the
    /// bound. Not below 0 but by rounding for K semidefinite, without meaning otherwise.
    pub gap: f64,
    /// max{gⱼ : βⱼ may fall} − min{gᵢ : βᵢ may grow}, or 0.
    pub violation: f64,
    /// Σ of the multipliers of |f| ≤ B.
    pub pressure: f64,
    /// Pairs of variables changed.
    pub steps: usize,
    /// False where the steps were used up, or lost in rounding, first.
    pub converged: bool,
}

/// Solves from `start`, or from β = 0.
pub fn solve(
    kernel: &dyn SymRows,
    dual: &Dual,
    start: Option<&Start<'_>>,
    options: &SvmOptions,
) -> Result<SvmSolution> {
    same_length("rows of the dual", dual.size(), kernel.size())?;
    let mut rows = KernelRows::new(kernel, options.cache_bytes);
    let point = match start {
        Some(start) => Point::near(start, dual, &mut rows)?,
        None => Point::zero(dual.size()),
    };
    let mut smo = Smo::new(kernel, dual, rows, point);
    let mut tol = options.tol;
    loop {
        let converged = smo.run(tol, options);
        let end = Finish::of(dual, &smo.point, &smo.front);
        let wide = end.gap > options.gap * end.primal().abs();
        if converged && wide && tol > LEAST_TOL {
            tol *= 0.25;
            continue;
        }
        return Ok(SvmSolution {
            b: end.b,
            objective: end.objective,
            gap: end.gap,
            violation: smo.extremes.violation(),
            pressure: end.pressure,
            steps: smo.steps,
            converged: converged && !wide,
            beta: smo.point.beta,
            scores: smo.point.scores,
        });
    }
}

/// No tolerance is made smaller than this in search of a smaller gap.
const LEAST_TOL: f64 = 1e-13;
/// Curvatures are at least this fraction of the largest Kᵢᵢ.
const FLAT: f64 = 1e-12;

struct Smo<'a> {
    dual: &'a Dual,
    rows: KernelRows<'a>,
    /// While some rows are left out, β is current here but the scores are those of `told`.
    point: Point,
    told: Vec<f64>,
    diagonal: Vec<f64>,
    front: Front,
    extremes: Extremes,
    floor: f64,
    steps: usize,
    /// By how much the value fell in all.
    fallen: f64,
}

impl<'a> Smo<'a> {
    fn new(kernel: &dyn SymRows, dual: &'a Dual, rows: KernelRows<'a>, point: Point) -> Self {
        let mut diagonal = vec![0.0; dual.size()];
        kernel.diagonal(&mut diagonal);
        let top = diagonal.iter().fold(f64::MIN_POSITIVE, |top: f64, v| top.max(v.abs()));
        let (front, told) = (Front::default(), Vec::new());
        let extremes = front.extremes();
        let floor = (FLAT * top).max(f64::MIN_POSITIVE);
        let (steps, fallen) = (0, 0.0);
        let mut smo =
            Self { dual, rows, point, told, diagonal, front, extremes, floor, steps, fallen };
        smo.all_take_part();
        smo
    }

    /// Steps until the violation over all rows is at most `tol`. False where that is not reached.
    fn run(&mut self, tol: f64, options: &SvmOptions) -> bool {
        let mut every = options.shrink_every;
        let (mut next, mut near) = (self.steps.saturating_add(every), false);
        let mut watch = Watch::new(self);
        let done = loop {
            let violation = self.extremes.violation();
            if violation <= tol {
                if self.told.is_empty() {
                    break true;
                }
                self.widen();
                next = self.steps + 1;
                continue;
            }
            if self.steps >= options.max_steps {
                break false;
            }
            if self.steps >= next {
                // Rows left out early were judged by a rough point: look at them once near the end.
                if !near && violation <= 10.0 * tol {
                    near = true;
                    self.widen();
                }
                self.shrink();
                next = self.steps.saturating_add(every);
            }
            if watch.is_lost(self, violation) || !self.step() {
                if self.told.is_empty() {
                    break false;
                }
                // The rest is rounding, but only for the rows that take part.
                self.widen();
                (every, next, watch) = (usize::MAX, usize::MAX, Watch::new(self));
            }
        };
        self.widen();
        self.point.scores.clone_from(&self.front.score);
        done
    }

    /// One pair. False where rounding swallows the step.
    fn step(&mut self) -> bool {
        interrupt::check();
        let pair = self.extremes;
        let i = self.front.rows[pair.to];
        let take = self.rows.fetch(i);
        let Some(from) = self.front.giver(pair, self.rows.row(take), self.floor) else {
            return false;
        };
        let j = self.front.rows[from];
        let slope = self.front.score[from] + self.front.down[from] - pair.least;
        let cross = self.rows.row(take)[from];
        let curvature = self.front.diagonal[pair.to] + self.front.diagonal[from] - 2.0 * cross;
        let give = self.rows.fetch(j);
        let (x, y) = (self.point.beta[i], self.point.beta[j]);
        // Ends are met exactly, or a rest of rounding would be moved for ever.
        let (grow, fall) = (self.dual.ends(i, x).1 - x, y - self.dual.ends(j, y).0);
        let mass = (slope / curvature.max(self.floor)).min(grow).min(fall);
        let to_x = if mass >= grow { self.dual.ends(i, x).1 } else { x + mass };
        let to_y = if mass >= fall { self.dual.ends(j, y).0 } else { y - mass };
        if !mass.is_finite() || (to_x == x && to_y == y) {
            return false;
        }
        for (place, row, x) in [(pair.to, i, to_x), (from, j, to_y)] {
            self.point.beta[row] = x;
            (self.front.down[place], self.front.up[place]) = self.dual.slopes(row, x);
        }
        self.extremes = self.front.shift(mass, self.rows.row(take), self.rows.row(give));
        self.fallen += mass * (slope - 0.5 * curvature * mass);
        self.steps += 1;
        true
    }

    /// Sets rows aside.
    fn shrink(&mut self) {
        let keep = self.front.kept(self.extremes);
        if keep.len() * 3 > self.front.len() * 2 {
            return;
        }
        if self.told.is_empty() {
            self.point.scores.clone_from(&self.front.score);
            self.told.clone_from(&self.point.beta);
        }
        self.front.narrow(&keep);
        self.rows.narrow(&self.front.rows, &keep);
        self.extremes = self.front.extremes();
    }

    /// Takes all rows back, with their scores brought up to date.
    fn widen(&mut self) {
        if self.told.is_empty() {
            return;
        }
        let now = std::mem::replace(&mut self.point.beta, std::mem::take(&mut self.told));
        self.rows.widen();
        for (i, x) in now.into_iter().enumerate() {
            self.point.set(i, x, &mut self.rows);
        }
        self.all_take_part();
    }

    fn all_take_part(&mut self) {
        let n = self.dual.size();
        let slopes = self.point.beta.iter().enumerate().map(|(i, &x)| self.dual.slopes(i, x));
        let (down, up) = slopes.unzip();
        self.front = Front {
            rows: (0..n).collect(),
            score: self.point.scores.clone(),
            down,
            up,
            diagonal: self.diagonal.clone(),
        };
        self.extremes = self.front.extremes();
    }
}

#[cfg(test)]
mod tests;

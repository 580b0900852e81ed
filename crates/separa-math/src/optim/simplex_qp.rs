//! A quadratic programme on the simplex.
//!
//! Problem   min ½xᵀAx + bᵀx  s.t.  0 ≤ x ≤ cap, 1ᵀx = 1.
//! Given     A by its rows ([`SymRows`]), b, a feasible start. A need not be semidefinite.
//! Returns   x, the value, and the KKT gap max{gᵢ : xᵢ > 0} − min{gⱼ : xⱼ < cap} with g = Ax + b.
//! Cost      two rows and O(n) a step; at the ends one pass over the rows of the support.
//! See       Platt (1998); Fan, Chen & Lin (2005) for the second-order choice of the pair.
//!
//! A step moves mass from i to j. It takes the receiver j of the least gradient and the giver i with
//! which the value falls most, ends of the segment and curvature included: where the curvature along
//! eⱼ − eᵢ is not positive, the best point is the far end. The value never rises. For A semidefinite
//! on 1⊥ the gap bounds the distance to the optimal value. Otherwise a point without a gap can still
//! have a pair that gains at the far end of its segment, across a hump: the last pass looks for one
//! and goes on from there, so that at the end no move between two variables gains more than the gap.

use super::row_cache::RowCache;
use crate::interrupt;
use crate::linalg::{SymRows, dot};

/// When the search ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimplexQpOptions {
    /// The largest x; infinite for the plain simplex.
    pub cap: f64,
    /// Done at a gap ≤ tol · max(|(Ax)ᵢ| + |bᵢ|), taken at the start.
    pub tol: f64,
    /// Pairs of variables changed at most.
    pub max_steps: usize,
    /// Rows of A that are kept where A makes them anew every time.
    pub cache_rows: usize,
}

impl Default for SimplexQpOptions {
    fn default() -> Self {
        Self { cap: f64::INFINITY, tol: 1e-8, max_steps: 1_000_000, cache_rows: 256 }
    }
}

/// Where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub struct SimplexQpSolution {
    /// A point of the simplex.
    pub x: Vec<f64>,
    /// The objective at `x`.
    pub value: f64,
    /// How far the optimality conditions are from being met.
    pub gap: f64,
    /// Pairs of variables changed.
    pub steps: usize,
    /// False where the steps were used up first.
    pub converged: bool,
}

/// Solves from `start`, which must be feasible.
pub fn solve(
    a: &dyn SymRows,
    b: &[f64],
    start: &[f64],
    options: &SimplexQpOptions,
) -> SimplexQpSolution {
    let mut smo = Smo::new(a, b, start, options);
    let done = options.tol * smo.scale;
    let (mut steps, mut converged) = (0, false);
    while steps < options.max_steps {
        interrupt::check();
        let (receiver, gap) = smo.receiver();
        let pair = if gap > done { smo.giver(receiver) } else { smo.jump(done) };
        let Some(pair) = pair else {
            converged = gap <= done;
            break;
        };
        smo.shift(pair);
        steps += 1;
    }
    let (_, gap) = smo.receiver();
    let value = 0.5 * (dot(&smo.x, &smo.g) + dot(&smo.x, b));
    SimplexQpSolution { x: smo.x, value, gap, steps, converged }
}

/// Mass on its way from one variable to another.
#[derive(Debug, Clone, Copy)]
struct Pair {
    from: usize,
    to: usize,
    mass: f64,
}

struct Smo<'a> {
    rows: RowCache<'a>,
    diagonal: Vec<f64>,
    x: Vec<f64>,
    /// Ax + b.
    g: Vec<f64>,
    cap: f64,
    /// What a gradient is measured against.
    scale: f64,
}

impl<'a> Smo<'a> {
    fn new(a: &'a dyn SymRows, b: &[f64], start: &[f64], options: &SimplexQpOptions) -> Self {
        let n = a.size();
        let mut diagonal = vec![0.0; n];
        a.diagonal(&mut diagonal);
        let mut rows = RowCache::new(a, options.cache_rows);
        let mut g = vec![0.0; n];
        for i in (0..n).filter(|&i| start[i] != 0.0) {
            let place = rows.fetch(i);
            g.iter_mut().zip(rows.row(place)).for_each(|(g, v)| *g += start[i] * v);
        }
        let scale = g.iter().zip(b).fold(0.0, |top: f64, (g, b)| top.max(g.abs() + b.abs()));
        g.iter_mut().zip(b).for_each(|(g, b)| *g += b);
        Self { rows, diagonal, x: start.to_vec(), g, cap: options.cap, scale }
    }

    /// Of the variables that may grow the one of the least gradient, and the gap.
    fn receiver(&self) -> (usize, f64) {
        let (mut to, mut low, mut high) = (0, f64::INFINITY, f64::NEG_INFINITY);
        for (j, (&g, &x)) in self.g.iter().zip(&self.x).enumerate() {
            if x < self.cap && g < low {
                (to, low) = (j, g);
            }
            if x > 0.0 && g > high {
                high = g;
            }
        }
        // All at the cap: the one feasible point.
        (to, if low.is_finite() { (high - low).max(0.0) } else { 0.0 })
    }

    /// The giver with which the value falls most.
    fn giver(&mut self, to: usize) -> Option<Pair> {
        let place = self.rows.fetch(to);
        let row = self.rows.row(place);
        let (room, mine) = (self.cap - self.x[to], self.diagonal[to]);
        let (mut best, mut fall) = (None, 0.0);
        for i in 0..self.x.len() {
            let slope = self.g[i] - self.g[to];
            if slope <= 0.0 || self.x[i] <= 0.0 {
                continue;
            }
            let (end, curvature) = (self.x[i].min(room), self.diagonal[i] + mine - 2.0 * row[i]);
            let mass = if curvature * end > slope { slope / curvature } else { end };
            let this = mass * (slope - 0.5 * curvature * mass);
            if this > fall {
                (best, fall) = (Some(Pair { from: i, to, mass }), this);
            }
        }
        best
    }

    /// A pair that gains more than `least` at the far end of its segment, though not at the near one.
    fn jump(&mut self, least: f64) -> Option<Pair> {
        let n = self.x.len();
        for from in 0..n {
            if self.x[from] <= 0.0 {
                continue;
            }
            let place = self.rows.fetch(from);
            let row = self.rows.row(place);
            let (mut best, mut fall) = (None, least);
            for to in 0..n {
                let curvature = self.diagonal[from] + self.diagonal[to] - 2.0 * row[to];
                if curvature >= 0.0 || to == from {
                    continue;
                }
                let mass = self.x[from].min(self.cap - self.x[to]);
                let this = mass * (self.g[from] - self.g[to] - 0.5 * curvature * mass);
                if this > fall {
                    (best, fall) = (Some(Pair { from, to, mass }), this);
                }
            }
            if best.is_some() {
                return best;
            }
        }
        None
    }

    fn shift(&mut self, Pair { from, to, mass }: Pair) {
        let (give, take) = (self.rows.fetch(from), self.rows.fetch(to));
        let (give, take) = (self.rows.row(give), self.rows.row(take));
        for ((g, a), b) in self.g.iter_mut().zip(take).zip(give) {
            *g += mass * (a - b);
        }
        let (room, all) = (self.cap - self.x[to], mass >= self.x[from]);
        // Ends are met exactly, or a rest of rounding would be moved for ever.
        self.x[from] = if all { 0.0 } else { self.x[from] - mass };
        self.x[to] = if mass >= room { self.cap } else { self.x[to] + mass };
    }
}

#[cfg(test)]
mod tests;

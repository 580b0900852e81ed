//! A smooth function of many variables.
//!
//! Problem   min f(x), x free.
//! Given     f and its gradient as one closure, a first point. f need not be convex, and may be infinite or
//!           not a number somewhere on the way.
//! Returns   the last point, where f is not above any before (but for rounding).
//! Cost      one or two evaluations an iteration, and 4·memory·n multiply-adds.
//! See       Liu & Nocedal (1989); Nocedal & Wright (2006), Algorithms 7.4 and 3.5.
//!
//! Steps satisfy the strong Wolfe conditions where the line search finds such a point; where it finds
//! only a lower one, that is taken, and the pair enters the memory if its curvature is positive.

mod asked;
mod line;

pub use asked::AskedLbfgs;

use crate::linalg::dot_lanes;
use line::{Line, Ray};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// When a minimisation ends and what it remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LbfgsOptions {
    /// Pairs of steps and gradients that make up the metric.
    pub memory: usize,
    /// Done where max|∂f/∂xⱼ| ≤ tol.
    pub tol: f64,
    /// Iterations at most.
    pub max_iter: usize,
    /// A step ends where the slope is at most this fraction of the first; near 0 for exact searches.
    pub curvature: f64,
}

impl Default for LbfgsOptions {
    fn default() -> Self {
        Self { memory: 10, tol: 1e-6, max_iter: 1000, curvature: 0.9 }
    }
}

/// A point on the way.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Iterations so far.
    pub iterations: usize,
    /// f(x).
    pub value: f64,
    /// max|∂f/∂xⱼ|
    pub gradient: f64,
    /// The point.
    pub x: &'a [f64],
}

/// Where a minimisation ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// The point.
    pub x: Vec<f64>,
    /// f(x).
    pub value: f64,
    /// max|∂f/∂xⱼ|
    pub gradient: f64,
    /// Iterations taken.
    pub iterations: usize,
    /// Calls of f.
    pub calls: usize,
    /// Whether the gradient is within `tol`; false where the iterations were used up, the observer
    /// stopped, or no lower point was found.
    pub converged: bool,
}

/// Minimises `f`, which returns the value and writes the gradient. `observe` sees the start and
/// every iteration and may stop.
pub fn minimise(
    mut f: impl FnMut(&[f64], &mut [f64]) -> f64,
    start: Vec<f64>,
    options: &LbfgsOptions,
    mut observe: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Minimum {
    let mut at = Point { gradient: vec![0.0; start.len()], x: start, value: 0.0 };
    at.value = f(&at.x, &mut at.gradient);
    let (mut memory, mut iterations, mut calls) = (Memory::new(options.memory), 0, 1);
    loop {
        let Point { x, value, gradient } = &at;
        let top = largest(gradient);
        let progress = Progress { iterations, value: *value, gradient: top, x };
        let stop = observe(&progress).is_break() || iterations >= options.max_iter;
        // Written so that what is not a number ends the search too.
        if stop || top <= options.tol || !(value.is_finite() && top.is_finite()) {
            break;
        }
        let direction = memory.direction(gradient);
        let first = if memory.pairs.is_empty() { (1.0 / norm(gradient)).min(1.0) } else { 1.0 };
        let ray = Ray { from: &at, direction: &direction, curvature: options.curvature };
        let mut line = Line::new(ray, first);
        let found = line.search(&mut f);
        calls += line.calls;
        let Some(next) = found else {
            // The metric may be at fault: once more from the plain gradient.
            if memory.pairs.is_empty() {
                break;
            }
            memory.pairs.clear();
            continue;
        };
        memory.learn(&at, &next);
        at = next;
        iterations += 1;
    }
    let gradient = largest(&at.gradient);
    let converged = gradient <= options.tol && at.value.is_finite();
    Minimum { x: at.x, value: at.value, gradient, iterations, calls, converged }
}

#[derive(Debug, Clone)]
struct Point {
    x: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// The last steps s and changes of the gradient y, with 1/sᵀy.
#[derive(Debug, Clone)]
struct Memory {
    pairs: VecDeque<(Vec<f64>, Vec<f64>, f64)>,
    most: usize,
}

impl Memory {
    fn new(most: usize) -> Self {
        Self { pairs: VecDeque::with_capacity(most), most }
    }

    /// −H·gradient by the two loops, from H = sᵀy/yᵀy · I of the last pair.
    fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut d: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let mut shares = Vec::with_capacity(self.pairs.len());
        for (s, y, rho) in self.pairs.iter().rev() {
            let share = rho * dot_lanes(s, &d);
            add(&mut d, -share, y);
            shares.push(share);
        }
        if let Some((_, y, rho)) = self.pairs.back() {
            let scale = 1.0 / (rho * dot_lanes(y, y));
            d.iter_mut().for_each(|v| *v *= scale);
        }
        for ((s, y, rho), share) in self.pairs.iter().zip(shares.into_iter().rev()) {
            let step = share - rho * dot_lanes(y, &d);
            add(&mut d, step, s);
        }
        d
    }

    fn learn(&mut self, from: &Point, to: &Point) {
        let s = difference(&to.x, &from.x);
        let y = difference(&to.gradient, &from.gradient);
        let curvature = dot_lanes(&s, &y);
        // A pair without positive curvature would make the metric indefinite.
        if self.most == 0 || curvature <= f64::EPSILON * norm(&s) * norm(&y) {
            return;
        }
        if self.pairs.len() == self.most {
            self.pairs.pop_front();
        }
        self.pairs.push_back((s, y, 1.0 / curvature));
    }
}

fn add(to: &mut [f64], share: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t += share * f);
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn norm(a: &[f64]) -> f64 {
    dot_lanes(a, a).sqrt()
}

/// max|aⱼ|; not a number where one is not.
fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |top: f64, v| if v.abs() <= top { top } else { v.abs() })
}

#[cfg(test)]
mod tests;

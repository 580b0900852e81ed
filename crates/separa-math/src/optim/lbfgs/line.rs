//! The search along one direction.

use super::{Point, add};
use crate::interrupt;
use crate::linalg::dot_lanes;

/// The fraction of the first slope by which a step must lower f.
const DECREASE: f64 = 1e-4;
const MOST_CALLS: usize = 40;
/// How much further a step may go than the last when nothing bounds it.
const FURTHER: f64 = 10.0;
/// Of a stretch whose far end is not finite this fraction is tried next.
const BACK: f64 = 0.1;

/// Where a search starts, and where to.
pub(super) struct Ray<'a> {
    pub from: &'a Point,
    pub direction: &'a [f64],
    pub curvature: f64,
}

/// A step, its value and its slope along the direction.
#[derive(Debug, Clone, Copy)]
struct Trial {
    step: f64,
    value: f64,
    slope: f64,
}

/// A stretch between the lowest trial so far and another end, with a Wolfe point inside.
pub(super) struct Line<'a> {
    ray: Ray<'a>,
    start: Trial,
    best: Trial,
    other: Option<Trial>,
    next: f64,
    pub calls: usize,
}

impl<'a> Line<'a> {
    pub fn new(ray: Ray<'a>, first: f64) -> Self {
        let slope = dot_lanes(&ray.from.gradient, ray.direction);
        let start = Trial { step: 0.0, value: ray.from.value, slope };
        Self { ray, start, best: start, other: None, next: first, calls: 0 }
    }

    /// A point of the strong Wolfe conditions, or else the lowest that was met with enough decrease.
    pub fn search(&mut self, f: &mut impl FnMut(&[f64], &mut [f64]) -> f64) -> Option<Point> {
        let mut lowest = None;
        if self.start.slope.is_nan() || self.start.slope >= 0.0 {
            return None;
        }
        while self.calls < MOST_CALLS {
            interrupt::check();
            let mut point = self.ray.from.clone();
            add(&mut point.x, self.next, self.ray.direction);
            // A stretch that rounding has closed.
            if point.x == self.ray.from.x || self.best.step == self.next {
                break;
            }
            point.value = f(&point.x, &mut point.gradient);
            self.calls += 1;
            let slope = dot_lanes(&point.gradient, self.ray.direction);
            let trial = Trial { step: self.next, value: point.value, slope };
            if self.take(trial) {
                let done = slope.abs() <= -self.ray.curvature * self.start.slope;
                lowest = Some(point);
                if done {
                    break;
                }
            }
            self.next = self.propose();
        }
        lowest
    }

    /// Narrows the stretch. Whether the trial is the best so far.
    fn take(&mut self, trial: Trial) -> bool {
        let Trial { step, value, slope } = trial;
        // Near the optimum values differ by rounding only, and slopes decide.
        let rounding = 4.0 * f64::EPSILON * self.start.value.abs();
        let enough = self.start.value + DECREASE * step * self.start.slope + rounding;
        let finite = value.is_finite() && slope.is_finite();
        if !finite || value > enough || value > self.best.value + rounding {
            self.other = Some(trial);
            return false;
        }
        // The slope points away from the other end: the minimum is on the side of the old best.
        let outwards = self.other.map_or(1.0, |o| o.step - self.best.step);
        if slope * outwards >= 0.0 {
            self.other = Some(self.best);
        }
        self.best = trial;
        true
    }

    /// The next step: by the cubic through both ends, well inside of them.
    fn propose(&self) -> f64 {
        let best = self.best;
        let Some(other) = self.other else {
            let cubic = minimum_of_cubic(self.start, best);
            let far = FURTHER * best.step;
            return if cubic > best.step { cubic.clamp(2.0 * best.step, far) } else { far };
        };
        let stretch = other.step - best.step;
        if !(other.value.is_finite() && other.slope.is_finite()) {
            return best.step + BACK * stretch;
        }
        let share = (minimum_of_cubic(best, other) - best.step) / stretch;
        let share = if share.is_finite() { share.clamp(0.05, 0.95) } else { 0.5 };
        best.step + share * stretch
    }
}

/// The minimum of the cubic with the values and slopes of both trials; not finite where there is none.
fn minimum_of_cubic(a: Trial, b: Trial) -> f64 {
    let stretch = b.step - a.step;
    let d = a.slope + b.slope - 3.0 * (b.value - a.value) / stretch;
    let root = (d * d - a.slope * b.slope).sqrt().copysign(stretch);
    b.step - stretch * (b.slope + root - d) / (b.slope - a.slope + 2.0 * root)
}

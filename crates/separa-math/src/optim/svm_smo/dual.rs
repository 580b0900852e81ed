//! The terms of the dual that belong to one row: a convex cost of three straight pieces.

use crate::error::{Error, Result};

/// hᵢ(x) = qᵢx on the box [lowᵢ, highᵢ], and of slope −B below it and +B above it.
///
/// An infinite B makes the box a constraint: the C-SVM. A finite one puts |f| ≤ B on every row: what
/// lies outside the box is the multiplier of that constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct Dual {
    pub(super) linear: Vec<f64>,
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    pub(super) bound: f64,
}

impl Dual {
    /// Any linear term and any boxes that hold 0.
    pub fn new(linear: Vec<f64>, low: Vec<f64>, high: Vec<f64>) -> Result<Self> {
        let n = linear.len();
        for (what, found) in [("lower ends", low.len()), ("upper ends", high.len())] {
            same_length(what, found, n)?;
        }
        debug_assert!(low.iter().all(|v| (f64::MIN..=0.0).contains(v)), "0 must be in every box");
        debug_assert!(high.iter().all(|v| (0.0..=f64::MAX).contains(v)), "0 must be in every box");
        if low.iter().all(|v| *v == 0.0) || high.iter().all(|v| *v == 0.0) {
            let rows = low.iter().zip(&high).filter(|(low, high)| low < high).count();
            return Err(Error::OneClass { rows });
        }
        Ok(Self { linear, low, high, bound: f64::INFINITY })
    }

    /// Σ cᵢ max(0, 1 − yᵢfᵢ), with y = +1 where the label is true. Rows of weight c = 0 have no say.
    pub fn classes(labels: &[bool], c: &[f64]) -> Result<Self> {
        same_length("weights", c.len(), labels.len())?;
        let side = |side: bool, sign: f64| {
            labels
                .iter()
                .zip(c)
                .map(move |(l, c)| if *l == side { sign * c } else { 0.0 })
                .collect()
        };
        let linear = labels.iter().map(|l| if *l { -1.0 } else { 1.0 }).collect();
        Self::new(linear, side(false, -1.0), side(true, 1.0))
    }

    /// With |fᵢ| ≤ `bound` for every row, which needs bound ≥ max|qᵢ|: 1 for classes.
    pub fn bounded(mut self, bound: f64) -> Result<Self> {
        let least = self.linear.iter().fold(0.0, |top: f64, q| top.max(q.abs()));
        if bound.is_nan() || bound < least {
            return Err(Error::Bound { found: bound, least });
        }
        self.bound = bound;
        Ok(self)
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.linear.len()
    }

    /// The terms of some rows.
    pub(super) fn part(&self, rows: &[usize]) -> Self {
        let pick = |from: &[f64]| rows.iter().map(|&i| from[i]).collect();
        let (linear, low, high) = (pick(&self.linear), pick(&self.low), pick(&self.high));
        Self { linear, low, high, bound: self.bound }
    }

    /// The slopes of hᵢ below and above x; infinite where x cannot go.
    pub(super) fn slopes(&self, i: usize, x: f64) -> (f64, f64) {
        let (q, low, high, bound) = (self.linear[i], self.low[i], self.high[i], self.bound);
        let slope = |below: bool, above: bool| match (below, above) {
            (_, true) => bound,
            (true, _) => -bound,
            _ => q,
        };
        (slope(x <= low, x > high), slope(x < low, x >= high))
    }

    /// Where the pieces of hᵢ below and above x end.
    pub(super) fn ends(&self, i: usize, x: f64) -> (f64, f64) {
        let (low, high) = (self.low[i], self.high[i]);
        let edge = if self.bound < f64::INFINITY { f64::INFINITY } else { 0.0 };
        let below = if x > high {
            high
        } else if x > low {
            low
        } else {
            x - edge
        };
        let above = if x < low {
            low
        } else if x < high {
            high
        } else {
            x + edge
        };
        (below, above)
    }

    /// x brought to where hᵢ is finite.
    pub(super) fn inside(&self, i: usize, x: f64) -> f64 {
        if self.bound < f64::INFINITY { x } else { x.clamp(self.low[i], self.high[i]) }
    }

    /// The least of ½·curvature·(x − at)² + f·(x − at) + hᵢ(x).
    pub(super) fn nearest(&self, i: usize, at: f64, f: f64, curvature: f64) -> f64 {
        let along = |slope: f64| at - (f + slope) / curvature;
        let (x, low, high) = (along(self.linear[i]), self.low[i], self.high[i]);
        if x > high {
            // Not −∞ where the box is a constraint: high is the larger.
            along(self.bound).max(high)
        } else if x < low {
            along(-self.bound).min(low)
        } else {
            x
        }
    }

    /// hᵢ(x).
    pub(super) fn cost(&self, i: usize, x: f64) -> f64 {
        let inside = x.clamp(self.low[i], self.high[i]);
        let outside = (x - inside).abs();
        // Not ∞ · 0 where the box is a constraint.
        self.linear[i] * inside + if outside > 0.0 { self.bound * outside } else { 0.0 }
    }

    /// The loss of row i at the decision value f with |f| ≤ B: the conjugate of hᵢ at −f.
    pub(super) fn loss(&self, i: usize, f: f64) -> f64 {
        let slack = -f - self.linear[i];
        slack * if slack > 0.0 { self.high[i] } else { self.low[i] }
    }

    /// The part of x outside the box.
    pub(super) fn outside(&self, i: usize, x: f64) -> f64 {
        (x - x.clamp(self.low[i], self.high[i])).abs()
    }
}

pub(super) fn same_length(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Shape { what, found: found.to_string(), expected: expected.to_string() })
}

//! Contributions to a linear decision: its terms.
//!
//! The rule parts two clusters by g(x) = wᵀx + b. With r a point of the boundary, g(r) = 0, the margin of a row is
//! Σ w_j (x_j − r_j): a term per feature, and they add up. The point r is where the line between the means of the two
//! clusters crosses the boundary, or, if there are no such means, the point of the boundary that is nearest to the row.

use super::background::Background;
use crate::flat_rule::Plane;
use separa_math::linalg::dot;

/// What every feature adds to the margin, and what it is compared with.
#[derive(Debug)]
pub(super) struct Parts {
    pub margin: f64,
    /// The margin of the reference.
    pub base: f64,
    /// A value per feature.
    pub terms: Vec<f64>,
    pub reference: Vec<f64>,
    /// Orders that were averaged over, if there were any.
    pub samples: Option<usize>,
}

/// The terms of `plane`, which is positive in cluster `a` and negative in `b`; `see` clips a row as the rule does.
pub(super) fn parts(
    row: &[f64],
    [a, b]: [i32; 2],
    plane: &Plane,
    background: &Background,
    see: impl Fn(&mut [f64]),
) -> Parts {
    let mut x = row.to_vec();
    see(&mut x);
    let center = |cluster: i32| background.center(cluster, &see);
    let crossing = center(a).zip(center(b)).and_then(|(one, two)| crossing(plane, &one, &two));
    let reference = crossing.unwrap_or_else(|| nearest(plane, &x, &background.scales));
    let gaps: Vec<f64> = x.iter().zip(&reference).map(|(x, r)| x - r).collect();
    let terms: Vec<f64> = plane.weights.iter().zip(&gaps).map(|(w, g)| w * g).collect();
    let (margin, base) = (plane.value(&x), plane.value(&reference));
    Parts { margin, base, terms, reference, samples: None }
}

/// Where the line from one point to another crosses the plane; none unless it parts them.
fn crossing(plane: &Plane, one: &[f64], two: &[f64]) -> Option<Vec<f64>> {
    let (high, low) = (plane.value(one), plane.value(two));
    let part = -low / (high - low);
    let between = high > 0.0 && low < 0.0 && part.is_finite();
    between.then(|| one.iter().zip(two).map(|(x, y)| y + part * (x - y)).collect())
}

/// The point of the plane nearest to `x` in standard deviations.
fn nearest(plane: &Plane, x: &[f64], scales: &[f64]) -> Vec<f64> {
    let steps: Vec<f64> = plane.weights.iter().zip(scales).map(|(w, s)| w * s * s).collect();
    let length = dot(&plane.weights, &steps);
    let part = if length > 0.0 { plane.value(x) / length } else { 0.0 };
    x.iter().zip(&steps).map(|(x, step)| x - part * step).collect()
}

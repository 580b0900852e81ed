//! What is read off at the end: bias, values, gap.

use super::dual::Dual;
use super::front::Front;
use super::start::Point;
use crate::linalg::dot;

pub(super) struct Finish {
    pub b: f64,
    pub objective: f64,
    pub gap: f64,
    pub pressure: f64,
}

impl Finish {
    /// `front` holds all rows.
    pub fn of(dual: &Dual, Point { beta, scores }: &Point, front: &Front) -> Self {
        let b = best_bias(dual, scores, multiplier(front));
        let square = dot(beta, scores);
        let each = |f: &dyn Fn(usize) -> f64| (0..beta.len()).map(f).sum::<f64>();
        let objective = 0.5 * square + each(&|i| dual.cost(i, beta[i]));
        let top = scores.iter().fold(0.0, |top: f64, s| top.max((s + b).abs()));
        let scale = if top > dual.bound { dual.bound / top } else { 1.0 };
        let primal =
            0.5 * scale * scale * square + each(&|i| dual.loss(i, scale * (scores[i] + b)));
        Self {
            b,
            objective,
            gap: primal + objective,
            pressure: each(&|i| dual.outside(i, beta[i])),
        }
    }

    pub fn primal(&self) -> f64 {
        self.gap - self.objective
    }
}

/// The multiplier of Σβ = 0: the mean over rows that may grow and fall at one slope, else the middle.
fn multiplier(front: &Front) -> f64 {
    let free: Vec<f64> = (0..front.len())
        .filter(|&i| front.up[i] == front.down[i])
        .map(|i| -front.score[i] - front.up[i])
        .collect();
    if !free.is_empty() {
        return free.iter().sum::<f64>() / free.len() as f64;
    }
    let ends = front.extremes();
    -0.5 * (ends.least + ends.most)
}

/// The point nearest to `b` where Σ loss(scoreᵢ + b) is least, inside the bound where there is one.
///
/// The slope of the loss in b jumps by highᵢ − lowᵢ at −scoreᵢ − qᵢ, from −Σ high on: its zero is a
/// weighted quantile.
fn best_bias(dual: &Dual, scores: &[f64], b: f64) -> f64 {
    let n = scores.len();
    let mut jumps: Vec<(f64, f64)> =
        (0..n).map(|i| (-scores[i] - dual.linear[i], dual.high[i] - dual.low[i])).collect();
    jumps.retain(|jump| jump.1 > 0.0);
    jumps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut slope = -dual.high.iter().sum::<f64>();
    // A flat piece is flat to the rounding of its sum.
    let zero = 1e-14 * n as f64 * slope.abs();
    let (mut from, mut to) = (None, None);
    for (at, jump) in jumps {
        slope += jump;
        if slope >= -zero && from.is_none() {
            from = Some(at);
        }
        if slope > zero {
            to = Some(at);
            break;
        }
    }
    let b = b.max(from.unwrap_or(b)).min(to.unwrap_or(f64::INFINITY));
    let least = scores.iter().fold(f64::INFINITY, |a, s| a.min(*s));
    let most = scores.iter().fold(f64::NEG_INFINITY, |a, s| a.max(*s));
    let (low, high) = (-dual.bound - least, dual.bound - most);
    if low > high { 0.5 * (low + high) } else { b.clamp(low, high) }
}

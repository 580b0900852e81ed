//! MSP of clusters from their moments over all rows: what [`assess`](super::assess) finds, without the rows.

use super::msp::FULL;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::linalg::dot;
use separa_math::matrix::Dense;
use separa_math::moments::Moments;
use separa_math::optim::mpm::{self, Mpm, Side};
use separa_math::scaling::LEAST_SPREAD;
use separa_math::stats::msp_null;

/// The separability of every pair of clusters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PairsJudged {
    /// MSP and null MSP of clusters a > b at a(a − 1)/2 + b; none if one of them has no rows.
    pairs: Vec<Option<(f64, Option<f64>)>>,
    /// The smallest cluster's fraction of the rows.
    pub min_fraction: f64,
}

/// Whether rows of so many columns are judged in all of them, as [`PairsJudged::of`] does.
pub(crate) fn in_all_columns(d: usize) -> bool {
    (1..=FULL).contains(&d)
}

impl PairsJudged {
    /// Of the clusters' moments in the columns of the table. Cost: k(k − 1)/2 problems of d³/3.
    pub fn of(moments: &[Moments], reg: f64) -> Result<Self> {
        let mut total = Moments::empty(moments.first().map_or(0, Moments::d));
        moments.iter().for_each(|m| total.merge(m));
        let deviations: Vec<f64> = total.variances().iter().map(|v| v.sqrt()).collect();
        let columns: Vec<usize> =
            (0..deviations.len()).filter(|&j| deviations[j] > LEAST_SPREAD).collect();
        let sides: Vec<Standard> =
            moments.iter().map(|m| Standard::of(m, &total, &deviations, &columns, reg)).collect();
        let all: Vec<(usize, usize)> =
            (0..moments.len()).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        // The smaller first, as in `assess`.
        let judge = |&(a, b): &(usize, usize)| match sides[a].n * sides[b].n > 0.0 {
            true => pair(&sides[b], &sides[a], reg).map(Some),
            false => Ok(None),
        };
        let pairs = all.par_iter().map(judge).collect::<Result<_>>()?;
        let least = moments.iter().map(Moments::n).filter(|n| *n > 0.0).fold(f64::MAX, f64::min);
        Ok(Self { pairs, min_fraction: least / total.n() })
    }

    /// MSP and null MSP of two clusters.
    pub fn pair(&self, a: usize, b: usize) -> Option<(f64, Option<f64>)> {
        let (a, b) = (a.max(b), a.min(b));
        self.pairs.get((a * (a.max(1) - 1)) / 2 + b).copied().flatten()
    }
}

/// A cluster in columns of mean 0 and standard deviation 1.
struct Standard {
    n: f64,
    mean: Vec<f64>,
    /// Raised by λ.
    cov: Dense,
}

impl Standard {
    fn of(m: &Moments, total: &Moments, deviations: &[f64], columns: &[usize], reg: f64) -> Self {
        let (from, w) = (m.covariance(), columns.len());
        let mean = columns.iter().map(|&j| (m.mean()[j] - total.mean()[j]) / deviations[j]);
        let mut cov = Dense::zeros(w, w);
        for (r, &i) in columns.iter().enumerate() {
            let line = cov.row_mut(r).iter_mut().zip(columns);
            line.for_each(|(v, &j)| *v = from[(i, j)] / deviations[i] / deviations[j]);
        }
        (0..w).for_each(|i| cov[(i, i)] += reg);
        Self { n: m.n(), mean: mean.collect(), cov }
    }
}

fn pair(one: &Standard, two: &Standard, reg: f64) -> Result<(f64, Option<f64>)> {
    if one.mean.is_empty() {
        return Ok((0.0, None));
    }
    let sides = [one, two].map(|s| Side { mean: &s.mean, cov: &s.cov });
    let rule = mpm::solve(sides[0], sides[1])?;
    Ok((rule.p(), null(one, two, &rule, reg)))
}

/// What one Gaussian with the pair's mean and covariance scores when it is cut along the same direction at the same
/// fraction.
fn null(one: &Standard, two: &Standard, rule: &Mpm, reg: f64) -> Option<f64> {
    let (r1, r2) = (one.n / (one.n + two.n), two.n / (one.n + two.n));
    let ridge = reg * dot(&rule.w, &rule.w);
    let plain = rule.sigma.map(|s| (s * s - ridge).max(0.0));
    let gap = dot(&rule.w, &one.mean) - dot(&rule.w, &two.mean);
    let total = r1 * plain[0] + r2 * plain[1] + r1 * r2 * gap * gap;
    (total > 0.0).then(|| msp_null(r1, ridge / total))
}

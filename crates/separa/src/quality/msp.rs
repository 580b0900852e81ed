//! MSP, the minimum separation probability (Huang, Zhang, Song & Chen (2015), Definition 1), of any labelling.
//!
//! For two clusters it is p = κ²/(1+κ²), κ the optimum of the minimax probability machine on the
//! clusters' moments, each covariance raised by λΛ with Λ = diag(Σ̂). Columns are z-scored first,
//! which turns Λ into the identity and frees the value of units. Constant columns and rows with a
//! negative label are left out; weights count. For more clusters it is the smallest MSP of a pair,
//! each pair on its own rows in the common z-scores; for one cluster it is 0, the worst value.
//!
//! Two shortcuts keep wide tables cheap, and both give lower bounds, because they restrict w: beyond
//! [`MOST_COLUMNS`] columns only those count whose cluster means differ most; and with more than two
//! clusters and more than [`FULL`] columns pairs are solved in the clusters' discriminant subspace.

use super::columns::{ColumnUnits, MOST_COLUMNS, standardise};
use super::groups::Groups;
use crate::data::Dataset;
use crate::error::{Error, Result};
use separa_math::discriminant::{Ridge, factor};
use separa_math::linalg::{dot, norm};
use separa_math::matrix::{Dense, Rows, Subset, project};
use separa_math::moments::Moments;
use separa_math::optim::mpm::{self, Mpm, Side};
use separa_math::scaling::Scaler;
use separa_math::stats::msp_null;

/// Up to this width every pair of many clusters is solved in all columns.
pub(super) const FULL: usize = 128;

/// MSP of a labelling at regularisation `reg` (λ).
pub fn msp(data: &Dataset<'_>, labels: &[i32], reg: f64) -> Result<f64> {
    let values = pairwise_msp(data, labels, reg)?.1;
    let k = values.rows();
    let pairs = (0..k).flat_map(|a| (0..a).map(move |b| (a, b)));
    Ok(pairs.map(|p| values[p]).fold(if k < 2 { 0.0 } else { 1.0 }, f64::min))
}

/// The labels in use, ascending, and the symmetric matrix of their pairs' MSPs (0 on the diagonal).
/// Cost: one pass for the moments and k(k−1)/2 small problems.
pub fn pairwise_msp(data: &Dataset<'_>, labels: &[i32], reg: f64) -> Result<(Vec<i32>, Dense)> {
    let groups = Groups::new(data, labels)?;
    let space = DiscriminantSpace::new(data, &groups, reg)?;
    let mut values = Dense::zeros(groups.k(), groups.k());
    for a in 0..groups.k() {
        for b in 0..a {
            // The smaller first, as in `assess`: another order rounds differently.
            let p = space.pair(b, a)?.p();
            values[(a, b)] = p;
            values[(b, a)] = p;
        }
    }
    Ok((groups.ids, values))
}

/// The clusters' moments in the coordinates where pairs are compared: Λ is the identity there.
#[derive(Debug, Clone)]
pub(super) struct DiscriminantSpace {
    pub moments: Vec<Moments>,
    pub reg: f64,
    /// Standard deviation of every column of the table.
    pub deviations: Vec<f64>,
    /// How columns are scaled, and which are looked at.
    pub scaler: Scaler,
    /// Where pairs are compared in fewer coordinates: what these are in the columns, and the clusters'
    /// means in the columns.
    lifted: Option<(Dense, Dense)>,
}

impl DiscriminantSpace {
    pub fn new(data: &Dataset<'_>, groups: &Groups, reg: f64) -> Result<Self> {
        check_reg(reg)?;
        if groups.k() == 0 {
            return Err(Error::NoLabels { what: "a cluster" });
        }
        let ColumnUnits { scaler, deviations } =
            standardise(data.x(), data.weights(), groups, MOST_COLUMNS);
        let z = scaler.view(data.x());
        let (moments, lifted) = if groups.k() <= 2 || z.n_cols() <= FULL {
            (Moments::by_label(&z, data.weights(), &groups.of_row, groups.k()), None)
        } else {
            let (moments, basis, means) = discriminant_moments(data, groups, &z, reg)?;
            (moments, Some((basis, means)))
        };
        Ok(Self { moments, reg, deviations, scaler, lifted })
    }

    /// A hyperplane's weights in the columns.
    pub fn weights(&self, rule: &Mpm) -> Vec<f64> {
        let Some((basis, _)) = &self.lifted else { return rule.w.clone() };
        let mut w = vec![0.0; basis.cols()];
        for (r, v) in rule.w.iter().enumerate() {
            w.iter_mut().zip(basis.row(r)).for_each(|(w, q)| *w += v * q);
        }
        w
    }

    /// A cluster's mean in the columns; its origin is the same for all clusters.
    pub fn mean(&self, c: usize) -> &[f64] {
        match &self.lifted {
            Some((_, means)) => means.row(c),
            None => self.moments[c].mean(),
        }
    }

    /// The minimax hyperplane between clusters a and b; a is where wᵀx + b ≥ 0.
    pub fn pair(&self, a: usize, b: usize) -> Result<Mpm> {
        let (one, two) = (&self.moments[a], &self.moments[b]);
        if one.d() == 0 {
            return Ok(Mpm { w: Vec::new(), b: 0.0, kappa: 0.0, sigma: [0.0; 2], s: 0.5 });
        }
        let (s1, s2) = (one.covariance_plus(self.reg), two.covariance_plus(self.reg));
        let sides = [Side { mean: one.mean(), cov: &s1 }, Side { mean: two.mean(), cov: &s2 }];
        Ok(mpm::solve(sides[0], sides[1])?)
    }

    /// What one Gaussian with the pair's mean and covariance scores when it is cut along the same w
    /// at the same fraction, with the same λ. None where w is 0.
    pub fn null(&self, a: usize, b: usize, rule: &Mpm) -> Option<f64> {
        let (n1, n2) = (self.moments[a].n(), self.moments[b].n());
        let (r1, r2) = (n1 / (n1 + n2), n2 / (n1 + n2));
        let ridge = self.reg * dot(&rule.w, &rule.w);
        let plain = rule.sigma.map(|s| (s * s - ridge).max(0.0));
        let gap = dot(&rule.w, self.moments[a].mean()) - dot(&rule.w, self.moments[b].mean());
        let total = r1 * plain[0] + r2 * plain[1] + r1 * r2 * gap * gap;
        (total > 0.0).then(|| msp_null(r1, ridge / total))
    }

    /// Squared distance of two clusters' means.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        let (x, y) = (self.moments[a].mean(), self.moments[b].mean());
        x.iter().zip(y).map(|(p, q)| (p - q).powi(2)).sum()
    }
}

fn check_reg(reg: f64) -> Result<()> {
    if reg >= 0.0 && reg.is_finite() {
        return Ok(());
    }
    Err(Error::Param {
        method: "quality",
        name: "reg",
        expected: "a finite number that is not negative".into(),
        found: reg.to_string(),
    })
}

/// Moments in the span of (Σ̂ + λI)⁻¹(μ_k − μ), at most k − 1 dimensions (docs/methods/mspc.md), its
/// basis, and μ_k − μ.
fn discriminant_moments(
    data: &Dataset<'_>,
    groups: &Groups,
    z: &dyn Rows,
    reg: f64,
) -> Result<(Vec<Moments>, Dense, Dense)> {
    let mut index: Vec<usize> = groups.members.iter().flatten().copied().collect();
    index.sort_unstable();
    let total = Moments::of_rows(z, &index, data.weights());
    // λ = 0 needs some ridge to exist at all when there are fewer rows than columns.
    let chol = factor(total.covariance(), Ridge::Constant(reg.max(1e-6)))?;
    let mut gaps = Dense::zeros(groups.k(), z.n_cols());
    for (c, rows) in groups.members.iter().enumerate() {
        let mean = mean_of(z, rows, data);
        let gap = gaps.row_mut(c);
        gap.iter_mut().zip(&mean).zip(total.mean()).for_each(|((g, m), t)| *g = m - t);
    }
    let means = gaps.clone();
    chol.solve_rows(&mut gaps);
    let basis = orthonormal(gaps);
    let y = project(z, basis.view(), &vec![0.0; basis.rows()]);
    let moments = Moments::by_label(&y, data.weights(), &groups.of_row, groups.k());
    Ok((moments, basis, means))
}

fn mean_of(z: &dyn Rows, rows: &[usize], data: &Dataset<'_>) -> Vec<f64> {
    let subset = Subset { rows: z, index: rows };
    let (mut mean, mut row, mut total) = (vec![0.0; z.n_cols()], vec![0.0; z.n_cols()], 0.0);
    for (r, i) in rows.iter().enumerate() {
        let w = data.weight(*i);
        subset.copy_row(r, &mut row);
        mean.iter_mut().zip(&row).for_each(|(m, v)| *m += w * v);
        total += w;
    }
    mean.iter_mut().for_each(|m| *m /= total);
    mean
}

/// An orthonormal basis of the rows' span: Gram-Schmidt, twice for safety; dependent rows drop out.
fn orthonormal(rows: Dense) -> Dense {
    let d = rows.cols();
    let mut kept: Vec<Vec<f64>> = Vec::new();
    for r in 0..rows.rows() {
        let mut v = rows.row(r).to_vec();
        let length = norm(&v);
        for q in kept.iter().chain(&kept) {
            let h = dot(q, &v);
            v.iter_mut().zip(q).for_each(|(x, y)| *x -= h * y);
        }
        let left = norm(&v);
        if left > 1e-8 * length {
            v.iter_mut().for_each(|x| *x /= left);
            kept.push(v);
        }
    }
    Dense::from_vec(kept.len(), d, kept.concat()).expect("every kept row has d entries")
}

const _: () = assert!(FULL < MOST_COLUMNS);

//! Probability product kernels of Gaussians, in the log domain.
//!
//! K(k, l) = ∫ p_k^ρ p_l^ρ with p = P·N(μ, Σ) is Gaussian again: with S = Σ_k + Σ_l
//! log K = ρ(log P_k + log P_l) + d(½ − ρ)log 2π − ½d log ρ + ½(1 − ρ)(log|Σ_k| + log|Σ_l|)
//!         − ½ log|S| − ½ρ (μ_k − μ_l)ᵀS⁻¹(μ_k − μ_l).
//! The value itself underflows from d ≈ 470 on; its logarithm does not.
//!
//! See  Jebara, Kondor & Howard (2004); Yang, Huang, King & Lyu, equations (6) to (11).

use super::exp::exp;
use crate::error::Result;
use crate::gauss::{Gaussians, Shape, factor};
use crate::linalg::{Chol, dot_lanes};
use crate::matrix::Dense;
use std::f64::consts::PI;

/// Gaussians with variances alone that a point is compared with side by side.
const LANES: usize = 8;
/// Exponents beyond this would overflow in the sums that follow.
const HIGHEST: f64 = 300.0;

/// What becomes of log K.
#[allow(missing_docs, reason = "fields are the letters of the formulas")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// K itself, as a multiple of e^`top`: equations (10) and (11).
    Linear { top: f64 },
    /// (K_kl / √(K_kk K_ll))^gamma: an RBF kernel of the angle between two Gaussians.
    Rbf { gamma: f64 },
    /// exp(−gamma(K_kk + K_ll − 2K_kl)): equation (7) as printed.
    RbfLiteral { gamma: f64 },
    /// (gamma·K_kl/√(K_kk K_ll) + coef0)^degree
    Poly { gamma: f64, degree: u32, coef0: f64 },
    /// tanh(gamma·K_kl/√(K_kk K_ll) + coef0)
    Tanh { gamma: f64, coef0: f64 },
}

impl Form {
    /// The kernel of one Gaussian with some others: `row` holds log K and gets the values, `own` is the
    /// log K of the one with itself, `owns` those of the others.
    pub fn apply(self, row: &mut [f64], own: f64, owns: &[f64]) {
        let normalise = |row: &mut [f64], gamma: f64| {
            let lines = row.iter_mut().zip(owns);
            lines.for_each(|(v, o)| *v = gamma * (*v - 0.5 * (own + o)).min(0.0));
            exp(row);
        };
        match self {
            Self::Linear { top } => {
                row.iter_mut().for_each(|v| *v = (*v - top).min(HIGHEST));
                exp(row);
            }
            Self::Rbf { gamma } => normalise(row, gamma),
            Self::RbfLiteral { gamma } => {
                let lines = row.iter_mut().zip(owns);
                lines.for_each(|(v, o)| *v = -gamma * literal_square(own, *o, *v));
                exp(row);
            }
            Self::Poly { gamma, degree, coef0 } => {
                normalise(row, 1.0);
                row.iter_mut().for_each(|v| *v = (gamma * *v + coef0).powi(degree as i32));
            }
            Self::Tanh { gamma, coef0 } => {
                normalise(row, 1.0);
                row.iter_mut().for_each(|v| *v = (gamma * *v + coef0).tanh());
            }
        }
    }
}

/// ‖φ_k − φ_l‖² = K_kk + K_ll − 2K_kl from the three logarithms, never below 0.
fn literal_square(own: f64, other: f64, both: f64) -> f64 {
    let value = |log: f64| log.min(HIGHEST).exp();
    (value(own) + value(other) - 2.0 * value(both)).max(0.0)
}

/// log K of some Gaussians with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct LogGram {
    /// Symmetric.
    pub logs: Dense,
}

impl LogGram {
    /// Cost: M²d, with full covariances M²d³/6.
    pub fn new(g: &Gaussians, rho: f64) -> Result<Self> {
        let (m, d) = (g.count(), g.d());
        let mut logs = Dense::zeros(m, m);
        for k in 0..m {
            let points =
                Against::new(&g.pick(&(0..=k).collect::<Vec<_>>()), Some(g.covs.row(k)), rho)?;
            let row = &mut vec![0.0; k + 1];
            points.log_row(g.means.row(k), row, &mut vec![0.0; d]);
            for (l, v) in row.iter().enumerate() {
                // P_k, which a point does not have.
                logs[(k, l)] = v + rho * g.weights[k].ln();
                logs[(l, k)] = logs[(k, l)];
            }
        }
        Ok(Self { logs })
    }

    /// log K of each with itself.
    pub fn own(&self) -> Vec<f64> {
        (0..self.logs.rows()).map(|k| self.logs[(k, k)]).collect()
    }

    /// The kernel matrix.
    pub fn gram(&self, form: Form) -> Dense {
        let (own, mut gram) = (self.own(), self.logs.clone());
        (0..own.len()).for_each(|k| form.apply(gram.row_mut(k), own[k], &own));
        gram
    }

    /// 1 over the median of −log(K_kl/√(K_kk K_ll)), or of ‖φ_k − φ_l‖² for the literal form.
    pub fn median_gamma(&self, literal: bool) -> f64 {
        let own = self.own();
        let square = |k: usize, l: usize| match literal {
            true => literal_square(own[k], own[l], self.logs[(k, l)]),
            false => 0.5 * (own[k] + own[l]) - self.logs[(k, l)],
        };
        let pairs = (0..own.len()).flat_map(|k| (0..k).map(move |l| (k, l)));
        let mut squares: Vec<f64> =
            pairs.map(|(k, l)| square(k, l)).filter(|s| *s > 1e-300 && s.is_finite()).collect();
        squares.sort_unstable_by(f64::total_cmp);
        squares.get(squares.len() / 2).map_or(1.0, |s| 1.0 / s)
    }
}

/// Gaussians made ready to be compared with points.
#[derive(Debug, Clone)]
pub struct Against {
    rho: f64,
    means: Dense,
    /// All of log K that does not depend on the point.
    constants: Vec<f64>,
    scales: Scales,
    own: f64,
}

/// S⁻¹ of each Gaussian.
#[derive(Debug, Clone)]
enum Scales {
    /// Means and inverse variances of `LANES` Gaussians at a time, column by column; zeros where there are fewer.
    Diag(Vec<[[f64; LANES]; 2]>),
    /// A factor of S each.
    Full(Vec<Chol>),
}

impl Against {
    /// Points have the weight 1 and the packed covariance `point`, or none at all, which is for ρ = 1 only.
    pub fn new(g: &Gaussians, point: Option<&[f64]>, rho: f64) -> Result<Self> {
        let (d, shape) = (g.d(), g.shape);
        debug_assert!(point.is_some() || rho == 1.0, "a point without variance needs rho = 1");
        let plain = d as f64 * ((0.5 - rho) * (2.0 * PI).ln() - 0.5 * rho.ln());
        let half = 0.5 * (1.0 - rho);
        let log_point = point.map(|p| factor(p, d, shape)).transpose()?.map_or(0.0, |f| f.0);
        let mut constants = Vec::with_capacity(g.count());
        let mut scales = match shape {
            Shape::Diag => Scales::Diag(vec![[[0.0; LANES]; 2]; g.count().div_ceil(LANES) * d]),
            Shape::Full => Scales::Full(Vec::with_capacity(g.count())),
        };
        for k in 0..g.count() {
            let mut sum = g.covs.row(k).to_vec();
            let (log_own, _) = if half == 0.0 { (0.0, None) } else { factor(&sum, d, shape)? };
            if let Some(point) = point {
                sum.iter_mut().zip(point).for_each(|(s, p)| *s += p);
            }
            let (log_sum, chol) = factor(&sum, d, shape)?;
            let spread = half * (log_own + log_point) - 0.5 * log_sum;
            constants.push(rho * g.weights[k].ln() + plain + spread);
            match &mut scales {
                Scales::Diag(panels) => {
                    let panel = &mut panels[k / LANES * d..][..d];
                    for (j, [means, inverses]) in panel.iter_mut().enumerate() {
                        means[k % LANES] = g.means[(k, j)];
                        inverses[k % LANES] = 1.0 / sum[j];
                    }
                }
                Scales::Full(factors) => factors.extend(chol),
            }
        }
        // log|2Σ| = d log 2 + log|Σ|.
        let twice = d as f64 * 2.0_f64.ln() + log_point;
        let own = plain + 2.0 * half * log_point - 0.5 * twice;
        Ok(Self { rho, means: g.means.clone(), constants, scales, own })
    }

    /// log K of a point with itself; of no use where points have no variance.
    pub fn own(&self) -> f64 {
        self.own
    }

    /// log K of the point `z` with every Gaussian; `gap` is scratch of z's width.
    pub fn log_row(&self, z: &[f64], out: &mut [f64], gap: &mut [f64]) {
        match &self.scales {
            Scales::Diag(panels) => {
                let panels = panels.chunks_exact(z.len().max(1));
                for (panel, out) in panels.zip(out.chunks_mut(LANES)) {
                    let squares = diagonal_squares(z, panel);
                    out.iter_mut().zip(squares).for_each(|(o, s)| *o = s);
                }
            }
            Scales::Full(factors) => {
                for (k, (o, chol)) in out.iter_mut().zip(factors).enumerate() {
                    gap.iter_mut().zip(z).zip(self.means.row(k)).for_each(|((g, z), m)| *g = z - m);
                    *o = full_square(gap, chol);
                }
            }
        }
        for (o, constant) in out.iter_mut().zip(&self.constants) {
            *o = constant - 0.5 * self.rho * *o;
        }
    }
}

/// (z − μ)ᵀS⁻¹(z − μ) of the Gaussians of one panel.
#[inline(always)]
fn diagonal_squares(z: &[f64], panel: &[[[f64; LANES]; 2]]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (x, [means, inverses]) in z.iter().zip(panel) {
        for ((s, m), i) in sums.iter_mut().zip(means).zip(inverses) {
            *s += (x - m) * (x - m) * i;
        }
    }
    sums
}

/// gapᵀS⁻¹gap; `gap` is used up.
fn full_square(gap: &mut [f64], chol: &Chol) -> f64 {
    for i in 0..gap.len() {
        let (done, rest) = gap.split_at_mut(i);
        let row = chol.row(i);
        rest[0] = (rest[0] - dot_lanes(&row[..i], done)) / row[i];
    }
    dot_lanes(gap, gap)
}

#[cfg(test)]
mod tests;

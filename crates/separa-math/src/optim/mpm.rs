//! The minimax probability machine.
//!
//! Problem   max over w of κ = wᵀ(μ₁−μ₂) / (√wᵀS₁w + √wᵀS₂w): the hyperplane for which the worst
//!           case over all distributions with these moments is best; p = κ²/(1+κ²).
//! Given     means and (regularised) covariances of the two sides.
//! Returns   w with wᵀ(μ₁−μ₂) = 1, the offset b, κ and both σ; side 1 is where wᵀx + b ≥ 0.
//! Cost      one simultaneous diagonalisation, then O(d) per evaluation of a scalar problem; wide
//!           problems take a few Cholesky factorisations instead.
//! See       Lanckriet, El Ghaoui, Bhattacharyya & Jordan (2003), JMLR 3.
//!
//! Since (σ₁+σ₂)² = min over s in (0,1) of σ₁²/s + σ₂²/(1−s), κ² is the largest value over s of
//! dᵀ(S₁/s + S₂/(1−s))⁻¹d, which is concave in s; at the optimum s = σ₁/(σ₁+σ₂).

use crate::error::Result;
use crate::linalg::{Chol, SimultaneousDiagonal, dot, norm, quadratic, sym_eig, times};
use crate::matrix::Dense;

/// One class or cluster: its mean and its covariance, both triangles filled.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Of its rows.
    pub mean: &'a [f64],
    /// Of its rows, regularised by the caller.
    pub cov: &'a Dense,
}

/// The solution. κ = 0 when the means coincide; κ = ∞ when a direction without any variance
/// tells them apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Mpm {
    /// Normal of the hyperplane.
    pub w: Vec<f64>,
    /// Its offset.
    pub b: f64,
    /// κ, from which [`Mpm::p`] follows.
    pub kappa: f64,
    /// √wᵀSw of each side.
    pub sigma: [f64; 2],
    /// The optimal s = σ₁/(σ₁+σ₂): a good first guess for a problem nearby.
    pub s: f64,
}

impl Mpm {
    /// The worst-case probability κ²/(1+κ²).
    pub fn p(&self) -> f64 {
        probability(self.kappa)
    }
}

/// κ²/(1+κ²), 1 at infinity.
pub fn probability(kappa: f64) -> f64 {
    if kappa.is_infinite() { 1.0 } else { kappa * kappa / (1.0 + kappa * kappa) }
}

/// From this width on factorising a few times is cheaper than diagonalising once.
const WIDE: usize = 32;

/// Solves from s = ½.
pub fn solve(one: Side<'_>, two: Side<'_>) -> Result<Mpm> {
    solve_near(one, two, 0.5)
}

/// Solves; `s` is a guess that saves time on wide problems and changes nothing else.
pub fn solve_near(one: Side<'_>, two: Side<'_>, s: f64) -> Result<Mpm> {
    let d: Vec<f64> = one.mean.iter().zip(two.mean).map(|(a, b)| a - b).collect();
    if norm(&d) == 0.0 {
        return Ok(apart(one, two, vec![0.0; d.len()], 0.0));
    }
    let wide = if d.len() > WIDE { by_factors(one, two, &d, s) } else { None };
    let w = match wide {
        Some(w) => w,
        None if is_definite(one.cov, two.cov) => by_diagonals(one, two, &d)?,
        None => return singular(one, two, &d),
    };
    Ok(finish(one, two, &d, w))
}

/// Scales w and reads off κ, σ and b.
fn finish(one: Side<'_>, two: Side<'_>, d: &[f64], mut w: Vec<f64>) -> Mpm {
    let gap = dot(&w, d);
    w.iter_mut().for_each(|v| *v /= gap);
    let sigma = [one, two].map(|side| quadratic(side.cov, &w).max(0.0).sqrt());
    let total = sigma[0] + sigma[1];
    let kappa = 1.0 / total;
    Mpm { b: kappa * sigma[0] - dot(&w, one.mean), kappa, sigma, s: sigma[0] / total, w }
}

/// A solution without scale: equal means (κ = 0) or no variance in between (κ = ∞).
fn apart(one: Side<'_>, two: Side<'_>, w: Vec<f64>, kappa: f64) -> Mpm {
    let b = -0.5 * (dot(&w, one.mean) + dot(&w, two.mean));
    Mpm { w, b, kappa, sigma: [0.0; 2], s: 0.5 }
}

/// S₁ + S₂ has a Cholesky factor whose pivots are not lost in rounding.
fn is_definite(a: &Dense, b: &Dense) -> bool {
    let sum = mixture(a, b, 1.0, 1.0);
    let diagonal: Vec<f64> = (0..sum.rows()).map(|i| sum[(i, i)]).collect();
    let floor = 1e-13 * diagonal.len() as f64;
    Chol::new(sum)
        .is_ok_and(|l| diagonal.iter().enumerate().all(|(i, a)| l.row(i)[i].powi(2) > floor * a))
}

fn mixture(a: &Dense, b: &Dense, alpha: f64, beta: f64) -> Dense {
    let mut out = a.clone();
    out.data_mut().iter_mut().zip(b.data()).for_each(|(x, y)| *x = alpha * *x + beta * y);
    out
}

/// In the common basis S₁ = diag(t) and S₂ = diag(1−t), and the objective is
/// g(s) = Σ uᵢ² s(1−s) / (tᵢ(1−s) + (1−tᵢ)s).
fn by_diagonals(one: Side<'_>, two: Side<'_>, d: &[f64]) -> Result<Vec<f64>> {
    let basis = SimultaneousDiagonal::new(mixture(one.cov, two.cov, 1.0, 1.0), one.cov)?;
    let t: Vec<f64> = basis.values.iter().map(|v| v.clamp(0.0, 1.0)).collect();
    let u = times(&basis.vectors, d);
    let s = best_share(&t, &u);
    let mut w = vec![0.0; d.len()];
    for i in 0..t.len() {
        let scale = u[i] * s * (1.0 - s) / (t[i] * (1.0 - s) + (1.0 - t[i]) * s);
        w.iter_mut().zip(basis.vectors.row(i)).for_each(|(x, v)| *x += scale * v);
    }
    Ok(w)
}

/// The root of g′(s) = Σ uᵢ² (tᵢ(1−s)² − (1−tᵢ)s²) / (tᵢ(1−s) + (1−tᵢ)s)², which falls from its
/// value at 0 to that at 1: bisection, to the last bit.
fn best_share(t: &[f64], u: &[f64]) -> f64 {
    let slope = |s: f64| -> f64 {
        t.iter()
            .zip(u)
            .map(|(&t, &u)| {
                let q = t * (1.0 - s) + (1.0 - t) * s;
                let rise = t * (1.0 - s) * (1.0 - s) - (1.0 - t) * s * s;
                u * u * (rise / q) / q
            })
            .sum()
    };
    // One side without variance pushes s to the edge; the supremum is reached in the limit.
    let (mut low, mut high) = (1e-15, 1.0 - 1e-15);
    for _ in 0..120 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Finds s with s = σ₁/(σ₁+σ₂) at w(s) = (S₁/s + S₂/(1−s))⁻¹d by a guarded secant: one Cholesky
/// factorisation a step. None where a factor does not exist or the steps do not settle.
fn by_factors(one: Side<'_>, two: Side<'_>, d: &[f64], guess: f64) -> Option<Vec<f64>> {
    const SETTLED: f64 = 1e-11;
    let at = |s: f64| -> Option<(Vec<f64>, f64)> {
        let mut w = d.to_vec();
        Chol::new(mixture(one.cov, two.cov, 1.0 / s, 1.0 / (1.0 - s))).ok()?.solve(&mut w);
        let [a, b] = [one, two].map(|side| quadratic(side.cov, &w).max(0.0).sqrt());
        let excess = a / (a + b) - s;
        excess.is_finite().then_some((w, excess))
    };
    let (mut low, mut high) = (1e-9, 1.0 - 1e-9);
    let mut s = guess.clamp(0.01, 0.99);
    let mut last: Option<(f64, f64)> = None;
    for _ in 0..40 {
        let (w, excess) = at(s)?;
        if excess.abs() < SETTLED {
            return Some(w);
        }
        if excess > 0.0 {
            low = s
        } else {
            high = s
        }
        // The first step is the fixed point itself, later ones the secant through two values.
        let step = match last {
            Some((s0, e0)) if e0 != excess => s - excess * (s - s0) / (excess - e0),
            _ => s + excess,
        };
        last = Some((s, excess));
        s = if step > low && step < high { step } else { 0.5 * (low + high) };
    }
    None
}

/// S₁ + S₂ is singular: a gap outside its range separates for certain, else the range is enough.
fn singular(one: Side<'_>, two: Side<'_>, d: &[f64]) -> Result<Mpm> {
    let n = d.len();
    let eig = sym_eig(&mixture(one.cov, two.cov, 1.0, 1.0))?;
    let top = eig.values[n - 1].max(0.0);
    let kept: Vec<usize> = (0..n).filter(|&i| eig.values[i] > 1e-12 * n as f64 * top).collect();
    let mut outside = d.to_vec();
    for &i in &kept {
        let v = eig.vectors.row(i);
        let h = dot(v, d);
        outside.iter_mut().zip(v).for_each(|(o, x)| *o -= h * x);
    }
    if kept.is_empty() || norm(&outside) > 1e-7 * norm(d) {
        let scale = 1.0 / dot(&outside, d);
        outside.iter_mut().for_each(|v| *v *= scale);
        return Ok(apart(one, two, outside, f64::INFINITY));
    }
    let basis: Vec<&[f64]> = kept.iter().map(|&i| eig.vectors.row(i)).collect();
    let reduce = |a: &Dense| {
        let mut small = Dense::zeros(basis.len(), basis.len());
        for (j, v) in basis.iter().enumerate() {
            let av = times(a, v);
            (0..basis.len()).for_each(|i| small[(i, j)] = dot(basis[i], &av));
        }
        small
    };
    let (a, b) = (reduce(one.cov), reduce(two.cov));
    let small = |mean: &[f64]| -> Vec<f64> { basis.iter().map(|v| dot(v, mean)).collect() };
    let (ma, mb) = (small(one.mean), small(two.mean));
    let gap: Vec<f64> = ma.iter().zip(&mb).map(|(x, y)| x - y).collect();
    let w = by_diagonals(Side { mean: &ma, cov: &a }, Side { mean: &mb, cov: &b }, &gap)?;
    let mut full = vec![0.0; n];
    for (c, v) in w.iter().zip(&basis) {
        full.iter_mut().zip(*v).for_each(|(x, y)| *x += c * y);
    }
    Ok(finish(one, two, d, full))
}

#[cfg(test)]
mod tests;

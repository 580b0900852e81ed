//! The bounds of Theorems 2, 4 and 5 of Huang, Zhang, Song & Chen (2015).

use super::groups::Groups;
use super::msp::DiscriminantSpace;
use crate::data::Dataset;
use crate::error::Result;
use separa_math::discriminant::{Ridge, factor};
use separa_math::linalg::dot;
use separa_math::optim::mpm::probability;

/// Theorem 2, (4): a lower bound of κ² at a direction w.
///
/// `gap` is wᵀ(μ₁−μ₂), `total` is wᵀ(Σ̂+λΛ)w, `share` the fraction r₁ of either cluster. Exact when the
/// clusters are of equal size and of equal spread along w.
pub fn theorem_2(gap: f64, total: f64, share: f64) -> f64 {
    let (least, most) = (share.min(1.0 - share), share.max(1.0 - share));
    let below = 2.0 / least * total - 2.0 * most * gap * gap;
    // total ≥ r₁r₂·gap², so the difference is only negative by rounding.
    if below > 0.0 { gap * gap / below } else { f64::INFINITY }
}

/// Theorem 4: the MSP (λ = 0) that a margin guarantees.
///
/// `margin` is the width δ of a slab between the clusters, `sigma` the square root of Σ̂'s largest
/// eigenvalue, both in the same units.
pub fn theorem_4(margin: f64, sigma: f64, share: f64) -> f64 {
    let (least, most) = (share.min(1.0 - share), share.max(1.0 - share));
    let below = 2.0 / least * (sigma / margin).powi(2) - 2.0 * most + 1.0;
    if below > 0.0 { (1.0 / below).min(1.0) } else { 1.0 }
}

/// Theorem 5: the fraction r of each cluster that may lie within ρΔ/2 of the boundary, or beyond it,
/// when the MSP (λ = 0) is `p`; Δ = wᵀ(μ₁−μ₂), 0 ≤ ρ ≤ 1.
///
/// It holds for the boundary halfway between the means, b′ = −wᵀ(μ₁+μ₂)/2 (the theorem's proof), not
/// for the minimax machine's own b.
pub fn theorem_5(p: f64, rho: f64) -> f64 {
    let odds = 1.0 / p - 1.0;
    let room = (1.0 - rho).powi(2) / 4.0;
    // p = 1 leaves no one inside the margin; ρ = 1 promises nothing.
    if odds + room > 0.0 { odds / (odds + room) } else { 1.0 }
}

/// The largest value of Theorem 2's bound over w, as a probability: a lower bound of MSP that one
/// linear solve finds. The smallest over pairs for more than two clusters, 0 for one.
pub fn separation_bound(data: &Dataset<'_>, labels: &[i32], reg: f64) -> Result<f64> {
    let groups = Groups::new(data, labels)?;
    let space = DiscriminantSpace::new(data, &groups, reg)?;
    let mut least = if groups.k() < 2 { 0.0 } else { 1.0 };
    for a in 0..groups.k() {
        for b in 0..a {
            least = f64::min(least, pair_bound(&space, a, b)?);
        }
    }
    Ok(least)
}

/// At the optimum w = (Σ̂+λΛ)⁻¹(μ₁−μ₂) gap and total are both dᵀ(Σ̂+λΛ)⁻¹d.
fn pair_bound(space: &DiscriminantSpace, a: usize, b: usize) -> Result<f64> {
    let (one, two) = (&space.moments[a], &space.moments[b]);
    let gap: Vec<f64> = one.mean().iter().zip(two.mean()).map(|(x, y)| x - y).collect();
    if gap.iter().all(|g| *g == 0.0) {
        return Ok(0.0);
    }
    let mut all = one.clone();
    all.merge(two);
    let mut w = gap.clone();
    // Singular without a ridge (fewer rows than columns): a vanishing one gives the limit's value.
    let total = |ridge: f64| factor(all.covariance(), Ridge::Constant(ridge));
    total(space.reg).or_else(|_| total(space.reg.max(1e-9)))?.solve(&mut w);
    let g = dot(&w, &gap);
    Ok(probability(theorem_2(g, g, one.n() / all.n()).sqrt()))
}

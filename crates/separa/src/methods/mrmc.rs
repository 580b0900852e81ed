//! Maximum relative margin clustering: as logistic clustering, with the posterior of the hinge.
//!
//! Problem   min H(Y|X) + λ·Σ‖w_y‖² − β·H(ȳ),  P(y|x) ∝ exp(−[1 − m_y]₊), m_y = f_y − max over y' ≠ y of f_y'.
//! Given     rows; λ as a fraction `reg` of 4·λ_max(ZᵀZ/n)/(2k): for two clusters the λ above which w = 0 is
//!           stable, for more an upper bound of it (their hinges do not all act at once).
//! Returns   the lowest of n_init searches, as logistic clustering.
//! Cost      as logistic clustering.
//! See       Dai & Hu (2010), (8)-(9); the margin of several classes is Crammer & Singer's (2001).

use crate::entropy::{Link, RowParams};

/// Maximum relative margin clustering.
///
/// ```
/// use separa::prelude::*;
///
/// let corners = [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]];
/// let rows: Vec<[f64; 2]> = (0..60).map(|i| corners[i % 3].map(|v| v + (i / 3) as f64 * 0.1)).collect();
/// let found = Mrmc::new(3).fit(&rows)?;
/// assert_eq!(found.sizes(), [20, 20, 20]);
/// let proba = found.proba(&[[9.5, 1.0]])?;
/// assert!(proba[(0, 1)] > proba[(0, 0)] && proba[(0, 1)] > proba[(0, 2)]);
/// # Ok::<(), separa::Error>(())
/// ```
pub type Mrmc = RowParams<Hinge>;

/// u_y = −[1 − (f_y − the largest other f)]₊, the multi-class hinge. For two clusters (8), f = f₁ − f₀.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge;

impl Link for Hinge {
    const NAME: &'static str = "mrmc";
    const CLASS: &'static str = "MRMC";
    const ABOUT: &'static str =
        "maximum relative margin: sure by a margin of one, free of units, with probabilities";
    // With both hinges active u₁ − u₀ = 2·(f₁ − f₀).
    const STEEPNESS: f64 = 2.0;

    fn potentials(f: &[f64], u: &mut [f64]) {
        let (first, second) = top_two(f);
        for (y, u) in u.iter_mut().enumerate() {
            let rival = if y == first { f[second] } else { f[first] };
            *u = -(1.0 - (f[y] - rival)).max(0.0);
        }
    }

    fn pull(f: &[f64], slope: &mut [f64]) {
        let (first, second) = top_two(f);
        let mut to = [0.0; 2];
        for (y, s) in slope.iter_mut().enumerate() {
            let (rival, place) = if y == first { (f[second], 1) } else { (f[first], 0) };
            if 1.0 - (f[y] - rival) <= 0.0 {
                *s = 0.0;
            }
            to[place] += *s;
        }
        slope[first] -= to[0];
        slope[second] -= to[1];
    }
}

/// The places of the largest and the second largest number, first of equals.
fn top_two(f: &[f64]) -> (usize, usize) {
    let (mut first, mut second) = if f[1] > f[0] { (1, 0) } else { (0, 1) };
    for y in 2..f.len() {
        if f[y] > f[first] {
            (first, second) = (y, first);
        } else if f[y] > f[second] {
            second = y;
        }
    }
    (first, second)
}

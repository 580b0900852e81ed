//! Logistic clustering: the softmax whose labels are the surest.
//!
//! Problem   min H(Y|X) + λ·Σ‖w_y‖² − β·H(ȳ),  P(y|x) ∝ exp(w_yᵀz + b_y), z the columns (or a kernel's
//!           features) centred and scaled.
//! Given     rows; λ as a fraction `reg` of λ_c = λ_max(ZᵀZ/n)/(2k), above which w = 0 is stable.
//! Returns   the lowest of n_init searches: down a path of falling λ, and from k-means.
//! Cost      n·d·k an evaluation, some hundreds of them; beyond 4096 rows they are made on a sample and
//!           some tens on all rows. A kernel: m²·(n + m) once and n·m·k an evaluation.
//! See       Dai & Hu (2010), (3)-(4); Krause, Perona & Gomes (2010).

use crate::entropy::{Link, RowParams};

/// Logistic clustering.
///
/// ```
/// use separa::prelude::*;
///
/// let corners = [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]];
/// let rows: Vec<[f64; 2]> = (0..60).map(|i| corners[i % 3].map(|v| v + (i / 3) as f64 * 0.1)).collect();
/// let found = Logistic::new(3).fit(&rows)?;
/// assert_eq!(found.sizes(), [20, 20, 20]);
/// let proba = found.proba(&[[9.5, 1.0]])?;
/// assert!(proba[(0, 1)] > proba[(0, 0)] && proba[(0, 1)] > proba[(0, 2)]);
/// # Ok::<(), separa::Error>(())
/// ```
pub type Logistic = RowParams<Softmax>;

/// u = f: the softmax.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softmax;

impl Link for Softmax {
    const NAME: &'static str = "logistic";
    const CLASS: &'static str = "LogisticClustering";
    const ABOUT: &'static str = "logistic clustering: the surest softmax, free of units, with a probability for every cluster";
    const STEEPNESS: f64 = 1.0;
    fn potentials(f: &[f64], u: &mut [f64]) {
        u.copy_from_slice(f);
    }
    fn pull(_: &[f64], _: &mut [f64]) {}
}

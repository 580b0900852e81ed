//! Where learnt weights come in.

use super::params::{Cdsk, CdskVariant};
use crate::error::Result;
use crate::estimator::{Ctx, bad_param};
use separa_math::linalg::SymOp;
use separa_math::matrix::Dense;

/// Weights of the rows and what was found with them.
pub(super) struct Learnt {
    pub alpha: Vec<f64>,
    /// One row each: the leading eigenvectors of the normalised discriminative similarity.
    pub embedding: Dense,
    /// After each round.
    pub objective: Vec<f64>,
    pub rounds: usize,
    /// Whether a few rows took all the weight.
    pub collapsed: bool,
}

/// Learns α on a symmetric similarity that is not negative and has ones on its diagonal.
pub(super) fn learn(p: &Cdsk, gram: &dyn SymOp, _ctx: &mut Ctx<'_>) -> Result<Learnt> {
    debug_assert!(gram.dim() > 0);
    let found = if p.variant == CdskVariant::Exact { "exact" } else { "paper" };
    bad_param::<Cdsk, _>("variant", "graph (weights are not learnt in this version)", found)
}

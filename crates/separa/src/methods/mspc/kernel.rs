//! Kernel features of standardised columns.

use super::params::{KernelName, Mspc};
use crate::error::{Error, Result};
use crate::params::Gamma;
use separa_math::distance::median_gamma;
use separa_math::kernel::feature_map::{FeatureMap, TOLERANCE};
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::{Rows, Stored, pick};
use separa_math::rng::Rng;

/// Kernel features of landmarks drawn among the rows that weigh something, centred on the weighted rows, with
/// mean variance 1.
pub fn kernel_features(
    rows: &dyn Rows,
    weights: Option<&[f64]>,
    p: &Mspc,
    seed: u64,
) -> Result<FeatureMap> {
    let usable: Vec<usize> =
        (0..rows.n_rows()).filter(|&i| weights.is_none_or(|w| w[i] > 0.0)).collect();
    let drawn = Rng::new(seed, 0x6c).sample(usable.len(), p.landmarks);
    let index: Vec<usize> = drawn.into_iter().map(|r| usable[r]).collect();
    let landmarks = pick(rows, &index);
    let gamma = match (p.gamma, p.kernel) {
        (Gamma::Value(g), _) => g,
        (Gamma::Median, KernelName::Poly) => 1.0 / rows.n_cols() as f64,
        (Gamma::Median, _) => median_gamma(&landmarks, seed),
    };
    let kernel = match p.kernel {
        KernelName::Poly => Kernel::Poly { gamma, degree: p.degree, coef0: p.coef0 },
        _ => Kernel::Rbf { gamma },
    };
    let mut map = FeatureMap::fit(kernel, Stored::from_dense(landmarks), TOLERANCE)?;
    if map.n_features() == 0 {
        return Err(Error::ConstantKernel);
    }
    map.standardise(rows, weights);
    Ok(map)
}

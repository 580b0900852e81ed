//! From standardised columns to the space where MSPC works, where that is another one.

use super::params::{KernelName, Mspc};
use crate::error::{Error, Result};
use crate::params::Gamma;
use separa_math::distance::median_gamma;
use separa_math::kernel::feature_map::{FeatureMap, TOLERANCE};
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::{product, product_nt, sym_eig};
use separa_math::matrix::{Dense, Rows, Stored, pick, project};
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
        return Err(Error::Data(
            "the kernel is the same for all rows, so it tells nothing apart; choose another gamma, degree or coef0".into(),
        ));
    }
    map.standardise(rows, weights);
    Ok(map)
}

/// More columns than rows: the coordinates of the rows in their own span, where every mean, every
/// direction (Σ+λI)⁻¹δ and so every rule lives.
pub struct Span {
    /// One row per table row.
    pub coordinates: Dense,
    /// One row per coordinate, orthonormal.
    pub basis: Dense,
}

impl Span {
    /// Cost: N²d for the Gram matrix and its eigenvectors.
    pub fn of(rows: &dyn Rows) -> Result<Self> {
        let n = rows.n_rows();
        let all: Vec<usize> = (0..n).collect();
        let z = pick(rows, &all);
        let eig = sym_eig(&product_nt(z.view(), z.view()))?;
        let top = eig.values[n - 1].max(0.0);
        let kept: Vec<usize> =
            (0..n).rev().filter(|&i| eig.values[i] > 1e-12 * n as f64 * top).collect();
        let mut turn = Dense::zeros(kept.len(), n);
        for (r, &i) in kept.iter().enumerate() {
            let scale = 1.0 / eig.values[i].sqrt();
            turn.row_mut(r).iter_mut().zip(eig.vectors.row(i)).for_each(|(t, v)| *t = scale * v);
        }
        let basis = product(turn.view(), z.view());
        let coordinates = project(&z, basis.view(), &vec![0.0; basis.rows()]);
        Ok(Self { coordinates, basis })
    }

    /// Directions in the span's coordinates as directions of the columns.
    pub fn directions(&self, w: &Dense) -> Dense {
        product(w.view(), self.basis.view())
    }
}

//! The features of a kernel, in which clusters are separated.

use super::settings::RowParams;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::params::{KernelChoice, KernelShape, typical_rows};
use separa_math::distance::check_kernel;
use separa_math::kernel::feature_map::{FeatureMap, KernelSums, TOLERANCE, inverse_root};
use separa_math::linalg::product;
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored, Subset, pick, project};
use separa_math::rng::Rng;
use separa_math::scaling::Scaler;

/// Rows up to which all of them stand for the kernel by default, and landmarks beyond.
pub(super) const ALL: usize = 2000;
pub(super) const SOME: usize = 500;

/// Features of all rows, and the way back to weights of landmarks.
pub(super) struct KernelFeatures {
    pub features: Dense,
    /// One row per feature, one column per landmark.
    map: Dense,
    /// None where the table is the kernel.
    pub sums: Option<KernelSums>,
}

impl KernelFeatures {
    /// Nyström's features of `count` landmarks; of all rows, kernel PCA's. Rows are scaled first.
    pub fn of<L>(
        s: &RowParams<L>,
        data: &Dataset<'_>,
        scaler: Scaler,
        shares: &[f64],
        count: usize,
        seed: u64,
    ) -> Result<Self> {
        let x = data.x();
        let kept: Vec<usize> = (0..x.rows()).filter(|&i| shares[i] > 0.0).collect();
        if s.kernel == KernelChoice::Precomputed {
            return Self::given(x, &kept);
        }
        let rows = scaler.apply(x);
        let rows: &dyn Rows = rows.as_ref();
        let typical = typical_rows(shares, seed);
        let shape = KernelShape { gamma: s.gamma, degree: s.degree, coef0: s.coef0 };
        let kernel = s.kernel.kernel(shape, &Subset { rows, index: &typical }, seed);
        let kernel = kernel.expect("given kernels were dealt with");
        let drawn = Rng::new(seed, 0x6c6d).sample(kept.len(), count);
        let index: Vec<usize> = drawn.into_iter().map(|r| kept[r]).collect();
        let landmarks = Stored::of(rows, &index);
        let gram = kernel.matrix(&landmarks, &landmarks);
        refuse_overflow(&gram)?;
        let map = FeatureMap::from_gram(kernel, landmarks, &gram, TOLERANCE)?;
        let features = map.apply(rows);
        Ok(Self { features, map: map.map.clone(), sums: Some(map.into_sums(Some(scaler))) })
    }

    fn given(x: MatrixRef<'_>, kept: &[usize]) -> Result<Self> {
        let n = x.rows();
        let whole = pick(&x, &(0..n).collect::<Vec<_>>());
        check_kernel(&whole)?;
        let mut gram = Dense::zeros(kept.len(), kept.len());
        for (r, &i) in kept.iter().enumerate() {
            gram.row_mut(r).iter_mut().zip(kept).for_each(|(o, &j)| *o = whole.row(i)[j]);
        }
        refuse_overflow(&gram)?;
        let few = inverse_root(&gram, TOLERANCE)?;
        // Rows without weight have a column in the table, but no part in the rule.
        let mut map = Dense::zeros(few.rows(), n);
        for r in 0..few.rows() {
            kept.iter().zip(few.row(r)).for_each(|(&j, v)| map[(r, j)] = *v);
        }
        let features = project(&whole, map.view(), &vec![0.0; map.rows()]);
        Ok(Self { features, map, sums: None })
    }

    /// Weights of features as weights of landmarks.
    pub fn weights(&self, of_features: &Dense) -> Dense {
        product(of_features.view(), self.map.view())
    }
}

fn refuse_overflow(gram: &Dense) -> Result<()> {
    match gram.data().iter().find(|v| v.abs() >= 1e150 || v.is_nan()) {
        Some(&value) => {
            let of = "the kernel of two rows".to_owned();
            Err(Error::KernelOverflow { of, value, most: "1e150" })
        }
        None => Ok(()),
    }
}

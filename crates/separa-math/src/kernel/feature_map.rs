//! Nyström's feature map: from a kernel and some landmark rows to features whose products are the kernel.
//!
//! Problem   φ with φ(x)ᵀφ(y) = k(x, y) for landmarks x, y, and near it for other rows.
//! Given     a kernel, m landmarks.      Returns  φ(x) = P·k(x) + offset, PᵀP the inverse of their kernel.
//! Cost      m³ once, then m·(d + features) per row.      See  Williams & Seeger (2001).
//!
//! A rule that is linear in the features is a weighted sum of kernels with the landmarks, [`KernelSums`]: that
//! is what models keep.

use super::mercer::Kernel;
use super::sums::weighted_sums;
use crate::error::Result;
use crate::linalg::{product, sym_eig};
use crate::matrix::{Dense, MatrixRef, Rows, Stored, project};
use crate::moments::Moments;
use crate::scaling::Scaler;

/// Axes of the kernel with less than this fraction of the first one's eigenvalue are left out, unless asked
/// otherwise.
pub const TOLERANCE: f64 = 1e-10;

/// A kernel, its landmarks, and the map from kernels to features.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureMap {
    /// The kernel.
    pub kernel: Kernel,
    /// The rows it is evaluated with.
    pub landmarks: Stored,
    /// One row per feature, one column per landmark.
    pub map: Dense,
    /// One number per feature.
    pub offset: Vec<f64>,
}

impl FeatureMap {
    /// The map of these landmarks, not centred. With all rows as landmarks it is kernel PCA without centring.
    pub fn fit(kernel: Kernel, landmarks: Stored, tolerance: f64) -> Result<Self> {
        let gram = kernel.matrix(&landmarks, &landmarks);
        Self::from_gram(kernel, landmarks, &gram, tolerance)
    }

    /// The same from the kernel matrix of the landmarks.
    pub fn from_gram(
        kernel: Kernel,
        landmarks: Stored,
        gram: &Dense,
        tolerance: f64,
    ) -> Result<Self> {
        let map = inverse_root(gram, tolerance)?;
        Ok(Self { kernel, landmarks, offset: vec![0.0; map.rows()], map })
    }

    /// How many features there are.
    pub fn n_features(&self) -> usize {
        self.map.rows()
    }

    /// The features of any rows.
    pub fn apply(&self, rows: &dyn Rows) -> Dense {
        project(&self.kernel.matrix(rows, &self.landmarks), self.map.view(), &self.offset)
    }

    /// Centres the features on these rows, and scales them all alike so that their mean variance is 1.
    pub fn standardise(&mut self, rows: &dyn Rows, weights: Option<&[f64]>) {
        let moments = Moments::of(&self.apply(rows), weights);
        let mean_variance = moments.variances().iter().sum::<f64>() / self.n_features() as f64;
        let scale = if mean_variance > 0.0 { mean_variance.sqrt().recip() } else { 1.0 };
        self.map.data_mut().iter_mut().for_each(|v| *v *= scale);
        self.offset = moments.mean().iter().map(|m| -m * scale).collect();
    }

    /// Weights of features (one row per rule) as weights of the landmarks.
    pub fn landmark_weights(&self, of_features: &Dense) -> Dense {
        product(of_features.view(), self.map.view())
    }

    /// The landmarks without the map, for rows on this scale.
    pub fn into_sums(self, scaler: Option<Scaler>) -> KernelSums {
        let all: Vec<usize> = (0..self.landmarks.n_rows()).collect();
        KernelSums { kernel: self.kernel, landmarks: Stored::of(&self.landmarks, &all), scaler }
    }
}

/// The matrix P (one row per feature) with P·K·Pᵀ = I for a kernel matrix K. Axes with less than `tolerance`
/// of the first one's eigenvalue are left out, and with them all that a kernel has of negative ones.
pub fn inverse_root(gram: &Dense, tolerance: f64) -> Result<Dense> {
    let m = gram.rows();
    let eig = sym_eig(gram)?;
    let top = eig.values[m - 1].max(f64::MIN_POSITIVE);
    let kept: Vec<usize> = (0..m).rev().filter(|&i| eig.values[i] > tolerance * top).collect();
    let mut map = Dense::zeros(kept.len(), m);
    for (r, &i) in kept.iter().enumerate() {
        let scale = 1.0 / eig.values[i].sqrt();
        map.row_mut(r).iter_mut().zip(eig.vectors.row(i)).for_each(|(p, v)| *p = scale * v);
    }
    Ok(map)
}

/// Kernels of scaled rows with landmarks: what kernel rules are weighted sums of.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelSums {
    /// The kernel.
    pub kernel: Kernel,
    /// Landmarks, support vectors or training rows, already on the scale.
    pub landmarks: Stored,
    /// What rows are scaled by first.
    pub scaler: Option<Scaler>,
}

impl KernelSums {
    /// Columns of the rows.
    pub fn n_cols(&self) -> usize {
        self.landmarks.n_cols()
    }

    /// Σⱼ wᵣⱼ·k(x, landmark j) + offset r: one line per row x, one row of `weights` per rule.
    pub fn sums(&self, rows: &dyn Rows, weights: &Dense, offsets: &[f64]) -> Dense {
        let scaled: Option<Box<dyn Rows + '_>> = match (&self.scaler, rows.sparse()) {
            (None, _) => None,
            (Some(scaler), Some(x)) => Some(scaler.apply(MatrixRef::Sparse(x))),
            (Some(scaler), None) => Some(Box::new(scaler.view(rows))),
        };
        let rows = scaled.as_deref().unwrap_or(rows);
        let mut out = weighted_sums(self.kernel, rows, &self.landmarks, weights);
        for line in out.data_mut().chunks_exact_mut(offsets.len().max(1)) {
            line.iter_mut().zip(offsets).for_each(|(v, b)| *v += b);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::product_nt;
    use crate::matrix::pick;
    use crate::test_tables::{normals, sparse_copy};

    #[test]
    fn features_of_the_landmarks_reproduce_their_kernel() {
        let x = normals(40, 4, 4);
        let kernel = Kernel::Rbf { gamma: 0.3 };
        let k = kernel.matrix(&x, &x);
        let map = FeatureMap::fit(kernel, Stored::from_dense(x.clone()), TOLERANCE).unwrap();
        let features = map.apply(&x);
        let again = product_nt(features.view(), features.view());
        let worst =
            again.data().iter().zip(k.data()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{worst}");
    }

    #[test]
    fn a_rule_of_features_is_a_weighted_sum_of_kernels() {
        let x = normals(60, 3, 5);
        let landmarks = Stored::from_dense(pick(&x, &(0..20).collect::<Vec<_>>()));
        let map = FeatureMap::fit(Kernel::Rbf { gamma: 0.5 }, landmarks, 1e-7).unwrap();
        let rule = normals(2, map.n_features(), 6);
        let want = project(&map.apply(&x), rule.view(), &[0.5, -1.0]);
        let weights = map.landmark_weights(&rule);
        let found = map.into_sums(None).sums(&x, &weights, &[0.5, -1.0]);
        let worst = want.data().iter().zip(found.data()).map(|(a, b)| (a - b).abs());
        assert!(worst.fold(0.0, f64::max) < 1e-6);
    }

    #[test]
    fn sparse_rows_have_the_sums_of_dense_ones_on_any_scale() {
        let mut x = normals(30, 12, 7);
        x.data_mut().iter_mut().enumerate().filter(|(p, _)| p % 4 != 0).for_each(|(_, v)| *v = 0.0);
        let sparse = sparse_copy(&x);
        let scaler = Scaler::from_factors(&(1..13).map(f64::from).collect::<Vec<_>>());
        for kernel in [Kernel::Rbf { gamma: 0.1 }, Kernel::Linear, Kernel::Laplacian { gamma: 0.2 }]
        {
            let landmarks = scaler.stored(&x);
            let sums = KernelSums { kernel, landmarks, scaler: Some(scaler.clone()) };
            let weights = normals(3, 30, 8);
            let want = sums.sums(&x, &weights, &[0.0, 1.0, 2.0]);
            assert_eq!(sums.sums(&sparse.view(), &weights, &[0.0, 1.0, 2.0]), want);
        }
    }

    #[test]
    fn standardised_features_have_mean_zero_and_mean_variance_one() {
        let x = normals(80, 2, 9);
        let landmarks = Stored::from_dense(pick(&x, &(0..15).collect::<Vec<_>>()));
        let mut map = FeatureMap::fit(Kernel::Rbf { gamma: 0.5 }, landmarks, TOLERANCE).unwrap();
        map.standardise(&x, None);
        let moments = Moments::of(&map.apply(&x), None);
        assert!(moments.mean().iter().all(|m| m.abs() < 1e-8));
        let mean = moments.variances().iter().sum::<f64>() / map.n_features() as f64;
        assert!((mean - 1.0).abs() < 1e-8);
    }
}

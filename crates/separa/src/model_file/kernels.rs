//! Scalers, feature maps and kernel sums as tensors: one place for every method that keeps one.

use super::Tensors;
use crate::error::{Error, Result};
use separa_math::kernel::feature_map::{FeatureMap, KernelSums};
use separa_math::matrix::Rows;
use separa_math::scaling::{Column, Scaler};

impl Tensors {
    /// A scaler with its centre and clip limits.
    pub fn put_scaler(&mut self, name: &str, scaler: &Scaler) {
        let column = |f: fn(&Column) -> f64| -> Vec<f64> { scaler.columns.iter().map(f).collect() };
        let sources: Vec<i64> = scaler.columns.iter().map(|c| c.source as i64).collect();
        self.put_integers(&format!("{name}.source"), &sources);
        self.put_vector(&format!("{name}.lo"), &column(|c| c.lo));
        self.put_vector(&format!("{name}.hi"), &column(|c| c.hi));
        self.put_vector(&format!("{name}.shift"), &column(|c| c.shift));
        self.put_vector(&format!("{name}.factor"), &column(|c| c.factor));
    }

    /// What [`Tensors::put_scaler`] stored, for a table of so many columns.
    pub fn scaler(&self, name: &str, n_features: usize) -> Result<Scaler> {
        let source = self.integers(&format!("{name}.source"))?;
        let parts = [
            self.limits(&format!("{name}.lo"))?,
            self.limits(&format!("{name}.hi"))?,
            self.vector(&format!("{name}.shift"))?,
            self.vector(&format!("{name}.factor"))?,
        ];
        if parts.iter().any(|p| p.len() != source.len()) {
            return Err(Error::Model("its scaler has columns of unequal length".into()));
        }
        let mut columns = Vec::with_capacity(source.len());
        for (j, &s) in source.iter().enumerate() {
            let source = usize::try_from(s).ok().filter(|&s| s < n_features).ok_or_else(|| {
                Error::Model(format!("its scaler names column {s} of {n_features}"))
            })?;
            let [lo, hi, shift, factor] = [0, 1, 2, 3].map(|p| parts[p][j]);
            columns.push(Column { source, lo, hi, shift, factor });
        }
        if !columns.is_sorted_by(|a, b| a.source < b.source) {
            return Err(Error::Model("its scaler names columns out of order".into()));
        }
        Ok(Scaler { n_features, columns })
    }

    /// A feature map.
    pub fn put_feature_map(&mut self, name: &str, map: &FeatureMap) {
        self.put_measure(&format!("{name}.kernel"), map.kernel);
        self.put_rows(&format!("{name}.points"), &map.landmarks);
        self.put_matrix(&format!("{name}.map"), &map.map);
        self.put_vector(&format!("{name}.offset"), &map.offset);
    }

    /// What [`Tensors::put_feature_map`] stored, for rows of so many columns; none if there is no such map.
    pub fn feature_map(&self, name: &str, n_cols: usize) -> Result<Option<FeatureMap>> {
        if !self.contains(&format!("{name}.kernel")) {
            return Ok(None);
        }
        let kernel = self.kernel(&format!("{name}.kernel"))?;
        let landmarks = self.rows(&format!("{name}.points"))?;
        let map = self.matrix(&format!("{name}.map"))?;
        let offset = self.vector(&format!("{name}.offset"))?;
        let fits = landmarks.n_cols() == n_cols
            && map.cols() == landmarks.n_rows()
            && offset.len() == map.rows();
        if !fits {
            return Err(Error::Model("its kernel features have shapes that do not fit".into()));
        }
        Ok(Some(FeatureMap { kernel, landmarks, map, offset }))
    }

    /// A kernel, its landmarks, and the factors of the columns if there are any.
    pub fn put_kernel_sums(&mut self, sums: &KernelSums) {
        self.put_measure("kernel", sums.kernel);
        self.put_rows("points", &sums.landmarks);
        if let Some(scaler) = &sums.scaler {
            self.put_vector("factors", &scaler.factors());
        }
    }

    /// What [`Tensors::put_kernel_sums`] stored, for rules with so many weights.
    pub fn kernel_sums(&self, n_weights: usize) -> Result<KernelSums> {
        let (kernel, landmarks) = (self.kernel("kernel")?, self.rows("points")?);
        let scaler = match self.contains("factors") {
            true => Some(Scaler::from_factors(&self.vector("factors")?)),
            false => None,
        };
        let width = landmarks.n_cols();
        let scaled = scaler.as_ref().is_none_or(|s| s.n_features == width);
        if landmarks.n_rows() != n_weights || !scaled {
            return Err(Error::Model("its kernel has shapes that do not fit".into()));
        }
        Ok(KernelSums { kernel, landmarks, scaler })
    }
}

//! What a model keeps of its training rows, to compare new ones with: the shapes of its clusters and the distributions
//! of its features. No row is kept.

use crate::data::Dataset;
use crate::drift::FeatureQuantiles;
use crate::error::Result;
use crate::model_file::Tensors;
use crate::novelty::NoveltyRule;

/// What novelty and drift are measured by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Baseline {
    /// None for tables with too many columns.
    pub novelty: Option<NoveltyRule>,
    /// None for tables with too many columns.
    pub features: Option<FeatureQuantiles>,
}

impl Baseline {
    /// Of rows of features with their labels.
    pub fn of(data: &Dataset<'_>, labels: &[i32], k: usize, seed: u64) -> Self {
        Self {
            novelty: NoveltyRule::of(data, labels, k, seed),
            features: FeatureQuantiles::of(data, seed),
        }
    }

    /// Adds its arrays to those of the model.
    pub fn put(&self, tensors: &mut Tensors) {
        self.novelty.iter().for_each(|rule| rule.put(tensors));
        self.features.iter().for_each(|kept| kept.put(tensors));
    }

    /// What a model file holds of it, if anything.
    pub fn load(tensors: &Tensors, k: usize, d: usize) -> Result<Option<Self>> {
        let novelty = NoveltyRule::load(tensors, k, d)?;
        let features = FeatureQuantiles::load(tensors, d)?;
        Ok((novelty.is_some() || features.is_some()).then_some(Self { novelty, features }))
    }
}

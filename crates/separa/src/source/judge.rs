//! The separability of all rows: their moments by the last rule.

use crate::data::Dataset;
use crate::error::Result;
use crate::model::Model;
use crate::pass::{Sums, about};
use crate::quality::Quality;
use crate::quality::all_rows::{PairsJudged, in_all_columns};
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::moments::Moments;

/// What a judging pass brings along: a point near the rows, which all clusters are summed about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judge {
    pub about: Vec<f64>,
}

impl Judge {
    /// Of a sample; None for tables so wide that pairs are not compared in all columns.
    pub fn of(sample: &Dataset<'_>) -> Option<Self> {
        let plain = sample.grouping().is_none() && in_all_columns(sample.d());
        plain.then(|| Self { about: Moments::of(&sample.x(), None).mean().to_vec() })
    }

    /// Numbers among the sums of `k` clusters.
    pub fn numbers(&self, k: usize) -> usize {
        k * about::numbers(self.about.len())
    }

    /// The sums of one block, by this rule; outliers are left out.
    pub fn sum(&self, block: MatrixRef<'_>, model: &dyn Model) -> Result<Sums> {
        let (labels, k) = (model.predict(block)?, model.n_clusters());
        let values = about::sums(&block, &labels, k, |_| &self.about);
        let apart = labels.iter().filter(|l| **l < 0).count() as u64;
        Ok(Sums { apart, ..Sums::of_labels(&labels, k, values) })
    }

    /// The separability of all pairs.
    pub fn judged(&self, total: &Sums, reg: f64) -> Result<PairsJudged> {
        let k = total.sizes.len();
        let about = (0..k).flat_map(|_| self.about.clone()).collect();
        let about = Dense::from_vec(k, self.about.len(), about)?;
        PairsJudged::of(&about::moments(&total.values, &about), reg)
    }
}

/// Numbers the clusters anew: `new[c]` is what cluster c of the sample is called.
pub(super) fn renumber(quality: &mut Quality, new: &[usize]) {
    let called = |c: i32| new.get(c as usize).map_or(c, |c| *c as i32);
    let turned = |a: i32, b: i32| (called(a).min(called(b)), called(a).max(called(b)));
    quality.pairs.iter_mut().for_each(|pair| (pair.a, pair.b) = turned(pair.a, pair.b));
    quality.importance.iter_mut().for_each(|pair| {
        // Fractions are of the separation, whichever cluster is named first.
        (pair.a, pair.b) = turned(pair.a, pair.b);
    });
}

/// Puts what all rows say in the place of what the sample said.
pub(super) fn put(quality: &mut Quality, judged: &PairsJudged) {
    quality.min_fraction = judged.min_fraction;
    let mut worst: Option<(f64, Option<f64>)> = None;
    for pair in &mut quality.pairs {
        let Some(found) = judged.pair(pair.a as usize, pair.b as usize) else { continue };
        pair.msp = found.0;
        if worst.is_none_or(|(msp, _)| found.0 < msp) {
            worst = Some(found);
        }
    }
    if let Some((msp, null)) = worst {
        (quality.msp, quality.msp_null) = (msp, null);
    }
}

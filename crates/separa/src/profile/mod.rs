//! What a cluster is: its features compared with those of all other rows, in the table's own units.
//!
//! Given     rows and their labels; rows with a negative label are left out.
//! Returns   per cluster its size, a suggested name, and of the features that set it apart most the mean, the median,
//!           the mean of all other rows, and the effect size: Cohen's d, the difference of the two means over the
//!           pooled standard deviation, with its 95 % interval (Hedges & Olkin 1985).
//! Cost      two passes over the rows, and medians of at most 2,000 rows of each cluster.

mod name;
mod spread;

use crate::data::Dataset;
use separa_math::matrix::Rows;
use separa_math::rng::Rng;
use serde::{Deserialize, Serialize};
use spread::FeatureSpread;

/// Features that are kept of each cluster.
const KEPT: usize = 20;
/// Rows of a cluster that its medians are made of, and values in all.
const MEDIAN_ROWS: usize = 2000;
const MEDIAN_VALUES: usize = 4 << 20;
/// Larger effects count as this one: nothing varies within the clusters.
const LARGEST: f64 = 100.0;
const STREAM: u64 = 0x7072;

/// What every cluster is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The clusters in the order of their numbers.
    pub clusters: Vec<ClusterProfile>,
}

/// What a cluster is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClusterProfile {
    /// Its label.
    pub cluster: i32,
    /// Its rows.
    pub size: usize,
    /// Its part of all rows.
    pub fraction: f64,
    /// A name made of the features that set it apart most.
    pub name: String,
    /// The features with the largest effect (without its sign) first.
    pub features: Vec<FeatureProfile>,
    /// How many more features there are.
    pub rest: usize,
}

/// One feature of a cluster, in the units of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureProfile {
    /// Its column, from 0.
    pub feature: usize,
    /// Its name.
    pub name: String,
    /// Its mean in the cluster; the fraction of ones, if it is 0 or 1.
    pub mean: f64,
    /// Its median in the cluster.
    pub median: f64,
    /// Its mean in all other rows.
    pub others: f64,
    /// The difference of the two means in standard deviations: 0.8 and more is large.
    pub effect: f64,
    /// The lower end of its 95 % interval.
    pub effect_low: f64,
    /// The upper end of its 95 % interval.
    pub effect_high: f64,
    /// Whether it is 0 or 1 in every row.
    pub binary: bool,
    /// Of a column of words, which has one line: its most frequent word in the cluster. The other values are those of
    /// the word that sets the cluster apart most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_frequent: Option<FrequentLevel>,
}

/// The most frequent word of a column in a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrequentLevel {
    /// The feature that stands for it.
    pub name: String,
    /// The fraction of the cluster's rows that hold it.
    pub fraction: f64,
}

impl Profile {
    /// The profile of labels from 0 to k − 1; None if fewer than two clusters have rows.
    pub fn of(data: &Dataset<'_>, labels: &[i32], seed: u64) -> Option<Self> {
        let k = labels.iter().max().map_or(0, |last| last + 1).max(0) as usize;
        let spread = FeatureSpread::of(data, labels, k);
        if spread.sizes.iter().filter(|size| **size > 0).count() < 2 {
            return None;
        }
        let total: usize = spread.sizes.iter().sum();
        let mut clusters: Vec<ClusterProfile> = (0..k)
            .map(|c| {
                let mut features = spread.features(c, data);
                let rest = features.len().saturating_sub(KEPT);
                features.truncate(KEPT);
                fill_medians(&mut features, data, labels, c as i32, seed);
                let size = spread.sizes[c];
                let fraction = size as f64 / total as f64;
                ClusterProfile {
                    cluster: c as i32,
                    size,
                    fraction,
                    name: String::new(),
                    features,
                    rest,
                }
            })
            .collect();
        name::suggest(&mut clusters);
        Some(Self { clusters })
    }
}

impl Profile {
    /// Names the features anew, one name per column of the table; the suggested names of the clusters follow.
    pub(crate) fn name_features(&mut self, names: &[String]) {
        for cluster in &mut self.clusters {
            cluster.name.clear();
            cluster.features.iter_mut().for_each(|f| f.name.clone_from(&names[f.feature]));
        }
        name::suggest(&mut self.clusters);
    }
}

/// The medians of a sample of a cluster's rows.
fn fill_medians(
    features: &mut [FeatureProfile],
    data: &Dataset<'_>,
    labels: &[i32],
    cluster: i32,
    seed: u64,
) {
    let members: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == cluster).collect();
    let most = MEDIAN_ROWS.min((MEDIAN_VALUES / data.d().max(1)).max(100));
    let drawn = Rng::new(seed, STREAM + cluster as u64).sample(members.len(), most);
    let mut row = vec![0.0; data.d()];
    let mut values: Vec<Vec<f64>> = vec![Vec::with_capacity(drawn.len()); features.len()];
    for i in drawn {
        data.x().copy_row(members[i], &mut row);
        values.iter_mut().zip(&*features).for_each(|(values, f)| values.push(row[f.feature]));
    }
    for (values, feature) in values.iter_mut().zip(features) {
        values.sort_unstable_by(f64::total_cmp);
        let (half, odd) = (values.len() / 2, values.len() % 2 == 1);
        feature.median = match (values.is_empty(), odd) {
            (true, _) => feature.mean,
            (false, true) => values[half],
            (false, false) => 0.5 * values[half - 1] + 0.5 * values[half],
        };
    }
}

//! Means and spreads of every feature, cluster by cluster.

use super::{FeatureProfile, FrequentLevel, LARGEST};
use crate::data::Dataset;
use separa_math::kmeans::Tally;
use separa_math::matrix::{Dense, Rows};
use separa_math::par;

/// The 97.5 % quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// Sums of every cluster. Squares are about 0, so that sparse rows need not be filled and have the bits of dense ones.
pub(super) struct FeatureSpread {
    /// Rows, and weight of rows.
    pub sizes: Vec<usize>,
    mass: Vec<f64>,
    means: Dense,
    /// Σ w x².
    squares: Dense,
    /// Whether a column is 0 or 1 in every row.
    binary: Vec<bool>,
}

impl FeatureSpread {
    pub fn of(data: &Dataset<'_>, labels: &[i32], k: usize) -> Self {
        // Rows that take no part are a cluster of their own, left out below.
        let slots: Vec<u32> =
            labels.iter().map(|&l| if l < 0 { k as u32 } else { l as u32 }).collect();
        let x = data.x();
        let tally = Tally::of(&x, data.weights(), &slots, k + 1);
        let sizes = tally.count[..k].iter().map(|n| *n as usize).collect();
        let (mass, means) = tally.means();
        let mut squares = Dense::zeros(k + 1, data.d());
        let mut binary = vec![true; data.d()];
        par::fold_chunks(
            data.n(),
            |range| square_sums(data, &slots, k, range),
            |(part, both): (Dense, Vec<bool>)| {
                let sums = squares.data_mut().iter_mut();
                sums.zip(part.data()).for_each(|(sum, value)| *sum += value);
                binary.iter_mut().zip(both).for_each(|(all, here)| *all &= here);
            },
        );
        Self { sizes, mass: mass[..k].to_vec(), means, squares, binary }
    }

    /// All features of a cluster, the largest effect first.
    pub fn features(&self, cluster: usize, data: &Dataset<'_>) -> Vec<FeatureProfile> {
        let others = self.sizes.iter().sum::<usize>() - self.sizes[cluster];
        let (n, m) = (self.sizes[cluster] as f64, others as f64);
        let one = |j: usize| {
            let (mean, variance) = self.moments(j, |c| c == cluster);
            let (rest, beside) = self.moments(j, |c| c != cluster);
            let pooled = ((n * variance + m * beside) / (n + m)).sqrt();
            let effect = match (mean - rest) / pooled {
                d if d.is_nan() => 0.0,
                d => d.clamp(-LARGEST, LARGEST),
            };
            let error = NORMAL_975 * (1.0 / n + 1.0 / m + effect * effect / (2.0 * (n + m))).sqrt();
            FeatureProfile {
                feature: j,
                name: data
                    .names()
                    .map_or_else(|| format!("column {}", j + 1), |names| names[j].clone()),
                mean,
                median: mean,
                others: rest,
                effect,
                effect_low: effect - error,
                effect_high: effect + error,
                binary: self.binary[j],
                most_frequent: None,
            }
        };
        let empty = self.sizes[cluster] == 0 || others == 0;
        let mut all: Vec<FeatureProfile> = match empty {
            true => Vec::new(),
            false => (0..data.d()).map(one).collect(),
        };
        all.sort_by(|a, b| {
            b.effect.abs().total_cmp(&a.effect.abs()).then(a.feature.cmp(&b.feature))
        });
        match data.features() {
            Some(columns) => one_line_per_column(all, columns),
            None => all,
        }
    }

    /// Mean and variance of column j over some clusters.
    fn moments(&self, j: usize, among: impl Fn(usize) -> bool) -> (f64, f64) {
        let (mut mass, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for c in (0..self.mass.len()).filter(|&c| among(c)) {
            mass += self.mass[c];
            sum += self.mass[c] * self.means.row(c)[j];
            squares += self.squares.row(c)[j];
        }
        if mass <= 0.0 {
            return (0.0, 0.0);
        }
        let mean = sum / mass;
        (mean, (squares / mass - mean * mean).max(0.0))
    }
}

/// Of the features that stand for the words of one column, only the one with the largest effect, which comes first.
fn one_line_per_column(all: Vec<FeatureProfile>, columns: &[usize]) -> Vec<FeatureProfile> {
    let words = |f: &FeatureProfile| f.binary.then_some(columns[f.feature]);
    let mut kept: Vec<FeatureProfile> = Vec::new();
    for (i, line) in all.iter().enumerate() {
        let column = words(line);
        if column.is_some() && all[..i].iter().any(|before| words(before) == column) {
            continue;
        }
        let mut line = line.clone();
        let levels = all.iter().filter(|f| column.is_some() && words(f) == column);
        // One feature alone is a column of two values: its mean says all.
        if levels.clone().count() > 1 {
            let most =
                levels.max_by(|a, b| a.mean.total_cmp(&b.mean).then(b.feature.cmp(&a.feature)));
            line.most_frequent =
                most.map(|f| FrequentLevel { name: f.name.clone(), fraction: f.mean });
        }
        kept.push(line);
    }
    kept
}

/// The squares of some rows, and which columns are 0 or 1 in all of them.
fn square_sums(
    data: &Dataset<'_>,
    slots: &[u32],
    k: usize,
    range: std::ops::Range<usize>,
) -> (Dense, Vec<bool>) {
    let x = data.x();
    let mut sums = Dense::zeros(k + 1, data.d());
    let mut binary = vec![true; data.d()];
    let mut row = vec![0.0; data.d()];
    for i in range {
        let (w, sum) = (data.weight(i), sums.row_mut(slots[i] as usize));
        if let Some(sparse) = Rows::sparse(&x) {
            let (columns, values) = sparse.row(i);
            for (&j, &value) in columns.iter().zip(values) {
                sum[j as usize] += w * value * value;
                binary[j as usize] &= value == 0.0 || value == 1.0;
            }
            continue;
        }
        x.copy_row(i, &mut row);
        for (j, &value) in row.iter().enumerate() {
            sum[j] += w * value * value;
            binary[j] &= value == 0.0 || value == 1.0;
        }
    }
    (sums, binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(feature: usize, effect: f64, mean: f64, binary: bool) -> FeatureProfile {
        FeatureProfile {
            feature,
            name: format!("f{feature}"),
            mean,
            median: mean,
            others: 0.0,
            effect,
            effect_low: effect,
            effect_high: effect,
            binary,
            most_frequent: None,
        }
    }

    #[test]
    fn a_column_of_words_has_one_line_with_its_most_frequent_word() {
        // f0 a number; f1 to f3 the words of one column; f4 a column of two values.
        let all = vec![
            line(2, -3.0, 0.1, true),
            line(0, 2.0, 7.0, false),
            line(1, 1.0, 0.7, true),
            line(4, 0.5, 0.5, true),
            line(3, 0.1, 0.2, true),
        ];
        let kept = one_line_per_column(all, &[0, 1, 1, 1, 2]);
        let features: Vec<usize> = kept.iter().map(|f| f.feature).collect();
        assert_eq!(features, [2, 0, 4]);
        let word = FrequentLevel { name: "f1".into(), fraction: 0.7 };
        assert_eq!(kept[0].most_frequent, Some(word));
        assert!(kept[1].most_frequent.is_none() && kept[2].most_frequent.is_none());
    }
}

//! Mean and deviation of every column over labelled rows, and how much of it lies between the labels.

use super::{Column, Scaler, varies};
use crate::matrix::{MatrixRef, Rows, Subset};
use crate::par;

/// What one pass over some rows tells about every column.
#[derive(Debug)]
pub struct GroupedStats {
    /// A row that sums are taken about.
    origin: Vec<f64>,
    weight: f64,
    /// Mean of every column, relative to the origin.
    mean: Vec<f64>,
    /// Σ w (x − mean)².
    scatter: Vec<f64>,
    least: Vec<f64>,
    most: Vec<f64>,
    /// Per group: its weight, and Σ w (x − origin) of every column.
    groups: Vec<(f64, Vec<f64>)>,
}

impl GroupedStats {
    /// Of the rows `index`, with `labels` below `k` for all rows of the table; none without rows.
    pub fn of(
        x: MatrixRef<'_>,
        weights: Option<&[f64]>,
        index: &[usize],
        labels: &[i32],
        k: usize,
    ) -> Option<Self> {
        let mut origin = vec![0.0; x.cols()];
        x.copy_row(*index.first()?, &mut origin);
        let rows = Subset { rows: &x, index };
        let mut total: Option<Self> = None;
        par::fold_chunks(
            index.len(),
            |range| {
                let places = &index[range.clone()];
                let mut buffer = Vec::new();
                let block = rows.block(range, &mut buffer);
                let weight = |r: usize| weights.map_or(1.0, |w| w[places[r]]);
                let group = |r: usize| labels[places[r]] as usize;
                Self::of_block(block, &origin, k, weight, group)
            },
            |part| match &mut total {
                Some(stats) => stats.merge(&part),
                None => total = Some(part),
            },
        );
        total
    }

    fn of_block(
        block: &[f64],
        origin: &[f64],
        k: usize,
        weight: impl Fn(usize) -> f64,
        group: impl Fn(usize) -> usize,
    ) -> Self {
        let d = origin.len();
        let mut stats = Self {
            origin: origin.to_vec(),
            weight: 0.0,
            mean: vec![0.0; d],
            scatter: vec![0.0; d],
            least: vec![f64::INFINITY; d],
            most: vec![f64::NEG_INFINITY; d],
            groups: vec![(0.0, vec![0.0; d]); k],
        };
        for (r, row) in block.chunks_exact(d).enumerate() {
            let w = weight(r);
            stats.weight += w;
            let (group_weight, sums) = &mut stats.groups[group(r)];
            *group_weight += w;
            for j in 0..d {
                sums[j] += w * (row[j] - origin[j]);
                stats.least[j] = stats.least[j].min(row[j]);
                stats.most[j] = stats.most[j].max(row[j]);
            }
        }
        for (_, sums) in &stats.groups {
            stats.mean.iter_mut().zip(sums).for_each(|(m, s)| *m += s / stats.weight);
        }
        for (r, row) in block.chunks_exact(d).enumerate() {
            let w = weight(r);
            for j in 0..d {
                let gap = row[j] - origin[j] - stats.mean[j];
                stats.scatter[j] += w * gap * gap;
            }
        }
        stats
    }

    /// Chan, Golub & LeVeque (1979).
    fn merge(&mut self, other: &Self) {
        let total = self.weight + other.weight;
        for j in 0..self.mean.len() {
            let gap = other.mean[j] - self.mean[j];
            self.scatter[j] += other.scatter[j] + gap * gap * self.weight * other.weight / total;
            self.mean[j] += gap * other.weight / total;
            self.least[j] = self.least[j].min(other.least[j]);
            self.most[j] = self.most[j].max(other.most[j]);
        }
        for ((n, sums), (m, more)) in self.groups.iter_mut().zip(&other.groups) {
            *n += m;
            sums.iter_mut().zip(more).for_each(|(a, b)| *a += b);
        }
        self.weight = total;
    }

    /// Columns that vary, with mean 0 and deviation 1; of more than `most` those whose group means differ
    /// most.
    pub fn scaler(&self, most: usize) -> Scaler {
        let sd = |j: usize| (self.scatter[j] / self.weight).sqrt();
        // max == min, not sd == 0: rounding must not decide what is constant.
        let varies = |j: &usize| varies(self.least[*j], self.most[*j]) && sd(*j) > 0.0;
        let n_features = self.origin.len();
        let mut kept: Vec<usize> = (0..n_features).filter(varies).collect();
        if kept.len() > most {
            let score: Vec<f64> = (0..n_features).map(|j| self.between(j)).collect();
            kept.sort_by(|a, b| score[*b].total_cmp(&score[*a]).then(a.cmp(b)));
            kept.truncate(most);
            kept.sort_unstable();
        }
        let column = |j| Column::unclipped(j, self.origin[j] + self.mean[j], 1.0 / sd(j));
        Scaler { n_features, columns: kept.into_iter().map(column).collect() }
    }

    /// Standard deviation of every column, 1 for constant ones.
    pub fn deviations(&self) -> Vec<f64> {
        let sd = |s: &f64| (s / self.weight).sqrt();
        self.scatter.iter().map(|s| if *s > 0.0 { sd(s) } else { 1.0 }).collect()
    }

    /// The fraction of column j's variance that lies between the groups.
    fn between(&self, j: usize) -> f64 {
        let gap = |(n, sums): &(f64, Vec<f64>)| {
            if *n > 0.0 { n * (sums[j] / n - self.mean[j]).powi(2) } else { 0.0 }
        };
        let sum: f64 = self.groups.iter().map(gap).sum();
        if self.scatter[j] > 0.0 { sum / self.scatter[j] } else { 0.0 }
    }
}

//! Columns in their own units: mean 0, standard deviation 1, constant ones left out.

use super::groups::Groups;
use separa_math::matrix::{Column, MatrixRef, Rows, Subset};
use separa_math::par;

/// Wider tables are seen through this many columns: those whose cluster means differ most. A
/// measure on fewer columns is a lower bound of the one on all.
pub(super) const MOST_COLUMNS: usize = 1024;

/// What one pass over some rows tells about every column.
#[derive(Debug)]
struct Pass {
    weight: f64,
    /// Mean of every column, relative to the origin.
    mean: Vec<f64>,
    /// Σ w (x − mean)².
    scatter: Vec<f64>,
    least: Vec<f64>,
    most: Vec<f64>,
    /// Per cluster: its weight, and Σ w (x − origin) of every column.
    clusters: Vec<(f64, Vec<f64>)>,
}

/// Columns to look through, and the unit of every column of the table.
#[derive(Debug)]
pub(super) struct Standard {
    pub columns: Vec<Column>,
    /// Standard deviation of each column, 1 where it is constant.
    pub deviations: Vec<f64>,
}

/// The z-scored view of a table's columns as the rows in `groups` have them.
pub(super) fn standard(x: MatrixRef<'_>, weights: Option<&[f64]>, groups: &Groups) -> Standard {
    standard_of(x, weights, groups, MOST_COLUMNS)
}

/// The same with another limit on the columns.
pub(super) fn standard_of(
    x: MatrixRef<'_>,
    weights: Option<&[f64]>,
    groups: &Groups,
    most: usize,
) -> Standard {
    let mut index: Vec<usize> = groups.members.iter().flatten().copied().collect();
    index.sort_unstable();
    if index.is_empty() {
        return Standard { columns: Vec::new(), deviations: vec![1.0; x.cols()] };
    }
    let mut origin = vec![0.0; x.cols()];
    x.copy_row(index[0], &mut origin);
    let rows = Subset { rows: &x, index: &index };
    let mut total: Option<Pass> = None;
    par::fold_chunks(
        index.len(),
        |range| {
            let places = &index[range.clone()];
            let mut buffer = Vec::new();
            let block = rows.block(range, &mut buffer);
            let weight = |r: usize| weights.map_or(1.0, |w| w[places[r]]);
            let cluster = |r: usize| groups.of_row[places[r]] as usize;
            Pass::of(block, &origin, groups.k(), weight, cluster)
        },
        |part| match &mut total {
            Some(pass) => pass.merge(&part),
            None => total = Some(part),
        },
    );
    let pass = total.expect("at least one chunk of rows");
    Standard { columns: pass.columns(&origin, most), deviations: pass.deviations() }
}

impl Pass {
    fn of(
        block: &[f64],
        origin: &[f64],
        k: usize,
        weight: impl Fn(usize) -> f64,
        cluster: impl Fn(usize) -> usize,
    ) -> Self {
        let d = origin.len();
        let mut pass = Self {
            weight: 0.0,
            mean: vec![0.0; d],
            scatter: vec![0.0; d],
            least: vec![f64::INFINITY; d],
            most: vec![f64::NEG_INFINITY; d],
            clusters: vec![(0.0, vec![0.0; d]); k],
        };
        for (r, row) in block.chunks_exact(d).enumerate() {
            let w = weight(r);
            pass.weight += w;
            let (cluster_weight, sums) = &mut pass.clusters[cluster(r)];
            *cluster_weight += w;
            for j in 0..d {
                sums[j] += w * (row[j] - origin[j]);
                pass.least[j] = pass.least[j].min(row[j]);
                pass.most[j] = pass.most[j].max(row[j]);
            }
        }
        for (_, sums) in &pass.clusters {
            pass.mean.iter_mut().zip(sums).for_each(|(m, s)| *m += s / pass.weight);
        }
        for (r, row) in block.chunks_exact(d).enumerate() {
            let w = weight(r);
            for j in 0..d {
                let gap = row[j] - origin[j] - pass.mean[j];
                pass.scatter[j] += w * gap * gap;
            }
        }
        pass
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
        for ((n, sums), (m, more)) in self.clusters.iter_mut().zip(&other.clusters) {
            *n += m;
            sums.iter_mut().zip(more).for_each(|(a, b)| *a += b);
        }
        self.weight = total;
    }

    fn columns(&self, origin: &[f64], most: usize) -> Vec<Column> {
        let sd = |j: usize| (self.scatter[j] / self.weight).sqrt();
        // max == min, not sd == 0: rounding must not decide what is constant.
        let varies = |j: &usize| self.most[*j] > self.least[*j] && sd(*j) > 0.0;
        let mut kept: Vec<usize> = (0..origin.len()).filter(varies).collect();
        if kept.len() > most {
            let score: Vec<f64> = (0..origin.len()).map(|j| self.between(j)).collect();
            kept.sort_by(|a, b| score[*b].total_cmp(&score[*a]).then(a.cmp(b)));
            kept.truncate(most);
            kept.sort_unstable();
        }
        let column = |j: usize| Column {
            source: j,
            lo: f64::NEG_INFINITY,
            hi: f64::INFINITY,
            shift: origin[j] + self.mean[j],
            factor: 1.0 / sd(j),
        };
        kept.into_iter().map(column).collect()
    }

    fn deviations(&self) -> Vec<f64> {
        let sd = |s: &f64| (s / self.weight).sqrt();
        self.scatter.iter().map(|s| if *s > 0.0 { sd(s) } else { 1.0 }).collect()
    }

    /// The share of column j's variance that lies between the clusters.
    fn between(&self, j: usize) -> f64 {
        let gap = |(n, sums): &(f64, Vec<f64>)| {
            if *n > 0.0 { n * (sums[j] / n - self.mean[j]).powi(2) } else { 0.0 }
        };
        let sum: f64 = self.clusters.iter().map(gap).sum();
        if self.scatter[j] > 0.0 { sum / self.scatter[j] } else { 0.0 }
    }
}

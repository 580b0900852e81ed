//! The rows that others are compared with: those of a table, or a sample of them. For a table that is not that of the fit, what
//! the model keeps of its training rows says where clusters are and how columns spread.

use super::explanation::NearRow;
use super::words::{ColumnKind, TableColumn};
use crate::baseline::Baseline;
use crate::clustering::Fitted;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::{Labels, labels_of};
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;

/// Values that are looked at, and rows at least.
const VALUES: usize = 4 << 20;
const FEWEST: usize = 200;
const STREAM: u64 = 0x6278;

/// Some rows with their clusters, and what columns are like.
#[derive(Debug)]
pub(super) struct Background {
    /// Their places in the table, ascending.
    index: Vec<usize>,
    pub rows: Dense,
    pub labels: Labels,
    /// The standard deviation of every feature, 1 if it is constant.
    pub scales: Vec<f64>,
    /// The smallest and the largest value of every feature.
    pub ranges: Vec<[f64; 2]>,
    /// The centres of the clusters in the training rows, if they are known and these are others.
    centers: Option<Dense>,
}

impl Background {
    pub fn of(fitted: &Fitted, data: &Dataset<'_>, seed: u64) -> Result<Self> {
        let n = data.x().rows();
        let most = (VALUES / data.d()).max(FEWEST);
        let index = Rng::new(seed, STREAM).sample(n, most);
        let rows = pick(&data.x(), &index);
        let labels = match data.grouping() {
            None => labels_of(&fitted.model().decision(rows.view().into())?)?,
            // Rows of a sequence are decided together.
            Some(_) => {
                let all = fitted.predict(data)?;
                index.iter().map(|&i| all[i]).collect()
            }
        };
        let (scales, ranges) = spread(&rows);
        Ok(Self { index, rows, labels, scales, ranges, centers: None })
    }

    /// The same, with centres, deviations and ranges of the training rows as far as they are kept.
    pub fn seen_from(mut self, training: &Baseline) -> Self {
        if let Some(kept) = &training.features {
            let places = kept.places();
            let each = Dense::from_vec(places.cols(), places.rows(), transposed(places));
            (self.scales, self.ranges) = spread(&each.expect("as many values as before"));
        }
        self.centers = training.novelty.as_ref().map(|rule| rule.centers().clone());
        self
    }

    /// The centre of a cluster, seen by `see`; none if it has no rows.
    pub fn center(&self, cluster: i32, see: impl Fn(&mut [f64])) -> Option<Vec<f64>> {
        match &self.centers {
            Some(centers) => {
                let mut center = centers.row(cluster as usize).to_vec();
                see(&mut center);
                Some(center)
            }
            None => self.mean(&self.members(cluster), see),
        }
    }

    /// The rows of a cluster, by their place among these.
    pub fn members(&self, cluster: i32) -> Vec<usize> {
        (0..self.labels.len()).filter(|&r| self.labels[r] == cluster).collect()
    }

    /// The mean of some rows, each seen by `see`; none without rows.
    pub fn mean(&self, members: &[usize], see: impl Fn(&mut [f64])) -> Option<Vec<f64>> {
        let mut mean = vec![0.0; self.rows.cols()];
        let mut row = mean.clone();
        for (count, &r) in members.iter().enumerate() {
            row.copy_from_slice(self.rows.row(r));
            see(&mut row);
            let step = 1.0 / (count + 1) as f64;
            mean.iter_mut().zip(&row).for_each(|(m, v)| *m += step * (v - *m));
        }
        (!members.is_empty()).then_some(mean)
    }

    /// The distance of two rows, every feature in its standard deviations.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let term = |((x, y), s): ((&f64, &f64), &f64)| ((x - y) / s).powi(2);
        a.iter().zip(b).zip(&self.scales).map(term).sum::<f64>().sqrt()
    }

    /// The `most` rows nearest to `row` among some, by their place among these, with their distances.
    pub fn nearest(&self, row: &[f64], among: &[usize], most: usize) -> Vec<(usize, f64)> {
        let mut near: Vec<(usize, f64)> =
            among.iter().map(|&r| (r, self.distance(row, self.rows.row(r)))).collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        near.truncate(most);
        near
    }

    /// Rows of a cluster that are most like `row`, which itself is left out; if `only` are given, of these.
    pub fn exemplars(
        &self,
        row: &[f64],
        cluster: i32,
        own: Option<usize>,
        only: Option<&[usize]>,
        most: usize,
    ) -> Vec<NearRow> {
        let meant = |r: &usize| {
            let place = self.index[*r];
            Some(place) != own && only.is_none_or(|only| only.contains(&place))
        };
        let among: Vec<usize> = self.members(cluster).into_iter().filter(meant).collect();
        let near = self.nearest(row, &among, most);
        near.into_iter().map(|(r, distance)| NearRow { row: self.index[r], distance }).collect()
    }

    /// Whether a column has levels only: by its kind, or because it is 0 or 1 in every row.
    pub fn has_levels(&self, column: &TableColumn<'_>) -> bool {
        match column.kind() {
            ColumnKind::Levels => true,
            ColumnKind::Date => false,
            ColumnKind::Number => {
                let j = column.features.start;
                let binary = |r: usize| [0.0, 1.0].contains(&self.rows[(r, j)]);
                self.ranges[j] == [0.0, 1.0] && (0..self.rows.rows()).all(binary)
            }
        }
    }

    /// The features of every level of such a column.
    pub fn levels(&self, column: &TableColumn<'_>) -> Vec<Vec<f64>> {
        match column.kind() {
            ColumnKind::Levels => column.levels(),
            _ => vec![vec![0.0], vec![1.0]],
        }
    }
}

fn transposed(x: &Dense) -> Vec<f64> {
    (0..x.cols()).flat_map(|j| x.column(j)).collect()
}

/// Standard deviations and ranges of all columns.
fn spread(rows: &Dense) -> (Vec<f64>, Vec<[f64; 2]>) {
    let (n, d) = (rows.rows(), rows.cols());
    let (mut mean, mut scatter) = (vec![0.0; d], vec![0.0; d]);
    let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; d];
    for r in 0..n {
        let step = 1.0 / (r + 1) as f64;
        for (j, &value) in rows.row(r).iter().enumerate() {
            // Welford (1962).
            let gap = value - mean[j];
            mean[j] += step * gap;
            scatter[j] += gap * (value - mean[j]);
            ranges[j] = [ranges[j][0].min(value), ranges[j][1].max(value)];
        }
    }
    let deviation = |s: &f64| (s / n.max(1) as f64).sqrt();
    let usable = |s: f64| if s > 0.0 && s.is_finite() { s } else { 1.0 };
    (scatter.iter().map(|s| usable(deviation(s))).collect(), ranges)
}

//! Rows unlike those that a rule learnt from: the distance of a row to its cluster, in the cluster's own covariance.
//!
//! Given     rows and their clusters.
//! Returns   the distance ‖L⁻¹(x − μ)‖ with LLᵀ the covariance of the cluster ([`Shapes`]), and the p-value of "this is a
//!           row as those of the training table".
//! How       the p-value is conformal: (1 + training rows at least as far) / (1 + training rows), each of these seen by
//!           shapes that were made without it (five folds). It needs no Gaussian, holds for rows that are distributed
//!           like the training rows, and cannot be below 1 / (1 + training rows).
//! See       Vovk, Gammerman & Shafer (2005), Vovk (2015) for folds; Rousseeuw & Van Driessen (1999) for trimming.

mod held_out;
mod shapes;

pub(crate) use held_out::HeldOutDistances;
pub(crate) use shapes::Shapes;

use crate::data::Dataset;
use crate::error::Result;
use crate::model::Labels;
use crate::model_file::Tensors;
use crate::note::{Note, codes, thousands};
use separa_math::matrix::{Dense, MatrixRef, Rows, pick};
use separa_math::par;
use separa_math::rng::Rng;

/// Rows that shapes are made of, values in all, and rows of a cluster at least.
const ROWS: usize = 4000;
const VALUES: usize = 2 << 20;
const FEWEST: usize = 50;
/// Rows of a cluster that are seen by shapes made without them, one fold after the other.
const FOLDS: usize = 5;
/// Numbers that a model keeps for it, at most: centres alone, and all of it.
const MOST_CENTERS: usize = 1 << 18;
const STREAM: u64 = 0x6e6f;
/// A row with a p-value up to this is novel.
pub const NOVEL: f64 = 0.001;

/// How far rows lie from their clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Novelty {
    /// The cluster of each row.
    pub labels: Labels,
    /// The distance to it, in its own covariance: about √d for rows as those of the training table.
    pub distance: Vec<f64>,
    /// The p-value of "a row as those of the training table".
    pub p: Vec<f64>,
    /// The smallest p-value there can be: 1 / (1 + training rows it was measured on).
    pub least: f64,
}

impl Novelty {
    /// A row is novel up to this p-value: [`NOVEL`], or the smallest there can be.
    pub fn limit(&self) -> f64 {
        NOVEL.max(self.least)
    }

    /// How many rows are novel.
    pub fn count(&self) -> usize {
        self.p.iter().filter(|p| **p <= self.limit()).count()
    }

    /// The note if rows are novel.
    pub fn note(&self) -> Option<Note> {
        let (novel, n) = (self.count(), self.p.len());
        let expected = self.limit() * n as f64;
        let text = format!(
            "{} of {} rows {} unlike the training rows (p ≤ {:.3}): their clusters are those that are least far, which may \
             mean nothing; chance alone gives about {expected:.1}",
            thousands(novel),
            thousands(n),
            if novel == 1 { "is" } else { "are" },
            self.limit(),
        );
        (novel > 0).then(|| Note::warning(codes::NOVEL_ROWS, text))
    }
}

/// What a model keeps to measure novelty.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoveltyRule {
    shapes: Shapes,
    held_out: HeldOutDistances,
}

impl NoveltyRule {
    /// Of the rows of `k` clusters; None if they have too many columns to be kept, or no rows.
    pub fn of(data: &Dataset<'_>, labels: &[i32], k: usize, seed: u64) -> Option<Self> {
        if k * data.d() > MOST_CENTERS {
            return None;
        }
        let (rows, mut members) = sample(data, labels, k, seed);
        let mut distances = Vec::with_capacity(rows.rows());
        for fold in 0..FOLDS {
            let part = |keep: fn(usize, usize) -> bool| -> Vec<Vec<usize>> {
                let of = |all: &Vec<usize>| {
                    let each = all.iter().enumerate().filter(|(i, _)| keep(i % FOLDS, fold));
                    each.map(|(_, row)| *row).collect()
                };
                members.iter().map(of).collect()
            };
            let (learnt, seen) = (part(|a, b| a != b), part(|a, b| a == b));
            let shapes = Shapes::of(&rows, &learnt)?;
            for (c, seen) in seen.iter().enumerate() {
                distances.extend(seen.iter().map(|&i| shapes.distance(c, rows.row(i))));
            }
        }
        members.iter_mut().for_each(|rows| rows.sort_unstable());
        let shapes = Shapes::of(&rows, &members)?;
        Some(Self { shapes, held_out: HeldOutDistances::of(distances)? })
    }

    /// The centre of every cluster.
    pub fn centers(&self) -> &Dense {
        self.shapes.centers()
    }

    /// The novelty of rows with these labels.
    pub fn novelty(&self, x: MatrixRef<'_>, labels: Labels) -> Novelty {
        let mut found = vec![[0.0; 2]; labels.len()];
        par::fill_chunks(&mut found, 1, |range, out| {
            let mut row = vec![0.0; x.cols()];
            for (i, out) in range.zip(out) {
                x.copy_row(i, &mut row);
                let distance = self.shapes.distance(labels[i] as usize, &row);
                *out = [distance, self.held_out.p(distance)];
            }
        });
        Novelty {
            labels,
            distance: found.iter().map(|f| f[0]).collect(),
            p: found.iter().map(|f| f[1]).collect(),
            least: self.held_out.least(),
        }
    }

    /// How many training rows of how many have at most this p-value.
    pub fn training_rows(&self, p: f64) -> (usize, usize) {
        self.held_out.up_to(p)
    }

    pub fn put(&self, tensors: &mut Tensors) {
        self.shapes.put(tensors);
        self.held_out.put(tensors);
    }

    /// What [`NoveltyRule::put`] stored, if it did.
    pub fn load(tensors: &Tensors, k: usize, d: usize) -> Result<Option<Self>> {
        if !HeldOutDistances::is_in(tensors) {
            return Ok(None);
        }
        let shapes = Shapes::load(tensors, k, d)?;
        Ok(Some(Self { shapes, held_out: HeldOutDistances::load(tensors)? }))
    }
}

/// Some rows of every cluster, and which of them are whose, in random order.
fn sample(data: &Dataset<'_>, labels: &[i32], k: usize, seed: u64) -> (Dense, Vec<Vec<usize>>) {
    let most = (VALUES / data.d().max(1)).min(ROWS) / k.max(1);
    let mut index = Vec::new();
    let mut members = Vec::with_capacity(k);
    for c in 0..k {
        let usable = |i: &usize| labels[*i] == c as i32 && data.weight(*i) > 0.0;
        let all: Vec<usize> = (0..labels.len()).filter(usable).collect();
        let mut rng = Rng::new(seed, STREAM + c as u64);
        let drawn = rng.sample(all.len(), most.max(FEWEST));
        let mut mine: Vec<usize> = (index.len()..index.len() + drawn.len()).collect();
        index.extend(drawn.into_iter().map(|i| all[i]));
        rng.shuffle(&mut mine);
        members.push(mine);
    }
    (pick(&data.x(), &index), members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::matrix::DenseRef;
    use separa_testkit::clouds::{Source, blobs};

    fn novelty(train: &[f64], labels: &[i32], k: usize, new: &[f64], at: Vec<i32>) -> Novelty {
        let d = train.len() / labels.len();
        let data = Dataset::new(DenseRef::new(labels.len(), d, train).unwrap().into()).unwrap();
        let rule = NoveltyRule::of(&data, labels, k, 0).unwrap();
        rule.novelty(DenseRef::new(new.len() / d, d, new).unwrap().into(), at)
    }

    #[test]
    fn p_values_of_rows_that_come_as_the_training_rows_are_even() {
        // Heavy tails: nothing here is Gaussian.
        let heavy = |seed: u64, n: usize| -> Vec<f64> {
            let mut source = Source::new(seed);
            (0..n * 3).map(|_| source.normal() / source.normal().abs().max(0.2)).collect()
        };
        for n in [60, 600] {
            let (mut low, mut rows) = ([0; 3], 0);
            for seed in 0..20 {
                let labels = vec![0; n];
                let found =
                    novelty(&heavy(seed, n), &labels, 1, &heavy(100 + seed, 500), vec![0; 500]);
                rows += 500;
                for (low, level) in low.iter_mut().zip([0.05, 0.2, 0.5]) {
                    *low += found.p.iter().filter(|p| **p <= level).count();
                }
            }
            for (low, level) in low.iter().zip([0.05, 0.2, 0.5]) {
                let rate = *low as f64 / f64::from(rows);
                // Shapes of all rows fit a little better than those that left a fifth out: never far above the level.
                assert!(
                    rate < 1.25 * level + 0.01 && rate > 0.5 * level,
                    "{n}: {rate} for {level}"
                );
            }
        }
    }

    #[test]
    fn a_row_far_in_a_direction_without_spread_is_novel_though_close_in_each_column() {
        // Two columns that are nearly equal: (1.5, −1.5) is ordinary in each of them.
        let mut source = Source::new(3);
        let mut x = Vec::new();
        for _ in 0..400 {
            let v = source.normal();
            x.extend([v, v + 0.05 * source.normal()]);
        }
        let found = novelty(&x, &[0; 400], 1, &[1.5, 1.5, 1.5, -1.5, 1e6, 1e6], vec![0; 3]);
        assert!(found.p[0] > 0.1 && found.p[1] == found.least && found.p[2] == found.least);
        assert_eq!((found.count(), found.least), (2, 1.0 / 401.0));
        let note = found.note().unwrap();
        assert!(note.text.starts_with("2 of 3 rows are unlike the training rows"), "{}", note.text);
    }

    #[test]
    fn a_few_outliers_in_the_training_rows_do_not_hide_others() {
        let mut cloud = blobs(300, 2, 2, 12.0, 5);
        (0..6).for_each(|i| cloud.x[2 * i] = 500.0 + i as f64);
        let found = novelty(&cloud.x, &cloud.labels, 2, &[60.0, 0.0], vec![0]);
        // As far as no row but those six.
        assert!(found.p[0] < 0.03, "{found:?}");
    }

    #[test]
    fn wide_tables_have_diagonal_shapes_and_very_wide_ones_none() {
        let wide = blobs(120, 100, 2, 9.0, 5);
        let far: Vec<f64> = wide.x[..100].iter().map(|v| v + 9.0).collect();
        let both = [&wide.x[..100], &far].concat();
        let found = novelty(&wide.x, &wide.labels, 2, &both, vec![wide.labels[0]; 2]);
        assert!(found.p[0] > 0.01 && found.p[1] == found.least, "{found:?}");
        let x = vec![1.0; 4 * 200_000];
        let data = Dataset::new(DenseRef::new(4, 200_000, &x).unwrap().into()).unwrap();
        assert!(NoveltyRule::of(&data, &[0, 0, 1, 1], 2, 0).is_none());
    }

    #[test]
    fn a_change_in_a_constant_column_is_novel_and_small_clusters_have_the_shape_of_all() {
        let mut cloud = blobs(200, 3, 2, 12.0, 5);
        (0..200).for_each(|i| cloud.x[3 * i + 2] = 7.0);
        let mut row = cloud.x[..3].to_vec();
        let same = novelty(&cloud.x, &cloud.labels, 2, &row, vec![cloud.labels[0]]);
        row[2] = 7.1;
        let changed = novelty(&cloud.x, &cloud.labels, 2, &row, vec![cloud.labels[0]]);
        assert!(same.p[0] > 0.01 && changed.p[0] == changed.least);
        // A cluster of two rows has no covariance of its own.
        let labels: Vec<i32> = (0..200).map(|i| i32::from(i < 2)).collect();
        let found = novelty(&cloud.x, &labels, 2, &cloud.x[..3], vec![1]);
        assert!(found.distance[0].is_finite() && found.p[0] > 0.01, "{found:?}");
    }

    #[test]
    fn what_is_stored_comes_back_and_damage_is_refused() {
        let cloud = blobs(150, 3, 2, 9.0, 5);
        let data = Dataset::new(DenseRef::new(150, 3, &cloud.x).unwrap().into()).unwrap();
        let rule = NoveltyRule::of(&data, &cloud.labels, 2, 0).unwrap();
        let mut tensors = Tensors::default();
        rule.put(&mut tensors);
        assert_eq!(NoveltyRule::load(&tensors, 2, 3).unwrap(), Some(rule));
        assert!(NoveltyRule::load(&tensors, 3, 3).is_err());
        assert!(NoveltyRule::load(&tensors, 2, 4).is_err());
        assert_eq!(NoveltyRule::load(&Tensors::default(), 2, 3).unwrap(), None);
    }
}

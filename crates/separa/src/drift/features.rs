//! The distribution of every feature, as a model keeps it.

use super::FeatureDrift;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::model_file::Tensors;
use separa_math::matrix::{Dense, MatrixRef, pick};
use separa_math::rng::Rng;
use separa_math::stats::kolmogorov_tail;

/// Rows that distributions are made of, and values in all.
const ROWS: usize = 10_000;
const VALUES: usize = 4 << 20;
/// Places of a distribution function that are kept, and numbers in all; wider tables keep none.
const PLACES: usize = 65;
const KEPT: usize = 1 << 16;
const FEWEST: usize = 9;
const STREAM: u64 = 0x6472;

/// Places of every feature, ascending, and the part of the training rows up to each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FeatureQuantiles {
    /// Training rows that it was made of.
    rows: usize,
    places: Dense,
    parts: Dense,
}

impl FeatureQuantiles {
    /// Of the rows with weight; None if there are too many columns.
    pub fn of(data: &Dataset<'_>, seed: u64) -> Option<Self> {
        let d = data.d();
        let width = (KEPT / d).min(PLACES);
        if width < FEWEST {
            return None;
        }
        let usable: Vec<usize> = (0..data.x().rows())
            .filter(|&i| data.bags().is_some() || data.weight(i) > 0.0)
            .collect();
        let most = (VALUES / d).clamp(100, ROWS);
        let drawn = Rng::new(seed, STREAM).sample(usable.len(), most);
        let index: Vec<usize> = drawn.into_iter().map(|i| usable[i]).collect();
        let table = pick(&data.x(), &index);
        let (mut places, mut parts) = (Dense::zeros(d, width), Dense::zeros(d, width));
        for j in 0..d {
            let mut values = table.column(j);
            values.sort_unstable_by(f64::total_cmp);
            for q in 0..width {
                let place = values[q * (values.len() - 1) / (width - 1)];
                places[(j, q)] = place;
                parts[(j, q)] = up_to(&values, place);
            }
        }
        Some(Self { rows: index.len(), places, parts })
    }

    /// The places of every feature in the training rows, at equal steps of their order: a row per feature, from its smallest
    /// value to its largest.
    pub fn places(&self) -> &Dense {
        &self.places
    }

    /// Every feature of new rows, by the Kolmogorov–Smirnov distance at the places that are kept.
    pub fn compare(&self, x: MatrixRef<'_>, name: impl Fn(usize) -> String) -> Vec<FeatureDrift> {
        let most = (VALUES / x.cols().max(1)).max(ROWS);
        let index = Rng::new(0, STREAM).sample(x.rows(), most);
        let table = pick(&x, &index);
        let (n, m) = (self.rows as f64, index.len() as f64);
        let each = |j: usize| {
            let mut values = table.column(j);
            values.sort_unstable_by(f64::total_cmp);
            let distance = self.distance(j, &values);
            let p = kolmogorov_tail(distance, n * m / (n + m));
            FeatureDrift {
                drift: false,
                feature: j,
                name: name(j),
                median_training: self.median(j),
                median_new: values[(values.len() - 1) / 2],
                distance,
                p,
                p_adjusted: 1.0,
            }
        };
        (0..x.cols()).map(each).collect()
    }

    fn distance(&self, j: usize, sorted: &[f64]) -> f64 {
        let (places, parts) = (self.places.row(j), self.parts.row(j));
        let below = sorted.partition_point(|v| *v < places[0]) as f64 / sorted.len() as f64;
        let each = places.iter().zip(parts).map(|(at, part)| (part - up_to(sorted, *at)).abs());
        each.fold(below, f64::max)
    }

    fn median(&self, j: usize) -> f64 {
        let half = self.parts.row(j).partition_point(|part| *part < 0.5);
        self.places[(j, half.min(self.places.cols() - 1))]
    }

    const NAMES: [&str; 3] = ["drift.rows", "drift.places", "drift.parts"];

    pub fn put(&self, tensors: &mut Tensors) {
        let [rows, places, parts] = Self::NAMES;
        tensors.put_integers(rows, &[self.rows as i64]);
        tensors.put_matrix(places, &self.places);
        tensors.put_matrix(parts, &self.parts);
    }

    /// What [`FeatureQuantiles::put`] stored, if it did.
    pub fn load(tensors: &Tensors, d: usize) -> Result<Option<Self>> {
        let [rows, places, parts] = Self::NAMES;
        if !tensors.contains(rows) {
            return Ok(None);
        }
        let count = tensors.integers(rows)?;
        let (places, parts) = (tensors.matrix(places)?, tensors.matrix(parts)?);
        let whole = places.rows() == d
            && places.cols() > 0
            && [parts.rows(), parts.cols()] == [places.rows(), places.cols()]
            && (0..d).all(|j| places.row(j).is_sorted() && parts.row(j).is_sorted())
            && parts.data().iter().all(|part| (0.0..=1.0).contains(part));
        match count.as_slice() {
            [rows] if whole && *rows > 0 => Ok(Some(Self { rows: *rows as usize, places, parts })),
            _ => Err(Error::Model("its distributions of features are damaged".into())),
        }
    }
}

/// The part of ascending values up to `place`.
fn up_to(sorted: &[f64], place: f64) -> f64 {
    sorted.partition_point(|v| *v <= place) as f64 / sorted.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::matrix::DenseRef;
    use separa_testkit::clouds::Source;

    fn column(seed: u64, n: usize, make: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut source = Source::new(seed);
        (0..n).map(|_| make(source.normal())).collect()
    }

    fn compared(training: &[f64], new: &[f64]) -> FeatureDrift {
        fn matrix(x: &[f64]) -> separa_math::Result<DenseRef<'_>> {
            DenseRef::new(x.len(), 1, x)
        }
        let data = Dataset::new(matrix(training).unwrap().into()).unwrap();
        let kept = FeatureQuantiles::of(&data, 0).unwrap();
        let mut tensors = Tensors::default();
        kept.put(&mut tensors);
        assert_eq!(FeatureQuantiles::load(&tensors, 1).unwrap().as_ref(), Some(&kept));
        assert!(FeatureQuantiles::load(&tensors, 2).is_err());
        kept.compare(matrix(new).unwrap().into(), |_| "x".into()).remove(0)
    }

    #[test]
    fn a_shift_is_found_and_its_size_is_that_of_the_distribution_functions() {
        let (old, new) = (column(1, 2000, |v| v), column(2, 2000, |v| v + 0.5));
        let found = compared(&old, &new);
        // sup |Φ(x) − Φ(x − ½)| = 2 Φ(¼) − 1.
        assert!((found.distance - 0.197_4).abs() < 0.03 && found.p < 1e-20, "{found:?}");
        assert!((found.median_new - found.median_training - 0.5).abs() < 0.1);
        let same = compared(&old, &column(3, 2000, |v| v));
        assert!(same.distance < 0.05 && same.p > 0.01, "{same:?}");
        // Values of two kinds, and one row alone.
        let (half, most) = (|v: f64| f64::from(v > 0.0), |v: f64| f64::from(v > -1.0));
        let found = compared(&column(1, 2000, half), &column(2, 2000, most));
        assert!((found.distance - 0.341_3).abs() < 0.03, "{found:?}");
        assert!(compared(&old, &[40.0]).p > 0.05);
        assert_eq!(compared(&[7.0; 50], &[7.0; 9]).distance, 0.0);
        assert_eq!(compared(&[7.0; 50], &[6.0; 9]).distance, 1.0);
    }
}

//! Columns on one scale: fitted once, applied to any rows.
//!
//! z = (clamp(x, lo, hi) − shift)·factor for every kept column. Every use of scaling in separa is one of
//! these [`Scaler`]s; what differs is how it is fitted:
//!
//! | fitted by | centre, scale | used for |
//! |---|---|---|
//! | [`Scaler::fit`] | none; deviation | kernels and distances, where a shift changes nothing |
//! | [`ColumnStats::scaler`] | mean; deviation, or the largest one for all | linear posteriors |
//! | [`GroupedStats::scaler`] | mean; deviation; constant columns left out | quality of labels |
//! | [`RobustFit::of`] | clipped mean and deviation; outlier rows | MSPC, the number of clusters |
//! | [`Scaler::unit_free`] | none; clipped deviation or contraharmonic scale | every other method |
//! | [`Scaler::quartiles`] | median; interquartile range | pictures |
//!
//! The deviations are the same up to rounding. Their sums run differently (about a first row, skipping
//! zeros, in merged chunks, within the range), and each use keeps its own so that labels keep their bits.

mod grouped;
mod robust;
mod stats;
mod view;

pub use grouped::GroupedStats;
pub use robust::{RobustFit, middle_spread, quantile};
pub use stats::{ColumnStats, means, variances};
pub use view::Scaled;

use crate::matrix::{CsrRef, Dense, MatrixRef, Rows, Stored};
use crate::par;
use std::ops::Range;

/// The one rule for what is constant: a column whose values differ by no more than this. Its squares are lost among
/// the smallest numbers that there are.
pub const LEAST_SPREAD: f64 = 1e-100;

/// Whether a column that ranges from `lo` to `hi` varies.
pub fn varies(lo: f64, hi: f64) -> bool {
    hi - lo > LEAST_SPREAD
}

/// What columns are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScalingKind {
    /// `Standard` if one column holds more than half of the summed variance, else `None`.
    Auto,
    /// Every column by its own standard deviation; columns without one become 0.
    #[default]
    Standard,
    /// All columns by the largest standard deviation: they keep their proportions.
    Shared,
    /// Nothing: columns keep their units.
    None,
}

/// One kept column: z = (clamp(x, lo, hi) − shift)·factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// Its place in the table.
    pub source: usize,
    /// Values below are taken for this one.
    pub lo: f64,
    /// Values above are taken for this one.
    pub hi: f64,
    /// What is subtracted.
    pub shift: f64,
    /// What the difference is multiplied by.
    pub factor: f64,
}

impl Column {
    /// A column without clip limits.
    pub fn unclipped(source: usize, shift: f64, factor: f64) -> Self {
        Self { source, lo: f64::NEG_INFINITY, hi: f64::INFINITY, shift, factor }
    }

    fn is_identity(&self) -> bool {
        *self == Self::unclipped(self.source, 0.0, 1.0)
    }
}

/// A fitted scaling of the columns of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaler {
    /// Columns of the table.
    pub n_features: usize,
    /// The kept ones, in ascending order.
    pub columns: Vec<Column>,
}

impl Scaler {
    /// Factors for the rows as they are, without centring, so that zeros stay zeros.
    /// [`ScalingKind::Auto`] and [`ScalingKind::None`] leave columns alone but for numbers too small or
    /// large to be squared, which `Auto` brings near one.
    pub fn fit(rows: &dyn Rows, weights: Option<&[f64]>, kind: ScalingKind) -> Self {
        if kind == ScalingKind::None {
            return Self::identity(rows.n_cols());
        }
        let (variances, scale) = stats::variances_in_range(rows, weights);
        let total: f64 = variances.iter().sum();
        let top = variances.iter().fold(0.0_f64, |a, b| a.max(*b));
        let own = |least: f64| {
            let factor = |v: &f64| if *v > least { scale / v.sqrt() } else { 0.0 };
            Self::from_factors(&variances.iter().map(factor).collect::<Vec<_>>())
        };
        match kind {
            ScalingKind::Standard => own(LEAST_SPREAD * LEAST_SPREAD),
            ScalingKind::Auto if variances.len() > 1 && top > 0.5 * total => own(1e-24 * top),
            ScalingKind::Shared if top > 0.0 => Self::uniform(variances.len(), scale / top.sqrt()),
            _ => Self::uniform(variances.len(), scale),
        }
    }

    /// The same factor for every column.
    pub fn uniform(n_features: usize, factor: f64) -> Self {
        Self::from_factors(&vec![factor; n_features])
    }

    /// Columns as they are.
    pub fn identity(n_features: usize) -> Self {
        Self::uniform(n_features, 1.0)
    }

    /// All columns, multiplied by these.
    pub fn from_factors(factors: &[f64]) -> Self {
        let column = |(j, f): (usize, &f64)| Column::unclipped(j, 0.0, *f);
        Self {
            n_features: factors.len(),
            columns: factors.iter().enumerate().map(column).collect(),
        }
    }

    /// All columns, centred and multiplied.
    pub fn centred(shift: &[f64], factor: &[f64]) -> Self {
        let mut out = Self::from_factors(factor);
        out.columns.iter_mut().zip(shift).for_each(|(c, s)| c.shift = *s);
        out
    }

    /// Median and interquartile range of every column, in deviations of a Gaussian; where more than half of
    /// the values are the same, the mean distance from it. Constant columns become 0.
    pub fn quartiles(rows: &Dense) -> Self {
        let (shift, factor): (Vec<f64>, Vec<f64>) = (0..rows.cols())
            .map(|j| {
                let (middle, spread) = robust::median_and_spread(rows.column(j));
                (middle, if spread > 0.0 { 1.0 / spread } else { 0.0 })
            })
            .unzip();
        Self::centred(&shift, &factor)
    }

    /// Whether rows stay as they are.
    pub fn is_identity(&self) -> bool {
        self.columns.len() == self.n_features && self.columns.iter().all(Column::is_identity)
    }

    /// The factors of the kept columns.
    pub fn factors(&self) -> Vec<f64> {
        self.columns.iter().map(|c| c.factor).collect()
    }

    /// The scales of the kept columns: 1 over their factors.
    pub fn scales(&self) -> Vec<f64> {
        self.columns.iter().map(|c| 1.0 / c.factor).collect()
    }

    /// The same columns, clipped and centred but in the units of the table.
    pub fn unscaled(&self) -> Self {
        let columns = self.columns.iter().map(|c| Column { factor: 1.0, ..*c }).collect();
        Self { n_features: self.n_features, columns }
    }

    /// The same columns without centre and clip limits, so that zeros stay zeros.
    pub fn uncentred(&self) -> Self {
        let column = |c: &Column| Column::unclipped(c.source, 0.0, c.factor);
        Self { n_features: self.n_features, columns: self.columns.iter().map(column).collect() }
    }

    /// Multiplies every factor.
    pub fn stretch(&mut self, by: f64) {
        self.columns.iter_mut().for_each(|c| c.factor *= by);
    }

    /// Multiplies the factor of each kept column by its own number.
    pub fn stretch_each(&mut self, by: &[f64]) {
        self.columns.iter_mut().zip(by).for_each(|(c, by)| c.factor *= by);
    }

    /// Columns of the table that are left out, ascending.
    pub fn dropped(&self) -> Vec<usize> {
        let kept = |j: &usize| self.columns.binary_search_by_key(j, |c| c.source).is_ok();
        (0..self.n_features).filter(|j| !kept(j)).collect()
    }

    /// The rows on this scale, mapped while they are read.
    pub fn view<R: Rows>(&self, rows: R) -> Scaled<R> {
        Scaled::new(rows, &self.columns)
    }

    /// The table on this scale; sparse rows stay sparse where zeros stay zeros.
    pub fn apply<'a>(&self, x: MatrixRef<'a>) -> Box<dyn Rows + 'a> {
        match x {
            _ if self.is_identity() => Box::new(x),
            MatrixRef::Sparse(sparse) if self.keeps_zeros() => Box::new(self.sparse_copy(sparse)),
            _ => Box::new(self.view(x)),
        }
    }

    /// A copy of the table on this scale; sparse rows stay sparse where zeros stay zeros.
    pub fn copy(&self, x: MatrixRef<'_>) -> Stored {
        match x {
            MatrixRef::Sparse(sparse) if self.keeps_zeros() => self.sparse_copy(sparse),
            _ => {
                let (view, d) = (self.view(x), self.columns.len());
                let mut table = Dense::zeros(x.rows(), d);
                par::fill_chunks(table.data_mut(), d, |range, part| {
                    range.zip(part.chunks_exact_mut(d)).for_each(|(i, row)| view.copy_row(i, row));
                });
                Stored::from_dense(table)
            }
        }
    }

    /// Whether all columns are kept and a zero stays a zero in each.
    fn keeps_zeros(&self) -> bool {
        let keeps = |c: &Column| c.shift == 0.0 && c.lo <= 0.0 && c.hi >= 0.0;
        self.columns.len() == self.n_features && self.columns.iter().all(keeps)
    }

    fn sparse_copy(&self, x: CsrRef<'_>) -> Stored {
        let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..x.rows() {
            let (columns, numbers) = x.row(i);
            places.extend_from_slice(columns);
            let map = |(&j, v): (&u32, &f64)| {
                let c = &self.columns[j as usize];
                v.max(c.lo).min(c.hi) * c.factor
            };
            values.extend(columns.iter().zip(numbers).map(map));
            starts.push(values.len());
        }
        Stored::from_sparse(self.n_features, starts, places, values).expect("places were checked")
    }

    /// A copy of the rows on this scale.
    pub fn stored(&self, rows: &dyn Rows) -> Stored {
        Stored::of(&self.view(rows), &(0..rows.n_rows()).collect::<Vec<_>>())
    }

    /// Rows with more than half of their kept columns beyond the clip limits, ascending.
    pub fn outliers(&self, x: MatrixRef<'_>) -> Vec<usize> {
        let mut out = Vec::new();
        // One array per limit, endless for columns that were left out: the loop over a row is a vector loop.
        let (mut lo, mut hi) = (vec![f64::NEG_INFINITY; x.cols()], vec![f64::INFINITY; x.cols()]);
        self.columns.iter().for_each(|c| (lo[c.source], hi[c.source]) = (c.lo, c.hi));
        let map = |range: Range<usize>| -> Vec<usize> {
            let mut buffer = Vec::new();
            let first = range.start;
            let lines = x.block(range, &mut buffer).chunks_exact(x.cols().max(1));
            let beyond = |row: &[f64]| -> u64 {
                let each = row.iter().zip(&lo).zip(&hi);
                each.map(|((x, lo), hi)| u64::from(x < lo) + u64::from(x > hi)).sum()
            };
            let most = self.columns.len() as u64;
            let far = lines.enumerate().filter(|(_, row)| 2 * beyond(row) > most);
            far.map(|(i, _)| first + i).collect()
        };
        par::fold_chunks(x.rows(), map, |part| out.extend(part));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::pick;
    use crate::test_tables::{normals, sparse_copy};

    fn table(n: usize, d: usize) -> Dense {
        let mut x = normals(n, d, 3);
        for i in 0..n {
            for (j, v) in x.row_mut(i).iter_mut().enumerate() {
                *v = 7.0 + *v / (1.0 + j as f64);
            }
        }
        x
    }

    fn variances(rows: &dyn Rows) -> Vec<f64> {
        stats::variances(rows, None, 1.0)
    }

    #[test]
    fn units_are_left_alone_unless_a_column_or_a_number_drowns_the_rest() {
        let auto = |x: &Dense| Scaler::fit(x, None, ScalingKind::Auto);
        let mut loud = normals(50, 3, 1);
        (0..50).for_each(|i| loud[(i, 1)] *= 1000.0);
        let variance = variances(&auto(&loud).stored(&loud));
        assert!(variance.iter().all(|v| (v - 1.0).abs() < 1e-10), "{variance:?}");
        let mut tiny = normals(50, 3, 1);
        tiny.data_mut().iter_mut().for_each(|v| *v *= 1e-200);
        assert!(auto(&tiny).factors().iter().all(|f| *f > 1e190));
        assert!(auto(&normals(50, 3, 1)).is_identity());
    }

    #[test]
    fn scores_have_deviation_one_whatever_the_units_and_weights_count_rows() {
        let standard =
            |x: &Dense, weights: Option<&[f64]>| Scaler::fit(x, weights, ScalingKind::Standard);
        let mut x = table(50, 4);
        (0..50).for_each(|i| x[(i, 3)] = 5.0);
        let scaler = standard(&x, None);
        assert_eq!(scaler.factors()[3], 0.0);
        let variance = variances(&scaler.stored(&x));
        assert!(variance[..3].iter().all(|v| (v - 1.0).abs() < 1e-10), "{variance:?}");
        let twice: Vec<usize> = (0..50).chain(0..25).collect();
        let weights: Vec<f64> = (0..50).map(|i| if i < 25 { 2.0 } else { 1.0 }).collect();
        let (a, b) = (standard(&x, Some(&weights)), standard(&pick(&x, &twice), None));
        for (a, b) in a.factors().iter().zip(b.factors()) {
            assert!((a - b).abs() <= 1e-12 * b);
        }
    }

    #[test]
    fn every_kind_and_form_has_the_same_bits_for_sparse_and_dense_rows() {
        let mut x = table(60, 9);
        x.data_mut().iter_mut().enumerate().filter(|(p, _)| p % 3 != 0).for_each(|(_, v)| *v = 0.0);
        let sparse = sparse_copy(&x);
        let all: Vec<usize> = (0..60).collect();
        for kind in
            [ScalingKind::Auto, ScalingKind::Standard, ScalingKind::Shared, ScalingKind::None]
        {
            let scaler = Scaler::fit(&x, None, kind);
            assert_eq!(scaler, Scaler::fit(&sparse.view(), None, kind));
            let applied = scaler.apply(sparse.view().into());
            assert!(applied.sparse().is_some(), "{kind:?}");
            let dense = pick(&scaler.view(&x), &all);
            assert_eq!(pick(applied.as_ref(), &all), dense);
            assert_eq!(pick(&scaler.view(&sparse.view()), &all), dense);
        }
    }

    #[test]
    fn neither_units_nor_gross_rows_move_quartiles_and_constant_columns_become_zero() {
        let values: Vec<f64> = (0..101).map(f64::from).collect();
        let plain = Dense::from_vec(101, 1, values.clone()).unwrap();
        let mut wild = values;
        wild[100] = 1e9;
        let other = Dense::from_vec(101, 1, wild.iter().map(|v| 1000.0 * v).collect()).unwrap();
        let seen = |x: &Dense| pick(&Scaler::quartiles(x).view(x), &(0..100).collect::<Vec<_>>());
        let (a, b) = (seen(&plain), seen(&other));
        assert!(a.data().iter().zip(b.data()).all(|(a, b)| (a - b).abs() < 1e-12));
        let flat = Dense::from_vec(101, 1, vec![3.0; 101]).unwrap();
        assert_eq!(seen(&flat).data(), [0.0; 100]);
    }
}

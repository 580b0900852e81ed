//! The hall: rows are checked here, once.

use crate::error::{Error, Result};
use separa_math::matrix::{MatrixRef, Stored};
use separa_math::scaling::Scaler;
use std::ops::Range;

/// Values beyond this overflow when a few of them are squared and summed.
const LARGEST: f64 = 1e150;
/// Where no value is larger than this, squares of squares are lost among the smallest numbers that there are.
const SMALLEST: f64 = 1e-75;
/// The largest power of two that values are multiplied by: the smallest number times it is large enough.
const MOST_DOUBLED: f64 = 1000.0;

/// What neighbouring rows of a table are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// One thing: bags are clustered, not their rows.
    Bags,
    /// Steps of one course: rows are clustered, each by those before and after it, too.
    Sequences,
}

impl Grouping {
    /// One of them.
    pub fn one(self) -> &'static str {
        match self {
            Self::Bags => "bag",
            Self::Sequences => "sequence",
        }
    }
    /// Many of them.
    pub fn many(self) -> &'static str {
        match self {
            Self::Bags => "bags",
            Self::Sequences => "sequences",
        }
    }
}

/// A checked table: not empty, finite, with weights and names that fit it.
///
/// What is clustered are its rows, or where it has them its bags: neighbouring rows that are one thing.
/// [`Dataset::n`], weights and labels count these things, [`Dataset::x`] holds the rows. Rows that stand
/// in sequences are still what is clustered.
#[derive(Debug, Clone, Copy)]
pub struct Dataset<'a> {
    x: MatrixRef<'a>,
    groups: Option<(Grouping, &'a [Range<usize>])>,
    weights: Option<&'a [f64]>,
    names: Option<&'a [String]>,
    features: Option<&'a [usize]>,
    /// The largest magnitude.
    peak: f64,
}

impl<'a> Dataset<'a> {
    /// Checks every value: at least one row and one column, all finite and squarable.
    pub fn new(x: MatrixRef<'a>) -> Result<Self> {
        Self::with_names(x, None)
    }

    /// As [`Dataset::new`], with column names for messages, reports and model files.
    pub fn with_names(x: MatrixRef<'a>, names: Option<&'a [String]>) -> Result<Self> {
        if x.rows() == 0 {
            return Err(Error::NoRows);
        }
        if x.cols() == 0 {
            return Err(Error::NoColumns);
        }
        if let Some(n) = names.filter(|n| n.len() != x.cols()) {
            let (found, expected) = (n.len(), x.cols());
            return Err(Error::Length { what: "column names", found, expected, of: "columns" });
        }
        let mut data = Self { x, groups: None, weights: None, names, features: None, peak: 0.0 };
        data.peak = data.check_values()?;
        Ok(data)
    }

    /// Bags: at least one row each, one after the other, all rows of the table in them. Weights come
    /// after bags, for they are one a bag.
    pub fn with_bags(self, bags: &'a [Range<usize>]) -> Result<Self> {
        self.with_groups(Grouping::Bags, bags)
    }

    /// Sequences: at least one row each, in order, one sequence after the other, all rows of the table
    /// in them.
    pub fn with_sequences(self, sequences: &'a [Range<usize>]) -> Result<Self> {
        self.with_groups(Grouping::Sequences, sequences)
    }

    /// [`Dataset::with_bags`] or [`Dataset::with_sequences`].
    pub fn with_groups(mut self, kind: Grouping, groups: &'a [Range<usize>]) -> Result<Self> {
        let mut next = 0;
        for (g, range) in groups.iter().enumerate() {
            if range.is_empty() {
                return Err(Error::EmptyGroup { kind: kind.one(), index: g + 1 });
            }
            if range.start != next {
                let (kind, index) = (kind.one(), g + 1);
                let (found, expected) = (range.start + 1, next + 1);
                return Err(Error::GroupStart { kind, index, found, expected });
            }
            next = range.end;
        }
        if next != self.x.rows() {
            let (kinds, expected) = (kind.many(), self.x.rows());
            return Err(Error::GroupEnd { kinds, found: next, expected });
        }
        self.groups = Some((kind, groups));
        match self.weights {
            Some(weights) => self.with_weights(weights),
            None => Ok(self),
        }
    }

    /// Weights: one a row or bag, finite, none negative, not all zero.
    pub fn with_weights(mut self, weights: &'a [f64]) -> Result<Self> {
        if weights.len() != self.n() {
            let (found, expected, of) = (weights.len(), self.n(), self.things());
            return Err(Error::Length { what: "sample weights", found, expected, of });
        }
        let usable = |w: f64| w == 0.0 || (1e-100..=1e100).contains(&w);
        if let Some(i) = weights.iter().position(|w| !usable(*w)) {
            return Err(Error::Value {
                row: i + 1,
                column: "sample weight".into(),
                value: weights[i],
                expected: "0 or a number from 1e-100 to 1e100",
            });
        }
        if weights.iter().all(|w| *w == 0.0) {
            return Err(Error::ZeroWeights);
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// For every column the feature of the user's table that it came from: the indicators of one category, or
    /// sine and cosine of one date, share a number. Scaling gives the columns of one feature together the
    /// weight of one.
    pub fn with_features(mut self, features: &'a [usize]) -> Result<Self> {
        if features.len() != self.d() {
            let (found, expected) = (features.len(), self.d());
            return Err(Error::Length { what: "features", found, expected, of: "columns" });
        }
        self.features = Some(features);
        Ok(self)
    }

    /// With these weights, if there are any.
    pub(crate) fn weighted(self, weights: Option<&'a [f64]>) -> Result<Self> {
        weights.map_or(Ok(self), |weights| self.with_weights(weights))
    }

    /// Other rows of the same columns: as [`Dataset::new`], with the names and features of these.
    pub fn part(&self, x: MatrixRef<'a>) -> Result<Self> {
        let part = Self::with_names(x, self.names)?;
        self.features.map_or(Ok(part), |features| part.with_features(features))
    }

    /// The same rows on another scale; they need no second check.
    pub(crate) fn rescaled(&self, x: MatrixRef<'a>) -> Self {
        Self { x, peak: 1.0, ..*self }
    }

    /// A copy of the rows, times a number.
    pub(crate) fn times(&self, unit: f64) -> Stored {
        Scaler::uniform(self.d(), unit).copy(self.x)
    }

    /// The power of two that brings a table of tiny values near one: its squares would be lost. None where values
    /// are large enough, or all zero.
    pub(crate) fn unit(&self) -> Option<f64> {
        let tiny = self.peak > 0.0 && self.peak < SMALLEST;
        tiny.then(|| (-self.peak.log2().floor()).min(MOST_DOUBLED).exp2())
    }

    /// The rows.
    pub fn x(&self) -> MatrixRef<'a> {
        self.x
    }
    /// How many things there are to cluster: bags where there are any, else rows.
    pub fn n(&self) -> usize {
        self.bags().map_or(self.x.rows(), <[_]>::len)
    }
    /// What they are called.
    pub fn things(&self) -> &'static str {
        if self.bags().is_some() { "bags" } else { "rows" }
    }
    /// What neighbouring rows are together, where they are anything.
    pub fn grouping(&self) -> Option<Grouping> {
        self.groups.map(|(kind, _)| kind)
    }
    /// The rows of every bag.
    pub fn bags(&self) -> Option<&'a [Range<usize>]> {
        self.groups_of(Grouping::Bags)
    }
    /// The rows of every sequence.
    pub fn sequences(&self) -> Option<&'a [Range<usize>]> {
        self.groups_of(Grouping::Sequences)
    }
    fn groups_of(&self, kind: Grouping) -> Option<&'a [Range<usize>]> {
        self.groups.filter(|(found, _)| *found == kind).map(|(_, groups)| groups)
    }
    /// Number of features.
    pub fn d(&self) -> usize {
        self.x.cols()
    }
    /// One weight per row, if weights were given.
    pub fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }
    /// The weight of row `i`: 1 if none were given.
    pub fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }
    /// The names of the features, if they were given.
    pub fn names(&self) -> Option<&'a [String]> {
        self.names
    }

    /// The feature that each column came from, if columns share any.
    pub fn features(&self) -> Option<&'a [usize]> {
        self.features
    }

    /// The column's name in quotes, or its number from 1.
    pub fn column_name(&self, j: usize) -> String {
        match self.names {
            Some(names) => format!("\"{}\"", names[j]),
            None => format!("{}", j + 1),
        }
    }

    /// The largest magnitude; an error for a value that cannot be used.
    fn check_values(&self) -> Result<f64> {
        let mut peak = 0.0_f64;
        for i in 0..self.x.rows() {
            let row = self.x.row_values(i);
            // One fold a row, so that the common case stays a vector loop.
            let sane = row.iter().fold(true, |ok, v| ok & (v.abs() <= LARGEST));
            if !sane {
                let p = row.iter().position(|v| v.is_nan() || v.abs() > LARGEST).unwrap_or(0);
                return Err(Error::Value {
                    row: i + 1,
                    column: self.column_name(self.x.column_of(i, p)),
                    value: row[p],
                    expected: if row[p].is_finite() {
                        "a magnitude below 1e150 (larger ones overflow when squared; rescale or drop the column)"
                    } else {
                        "a finite number; drop the row or the column"
                    },
                });
            }
            peak = row.iter().fold(peak, |top, v| top.max(v.abs()));
        }
        Ok(peak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::matrix::{CsrRef, DenseRef};

    fn dense(rows: usize, cols: usize, data: &[f64]) -> MatrixRef<'_> {
        DenseRef::new(rows, cols, data).unwrap().into()
    }

    fn message(x: MatrixRef<'_>) -> String {
        Dataset::new(x).unwrap_err().to_string()
    }

    #[test]
    fn empty_tables_are_refused() {
        assert!(message(dense(0, 3, &[])).contains("no rows"));
        assert!(message(dense(3, 0, &[])).contains("no feature columns"));
    }

    #[test]
    fn a_bad_value_is_named_by_row_and_column() {
        assert!(
            message(dense(2, 2, &[1.0, 2.0, 3.0, f64::NAN]))
                .starts_with("row 2, column 2 holds NaN")
        );
        assert!(
            message(dense(1, 2, &[f64::INFINITY, 0.0])).starts_with("row 1, column 1 holds inf")
        );
        assert!(message(dense(1, 1, &[1e308])).contains("overflow when squared"));
        let names = vec!["a".to_owned(), "price".to_owned()];
        let x = dense(1, 2, &[0.0, f64::NAN]);
        let e = Dataset::with_names(x, Some(&names)).unwrap_err();
        assert!(e.to_string().starts_with("row 1, column \"price\""));
        let (indptr, indices, values) = ([0, 1], [4u32], [f64::NAN]);
        let sparse = CsrRef::new(5, &indptr, &indices, &values).unwrap();
        assert!(message(sparse.into()).starts_with("row 1, column 5"));
    }

    #[test]
    fn weights_must_fit_the_rows() {
        let x = [1.0, 2.0];
        let data = Dataset::new(dense(2, 1, &x)).unwrap();
        assert!(data.with_weights(&[1.0]).is_err());
        assert!(data.with_weights(&[1.0, -1.0]).unwrap_err().to_string().starts_with("row 2"));
        assert!(data.with_weights(&[0.0, 0.0]).is_err());
        assert!(
            data.with_weights(&[1.0, 1e308]).is_err() && data.with_weights(&[1.0, 1e-320]).is_err()
        );
        assert!(data.with_weights(&[0.0, 2.0]).is_ok());
    }

    #[test]
    fn every_column_comes_from_a_feature_and_other_rows_keep_it() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let data = Dataset::new(dense(2, 2, &x)).unwrap();
        let said = data.with_features(&[0]).unwrap_err().to_string();
        assert_eq!(said, "1 features were given for 2 columns");
        let data = data.with_features(&[4, 4]).unwrap();
        let part = data.part(dense(1, 2, &x[..2])).unwrap();
        assert_eq!((part.n(), part.features()), (1, Some([4, 4].as_slice())));
        assert!(data.part(dense(4, 1, &x)).is_err());
    }

    #[test]
    fn bags_are_what_is_counted_and_must_be_all_rows_in_order() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let data = Dataset::new(dense(4, 1, &x)).unwrap();
        let (first, rest) = (0..1, 1..4);
        let bags = [first.clone(), rest.clone()];
        let bagged = data.with_bags(&bags).unwrap();
        assert_eq!((bagged.n(), bagged.x().rows(), bagged.things()), (2, 4, "bags"));
        assert!(bagged.with_weights(&[1.0, 2.0]).is_ok());
        assert!(data.with_weights(&x).unwrap().with_bags(&bags).is_err());
        let said = bagged.with_weights(&x).unwrap_err().to_string();
        assert_eq!(said, "4 sample weights were given for 2 bags");
        for (bags, said) in [
            (vec![0..1, 1..1, 1..4], "bag 2 holds no rows"),
            (vec![0..1, 2..4], "bag 2 begins at row 3, expected row 2"),
            (vec![0..3, 2..4], "bag 2 begins at row 3, expected row 4"),
            (vec![first], "the bags end at row 1, expected row 4"),
            (vec![0..1, 1..5], "the bags end at row 5, expected row 4"),
            (vec![], "the bags end at row 0"),
        ] {
            let found = data.with_bags(&bags).unwrap_err().to_string();
            assert!(found.starts_with(said), "{found}");
        }
    }

    #[test]
    fn rows_of_sequences_are_what_is_counted_and_sequences_are_checked_as_bags_are() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let data = Dataset::new(dense(4, 1, &x)).unwrap();
        let sequences = [0..1, 1..4];
        let ordered = data.with_sequences(&sequences).unwrap();
        assert_eq!((ordered.n(), ordered.things(), ordered.bags()), (4, "rows", None));
        assert_eq!(ordered.sequences(), Some(sequences.as_slice()));
        assert!(ordered.with_weights(&x).is_ok());
        assert!(data.with_weights(&x).unwrap().with_sequences(&sequences).is_ok());
        let said = data.with_sequences(&[0..1, 1..1, 1..4]).unwrap_err().to_string();
        assert!(said.starts_with("sequence 2 holds no rows"), "{said}");
        let said = data.with_sequences(&[0..2, 2..3]).unwrap_err().to_string();
        assert!(said.starts_with("the sequences end at row 3"), "{said}");
    }
}

//! Bags of rows with the Hausdorff distance in place of rows (Section 4.3).
//!
//! Two bags are as far apart as the row of either that is farthest from the other bag. All that is
//! above distances, from the splits to the tree, does not know the difference.

use super::source::DistanceSource;
use crate::error::{Error, Result};
use crate::model_file::Tensors;
use crate::params::typical_rows;
use separa_math::distance::{Bags, Measure, Metric};
use separa_math::linalg::{Precision, SymMatrix, dot_lanes};
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored};
use separa_math::par;
use std::ops::Range;

/// Bags measured against all others at a time.
const LINES: usize = 256;
/// Bags that a typical distance is taken from.
const SAMPLE: usize = 200;

/// Rows `extents[i]` of a table are bag i; not all rows need be in one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bagged<'a> {
    pub x: MatrixRef<'a>,
    pub extents: &'a [Range<usize>],
}

/// What is clustered, before it is known how it is measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Things<'a> {
    Rows(MatrixRef<'a>),
    Bags(Bagged<'a>),
}

impl<'a> Things<'a> {
    pub fn by(self, measure: Measure) -> DistanceSource<'a> {
        match self {
            Self::Rows(x) => DistanceSource::Rows { x, measure },
            Self::Bags(bags) => DistanceSource::Bags { bags, measure },
        }
    }

    pub fn n(&self) -> usize {
        match self {
            Self::Rows(x) => x.rows(),
            Self::Bags(bags) => bags.extents.len(),
        }
    }

    /// The table that holds the rows.
    pub fn rows(&self) -> MatrixRef<'a> {
        match self {
            Self::Rows(x) => *x,
            Self::Bags(bags) => bags.x,
        }
    }
}

impl Bagged<'_> {
    /// The distances within a part.
    pub fn among(&self, part: &[usize], measure: Measure, precision: Precision) -> SymMatrix {
        measured(&self.x, &self.some(part)).symmetric(measure, precision)
    }

    /// The distances of a part to some bags.
    pub fn to(&self, part: &[usize], marks: &[usize], measure: Measure) -> Dense {
        let (part, marks) = (self.some(part), self.some(marks));
        measured(&self.x, &part).matrix(measure, &measured(&self.x, &marks))
    }

    /// Σ coefⱼ d(x, xⱼ) over the marks, for every bag of the part.
    pub fn scores(
        &self,
        part: &[usize],
        marks: &[usize],
        coef: &[f64],
        measure: Measure,
    ) -> Vec<f64> {
        let lines = |part: &[usize]| {
            let d = self.to(part, marks, measure);
            (0..d.rows()).map(|r| dot_lanes(d.row(r), coef)).collect::<Vec<f64>>()
        };
        part.chunks(LINES).flat_map(lines).collect()
    }

    /// The median of d² over the bags that differ, each as often as it counts; 1 where none do.
    pub fn median_square(&self, metric: Metric, counts: &[f64], seed: u64) -> f64 {
        let extents = self.some(&typical_rows(counts, seed)[..SAMPLE]);
        let d = measured(&self.x, &extents).symmetric(metric, Precision::Double);
        let pairs = (0..d.n()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut squares: Vec<f64> =
            pairs.map(|(i, j)| d.get(i, j) * d.get(i, j)).filter(|s| *s > 0.0).collect();
        squares.sort_unstable_by(f64::total_cmp);
        squares.get(squares.len() / 2).copied().unwrap_or(1.0)
    }

    fn some(&self, index: &[usize]) -> Vec<Range<usize>> {
        index.iter().map(|&i| self.extents[i].clone()).collect()
    }
}

fn measured<'b>(x: &'b MatrixRef<'_>, extents: &'b [Range<usize>]) -> Bags<'b> {
    Bags::new(x, extents).expect("the dataset or the model checked them")
}

/// The bags that a model takes distances to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StoredBags {
    points: Stored,
    /// One after the other, all points in them.
    extents: Vec<Range<usize>>,
    pub measure: Measure,
}

impl StoredBags {
    /// The bags `index`, copied.
    pub fn gather(bags: Bagged<'_>, index: &[usize], measure: Measure) -> Self {
        let rows: Vec<usize> = index.iter().flat_map(|&i| bags.extents[i].clone()).collect();
        let lengths = index.iter().map(|&i| bags.extents[i].len());
        Self { points: Stored::of(&bags.x, &rows), extents: side_by_side(lengths), measure }
    }

    pub fn count(&self) -> usize {
        self.extents.len()
    }

    pub fn cols(&self) -> usize {
        self.points.n_cols()
    }

    /// Shows `see` the distances of every new bag to all stored ones, and the bag's place in `out`
    /// (`width` numbers a bag).
    pub fn each_line(
        &self,
        new: Bagged<'_>,
        out: &mut [f64],
        width: usize,
        mut see: impl FnMut(&[f64], &mut [f64]),
    ) {
        let points = self.points.matrix();
        let stored = measured(&points, &self.extents);
        for part in par::chunks(new.extents.len(), LINES) {
            let d = measured(&new.x, &new.extents[part.clone()]).matrix(self.measure, &stored);
            let out = &mut out[part.start * width..part.end * width];
            (0..d.rows()).zip(out.chunks_exact_mut(width)).for_each(|(r, v)| see(d.row(r), v));
        }
    }

    pub fn store(&self, tensors: &mut Tensors) {
        tensors.put_rows("points", &self.points);
        let lengths: Vec<i64> = self.extents.iter().map(|range| range.len() as i64).collect();
        tensors.put_integers(LENGTHS, &lengths);
    }

    /// `None` where the model is not one of bags.
    pub fn load(tensors: &Tensors, measure: Measure) -> Result<Option<Self>> {
        if !tensors.contains(LENGTHS) {
            return Ok(None);
        }
        let bad = || Error::Model("its bags and their rows do not fit together".into());
        let points = tensors.rows("points")?;
        // None is longer than the table, so that their sum cannot overflow.
        let length = |v: &i64| {
            let length = usize::try_from(*v).ok();
            length.filter(|l| (1..=points.n_rows()).contains(l)).ok_or_else(bad)
        };
        let lengths = tensors.integers(LENGTHS)?.iter().map(length).collect::<Result<Vec<_>>>()?;
        let extents = side_by_side(lengths.into_iter());
        if extents.last().map_or(0, |range| range.end) != points.n_rows() {
            return Err(bad());
        }
        Ok(Some(Self { points, extents, measure }))
    }
}

/// The tensor that says how many rows each bag has.
const LENGTHS: &str = "bag_lengths";

fn side_by_side(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut next = 0_usize;
    lengths
        .map(|length| {
            let start = next;
            next = start.saturating_add(length);
            start..next
        })
        .collect()
}

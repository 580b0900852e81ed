//! Rows that lie apart from the rest: a few, close together, behind a wide gap.
//!
//! Problem   is there a small cluster among these rows, too small for windows that are counted and for k-means?
//! Given     rows of a table, and how many rows and how wide a gap are asked for ([`Apart`]).
//! Returns   the rows behind the gap.
//! How       the row farthest from the medians is taken, in units of the columns' middle halves, and all rows are seen in
//!           the direction of that row and a few beside it. Fewer rows than are asked for are outliers and left out, and
//!           the next farthest row is taken.
//! Cost      a few passes over at most [`SAMPLE`] rows.

use crate::data::Dataset;
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;
use separa_math::scaling::{middle_spread, quantile};

/// Rows that are looked at, and values in all; wide tables have fewer rows, at least so many.
const SAMPLE: usize = 4000;
const VALUES: usize = 2 << 20;
const FEWEST_SEEN: usize = 200;
/// The stream of the sample.
const STREAM: u64 = 0x6170;
/// At most this part of the rows can lie apart.
const MOST: f64 = 0.2;
/// Outliers that are left out one after the other, at most.
const TRIES: usize = 5;
/// Rows that make the direction.
const NEAR: usize = 4;

/// What makes rows that lie apart a cluster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Apart {
    /// Rows at least.
    pub fewest: usize,
    /// The part of all rows at least.
    pub least: f64,
    /// The gap before them, in deviations of all along the direction; it is wider than their own extent, too.
    pub gap: f64,
    /// Whether the deviation is at least the standard deviation before the gap: steps of counts and long tails are wide
    /// beside a middle half.
    pub strict: bool,
}

impl Apart {
    /// What is worth a warning.
    pub(crate) const WARNED: Self = Self { fewest: 4, least: 0.004, gap: 4.0, strict: false };
    /// What is counted as a cluster.
    pub(crate) const COUNTED: Self = Self { fewest: 8, least: 0.008, gap: 4.5, strict: true };

    /// The rows that lie apart from the rest of `rows`, ascending.
    pub(crate) fn find(&self, data: &Dataset<'_>, rows: &[usize], seed: u64) -> Option<Vec<usize>> {
        let most = (VALUES / data.d()).clamp(FEWEST_SEEN, SAMPLE);
        let drawn = Rng::new(seed, STREAM).sample(rows.len(), most);
        let index: Vec<usize> = drawn.into_iter().map(|r| rows[r]).collect();
        let least = self.fewest.max((self.least * index.len() as f64).ceil() as usize);
        if index.len() < 4 * least {
            return None;
        }
        let z = in_deviations(pick(&data.x(), &index));
        let mut left: Vec<usize> = (0..index.len()).collect();
        for _ in 0..TRIES {
            let far = farthest(&z, &left)?;
            let behind = self.behind_a_gap(&z, &left, far)?;
            if behind.len() >= least {
                let few = behind.len() as f64 <= MOST * index.len() as f64;
                let mut found: Vec<usize> = behind.into_iter().map(|r| index[r]).collect();
                found.sort_unstable();
                return few.then_some(found);
            }
            left.retain(|r| !behind.contains(r));
        }
        None
    }

    /// The rows behind the widest gap in the direction of row `far` and its nearest, itself among them: at least that one.
    /// None where there is no gap.
    fn behind_a_gap(&self, z: &Dense, left: &[usize], far: usize) -> Option<Vec<usize>> {
        // One row of many columns is mostly noise; the mean of a few that lie where it does is less.
        let near = along(z, left, z.row(far));
        let mut direction = vec![0.0; z.cols()];
        for (_, r) in near.iter().rev().take(NEAR) {
            direction.iter_mut().zip(z.row(*r)).for_each(|(d, v)| *d += v);
        }
        let places = along(z, left, &direction);
        let values: Vec<f64> = places.iter().map(|p| p.0).collect();
        let first = values.len() - (MOST * values.len() as f64) as usize;
        let (mut widest, mut from) = (0.0, values.len());
        for r in first.max(1)..values.len() {
            if values[r] - values[r - 1] > widest {
                (widest, from) = (values[r] - values[r - 1], r);
            }
        }
        let last = *values.last()?;
        let middle = middle_spread(&values);
        let deviation = if self.strict { middle.max(spread(&values[..from])) } else { middle };
        let apart = deviation > 0.0
            && widest >= self.gap * deviation
            && from < values.len()
            && last - values[from] <= widest;
        apart.then(|| {
            let mut behind: Vec<usize> = places[from..].iter().map(|p| p.1).collect();
            behind.sort_unstable();
            behind
        })
    }
}

/// Every column with median 0 and deviation 1 in its middle half. Those of one value there become 0: a rare value is no
/// distance ([`separa_math::scaling::Scaler::quartiles`] would take it for one).
fn in_deviations(mut z: Dense) -> Dense {
    for j in 0..z.cols() {
        let mut values = z.column(j);
        values.sort_unstable_by(f64::total_cmp);
        let (median, deviation) = (quantile(&values, 0.5), middle_spread(&values));
        let scale = if deviation > 0.0 { deviation.recip() } else { 0.0 };
        (0..z.rows()).for_each(|i| z[(i, j)] = (z[(i, j)] - median) * scale);
    }
    z
}

/// The row of largest norm.
fn farthest(z: &Dense, left: &[usize]) -> Option<usize> {
    let norm = |r: usize| z.row(r).iter().map(|v| v * v).sum::<f64>();
    left.iter().copied().max_by(|a, b| norm(*a).total_cmp(&norm(*b)))
}

/// The places of rows in a direction, ascending.
fn along(z: &Dense, rows: &[usize], direction: &[f64]) -> Vec<(f64, usize)> {
    let place = |r: usize| z.row(r).iter().zip(direction).map(|(a, b)| a * b).sum::<f64>();
    let mut places: Vec<(f64, usize)> = rows.iter().map(|&r| (place(r), r)).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    places
}

/// The standard deviation.
fn spread(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt()
}

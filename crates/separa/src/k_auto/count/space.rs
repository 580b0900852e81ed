//! The rows that are looked at, in coordinates that know no units.
//!
//! A seeded sample of the rows goes through the robust scaler (clip, z-score), values that many rows
//! share are spread over their step (between the steps of counts and codes every place is empty, and
//! none is a gap), clipped tails go on, and the whole is turned to its principal axes, longest first.

use super::{lattice, tails};
use crate::data::Dataset;
use crate::error::Result;
use separa_math::linalg::{leading_subspace, product, product_nt};
use separa_math::matrix::{Dense, Rows, Subset, project};
use separa_math::moments::Moments;
use separa_math::rng::Rng;
use separa_math::scaling::Scaler;

/// Rows and values that are looked at, at most.
const ROWS: usize = 4000;
const VALUES: usize = 4 << 20;
const FEWEST_ROWS: usize = 500;
/// Axes that are kept, at most.
const AXES: usize = 100;
/// So few axes are not worth doing without.
const FEWEST_AXES: usize = 10;

/// Sampled rows along their principal axes.
#[derive(Debug)]
pub(super) struct PrincipalSpace {
    /// The places of the rows in the table, in random order.
    pub index: Vec<usize>,
    /// One row each, longest axis first.
    pub y: Dense,
    /// The leading axes that are longer than those of noise.
    pub signal: usize,
    /// Where rows are cut into micro-clusters: the columns that are no noise, or else the leading axes.
    pub rough: Dense,
    /// Columns that hold counts or codes.
    pub lattice: usize,
    /// Rows that are copies of others, where not all columns hold counts or codes.
    pub copies: usize,
}

/// How many rows of a table are looked at.
pub(super) fn sample_size(n: usize, d: usize, most_clusters: usize) -> usize {
    n.min((VALUES / d).clamp(FEWEST_ROWS, ROWS.max(100 * most_clusters)))
}

/// Bytes that a space and so many micro-clusters take.
pub(super) fn bytes(rows: usize, d: usize, micro_clusters: usize) -> u64 {
    let (small, axes) = (d.min(rows) as u64, d.min(AXES));
    let own = 2 * (rows * d) as u64 + 4 * small * small + 2 * (rows * axes) as u64;
    8 * (own + (micro_clusters * 2 * super::SPLITS * axes * axes) as u64)
}

impl PrincipalSpace {
    /// None where no column varies among the rows that are drawn.
    pub fn of(
        data: &Dataset<'_>,
        scaler: &Scaler,
        usable: &[usize],
        rows: usize,
        seed: u64,
    ) -> Result<Option<Self>> {
        let d = scaler.columns.len();
        if d == 0 {
            return Ok(None);
        }
        let mut rng = Rng::new(seed, 1);
        let mut index: Vec<usize> =
            rng.sample(usable.len(), rows).into_iter().map(|r| usable[r]).collect();
        // In random order, so that the first few of any rows stand for all of them.
        rng.shuffle(&mut index);
        let view = scaler.view(data.x());
        let subset = Subset { rows: &view, index: &index };
        let mut values = columns_of(&subset);
        let copies = copies(&values);
        let lattice = lattice::blur(&mut values, seed);
        tails::spread(&mut values, &scaler.columns, seed);
        let mut z = Dense::zeros(index.len(), d);
        for (j, column) in values.iter().enumerate() {
            column.iter().enumerate().for_each(|(i, v)| z[(i, j)] = *v);
        }
        drop(values);
        let (y, lengths) = turned(&z, seed)?;
        if lengths.is_empty() {
            return Ok(None);
        }
        let signal = signal(&lengths, index.len(), d);
        let rough = telling(&z).unwrap_or_else(|| columns(&y, &(0..signal).collect::<Vec<_>>()));
        let copies = if lattice < d { copies } else { 0 };
        Ok(Some(Self { index, y, signal, rough, lattice, copies }))
    }

    pub fn n(&self) -> usize {
        self.y.rows()
    }
}

fn columns_of(rows: &dyn Rows) -> Vec<Vec<f64>> {
    let (n, d) = (rows.n_rows(), rows.n_cols());
    let mut columns = vec![vec![0.0; n]; d];
    let mut row = vec![0.0; d];
    for i in 0..n {
        rows.copy_row(i, &mut row);
        columns.iter_mut().zip(&row).for_each(|(c, v)| c[i] = *v);
    }
    columns
}

/// Rows that are the same as an earlier one, by a hash of their values.
fn copies(columns: &[Vec<f64>]) -> usize {
    let n = columns.first().map_or(0, Vec::len);
    let mut hashes = vec![0u64; n];
    for column in columns {
        let mix = |(h, v): (&mut u64, &f64)| {
            *h = (h.rotate_left(23) ^ v.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        };
        hashes.iter_mut().zip(column).for_each(mix);
    }
    hashes.sort_unstable();
    hashes.dedup();
    n - hashes.len()
}

/// The columns that are more than noise, where some are noise: neither flatter than a Gaussian, as
/// groups make a column, nor correlated with any other. None too with many columns: groups then show
/// little in each, and the axes longer than noise are the better view.
fn telling(z: &Dense) -> Option<Dense> {
    let (n, d) = (z.rows(), z.cols());
    if d > FEWEST_AXES {
        return None;
    }
    let moments = Moments::of(z, None);
    let cov = moments.covariance();
    let deviation: Vec<f64> = (0..d).map(|j| cov[(j, j)].sqrt()).collect();
    // Two standard errors of a Gaussian's kurtosis, four of a correlation of none.
    let flat = 3.0 - 2.0 * (24.0 / n as f64).sqrt();
    let related = 4.0 / (n as f64).sqrt();
    let tells = |j: &usize| {
        let j = *j;
        let unit = |i: usize| (z[(i, j)] - moments.mean()[j]) / deviation[j];
        let kurtosis = (0..n).map(|i| unit(i).powi(4)).sum::<f64>() / n as f64;
        let correlation = |i: usize| (cov[(i, j)] / (deviation[i] * deviation[j])).abs();
        kurtosis < flat || (0..d).any(|i| i != j && correlation(i) > related)
    };
    let kept: Vec<usize> = (0..d).filter(tells).collect();
    (!kept.is_empty() && kept.len() < d).then(|| columns(z, &kept))
}

fn columns(table: &Dense, kept: &[usize]) -> Dense {
    let mut out = Dense::zeros(table.rows(), kept.len());
    for i in 0..table.rows() {
        out.row_mut(i).iter_mut().zip(kept).for_each(|(v, &j)| *v = table[(i, j)]);
    }
    out
}

/// Rows along their principal axes, and the variance along each.
fn turned(z: &Dense, seed: u64) -> Result<(Dense, Vec<f64>)> {
    let (n, d) = (z.rows(), z.cols());
    let moments = Moments::of(z, None);
    let axes = if d <= n {
        leading_subspace(&moments.covariance(), d.min(AXES), 6, seed)?
    } else {
        // Few rows span few axes: those of the rows' own products.
        let mut centred = z.clone();
        (0..n).for_each(|i| {
            centred.row_mut(i).iter_mut().zip(moments.mean()).for_each(|(v, m)| *v -= m);
        });
        let gram = product_nt(centred.view(), centred.view());
        let turn = leading_subspace(&gram, n.min(AXES), 6, seed)?;
        unit_rows(&product(turn.view(), centred.view()))
    };
    let offset: Vec<f64> = (0..axes.rows())
        .map(|a| -axes.row(a).iter().zip(moments.mean()).map(|(w, m)| w * m).sum::<f64>())
        .collect();
    let y = project(z, axes.view(), &offset);
    let mut lengths = vec![0.0; y.cols()];
    for i in 0..n {
        lengths.iter_mut().zip(y.row(i)).for_each(|(l, v)| *l += v * v / n as f64);
    }
    Ok((y, lengths))
}

/// The rows scaled to length one; those next to nothing beside the longest are left out.
fn unit_rows(rows: &Dense) -> Dense {
    let length = |i: usize| rows.row(i).iter().map(|v| v * v).sum::<f64>().sqrt();
    let lengths: Vec<f64> = (0..rows.rows()).map(length).collect();
    let top = lengths.iter().copied().fold(0.0, f64::max);
    let kept: Vec<usize> = (0..rows.rows()).filter(|&i| lengths[i] > 1e-5 * top).collect();
    let mut out = Dense::zeros(kept.len(), rows.cols());
    for (r, &i) in kept.iter().enumerate() {
        out.row_mut(r).iter_mut().zip(rows.row(i)).for_each(|(o, v)| *o = v / lengths[i]);
    }
    out
}

/// How many axes are longer than noise makes them: the largest of equal variances, estimated from n
/// rows, reaches (1 + √(d/n))² (Marchenko & Pastur 1967). The level of the noise is the median axis'.
fn signal(lengths: &[f64], n: usize, d: usize) -> usize {
    let ratio = d as f64 / n as f64;
    let middle = lengths[lengths.len() / 2];
    let edge = middle * (1.0 + ratio.sqrt()).powi(2) / (1.0 - ratio / 3.0).max(0.3);
    lengths
        .iter()
        .take_while(|l| **l > edge)
        .count()
        .clamp(FEWEST_AXES.min(lengths.len()), lengths.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_of_many_columns_have_no_axis() {
        let z = Dense::from_vec(4, 6, vec![2.5; 24]).unwrap();
        let (y, lengths) = turned(&z, 0).unwrap();
        assert!(y.cols() == 0 && lengths.is_empty());
    }

    #[test]
    fn few_rows_of_many_columns_keep_their_distances() {
        let mut rng = Rng::new(3, 0);
        let z = Dense::from_vec(5, 40, (0..200).map(|_| rng.normal()).collect()).unwrap();
        let (y, lengths) = turned(&z, 0).unwrap();
        assert_eq!(y.cols(), 4);
        assert!(lengths.windows(2).all(|w| w[0] >= w[1]));
        let square = |m: &Dense, i: usize, j: usize| -> f64 {
            m.row(i).iter().zip(m.row(j)).map(|(a, b)| (a - b).powi(2)).sum()
        };
        for (i, j) in [(0, 1), (2, 4), (3, 0)] {
            assert!((square(&y, i, j) - square(&z, i, j)).abs() < 1e-9);
        }
    }
}

//! The rows that are looked at, in coordinates that know no units.
//!
//! A seeded sample of the rows goes through the robust front (clip, z-score), values that many rows
//! share are spread over their step (between the steps of counts and codes every place is empty, and
//! none is a gap), and the whole is turned to its principal axes, longest first.

use crate::dataset::Dataset;
use crate::error::Result;
use crate::start::front::Front;
use rayon::prelude::*;
use separa_math::linalg::{leading_subspace, product, product_nt, sym_eig};
use separa_math::matrix::{Dense, Rows, Subset, project};
use separa_math::moments::Moments;
use separa_math::rng::Rng;

/// Rows and values that are looked at, at most.
const ROWS: usize = 4000;
const VALUES: usize = 4 << 20;
const FEWEST_ROWS: usize = 500;
/// Axes that are kept, at most.
const AXES: usize = 100;
/// So few axes are not worth doing without.
const FEWEST_AXES: usize = 10;
/// Columns with no more different values than this are counts or codes.
const CODES: usize = 32;

/// Sampled rows along their principal axes.
#[derive(Debug)]
pub(super) struct Space {
    /// The places of the rows in the table, in random order.
    pub index: Vec<usize>,
    /// One row each, longest axis first.
    pub y: Dense,
    /// The leading axes that are longer than those of noise.
    pub signal: usize,
    /// Where rows are cut into pieces: the columns that are no noise, or else the leading axes.
    pub rough: Dense,
    /// Columns that hold counts or codes.
    pub lattice: usize,
}

/// How many rows of a table are looked at.
pub(super) fn sample_size(n: usize, d: usize, most_clusters: usize) -> usize {
    n.min((VALUES / d).clamp(FEWEST_ROWS, ROWS.max(100 * most_clusters)))
}

/// Bytes that a space takes.
pub(super) fn bytes(rows: usize, d: usize) -> u64 {
    let small = d.min(rows) as u64;
    8 * (2 * (rows * d) as u64 + 4 * small * small + 2 * (rows * d.min(AXES)) as u64)
}

impl Space {
    /// None where no column varies.
    pub fn of(
        data: &Dataset<'_>,
        front: &Front,
        usable: &[usize],
        (rows, seed): (usize, u64),
    ) -> Result<Option<Self>> {
        let d = front.columns.len();
        if d == 0 {
            return Ok(None);
        }
        let mut rng = Rng::new(seed, 1);
        let mut index: Vec<usize> =
            rng.sample(usable.len(), rows).into_iter().map(|r| usable[r]).collect();
        // In random order, so that the first few of any rows stand for all of them.
        rng.shuffle(&mut index);
        let view = front.view(data.x());
        let subset = Subset { rows: &view, index: &index };
        let mut values = columns_of(&subset);
        let lattice = values
            .par_iter_mut()
            .enumerate()
            .map(|(j, column)| spread_steps(column, &mut Rng::new(seed, 1000 + j as u64)))
            .filter(|coarse| *coarse)
            .count();
        let mut z = Dense::zeros(index.len(), d);
        for (j, column) in values.iter().enumerate() {
            column.iter().enumerate().for_each(|(i, v)| z[(i, j)] = *v);
        }
        drop(values);
        let (y, lengths) = turned(&z, seed)?;
        let signal = signal(&lengths, index.len(), d);
        let rough = telling(&z).unwrap_or_else(|| columns(&y, &(0..signal).collect::<Vec<_>>()));
        Ok(Some(Self { index, y, signal, rough, lattice }))
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

/// Spreads values that many rows share evenly over the median step between values. True for counts
/// and codes.
fn spread_steps(column: &mut [f64], rng: &mut Rng) -> bool {
    let mut values = column.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    if values.len() < 2 || 4 * values.len() > column.len() {
        return false;
    }
    let mut steps: Vec<f64> = values.windows(2).map(|w| w[1] - w[0]).collect();
    steps.sort_unstable_by(f64::total_cmp);
    let step = steps[steps.len() / 2];
    column.iter_mut().for_each(|v| *v += step * (rng.uniform() - 0.5));
    values.len() <= CODES
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
        let eig = sym_eig(&product_nt(centred.view(), centred.view()))?;
        let top = eig.values[n - 1].max(0.0);
        let kept: Vec<usize> =
            (0..n).rev().take(AXES).filter(|&i| eig.values[i] > 1e-10 * top).collect();
        let mut turn = Dense::zeros(kept.len(), n);
        for (r, &i) in kept.iter().enumerate() {
            let scale = 1.0 / eig.values[i].sqrt();
            turn.row_mut(r).iter_mut().zip(eig.vectors.row(i)).for_each(|(t, v)| *t = scale * v);
        }
        product(turn.view(), centred.view())
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

//! Centre and covariance of every cluster, from its middle rows.

use crate::error::{Error, Result};
use crate::model_file::Tensors;
use separa_math::linalg::Chol;
use separa_math::matrix::{Dense, pick};
use separa_math::moments::Moments;
use separa_math::scaling::{middle_spread, quantile};

/// Full covariances of as many columns at most, with as many numbers in all; else variances alone.
const FULL_COLUMNS: usize = 64;
const FULL_VALUES: usize = 1 << 17;
/// Part of a cluster's rows that make its shape, those closest to its medians; all of a small one.
const MIDDLE: f64 = 0.95;
const SMALL: usize = 20;
/// A column counts with so many deviations at most when rows are ordered by how far out they are.
const FARTHEST: f64 = 9.0;
/// The part of a column's variance that no direction falls below.
const RIDGE: f64 = 1e-6;
/// The deviation of a column without any: this part of what it holds.
const CONSTANT: f64 = 1e-6;

/// Where every cluster is, and how it spreads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shapes {
    centers: Dense,
    /// The pooled deviation of every column.
    scale: Vec<f64>,
    /// Of each cluster in units of `scale`: the lower triangle of the covariance's Cholesky factor, row by row; or
    /// the deviations.
    factors: Dense,
}

/// Mean and covariance of one cluster, or its variances.
struct Part {
    n: f64,
    mean: Vec<f64>,
    /// d × d, or 1 × d.
    spread: Dense,
}

impl Shapes {
    /// Of the rows of every cluster; None if there are none at all.
    pub fn of(rows: &Dense, members: &[Vec<usize>]) -> Option<Self> {
        let (k, d) = (members.len(), rows.cols());
        let full = d <= FULL_COLUMNS && k * triangle(d) <= FULL_VALUES;
        let parts: Vec<Part> = members.iter().map(|m| Part::of(rows, m, full)).collect();
        let n: f64 = parts.iter().map(|part| part.n).sum();
        if n == 0.0 {
            return None;
        }
        let everywhere: Vec<usize> = members.iter().flatten().copied().collect();
        let whole = Part::of(rows, &everywhere, false);
        let pooled = pooled(&parts, n);
        let scale: Vec<f64> =
            (0..d).map(|j| deviation(&pooled, j, whole.spread[(0, j)], whole.mean[j])).collect();
        let mut centers = Dense::zeros(k, d);
        let mut factors = Dense::zeros(k, if full { triangle(d) } else { d });
        for (c, part) in parts.iter().enumerate() {
            let mean = if part.n > 0.0 { &part.mean } else { &whole.mean };
            centers.row_mut(c).copy_from_slice(mean);
            let shape = regularised(part, &pooled, &scale, n);
            factors.row_mut(c).copy_from_slice(&factor(shape, full)?);
        }
        Some(Self { centers, scale, factors })
    }

    /// The centre of every cluster.
    pub fn centers(&self) -> &Dense {
        &self.centers
    }

    /// ‖L⁻¹(x − μ)‖.
    pub fn distance(&self, cluster: usize, row: &[f64]) -> f64 {
        let (center, factor) = (self.centers.row(cluster), self.factors.row(cluster));
        let d = row.len();
        let mut z: Vec<f64> = (0..d).map(|j| (row[j] - center[j]) / self.scale[j]).collect();
        if factor.len() == d && d > 1 {
            return z.iter().zip(factor).map(|(z, s)| (z / s).powi(2)).sum::<f64>().sqrt();
        }
        // Forward substitution.
        let mut start = 0;
        for i in 0..d {
            let (before, line) = (&z[..i], &factor[start..start + i]);
            let known: f64 = before.iter().zip(line).map(|(z, l)| z * l).sum();
            z[i] = (z[i] - known) / factor[start + i];
            start += i + 1;
        }
        z.iter().map(|z| z * z).sum::<f64>().sqrt()
    }

    pub fn put(&self, tensors: &mut Tensors) {
        tensors.put_matrix("novelty.centers", &self.centers);
        tensors.put_vector("novelty.scale", &self.scale);
        tensors.put_matrix("novelty.factors", &self.factors);
    }

    pub fn load(tensors: &Tensors, k: usize, d: usize) -> Result<Self> {
        let (centers, factors) =
            (tensors.matrix("novelty.centers")?, tensors.matrix("novelty.factors")?);
        let scale = tensors.vector("novelty.scale")?;
        let shapes = [centers.rows(), centers.cols(), factors.rows(), scale.len()] == [k, d, k, d];
        let width = factors.cols() == d || factors.cols() == triangle(d);
        match shapes && width && scale.iter().all(|s| *s > 0.0) {
            true => Ok(Self { centers, scale, factors }),
            false => Err(Error::Model("the shapes of its clusters are damaged".into())),
        }
    }
}

/// Numbers in the lower triangle of a d × d matrix.
fn triangle(d: usize) -> usize {
    d * (d + 1) / 2
}

impl Part {
    fn of(rows: &Dense, members: &[usize], full: bool) -> Self {
        let middle = middle_rows(rows, members);
        let d = rows.cols();
        if full {
            let moments = Moments::of_rows(rows, &middle, None);
            let mean = moments.mean().to_vec();
            return Self { n: moments.n(), mean, spread: moments.covariance() };
        }
        let n = middle.len() as f64;
        let mut mean = vec![0.0; d];
        for &i in &middle {
            mean.iter_mut().zip(rows.row(i)).for_each(|(m, v)| *m += v / n);
        }
        let mut spread = Dense::zeros(1, d);
        for &i in &middle {
            let each = spread.data_mut().iter_mut().zip(&mean).zip(rows.row(i));
            each.for_each(|((s, m), v)| *s += (v - m).powi(2) / n);
        }
        Self { n, mean, spread }
    }

    fn variance(&self, j: usize) -> f64 {
        if self.spread.rows() == 1 { self.spread[(0, j)] } else { self.spread[(j, j)] }
    }
}

/// The rows of a cluster without those farthest from its medians.
fn middle_rows(rows: &Dense, members: &[usize]) -> Vec<usize> {
    if members.len() < SMALL {
        return members.to_vec();
    }
    let z = pick(rows, members);
    let mut out = vec![0.0; members.len()];
    for j in 0..z.cols() {
        let mut values = z.column(j);
        values.sort_unstable_by(f64::total_cmp);
        let (median, spread) = (quantile(&values, 0.5), middle_spread(&values));
        if spread > 0.0 {
            let place = |i: usize| ((z[(i, j)] - median) / spread).powi(2).min(FARTHEST);
            out.iter_mut().enumerate().for_each(|(i, out)| *out += place(i));
        }
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by(|a, b| out[*a].total_cmp(&out[*b]));
    order.truncate((MIDDLE * members.len() as f64).ceil() as usize);
    order.sort_unstable();
    order.into_iter().map(|i| members[i]).collect()
}

/// The mean of the clusters' covariances, each by its rows.
fn pooled(parts: &[Part], n: f64) -> Dense {
    let mut sum = Dense::zeros(parts[0].spread.rows(), parts[0].spread.cols());
    for part in parts {
        let each = sum.data_mut().iter_mut().zip(part.spread.data());
        each.for_each(|(sum, value)| *sum += part.n / n * value);
    }
    sum
}

/// The deviation of column j within clusters; where that is nothing, a little of what it is between them, or of its value.
fn deviation(pooled: &Dense, j: usize, whole: f64, mean: f64) -> f64 {
    let within = if pooled.rows() == 1 { pooled[(0, j)] } else { pooled[(j, j)] };
    let least = CONSTANT * (whole.sqrt() + mean.abs()).max(f64::MIN_POSITIVE.sqrt());
    let least = if least > 1e-100 { least } else { CONSTANT };
    within.sqrt().max(least)
}

/// A cluster's covariance in units of `scale`: that of all clusters counts as 2d rows (10 for variances alone), then
/// correlations shrink by d / (rows + d), and every direction keeps a little variance.
fn regularised(part: &Part, pooled: &Dense, scale: &[f64], n: f64) -> Dense {
    let d = scale.len();
    let diagonal = part.spread.rows() == 1;
    let prior = if diagonal { 10.0 } else { 2.0 * d as f64 };
    let mut out = Dense::zeros(part.spread.rows(), d);
    let shrink = n / (n + d as f64);
    for i in 0..out.rows() {
        for j in 0..d {
            let unit = if diagonal { scale[j] * scale[j] } else { scale[i] * scale[j] };
            let blend = (part.n * part.spread[(i, j)] + prior * pooled[(i, j)]) / (part.n + prior);
            let on = diagonal || i == j;
            out[(i, j)] =
                blend / unit * if on { 1.0 } else { shrink } + if on { RIDGE } else { 0.0 };
        }
    }
    debug_assert!((0..d).all(|j| part.variance(j) >= 0.0));
    out
}

/// The lower triangle of the Cholesky factor, or the deviations.
fn factor(shape: Dense, full: bool) -> Option<Vec<f64>> {
    if !full {
        return Some(shape.data().iter().map(|v| v.sqrt()).collect());
    }
    let chol = Chol::new(shape).ok()?;
    Some((0..chol.size()).flat_map(|i| chol.row(i).to_vec()).collect())
}

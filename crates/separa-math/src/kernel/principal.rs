//! Rows along principal axes and of length one.
//!
//! Problem   distances that follow direction, not brightness; axes of small variance that count too.
//! Given     rows, dense or sparse.      Returns  a map for any row.
//! Cost      one covariance (n·d²/2) and its leading eigenvectors; n·d a product where rows are wide.
//!
//! With the principal axes aⱼ of variance λⱼ, a row x becomes y with yⱼ = aⱼᵀ(x − mean)/λⱼ^power,
//! scaled to length one. Power 0 gives the cosine of centred rows, ¼ half-whitens: the variance along
//! axis j is then √λⱼ.

use crate::error::Result;
use crate::linalg::{EigOptions, Eigs, SymOp, Which, dot_lanes, eig_few};
use crate::matrix::{Dense, Rows, fma, project};
use crate::moments::Moments;
use crate::par;
use crate::scaling::{Scaler, variances};
use std::ops::Range;

/// Axes at most, axes at least (where the table has them), and the fraction of variance they hold.
const MOST: usize = 100;
const LEAST: usize = 10;
const SHARE: f64 = 0.98;
/// Tables up to this width get a covariance matrix, wider ones products with their rows.
const WIDE: usize = 2048;
/// Axes with less than this fraction of the first one's variance are rounding.
const FLAT: f64 = 1e-12;
/// Rows nearer to the mean than this fraction of the median row have no direction.
const NOWHERE: f64 = 1e-10;

/// Principal axes of a table.
#[derive(Debug, Clone)]
pub struct PrincipalAxes {
    /// Of the columns.
    factors: Vec<f64>,
    mean: Vec<f64>,
    eigs: Eigs,
    kept: usize,
}

impl PrincipalAxes {
    /// The leading axes: at least 10, at most 100, as many as hold 98 % of the variance.
    pub fn of(
        rows: &dyn Rows,
        weights: Option<&[f64]>,
        scaler: &Scaler,
        seed: u64,
    ) -> Result<Self> {
        let d = rows.n_cols();
        let most = MOST.min(d);
        let options = EigOptions { seed, tol: 1e-9, ..EigOptions::default() };
        let (mean, total, eigs) = if d <= WIDE {
            let moments = Moments::of(&scaler.view(rows), weights);
            let covariance = moments.covariance();
            let total = (0..d).map(|j| covariance[(j, j)]).sum::<f64>();
            let eigs = eig_few(&covariance, most, Which::Largest, &options)?;
            (moments.mean().to_vec(), total, eigs)
        } else {
            let scatter = Scatter::new(rows, weights, scaler.factors());
            let total = scatter.trace;
            let eigs = eig_few(&scatter, most, Which::Largest, &options)?;
            (scatter.mean, total, eigs)
        };
        let top = eigs.values.first().copied().unwrap_or(0.0);
        let (mut kept, mut sum) = (0, 0.0);
        for &v in &eigs.values {
            if v <= FLAT * top || (kept >= LEAST && sum >= SHARE * total) {
                break;
            }
            sum += v;
            kept += 1;
        }
        Ok(Self { factors: scaler.factors(), mean, eigs, kept })
    }

    /// How many axes are kept.
    pub fn count(&self) -> usize {
        self.kept
    }

    /// The space whose axis j is divided by λⱼ^power. Rows that are all equal have one axis, on which all are 0.
    pub fn space(&self, power: f64) -> DirectionMap {
        let d = self.mean.len();
        let mut map = Dense::zeros(self.kept.max(1), d);
        let mut offset = vec![0.0; self.kept.max(1)];
        let mut spread = 0.0;
        for j in 0..self.kept {
            let value = self.eigs.values[j];
            let scale = value.powf(-power);
            spread += value * scale * scale;
            let line = map.row_mut(j).iter_mut().zip(self.eigs.vectors.row(j));
            line.for_each(|(m, a)| *m = scale * a);
            offset[j] = -dot_lanes(map.row(j), &self.mean);
            map.row_mut(j).iter_mut().zip(&self.factors).for_each(|(m, f)| *m *= f);
        }
        DirectionMap { map, offset, nowhere: NOWHERE * spread.sqrt() }
    }

    /// The rows along the axes, neither divided nor scaled: distances between them are at most
    /// those of the rows.
    pub fn rotate(&self, rows: &dyn Rows) -> Dense {
        self.whiten(rows, 0.0)
    }

    /// The rows along the axes, axis j divided by λⱼ^power, whatever their length.
    pub fn whiten(&self, rows: &dyn Rows, power: f64) -> Dense {
        let DirectionMap { map, offset, .. } = self.space(power);
        project(rows, map.view(), &offset)
    }
}

/// An affine map, then length one.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectionMap {
    /// One axis a row.
    pub map: Dense,
    /// What is added to each coordinate before rows get length one.
    pub offset: Vec<f64>,
    /// A row shorter than this after the map has no direction: it becomes zero.
    pub nowhere: f64,
}

impl DirectionMap {
    /// The rows in this space, and how many of them have no direction.
    pub fn see(&self, rows: &dyn Rows) -> (Dense, usize) {
        let mut out = project(rows, self.map.view(), &self.offset);
        let r = out.cols();
        let mut lost = 0;
        if r == 0 {
            return (out, rows.n_rows());
        }
        for line in out.data_mut().chunks_exact_mut(r) {
            let length = dot_lanes(line, line).sqrt();
            // Not a number stays one: rows that are not finite are told by their scores.
            let scale = if length <= self.nowhere { 0.0 } else { 1.0 / length };
            lost += usize::from(length <= self.nowhere);
            line.iter_mut().for_each(|v| *v *= scale);
        }
        (out, lost)
    }
}

/// Σ w(x − mean)(x − mean)ᵀ / Σ w, by products with the rows.
struct Scatter<'a> {
    rows: &'a dyn Rows,
    weights: Option<&'a [f64]>,
    factors: Vec<f64>,
    mean: Vec<f64>,
    mass: f64,
    trace: f64,
}

impl<'a> Scatter<'a> {
    fn new(rows: &'a dyn Rows, weights: Option<&'a [f64]>, factors: Vec<f64>) -> Self {
        let d = rows.n_cols();
        let mass = weights.map_or(rows.n_rows() as f64, |w| w.iter().sum());
        let mut out = Self { rows, weights, factors, mean: vec![0.0; d], mass, trace: 0.0 };
        out.mean = out.sum(&|_| 1.0);
        out.mean.iter_mut().for_each(|m| *m /= mass);
        out.mean.iter_mut().zip(&out.factors).for_each(|(m, f)| *m *= f);
        let raw = variances(rows, weights, 1.0);
        out.trace = raw.iter().zip(&out.factors).map(|(v, f)| v * f * f).sum();
        out
    }

    /// Σ w·f(i)·x, in the units of the table.
    fn sum(&self, f: &(dyn Fn(usize) -> f64 + Sync)) -> Vec<f64> {
        let d = self.rows.n_cols();
        let mut out = vec![0.0; d];
        let map = |range: Range<usize>| {
            let (mut part, mut row) = (vec![0.0; d], vec![0.0; d]);
            for i in range {
                let y = self.weights.map_or(1.0, |w| w[i]) * f(i);
                if let Some(x) = self.rows.sparse() {
                    let (places, values) = x.row(i);
                    for (&j, &v) in places.iter().zip(values) {
                        part[j as usize] = fma(y, v, part[j as usize]);
                    }
                } else {
                    self.rows.copy_row(i, &mut row);
                    part.iter_mut().zip(&row).for_each(|(p, v)| *p = fma(y, *v, *p));
                }
            }
            part
        };
        par::fold_chunks(self.rows.n_rows(), map, |part| {
            out.iter_mut().zip(part).for_each(|(o, p)| *o += p);
        });
        out
    }
}

impl SymOp for Scatter<'_> {
    fn dim(&self) -> usize {
        self.rows.n_cols()
    }

    fn apply(&self, x: &[f64], out: &mut [f64]) {
        let mut direction = x.to_vec();
        direction.iter_mut().zip(&self.factors).for_each(|(v, f)| *v *= f);
        let along = Dense::from_vec(1, x.len(), direction).expect("one direction");
        let shift = -dot_lanes(&self.mean, x);
        let images = project(self.rows, along.view(), &[shift]);
        let y = images.data();
        let sum = self.sum(&|i| y[i]);
        let weight = |i: usize| self.weights.map_or(1.0, |w| w[i]);
        let all: f64 = y.iter().enumerate().map(|(i, v)| weight(i) * v).sum();
        for (j, o) in out.iter_mut().enumerate() {
            *o = (self.factors[j] * sum[j] - all * self.mean[j]) / self.mass;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{dot, sym_eig};
    use crate::scaling::ScalingKind;
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

    #[test]
    fn half_whitened_rows_follow_their_formula() {
        let (n, d) = (200, 6);
        let x = table(n, d);
        let mean: Vec<f64> = (0..d).map(|j| x.column(j).iter().sum::<f64>() / n as f64).collect();
        let mut cov = Dense::zeros(d, d);
        for i in 0..n {
            for a in 0..d {
                for b in 0..d {
                    cov[(a, b)] += (x[(i, a)] - mean[a]) * (x[(i, b)] - mean[b]) / n as f64;
                }
            }
        }
        let eig = sym_eig(&cov).unwrap();
        let axes = PrincipalAxes::of(&x, None, &Scaler::identity(x.cols()), 0).unwrap();
        assert_eq!(axes.count(), d);
        for power in [0.0, 0.25] {
            let (seen, lost) = axes.space(power).see(&x);
            assert_eq!(lost, 0);
            let want = |i: usize| -> Vec<f64> {
                let row: Vec<f64> = x.row(i).iter().zip(&mean).map(|(v, m)| v - m).collect();
                let mut y: Vec<f64> = (0..d)
                    .rev()
                    .map(|a| dot(eig.vectors.row(a), &row) / eig.values[a].powf(power))
                    .collect();
                let length = dot(&y, &y).sqrt();
                y.iter_mut().for_each(|v| *v /= length);
                y
            };
            // Axes are known up to their sign: compare products of rows.
            for (i, j) in [(0, 1), (5, 100), (199, 3)] {
                let gap = dot(seen.row(i), seen.row(j)) - dot(&want(i), &want(j));
                assert!(gap.abs() < 1e-8, "{gap}");
                assert!((dot(seen.row(i), seen.row(i)) - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn wide_tables_get_the_axes_of_their_covariance_without_it() {
        let x = table(40, 30);
        let axes = PrincipalAxes::of(&x, None, &Scaler::identity(30), 0).unwrap();
        let scatter = Scatter::new(&x, None, vec![1.0; 30]);
        let covariance = Moments::of(&x, None).covariance();
        let mut image = vec![0.0; 30];
        for j in 0..30 {
            let mut unit = vec![0.0; 30];
            unit[j] = 1.0;
            scatter.apply(&unit, &mut image);
            for (a, v) in image.iter().enumerate() {
                assert!((v - covariance[(a, j)]).abs() < 1e-10);
            }
        }
        let trace: f64 = (0..30).map(|j| covariance[(j, j)]).sum();
        assert!((scatter.trace / trace - 1.0).abs() < 1e-10);
        assert!(axes.count() >= 10 && axes.count() < 30);
    }

    #[test]
    fn sparse_rows_give_the_bits_of_dense_ones() {
        let mut x = table(60, 9);
        x.data_mut().iter_mut().enumerate().filter(|(p, _)| p % 3 == 0).for_each(|(_, v)| *v = 0.0);
        let sparse = sparse_copy(&x);
        let see = |rows: &dyn Rows| {
            let scaler = Scaler::fit(rows, None, ScalingKind::Auto);
            PrincipalAxes::of(rows, None, &scaler, 1).unwrap().space(0.25).see(rows).0
        };
        assert_eq!(see(&x), see(&sparse.view()));
        let (a, b) = (
            Scatter::new(&x, None, vec![1.0; 9]),
            Scatter::new(&sparse.view(), None, vec![1.0; 9]).mean,
        );
        assert_eq!(a.mean, b);
    }

    #[test]
    fn a_row_at_the_mean_has_no_direction() {
        let mut x = normals(40, 3, 2);
        for j in 0..3 {
            let mean = x.column(j).iter().sum::<f64>() / 40.0;
            (0..40).for_each(|i| x[(i, j)] -= mean);
        }
        let axes = PrincipalAxes::of(&x, None, &Scaler::identity(x.cols()), 0).unwrap();
        let (seen, lost) = axes.space(0.25).see(&Dense::zeros(2, 3));
        assert_eq!((seen.data(), lost), (&[0.0; 6][..], 2));
    }
}

//! Spaces in which rows are compared: as they are, or along principal axes and of length one.
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
use crate::matrix::{Dense, Rows, Stored, fma, project};
use crate::moments::Moments;
use crate::par;
use std::ops::Range;

/// Axes at most, axes at least (where the table has them), and the share of variance they hold.
const MOST: usize = 100;
const LEAST: usize = 10;
const SHARE: f64 = 0.98;
/// Tables up to this width get a covariance matrix, wider ones products with their rows.
const WIDE: usize = 2048;
/// Axes with less than this share of the first one's variance are rounding.
const FLAT: f64 = 1e-12;
/// Rows nearer to the mean than this share of the typical row have no direction.
const NOWHERE: f64 = 1e-10;

/// Units of the columns, chosen so that no column and no number drowns the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Units {
    /// One factor a column; none where columns are left as they are.
    factors: Option<Vec<f64>>,
}

impl Units {
    /// Columns become z-scores where one of them holds more than half of the summed variance;
    /// numbers too small or large to be squared are brought near one. Else all stays as it is.
    pub fn of(rows: &dyn Rows, weights: Option<&[f64]>) -> Self {
        let scale = scale_of(rows);
        let variances = variances(rows, weights, scale);
        let total: f64 = variances.iter().sum();
        let top = variances.iter().fold(0.0_f64, |a, b| a.max(*b));
        if variances.len() > 1 && top > 0.5 * total {
            let factor = |v: &f64| if *v > 1e-24 * top { scale / v.sqrt() } else { 0.0 };
            return Self { factors: Some(variances.iter().map(factor).collect()) };
        }
        let plain = scale == 1.0;
        Self { factors: (!plain).then(|| vec![scale; variances.len()]) }
    }

    /// Every column over its deviation; columns without spread become 0.
    pub fn scores(rows: &dyn Rows, weights: Option<&[f64]>) -> Self {
        let scale = scale_of(rows);
        let variances = variances(rows, weights, scale);
        let factor = |v: &f64| if *v > 0.0 { scale / v.sqrt() } else { 0.0 };
        Self { factors: Some(variances.iter().map(factor).collect()) }
    }

    /// Whether columns stay as they are.
    pub fn given(&self) -> bool {
        self.factors.is_none()
    }

    pub fn factors(&self) -> Option<&[f64]> {
        self.factors.as_deref()
    }

    /// Factors from elsewhere.
    pub fn from_factors(factors: Option<Vec<f64>>) -> Self {
        Self { factors }
    }

    /// The rows in these units.
    pub fn view<'a>(&'a self, rows: &'a dyn Rows) -> InUnits<'a> {
        InUnits { rows, factors: self.factors.as_deref() }
    }
}

/// Rows in other units, made while they are read.
#[allow(missing_debug_implementations)]
#[derive(Clone, Copy)]
pub struct InUnits<'a> {
    rows: &'a dyn Rows,
    factors: Option<&'a [f64]>,
}

impl Rows for InUnits<'_> {
    fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }
    fn n_cols(&self) -> usize {
        self.rows.n_cols()
    }
    fn block<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        if self.factors.is_none() {
            return self.rows.block(range, buffer);
        }
        let d = self.n_cols();
        buffer.clear();
        buffer.resize(range.len() * d, 0.0);
        for (r, i) in range.enumerate() {
            self.copy_row(i, &mut buffer[r * d..(r + 1) * d]);
        }
        buffer
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        self.rows.copy_row(i, out);
        if let Some(factors) = self.factors {
            out.iter_mut().zip(factors).for_each(|(v, f)| *v *= f);
        }
    }
    fn in_memory(&self) -> bool {
        self.factors.is_none() && self.rows.in_memory()
    }
    fn sparse(&self) -> Option<crate::matrix::CsrRef<'_>> {
        if self.factors.is_none() { self.rows.sparse() } else { None }
    }
}

/// Principal axes of a table.
#[derive(Debug, Clone)]
pub struct Axes {
    units: Units,
    mean: Vec<f64>,
    eigs: Eigs,
    kept: usize,
}

impl Axes {
    /// The leading axes: at least 10, at most 100, as many as hold 98 % of the variance.
    pub fn of(rows: &dyn Rows, weights: Option<&[f64]>, units: Units, seed: u64) -> Result<Self> {
        let d = rows.n_cols();
        let most = MOST.min(d);
        let options = EigOptions { seed, tol: 1e-9, ..EigOptions::default() };
        let (mean, total, eigs) = if d <= WIDE {
            let moments = Moments::of(&units.view(rows), weights);
            let covariance = moments.covariance();
            let total = (0..d).map(|j| covariance[(j, j)]).sum::<f64>();
            let eigs = eig_few(&covariance, most, Which::Largest, &options)?;
            (moments.mean().to_vec(), total, eigs)
        } else {
            let scatter = Scatter::new(rows, weights, units.factors());
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
        Ok(Self { units, mean, eigs, kept })
    }

    /// How many axes are kept.
    pub fn count(&self) -> usize {
        self.kept
    }

    pub fn units(&self) -> &Units {
        &self.units
    }

    /// The space whose axis j is divided by λⱼ^power.
    pub fn space(&self, power: f64) -> Space {
        let d = self.mean.len();
        let mut map = Dense::zeros(self.kept, d);
        let mut offset = vec![0.0; self.kept];
        let mut spread = 0.0;
        for j in 0..self.kept {
            let value = self.eigs.values[j];
            let scale = value.powf(-power);
            spread += value * scale * scale;
            let line = map.row_mut(j).iter_mut().zip(self.eigs.vectors.row(j));
            line.for_each(|(m, a)| *m = scale * a);
            offset[j] = -dot_lanes(map.row(j), &self.mean);
            if let Some(factors) = self.units.factors() {
                map.row_mut(j).iter_mut().zip(factors).for_each(|(m, f)| *m *= f);
            }
        }
        Space { map, offset, nowhere: NOWHERE * spread.sqrt() }
    }

    /// The rows along the axes, neither divided nor scaled: distances between them are at most
    /// those of the rows.
    pub fn rotate(&self, rows: &dyn Rows) -> Dense {
        let Space { map, offset, .. } = self.space(0.0);
        project(rows, map.view(), &offset)
    }
}

/// An affine map, then length one.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// One axis a row.
    pub map: Dense,
    pub offset: Vec<f64>,
    /// A row shorter than this after the map has no direction: it becomes zero.
    pub nowhere: f64,
}

impl Space {
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

/// A power of two that brings the largest number near one, where its square is out of range; else 1.
fn scale_of(rows: &dyn Rows) -> f64 {
    let mut top = 0.0_f64;
    let map = |range: Range<usize>| {
        let (mut row, mut top) = (vec![0.0; rows.n_cols()], 0.0_f64);
        for i in range {
            let values = match rows.sparse() {
                Some(x) => x.row(i).1,
                None => {
                    rows.copy_row(i, &mut row);
                    &row
                }
            };
            top = values.iter().fold(top, |t, v| t.max(v.abs()));
        }
        top
    };
    par::fold_chunks(rows.n_rows(), map, |part| top = top.max(part));
    match (1e-60..=1e60).contains(&top) || top == 0.0 {
        true => 1.0,
        false => (-top.log2().floor()).exp2(),
    }
}

/// Variances of the columns times scale².
fn variances(rows: &dyn Rows, weights: Option<&[f64]>, scale: f64) -> Vec<f64> {
    let (n, d) = (rows.n_rows(), rows.n_cols());
    let mut first = vec![0.0; d];
    if n > 0 {
        // A row without a weight may lie anywhere.
        let heavy = |w: &[f64]| w.iter().position(|w| *w > 0.0);
        rows.copy_row(weights.and_then(heavy).unwrap_or(0), &mut first);
        first.iter_mut().for_each(|v| *v *= scale);
    }
    let (mut mass, mut sums, mut squares) = (0.0, vec![0.0; d], vec![0.0; d]);
    let map = |range: Range<usize>| {
        let (mut row, mut mass) = (vec![0.0; d], 0.0);
        let (mut sums, mut squares) = (vec![0.0; d], vec![0.0; d]);
        for i in range {
            rows.copy_row(i, &mut row);
            let w = weights.map_or(1.0, |w| w[i]);
            mass += w;
            for j in 0..d {
                // About a first row: an offset costs no digits.
                let gap = row[j] * scale - first[j];
                sums[j] += w * gap;
                squares[j] += w * gap * gap;
            }
        }
        (mass, sums, squares)
    };
    par::fold_chunks(n, map, |(m, s, q)| {
        mass += m;
        sums.iter_mut().zip(s).for_each(|(a, b)| *a += b);
        squares.iter_mut().zip(q).for_each(|(a, b)| *a += b);
    });
    let variance = |(s, q): (&f64, &f64)| (q / mass - (s / mass) * (s / mass)).max(0.0);
    sums.iter().zip(&squares).map(variance).collect()
}

/// Σ w(x − mean)(x − mean)ᵀ / Σ w, by products with the rows.
struct Scatter<'a> {
    rows: &'a dyn Rows,
    weights: Option<&'a [f64]>,
    factors: Option<&'a [f64]>,
    mean: Vec<f64>,
    mass: f64,
    trace: f64,
}

impl<'a> Scatter<'a> {
    fn new(rows: &'a dyn Rows, weights: Option<&'a [f64]>, factors: Option<&'a [f64]>) -> Self {
        let d = rows.n_cols();
        let mass = weights.map_or(rows.n_rows() as f64, |w| w.iter().sum());
        let mut out = Self { rows, weights, factors, mean: vec![0.0; d], mass, trace: 0.0 };
        out.mean = out.sum(&|_| 1.0);
        out.mean.iter_mut().for_each(|m| *m /= mass);
        if let Some(factors) = factors {
            out.mean.iter_mut().zip(factors).for_each(|(m, f)| *m *= f);
        }
        let scaled = variances(rows, weights, 1.0);
        let factor = |j: usize| factors.map_or(1.0, |f| f[j]);
        out.trace = scaled.iter().enumerate().map(|(j, v)| v * factor(j) * factor(j)).sum();
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
        if let Some(factors) = self.factors {
            direction.iter_mut().zip(factors).for_each(|(v, f)| *v *= f);
        }
        let along = Dense::from_vec(1, x.len(), direction).expect("one direction");
        let shift = -dot_lanes(&self.mean, x);
        let images = project(self.rows, along.view(), &[shift]);
        let y = images.data();
        let sum = self.sum(&|i| y[i]);
        let weight = |i: usize| self.weights.map_or(1.0, |w| w[i]);
        let all: f64 = y.iter().enumerate().map(|(i, v)| weight(i) * v).sum();
        for (j, o) in out.iter_mut().enumerate() {
            let factor = self.factors.map_or(1.0, |f| f[j]);
            *o = (factor * sum[j] - all * self.mean[j]) / self.mass;
        }
    }
}

/// The rows of a table in some units, kept.
pub fn keep(rows: &dyn Rows, units: &Units) -> Stored {
    Stored::of(&units.view(rows), &(0..rows.n_rows()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{dot, sym_eig};
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
        let axes = Axes::of(&x, None, Units::from_factors(None), 0).unwrap();
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
        let plain = Units::from_factors(None);
        let axes = Axes::of(&x, None, plain.clone(), 0).unwrap();
        let scatter = Scatter::new(&x, None, None);
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
            let units = Units::of(rows, None);
            Axes::of(rows, None, units, 1).unwrap().space(0.25).see(rows).0
        };
        assert_eq!(see(&x), see(&sparse.view()));
        let (a, b) = (Scatter::new(&x, None, None), Scatter::new(&sparse.view(), None, None).mean);
        assert_eq!(a.mean, b);
    }

    #[test]
    fn units_are_left_alone_unless_a_column_or_a_number_drowns_the_rest() {
        let x = table(50, 4);
        assert!(Units::of(&x, None).given() || x.cols() == 4);
        let mut loud = normals(50, 3, 1);
        (0..50).for_each(|i| loud[(i, 1)] *= 1000.0);
        let units = Units::of(&loud, None);
        let kept = keep(&loud, &units);
        let variance = variances(&kept, None, 1.0);
        assert!(variance.iter().all(|v| (v - 1.0).abs() < 1e-10), "{variance:?}");
        let mut tiny = normals(50, 3, 1);
        tiny.data_mut().iter_mut().for_each(|v| *v *= 1e-200);
        let units = Units::of(&tiny, None);
        assert!(units.factors().unwrap().iter().all(|f| *f > 1e190));
        assert!(Units::of(&normals(50, 3, 1), None).given());
    }

    #[test]
    fn scores_have_deviation_one_whatever_the_units_and_weights_count_rows() {
        let mut x = table(50, 4);
        (0..50).for_each(|i| x[(i, 3)] = 5.0);
        let units = Units::scores(&x, None);
        assert_eq!(units.factors().unwrap()[3], 0.0);
        let variance = variances(&keep(&x, &units), None, 1.0);
        assert!(variance[..3].iter().all(|v| (v - 1.0).abs() < 1e-10), "{variance:?}");
        let twice: Vec<usize> = (0..50).chain(0..25).collect();
        let weights: Vec<f64> = (0..50).map(|i| if i < 25 { 2.0 } else { 1.0 }).collect();
        let (a, b) = (
            Units::scores(&x, Some(&weights)),
            Units::scores(&crate::matrix::pick(&x, &twice), None),
        );
        for (a, b) in a.factors().unwrap().iter().zip(b.factors().unwrap()) {
            assert!((a - b).abs() <= 1e-12 * b);
        }
    }

    #[test]
    fn a_row_at_the_mean_has_no_direction() {
        let mut x = normals(40, 3, 2);
        for j in 0..3 {
            let mean = x.column(j).iter().sum::<f64>() / 40.0;
            (0..40).for_each(|i| x[(i, j)] -= mean);
        }
        let axes = Axes::of(&x, None, Units::from_factors(None), 0).unwrap();
        let (seen, lost) = axes.space(0.25).see(&Dense::zeros(2, 3));
        assert_eq!((seen.data(), lost), (&[0.0; 6][..], 2));
    }
}

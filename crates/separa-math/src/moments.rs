//! Weight, mean and scatter of rows: the heart of everything that scales.
//!
//! Rows are shifted by an origin (the first row) before anything is summed, every block is centred
//! on its own mean before it is squared, and blocks are joined by Chan's formula: an offset of 1e8
//! costs no more digits than it has already cost in the data.

use crate::linalg::{add_gram_lower, mirror_lower};
use crate::matrix::{Dense, DenseRef, Rows, Subset};
use crate::par;

/// n, mean and scatter Σ w(x − mean)(x − mean)ᵀ of some rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    n: f64,
    /// An exact point near the rows; the mean is kept relative to it, with digits to spare.
    origin: Vec<f64>,
    offset: Vec<f64>,
    /// origin + offset.
    mean: Vec<f64>,
    /// Lower triangle only.
    scatter: Dense,
}

impl Moments {
    /// No rows of width `d`.
    pub fn empty(d: usize) -> Self {
        let zero = vec![0.0; d];
        Self {
            n: 0.0,
            origin: zero.clone(),
            offset: zero.clone(),
            mean: zero,
            scatter: Dense::zeros(d, d),
        }
    }

    /// Of all rows. Cost: N·d²/2 multiply-adds, in parallel; memory: a few d² per thread.
    pub fn of(rows: &dyn Rows, weights: Option<&[f64]>) -> Self {
        let d = rows.n_cols();
        let mut total = Self::empty(d);
        if rows.n_rows() == 0 {
            return total;
        }
        let mut origin = vec![0.0; d];
        rows.copy_row(0, &mut origin);
        par::fold_chunks(
            rows.n_rows(),
            |range| {
                let mut block = vec![0.0; range.len() * d];
                for (i, row) in range.clone().zip(block.chunks_exact_mut(d.max(1))) {
                    rows.copy_row(i, row);
                }
                Self::of_shifted(block, &origin, weights.map(|w| &w[range]))
            },
            |part| total.merge(&part),
        );
        total
    }

    /// Of the rows in `index`.
    pub fn of_rows(rows: &dyn Rows, index: &[usize], weights: Option<&[f64]>) -> Self {
        let picked: Option<Vec<f64>> = weights.map(|w| index.iter().map(|&i| w[i]).collect());
        Self::of(&Subset { rows, index }, picked.as_deref())
    }

    /// One per label 0..k; rows with other labels are left out.
    pub fn by_label(
        rows: &dyn Rows,
        weights: Option<&[f64]>,
        labels: &[i32],
        k: usize,
    ) -> Vec<Self> {
        let members = |c: usize| -> Vec<usize> {
            (0..labels.len()).filter(|&i| labels[i] == c as i32).collect()
        };
        (0..k).map(|c| Self::of_rows(rows, &members(c), weights)).collect()
    }

    /// Of one contiguous block, on the calling worker.
    pub fn of_block(block: &[f64], d: usize, weights: Option<&[f64]>) -> Self {
        if block.is_empty() {
            return Self::empty(d);
        }
        Self::of_shifted(block.to_vec(), &block[..d], weights)
    }

    /// From sums about a point: the weight n, Σ w(x − about), and the lower triangle of Σ w(x − about)(x − about)ᵀ.
    /// Such sums of parts add up to those of the whole. A point near the mean costs no digits.
    pub fn from_sums(n: f64, about: &[f64], sum: &[f64], squares: Dense) -> Self {
        if n <= 0.0 {
            return Self::empty(about.len());
        }
        let offset: Vec<f64> = sum.iter().map(|s| s / n).collect();
        let origin = about.to_vec();
        let mut out = Self { n, origin, mean: Vec::new(), offset, scatter: squares };
        let offset = out.offset.clone();
        out.rank_one(-n, &offset);
        out.refresh_mean();
        out
    }

    /// Centres the block in place: a worker needs its rows once, and d² for the scatter.
    fn of_shifted(mut block: Vec<f64>, origin: &[f64], weights: Option<&[f64]>) -> Self {
        let d = origin.len();
        let weight = |r: usize| weights.map_or(1.0, |w| w[r]);
        let rows = block.len().checked_div(d).unwrap_or(0);
        let n: f64 = (0..rows).map(weight).sum();
        if n <= 0.0 {
            return Self::empty(d);
        }
        let mut offset = vec![0.0; d];
        for (r, row) in block.chunks_exact(d).enumerate() {
            let w = weight(r) / n;
            offset.iter_mut().zip(row).zip(origin).for_each(|((m, x), o)| *m += w * (x - o));
        }
        for (r, row) in block.chunks_exact_mut(d).enumerate() {
            let root = weights.map_or(1.0, |w| w[r].sqrt());
            let places = row.iter_mut().zip(origin).zip(&offset);
            places.for_each(|((x, o), m)| *x = root * ((*x - o) - m));
        }
        let centred = DenseRef::new(rows, d, &block).expect("the buffer was made for this shape");
        let mut scatter = Dense::zeros(d, d);
        add_gram_lower(&mut scatter, 1.0, centred);
        let mut out = Self { n, origin: origin.to_vec(), mean: Vec::new(), offset, scatter };
        out.refresh_mean();
        out
    }

    fn refresh_mean(&mut self) {
        self.mean = self.origin.iter().zip(&self.offset).map(|(o, m)| o + m).collect();
    }

    /// mean(other) − mean(self), without passing through rounded means.
    fn gap_to(&self, other: &Self) -> Vec<f64> {
        let origins = other.origin.iter().zip(&self.origin).map(|(b, a)| b - a);
        let offsets = other.offset.iter().zip(&self.offset).map(|(b, a)| b - a);
        origins.zip(offsets).map(|(o, m)| o + m).collect()
    }

    /// Total weight.
    pub fn n(&self) -> f64 {
        self.n
    }

    /// Weighted mean of the rows.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Width of the rows.
    pub fn d(&self) -> usize {
        self.mean.len()
    }

    /// Scatter over weight: the covariance with 1/N.
    pub fn covariance(&self) -> Dense {
        let mut cov = self.scatter.clone();
        let factor = if self.n > 0.0 { 1.0 / self.n } else { 0.0 };
        cov.data_mut().iter_mut().for_each(|v| *v *= factor);
        mirror_lower(&mut cov);
        cov
    }

    /// Covariance + reg·I.
    pub fn covariance_plus(&self, reg: f64) -> Dense {
        let mut cov = self.covariance();
        (0..self.d()).for_each(|i| cov[(i, i)] += reg);
        cov
    }

    /// Variances (1/N) of the columns.
    pub fn variances(&self) -> Vec<f64> {
        let n = if self.n > 0.0 { self.n } else { 1.0 };
        (0..self.d()).map(|j| (self.scatter[(j, j)] / n).max(0.0)).collect()
    }

    /// Adds the rows of `other`. Cost: d².
    pub fn merge(&mut self, other: &Self) {
        if other.n <= 0.0 {
            return;
        }
        if self.n <= 0.0 {
            self.clone_from(other);
            return;
        }
        let total = self.n + other.n;
        let delta = self.gap_to(other);
        self.add_scatter(1.0, &other.scatter);
        self.rank_one(self.n * other.n / total, &delta);
        let share = other.n / total;
        self.offset.iter_mut().zip(&delta).for_each(|(m, e)| *m += share * e);
        self.n = total;
        self.refresh_mean();
    }

    /// Takes the rows of `other`, which must be among these, away again. Cost: d².
    pub fn subtract(&mut self, other: &Self) {
        if other.n <= 0.0 {
            return;
        }
        let left = self.n - other.n;
        // What fractional weights leave of nothing is rounding, not a row.
        if left <= 1e-12 * self.n {
            *self = Self::empty(self.d());
            return;
        }
        // With δ = mean(other) − mean(left): mean(all) = mean(left) + δ·n₂/n, so δ from what we have.
        let factor = self.n / left;
        let delta: Vec<f64> = self.gap_to(other).iter().map(|g| g * factor).collect();
        self.add_scatter(-1.0, &other.scatter);
        self.rank_one(-(left * other.n / self.n), &delta);
        let share = other.n / self.n;
        self.offset.iter_mut().zip(&delta).for_each(|(m, e)| *m -= share * e);
        self.n = left;
        self.refresh_mean();
    }

    fn add_scatter(&mut self, sign: f64, other: &Dense) {
        for i in 0..self.d() {
            let to = &mut self.scatter.row_mut(i)[..=i];
            to.iter_mut().zip(other.row(i)).for_each(|(a, b)| *a += sign * b);
        }
    }

    fn rank_one(&mut self, alpha: f64, v: &[f64]) {
        for i in 0..v.len() {
            let scale = alpha * v[i];
            let to = &mut self.scatter.row_mut(i)[..=i];
            to.iter_mut().zip(v).for_each(|(a, b)| *a += scale * b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::CsrRef;
    use crate::rng::Rng;
    use proptest::prelude::*;

    fn table(n: usize, d: usize, seed: u64, offset: f64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let data = (0..n * d).map(|_| offset + rng.normal()).collect();
        Dense::from_vec(n, d, data).unwrap()
    }

    /// The definition, by loops.
    fn naive(x: &Dense, weights: Option<&[f64]>) -> (f64, Vec<f64>, Dense) {
        let w = |i: usize| weights.map_or(1.0, |w| w[i]);
        let n: f64 = (0..x.rows()).map(w).sum();
        let d = x.cols();
        let mean: Vec<f64> =
            (0..d).map(|j| (0..x.rows()).map(|i| w(i) * x[(i, j)]).sum::<f64>() / n).collect();
        let mut cov = Dense::zeros(d, d);
        for i in 0..x.rows() {
            for a in 0..d {
                for b in 0..d {
                    cov[(a, b)] += w(i) * (x[(i, a)] - mean[a]) * (x[(i, b)] - mean[b]) / n;
                }
            }
        }
        (n, mean, cov)
    }

    fn assert_near(m: &Moments, want: &(f64, Vec<f64>, Dense), tol: f64) {
        assert!((m.n() - want.0).abs() <= tol * want.0);
        assert!(m.mean().iter().zip(&want.1).all(|(a, b)| (a - b).abs() <= tol * (1.0 + b.abs())));
        let cov = m.covariance();
        for (a, b) in cov.data().iter().zip(want.2.data()) {
            assert!((a - b).abs() <= tol, "{a} {b}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn blocked_moments_equal_the_definition(n in 1usize..2500, d in 1usize..9, seed in 0u64..99) {
            let x = table(n, d, seed, 3.0);
            let mut rng = Rng::new(seed, 1);
            let weights: Vec<f64> = (0..n).map(|_| 0.1 + rng.uniform()).collect();
            assert_near(&Moments::of(&x, None), &naive(&x, None), 1e-11);
            assert_near(&Moments::of(&x, Some(&weights)), &naive(&x, Some(&weights)), 1e-11);
        }

        #[test]
        fn merging_parts_equals_the_whole_and_subtracting_undoes_it(
            n in 3usize..400, cut in 0.1f64..0.9, seed in 0u64..99
        ) {
            let x = table(n, 4, seed, -2.0);
            let at = ((n as f64 * cut) as usize).clamp(1, n - 1);
            let (low, high): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| i < at);
            let whole = Moments::of(&x, None);
            let first = Moments::of_rows(&x, &low, None);
            let mut joined = first.clone();
            joined.merge(&Moments::of_rows(&x, &high, None));
            assert_near(&joined, &naive(&x, None), 1e-11);
            let mut left = whole;
            left.subtract(&Moments::of_rows(&x, &high, None));
            let (n1, mean, cov) = (first.n(), first.mean().to_vec(), first.covariance());
            // Subtracting loses what the larger scatter has in excess: n / n_left units of rounding.
            assert_near(&left, &(n1, mean, cov), 1e-10 * n as f64);
        }
    }

    #[test]
    fn an_offset_of_1e8_loses_nothing_beyond_the_data_s_own_rounding() {
        let offset = 1e8;
        let x = table(5000, 3, 1, offset);
        // What f64 holds of the data is exact here, so the shifted copy is the same table.
        let shifted: Vec<f64> = x.data().iter().map(|v| v - offset).collect();
        let shifted = Dense::from_vec(5000, 3, shifted).unwrap();
        let (a, b) = (Moments::of(&x, None).covariance(), Moments::of(&shifted, None).covariance());
        for (p, q) in a.data().iter().zip(b.data()) {
            assert!((p - q).abs() < 1e-13, "{p} {q}");
        }
    }

    #[test]
    fn moments_have_the_same_bits_on_any_number_of_threads() {
        let x = table(10_000, 20, 2, 1.0);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Moments::of(&x, None))
        };
        let one = run(1);
        assert!([2, 3, 4].into_iter().all(|t| run(t) == one));
    }

    #[test]
    fn sparse_rows_give_the_bits_of_the_dense_table() {
        let mut rng = Rng::new(5, 0);
        let (n, d) = (3000, 7);
        let mut x = Dense::zeros(n, d);
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..n {
            for j in 0..d {
                if rng.uniform() < 0.3 {
                    x[(i, j)] = rng.normal();
                    indices.push(j as u32);
                    values.push(x[(i, j)]);
                }
            }
            indptr.push(values.len());
        }
        let sparse = CsrRef::new(d, &indptr, &indices, &values).unwrap();
        assert_eq!(Moments::of(&sparse, None), Moments::of(&x, None));
    }

    #[test]
    fn sums_about_any_point_near_the_rows_give_the_definition() {
        let (x, about) = (table(300, 3, 4, 5.0), [5.5, 4.0, 5.0]);
        let mut sum = vec![0.0; 3];
        let mut squares = Dense::zeros(3, 3);
        for i in 0..x.rows() {
            let e: Vec<f64> = x.row(i).iter().zip(&about).map(|(x, a)| x - a).collect();
            for a in 0..3 {
                sum[a] += e[a];
                (0..=a).for_each(|b| squares[(a, b)] += e[a] * e[b]);
            }
        }
        assert_near(&Moments::from_sums(300.0, &about, &sum, squares), &naive(&x, None), 1e-11);
        assert_eq!(Moments::from_sums(0.0, &about, &sum, Dense::zeros(3, 3)), Moments::empty(3));
    }

    #[test]
    fn rows_that_leave_one_by_one_leave_the_rest() {
        let x = table(60, 3, 8, 10.0);
        let mut m = Moments::of(&x, None);
        for i in 0..50 {
            m.subtract(&Moments::of_block(x.row(i), 3, None));
        }
        let rest: Vec<usize> = (50..60).collect();
        let want = Moments::of_rows(&x, &rest, None);
        assert_near(&m, &(10.0, want.mean().to_vec(), want.covariance()), 1e-11);
    }
}

//! Kernels between rows and a few points, and the features they induce.

use crate::error::Result;
use crate::linalg::{dot, sym_eig};
use crate::matrix::{Dense, Rows, project};
use crate::par;
use crate::rng::Rng;

/// A positive definite similarity of two rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// exp(−gamma·‖x − y‖²)
    Rbf { gamma: f64 },
    /// (gamma·xᵀy + coef0)^degree
    Poly { gamma: f64, degree: u32, coef0: f64 },
}

impl Kernel {
    /// The kernel of every row with every point: one line a row. Each value is a function of its
    /// row and its point alone.
    pub fn matrix(&self, rows: &dyn Rows, points: &Dense) -> Dense {
        let m = points.rows();
        let mut out = project(rows, points.view(), &vec![0.0; m]);
        let norms: Vec<f64> = (0..m).map(|c| dot(points.row(c), points.row(c))).collect();
        par::fill_chunks(out.data_mut(), m, |range, part| {
            let mut row = vec![0.0; rows.n_cols()];
            for (i, line) in range.zip(part.chunks_exact_mut(m)) {
                match *self {
                    Self::Rbf { gamma } => {
                        rows.copy_row(i, &mut row);
                        let own = dot(&row, &row);
                        let square = |v: f64, n: f64| (own + n - 2.0 * v).max(0.0);
                        let places = line.iter_mut().zip(&norms);
                        places.for_each(|(v, n)| *v = (-gamma * square(*v, *n)).exp());
                    }
                    Self::Poly { gamma, degree, coef0 } => {
                        line.iter_mut().for_each(|v| *v = (gamma * *v + coef0).powi(degree as i32));
                    }
                }
            }
        });
        out
    }
}

/// 1 / the median squared distance of randomly drawn pairs of rows.
pub fn median_gamma(rows: &dyn Rows, seed: u64) -> f64 {
    const PAIRS: usize = 2000;
    let n = rows.n_rows();
    let mut rng = Rng::new(seed, 0x6d65);
    let (mut a, mut b) = (vec![0.0; rows.n_cols()], vec![0.0; rows.n_cols()]);
    let mut squares: Vec<f64> = (0..PAIRS)
        .map(|_| {
            rows.copy_row(rng.below(n), &mut a);
            rows.copy_row(rng.below(n), &mut b);
            a.iter().zip(&b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>()
        })
        .filter(|s| *s > 0.0)
        .collect();
    squares.sort_unstable_by(f64::total_cmp);
    squares.get(squares.len() / 2).map_or(1.0, |s| 1.0 / s)
}

/// The matrix P (one row a feature) for which the features P·k(x) of the points reproduce their
/// kernel: Nyström's map. With all rows as points it is kernel PCA without centring.
pub fn nystroem(kernel: &Kernel, points: &Dense) -> Result<Dense> {
    let m = points.rows();
    let eig = sym_eig(&kernel.matrix(points, points))?;
    let top = eig.values[m - 1];
    let kept: Vec<usize> = (0..m).rev().filter(|&i| eig.values[i] > 1e-10 * top).collect();
    let mut map = Dense::zeros(kept.len(), m);
    for (r, &i) in kept.iter().enumerate() {
        let scale = 1.0 / eig.values[i].sqrt();
        map.row_mut(r).iter_mut().zip(eig.vectors.row(i)).for_each(|(p, v)| *p = scale * v);
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{product, product_nt};

    fn points(n: usize, d: usize) -> Dense {
        let mut rng = Rng::new(4, 0);
        Dense::from_vec(n, d, (0..n * d).map(|_| rng.normal()).collect()).unwrap()
    }

    #[test]
    fn kernels_equal_their_formulas() {
        let x = points(7, 3);
        let rbf = Kernel::Rbf { gamma: 0.7 }.matrix(&x, &x);
        let poly = Kernel::Poly { gamma: 0.5, degree: 3, coef0: 1.0 }.matrix(&x, &x);
        for i in 0..7 {
            for j in 0..7 {
                let gap: f64 = (0..3).map(|l| (x[(i, l)] - x[(j, l)]).powi(2)).sum();
                assert!((rbf[(i, j)] - (-0.7 * gap).exp()).abs() < 1e-14);
                let inner = dot(x.row(i), x.row(j));
                assert!((poly[(i, j)] - (0.5 * inner + 1.0).powi(3)).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn nystroem_features_of_the_points_reproduce_their_kernel() {
        let x = points(40, 4);
        let kernel = Kernel::Rbf { gamma: 0.3 };
        let k = kernel.matrix(&x, &x);
        let map = nystroem(&kernel, &x).unwrap();
        let features = product_nt(k.view(), map.view());
        let again = product_nt(features.view(), features.view());
        let worst =
            again.data().iter().zip(k.data()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{worst}");
        assert_eq!(product(map.view(), k.view()).rows(), map.rows());
    }

    #[test]
    fn the_median_width_scales_with_the_data() {
        let x = points(200, 3);
        let mut y = x.clone();
        y.data_mut().iter_mut().for_each(|v| *v *= 10.0);
        let ratio = median_gamma(&x, 1) / median_gamma(&y, 1);
        assert!((ratio - 100.0).abs() < 1e-9);
    }
}

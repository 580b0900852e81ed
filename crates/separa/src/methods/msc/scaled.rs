//! The distances of all rows, each as often as it counts, and the directions they lead to.

use super::direction::{Alpha, Direction};
use crate::error::Result;
use separa_math::linalg::{
    EigOptions, Projected, Squared, SymMatrix, SymOp, Which, dot_lanes, eig_few,
};
use separa_math::matrix::Dense;

/// S = √M·D·√M over the mean distance, which keeps squares of S within range.
#[derive(Debug)]
pub(super) struct Scaled<'a> {
    d: &'a SymMatrix,
    /// √m of each row.
    roots: Vec<f64>,
    /// Σⱼ mⱼdᵢⱼ.
    sums: Vec<f64>,
    mean: f64,
}

impl SymOp for Scaled<'_> {
    fn dim(&self) -> usize {
        self.d.n()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.dim().max(1);
        let inside: Vec<f64> =
            x.chunks_exact(n).flat_map(|x| x.iter().zip(&self.roots).map(|(x, r)| x * r)).collect();
        self.d.apply_rows(&inside, out);
        for out in out.chunks_exact_mut(n) {
            out.iter_mut().zip(&self.roots).for_each(|(v, r)| *v *= r / self.mean);
        }
    }
}

impl<'a> Scaled<'a> {
    /// `None` where all distances are zero.
    pub fn new(d: &'a SymMatrix, counts: &[f64]) -> Option<Self> {
        let mut sums = vec![0.0; d.n()];
        d.apply(counts, &mut sums);
        let total: f64 = counts.iter().sum();
        let mean = dot_lanes(&sums, counts) / (total * total);
        let roots = counts.iter().map(|m| m.sqrt()).collect();
        (mean > 0.0).then_some(Self { d, roots, sums, mean })
    }

    /// Definition 2.1.
    pub fn separation(&self, alpha: &Alpha, options: &EigOptions) -> Result<Direction> {
        let (v, value, converged) = match self.weights(alpha) {
            None => {
                let pairs = eig_few(self, 2, Which::LargestMagnitude, options)?;
                // Of the two the Perron root is the larger one: no other exceeds it in magnitude.
                let i = usize::from(pairs.values[1] < pairs.values[0]);
                (pairs.vectors.row(i).to_vec(), pairs.values[i].powi(2), pairs.converged)
            }
            Some(a) => {
                let mut c = Dense::zeros(1, self.dim());
                self.apply(&a, c.data_mut());
                let squared = Squared(self);
                let pairs = eig_few(&Projected::new(&squared, &c), 1, Which::Largest, options)?;
                (pairs.vectors.row(0).to_vec(), pairs.values[0].max(0.0), pairs.converged)
            }
        };
        let mut image = vec![0.0; v.len()];
        self.apply(&v, &mut image);
        Ok(Direction {
            upside_down: dot_lanes(&v, &image) > 0.0,
            coef: v.iter().zip(&self.roots).map(|(v, r)| v * r).collect(),
            zero: 0.0,
            value: value * self.mean * self.mean,
            converged,
        })
    }

    /// (3.8). From its condition Dz = θz + μβ follows z(x) = (dᵀz − μβ(x))/θ for any x: β(x) is 1,
    /// or the sum of distances to x; and μ = 0 for the Perron vector. Given weights have no β(x).
    pub fn disparity(&self, beta: &Alpha, options: &EigOptions) -> Result<Direction> {
        let n = self.dim();
        let (b, mut converged) = match self.weights(beta) {
            Some(b) => (b, true),
            None => {
                let pairs = eig_few(self, 1, Which::Largest, options)?;
                (pairs.vectors.row(0).to_vec(), pairs.converged)
            }
        };
        let away = Dense::from_vec(1, n, b.clone())?;
        let pairs = eig_few(&Projected::new(self, &away), 1, Which::Smallest, options)?;
        converged &= pairs.converged;
        let (z, theta) = (pairs.vectors.row(0), pairs.values[0]);
        let mut image = vec![0.0; n];
        self.apply(z, &mut image);
        let mu = self.mean * dot_lanes(&b, &image) / dot_lanes(&b, &b);

        let mut coef: Vec<f64> = z.iter().zip(&self.roots).map(|(z, r)| z * r).collect();
        let zero = match beta {
            Alpha::Uniform => mu,
            Alpha::Distance => {
                // β was divided by the mean distance.
                let share = mu / self.mean;
                coef.iter_mut().zip(&self.roots).for_each(|(c, r)| *c -= share * r * r);
                0.0
            }
            Alpha::Perron => 0.0,
            Alpha::Given(_) => unreachable!("check refuses given weights with objective=dcut"),
        };
        Ok(Direction { coef, zero, value: -theta * self.mean, upside_down: theta > 0.0, converged })
    }

    /// √M·α; `None` for the Perron vector, which is an eigenvector of S itself.
    fn weights(&self, alpha: &Alpha) -> Option<Vec<f64>> {
        let roots = self.roots.iter();
        Some(match alpha {
            Alpha::Uniform => self.roots.clone(),
            Alpha::Distance => roots.zip(&self.sums).map(|(r, s)| r * s / self.mean).collect(),
            Alpha::Perron => return None,
            Alpha::Given(alpha) => roots.zip(alpha).map(|(r, a)| r * a).collect(),
        })
    }
}

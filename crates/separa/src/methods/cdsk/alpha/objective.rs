//! Q(α) of (9″), its gradient, and the vectors that solve (11).
//!
//! With k = K1, S of (8), D its row sums and L = I − D^{-½}SD^{-½},
//!
//!   Q(α) = h·Σ_{t≤c} σₜ(L) − kᵀα + λ·αᵀKα,      α in the simplex,
//!
//! where σ₁ ≤ σ₂ ≤ … are the eigenvalues of L (its singular values where S ≥ 0). The middle term is
//! the sum of (αᵢ + αⱼ)/2·Kᵢⱼ over all pairs. h = 1 in (9″) and (12), ½ in (10). Where K is indefinite,
//! |K| stands in the last term and beside λ in S, as in (6) and (7).
//!
//! (12), with Y fixed, is the same with Tr(YᵀLY) for the sum: with P the squared distances between
//! the rows of Y, M = K∘P and m = M1, Tr(YᵀL_S Y) = 2mᵀα − λαᵀMα for L_S = D − S.

use super::operator::Discriminative;
use super::{METHOD, Rows};
use crate::error::{Error, Result};
use separa_math::linalg::{EigOptions, SymOp, Which, dot, eig_few};
use separa_math::matrix::Dense;
use separa_math::par;

/// Residuals of the eigenvectors on the way, as a fraction of the largest eigenvalue; the errors of the
/// eigenvalues are of the order of their squares.
const ROUGH: f64 = 1e-6;
/// Of those that are returned.
const FINE: f64 = 1e-8;

/// Degrees are at least this fraction of the largest where similarities may be negative.
const THIN: f64 = 1e-3;

/// The similarities and what α is weighed by.
pub(super) struct AlphaProblem<'a> {
    pub k: &'a dyn SymOp,
    /// |K| where K is indefinite.
    pub held: Option<&'a dyn SymOp>,
    /// K1.
    pub sums: Vec<f64>,
    pub n_clusters: usize,
    pub lambda: f64,
    pub h: f64,
    pub seed: u64,
}

/// α without its spectrum: one product.
pub(super) struct Weights {
    pub alpha: Vec<f64>,
    /// |K|α.
    pub held_alpha: Vec<f64>,
    /// S1.
    pub degrees: Vec<f64>,
    /// −kᵀα + λαᵀ|K|α.
    pub flat: f64,
}

/// α with the leading vectors of its similarity.
pub(super) struct Point {
    pub weights: Weights,
    /// The largest eigenvalues μₜ = 1 − σₜ of D^{-½}SD^{-½}, and their vectors as rows.
    pub values: Vec<f64>,
    pub vectors: Dense,
    pub q: f64,
    /// False where the eigensolver ran out of products.
    pub settled: bool,
}

impl<'a> AlphaProblem<'a> {
    pub fn new(k: &'a dyn SymOp, n_clusters: usize, lambda: f64, h: f64, seed: u64) -> Self {
        let n = k.dim();
        let mut sums = vec![0.0; n];
        k.apply(&vec![1.0; n], &mut sums);
        Self { k, held: None, sums, n_clusters, lambda, h, seed }
    }

    pub fn held_by(self, held: Option<&'a dyn SymOp>) -> Self {
        Self { held, ..self }
    }

    pub fn weigh(&self, alpha: Vec<f64>) -> Weights {
        let mut k_alpha = vec![0.0; alpha.len()];
        self.k.apply(&alpha, &mut k_alpha);
        let held_alpha = match self.held {
            None => k_alpha.clone(),
            Some(held) => {
                let mut image = vec![0.0; alpha.len()];
                held.apply(&alpha, &mut image);
                image
            }
        };
        let degrees = (0..alpha.len())
            .map(|i| {
                let a = alpha[i];
                2.0 * (a * self.sums[i] + k_alpha[i] - self.lambda * a * held_alpha[i])
            })
            .collect();
        let flat = self.lambda * dot(&alpha, &held_alpha) - dot(&alpha, &self.sums);
        Weights { alpha, held_alpha, degrees, flat }
    }

    /// Refuses weights whose similarities may be, or are in sum, negative.
    pub fn check(&self, weights: &Weights) -> Result<()> {
        let top = weights.alpha.iter().fold(0.0, |top: f64, a| top.max(*a));
        // The cap on α is 2/λ itself, up to rounding.
        if self.lambda * top > 2.0 * (1.0 + 1e-9) {
            let what = format!(
                "similarities 2(a + b - {:.4} a b)K are negative for weights of {top:.4}, expected lambda at most {:.4}",
                self.lambda,
                2.0 / top
            );
            return Err(Error::NegativeSimilarities { method: METHOD, what });
        }
        let least = weights.negative_degree();
        least.map_or(Ok(()), |(i, degree)| {
            let row = i + 1;
            let what = format!(
                "the similarities of row {row} add up to {degree:.4}, expected no negative sum"
            );
            Err(Error::NegativeSimilarities { method: METHOD, what })
        })
    }

    /// Whether a step to these weights keeps all degrees clear of 0: none is negative, and with |K| none
    /// falls below [`THIN`] of the largest.
    pub fn sound(&self, weights: &Weights, before: &Weights) -> bool {
        if self.held.is_none() {
            return weights.negative_degree().is_none();
        }
        let floor = THIN * weights.degrees.iter().fold(0.0, |top: f64, d| top.max(*d));
        weights.degrees.iter().zip(&before.degrees).all(|(d, b)| *d >= floor || *d >= *b)
    }

    /// Solves (11) for these weights, well enough to go on from there.
    pub fn at(&self, weights: Weights) -> Result<Point> {
        self.solve(weights, ROUGH)
    }

    /// The same point with vectors to be returned.
    pub fn refine(&self, point: Point) -> Result<Point> {
        self.solve(point.weights, FINE)
    }

    fn solve(&self, weights: Weights, tol: f64) -> Result<Point> {
        let scale = weights.scale();
        let op = Discriminative::new(self.k, &weights.alpha, self.lambda, &scale);
        let op = op.held_by(self.held);
        let options = EigOptions { tol, seed: self.seed, ..EigOptions::default() };
        let found = eig_few(&op, self.n_clusters, Which::Largest, &options)?;
        let cut: f64 = found.values.iter().map(|mu| 1.0 - mu).sum();
        let q = self.h * cut + weights.flat;
        let (values, vectors) = (found.values, found.vectors);
        Ok(Point { weights, values, vectors, q, settled: found.converged })
    }

    /// ∇Q by Hellmann and Feynman: with u = d^{-½}∘v, p = u∘u and Cx = Kx − λ|K|(α∘x),
    ///
    ///   ∂μ = 4u∘Cu − 2μ[p∘C1 + Cp].
    ///
    /// The sum over the leading vectors is the gradient wherever μ_c > μ_{c+1}, however often values
    /// before or after repeat; where the gap is closed it is that of one choice of the subspace.
    pub fn gradient(&self, point: &Point) -> Vec<f64> {
        let (n, c) = (self.sums.len(), point.values.len());
        let Weights { alpha, held_alpha, .. } = &point.weights;
        let scale = point.weights.scale();
        // One row a vector, u; last Σμp.
        let mut given = vec![0.0; (c + 1) * n];
        let mut spread = vec![0.0; n];
        for (t, &mu) in point.values.iter().enumerate() {
            let line = &mut given[t * n..(t + 1) * n];
            for (i, v) in point.vectors.row(t).iter().enumerate() {
                let u = scale[i] * v;
                line[i] = u;
                spread[i] += mu * u * u;
            }
        }
        given[c * n..].copy_from_slice(&spread);
        let image = self.apart(given, alpha);
        let mut out = vec![0.0; n];
        par::fill_chunks(&mut out, 1, |rows, out| {
            for (i, o) in rows.zip(out) {
                let pull: f64 =
                    (0..c).map(|t| scale[i] * point.vectors[(t, i)] * image[t * n + i]).sum();
                let of_ones = self.sums[i] - self.lambda * held_alpha[i];
                let rise = 4.0 * pull - 2.0 * (spread[i] * of_ones + image[c * n + i]);
                *o = 2.0 * self.lambda * held_alpha[i] - self.sums[i] - self.h * rise;
            }
        });
        out
    }

    /// Kx − λ|K|(α∘x) for each row x: one product where |K| is K.
    fn apart(&self, mut x: Vec<f64>, alpha: &[f64]) -> Vec<f64> {
        let n = alpha.len().max(1);
        let weigh = |x: &mut Vec<f64>, by: &dyn Fn(f64) -> f64| {
            for line in x.chunks_exact_mut(n) {
                line.iter_mut().zip(alpha).for_each(|(v, a)| *v *= by(*a));
            }
        };
        let mut image = vec![0.0; x.len()];
        let Some(held) = self.held else {
            weigh(&mut x, &|a| 1.0 - self.lambda * a);
            self.k.apply_rows(&x, &mut image);
            return image;
        };
        self.k.apply_rows(&x, &mut image);
        weigh(&mut x, &|a| a);
        let mut other = vec![0.0; x.len()];
        held.apply_rows(&x, &mut other);
        image.iter_mut().zip(&other).for_each(|(v, o)| *v -= self.lambda * o);
        image
    }
}

impl Weights {
    /// The row of the most negative degree, beyond rounding.
    pub fn negative_degree(&self) -> Option<(usize, f64)> {
        let top = self.degrees.iter().fold(0.0, |top: f64, d| top.max(d.abs()));
        let below = self.degrees.iter().copied().enumerate().filter(|(_, d)| *d < -1e-12 * top);
        below.reduce(|a, b| if b.1 < a.1 { b } else { a })
    }

    /// d^{-½}, 0 for rows that are joined to no row.
    pub fn scale(&self) -> Vec<f64> {
        let top = self.degrees.iter().fold(0.0, |top: f64, d| top.max(*d));
        let one = |d: &f64| if *d > 1e-14 * top { 1.0 / d.sqrt() } else { 0.0 };
        self.degrees.iter().map(one).collect()
    }
}

impl Point {
    /// Y, a row for a row: D^{-½}V, so that YᵀDY = I, or its rows at length one.
    pub fn embedding(&self, rows: Rows) -> Dense {
        let mut y = self.vectors.transposed();
        let scale = self.weights.scale();
        for i in 0..y.rows() {
            let line = y.row_mut(i);
            let factor = match rows {
                Rows::Plain => scale[i],
                Rows::Unit => {
                    let length = dot(line, line).sqrt();
                    if length > 0.0 { 1.0 / length } else { 0.0 }
                }
            };
            line.iter_mut().for_each(|v| *v *= factor);
        }
        y
    }
}

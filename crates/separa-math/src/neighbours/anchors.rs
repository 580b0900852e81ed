//! A sparse graph through a few points: rows are joined where they share near anchors.
//!
//! Row x has weights z over its r nearest of m anchors, Σz = 1. Two rows are as similar as
//! Σ zₐ(x)·zₐ(y)/λₐ with λₐ the weight that all rows give to anchor a: rows of the similarity sum to
//! one, its rank is at most m, and nothing of size n² is ever made.
//! See  Liu, He & Chang (2010), anchor graphs; Chen & Cai (2011), landmark-based spectral clustering.

use super::search::Neighbours;
use crate::distance::Metric;
use crate::error::Result;
use crate::linalg::{EigOptions, SymOp, Which, eig_few};
use crate::matrix::{Dense, Rows};
use crate::par;

/// The anchor weights of some rows: `r` places and weights a row.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchorWeights {
    pub r: usize,
    pub places: Vec<u32>,
    pub values: Vec<f64>,
}

/// exp(−d²/(s·s)) with s the distance to the farthest of the r + 1 nearest, then Σ = 1.
pub fn anchor_weights(rows: &dyn Rows, anchors: &dyn Rows, r: usize) -> AnchorWeights {
    let nearest = Neighbours::between(Metric::Euclidean, rows, anchors, r + 1);
    let n = rows.n_rows();
    let r = r.min(nearest.k());
    let (mut places, mut values) = (Vec::with_capacity(n * r), Vec::with_capacity(n * r));
    for i in 0..n {
        let (indices, distances) = nearest.row(i);
        let scale = distances.last().copied().filter(|s| *s > 0.0).unwrap_or(1.0);
        let near = distances[..r].iter().map(|d| (-(d / scale) * (d / scale)).exp());
        let near: Vec<f64> = near.collect();
        let total: f64 = near.iter().sum();
        places.extend_from_slice(&indices[..r]);
        values.extend(near.iter().map(|v| v / total));
    }
    AnchorWeights { r, places, values }
}

impl AnchorWeights {
    pub fn n(&self) -> usize {
        self.places.len().checked_div(self.r).unwrap_or(0)
    }

    /// The anchors of row i and its weights.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = i * self.r..(i + 1) * self.r;
        (&self.places[range.clone()], &self.values[range])
    }
}

/// Z·diag(λ)⁻¹·Zᵀ.
#[derive(Debug, Clone)]
pub struct AnchorGraph {
    pub z: AnchorWeights,
    /// λ, 1 for an anchor that no row is near.
    pub mass: Vec<f64>,
}

impl AnchorGraph {
    /// `weights`: how many rows each row stands for.
    pub fn new(z: AnchorWeights, m: usize, weights: &[f64]) -> Self {
        let mut mass = vec![0.0; m];
        for i in 0..z.n() {
            let (places, values) = z.row(i);
            places.iter().zip(values).for_each(|(&a, v)| mass[a as usize] += weights[i] * v);
        }
        mass.iter_mut().filter(|v| **v <= 0.0).for_each(|v| *v = 1.0);
        Self { z, mass }
    }

    /// Σᵢ f(i)·z(i)/λ.
    pub fn gather(&self, f: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.mass.len()];
        for i in 0..self.z.n() {
            let (places, values) = self.z.row(i);
            let y = f(i);
            places.iter().zip(values).for_each(|(&a, v)| sums[a as usize] += y * v);
        }
        sums.iter_mut().zip(&self.mass).for_each(|(s, m)| *s /= m);
        sums
    }

    /// z(i)ᵀ·sums.
    pub fn spread(&self, i: usize, sums: &[f64]) -> f64 {
        let (places, values) = self.z.row(i);
        places.iter().zip(values).fold(0.0, |t, (&a, v)| t + v * sums[a as usize])
    }

    /// The similarity of row i with itself.
    pub fn own(&self, i: usize) -> f64 {
        let (places, values) = self.z.row(i);
        places.iter().zip(values).map(|(&a, v)| v * v / self.mass[a as usize]).sum()
    }

    /// The `count` leading eigenvectors of the similarity weighted by √wᵢ√wⱼ, one row each, from
    /// those of the m x m matrix λ^{-½}·Zᵀ·W·Z·λ^{-½}; and whether the solver converged.
    pub fn leading(
        &self,
        weights: &[f64],
        count: usize,
        options: &EigOptions,
    ) -> Result<(Vec<f64>, Dense, bool)> {
        let m = self.mass.len();
        let root: Vec<f64> = self.mass.iter().map(|v| 1.0 / v.sqrt()).collect();
        let mut small = Dense::zeros(m, m);
        for i in 0..self.z.n() {
            let (places, values) = self.z.row(i);
            for (&a, u) in places.iter().zip(values) {
                for (&b, v) in places.iter().zip(values) {
                    let (a, b) = (a as usize, b as usize);
                    small[(a, b)] += weights[i] * (u * root[a]) * (v * root[b]);
                }
            }
        }
        let found = eig_few(&small, count, Which::Largest, options)?;
        let strong = found.values.iter().filter(|v| **v > 1e-10).count();
        let mut vectors = Dense::zeros(strong, self.z.n());
        for c in 0..strong {
            let scale = 1.0 / found.values[c].sqrt();
            let turned: Vec<f64> =
                found.vectors.row(c).iter().zip(&root).map(|(v, r)| v * r * scale).collect();
            par::fill_chunks(vectors.row_mut(c), 1, |range, out| {
                for (i, o) in range.zip(out) {
                    *o = weights[i].sqrt() * self.spread(i, &turned);
                }
            });
        }
        Ok((found.values[..strong].to_vec(), vectors, found.converged))
    }
}

impl SymOp for AnchorGraph {
    fn dim(&self) -> usize {
        self.z.n()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        let sums = self.gather(|i| x[i]);
        par::fill_chunks(out, 1, |range, out| {
            range.zip(out).for_each(|(i, o)| *o = self.spread(i, &sums));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dot;
    use crate::test_tables::normals;

    #[test]
    fn products_and_eigenvectors_equal_those_of_the_explicit_similarity() {
        let (x, anchors) = (normals(150, 3, 1), normals(12, 3, 2));
        let z = anchor_weights(&x, &anchors, 3);
        assert!((0..150).all(|i| (z.row(i).1.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        let ones = vec![1.0; 150];
        let graph = AnchorGraph::new(z, 12, &ones);
        let mut full = Dense::zeros(150, 150);
        for i in 0..150 {
            for j in 0..150 {
                for (&a, u) in graph.z.row(i).0.iter().zip(graph.z.row(i).1) {
                    for (&b, v) in graph.z.row(j).0.iter().zip(graph.z.row(j).1) {
                        if a == b {
                            full[(i, j)] += u * v / graph.mass[a as usize];
                        }
                    }
                }
            }
            assert!((full[(i, i)] - graph.own(i)).abs() < 1e-14);
        }
        let v = normals(1, 150, 4);
        let mut image = vec![0.0; 150];
        graph.apply(v.data(), &mut image);
        for (i, value) in image.iter().enumerate() {
            assert!((dot(full.row(i), v.data()) - value).abs() < 1e-12);
        }
        let options = EigOptions::default();
        let (values, vectors, _) = graph.leading(&ones, 4, &options).unwrap();
        let slow = eig_few(&full, 4, Which::Largest, &options).unwrap();
        for c in 0..4 {
            assert!((values[c] - slow.values[c]).abs() < 1e-9);
            // ‖Sv − λv‖
            graph.apply(vectors.row(c), &mut image);
            let gap = image.iter().zip(vectors.row(c)).map(|(s, v)| (s - values[c] * v).powi(2));
            assert!(gap.sum::<f64>().sqrt() < 1e-7);
        }
        // Rows of the similarity sum to one: the leading eigenvalue is one.
        assert!((values[0] - 1.0).abs() < 1e-10);
    }
}

//! A sparse symmetric matrix: neighbour graphs and their Laplacians.

use super::{SymOp, multiply_add};
use crate::error::{Error, Result};
use crate::par;

/// Vectors that share one walk through the entries; side by side they are one cache line's half.
const GROUP: usize = 4;

/// A symmetric matrix in compressed rows, both triangles, columns ascending within a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseSym {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparseSym {
    /// The matrix that holds w at (i, j) and (j, i) for every (i, j, w); repeated places add up. So
    /// the directed edges of a neighbour graph with half their weight give (K + Kᵀ)/2.
    pub fn from_edges(n: usize, edges: &[(u32, u32, f64)]) -> Result<Self> {
        let bad = edges.iter().find(|(i, j, _)| (*i).max(*j) as usize >= n);
        if let Some((i, j, _)) = bad {
            return Err(Error::Shape {
                what: "a sparse symmetric matrix",
                found: format!("an entry at ({i}, {j})"),
                expected: format!("{n} x {n}"),
            });
        }
        let mut places = Vec::with_capacity(2 * edges.len());
        for &(i, j, w) in edges {
            places.push((i, j, w));
            if i != j {
                places.push((j, i, w));
            }
        }
        // Stable: equal places add up in the order given, on both sides of the diagonal.
        places.sort_by_key(|&(i, j, _)| (i, j));
        let mut out = Self { starts: vec![0; n + 1], columns: Vec::new(), values: Vec::new() };
        let mut last = None;
        for (i, j, w) in places {
            if last == Some((i, j)) {
                *out.values.last_mut().expect("the place before is this one") += w;
            } else {
                out.columns.push(j);
                out.values.push(w);
                out.starts[i as usize + 1] += 1;
                last = Some((i, j));
            }
        }
        (0..n).for_each(|i| out.starts[i + 1] += out.starts[i]);
        Ok(out)
    }

    /// A matrix whose compressed rows are known, columns ascending, and equal on both sides of the
    /// diagonal.
    pub fn from_rows(starts: Vec<usize>, columns: Vec<u32>, values: Vec<f64>) -> Self {
        debug_assert_eq!(starts.last().copied().unwrap_or(0), values.len());
        Self { starts, columns, values }
    }

    /// Order of the matrix.
    pub fn n(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The columns and values of row i.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// aᵢⱼ ← f(i, j, aᵢⱼ) for a symmetric f, on the stored places.
    pub fn map(&mut self, f: impl Fn(usize, usize, f64) -> f64) {
        for i in 0..self.n() {
            for e in self.starts[i]..self.starts[i + 1] {
                self.values[e] = f(i, self.columns[e] as usize, self.values[e]);
            }
        }
    }
}

impl SymOp for SparseSym {
    fn dim(&self) -> usize {
        self.n()
    }

    fn apply(&self, x: &[f64], out: &mut [f64]) {
        par::fill_chunks(out, 1, |rows, out| {
            for (i, o) in rows.zip(out) {
                let (columns, values) = self.row(i);
                *o = columns
                    .iter()
                    .zip(values)
                    .fold(0.0, |sum, (&j, &a)| multiply_add(a, x[j as usize], sum));
            }
        });
    }

    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.n().max(1);
        let mut side = vec![[0.0; GROUP]; n];
        let mut images = vec![[0.0; GROUP]; n];
        for (x, out) in x.chunks(GROUP * n).zip(out.chunks_mut(GROUP * n)) {
            if x.len() <= n {
                self.apply(x, out);
                continue;
            }
            par::fill_chunks(&mut side, 1, |rows, side| {
                for (i, s) in rows.zip(side) {
                    s.iter_mut().zip(x.chunks_exact(n)).for_each(|(s, x)| *s = x[i]);
                }
            });
            par::fill_chunks(&mut images, 1, |rows, images| {
                for (i, image) in rows.zip(images) {
                    *image = self.row_times(i, &side);
                }
            });
            for (v, out) in out.chunks_exact_mut(n).enumerate() {
                par::fill_chunks(out, 1, |rows, out| {
                    out.iter_mut().zip(&images[rows]).for_each(|(o, image)| *o = image[v]);
                });
            }
        }
    }
}

impl SparseSym {
    fn row_times(&self, i: usize, side: &[[f64; GROUP]]) -> [f64; GROUP] {
        let (columns, values) = self.row(i);
        let mut sums = [0.0; GROUP];
        for (&j, &a) in columns.iter().zip(values) {
            let x = &side[j as usize];
            (0..GROUP).for_each(|v| sums[v] = multiply_add(a, x[v], sums[v]));
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::times;
    use crate::matrix::Dense;
    use crate::rng::Rng;

    #[test]
    fn products_equal_the_dense_ones_and_a_vector_has_the_same_image_alone() {
        for n in [1, 2, 40, 1500] {
            let mut rng = Rng::new(n as u64, 0);
            let mut dense = Dense::zeros(n, n);
            let edges: Vec<(u32, u32, f64)> = (0..6 * n)
                .map(|_| (rng.below(n) as u32, rng.below(n) as u32, rng.normal()))
                .collect();
            for &(i, j, w) in &edges {
                dense[(i as usize, j as usize)] += w;
                if i != j {
                    dense[(j as usize, i as usize)] += w;
                }
            }
            let sparse = SparseSym::from_edges(n, &edges).unwrap();
            let x: Vec<f64> = (0..6 * n).map(|_| rng.normal()).collect();
            let mut out = vec![0.0; 6 * n];
            sparse.apply_rows(&x, &mut out);
            for (x, out) in x.chunks(n).zip(out.chunks(n)) {
                let slow = times(&dense, x);
                assert!(slow.iter().zip(out).all(|(p, q)| (p - q).abs() < 1e-11));
                let mut alone = vec![0.0; n];
                sparse.apply(x, &mut alone);
                assert_eq!(alone, out);
            }
            let sums = times(&dense, &vec![1.0; n]);
            assert!(
                sums.iter()
                    .enumerate()
                    .all(|(i, s)| (s - sparse.row(i).1.iter().sum::<f64>()).abs() < 1e-11)
            );
        }
    }

    #[test]
    fn an_edge_outside_the_matrix_is_refused_by_name() {
        let error = SparseSym::from_edges(3, &[(0, 3, 1.0)]).unwrap_err().to_string();
        assert!(error.contains("(0, 3)") && error.contains("3 x 3"), "{error}");
    }
}

//! Symmetric graphs of nearest neighbours.

use super::search::Neighbours;
use crate::distance::Metric;
use crate::kernel::exp::exp;
use crate::linalg::{Precision, SparseSym, SymMatrix};
use crate::matrix::{CsrRef, Rows};

/// What an edge of length d between rows i and j weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weight {
    One,
    /// exp(−gamma·d²)
    Rbf {
        gamma: f64,
    },
    /// exp(−d²/(sᵢsⱼ)) with sᵢ the distance of row i to its `neighbour`-th neighbour (Zelnik-Manor &
    /// Perona, 2004, take the 7th)
    SelfTuning {
        neighbour: usize,
    },
}

/// Which edges stay, where only one of two rows counts the other among its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Join {
    /// Both kinds.
    Union,
    /// Those that are mutual.
    Mutual,
    /// min(w, wᵀ) + share·max(w, wᵀ): all, the mutual ones with more weight.
    Blend { share: f64 },
}

/// A symmetric sparse matrix of weights, columns ascending within a row, nothing on the diagonal.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    pub n: usize,
    pub indptr: Vec<usize>,
    pub indices: Vec<u32>,
    pub values: Vec<f64>,
}

impl Graph {
    /// The graph of `nearest`, the neighbours of rows among themselves.
    pub fn new(nearest: &Neighbours, weight: Weight, join: Join) -> Self {
        let n = nearest.n_rows();
        let mut graph = Self { n, indptr: vec![0], indices: Vec::new(), values: Vec::new() };
        let mut factors = Vec::new();
        let (out, back) = both_ways(nearest);
        for (i, (out, back)) in out.iter().zip(&back).enumerate() {
            for (j, d, mutual) in merge(out, back) {
                let factor = match join {
                    Join::Union => 1.0,
                    Join::Mutual => f64::from(u8::from(mutual)),
                    Join::Blend { share } => share + f64::from(u8::from(mutual)),
                };
                if factor > 0.0 && j as usize != i {
                    graph.indices.push(j);
                    graph.values.push(d);
                    factors.push(factor);
                }
            }
            graph.indptr.push(graph.indices.len());
        }
        graph.weigh(nearest, weight);
        graph.values.iter_mut().zip(factors).for_each(|(w, f)| *w *= f);
        graph
    }

    /// From lengths to weights.
    fn weigh(&mut self, nearest: &Neighbours, weight: Weight) {
        match weight {
            Weight::One => self.values.fill(1.0),
            Weight::Rbf { gamma } => {
                self.values.iter_mut().for_each(|d| *d = -gamma * (*d * *d));
                exp(&mut self.values);
            }
            Weight::SelfTuning { neighbour } => {
                let scales = local_scales(nearest, neighbour);
                for i in 0..self.n {
                    let range = self.indptr[i]..self.indptr[i + 1];
                    let row = self.values[range.clone()].iter_mut().zip(&self.indices[range]);
                    row.for_each(|(d, &j)| *d = -(*d * *d) / (scales[i] * scales[j as usize]));
                }
                exp(&mut self.values);
            }
        }
    }

    /// The matrix for products.
    pub fn into_matrix(self) -> SparseSym {
        SparseSym::from_rows(self.indptr, self.indices, self.values)
    }

    /// The rows of the matrix.
    pub fn rows(&self) -> CsrRef<'_> {
        CsrRef::new(self.n, &self.indptr, &self.indices, &self.values)
            .expect("a graph is built with ascending columns")
    }

    /// The sum of each row.
    pub fn degrees(&self) -> Vec<f64> {
        (0..self.n).map(|i| self.values[self.indptr[i]..self.indptr[i + 1]].iter().sum()).collect()
    }

    /// How many connected components, and that of each row, numbered by first appearance.
    pub fn components(&self) -> (usize, Vec<u32>) {
        const UNSEEN: u32 = u32::MAX;
        let (mut count, mut of, mut stack) = (0, vec![UNSEEN; self.n], Vec::new());
        for i in 0..self.n {
            if of[i] != UNSEEN {
                continue;
            }
            of[i] = count;
            stack.push(i);
            while let Some(i) = stack.pop() {
                for &j in &self.indices[self.indptr[i]..self.indptr[i + 1]] {
                    if of[j as usize] == UNSEEN {
                        of[j as usize] = count;
                        stack.push(j as usize);
                    }
                }
            }
            count += 1;
        }
        (count as usize, of)
    }
}

/// sᵢ, the distance to the `neighbour`-th neighbour (the farthest known, where fewer are). Where
/// that many rows coincide, the nearest that does not; else the smallest of the other rows.
pub fn local_scales(nearest: &Neighbours, neighbour: usize) -> Vec<f64> {
    let mut scales = vec![0.0; nearest.n_rows()];
    for (i, s) in scales.iter_mut().enumerate() {
        let known = nearest.row(i).1;
        let at = neighbour.clamp(1, nearest.k().max(1)) - 1;
        *s = known.get(at..).unwrap_or_default().iter().copied().find(|d| *d > 0.0).unwrap_or(0.0);
    }
    let least = scales.iter().copied().filter(|s| *s > 0.0).fold(f64::INFINITY, f64::min);
    let spare = if least.is_finite() { least } else { 1.0 };
    scales.iter_mut().filter(|s| **s == 0.0).for_each(|s| *s = spare);
    scales
}

/// exp(−d²/(sᵢsⱼ)) of every pair of rows, from their [`local_scales`].
pub fn self_tuning(rows: &dyn Rows, scales: &[f64]) -> SymMatrix {
    let mut matrix = Metric::SqEuclidean.symmetric(rows, Precision::Double);
    matrix.map(|i, j, square| (-square / (scales[i] * scales[j])).exp());
    matrix
}

type Edges = Vec<Vec<(u32, f64)>>;

/// The edges from each row and those to it, ascending.
fn both_ways(nearest: &Neighbours) -> (Edges, Edges) {
    let n = nearest.n_rows();
    let (mut out, mut back): (Edges, Edges) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for i in 0..n {
        let (indices, distances) = nearest.row(i);
        for (&j, &d) in indices.iter().zip(distances) {
            out[i].push((j, d));
            back[j as usize].push((i as u32, d));
        }
        out[i].sort_unstable_by_key(|e| e.0);
    }
    (out, back)
}

/// (row, length, whether in both lists) of two ascending lists.
fn merge<'a>(
    a: &'a [(u32, f64)],
    b: &'a [(u32, f64)],
) -> impl Iterator<Item = (u32, f64, bool)> + 'a {
    let (mut p, mut q) = (0, 0);
    std::iter::from_fn(move || {
        let (x, y) = (a.get(p), b.get(q));
        let first = match (x, y) {
            (Some(x), Some(y)) => {
                if y.0 < x.0 {
                    y
                } else {
                    x
                }
            }
            (x, y) => x.or(y)?,
        };
        let (in_a, in_b) = (x.is_some_and(|x| x.0 == first.0), y.is_some_and(|y| y.0 == first.0));
        p += usize::from(in_a);
        q += usize::from(in_b);
        Some((first.0, first.1, in_a && in_b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Dense;
    use crate::test_tables::whole_numbers;
    use proptest::prelude::*;

    fn dense(graph: &Graph) -> Dense {
        crate::matrix::pick(&graph.rows(), &(0..graph.n).collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn graphs_equal_their_definition(n in 2usize..60, k in 1usize..9, seed in 0u64..100) {
            let x = whole_numbers(n, 2, 9, seed);
            let nearest = Neighbours::among(Metric::Euclidean, &x, k);
            let d = Metric::Euclidean.matrix(&x, &x);
            let s = local_scales(&nearest, 7);
            let counts = |i: usize, j: usize| nearest.row(i).0.contains(&(j as u32));
            for weight in [Weight::One, Weight::Rbf { gamma: 0.2 },
                           Weight::SelfTuning { neighbour: 7 }] {
                let w = |i: usize, j: usize| match weight {
                    _ if !counts(i, j) => 0.0,
                    Weight::One => 1.0,
                    Weight::Rbf { gamma } => (-gamma * d[(i, j)].powi(2)).exp(),
                    Weight::SelfTuning { .. } => (-d[(i, j)].powi(2) / (s[i] * s[j])).exp(),
                };
                let graphs = [Join::Union, Join::Mutual, Join::Blend { share: 0.1 }]
                    .map(|join| dense(&Graph::new(&nearest, weight, join)));
                for i in 0..n {
                    for j in 0..n {
                        let (a, b) = (w(i, j), w(j, i));
                        let want = [a.max(b), a.min(b), a.min(b) + 0.1 * a.max(b)];
                        for (graph, want) in graphs.iter().zip(want) {
                            prop_assert!((graph[(i, j)] - want).abs() < 1e-15);
                            prop_assert_eq!(graph[(i, j)], graph[(j, i)]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn components_are_counted_and_numbered_by_first_appearance() {
        let x = Dense::from_vec(7, 1, vec![0.0, 100.0, 1.0, 101.0, 2.0, 500.0, 501.0]).unwrap();
        let nearest = Neighbours::among(Metric::Euclidean, &x, 1);
        let graph = Graph::new(&nearest, Weight::One, Join::Union);
        assert_eq!(graph.components(), (3, vec![0, 1, 0, 1, 0, 2, 2]));
        assert_eq!(graph.degrees(), [1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
        let none = Neighbours::among(Metric::Euclidean, &Dense::zeros(0, 1), 3);
        assert_eq!(Graph::new(&none, Weight::One, Join::Union).components().0, 0);
    }

    #[test]
    fn scales_of_coincident_rows_are_positive() {
        let mut values = vec![0.0; 12];
        values.extend([1.0, 3.0]);
        let x = Dense::from_vec(14, 1, values).unwrap();
        let scales = local_scales(&Neighbours::among(Metric::Euclidean, &x, 7), 7);
        assert_eq!(scales[13], 3.0);
        assert!(scales.iter().all(|s| *s > 0.0));
        let same = local_scales(&Neighbours::among(Metric::Euclidean, &Dense::zeros(9, 1), 3), 7);
        assert_eq!(same, [1.0; 9]);
    }
}

//! The graph of rows, as a random walk on it sees it.

use super::params::{Affinity, GraphKind};
use separa_math::error::Result;
use separa_math::kernel::graph::{Graph, Join, Weight};
use separa_math::kernel::measure::Metric;
use separa_math::kernel::mercer::Kernel;
use separa_math::kernel::neighbours::Neighbours;
use separa_math::linalg::{Precision, SparseSym, SymMatrix, SymOp};
use separa_math::matrix::{MatrixRef, Rows};

/// The entries of D^{-½}·A·D^{-½}.
#[derive(Debug)]
pub(super) enum Links {
    Sparse(SparseSym),
    Dense(SymMatrix),
}

/// A = (wᵢ·aᵢⱼ·wⱼ) with the affinities a and the weights w, D its row sums.
///
/// A row of weight w stands for w equal rows: eigenvectors and cuts are those of the longer table,
/// but for the search of neighbours, which counts rows.
#[derive(Debug)]
pub(super) struct Walk {
    pub links: Links,
    pub degrees: Vec<f64>,
}

impl Walk {
    /// The graph of neighbours.
    pub fn knn(nearest: &Neighbours, kind: GraphKind, weights: &[f64]) -> Result<Self> {
        let join = match kind {
            GraphKind::Union => Join::Union,
            GraphKind::Mutual => Join::Mutual,
        };
        let graph = Graph::new(nearest, Weight::One, join);
        Ok(Self::normalise(Links::Sparse(lower(&graph.rows(), graph.n)?), weights))
    }

    /// exp(−gamma·d²) of all pairs.
    pub fn rbf(rows: &dyn Rows, gamma: f64, weights: &[f64]) -> Self {
        let kernel = Kernel::Rbf { gamma };
        Self::normalise(Links::Dense(kernel.symmetric(rows, Precision::Double)), weights)
    }

    /// exp(−d²/(sᵢsⱼ)) of all pairs.
    pub fn self_tuning(rows: &dyn Rows, scales: &[f64], weights: &[f64]) -> Self {
        let mut matrix = Metric::SqEuclidean.symmetric(rows, Precision::Double);
        matrix.map(|i, j, square| (-square / (scales[i] * scales[j])).exp());
        Self::normalise(Links::Dense(matrix), weights)
    }

    /// The rows and columns `kept` of a checked matrix.
    pub fn given(table: MatrixRef<'_>, kept: &[usize], weights: &[f64]) -> Result<Self> {
        let n = kept.len();
        let links = match table {
            MatrixRef::Sparse(a) => {
                let mut place = vec![u32::MAX; a.rows()];
                kept.iter().enumerate().for_each(|(r, &i)| place[i] = r as u32);
                let mut edges = Vec::new();
                for (r, &i) in kept.iter().enumerate() {
                    let (columns, values) = a.row(i);
                    for (&j, &v) in columns.iter().zip(values) {
                        let c = place[j as usize];
                        if c <= r as u32 && v > 0.0 {
                            edges.push((r as u32, c, v));
                        }
                    }
                }
                Links::Sparse(SparseSym::from_edges(n, &edges)?)
            }
            MatrixRef::Dense(a) => {
                let mut matrix = SymMatrix::zeros(n, Precision::Double);
                matrix.fill(|rows, cols, out| {
                    for (i, line) in rows.zip(out.chunks_exact_mut(cols.len())) {
                        let from = a.row(kept[i]);
                        line.iter_mut().zip(&kept[cols.clone()]).for_each(|(o, &j)| *o = from[j]);
                    }
                });
                Links::Dense(matrix)
            }
        };
        Ok(Self::normalise(links, weights))
    }

    /// From affinities to D^{-½}·A·D^{-½}; rows without neighbours stay zero.
    fn normalise(mut links: Links, weights: &[f64]) -> Self {
        let n = weights.len();
        let mut degrees = vec![0.0; n];
        match &links {
            Links::Sparse(a) => a.apply(weights, &mut degrees),
            Links::Dense(a) => a.apply(weights, &mut degrees),
        }
        degrees.iter_mut().zip(weights).for_each(|(d, w)| *d *= w);
        let scale: Vec<f64> = degrees
            .iter()
            .zip(weights)
            .map(|(d, w)| if *d > 0.0 { w / d.sqrt() } else { 0.0 })
            .collect();
        match &mut links {
            Links::Sparse(a) => a.map(|i, j, v| v * scale[i] * scale[j]),
            Links::Dense(a) => a.map(|i, j, v| v * scale[i] * scale[j]),
        }
        Self { links, degrees }
    }

    pub fn op(&self) -> &dyn SymOp {
        match &self.links {
            Links::Sparse(a) => a,
            Links::Dense(a) => a,
        }
    }

    /// Hears (j, entry) of row i.
    pub fn each(&self, i: usize, mut hear: impl FnMut(usize, f64)) {
        match &self.links {
            Links::Sparse(a) => {
                let (columns, values) = a.row(i);
                columns.iter().zip(values).for_each(|(&j, &v)| hear(j as usize, v));
            }
            Links::Dense(a) => {
                let mut row = vec![0.0; a.n()];
                a.copy_row(i, &mut row);
                row.iter().enumerate().for_each(|(j, &v)| hear(j, v));
            }
        }
    }

    /// The connected parts of more than nothing, the one with the largest degrees first (the first
    /// of equals), and how many rows are joined to no row.
    pub fn components(&self) -> (Vec<Vec<usize>>, usize) {
        let n = self.degrees.len();
        let (mut seen, mut parts) = (vec![false; n], Vec::new());
        for i in (0..n).filter(|&i| self.degrees[i] > 0.0) {
            if seen[i] {
                continue;
            }
            seen[i] = true;
            let mut part = vec![i];
            let mut next = 0;
            while next < part.len() {
                let from = part[next];
                next += 1;
                self.each(from, |j, v| {
                    if v > 0.0 && !seen[j] {
                        seen[j] = true;
                        part.push(j);
                    }
                });
            }
            part.sort_unstable();
            parts.push(part);
        }
        let lone = n - parts.iter().map(Vec::len).sum::<usize>();
        parts.sort_by(|a, b| self.volume(b).total_cmp(&self.volume(a)));
        (parts, lone)
    }

    pub fn volume(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&i| self.degrees[i]).sum()
    }
}

fn lower(rows: &separa_math::matrix::CsrRef<'_>, n: usize) -> Result<SparseSym> {
    let mut edges = Vec::new();
    for i in 0..n {
        let (columns, values) = rows.row(i);
        let before = columns.iter().zip(values).take_while(|(j, _)| **j <= i as u32);
        edges.extend(before.map(|(&j, &v)| (i as u32, j, v)));
    }
    SparseSym::from_edges(n, &edges)
}

/// Bytes of the walk of n rows.
pub(super) fn bytes(affinity: Affinity, n: u64, neighbors: u64, entries: u64) -> u64 {
    match affinity {
        // Neighbours, their lists both ways, and the matrix with its edges while it is built.
        Affinity::Knn => n * neighbors * 160,
        Affinity::Precomputed if entries < n * n / 2 => entries * 80,
        _ => SymMatrix::bytes(n as usize, Precision::Double) + 2_000_000,
    }
}

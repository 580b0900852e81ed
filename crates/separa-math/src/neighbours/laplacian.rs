//! The normalised graph of rows, D^{-½}·A·D^{-½}, and its leading eigenvectors: those of least eigenvalue of
//! the normalised graph Laplacian I − D^{-½}·A·D^{-½}.
//!
//! See  Shi & Malik (2000); Ng, Jordan & Weiss (2002).

use crate::error::Result;
use crate::linalg::{
    EigOptions, Precision, Projected, SparseSym, SymMatrix, SymOp, Which, eig_few, norm,
};
use crate::matrix::{Dense, MatrixRef};

/// The entries of D^{-½}·A·D^{-½}.
#[derive(Debug)]
pub enum Affinities {
    Sparse(SparseSym),
    Dense(SymMatrix),
}

/// A = (wᵢ·aᵢⱼ·wⱼ) with the affinities a and the weights w, D its row sums.
///
/// A row of weight w stands for w equal rows: eigenvectors and cuts are those of the longer table,
/// but for the search of neighbours, which counts rows.
#[derive(Debug)]
pub struct NormalisedGraph {
    pub links: Affinities,
    pub degrees: Vec<f64>,
}

impl NormalisedGraph {
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
                Affinities::Sparse(SparseSym::from_edges(n, &edges)?)
            }
            MatrixRef::Dense(a) => {
                let mut matrix = SymMatrix::zeros(n, Precision::Double);
                matrix.fill(|rows, cols, out| {
                    for (i, line) in rows.zip(out.chunks_exact_mut(cols.len())) {
                        let from = a.row(kept[i]);
                        line.iter_mut().zip(&kept[cols.clone()]).for_each(|(o, &j)| *o = from[j]);
                    }
                });
                Affinities::Dense(matrix)
            }
        };
        Ok(Self::new(links, weights))
    }

    /// From affinities to D^{-½}·A·D^{-½}; rows without neighbours stay zero.
    pub fn new(mut links: Affinities, weights: &[f64]) -> Self {
        let n = weights.len();
        let mut degrees = vec![0.0; n];
        match &links {
            Affinities::Sparse(a) => a.apply(weights, &mut degrees),
            Affinities::Dense(a) => a.apply(weights, &mut degrees),
        }
        degrees.iter_mut().zip(weights).for_each(|(d, w)| *d *= w);
        let scale: Vec<f64> = degrees
            .iter()
            .zip(weights)
            .map(|(d, w)| if *d > 0.0 { w / d.sqrt() } else { 0.0 })
            .collect();
        match &mut links {
            Affinities::Sparse(a) => a.map(|i, j, v| v * scale[i] * scale[j]),
            Affinities::Dense(a) => a.map(|i, j, v| v * scale[i] * scale[j]),
        }
        Self { links, degrees }
    }

    pub fn op(&self) -> &dyn SymOp {
        match &self.links {
            Affinities::Sparse(a) => a,
            Affinities::Dense(a) => a,
        }
    }

    /// Hears (j, entry) of row i.
    pub fn each(&self, i: usize, mut hear: impl FnMut(usize, f64)) {
        match &self.links {
            Affinities::Sparse(a) => {
                let (columns, values) = a.row(i);
                columns.iter().zip(values).for_each(|(&j, &v)| hear(j as usize, v));
            }
            Affinities::Dense(a) => {
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

/// Eigenvectors of a graph, the largest eigenvalue first.
#[derive(Debug)]
pub struct LeadingVectors {
    pub values: Vec<f64>,
    /// One row a vector.
    pub vectors: Dense,
    pub converged: bool,
}

/// The `count` leading eigenvectors of D^{-½}·A·D^{-½}.
///
/// Each connected part has a vector of eigenvalue 1 that is known, D^{½}·1 on the part: these come
/// first, of more than `count` those of the largest parts, and the solver looks beside them.
pub fn leading(
    graph: &NormalisedGraph,
    parts: &[Vec<usize>],
    count: usize,
    seed: u64,
) -> Result<LeadingVectors> {
    leading_by(graph, parts, count, &EigOptions { tol: 1e-8, seed, ..EigOptions::default() })
}

/// As [`leading`], as exactly as `options` say.
pub fn leading_by(
    graph: &NormalisedGraph,
    parts: &[Vec<usize>],
    count: usize,
    options: &EigOptions,
) -> Result<LeadingVectors> {
    let n = graph.degrees.len();
    let mut known = Dense::zeros(parts.len().min(count), n);
    for (c, part) in parts.iter().take(count).enumerate() {
        let total = graph.volume(part);
        part.iter().for_each(|&i| known[(c, i)] = (graph.degrees[i] / total).sqrt());
    }
    let mut values = vec![1.0; known.rows()];
    let mut vectors = known.data().to_vec();
    let mut converged = true;
    if known.rows() < count {
        let beside = Projected::new(graph.op(), &known);
        let found = eig_few(&beside, count - known.rows(), Which::Largest, options)?;
        values.extend(found.values);
        vectors.extend_from_slice(found.vectors.data());
        converged = found.converged;
    }
    let vectors = Dense::from_vec(values.len(), n, vectors)?;
    Ok(LeadingVectors { values, vectors, converged })
}

/// The embedding of Ng, Jordan & Weiss (2002): vectors side by side, each row scaled to length one.
pub fn unit_rows(vectors: &Dense) -> Dense {
    let mut rows = vectors.transposed();
    for i in 0..rows.rows() {
        let row = rows.row_mut(i);
        let length = norm(row);
        if length > 0.0 {
            row.iter_mut().for_each(|v| *v /= length);
        }
    }
    rows
}

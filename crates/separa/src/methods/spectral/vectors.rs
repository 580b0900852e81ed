//! Eigenvectors of the graph, as weights that extend them to any row.
//!
//! With D^{-½}AD^{-½}·v = λv, u = D^{-½}v solves the generalised problem Au = λDu. A row x, seen or
//! not, has u(x) = Σⱼ a(x,xⱼ)·wⱼ·uⱼ / (λ·Σⱼ a(x,xⱼ)·wⱼ): Nyström's extension. It is a weighted sum of
//! affinities over another one, so all that is kept is a weight for each vector and training row.
//! For the rows of the table it gives u back, where a(x,·) is a row of A.

use separa_math::error::Result;
use separa_math::kernel::feature_map::{FeatureMap, TOLERANCE};
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::{EigOptions, Which, add_gram_lower, dot_lanes, eig_few, mirror_lower};
use separa_math::matrix::{Dense, DenseRef, Rows, Stored, pick};
use separa_math::neighbours::{self, LeadingVectors, NormalisedGraph};
use separa_math::par;

/// Vectors whose |λ| is below are rounding as soon as they are extended.
const WEAK: f64 = 1e-7;
/// Of a sum of approximate affinities, the fraction of the largest that counts as nothing.
const NOTHING: f64 = 1e-9;

/// What extends the vectors.
#[derive(Debug)]
pub(super) struct ExtensionWeights {
    /// One row a vector, one column a training row or landmark; last the weights of the sum below.
    pub rows: Dense,
    /// A sum below that is no larger counts as nothing.
    pub floor: f64,
    pub converged: bool,
}

impl ExtensionWeights {
    /// Of two vectors, the second; the constant one tells nothing apart, but stays where it is alone.
    pub fn second(mut self) -> Self {
        let q = self.rows.rows();
        if q > 2 {
            self.rows = pick(&self.rows, &[1, q - 1]);
        }
        self
    }
}

/// The `count` leading vectors.
pub(super) fn leading(
    graph: &NormalisedGraph,
    parts: &[Vec<usize>],
    weights: &[f64],
    count: usize,
    seed: u64,
) -> Result<ExtensionWeights> {
    let LeadingVectors { values, vectors, converged } =
        neighbours::leading(graph, parts, count, seed)?;
    Ok(ExtensionWeights { rows: extend(graph, &values, &vectors, weights), floor: 0.0, converged })
}

/// The vector that Shi & Malik cut: the second, orthogonal to the constant one.
pub(super) fn second(
    graph: &NormalisedGraph,
    parts: &[Vec<usize>],
    weights: &[f64],
    seed: u64,
) -> Result<ExtensionWeights> {
    if parts.len() < 2 {
        return Ok(leading(graph, parts, weights, 2, seed)?.second());
    }
    // The largest part against the others, orthogonal to the constant in the metric of D.
    let n = graph.degrees.len();
    let (first, all) = (graph.volume(&parts[0]), graph.degrees.iter().sum::<f64>());
    let mut v = vec![-1.0 / (all - first); n];
    parts[0].iter().for_each(|&i| v[i] = 1.0 / first);
    v.iter_mut().zip(&graph.degrees).for_each(|(v, d)| *v *= d.sqrt());
    let vectors = Dense::from_vec(1, n, v)?;
    Ok(ExtensionWeights {
        rows: extend(graph, &[1.0], &vectors, weights),
        floor: 0.0,
        converged: true,
    })
}

fn extend(graph: &NormalisedGraph, values: &[f64], vectors: &Dense, weights: &[f64]) -> Dense {
    let n = graph.degrees.len();
    let strong: Vec<usize> = (0..values.len()).filter(|&c| values[c].abs() > WEAK).collect();
    let mut out = Dense::zeros(strong.len() + 1, n);
    for i in (0..n).filter(|&i| graph.degrees[i] > 0.0) {
        let scale = weights[i] / graph.degrees[i].sqrt();
        for (r, &c) in strong.iter().enumerate() {
            out[(r, i)] = vectors[(c, i)] * scale / values[c];
        }
        out[(strong.len(), i)] = weights[i];
    }
    out
}

/// The graph of Nyström's affinities φ(x)ᵀφ(y), with φ the features of some landmarks.
#[derive(Debug)]
pub(super) struct Factors {
    /// Row i: √(wᵢ/mᵢ)·φᵢ with mᵢ = Σⱼ wⱼ·aᵢⱼ, so that D^{-½}AD^{-½} = Z·Zᵀ.
    pub z: Dense,
    pub degrees: Vec<f64>,
}

/// As [`leading`], in time and memory of rows times landmarks (Fowlkes et al., 2004).
///
/// Vectors of graphs are found in `separa_math::neighbours` for every method. Here none are made: of a few features a
/// row, their weights alone are needed, and no other method has such a graph (the anchors of `cdsk` are sparse).
pub(super) fn leading_of_landmarks(
    rows: &dyn Rows,
    points: &Dense,
    gamma: f64,
    weights: &[f64],
    count: usize,
    seed: u64,
) -> Result<(Factors, ExtensionWeights)> {
    let landmarks = Stored::from_dense(points.clone());
    let map = FeatureMap::fit(Kernel::Rbf { gamma }, landmarks, TOLERANCE)?;
    let mut z = map.apply(rows);
    let (n, r) = (z.rows(), z.cols());
    // The sum of all features, then the degrees.
    let mut total = vec![0.0; r];
    par::fold_chunks(
        n,
        |range| {
            let mut sum = vec![0.0; r];
            for i in range {
                sum.iter_mut().zip(z.row(i)).for_each(|(s, v)| *s += weights[i] * v);
            }
            sum
        },
        |part| total.iter_mut().zip(part).for_each(|(t, p)| *t += p),
    );
    let mut sums: Vec<f64> = (0..n).map(|i| dot_lanes(z.row(i), &total)).collect();
    let floor = NOTHING * sums.iter().fold(0.0, |top: f64, s| top.max(*s));
    sums.iter_mut().for_each(|s| *s = s.max(floor));
    let degrees: Vec<f64> = sums.iter().zip(weights).map(|(s, w)| s * w).collect();
    par::fill_chunks(z.data_mut(), r, |range, part| {
        for (i, line) in range.zip(part.chunks_exact_mut(r)) {
            let scale = (weights[i] / sums[i]).sqrt();
            line.iter_mut().for_each(|v| *v *= scale);
        }
    });
    // ZᵀZ·b = λb gives v = Z·b/√λ, and the extension is φ(x)ᵀb/√λ over φ(x)ᵀ·total.
    let mut gram = Dense::zeros(r, r);
    par::fold_chunks(
        n,
        |range| {
            let mut part = Dense::zeros(r, r);
            let block = &z.data()[range.start * r..range.end * r];
            let block = DenseRef::new(range.len(), r, block).expect("whole rows");
            add_gram_lower(&mut part, 1.0, block);
            part
        },
        |part| gram.data_mut().iter_mut().zip(part.data()).for_each(|(g, p)| *g += p),
    );
    mirror_lower(&mut gram);
    let options = EigOptions { seed, ..EigOptions::default() };
    let found = eig_few(&gram, count, Which::Largest, &options)?;
    let strong: Vec<usize> = (0..found.values.len()).filter(|&c| found.values[c] > WEAK).collect();
    let mut turned = Dense::zeros(strong.len() + 1, r);
    for (out, &c) in strong.iter().enumerate() {
        let scale = 1.0 / found.values[c].sqrt();
        let line = turned.row_mut(out).iter_mut().zip(found.vectors.row(c));
        line.for_each(|(t, v)| *t = scale * v);
    }
    turned.row_mut(strong.len()).copy_from_slice(&total);
    let rows = map.landmark_weights(&turned);
    Ok((Factors { z, degrees }, ExtensionWeights { rows, floor, converged: found.converged }))
}

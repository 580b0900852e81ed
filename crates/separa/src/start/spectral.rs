//! Spectral initializations at several widths: clusters of any shape and scale.

use separa_math::error::Result;
use separa_math::kernel::exp::exp;
use separa_math::kmeans::{Limits, Restarts, kmeans};
use separa_math::linalg::{EigOptions, Precision, SymMatrix};
use separa_math::matrix::Dense;
use separa_math::neighbours::{Affinities, Graph, NormalisedGraph, leading_by, unit_rows};
use separa_math::par;

/// Affinities are exp(−m·d²/median d²), for each of these m.
const MULTIPLES: [f64; 5] = [1.0, 4.0, 16.0, 64.0, 256.0];

/// Eigenvectors of the narrow ones, from this m on: a ring with a thin place falls apart before two rings
/// do. Those of wide affinities beyond the first are but other axes of the cloud.
const VECTORS: usize = 3;
const NARROW: f64 = 16.0;

/// k clusters at each width, from squared distances and 1 over their median.
pub fn groups_at_widths(
    squares: &Dense,
    gamma: f64,
    weights: &[f64],
    k: usize,
    seed: u64,
) -> Result<Vec<(String, Vec<u32>)>> {
    let start = |m: &f64| {
        let labels = groups(&rbf_of_squares(squares, m * gamma), weights, k, seed)?;
        Ok((format!("spectral d²/{m}"), labels))
    };
    MULTIPLES.iter().map(start).collect()
}

/// Lines to cut in two along, at each width: their names, whether they are the first of their width, and
/// their values.
pub fn lines_at_widths(
    squares: &Dense,
    gamma: f64,
    weights: &[f64],
    seed: u64,
) -> Result<Vec<(String, bool, Vec<f64>)>> {
    let mut out = Vec::new();
    for m in MULTIPLES {
        let count = if m < NARROW { 1 } else { VECTORS };
        let found = lines(&rbf_of_squares(squares, m * gamma), weights, count, seed)?;
        let named = |(v, values)| (format!("spectral d²/{m}, vector {}", v + 2), v == 0, values);
        out.extend(found.into_iter().enumerate().map(named));
    }
    Ok(out)
}

/// exp(−gamma·d²) of every pair, from their squared distances.
fn rbf_of_squares(squares: &Dense, gamma: f64) -> Dense {
    let mut out = squares.clone();
    let n = out.cols();
    par::fill_chunks(out.data_mut(), n, |_, part| {
        part.iter_mut().for_each(|v| *v *= -gamma);
        exp(part);
    });
    out
}

/// An initialization need not be exact: narrow affinities have eigenvalues that hardly differ.
fn rough(seed: u64) -> EigOptions {
    EigOptions { tol: 1e-3, max_products: 200, seed, ..EigOptions::default() }
}

/// The graph on these affinities.
fn graph(affinities: &Dense, weights: &[f64]) -> NormalisedGraph {
    NormalisedGraph::new(
        Affinities::Dense(SymMatrix::from_dense(affinities, Precision::Double)),
        weights,
    )
}

/// The leading generalised eigenvectors of a graph but the constant one, `count` of them: lines along which
/// its rows may be cut in two. Where the graph falls apart, its largest parts come first.
fn lines(affinities: &Dense, weights: &[f64], count: usize, seed: u64) -> Result<Vec<Vec<f64>>> {
    let graph = graph(affinities, weights);
    let (parts, _) = graph.components();
    let vectors = leading_by(&graph, &parts, count + 1, &rough(seed))?.vectors;
    let first = usize::from(parts.len() < 2);
    let line = |r: usize| {
        let each = vectors.row(r).iter().zip(&graph.degrees);
        each.map(|(v, d)| if *d > 0.0 { v / d.sqrt() } else { 0.0 }).collect()
    };
    Ok((first..vectors.rows()).take(count).map(line).collect())
}

/// k clusters by k-means on rows of k eigenvectors, scaled to length one (Ng, Jordan & Weiss).
fn groups(affinities: &Dense, weights: &[f64], k: usize, seed: u64) -> Result<Vec<u32>> {
    grouped(&graph(affinities, weights), weights, k, seed)
}

/// k clusters of the rows of a graph of neighbours.
pub fn parts(graph: Graph, weights: &[f64], k: usize, seed: u64) -> Result<Vec<u32>> {
    grouped(
        &NormalisedGraph::new(Affinities::Sparse(graph.into_matrix()), weights),
        weights,
        k,
        seed,
    )
}

fn grouped(graph: &NormalisedGraph, weights: &[f64], k: usize, seed: u64) -> Result<Vec<u32>> {
    let (parts, _) = graph.components();
    let embedded = unit_rows(&leading_by(graph, &parts, k, &rough(seed))?.vectors);
    let restarts = Restarts { n_init: 3, limits: Limits { max_iter: 50, tol: 1e-4 }, seed };
    Ok(kmeans(&embedded, Some(weights), k, restarts, &mut || false).labels)
}

//! The graphs of the affinities that a user may choose.

use super::params::{Affinity, GraphKind};
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::{Precision, SymMatrix};
use separa_math::matrix::Rows;
use separa_math::neighbours::{Affinities, Graph, Join, Neighbours, NormalisedGraph, Weight};

/// The graph of neighbours.
pub(super) fn knn(nearest: &Neighbours, kind: GraphKind, weights: &[f64]) -> NormalisedGraph {
    let join = match kind {
        GraphKind::Union => Join::Union,
        GraphKind::Mutual => Join::Mutual,
    };
    let graph = Graph::new(nearest, Weight::One, join);
    NormalisedGraph::new(Affinities::Sparse(graph.into_matrix()), weights)
}

/// exp(−gamma·d²) of all pairs.
pub(super) fn rbf(rows: &dyn Rows, gamma: f64, weights: &[f64]) -> NormalisedGraph {
    let kernel = Kernel::Rbf { gamma };
    NormalisedGraph::new(Affinities::Dense(kernel.symmetric(rows, Precision::Double)), weights)
}

/// Bytes of the graph of n rows.
pub(super) fn bytes(affinity: Affinity, n: u64, neighbors: u64, entries: u64) -> u64 {
    match affinity {
        // Neighbours, their lists both ways, and the matrix with its edges while it is built.
        Affinity::Knn => n * neighbors * 160,
        Affinity::Precomputed if entries < n * n / 2 => entries * 80,
        _ => SymMatrix::bytes(n as usize, Precision::Double) + 2_000_000,
    }
}

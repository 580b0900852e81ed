//! Nearest neighbours, the graphs made of them, and the leading eigenvectors of a graph.

mod anchors;
mod graph;
mod laplacian;
mod search;
mod search_wide;
mod self_expression;
mod shared;

pub use anchors::{AnchorGraph, AnchorWeights, anchor_weights};
pub use graph::{Graph, Join, Weight, local_scales, self_tuning};
pub use laplacian::{Affinities, LeadingVectors, NormalisedGraph, leading, leading_by, unit_rows};
pub use search::Neighbours;
pub use search_wide::among_along;
pub use self_expression::{Expression, express};
pub use shared::{ascending_lists, jaccard, shared_neighbours};

//! Starting partitions.

pub(crate) mod embedding;
pub(crate) mod graph_notes;
pub(crate) mod spectral;

//! Starting partitions, and what is tried on them before a method runs.

pub(crate) mod embedding;
pub(crate) mod graph_notes;
pub(crate) mod halves;
pub(crate) mod iterations;
pub(crate) mod order;
pub(crate) mod scaling;
pub(crate) mod span;
pub(crate) mod spectral;
pub(crate) mod standardised;
pub(crate) mod vote;

//! Starting partitions.

pub(crate) mod embedding;
pub(crate) mod lloyd;
pub(crate) mod plus_plus;
pub(crate) mod restarts;
pub(crate) mod spectral;
pub(crate) mod walk;

//! Kernels on rows.

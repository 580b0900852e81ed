//! One file per optimisation problem.
pub mod mpm;

//! One file per optimisation problem.
pub mod mpm;
pub mod simplex;
pub mod simplex_qp;

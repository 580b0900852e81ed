//! One file per optimisation problem.
pub mod lbfgs;
pub mod mpm;
mod row_cache;
pub mod simplex;
pub mod simplex_qp;
pub mod svm_smo;

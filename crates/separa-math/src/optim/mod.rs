//! One file per optimisation problem.
pub mod lbfgs;
pub mod mpm;
pub mod mpm_aims;
mod row_cache;
pub mod simplex;
pub mod simplex_qp;
pub mod svm_smo;

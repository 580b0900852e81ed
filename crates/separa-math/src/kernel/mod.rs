//! Mercer kernels of rows, their matrices and features, and kernels of distributions.

pub mod exp;
pub mod feature_map;
pub mod gram_rows;
pub mod landmarks;
pub mod mercer;
pub mod ppk;
pub mod principal;
pub mod sums;

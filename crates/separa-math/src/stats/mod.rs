//! Statistics: special functions, the assignment problem, a test for a gap, the null of one Gaussian, tests of two samples.

mod antimode;
mod assignment;
mod gaussian_null;
mod rand;
mod special;
mod two_samples;
mod vote;

pub use antimode::{Counts, Windows};
pub use assignment::best_matching;
pub use gaussian_null::{gaussian_p_value, kappa_null, msp_null};
pub use rand::{adjusted_rand, beyond_chance};
pub use special::{fair_binomial_cdf, ln_gamma, normal_cdf, normal_pdf, normal_quantile};
pub use two_samples::{chi_squared_tail, holm, kolmogorov_tail, more_often_tail};
pub use vote::VoteTable;

//! Distances of rows and of sets of rows, and every pairwise matrix.

mod finish;
mod gower;
mod hausdorff;
mod measure;
mod median;
mod pair_side;
mod pairs;
mod precomputed;

pub use gower::gower_factors;
pub use hausdorff::Bags;
pub use measure::{Measure, Metric};
pub use median::{median_gamma, median_square};
pub use pair_side::square_distance;
pub(crate) use pairs::Packed;
pub use pairs::Pairs;
pub use precomputed::{check_affinities, check_distances, check_kernel};

//! k-means: one iteration, the bounds that spare distances, starting centres, restarts.

mod bounds;
mod chunk;
mod iteration;
mod lloyd;
mod nearest;
mod seeding;
mod spread;
mod tally;

pub use iteration::{Partition, squares};
pub use lloyd::{
    KMeansData, KMeansRun, Limits, OnIteration, Pause, Restarts, clearly_less, kmeans,
};
pub use nearest::{Nearest, nearest};
pub use seeding::{Seeding, draw};
pub use spread::Spread;
pub use tally::Tally;

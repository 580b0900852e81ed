//! What is clustered: checked tables, and the known classes of their rows.

mod as_rows;
mod dataset;
mod target;

pub use as_rows::AsRows;
pub use dataset::{Dataset, Grouping};
pub use target::{MOST_CLASSES, Target};

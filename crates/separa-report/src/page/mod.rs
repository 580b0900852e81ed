//! The page: a frame, sections, and what goes into them.

pub mod apply;
pub mod cluster;
pub mod compare;
mod counted;
mod digest;
mod frame;
pub mod importance;
mod points;
mod rows;
mod settings;
pub mod stability;
mod table;
pub mod train;
pub mod truth;

pub use frame::{Head, Page, missing};
pub use table::{Cell, Table, legend};

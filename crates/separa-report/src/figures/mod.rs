//! One file a figure: numbers in, a drawing with a sentence for those who do not see it out.

pub mod bounds;
pub mod distribution;
pub mod histogram;
pub mod kinship;
pub mod map;
pub mod pairs;
pub mod regions;
pub mod roc;
pub mod separation;
pub mod standing;
pub mod timeline;
pub mod trace;
pub mod tree;

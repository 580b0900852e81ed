//! What is said about a result: one file for each thing that is presented, and one for each kind of document.

pub mod apply;
pub mod cluster;
pub mod compare;
mod counted;
pub mod explain;
mod glossary;
pub mod importance;
mod pairs;
mod points;
mod preparation;
mod profile;
pub mod quality;
mod rows;
mod rules;
pub mod score;
pub mod settings;
mod sizes;
mod stability;
pub mod timeline;
pub mod train;
pub mod truth;
mod verdict;

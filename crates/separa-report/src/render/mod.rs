//! A document as a page, on a terminal and in a notebook.

pub mod notebook;
pub mod page;
pub(crate) mod table;
pub mod terminal;

//! A fitted rule in the language of another system: SQL, ONNX, Python, Rust, JSON.
//!
//! [`PortableRule::of`] brings what was fitted, its preparation included, into one form that knows no method; each
//! writer turns that form into text or bytes. Nothing is run and no file is written here.
//!
//! ```
//! use separa::export::{Dialect, PortableRule, SqlOptions};
//! use separa::prelude::*;
//!
//! let rows = [[1.0, 200.0], [1.1, 220.0], [0.9, 210.0], [5.0, 900.0], [5.2, 880.0], [4.9, 910.0]];
//! let found = Mspc::new(2).fit(&rows)?;
//! let rule = PortableRule::of(&found, None)?;
//! let query = rule.to_sql(&SqlOptions::new(Dialect::DuckDb))?;
//! assert!(query.starts_with("WITH"));
//! # Ok::<(), separa::Error>(())
//! ```

mod json;
mod language;
mod onnx;
mod portable;
mod python;
mod rust;
mod sql;

pub use language::Language;
pub use portable::{InputColumn, PortableRule, RuleLabel, ScaledFeature};
pub use sql::{Dialect, SqlOptions};

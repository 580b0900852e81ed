//! The languages that a rule can be written in, by name.

use super::{PortableRule, SqlOptions};
use crate::error::{Error, Result, nearest_name};

/// A language, with what it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Language {
    /// One query.
    Sql(SqlOptions),
    /// An ONNX model.
    Onnx,
    /// A Python module without dependencies.
    Python,
    /// A Rust module without dependencies.
    Rust,
    /// The rule as numbers.
    Json,
}

impl Language {
    /// Every language, as it is typed.
    pub const NAMES: [&str; 5] = ["sql", "onnx", "python", "rust", "json"];

    /// The language of this name; `sql` says how a query is to be written.
    pub fn named(name: &str, sql: SqlOptions) -> Result<Self> {
        Ok(match name {
            "sql" => Self::Sql(sql),
            "onnx" => Self::Onnx,
            "python" => Self::Python,
            "rust" => Self::Rust,
            "json" => Self::Json,
            _ => {
                let near = nearest_name(name, Self::NAMES).map(|n| format!(", did you mean {n}?"));
                let (names, near) = (Self::NAMES.join(", "), near.unwrap_or_default());
                let what =
                    format!("a rule cannot be written as \"{name}\", expected {names}{near}");
                return Err(Error::Export(what));
            }
        })
    }

    /// Whether what is written is no text.
    pub fn is_binary(&self) -> bool {
        *self == Self::Onnx
    }
}

impl PortableRule {
    /// The rule in a language, as the bytes of a file.
    pub fn write(&self, language: &Language) -> Result<Vec<u8>> {
        Ok(match language {
            Language::Sql(options) => self.to_sql(options)?.into_bytes(),
            Language::Onnx => self.to_onnx(),
            Language::Python => self.to_python()?.into_bytes(),
            Language::Rust => self.to_rust().into_bytes(),
            Language::Json => self.to_json()?.into_bytes(),
        })
    }
}

//! The parameter `init`: where a fit begins.

use super::{Domain, ParamValue};
use crate::model::Labels;
use serde::{Deserialize, Serialize};

/// Where a fit begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// The method's own initializations.
    Auto,
    /// One kind of initialization, by name.
    Named(String),
    /// A given partition: one label per row.
    Labels(Labels),
}

impl ParamValue for Init {
    const DOMAIN: Domain = Domain::other("one label per row");
    fn word(&self) -> Option<&str> {
        match self {
            Self::Auto => Some("auto"),
            Self::Named(name) => Some(name),
            Self::Labels(_) => None,
        }
    }
}

impl Serialize for Init {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => out.serialize_str("auto"),
            Self::Named(name) => out.serialize_str(name),
            // A model file says that labels were given, not which: they belong to the data.
            Self::Labels(_) => out.serialize_str("given"),
        }
    }
}

impl<'de> Deserialize<'de> for Init {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Name(String),
            Labels(Labels),
        }
        Ok(match Raw::deserialize(from)? {
            Raw::Name(name) if name == "auto" => Self::Auto,
            Raw::Name(name) => Self::Named(name),
            Raw::Labels(labels) => Self::Labels(labels),
        })
    }
}

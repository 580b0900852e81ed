//! Words that parameters of relative margin clustering take.

use serde::{Deserialize, Serialize};

pub(super) const BALANCES: &str = "a share between 0 and 1, or \"scan\"";
pub(super) const BOUNDS: &str = "\"none\", \"free\" or a number, 1 or more";

/// The share of the rows on one side of a split of two clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Balance {
    Share(f64),
    /// Several shares; the one whose split is clearest wins.
    Scan,
}

impl Default for Balance {
    fn default() -> Self {
        Self::Share(0.5)
    }
}

/// What |f| may reach.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Bound {
    /// Anything.
    #[default]
    None,
    /// B, at the price μ.
    Free,
    Value(f64),
}

/// A word or a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Raw {
    Number(f64),
    Word(String),
}

impl Serialize for Balance {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Share(r) => out.serialize_f64(*r),
            Self::Scan => out.serialize_str("scan"),
        }
    }
}

impl<'de> Deserialize<'de> for Balance {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Raw::deserialize(from)? {
            Raw::Number(r) => Ok(Self::Share(r)),
            Raw::Word(word) if word == "scan" => Ok(Self::Scan),
            Raw::Word(_) => Err(serde::de::Error::custom(BALANCES)),
        }
    }
}

impl Serialize for Bound {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => out.serialize_str("none"),
            Self::Free => out.serialize_str("free"),
            Self::Value(b) => out.serialize_f64(*b),
        }
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Raw::deserialize(from)? {
            Raw::Number(b) => Ok(Self::Value(b)),
            Raw::Word(word) if word == "none" => Ok(Self::None),
            Raw::Word(word) if word == "free" => Ok(Self::Free),
            Raw::Word(_) => Err(serde::de::Error::custom(BOUNDS)),
        }
    }
}

/// How more than two clusters are made of machines with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Multiclass {
    /// One split after the other: a tree to descend.
    #[default]
    Divide,
    /// Each cluster against all others, together.
    Rest,
}

/// Which part is split next, and into which shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// A part that is to become k clusters is split into j and k − j of them, for the clearest j.
    #[default]
    Shares,
    /// The largest part, by `balance`.
    Largest,
    /// The part whose split is clearest, by `balance`.
    Clearest,
}

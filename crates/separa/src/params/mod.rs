//! Parameters: plain fields with defaults, checked before anything runs.
//!
//! One `params!` block per method is the only place where its parameters are written: name,
//! type, default, range and documentation. Rustdoc, the check, errors, the help of the command line and
//! the classes of Python follow from it.

#[macro_use]
mod macros;
#[macro_use]
mod shared;
#[macro_use]
mod cluster;
mod choice;
mod domain;
mod init;
mod named;

pub use choice::*;
pub use cluster::ClusterParams;
pub use domain::{Domain, Interval, ParamValue};
pub use init::Init;
pub use named::Named;
pub(crate) use named::{parse, to_map, to_value, with_new_names};

use crate::data::Dataset;
use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// One parameter as people see it: feeds errors, help, docs and the classes of Python.
#[derive(Debug, Clone, Copy)]
pub struct ParamSpec {
    /// Its name, the same everywhere.
    pub name: &'static str,
    /// What it means, in a sentence.
    pub doc: &'static str,
    /// The values it takes.
    pub domain: Domain,
    /// Its default.
    pub default: fn() -> Value,
}

impl ParamSpec {
    /// The default as it is typed.
    pub fn default_text(&self) -> String {
        match (self.default)() {
            Value::String(word) => word,
            number => number.to_string(),
        }
    }
}

impl Serialize for ParamSpec {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        let numbers = self.domain.numbers.map(|n| if n.whole { "int" } else { "float" });
        let mut fields = out.serialize_struct("ParamSpec", 7)?;
        fields.serialize_field("name", self.name)?;
        fields.serialize_field("expected", &self.domain.to_string())?;
        fields.serialize_field("words", self.domain.words)?;
        fields.serialize_field("numbers", &numbers)?;
        fields.serialize_field("other", self.domain.other)?;
        fields.serialize_field("default", &(self.default)())?;
        fields.serialize_field("doc", self.doc)?;
        fields.end()
    }
}

/// Plain public fields with defaults; [`Checked`] turns them into something that can run.
pub trait Params: Clone + Default + Serialize + DeserializeOwned {
    /// The name as typed.
    const NAME: &'static str;
    /// The Python class.
    const CLASS: &'static str = Self::NAME;
    /// One line for lists of methods.
    const ABOUT: &'static str = "";
    /// Every parameter, in order.
    const SPECS: &'static [ParamSpec] = &[];
    /// Refuses values that cannot be used.
    fn check(&self) -> Result<()> {
        Ok(())
    }
    /// How columns are scaled before a fit sees them.
    fn scaling(&self) -> Scaling {
        Scaling::None
    }
}

/// Parameters that passed their check.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<P>(P);

impl<P: Params> Checked<P> {
    /// Refuses parameters that do not pass.
    pub fn new(params: P) -> Result<Self> {
        params.check()?;
        Ok(Self(params))
    }
}

impl<P> std::ops::Deref for Checked<P> {
    type Target = P;
    fn deref(&self) -> &P {
        &self.0
    }
}

/// A parameter error in the one sentence shape.
pub(crate) fn bad_param<P: Params, T>(
    name: &'static str,
    expected: impl Into<String>,
    found: impl std::fmt::Display,
) -> Result<T> {
    Err(Error::Param { method: P::NAME, name, expected: expected.into(), found: found.to_string() })
}

/// Refuses more clusters or landmarks than there is something to cluster.
pub(crate) fn check_counts<P: Params>(
    data: &Dataset<'_>,
    n_clusters: usize,
    landmarks: usize,
) -> Result<()> {
    let (n, things) = (data.n(), data.things());
    if n_clusters > n {
        let expected = format!("at most the number of {things} ({n})");
        return bad_param::<P, ()>("n_clusters", expected, n_clusters);
    }
    if landmarks > n {
        let expected =
            format!("at most the number of {things} ({n}), or 0 to do without landmarks");
        return bad_param::<P, ()>("landmarks", expected, landmarks);
    }
    Ok(())
}

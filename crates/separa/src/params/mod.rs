//! Parameters: plain fields with defaults, checked before anything runs.

mod choice;
mod cluster;
mod init;

pub use choice::*;
pub use cluster::ClusterParams;
pub(crate) use cluster::{accessor, cluster_params, is_word};
pub use init::Init;

use crate::data::Dataset;
use crate::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// One parameter as people see it: feeds errors, help, docs and parity tests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ParamSpec {
    pub name: &'static str,
    pub expected: &'static str,
    pub default: &'static str,
    pub doc: &'static str,
}

/// Plain public fields with defaults; [`Checked`] turns them into something that can run.
pub trait Params: Clone + Default + Serialize + DeserializeOwned {
    /// The name as typed.
    const NAME: &'static str;
    /// The Python class.
    const CLASS: &'static str;
    /// One line for lists of methods.
    const ABOUT: &'static str;
    const SPECS: &'static [ParamSpec];
    fn check(&self) -> Result<()>;
}

/// Parameters that passed their check.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<P>(P);

impl<P: Params> Checked<P> {
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

//! Models as bytes: one versioned safetensors container, readable from Rust, CLI and Python.
//!
//! A JSON header, the serialised [`Clustering`] or [`Trained`], says what the model is; the tensors hold its
//! numbers as they are. Nothing in it is executed, every length is checked before it is used, and a checksum
//! over header and numbers distinguishes altered bytes from good ones.

mod disk;
mod kernels;
mod measure;
mod rows;
mod tensors;
mod v1;

pub use disk::load;
pub use tensors::{Tensor, Tensors};

use crate::baseline::Baseline;
use crate::clustering::{Clustering, Fitted, StoredClustering, StoredTrained, Trained};
use crate::error::{Error, Result};
use crate::model::Labels;
use crate::registry;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

/// The format's name in the header, and the newest version this library writes.
const FORMAT: &str = "separa-model";
const FORMAT_VERSION: u32 = 2;
/// The one metadata key; a single key keeps the bytes a function of the model.
const KEY: &str = "separa";
/// Empty in the text that the checksum is taken of.
const CHECKSUM: &str = "checksum";

/// What a model file holds.
#[derive(Debug, Clone)]
pub enum Saved {
    /// Of a clustering method.
    Clustering(Box<Clustering>),
    /// Of a classifier.
    Trained(Box<Trained>),
}

impl Deref for Saved {
    type Target = Fitted;
    fn deref(&self) -> &Fitted {
        match self {
            Self::Clustering(found) => found,
            Self::Trained(trained) => trained,
        }
    }
}

impl Serialize for Saved {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Clustering(found) => found.serialize(out),
            Self::Trained(trained) => trained.serialize(out),
        }
    }
}

impl Saved {
    /// The clustering; an error for a classifier.
    pub fn clustering(&self) -> Result<&Clustering> {
        match self {
            Self::Clustering(found) => Ok(found),
            Self::Trained(trained) => Err(no_clustering(trained)),
        }
    }

    /// The clustering, to be named.
    pub fn clustering_mut(&mut self) -> Result<&mut Clustering> {
        match self {
            Self::Clustering(found) => Ok(found),
            Self::Trained(trained) => Err(no_clustering(trained)),
        }
    }

    /// The classifier, if it is one.
    pub fn trained(&self) -> Option<&Trained> {
        match self {
            Self::Clustering(_) => None,
            Self::Trained(trained) => Some(trained),
        }
    }

    fn keep(&mut self, baseline: Option<Baseline>) {
        let fitted: &mut Fitted = match self {
            Self::Clustering(found) => found,
            Self::Trained(trained) => trained,
        };
        fitted.baseline = baseline.map(Arc::new);
    }

    /// The same with the labels of its training rows, which a file does not hold.
    pub fn with_labels(mut self, labels: Option<Labels>) -> Self {
        match &mut self {
            Self::Clustering(found) => found.labels = labels,
            Self::Trained(trained) => trained.labels = labels,
        }
        self
    }

    /// The same with these names of its features, as [`Clustering::name_features`] gives them.
    pub fn with_feature_names(mut self, names: &[String]) -> Result<Self> {
        match &mut self {
            Self::Clustering(found) => found.name_features(names)?,
            Self::Trained(trained) => trained.name_features(names)?,
        }
        Ok(self)
    }

    /// The bytes of its model file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        match self {
            Self::Clustering(found) => found.to_bytes(),
            Self::Trained(trained) => trained.to_bytes(),
        }
    }
}

impl Clustering {
    /// The bytes of its model file: a function of the clustering alone.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        write(self, self)
    }
}

impl Trained {
    /// The bytes of its model file: a function of the classifier alone.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        write(self, self)
    }
}

fn no_clustering(trained: &Trained) -> Error {
    Error::NotAClustering { name: trained.method_name().to_owned(), class: "" }
}

/// The container of a rule with the facts about it.
fn write(fitted: &Fitted, facts: &impl Serialize) -> Result<Vec<u8>> {
    if let Some(names) = fitted.feature_names().filter(|n| n.len() != fitted.model().n_features()) {
        return Err(Error::Length {
            what: "feature names",
            found: names.len(),
            expected: fitted.model().n_features(),
            of: "features",
        });
    }
    let damaged = |e: serde_json::Error| Error::Model(e.to_string());
    let mut tensors = fitted.model().tensors();
    fitted.baseline.iter().for_each(|kept| kept.put(&mut tensors));
    let mut header = Map::new();
    header.insert("format".into(), FORMAT.into());
    header.insert("format_version".into(), FORMAT_VERSION.into());
    if let Value::Object(facts) = serde_json::to_value(facts).map_err(damaged)? {
        header.extend(facts);
    }
    header.insert(CHECKSUM.into(), "".into());
    let blank = serde_json::to_string(&header).map_err(damaged)?;
    header.insert(CHECKSUM.into(), tensors.checksum(&blank).into());
    let text = serde_json::to_string(&header).map_err(damaged)?;
    let bytes = tensors.serialize(HashMap::from([(KEY.to_owned(), text)]))?;
    // What is saved must load: a model that does not is no model, and now is the time to say so.
    match from_bytes(&bytes) {
        // A method of somebody else's is loaded by somebody else.
        Ok(_) | Err(Error::UnknownMethod { .. }) => Ok(bytes),
        Err(e) => {
            let why = match e {
                Error::Model(why) => why,
                other => other.to_string(),
            };
            Err(Error::Unsaved { method: fitted.method_name().to_owned(), why })
        }
    }
}

/// Reads a container; hostile bytes give an error, never a panic.
pub fn from_bytes(bytes: &[u8]) -> Result<Saved> {
    let foreign =
        |why: String| Error::Model(format!("{why}; was it written by separa, and whole?"));
    let file = safetensors::SafeTensors::deserialize(bytes).map_err(|e| foreign(e.to_string()))?;
    let (_, metadata) =
        safetensors::SafeTensors::read_metadata(bytes).map_err(|e| foreign(e.to_string()))?;
    let text = metadata
        .metadata()
        .as_ref()
        .and_then(|m| m.get(KEY))
        .ok_or_else(|| foreign("it has no separa header".into()))?;
    let version = check_version(text)?;
    let tensors = Tensors::from_file(&file)?;
    check_sum(text, &version.checksum, &tensors)?;
    let text = match version.format_version {
        1 => &v1::renewed(text)?,
        _ => text,
    };
    let model = registry::load(&version.method, &tensors)?;
    let damaged = |e: serde_json::Error| Error::Model(format!("its header is damaged: {e}"));
    let mut saved = match registry::is_classifier(&version.method) {
        true => {
            let stored: StoredTrained = serde_json::from_str(text).map_err(damaged)?;
            Saved::Trained(Box::new(stored.with(model)))
        }
        false => {
            let stored: StoredClustering = serde_json::from_str(text).map_err(damaged)?;
            Saved::Clustering(Box::new(stored.with(model)?))
        }
    };
    saved.calibration().map_or(Ok(()), |found| found.check(saved.k()))?;
    let named = saved.feature_names().is_none_or(|names| names.len() == saved.d());
    let shape = [saved.model().n_features(), saved.model().n_clusters()];
    if shape != [saved.d(), saved.k()] || !named {
        return Err(Error::Model(
            "its header and its numbers disagree on the model's shape".into(),
        ));
    }
    saved.keep(Baseline::load(&tensors, saved.k(), saved.d())?);
    Ok(saved)
}

/// What every version of the header holds.
#[derive(Deserialize)]
struct Version {
    format: String,
    format_version: u32,
    separa: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    checksum: String,
}

/// Looks at the version alone, so that a newer header with other fields gets the right sentence.
fn check_version(text: &str) -> Result<Version> {
    let v: Version = serde_json::from_str(text)
        .map_err(|e| Error::Model(format!("its header is damaged: {e}")))?;
    if v.format != FORMAT {
        return Err(Error::Model(format!("its format is \"{}\", expected \"{FORMAT}\"", v.format)));
    }
    if v.format_version == 0 || v.format_version > FORMAT_VERSION {
        return Err(Error::Model(format!(
            "its format version is {}, but this separa reads versions up to {FORMAT_VERSION}; it was written by separa {}, update to read it",
            v.format_version, v.separa
        )));
    }
    Ok(v)
}

/// Over the text as it stands, so that a change which parses the same is noticed, too.
fn check_sum(text: &str, found: &str, tensors: &Tensors) -> Result<()> {
    let blank = text.replacen(&format!("\"{CHECKSUM}\":\"{found}\""), "\"checksum\":\"\"", 1);
    if found.len() == 8 && tensors.checksum(&blank) == found {
        return Ok(());
    }
    Err(Error::Model(
        "its checksum does not match, so its bytes were altered; write it again".into(),
    ))
}

//! Models as bytes: one versioned safetensors container, readable from Rust, CLI and Python.
//!
//! A JSON header says what the model is; the tensors hold its numbers as they are. Nothing in it is
//! executed, every length is checked before it is used, and a checksum over header and numbers
//! tells altered bytes from good ones.

mod measure;
mod rows;
mod tensors;

pub use tensors::{Tensor, Tensors};

use crate::assign::sizes;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::params::with_new_names;
use crate::quality::Quality;
use crate::registry::{self, AnyFit};
use crate::report::Report;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The format's name in the header, and the newest version this library writes.
const FORMAT: &str = "separa-model";
const FORMAT_VERSION: u32 = 1;
/// The one metadata key; a single key keeps the bytes a function of the model.
const KEY: &str = "separa";

/// What a model file says about its model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub format: String,
    pub format_version: u32,
    /// The version of separa that wrote the file.
    pub separa: String,
    pub method: String,
    pub params: serde_json::Map<String, serde_json::Value>,
    pub n_features: usize,
    pub n_clusters: usize,
    pub feature_names: Option<Vec<String>>,
    pub training: Training,
    checksum: String,
}

/// The fit that the model came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    pub n: usize,
    pub seed: u64,
    pub sizes: Vec<usize>,
    pub report: Report,
    /// The quality block of the fit, where it was computed.
    pub quality: Option<serde_json::Value>,
}

impl Training {
    /// What a fit leaves behind.
    pub fn of(fit: &AnyFit, seed: u64, quality: Option<&Quality>) -> Self {
        Self {
            n: fit.labels.len(),
            seed,
            sizes: sizes(&fit.labels, fit.model.n_clusters()),
            report: fit.report.clone(),
            quality: quality.and_then(|q| serde_json::to_value(q).ok()),
        }
    }
}

/// A model with its header.
#[derive(Debug)]
pub struct Saved {
    pub header: Header,
    pub model: Box<dyn Model>,
}

/// What [`to_bytes`] stores beside the model's own numbers.
#[derive(Debug, Clone)]
pub struct About<'a> {
    pub method: &'a str,
    pub params: serde_json::Map<String, serde_json::Value>,
    pub feature_names: Option<&'a [String]>,
    pub training: Training,
}

/// The container's bytes: a function of model and header alone.
pub fn to_bytes(model: &dyn Model, about: About<'_>) -> Result<Vec<u8>> {
    if let Some(names) = about.feature_names.filter(|n| n.len() != model.n_features()) {
        return Err(Error::Data(format!(
            "{} feature names were given for a model of {} features",
            names.len(),
            model.n_features()
        )));
    }
    let tensors = model.tensors();
    let mut header = Header {
        format: FORMAT.into(),
        format_version: FORMAT_VERSION,
        separa: env!("CARGO_PKG_VERSION").into(),
        method: about.method.into(),
        params: about.params,
        n_features: model.n_features(),
        n_clusters: model.n_clusters(),
        feature_names: about.feature_names.map(<[String]>::to_vec),
        training: about.training,
        checksum: String::new(),
    };
    let blank = serde_json::to_string(&header).map_err(|e| Error::Model(e.to_string()))?;
    header.checksum = tensors.checksum(&blank);
    let text = serde_json::to_string(&header).map_err(|e| Error::Model(e.to_string()))?;
    tensors.serialize(HashMap::from([(KEY.to_owned(), text)]))
}

/// Reads a container; hostile bytes give an error, never a panic.
pub fn from_bytes(bytes: &[u8]) -> Result<Saved> {
    let foreign =
        |why: String| Error::Model(format!("{why}; was it written by `separa`, and whole?"));
    let file = safetensors::SafeTensors::deserialize(bytes).map_err(|e| foreign(e.to_string()))?;
    let (_, metadata) =
        safetensors::SafeTensors::read_metadata(bytes).map_err(|e| foreign(e.to_string()))?;
    let text = metadata
        .metadata()
        .as_ref()
        .and_then(|m| m.get(KEY))
        .ok_or_else(|| foreign("it has no separa header".into()))?;
    check_version(text)?;
    let mut header: Header = serde_json::from_str(text)
        .map_err(|e| Error::Model(format!("its header is damaged: {e}")))?;
    header.params = with_new_names(header.params);
    let tensors = Tensors::from_file(&file)?;
    // Over the text as it stands, so that a change which parses the same is noticed, too.
    let field = format!("\"checksum\":\"{}\"", header.checksum);
    let blank = text.replacen(&field, "\"checksum\":\"\"", 1);
    if header.checksum.len() != 8 || tensors.checksum(&blank) != header.checksum {
        return Err(Error::Model(
            "its checksum does not match, so its bytes were altered; write it again".into(),
        ));
    }
    let model = registry::load(&header.method, &tensors)?;
    let named = header.feature_names.as_ref().is_none_or(|n| n.len() == header.n_features);
    if model.n_features() != header.n_features || model.n_clusters() != header.n_clusters || !named
    {
        return Err(Error::Model(
            "its header and its numbers disagree on the model's shape".into(),
        ));
    }
    Ok(Saved { header, model })
}

/// Looks at the version alone, so that a newer header with other fields gets the right sentence.
fn check_version(text: &str) -> Result<()> {
    #[derive(Deserialize)]
    struct Version {
        format: String,
        format_version: u32,
        separa: String,
    }
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
    Ok(())
}

impl Header {
    /// Checks that a table's columns are the model's, by name where both have names.
    pub fn check_columns(&self, names: Option<&[String]>, width: usize) -> Result<()> {
        let mismatch =
            |missing| Error::Features { found: width, expected: self.n_features, missing };
        let (Some(mine), Some(theirs)) = (&self.feature_names, names) else {
            return if width == self.n_features { Ok(()) } else { Err(mismatch(Vec::new())) };
        };
        let missing: Vec<String> = mine.iter().filter(|m| !theirs.contains(m)).cloned().collect();
        if width != self.n_features || !missing.is_empty() {
            return Err(mismatch(missing));
        }
        if let Some(j) = (0..width).find(|&j| mine[j] != theirs[j]) {
            return Err(Error::Data(format!(
                "column {} is \"{}\", but the model expects \"{}\" there; put the columns in the order {}",
                j + 1,
                theirs[j],
                mine[j],
                mine.join(", ")
            )));
        }
        Ok(())
    }
}

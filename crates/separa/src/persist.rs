//! Models as bytes: one versioned safetensors container, readable from Rust, CLI and Python.
//!
//! A JSON header says what the model is; the tensors hold its numbers as they are. Nothing in it is
//! executed, every length is checked before it is used, and a checksum over header and numbers
//! tells altered bytes from good ones.

use crate::assign::sizes;
use crate::error::{Error, Result, nearest_name};
use crate::estimator::{Model, Report};
use crate::quality::Quality;
use crate::registry::{self, AnyFit};
use separa_math::matrix::{Dense, Rows, Stored, StoredView};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

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
    let raw: Vec<(&String, Raw)> = tensors.0.iter().map(|(name, t)| (name, t.raw())).collect();
    safetensors::serialize(
        raw.iter().map(|(name, raw)| (name.as_str(), raw)),
        Some(HashMap::from([(KEY.to_owned(), text)])),
    )
    .map_err(|e| Error::Model(e.to_string()))
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
    let header: Header = serde_json::from_str(text)
        .map_err(|e| Error::Model(format!("its header is damaged: {e}")))?;
    let tensors = Tensors::from_file(&file)?;
    // Over the text as it stands, so that a change which parses the same is noticed, too.
    let field = format!("\"checksum\":\"{}\"", header.checksum);
    let blank = text.replacen(&field, "\"checksum\":\"\"", 1);
    if header.checksum.len() != 8 || tensors.checksum(&blank) != header.checksum {
        return Err(Error::Model(
            "its checksum does not match, so its bytes were altered; write it again".into(),
        ));
    }
    let entry = registry::find(&header.method)?;
    let model = (entry.load)(&tensors)?;
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

/// One array of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Tensor {
    F64 { shape: Vec<usize>, data: Vec<f64> },
    I64 { shape: Vec<usize>, data: Vec<i64> },
}

#[derive(Debug)]
struct Raw {
    dtype: safetensors::Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl safetensors::View for &Raw {
    fn dtype(&self) -> safetensors::Dtype {
        self.dtype
    }
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    fn data(&self) -> std::borrow::Cow<'_, [u8]> {
        (&self.bytes).into()
    }
    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

impl Tensor {
    fn raw(&self) -> Raw {
        let (dtype, shape, bytes) = match self {
            Self::F64 { shape, data } => (
                safetensors::Dtype::F64,
                shape,
                data.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::I64 { shape, data } => (
                safetensors::Dtype::I64,
                shape,
                data.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
        };
        Raw { dtype, shape: shape.clone(), bytes }
    }
}

/// A model's numbers by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tensors(BTreeMap<String, Tensor>);

impl Tensors {
    pub fn put_vector(&mut self, name: &str, data: &[f64]) {
        self.0.insert(name.into(), Tensor::F64 { shape: vec![data.len()], data: data.to_vec() });
    }

    pub fn put_matrix(&mut self, name: &str, a: &Dense) {
        let shape = vec![a.rows(), a.cols()];
        self.0.insert(name.into(), Tensor::F64 { shape, data: a.data().to_vec() });
    }

    pub fn put_integers(&mut self, name: &str, data: &[i64]) {
        self.0.insert(name.into(), Tensor::I64 { shape: vec![data.len()], data: data.to_vec() });
    }

    /// Rows that a model keeps.
    pub fn put_rows(&mut self, name: &str, rows: &Stored) {
        match rows.view() {
            StoredView::Dense(x) => self.put_matrix(name, x),
            StoredView::Sparse { cols, indptr, indices, values } => {
                let starts: Vec<i64> = indptr.iter().map(|&p| p as i64).collect();
                let places: Vec<i64> = indices.iter().map(|&j| i64::from(j)).collect();
                self.put_integers(&format!("{name}.columns"), &[cols as i64]);
                self.put_integers(&format!("{name}.starts"), &starts);
                self.put_integers(&format!("{name}.places"), &places);
                self.put_vector(&format!("{name}.values"), values);
            }
        }
    }

    /// Rows that [`Tensors::put_rows`] stored: at least one, of at least one column.
    pub fn rows(&self, name: &str) -> Result<Stored> {
        let damaged = || Error::Model(format!("tensor \"{name}\" holds no table of rows"));
        let rows = if self.contains(name) {
            Stored::from_dense(self.matrix(name)?)
        } else {
            let whole = |part: &str| -> Result<Vec<usize>> {
                let numbers = self.integers(&format!("{name}.{part}"))?;
                numbers.iter().map(|&v| usize::try_from(v).map_err(|_| damaged())).collect()
            };
            let [cols] = whole("columns")?[..] else { return Err(damaged()) };
            let places = whole("places")?;
            let indices = places.iter().map(|&j| u32::try_from(j).map_err(|_| damaged()));
            let indices = indices.collect::<Result<Vec<u32>>>()?;
            let values = self.vector(&format!("{name}.values"))?;
            Stored::from_sparse(cols, whole("starts")?, indices, values).map_err(|_| damaged())?
        };
        // No table is wider than this; a file that says so is not to be allocated for.
        let widest = 1 << 26;
        if rows.n_rows() == 0 || rows.n_cols() == 0 || rows.n_cols() > widest {
            return Err(damaged());
        }
        Ok(rows)
    }

    /// A vector of finite numbers.
    pub fn vector(&self, name: &str) -> Result<Vec<f64>> {
        finite(name, &self.limits(name)?)
    }

    /// A vector of numbers that may be infinite: bounds.
    pub fn limits(&self, name: &str) -> Result<Vec<f64>> {
        match self.get(name)? {
            Tensor::F64 { shape, data } if shape.len() == 1 && !data.iter().any(|v| v.is_nan()) => {
                Ok(data.clone())
            }
            _ => Err(Error::Model(format!("tensor \"{name}\" is not a vector of numbers"))),
        }
    }

    /// A matrix of finite numbers.
    pub fn matrix(&self, name: &str) -> Result<Dense> {
        match self.get(name)? {
            Tensor::F64 { shape, data } if shape.len() == 2 => {
                Ok(Dense::from_vec(shape[0], shape[1], finite(name, data)?)?)
            }
            _ => Err(Error::Model(format!("tensor \"{name}\" is not a matrix"))),
        }
    }

    pub fn integers(&self, name: &str) -> Result<Vec<i64>> {
        match self.get(name)? {
            Tensor::I64 { shape, data } if shape.len() == 1 => Ok(data.clone()),
            _ => Err(Error::Model(format!("tensor \"{name}\" is not a vector of whole numbers"))),
        }
    }

    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn get(&self, name: &str) -> Result<&Tensor> {
        self.0.get(name).ok_or_else(|| {
            let near = nearest_name(name, self.0.keys().map(String::as_str));
            let hint = near.map_or(String::new(), |n| format!(" (it has \"{n}\")"));
            Error::Model(format!("tensor \"{name}\" is missing{hint}"))
        })
    }

    fn from_file(file: &safetensors::SafeTensors<'_>) -> Result<Self> {
        let mut tensors = Self::default();
        for (name, view) in file.tensors() {
            let shape = view.shape().to_vec();
            let words = view.data().chunks_exact(8).map(|b| b.try_into().expect("eight bytes"));
            let tensor = match view.dtype() {
                safetensors::Dtype::F64 => {
                    Tensor::F64 { shape, data: words.map(f64::from_le_bytes).collect() }
                }
                safetensors::Dtype::I64 => {
                    Tensor::I64 { shape, data: words.map(i64::from_le_bytes).collect() }
                }
                other => {
                    return Err(Error::Model(format!(
                        "tensor \"{name}\" holds {other:?}, expected F64 or I64"
                    )));
                }
            };
            tensors.0.insert(name, tensor);
        }
        Ok(tensors)
    }

    /// CRC-32 over the header (its checksum left empty) and every tensor in name order.
    fn checksum(&self, header: &str) -> String {
        let mut crc = crc32fast::Hasher::new();
        crc.update(header.as_bytes());
        for (name, tensor) in &self.0 {
            let raw = tensor.raw();
            crc.update(name.as_bytes());
            crc.update(format!("{:?}{:?}", raw.dtype, raw.shape).as_bytes());
            crc.update(&raw.bytes);
        }
        format!("{:08x}", crc.finalize())
    }
}

fn finite(name: &str, data: &[f64]) -> Result<Vec<f64>> {
    match data.iter().all(|v| v.is_finite()) {
        true => Ok(data.to_vec()),
        false => Err(Error::Model(format!("tensor \"{name}\" holds a value that is not finite"))),
    }
}

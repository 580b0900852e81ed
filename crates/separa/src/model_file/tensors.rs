//! A model's arrays by name.

use crate::error::{Error, Result, nearest_name};
use separa_math::matrix::Dense;
use std::collections::{BTreeMap, HashMap};

/// Numbers beyond this are none of a fit's: they make every score of a row infinite.
const LARGEST: f64 = 1e250;

/// One array of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Tensor {
    /// Numbers.
    F64 {
        /// Rows, or rows and columns.
        shape: Vec<usize>,
        /// Row by row.
        data: Vec<f64>,
    },
    /// Integers.
    I64 {
        /// Rows, or rows and columns.
        shape: Vec<usize>,
        /// Row by row.
        data: Vec<i64>,
    },
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
    /// Stores numbers under a name, in place of what was there.
    pub fn put_vector(&mut self, name: &str, data: &[f64]) {
        self.0.insert(name.into(), Tensor::F64 { shape: vec![data.len()], data: data.to_vec() });
    }

    /// Stores a matrix with its shape.
    pub fn put_matrix(&mut self, name: &str, a: &Dense) {
        let shape = vec![a.rows(), a.cols()];
        self.0.insert(name.into(), Tensor::F64 { shape, data: a.data().to_vec() });
    }

    /// Stores integers.
    pub fn put_integers(&mut self, name: &str, data: &[i64]) {
        self.0.insert(name.into(), Tensor::I64 { shape: vec![data.len()], data: data.to_vec() });
    }

    /// A vector of finite numbers that can be multiplied.
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

    /// The integers of that name; an error if there are none.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>> {
        match self.get(name)? {
            Tensor::I64 { shape, data } if shape.len() == 1 => Ok(data.clone()),
            _ => Err(Error::Model(format!("tensor \"{name}\" is not a vector of whole numbers"))),
        }
    }

    /// Stores all arrays of another model, each name behind a prefix.
    pub(crate) fn put_all(&mut self, prefix: &str, others: Self) {
        self.0.extend(others.0.into_iter().map(|(name, t)| (format!("{prefix}{name}"), t)));
    }

    /// The arrays whose names begin with a prefix, without it; none if there are none.
    pub(crate) fn part(&self, prefix: &str) -> Option<Self> {
        let own = |(name, t): (&String, &Tensor)| {
            name.strip_prefix(prefix).map(|name| (name.to_owned(), t.clone()))
        };
        let found: Self = self.0.iter().filter_map(own).collect();
        (!found.0.is_empty()).then_some(found)
    }

    /// Every array with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Whether there is an array of that name.
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

    pub(crate) fn from_file(file: &safetensors::SafeTensors<'_>) -> Result<Self> {
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

    /// The container's bytes.
    pub(crate) fn serialize(&self, metadata: HashMap<String, String>) -> Result<Vec<u8>> {
        let raw: Vec<(&String, Raw)> = self.0.iter().map(|(name, t)| (name, t.raw())).collect();
        let views = raw.iter().map(|(name, raw)| (name.as_str(), raw));
        safetensors::serialize(views, Some(metadata)).map_err(|e| Error::Model(e.to_string()))
    }

    /// CRC-32 over the header (its checksum left empty) and every tensor in name order.
    pub(super) fn checksum(&self, header: &str) -> String {
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

impl FromIterator<(String, Tensor)> for Tensors {
    fn from_iter<I: IntoIterator<Item = (String, Tensor)>>(named: I) -> Self {
        Self(named.into_iter().collect())
    }
}

fn finite(name: &str, data: &[f64]) -> Result<Vec<f64>> {
    match data.iter().find(|v| v.is_nan() || v.abs() > LARGEST) {
        None => Ok(data.to_vec()),
        Some(v) => Err(Error::Model(format!(
            "tensor \"{name}\" holds {v:?}, expected a magnitude below {LARGEST:e}"
        ))),
    }
}

//! Small files for the tests, and short ways to read them.
#![allow(dead_code)] // each test file uses its own part of it

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use separa_io::{Prepared, Result, TableOptions, Values, read};

/// A folder that disappears with the test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        let folder = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).expect("a test folder can be made");
        std::fs::write(&path, content).expect("a test file can be written");
        text(path)
    }

    /// Names of everything inside, sorted.
    pub fn listing(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("the folder can be listed");
        let name =
            |e: std::io::Result<std::fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    /// Writes a Parquet file, one row group per element of `groups`.
    pub fn parquet(&self, name: &str, message: &str, groups: &[Vec<Col>]) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, parquet_bytes(message, groups)).expect("a test file can be written");
        text(path)
    }
}

pub fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().expect("test paths are text")
}

/// Values of one column; `Option` columns go with `optional` fields.
pub enum Col {
    Bool(Vec<bool>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    OptF64(Vec<Option<f64>>),
    Text(Vec<&'static str>),
    OptText(Vec<Option<&'static str>>),
    Fixed(Vec<Vec<u8>>),
    /// Values with definition and repetition levels as they are.
    Raw(Vec<i32>, Vec<i16>, Vec<i16>),
}

pub fn parquet_bytes(message: &str, groups: &[Vec<Col>]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(message).expect("the test's schema is valid"));
    let mut bytes = Vec::new();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    for columns in groups {
        let mut group = writer.next_row_group().unwrap();
        for column in columns {
            let mut out = group.next_column().unwrap().expect("as many columns as the schema has");
            write_column(out.untyped(), column);
            out.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn write_column(out: &mut ColumnWriter<'_>, column: &Col) {
    use ColumnWriter::*;
    let levels = |present: Vec<bool>| -> Vec<i16> { present.into_iter().map(i16::from).collect() };
    let written = match (out, column) {
        (BoolColumnWriter(w), Col::Bool(v)) => w.write_batch(v, None, None),
        (Int32ColumnWriter(w), Col::I32(v)) => w.write_batch(v, None, None),
        (Int32ColumnWriter(w), Col::Raw(v, d, r)) => w.write_batch(v, Some(d), Some(r)),
        (Int64ColumnWriter(w), Col::I64(v)) => w.write_batch(v, None, None),
        (FloatColumnWriter(w), Col::F32(v)) => w.write_batch(v, None, None),
        (DoubleColumnWriter(w), Col::F64(v)) => w.write_batch(v, None, None),
        (DoubleColumnWriter(w), Col::OptF64(v)) => {
            let values: Vec<f64> = v.iter().flatten().copied().collect();
            w.write_batch(&values, Some(&levels(v.iter().map(Option::is_some).collect())), None)
        }
        (ByteArrayColumnWriter(w), Col::Text(v)) => {
            w.write_batch(&v.iter().map(|t| ByteArray::from(*t)).collect::<Vec<_>>(), None, None)
        }
        (ByteArrayColumnWriter(w), Col::OptText(v)) => {
            let values: Vec<ByteArray> = v.iter().flatten().map(|t| ByteArray::from(*t)).collect();
            w.write_batch(&values, Some(&levels(v.iter().map(Option::is_some).collect())), None)
        }
        (FixedLenByteArrayColumnWriter(w), Col::Fixed(v)) => {
            let values: Vec<FixedLenByteArray> =
                v.iter().map(|b| ByteArray::from(b.clone()).into()).collect();
            w.write_batch(&values, None, None)
        }
        _ => panic!("the column does not fit its schema"),
    };
    written.unwrap();
}

/// A `.npy` file of version 1.0.
pub fn npy_bytes(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

pub fn plain(input: &str) -> Result<Prepared> {
    read(input, &TableOptions::default())
}

/// The message of the error that reading must give.
pub fn refusal(input: &str, options: &TableOptions) -> String {
    match read(input, options) {
        Ok(table) => panic!("{input} was read as {table:?}"),
        Err(error) => error.to_string(),
    }
}

pub fn dense(table: &Prepared) -> &[f64] {
    match &table.values {
        Values::Dense(values) => values,
        Values::Sparse { .. } => panic!("the table is sparse"),
    }
}

pub fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|n| (*n).to_owned()).collect()
}

/// Checks that a message holds each of the words.
#[track_caller]
pub fn says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "expected {word:?} in: {message}");
    }
}

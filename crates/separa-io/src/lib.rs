//! Files in and out of separa.
//!
//! [`read`] turns a CSV, Parquet, Excel, JSON, SQLite, NPY or svmlight file, a folder or pattern of them, or standard input into
//! a [`Prepared`] table of finite numbers; [`write_labels`] and [`write_atomic`] put results on disk whole or
//! not at all, a [`FileSet`] several together.
//!
//! Rows in messages are data rows counted from 1 within the file they name: a header is not counted.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("iris.csv");
//! # std::fs::write(&path, "length,width,species\n5.1,3.5,setosa\n6.2,2.9,versicolor\n")?;
//! # let path = path.to_str().unwrap();
//! let options = separa_io::TableOptions { truth: Some("species".into()), ..Default::default() };
//! let table = separa_io::read(path, &options)?;
//! assert_eq!(table.names, ["length", "width"]);
//! assert_eq!(table.column("species").unwrap(), ["setosa", "versicolor"]);
//! # Ok(()) }
//! ```

#![warn(missing_docs)]

#[cfg(feature = "arrow")]
mod arrow_read;
mod blocks;
mod cells;
mod column_names;
mod columns;
mod csv_comments;
mod csv_layout;
mod csv_parse;
mod csv_read;
mod csv_rewrite;
mod csv_sniff;
mod csv_split;
mod error;
mod formats;
mod json_read;
mod load;
mod missing;
mod model_file;
mod npy_blocks;
mod npy_read;
mod number;
mod options;
mod parquet_blocks;
mod parquet_column;
mod parquet_file;
mod parquet_group;
mod parquet_read;
mod parquet_schema;
pub mod prepare;
mod prepared;
mod repair;
mod sheet_read;
mod source;
#[cfg(feature = "sqlite")]
mod sqlite_read;
mod svmlight_blocks;
mod svmlight_read;
mod table;
mod table_shape;
mod temporal;
mod text_blocks;
mod text_encoding;
mod write;
mod write_labels;
mod write_parts;

pub use blocks::{Block, Blocks, blocks, estimated_bytes};
pub use error::{Error, Result, shell_word};
pub use json_read::read_json;
pub use model_file::read_model;
pub use options::{Header, TableOptions};
pub use parquet_file::hush_decoder;
pub use prepare::Look;
pub use prepared::{Aside, Prepared, Values};
pub use repair::Repair;
pub use table::{Column, ColumnValues, Table, TimeKind, Words};
pub use temporal::{now, today};
pub use write::{FileSet, real_path, write_atomic};
pub use write_labels::{Shown, Sure, add_labels, labels_to_csv, write_labels};
pub use write_parts::{LabelColumns, LabelPart, Put, write_label_parts};

use separa::Preparation;
use source::{Format, Source};
use std::borrow::Cow;

/// Reads a table from `input`: a path, a folder, a pattern such as `"part-*.parquet"`, or `-` for standard input.
///
/// The format follows from the ending (`.csv`, `.tsv`, `.txt`, `.parquet`, `.xlsx`, `.xls`, `.ods`, `.json`, `.jsonl`,
/// `.sqlite`, `.npy`, `.svm`, `.libsvm`, `.svmlight`, with the feature `arrow` also `.arrow` and `.feather`; each also
/// with `.gz` or `.zst`), otherwise from the first bytes. `book.xlsx::Sheet2` and `shop.sqlite::orders` name a sheet
/// and a table. Several CSV or Parquet files are joined in the order of their names. The number of threads never
/// changes the result.
pub fn read(input: &str, options: &TableOptions) -> Result<Prepared> {
    read_sources(source::find(input)?, options)
}

/// Reads a table from bytes in memory, as [`read`] does from standard input; messages call it `name`.
pub fn read_bytes(name: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Prepared> {
    read_sources(vec![source::from_memory(name, bytes)?], options)
}

/// Reads a table without deciding anything about its columns; NumPy arrays are read, too, sparse rows are not.
pub fn read_table(input: &str, options: &TableOptions) -> Result<Table> {
    table_of(source::find(input)?, options)
}

/// Reads a table once, to look at it and to cluster it: what is in it, how it is prepared, and the prepared table, if
/// it can be clustered. Sparse rows have no columns to look at.
pub fn look(input: &str, options: &TableOptions) -> Result<(Look, Option<Prepared>)> {
    let sources = source::find(input)?;
    let format = sources[0].format;
    if format == Format::Svmlight {
        let table = read_sources(sources, options)?;
        let (rows, features) = (table.rows, table.cols());
        let notices = table.notices.clone();
        return Ok((Look { rows, features, notices, ..Look::default() }, Some(table)));
    }
    let strict = options.strict || format == Format::Npy;
    table_of(sources, options)?.look_prepared(&TableOptions { strict, ..options.clone() })
}

fn table_of(mut sources: Vec<Source>, options: &TableOptions) -> Result<Table> {
    // Inside the pool from the start: otherwise each parallel step would put this thread to sleep and wake it.
    rayon::scope(|_| match sources[0].format {
        Format::Delimited => csv_read::read(sources, options),
        Format::Parquet => parquet_read::read(sources, options),
        Format::Npy => npy_read::read(sources.remove(0), options),
        Format::Svmlight => {
            let what = "sparse rows have no columns to look at".to_owned();
            let expected = "expected a table".to_owned();
            Err(Error::Unsupported { file: sources[0].name.clone(), what, expected })
        }
        _ => formats::read(sources.remove(0), options),
    })
}

fn read_sources(mut sources: Vec<Source>, options: &TableOptions) -> Result<Prepared> {
    let format = sources[0].format;
    let done = match format {
        Format::Svmlight => {
            let names = options.preparation.as_ref().map(Preparation::feature_names);
            let expect = options.expect.clone().or(names);
            svmlight_read::read(sources.remove(0), &TableOptions { expect, ..options.clone() })
        }
        _ => table_of(sources, options).and_then(|table| prepared(table, options, format)),
    };
    done.map_err(|e| in_model(e, options))
}

/// Prepares a table that is there already as [`read`] would.
pub fn prepare_table(table: Table, options: &TableOptions) -> Result<Prepared> {
    prepared(table, options, Format::Json).map_err(|e| in_model(e, options))
}

fn in_model(e: Error, options: &TableOptions) -> Error {
    let model = options.expect.is_some() || options.preparation.is_some();
    if model { e.for_model() } else { e }
}

/// Makes features of a block of rows: as the options' preparation says, or decided here.
pub fn prepare_block(table: Table, options: &TableOptions) -> Result<Prepared> {
    prepare_table(table, options)
}

fn prepared(table: Table, options: &TableOptions, format: Format) -> Result<Prepared> {
    let strict = options.strict || format == Format::Npy;
    // A model's preparation can be large: it is copied only where something differs.
    let asked = match strict == options.strict {
        true => Cow::Borrowed(options),
        false => Cow::Owned(TableOptions { strict, ..options.clone() }),
    };
    match (&options.preparation, &options.expect) {
        _ if options.only_aside => Ok(table.kept_alone()),
        (Some(model), _) => table.apply(model, &asked),
        (None, Some(names)) => {
            let model = prepare::from_names(names, &table);
            table.apply(&model, &asked)
        }
        (None, None) => table.prepare(&asked),
    }
}

/// The programs of the tutorial compile; they are tested here because they read a table, too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorials/rust.md")]
pub struct RustTutorial;

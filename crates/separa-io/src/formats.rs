//! Formats that one file holds a whole table in: which reader reads which, and what is not built in.

use crate::error::{Error, Result};
use crate::options::TableOptions;
use crate::source::{Format, Source};
use crate::table::Table;

/// Reads a sheet, records, an Arrow file or a table of a database.
pub(crate) fn read(source: Source, options: &TableOptions) -> Result<Table> {
    match source.format {
        Format::Sheets => crate::sheet_read::read(source, options.header),
        Format::Json => crate::json_read::read(source),
        Format::Arrow => arrow(source),
        Format::Sqlite => sqlite(source),
        Format::DuckDb => Err(duckdb(source)),
        Format::Delimited | Format::Parquet | Format::Npy | Format::Svmlight => {
            unreachable!("files that can be joined or are sparse have readers of their own")
        }
    }
}

#[cfg(feature = "arrow")]
fn arrow(source: Source) -> Result<Table> {
    crate::arrow_read::read(source)
}

#[cfg(not(feature = "arrow"))]
fn arrow(source: Source) -> Result<Table> {
    let (what, feature, instead) = ("Arrow files", "arrow", "write the table as Parquet");
    Err(Error::FeatureOff { file: source.name, what, feature, instead })
}

#[cfg(feature = "sqlite")]
fn sqlite(source: Source) -> Result<Table> {
    crate::sqlite_read::read(source)
}

#[cfg(not(feature = "sqlite"))]
fn sqlite(source: Source) -> Result<Table> {
    let (what, feature, instead) = ("SQLite", "sqlite", "write the table as CSV");
    Err(Error::FeatureOff { file: source.name, what, feature, instead })
}

/// DuckDB's own library takes minutes to build; its program writes Parquet in one command.
fn duckdb(source: Source) -> Error {
    let table = source.part.as_deref().unwrap_or("TABLE");
    let file = source.name;
    let database = crate::error::shell_word(&file);
    let command = format!("duckdb {database} -c \"COPY {table} TO '{table}.parquet'\"");
    Error::DuckDb { file, command }
}

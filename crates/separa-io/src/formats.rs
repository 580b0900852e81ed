//! Formats that one file holds a whole table in: which reader reads which, and what is not built in.

use crate::cells::{CellValue, ColumnBuilder};
use crate::csv_layout::{count_ragged, fields, lay_out};
use crate::error::{Error, Result};
use crate::number::{Field, classify};
use crate::options::ReadOptions;
use crate::source::{Format, Source};
use crate::table::Table;

/// Reads a sheet, records, an Arrow file or a table of a database.
pub(crate) fn read(source: Source, options: &ReadOptions) -> Result<Table> {
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

/// Reads one delimited text cell by cell.
pub(crate) fn read_text(source: Source, options: &ReadOptions) -> Result<Table> {
    let file = source.name.clone();
    let (bytes, layout) = lay_out(&file, source.into_bytes()?, options.header)?;
    let rows = &bytes[layout.body..];
    let expected = layout.names.len();
    let mut columns: Vec<ColumnBuilder> =
        layout.names.iter().map(|_| ColumnBuilder::default()).collect();
    for (row, record) in (1..).zip(layout.dialect.records(rows)) {
        if let Err(error) = std::str::from_utf8(record) {
            let (byte, offset) = (record[error.valid_up_to()], 0);
            return Err(Error::NotUtf8 { file, place: format!("row {row}"), byte, offset });
        }
        let fields = fields(layout.dialect, record);
        if fields.len() != expected {
            let ragged = count_ragged(layout.dialect, rows, expected);
            return Err(Error::Ragged { file, row, found: fields.len(), expected, ragged });
        }
        for (column, field) in columns.iter_mut().zip(&fields) {
            column.push(match classify(field) {
                Field::Number(value) => CellValue::Number(value),
                Field::Boolean(truth) => CellValue::Boolean(truth),
                Field::Missing => CellValue::Missing,
                Field::Infinite | Field::BigInteger | Field::Text => CellValue::Text(field),
            });
        }
    }
    let values = columns.into_iter().map(ColumnBuilder::finish);
    let mut table = Table::from_columns(&file, layout.names.into_iter().zip(values).collect())?;
    table.named = layout.named;
    table.notices = layout.notices;
    Ok(table)
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

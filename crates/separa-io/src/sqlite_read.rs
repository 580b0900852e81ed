//! A table or view of an SQLite database (`database.sqlite::table`).

use std::io::Write;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::cells::{CellValue, ColumnBuilder};
use crate::error::{Error, Result, quoted_list};
use crate::source::{Source, read_error};
use crate::table::{ColumnValues, Table};

pub(crate) fn read(source: Source) -> Result<Table> {
    let (file, wanted) = (source.name.clone(), source.part.clone());
    if let Some(path) = source.plain_path() {
        return read_file(&file, path, wanted.as_deref());
    }
    // SQLite reads files: what came through a pipe or was compressed becomes one.
    let mut copy = tempfile::NamedTempFile::new().map_err(|e| read_error(&file, e))?;
    copy.write_all(&source.into_bytes()?).map_err(|e| read_error(&file, e))?;
    read_file(&file, copy.path(), wanted.as_deref())
}

fn read_file(file: &str, path: &Path, wanted: Option<&str>) -> Result<Table> {
    let fault =
        |e: rusqlite::Error| Error::Damaged { file: file.to_owned(), detail: e.to_string() };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags).map_err(fault)?;
    let tables = tables(&database).map_err(fault)?;
    let name = choose(file, &tables, wanted)?;
    let columns = columns(&database, name).map_err(fault)?;
    let table = Table::from_columns(file, columns)?;
    if table.rows() == 0 {
        return Err(Error::EmptyPart {
            file: file.to_owned(),
            part: format!("the table \"{name}\""),
        });
    }
    Ok(table)
}

fn tables(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' \
                 ESCAPE '\\' ORDER BY name";
    database.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

/// The table that was asked for, or the only one.
fn choose<'a>(file: &str, tables: &'a [String], wanted: Option<&str>) -> Result<&'a str> {
    let unknown = |name: &str| Error::UnknownPart {
        file: file.to_owned(),
        what: "table",
        part: name.to_owned(),
        parts: quoted_list(tables),
    };
    match (wanted, tables) {
        (_, []) => Err(Error::EmptyPart { file: file.to_owned(), part: "the database".to_owned() }),
        (Some(name), _) => {
            let same = |table: &&String| table.to_lowercase() == name.to_lowercase();
            tables.iter().find(same).map(String::as_str).ok_or_else(|| unknown(name))
        }
        (None, [only]) => Ok(only),
        (None, [first, ..]) => Err(Error::WhichTable {
            file: file.to_owned(),
            tables: quoted_list(tables),
            example: first.clone(),
        }),
    }
}

fn columns(database: &Connection, table: &str) -> rusqlite::Result<Vec<(String, ColumnValues)>> {
    let quoted = table.replace('"', "\"\"");
    let mut query = database.prepare(&format!("SELECT * FROM \"{quoted}\""))?;
    let names: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut cells: Vec<ColumnBuilder> = names.iter().map(|_| ColumnBuilder::default()).collect();
    let mut binary = vec![false; names.len()];
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        for (i, column) in cells.iter_mut().enumerate() {
            match row.get_ref(i)? {
                ValueRef::Null => column.push(CellValue::Missing),
                ValueRef::Integer(value) => column.push_integer(value),
                ValueRef::Real(value) => column.push(CellValue::Number(value)),
                ValueRef::Text(text) => {
                    column.push(CellValue::Text(&String::from_utf8_lossy(text)))
                }
                ValueRef::Blob(_) => {
                    binary[i] = true;
                    column.push(CellValue::Missing);
                }
            }
        }
    }
    let values = cells.into_iter().zip(binary).map(|(column, binary)| match binary {
        true => ColumnValues::Unreadable("binary data".to_owned()),
        false => column.finish(),
    });
    Ok(names.into_iter().zip(values).collect())
}

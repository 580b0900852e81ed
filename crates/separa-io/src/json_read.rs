//! JSON records (`.jsonl`, `.ndjson`, or an array of records in `.json`) to a table.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::cells::{CellValue, ColumnBuilder};
use crate::column_names::unique;
use crate::error::{Error, Result, shown};
use crate::source::Source;
use crate::table::Table;
use crate::text_encoding::to_utf8;

pub(crate) fn read(source: Source) -> Result<Table> {
    let file = source.name.clone();
    let (bytes, assumed) = to_utf8(&file, source.into_bytes()?)?;
    let mut records = Records { file: &file, rows: 0, columns: Vec::new(), places: HashMap::new() };
    match bytes.trim_ascii_start().first() {
        None => return Err(Error::Empty { file }),
        Some(b'[') => {
            let values: Vec<Value> =
                serde_json::from_slice(&bytes).map_err(|e| damaged(&file, 0, &e))?;
            values.into_iter().try_for_each(|value| records.push(value))?;
        }
        Some(_) => {
            for value in serde_json::Deserializer::from_slice(&bytes).into_iter() {
                let value = value.map_err(|e| damaged(&file, records.rows + 1, &e))?;
                records.push(value)?;
            }
        }
    }
    let mut table = records.into_table()?;
    table.notices.extend(assumed);
    Ok(table)
}

/// Whether a text begins as records do: `{"`, or `[{`.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let mut marks = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    matches!(
        (marks.next(), marks.next()),
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{'))
    )
}

/// The records read so far, column by column in the order in which their keys appear.
struct Records<'a> {
    file: &'a str,
    rows: usize,
    columns: Vec<(String, ColumnBuilder)>,
    places: HashMap<String, usize>,
}

impl Records<'_> {
    fn push(&mut self, value: Value) -> Result<()> {
        let Value::Object(record) = value else { return Err(self.no_record(&value)) };
        self.push_record(record)?;
        self.rows += 1;
        for (_, column) in &mut self.columns {
            if column.len() < self.rows {
                column.push(CellValue::Missing);
            }
        }
        Ok(())
    }

    fn push_record(&mut self, record: Map<String, Value>) -> Result<()> {
        for (key, value) in record {
            let place = match self.places.get(&key) {
                Some(place) => *place,
                None => {
                    self.places.insert(key.clone(), self.columns.len());
                    self.columns.push((key.clone(), ColumnBuilder::after(self.rows)));
                    self.columns.len() - 1
                }
            };
            let column = &mut self.columns[place].1;
            match &value {
                Value::Null => column.push(CellValue::Missing),
                Value::Bool(truth) => column.push(CellValue::Boolean(*truth)),
                Value::String(text) => column.push(CellValue::Text(text)),
                Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                    (Some(integer), _) => column.push_integer(integer),
                    (None, Some(value)) if !number.is_u64() => {
                        column.push(CellValue::Number(value))
                    }
                    _ => column.push(CellValue::Text(&number.to_string())),
                },
                Value::Array(_) | Value::Object(_) => return Err(self.nested(&key, &value)),
            }
        }
        Ok(())
    }

    fn nested(&self, key: &str, value: &Value) -> Error {
        let kind = if value.is_array() { "a list" } else { "a record" };
        Error::Unsupported {
            file: self.file.to_owned(),
            what: format!("row {}, key \"{}\" holds {kind}", self.rows + 1, shown(key)),
            expected: "expected a number, text, true, false or null; flatten the records first, e.g. with \
                       pandas.json_normalize"
                .to_owned(),
        }
    }

    fn no_record(&self, value: &Value) -> Error {
        Error::Unsupported {
            file: self.file.to_owned(),
            what: format!("row {} is {}", self.rows + 1, shown(&value.to_string())),
            expected: "expected records such as {\"width\": 1.5, \"kind\": \"a\"}, one per line or in one array \
                       (pandas: to_json(orient=\"records\"))"
                .to_owned(),
        }
    }

    fn into_table(self) -> Result<Table> {
        if self.rows == 0 || self.columns.is_empty() {
            return Err(Error::Empty { file: self.file.to_owned() });
        }
        let (names, columns): (Vec<String>, Vec<ColumnBuilder>) = self.columns.into_iter().unzip();
        let mut notices = Vec::new();
        let names = unique(self.file, names, &mut notices);
        let values = columns.into_iter().map(ColumnBuilder::finish);
        let mut table = Table::from_columns(self.file, names.into_iter().zip(values).collect())?;
        table.notices = notices;
        Ok(table)
    }
}

fn damaged(file: &str, row: usize, error: &serde_json::Error) -> Error {
    let place = if row > 0 { format!("record {row}: ") } else { String::new() };
    Error::Damaged { file: file.to_owned(), detail: format!("{place}{error}") }
}

//! JSON to a table: records (`.jsonl`, `.ndjson`, or an array of them in `.json`), columns or rows as pandas writes them,
//! and for programs rows without names.

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
            let mut values = serde_json::Deserializer::from_slice(&bytes).into_iter().peekable();
            while let Some(value) = values.next() {
                let value = value.map_err(|e| damaged(&file, records.rows + 1, &e))?;
                match value {
                    Value::Object(all) if records.rows == 0 && values.peek().is_none() => {
                        records.push_whole(all)?;
                    }
                    record => records.push(record)?,
                }
            }
        }
    }
    let mut table = records.into_table()?;
    table.notices.extend(assumed);
    Ok(table)
}

/// A table from JSON in memory: one record or a list of them, a list of rows (columns are taken by their place),
/// `{"columns": ["a", "b"], "rows": [[1, 2]]}`, whose rows pandas calls `data` (`to_json(orient="split")`), columns
/// (`{"a": [1], "b": [2]}`, or what `to_json()` writes), or records under a name of their own. Messages call it `name`.
pub fn read_json(name: &str, bytes: &[u8]) -> Result<Table> {
    let value: Value = serde_json::from_slice(bytes).map_err(|e| damaged(name, 0, &e))?;
    let mut records = Records { file: name, rows: 0, columns: Vec::new(), places: HashMap::new() };
    match value {
        Value::Array(rows) if rows.first().is_some_and(Value::is_array) => {
            let width = rows[0].as_array().map_or(0, Vec::len);
            records.name_columns((1..=width).map(|j| format!("x{j}")));
            rows.iter().try_for_each(|row| records.push_row(row))?;
            let mut table = records.into_table()?;
            table.named = false;
            return Ok(table);
        }
        Value::Array(values) => values.into_iter().try_for_each(|value| records.push(value))?,
        Value::Object(fields) => records.push_whole(fields)?,
        other => return Err(records.no_record(&other)),
    }
    records.into_table()
}

/// The names and the rows of an object that holds both.
fn rows_with_names(fields: &Map<String, Value>) -> Option<(&Vec<Value>, &Vec<Value>)> {
    let list = |name: &str| fields.get(name).and_then(Value::as_array);
    Some((list("columns")?, list("rows").or_else(|| list("data"))?))
}

/// The rows of an object whose values are columns: lists of one length, or objects with the same keys.
fn rows_of_columns(fields: &Map<String, Value>) -> Option<Vec<Value>> {
    let columns: Option<Vec<Vec<&Value>>> = match fields.values().next()? {
        Value::Array(_) => {
            fields.values().map(|list| Some(list.as_array()?.iter().collect())).collect()
        }
        Value::Object(first) => {
            let columns = fields.values().map(|column| {
                let column = column.as_object().filter(|column| column.keys().eq(first.keys()))?;
                Some(column.values().collect())
            });
            columns.collect()
        }
        _ => None,
    };
    let columns = columns.filter(|all| all.iter().all(|one| one.len() == all[0].len()))?;
    let plain = |value: &&Value| !value.is_array() && !value.is_object();
    let row = |i: usize| Value::Array(columns.iter().map(|column| column[i].clone()).collect());
    let all = columns.iter().flatten().all(plain) && columns[0].len() > 1;
    all.then(|| (0..columns[0].len()).map(row).collect())
}

/// The records of an object that holds nothing else.
fn records_under_a_name(fields: &Map<String, Value>) -> Option<&Vec<Value>> {
    let rows = fields.values().next().filter(|_| fields.len() == 1)?.as_array()?;
    rows.first().is_some_and(Value::is_object).then_some(rows)
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

    /// A table that is one object; an object that is none is a record.
    fn push_whole(&mut self, fields: Map<String, Value>) -> Result<()> {
        if let Some((names, rows)) = rows_with_names(&fields) {
            let name = |name: &Value| name.as_str().map_or(name.to_string(), str::to_owned);
            self.name_columns(names.iter().map(name));
            return rows.iter().try_for_each(|row| self.push_row(row));
        }
        if let Some(rows) = rows_of_columns(&fields) {
            self.name_columns(fields.keys().cloned());
            return rows.iter().try_for_each(|row| self.push_row(row));
        }
        match records_under_a_name(&fields) {
            Some(rows) => rows.iter().try_for_each(|row| self.push(row.clone())),
            None => self.push(Value::Object(fields)),
        }
    }

    /// Columns that are known before the first row.
    fn name_columns(&mut self, names: impl Iterator<Item = String>) {
        self.columns = names.map(|name| (name, ColumnBuilder::default())).collect();
    }

    fn push_row(&mut self, row: &Value) -> Result<()> {
        let cells = row.as_array().filter(|cells| cells.len() == self.columns.len());
        let Some(cells) = cells else { return Err(self.no_row(row)) };
        for (place, cell) in cells.iter().enumerate() {
            if !push_cell(&mut self.columns[place].1, cell) {
                return Err(self.nested(&self.columns[place].0, cell));
            }
        }
        self.rows += 1;
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
            if !push_cell(&mut self.columns[place].1, &value) {
                return Err(self.nested(&key, &value));
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

    fn no_row(&self, row: &Value) -> Error {
        let what = match row.as_array() {
            Some(cells) => format!("row {} has {} values", self.rows + 1, cells.len()),
            None => format!("row {} is {}", self.rows + 1, shown(&row.to_string())),
        };
        let expected = format!("expected a list of {} values", self.columns.len());
        Error::Unsupported { file: self.file.to_owned(), what, expected }
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

/// Adds a cell; false for one that holds others.
fn push_cell(column: &mut ColumnBuilder, value: &Value) -> bool {
    match value {
        Value::Null => column.push(CellValue::Missing),
        Value::Bool(truth) => column.push(CellValue::Boolean(*truth)),
        Value::String(text) => column.push(CellValue::Text(text)),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => column.push_integer(integer),
            (None, Some(value)) if !number.is_u64() => column.push(CellValue::Number(value)),
            _ => column.push(CellValue::Text(&number.to_string())),
        },
        Value::Array(_) | Value::Object(_) => return false,
    }
    true
}

fn damaged(file: &str, row: usize, error: &serde_json::Error) -> Error {
    let place = if row > 0 { format!("record {row}: ") } else { String::new() };
    Error::Damaged { file: file.to_owned(), detail: format!("{place}{error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns as text, for tables of any shape.
    fn seen(json: &str) -> (Vec<String>, Vec<Vec<String>>, bool) {
        let table = read_json("body", json.as_bytes()).unwrap();
        let names = table.names().map(str::to_owned).collect();
        let texts = (0..table.columns.len()).map(|j| table.texts(j)).collect();
        (names, texts, table.named)
    }

    #[test]
    fn one_table_has_many_spellings() {
        let records = seen(r#"[{"a": 1, "b": "x"}, {"a": 2.5, "b": null}]"#);
        assert_eq!(records.0, ["a", "b"]);
        assert_eq!(records.1, [vec!["1", "2.5"], vec!["x", ""]]);
        for rows in ["rows", "data"] {
            let split = format!(r#"{{"columns": ["a", "b"], "{rows}": [[1, "x"], [2.5, null]]}}"#);
            assert_eq!(seen(&split), records);
        }
        assert_eq!(seen(r#"{"a": [1, 2.5], "b": ["x", null]}"#), records);
        assert_eq!(seen(r#"{"a": {"0": 1, "10": 2.5}, "b": {"0": "x", "10": null}}"#), records);
        assert_eq!(seen(r#"{"items": [{"a": 1, "b": "x"}, {"a": 2.5}]}"#), records);
        let (names, texts, named) = seen(r#"[[1, "x"], [2.5, null]]"#);
        assert_eq!((names, named), (vec!["x1".to_owned(), "x2".to_owned()], false));
        assert_eq!(texts, records.1);
        assert_eq!(seen(r#"{"a": 1, "b": "x"}"#).1, [["1"], ["x"]]);
    }

    #[test]
    fn what_is_no_table_is_named() {
        for (json, part) in [
            ("[[1, 2], [3]]", "row 2 has 1 values, expected a list of 2 values"),
            ("[[1, 2], 5]", "row 2 is 5, expected a list of 2 values"),
            ("[[1, [2]]]", "row 1, key \"x2\" holds a list"),
            ("[1, 2]", "row 1 is 1, expected records"),
            ("7", "row 1 is 7, expected records"),
            ("[]", "is empty"),
            ("[[]]", "is empty"),
            ("{}", "is empty"),
            ("[{\"a\": 1}", "line 1 column 9"),
            (r#"{"columns": ["a"], "rows": [[1, 2]]}"#, "row 1 has 2 values"),
            (r#"{"a": [1, 2], "b": [3]}"#, "key \"a\" holds a list"),
            (r#"{"a": {"0": 1, "1": 2}, "b": {"0": 1, "2": 2}}"#, "key \"a\" holds a record"),
        ] {
            let said = read_json("body", json.as_bytes()).unwrap_err().to_string();
            assert!(said.contains(part), "{json}: {said}");
        }
    }
}

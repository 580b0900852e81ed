//! Sheets, JSON records, SQLite tables, Arrow files: read as the same table, refused with a remedy.

use crate::common;

use common::{Folder, says};
use proptest::prelude::*;
use rust_xlsxwriter::{Format, Workbook};
use separa_io::{Table, TableOptions, read_table};

fn table(path: &str) -> Table {
    read_table(path, &TableOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn refusal(path: &str) -> String {
    match read_table(path, &TableOptions::default()) {
        Ok(table) => panic!("{path} was read as {table:?}"),
        Err(error) => error.to_string(),
    }
}

/// Names and columns as text.
fn content(table: &Table) -> (Vec<String>, Vec<Vec<String>>) {
    let columns = (0..table.columns.len()).map(|i| table.texts(i)).collect();
    (table.names().map(str::to_owned).collect(), columns)
}

fn texts(table: &Table, name: &str) -> Vec<String> {
    table.texts(table.position(name).unwrap_or_else(|| panic!("no column {name}")))
}

/// A table of a number, a number with gaps and a word with gaps per row.
type Rows = Vec<(f64, Option<f64>, Option<String>)>;
const NAMES: [&str; 3] = ["n", "größe", "w"];

fn delimited(rows: &Rows, delimiter: char) -> String {
    let number = |value: &Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let line = |(n, m, w): &(f64, Option<f64>, Option<String>)| {
        format!("{n}{delimiter}{}{delimiter}{}\n", number(m), w.as_deref().unwrap_or(""))
    };
    let rows: String = rows.iter().map(line).collect();
    format!("{}\n{rows}", NAMES.join(&delimiter.to_string()))
}

fn json_lines(rows: &Rows) -> String {
    let line = |(n, m, w): &(f64, Option<f64>, Option<String>)| {
        serde_json::json!({ NAMES[0]: n, NAMES[1]: m, NAMES[2]: w }).to_string() + "\n"
    };
    rows.iter().map(line).collect()
}

fn workbook(rows: &Rows) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (i, name) in (0..).zip(NAMES) {
        sheet.write_string(0, i, name).unwrap();
    }
    for (row, (n, m, w)) in (1..).zip(rows) {
        sheet.write_number(row, 0, *n).unwrap();
        m.map(|m| sheet.write_number(row, 1, m).unwrap());
        w.as_ref().map(|w| sheet.write_string(row, 2, w).unwrap());
    }
    book.save_to_buffer().unwrap()
}

#[cfg(feature = "sqlite")]
fn database(folder: &Folder, rows: &Rows) -> String {
    let path = folder.path().join("t.sqlite");
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute_batch("CREATE TABLE t (n REAL, größe REAL, w TEXT)").unwrap();
    for (n, m, w) in rows {
        database.execute("INSERT INTO t VALUES (?, ?, ?)", (n, m, w)).unwrap();
    }
    common::text(path)
}

#[cfg(feature = "arrow")]
fn arrow(rows: &Rows) -> Vec<u8> {
    use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use std::sync::Arc;
    let n: ArrayRef = Arc::new(rows.iter().map(|row| Some(row.0)).collect::<Float64Array>());
    let m: ArrayRef = Arc::new(rows.iter().map(|row| row.1).collect::<Float64Array>());
    let w: ArrayRef = Arc::new(rows.iter().map(|row| row.2.clone()).collect::<StringArray>());
    let batch = RecordBatch::try_from_iter(NAMES.into_iter().zip([n, m, w])).unwrap();
    let mut bytes = Vec::new();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn any_rows() -> impl Strategy<Value = Rows> {
    let word = prop::option::of("[bcdfgé]{1,4}");
    prop::collection::vec((-1e6..1e6f64, prop::option::of(-1e3..1e3f64), word), 2..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_table_is_the_same_in_every_format(rows in any_rows()) {
        let folder = Folder::new();
        let csv = delimited(&rows, ',');
        let expected = content(&table(&folder.file("t.csv", &csv)));
        let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
        prop_assert_eq!(&expected.0, &NAMES);
        prop_assert_eq!(&expected.1[0], &rows.iter().map(|row| row.0.to_string()).collect::<Vec<_>>());
        prop_assert_eq!(&expected.1[1], &rows.iter().map(|row| number(row.1)).collect::<Vec<_>>());
        prop_assert_eq!(&expected.1[2], &rows.iter().map(|row| row.2.clone().unwrap_or_default()).collect::<Vec<_>>());

        let mut files = vec![
            folder.file("s.csv", delimited(&rows, ';')),
            folder.file("t.tsv", delimited(&rows, '\t')),
            folder.file("p.txt", delimited(&rows, '|')),
            folder.file("le.csv", format!("\u{feff}{csv}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
            folder.file("be.csv", format!("\u{feff}{csv}").encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()),
            folder.file("latin.csv", csv.chars().map(|c| u32::from(c) as u8).collect::<Vec<u8>>()),
            folder.file("t.jsonl", json_lines(&rows)),
            folder.file("t.json", format!("[{}]", json_lines(&rows).trim().replace('\n', ","))),
            folder.file("t.xlsx", workbook(&rows)),
            folder.file("unknown", workbook(&rows)),
        ];
        #[cfg(feature = "sqlite")]
        files.push(database(&folder, &rows));
        #[cfg(feature = "arrow")]
        files.push(folder.file("t.arrow", arrow(&rows)));
        for file in files.drain(..) {
            prop_assert_eq!(&content(&table(&file)), &expected, "{}", file);
        }
    }
}

/// A book with titles, dates, an empty first sheet and a second table.
fn odd_book() -> Vec<u8> {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Empty").unwrap();
    let day = Format::new().set_num_format("yyyy-mm-dd");
    let sheet = book.add_worksheet().set_name("Sales").unwrap();
    sheet.write_string(0, 0, "Sales of the year").unwrap();
    for (i, name) in ["day", "amount", "paid", "mixed"].into_iter().enumerate() {
        sheet.write_string(2, i as u16, name).unwrap();
    }
    for row in 3..6 {
        sheet.write_number_with_format(row, 0, 45_000.0 + f64::from(row), &day).unwrap();
        sheet.write_number(row, 1, f64::from(row) / 2.0).unwrap();
        sheet.write_boolean(row, 2, row == 4).unwrap();
    }
    sheet.write_string(3, 3, "n/a").unwrap();
    sheet.write_string(4, 3, "5+").unwrap();
    sheet.write_number(5, 3, 7).unwrap();
    sheet.write_string(7, 0, "Source: the office").unwrap();
    let other = book.add_worksheet().set_name("Other").unwrap();
    (0..3).for_each(|row| drop(other.write_number(row, 0, row)));
    book.save_to_buffer().unwrap()
}

#[test]
fn a_sheet_is_read_with_its_types_and_without_what_is_around_it() {
    let folder = Folder::new();
    let path = folder.file("book.xlsx", odd_book());
    let sales = table(&path);
    assert_eq!(sales.names().collect::<Vec<_>>(), ["day", "amount", "paid", "mixed"]);
    // Serial 45003 is 2023-03-18: Excel's day 1 is 1900-01-01, with a leap day in 1900 that never was.
    assert_eq!(texts(&sales, "day"), ["2023-03-18", "2023-03-19", "2023-03-20"]);
    assert_eq!(texts(&sales, "amount"), ["1.5", "2", "2.5"]);
    assert_eq!(texts(&sales, "paid"), ["false", "true", "false"]);
    assert_eq!(texts(&sales, "mixed"), ["", "5+", "7"]);
    says(&sales.notices.join("\n"), &["1 title row above the header", "1 row below the data"]);
}

#[test]
fn a_sheet_is_chosen_by_its_name() {
    let folder = Folder::new();
    let path = folder.file("book.xlsx", odd_book());
    let other = table(&format!("{path}::other"));
    assert_eq!((other.rows(), other.named), (3, false));
    says(
        &refusal(&format!("{path}::Third")),
        &["no sheet \"Third\"", "\"Empty\", \"Sales\", \"Other\""],
    );
    says(&refusal(&format!("{path}::Empty")), &["the sheet \"Empty\" is empty"]);
    let csv = folder.file("t.csv", "a,b\n1,2\n");
    says(&refusal(&format!("{csv}::x")), &["one table", "::x"]);
}

#[test]
fn a_damaged_or_disguised_book_is_told() {
    let folder = Folder::new();
    let book = odd_book();
    let cut = refusal(&folder.file("cut.xlsx", &book[..book.len() / 2]));
    says(&cut, &["cut.xlsx", "damaged or cut short"]);
    let mut empty = Workbook::new();
    empty.add_worksheet();
    says(
        &refusal(&folder.file("e.xlsx", empty.save_to_buffer().unwrap())),
        &["every sheet is empty"],
    );
    // Many programs export text under this ending.
    assert_eq!(table(&folder.file("text.xls", "a\tb\n1\t2\n3\t4\n")).rows(), 2);
}

#[test]
fn records_may_lack_keys_but_not_nest() {
    let folder = Folder::new();
    let path = folder
        .file("r.jsonl", "{\"a\": 1, \"b\": true}\n\n{\"c\": \"x\", \"a\": null}\n{\"a\": 2.5}\n");
    let records = table(&path);
    assert_eq!(records.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(texts(&records, "a"), ["1", "", "2.5"]);
    assert_eq!(texts(&records, "b"), ["true", "", ""]);
    assert_eq!(texts(&records, "c"), ["", "x", ""]);
    let nested = refusal(&folder.file("n.json", "[{\"a\": 1}, {\"a\": 2, \"k\": [1, 2]}]"));
    says(&nested, &["row 2, key \"k\" holds a list", "json_normalize"]);
    says(&refusal(&folder.file("v.jsonl", "{\"a\": 1}\n5\n")), &["row 2 is 5", "records"]);
    says(
        &refusal(&folder.file("c.jsonl", "{\"a\": 1}\n{\"a\": \n")),
        &["damaged or cut short", "record 2"],
    );
    says(&refusal(&folder.file("e.json", "[]")), &["empty"]);
}

#[test]
fn integers_that_are_not_exact_are_kept_as_text() {
    let folder = Folder::new();
    let path = folder
        .file("i.jsonl", "{\"a\": 9007199254740993}\n{\"a\": 18446744073709551615}\n{\"a\": 1}\n");
    assert_eq!(texts(&table(&path), "a"), ["9007199254740993", "18446744073709551615", "1"]);
}

#[cfg(feature = "sqlite")]
#[test]
fn a_database_is_asked_for_one_of_its_tables() {
    let folder = Folder::new();
    let path = common::text(folder.path().join("d.db"));
    let database = rusqlite::Connection::open(&path).unwrap();
    says(&refusal(&path), &["d.db"]);
    database
        .execute_batch(
            "CREATE TABLE one (x, y BLOB); INSERT INTO one VALUES (1, x'00'), ('b', NULL)",
        )
        .unwrap();
    let one = table(&path);
    assert_eq!(texts(&one, "x"), ["1", "b"]);
    assert!(format!("{:?}", one.columns[1]).contains("binary data"));
    database.execute_batch("CREATE VIEW \"t w\" AS SELECT 5 AS z; CREATE TABLE none (a)").unwrap();
    says(&refusal(&path), &["\"none\", \"one\", \"t w\"", "d.db::none"]);
    assert_eq!(texts(&table(&format!("{path}::t w")), "z"), ["5"]);
    says(&refusal(&format!("{path}::two")), &["no table \"two\"", "\"one\""]);
    says(&refusal(&format!("{path}::none")), &["the table \"none\" is empty"]);
    let bytes = std::fs::read(&path).unwrap();
    let cut = folder.file("cut.sqlite", &bytes[..bytes.len() - 5000]);
    says(&refusal(&format!("{cut}::one")), &["cut.sqlite", "damaged"]);
}

#[test]
fn duckdb_is_refused_with_the_command_that_helps() {
    let folder = Folder::new();
    let path = folder.file("d.duckdb", b"12345678DUCK");
    let command = format!("duckdb {path} -c \"COPY sales TO 'sales.parquet'\"");
    says(&refusal(&format!("{path}::sales")), &["DuckDB", &command]);
}

#[cfg(not(feature = "arrow"))]
#[test]
fn a_format_that_was_not_built_in_names_its_feature() {
    let folder = Folder::new();
    says(
        &refusal(&folder.file("t.feather", b"ARROW1\0\0")),
        &["built without", "feature \"arrow\"", "Parquet"],
    );
}

#[cfg(feature = "arrow")]
#[test]
fn arrow_columns_keep_their_types() {
    use arrow_array::types::Int32Type;
    use arrow_array::{
        ArrayRef, Date32Array, Decimal128Array, DictionaryArray, Int64Array, ListArray, RecordBatch,
    };
    use std::sync::Arc;
    let columns: [(&str, ArrayRef); 5] = [
        ("day", Arc::new(Date32Array::from(vec![Some(0), None]))),
        (
            "price",
            Arc::new(Decimal128Array::from(vec![1250, -5]).with_precision_and_scale(9, 2).unwrap()),
        ),
        ("kind", Arc::new(DictionaryArray::<Int32Type>::from_iter([Some("x"), None]))),
        ("id", Arc::new(Int64Array::from(vec![1 << 60, 5]))),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([
                Some(vec![Some(1)]),
                None,
            ])),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let folder = Folder::new();
    let read = table(&folder.file("t.ipc", &bytes));
    assert_eq!(texts(&read, "day"), ["1970-01-01", ""]);
    assert_eq!(texts(&read, "price"), ["12.5", "-0.05"]);
    assert_eq!(texts(&read, "kind"), ["x", ""]);
    assert_eq!(texts(&read, "id"), ["1152921504606846976", "5"]);
    assert!(format!("{:?}", read.columns[4]).contains("List"));
    says(&refusal(&folder.file("cut.arrow", &bytes[..bytes.len() / 2])), &["cut.arrow", "damaged"]);
    says(&refusal(&folder.file("old.feather", b"FEA1....")), &["version 1"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn altered_books_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = workbook(&vec![(1.0, None, Some("x".into())), (2.0, Some(3.0), None)]);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let folder = Folder::new();
        let _ = read_table(&folder.file("t.xlsx", bytes), &TableOptions::default());
    }

    #[test]
    fn any_json_like_text_is_read_or_refused(text in "[\\[\\]{}\":,a1.e \n-]{0,40}") {
        let folder = Folder::new();
        let _ = read_table(&folder.file("t.json", text), &TableOptions::default());
    }
}

#[test]
fn labels_in_an_excel_file_are_read_back() {
    let folder = Folder::new();
    let path = folder.path().join("labels.xlsx");
    let ids = ["=1+1", "b"].map(String::from);
    separa_io::write_labels(&path, Some(("id", &ids)), &[1, 0], None).unwrap();
    let (names, columns) = content(&table(path.to_str().unwrap()));
    assert_eq!(names, ["id", "cluster"]);
    assert_eq!(columns, [["=1+1", "b"], ["1", "0"]]);
}

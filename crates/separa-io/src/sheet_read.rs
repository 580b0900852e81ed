//! Sheets of Excel and LibreOffice (`.xlsx`, `.xls`, `.xlsb`, `.ods`) to a table.

use std::io::Cursor;

use calamine::{Data, ExcelDateTime, Range, Reader, Sheets, open_workbook_auto_from_rs};

use crate::cells::{CellValue, ColumnBuilder, days_since_1970};
use crate::column_names::unique;
use crate::columns::positional;
use crate::error::{Error, Result, quoted_list};
use crate::options::Header;
use crate::parquet_file::guard;
use crate::source::Source;
use crate::table::{ColumnValues, Table, TimeKind};
use crate::table_shape::{Fields, LastRow, Shape, footers, shape, skipped};

/// Rows looked at to tell titles, header and units, and to tell footers.
const FIRST: usize = 200;
const LAST: usize = 40;

/// Reads the sheet that the source names, or the first one with data.
pub(crate) fn read(source: Source, header: Header) -> Result<Table> {
    let (file, wanted) = (source.name.clone(), source.part.clone());
    let bytes = source.into_bytes()?;
    if is_zip(&bytes) && !names_a_book(&bytes) {
        let what = "the file is a zip archive without a book of sheets".to_owned();
        let expected = "expected a table; unpack it first, and read what is in it".to_owned();
        return Err(Error::Unsupported { file, what, expected });
    }
    let mut book = guard(&file, || open_workbook_auto_from_rs(Cursor::new(&bytes[..])))?;
    let sheet = match wanted {
        Some(name) => named(&file, &mut book, &name)?,
        None => first_with_data(&file, &mut book)?,
    };
    Sheet::new(file, &sheet).into_table(header)
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Whether an archive holds what every book of Excel or OpenDocument does; names of its files are not compressed.
fn names_a_book(bytes: &[u8]) -> bool {
    let books: [&[u8]; 2] = [b"[Content_Types].xml", b"META-INF/manifest.xml"];
    let holds = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    books.iter().any(|name| holds(name))
}

type Book<'a> = Sheets<Cursor<&'a [u8]>>;

fn named(file: &str, book: &mut Book<'_>, wanted: &str) -> Result<Range<Data>> {
    let sheets = book.sheet_names();
    let exact = sheets.iter().find(|name| *name == wanted);
    let Some(name) =
        exact.or_else(|| sheets.iter().find(|n| n.to_lowercase() == wanted.to_lowercase()))
    else {
        let (file, part, parts) = (file.to_owned(), wanted.to_owned(), quoted_list(&sheets));
        return Err(Error::UnknownPart { file, what: "sheet", part, parts });
    };
    let range = guard(file, || book.worksheet_range(name))?;
    let empty =
        || Error::EmptyPart { file: file.to_owned(), part: format!("the sheet \"{name}\"") };
    if range.is_empty() { Err(empty()) } else { Ok(range) }
}

fn first_with_data(file: &str, book: &mut Book<'_>) -> Result<Range<Data>> {
    for name in book.sheet_names() {
        // Sheets of charts have no cells to ask for.
        match guard(file, || book.worksheet_range(&name)) {
            Ok(range) if !range.is_empty() => return Ok(range),
            _ => {}
        }
    }
    Err(Error::EmptyPart { file: file.to_owned(), part: "every sheet".to_owned() })
}

/// The rows of a sheet that hold anything.
struct Sheet<'a> {
    file: String,
    rows: Vec<&'a [Data]>,
    /// Whether an empty row is above each of them.
    after_blank: Vec<bool>,
}

impl<'a> Sheet<'a> {
    fn new(file: String, range: &'a Range<Data>) -> Self {
        let (mut rows, mut after_blank, mut blank) = (Vec::new(), Vec::new(), false);
        for row in range.rows() {
            if row.iter().all(|cell| text(cell).trim().is_empty()) {
                blank = true;
            } else {
                rows.push(row);
                after_blank.push(std::mem::take(&mut blank));
            }
        }
        Self { file, rows, after_blank }
    }

    fn into_table(self, header: Header) -> Result<Table> {
        if self.rows.is_empty() {
            return Err(Error::Empty { file: self.file });
        }
        let head: Vec<Fields> = self.rows.iter().take(FIRST).map(|row| fields(row)).collect();
        let found = shape(&head, header);
        let end = self.rows.len() - self.count_footers(found);
        let data = &self.rows[found.above().min(end)..end];
        if data.is_empty() {
            return Err(Error::HeaderOnly { file: self.file });
        }
        let given = found.names(&head);
        let mut notices = Vec::new();
        notices.extend(skipped(&self.file, found.titles, "title row", " above the header"));
        if found.groups {
            notices.push(format!("{}: two rows of names were joined", self.file));
        }
        notices.extend(skipped(
            &self.file,
            usize::from(found.units),
            "row of units",
            " under the header",
        ));
        notices.extend(skipped(&self.file, self.rows.len() - end, "row", " below the data"));
        let (names, values) = columns(data, given.as_deref());
        let names = if found.named {
            unique(&self.file, names, &mut notices)
        } else {
            positional(names.len())
        };
        let mut table = Table::from_columns(&self.file, names.into_iter().zip(values).collect())?;
        table.named = found.named;
        table.notices = notices;
        Ok(table)
    }

    fn count_footers(&self, found: Shape) -> usize {
        let from = self.rows.len().saturating_sub(LAST).max(found.above());
        let row =
            |i: usize| LastRow { fields: fields(self.rows[i]), after_blank: self.after_blank[i] };
        let last: Vec<LastRow> = (from..self.rows.len()).map(row).collect();
        let found = footers(&last, found.width);
        if found == last.len() { 0 } else { found }
    }
}

/// Names and values of the columns that have a name or a value.
fn columns(rows: &[&[Data]], given: Option<&[String]>) -> (Vec<String>, Vec<ColumnValues>) {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for column in 0..rows[0].len() {
        let name = given.map_or("", |given| given[column].trim());
        let mut cells = ColumnBuilder::default();
        rows.iter().for_each(|row| cells.push(value(&row[column])));
        if !name.is_empty() || !cells.is_empty() {
            names.push(name.to_owned());
            values.push(cells.finish());
        }
    }
    (names, values)
}

fn value(cell: &Data) -> CellValue<'_> {
    match cell {
        Data::Int(value) => CellValue::Number(*value as f64),
        Data::Float(value) => CellValue::Number(*value),
        Data::Bool(truth) => CellValue::Boolean(*truth),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            CellValue::Text(text)
        }
        Data::DateTime(time) => moment(time),
        Data::Error(_) | Data::Empty => CellValue::Missing,
    }
}

/// A date, a time of the day, or a duration as a number of seconds.
fn moment(time: &ExcelDateTime) -> CellValue<'static> {
    const DAY: f64 = 86_400.0;
    let serial = time.as_f64();
    if time.is_duration() {
        return CellValue::Number(serial * DAY);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let clock = 3600.0 * f64::from(hour)
        + 60.0 * f64::from(minute)
        + f64::from(second)
        + f64::from(milli) / 1000.0;
    if (0.0..1.0).contains(&serial) {
        return CellValue::Time(clock, TimeKind::Clock);
    }
    let days = days_since_1970(i64::from(year), i64::from(month), i64::from(day)) as f64;
    let kind = if clock == 0.0 { TimeKind::Date } else { TimeKind::DateTime };
    CellValue::Time(days * DAY + clock, kind)
}

fn fields(row: &[Data]) -> Fields {
    row.iter().map(text).collect()
}

fn text(cell: &Data) -> String {
    match cell {
        Data::DateTime(_) => "a date".to_owned(),
        Data::Error(_) => String::new(),
        other => other.to_string(),
    }
}

//! Labels as a workbook of Excel.

use std::io::{self, Write};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::{NAME, Sheet, Sure};

/// Rows of a sheet, of which the first holds the names of the columns.
const ROWS: usize = 1 << 20;

impl Sheet<'_> {
    /// The same columns as the other formats; numbers are numbers, and text is never taken for a formula.
    pub(super) fn excel(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.labels.len() >= ROWS {
            let said = format!(
                "a sheet of Excel holds {} rows, there are {}; write .csv or .parquet",
                ROWS - 1,
                self.labels.len()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, said));
        }
        out.write_all(&self.workbook().map_err(io::Error::other)?)
    }

    fn workbook(&self) -> Result<Vec<u8>, XlsxError> {
        let mut book = Workbook::new();
        // The same labels are the same bytes on every day.
        let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&made));
        let sheet = book.add_worksheet();
        sheet.set_name("labels")?.set_freeze_panes(1, 0)?;
        let bold = Format::new().set_bold();
        for (column, name) in self.excel_names().into_iter().enumerate() {
            sheet.write_string_with_format(0, column as u16, short(name), &bold)?;
        }
        for i in 0..self.labels.len() {
            self.excel_row(&mut Line { sheet, row: i as u32 + 1, column: 0 }, i)?;
        }
        book.save_to_buffer()
    }

    fn excel_names(&self) -> Vec<&str> {
        let mut names = vec![self.id.map_or("row", |(name, _)| name)];
        names.extend(self.shown.more_ids.iter().map(|column| column.name.as_str()));
        names.push(self.shown.title());
        names.extend(self.shown.called.map(|_| NAME));
        names.extend(self.shown.sure.iter().flat_map(|_| Sure::COLUMNS));
        names.extend(self.score_names().iter().map(String::as_str));
        names
    }

    fn excel_row(&self, line: &mut Line<'_>, i: usize) -> Result<(), XlsxError> {
        match self.id {
            Some((_, ids)) => line.text(&ids[i])?,
            None => line.number((self.first + i + 1) as f64)?,
        }
        for column in self.shown.more_ids {
            line.text(&column.values[i])?;
        }
        self.excel_label(line, self.labels[i])?;
        if self.shown.called.is_some() {
            line.text(self.shown.calling(self.labels[i]))?;
        }
        if let Some(Sure { confidence, runner_up, margin }) = self.shown.sure {
            line.number(confidence[i])?;
            match runner_up[i] {
                second if second < 0 => line.text("")?,
                second => self.excel_label(line, second)?,
            }
            line.number(margin[i])?;
        }
        let width = self.score_names().len();
        for score in self.scores.iter().flat_map(|(_, all)| &all[i * width..(i + 1) * width]) {
            line.number(*score)?;
        }
        Ok(())
    }

    fn excel_label(&self, line: &mut Line<'_>, label: i32) -> Result<(), XlsxError> {
        match self.shown.name(label) {
            Some(name) => line.text(name),
            None => line.number(f64::from(label)),
        }
    }
}

/// A row that is written from left to right.
struct Line<'a> {
    sheet: &'a mut Worksheet,
    row: u32,
    column: u16,
}

impl Line<'_> {
    /// A number; an empty cell for none.
    fn number(&mut self, value: f64) -> Result<(), XlsxError> {
        if value.is_finite() {
            self.sheet.write_number(self.row, self.column, value)?;
        }
        self.column += 1;
        Ok(())
    }

    /// A text; an empty cell for none.
    fn text(&mut self, text: &str) -> Result<(), XlsxError> {
        if !text.is_empty() {
            self.sheet.write_string(self.row, self.column, short(text))?;
        }
        self.column += 1;
        Ok(())
    }
}

/// What a cell can hold.
fn short(text: &str) -> String {
    text.chars().take(32_767).collect()
}

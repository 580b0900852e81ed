//! Tables as commands use them: read, checked, with labels from columns kept aside.

use crate::failure::{Failure, Result};
use crate::text::{self, number};
use separa::{CsrRef, Dataset, DenseRef, Error, MatrixRef};
use separa_io::{ReadOptions, Table, Values};
use std::borrow::Cow;
use std::collections::HashMap;

/// A table with the name it is called by in messages.
#[derive(Debug)]
pub struct Input {
    pub name: String,
    pub table: Table,
}

/// Reads the table; what there is to know about the reading goes to standard error.
///
/// `kept` is the option that named the columns of `options.aside`, for messages.
pub fn read(input: &str, options: &ReadOptions, kept: &'static str, quiet: bool) -> Result<Input> {
    let table = separa_io::read(input, options).map_err(|e| named(e, &options.aside, kept))?;
    if !quiet {
        table.notices.iter().for_each(|sentence| text::notice(sentence));
    }
    let name = if input == "-" { "standard input".to_owned() } else { input.to_owned() };
    Ok(Input { name, table })
}

/// Gives a column error the option that the user typed.
fn named(mut e: separa_io::Error, aside: &[String], kept: &'static str) -> Failure {
    use separa_io::Error::{RoleConflict, UnknownColumn};
    match &mut e {
        UnknownColumn { name, option, .. } if !option.starts_with("--") && aside.contains(name) => {
            *option = kept;
        }
        RoleConflict { name, first, .. } if !first.starts_with("--") && aside.contains(name) => {
            *first = kept;
        }
        _ => {}
    }
    e.into()
}

/// What to say where some rows have no known class.
pub fn unknown_classes(rows: usize) -> Option<String> {
    let counted = number::counted(rows, "row");
    (rows > 0).then(|| format!("{counted} without a known class left out of the comparison"))
}

impl Input {
    pub fn matrix(&self) -> Result<MatrixRef<'_>> {
        let (rows, cols) = (self.table.rows, self.table.cols());
        let view: std::result::Result<MatrixRef<'_>, _> = match &self.table.values {
            Values::Dense(values) => DenseRef::new(rows, cols, values).map(Into::into),
            Values::Sparse { indptr, indices, values } => {
                CsrRef::new(cols, indptr, indices, values).map(Into::into)
            }
        };
        view.map_err(|e| separa::Error::from(e).into())
    }

    /// The checked table; a value that cannot be used is named by its place in the file.
    pub fn dataset(&self) -> Result<Dataset<'_>> {
        Dataset::with_names(self.matrix()?, Some(&self.table.names)).map_err(|e| match e {
            Error::Value { row, column, value, expected } => {
                let row = self.table.source_row(row - 1) as usize;
                self.wrong(Error::Value { row, column, value, expected })
            }
            other => self.wrong(other),
        })
    }

    /// Text labels as numbers in order of first appearance; `special` answers for texts that stand
    /// for no group of their own, with their row of the file.
    pub fn labels(
        &self,
        column: &str,
        special: impl Fn(&str, u64) -> Result<Option<i32>>,
    ) -> Result<Vec<i32>> {
        let mut numbers: HashMap<&str, i32> = HashMap::new();
        let mut labels = Vec::with_capacity(self.table.rows);
        for (i, value) in self.column(column).iter().enumerate() {
            let text = value.trim();
            let next = numbers.len() as i32;
            labels.push(match special(text, self.table.source_row(i))? {
                Some(label) => label,
                None => *numbers.entry(text).or_insert(next),
            });
        }
        Ok(labels)
    }

    /// Known classes as numbers, −1 where none is given; and how many rows have none.
    pub fn truth(&self, column: &str) -> Result<(Vec<i32>, usize)> {
        let truth = self.labels(column, |text, _| Ok(text.is_empty().then_some(-1)))?;
        let unknown = truth.iter().filter(|class| **class < 0).count();
        if unknown == truth.len() {
            return Err(Failure::new(format!(
                "{}: column \"{column}\" is empty in every row, expected classes; \
                 leave out --truth or name another column",
                self.name
            )));
        }
        Ok((truth, unknown))
    }

    /// An error for a row without the label that the command cannot do without.
    pub fn no_label(&self, column: &str, row: u64) -> Failure {
        Failure::new(format!(
            "{}: row {row}, column \"{column}\" is empty, expected a label; \
             fill it in or remove the row",
            self.name
        ))
    }

    pub fn column(&self, name: &str) -> &[String] {
        self.table.column(name).expect("the reader keeps the columns it is told to keep")
    }

    /// What names the rows in a file of labels: a column, or row numbers where rows were left out.
    pub fn row_names<'a>(&'a self, id: Option<&'a str>) -> Option<(&'a str, Cow<'a, [String]>)> {
        if let Some(id) = id {
            return Some((id, self.column(id).into()));
        }
        let numbers = &self.table.source_rows;
        let texts = || numbers.iter().map(u64::to_string).collect::<Vec<String>>();
        (!numbers.is_empty()).then(|| ("row", texts().into()))
    }

    /// A library error about the table, with the table's name; other errors name their own place.
    pub fn wrong(&self, e: Error) -> Failure {
        match e {
            Error::Data(_) | Error::Value { .. } => Failure::new(format!("{}: {e}", self.name)),
            other => other.into(),
        }
    }
}

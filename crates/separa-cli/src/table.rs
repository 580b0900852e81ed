//! Tables as commands use them: read, checked, with labels from columns kept aside.

use crate::failure::{Failure, Result};
use crate::groups::Groups;
use crate::notes::word;
use crate::text::{self, number};
use separa::note::codes;
use separa::preparation::{Preparation, Role};
use separa::{CsrRef, Dataset, DenseRef, Error, MatrixRef, Note};
use separa_io::{Aside, Prepared, TableOptions, Values};
use separa_report::Truth;
use std::borrow::Cow;
use std::collections::HashMap;

/// A table with the name it is called by in messages.
#[derive(Debug)]
pub struct Input {
    pub name: String,
    pub table: Prepared,
    /// Where rows belong together.
    pub groups: Option<Groups>,
    /// For every feature the column of the file that it came from.
    features: Option<Vec<usize>>,
    named_id: Option<String>,
}

/// The known classes of rows or bags.
#[derive(Debug)]
pub struct Classes {
    /// The column they are in.
    pub column: String,
    /// Numbered by first appearance; −1 where none is known.
    pub numbers: Vec<i32>,
    pub names: Vec<String>,
    /// How many have none.
    pub unknown: usize,
}

impl Classes {
    /// How labels agree with them.
    pub fn against(&self, labels: &[i32]) -> separa::Result<Truth> {
        Truth::new(&self.column, labels, &self.numbers, self.names.clone())
    }
}

/// A column that an option named: kept as text, never a feature.
pub type Kept<'a> = (&'static str, Option<&'a String>);

/// Reads the table; what there is to know about the reading goes to standard error.
///
/// `kept` are further columns to keep aside, each with the option that named it.
pub fn read(input: &str, options: TableOptions, kept: &[Kept<'_>], quiet: bool) -> Result<Input> {
    let aside = kept.iter().filter_map(|(_, name)| name.cloned()).collect();
    let options = TableOptions { aside, ..options };
    let table = separa_io::read(input, &options).map_err(|e| named(e, kept))?;
    Ok(Input::of(input, table, options.id, quiet))
}

/// Gives column errors the options that the user typed.
fn named(mut e: separa_io::Error, kept: &[Kept<'_>]) -> Failure {
    name(&mut e, kept);
    e.into()
}

fn name(e: &mut separa_io::Error, kept: &[Kept<'_>]) {
    use separa_io::Error::{RoleConflict, Several, UnknownColumn};
    if let Several { errors, .. } = e {
        errors.iter_mut().for_each(|e| name(e, kept));
    }
    let (UnknownColumn { name, option, .. } | RoleConflict { name, first: option, .. }) = e else {
        return;
    };
    let named = kept.iter().find(|(_, column)| *column == Some(&*name));
    if let (false, Some((typed, _))) = (option.starts_with("--"), named) {
        *option = typed;
    }
}

/// What to say where some rows have no known class.
pub fn unknown_classes(count: usize, thing: &str) -> Option<Note> {
    let counted = number::counted(count, thing);
    let text = format!("{counted} without a known class left out of the comparison");
    (count > 0).then(|| Note::notice(codes::UNKNOWN_CLASSES, text))
}

impl Input {
    /// A table that was read from `input`; what there is to know about the reading goes to standard error.
    pub fn of(input: &str, table: Prepared, named_id: Option<String>, quiet: bool) -> Self {
        if !quiet {
            table.notices.iter().for_each(|sentence| text::notice(sentence));
        }
        let name = if input == "-" { "standard input".to_owned() } else { input.to_owned() };
        let features = table.preparation.as_ref().map(Preparation::feature_columns);
        Self { name, table, groups: None, features, named_id }
    }

    /// What there is to know about the reading.
    pub fn notes(&self) -> Vec<Note> {
        self.table.notices.iter().map(|said| Note::notice(codes::TABLE, said.clone())).collect()
    }

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
        let data = Dataset::with_names(self.matrix()?, Some(&self.table.names));
        let data = match &self.features {
            Some(features) => data.and_then(|data| data.with_features(features)),
            None => data,
        };
        let data = match &self.groups {
            Some(groups) => data.and_then(|data| data.with_groups(groups.kind, &groups.ranges)),
            None => data,
        };
        data.map_err(|e| match e {
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

    /// The known classes; rows of one bag must have the same.
    pub fn truth(&self, column: &str) -> Result<Classes> {
        let of_rows = self.labels(column, |text, _| Ok(text.is_empty().then_some(-1)))?;
        let mut names = Vec::new();
        for (class, text) in of_rows.iter().zip(self.column(column)) {
            if *class == names.len() as i32 {
                names.push(text.trim().to_owned());
            }
        }
        let numbers = match self.bags() {
            Some(bags) => bags.one_each(self, column, &of_rows)?,
            None => of_rows,
        };
        let unknown = numbers.iter().filter(|class| **class < 0).count();
        if unknown == numbers.len() {
            return Err(Failure::new(format!(
                "{}: column \"{column}\" is empty in every row, expected classes; \
                 leave out --truth or name another column",
                self.name
            )));
        }
        Ok(Classes { column: column.to_owned(), numbers, names, unknown })
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

    /// What a model must know to prepare new rows: nothing of columns with another use, nor of bags and sequences,
    /// whose tables are taken as they are.
    pub fn preparation(&self) -> Option<Preparation> {
        let mut done = self.table.preparation.clone().filter(|_| self.groups.is_none())?;
        done.columns.retain(|column| column.role != Role::Kept);
        Some(done)
    }

    /// The column that names the rows: the one that was given, or the one that was found.
    pub fn id(&self) -> Option<&str> {
        let named = self.named_id.as_deref();
        let found = || self.table.preparation.as_ref()?.ids().first().map(|c| c.name.as_str());
        named.or_else(found)
    }

    /// Further columns that name the rows.
    pub fn more_ids(&self) -> Vec<&Aside> {
        let names = self.table.preparation.as_ref().map(Preparation::ids).unwrap_or_default();
        let others = names.iter().filter(|id| self.id() != Some(&id.name));
        let aside = |name: &str| self.table.aside.iter().find(|column| column.name == name);
        match self.bags() {
            Some(_) => Vec::new(),
            None => others.filter_map(|id| aside(&id.name)).collect(),
        }
    }

    /// What is clustered, in the singular.
    pub fn thing(&self) -> &'static str {
        if self.bags().is_some() { "bag" } else { "row" }
    }

    /// What names the rows in a file of labels: their bags, a column, or row numbers where rows were
    /// left out.
    pub fn row_names(&self) -> Option<(&str, Cow<'_, [String]>)> {
        if let Some(bags) = self.bags() {
            return Some((&bags.column, bags.names.as_slice().into()));
        }
        if let Some(id) = self.id() {
            return Some((id, self.column(id).into()));
        }
        let numbers = &self.table.source_rows;
        let texts = || numbers.iter().map(u64::to_string).collect::<Vec<String>>();
        (!numbers.is_empty()).then(|| ("row", texts().into()))
    }

    /// A library error about the table, with the table's name; other errors name their own place.
    pub fn wrong(&self, e: Error) -> Failure {
        let gone = self.table.preparation.as_ref().map_or(0, |done| done.rows_left_out);
        match e {
            Error::AutoRows { least, .. } if gone > 0 => {
                let (file, left) = (self.name.clone(), self.table.rows);
                separa_io::Error::FewRowsLeft { file, left, rows: left + gone, least }.into()
            }
            e @ Error::Interrupted { .. } => e.into(),
            // Which of many tables was too large, a script that clusters them all can say only by its name.
            e if e.is_about_data() || matches!(e, Error::Memory { .. }) => {
                Failure::new(format!("{}: {}", self.name, e.sentence(word)))
            }
            other => other.into(),
        }
    }
}

//! What to take from a file: roles and types of columns, missing values, header.

use std::collections::HashSet;

use separa::nearest_name;
use separa::preparation::{MissingRule, Preparation};

use crate::error::{Error, Result, quoted_list};

/// Options of [`read`](crate::read): what to take from a table, and what to make of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableOptions {
    /// Feature columns; empty means every column that is fit for it.
    pub features: Vec<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Column with the true classes: kept as text, never a feature.
    pub truth: Option<String>,
    /// Column that names the rows: kept as text, never a feature.
    pub id: Option<String>,
    /// Further columns kept as text and never features, e.g. starting labels.
    pub aside: Vec<String>,
    /// Read the columns kept aside alone: no column is a feature.
    pub only_aside: bool,
    /// Columns of categories, whatever they look like.
    pub categorical: Vec<String>,
    /// Columns of numbers: what is none is missing.
    pub numeric: Vec<String>,
    /// Columns of free text, which are left out.
    pub text: Vec<String>,
    /// Columns of dates.
    pub date: Vec<String>,
    /// Columns of ordered words, with the words from low to high.
    pub order: Vec<(String, Vec<String>)>,
    /// Words and numbers that mean "missing", besides the usual ones.
    pub na: Vec<String>,
    /// What to do about missing values; if not said, filled from similar rows in tables, refused in arrays and sparse rows.
    pub missing: Option<MissingRule>,
    /// Every column is a number and a feature, as in a matrix of distances.
    pub strict: bool,
    /// Whether a CSV file starts with a row of names.
    pub header: Header,
    /// How a fitted model prepared its table: the same is done to this one.
    pub preparation: Option<Preparation>,
    /// Feature names of a fitted model that has no preparation: exactly these are selected, in this order. A name
    /// `col=value` that is no column stands for the indicator of `value` in text column `col`.
    pub expect: Option<Vec<String>>,
}

impl TableOptions {
    /// Columns that are kept as text and never features, with the option that named each.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&String, &'static str)> {
        with(self.truth.as_slice(), "--truth").chain(with(&self.aside, "the columns kept aside"))
    }

    /// Every name with the option that gave it.
    fn named(&self) -> impl Iterator<Item = (&String, &'static str)> {
        let order = self.order.iter().map(|(name, _)| (name, "--order"));
        self.kept()
            .chain(self.id.iter().map(|name| (name, "--id")))
            .chain(with(&self.drop, "--drop"))
            .chain(with(&self.features, "--features"))
            .chain(with(&self.categorical, "--categorical"))
            .chain(with(&self.numeric, "--numeric"))
            .chain(with(&self.text, "--text"))
            .chain(with(&self.date, "--date"))
            .chain(order)
    }

    /// Refuses names that the table does not have, and columns with two roles or two types.
    pub(crate) fn check(&self, source: &str, names: &[String]) -> Result<()> {
        let unknown = self.unknown(source, names)?;
        if unknown.is_empty() { Ok(()) } else { Err(Error::all(source, unknown)) }
    }

    /// The names that the table does not have, each with its refusal; columns with two roles or two types are refused.
    pub(crate) fn unknown(&self, source: &str, names: &[String]) -> Result<Vec<Error>> {
        let known: HashSet<&str> = names.iter().map(String::as_str).collect();
        let unknown = self.named().filter(|(name, _)| !known.contains(name.as_str()));
        let unknown: Vec<Error> =
            unknown.map(|(name, option)| unknown_column(source, names, name, option)).collect();
        // A feature can have a type, everything else excludes everything else.
        let mut seen: Vec<(&String, &'static str)> = Vec::new();
        for (name, option) in self.named() {
            let apart = |other: &'static str| {
                other != option && !(is_type(option) && other == "--features")
            };
            let kept = |o: &'static str| self.kept().any(|(_, k)| k == o) || o == "--id";
            // One column may serve two of the kept roles, e.g. as classes and as bags.
            let clash =
                seen.iter().find(|(n, o)| *n == name && apart(o) && !(kept(o) && kept(option)));
            if let Some((_, first)) = clash {
                let (name, second) = (name.clone(), option);
                return Err(Error::RoleConflict { name, first, second });
            }
            seen.push((name, option));
        }
        Ok(unknown)
    }

    /// Whether a column has to be read at all.
    pub(crate) fn wants(&self, name: &str) -> bool {
        let has = |list: &[String]| list.iter().any(|n| n == name);
        let kept = self.is_kept(name);
        kept || !has(&self.drop) && (self.features.is_empty() || has(&self.features))
    }

    /// Whether a column was named for another use than that of a feature.
    pub(crate) fn is_kept(&self, name: &str) -> bool {
        self.id.as_deref() == Some(name) || self.kept().any(|(n, _)| n == name)
    }

    /// Which of a table's columns have to be read.
    pub(crate) fn select(&self, file: &str, names: &[String], named: bool) -> Result<Vec<bool>> {
        self.check(file, names)?;
        self.select_known(file, names, named)
    }

    /// The same for a table that is read as a whole: where it is prepared by itself, names that it does not have are told
    /// then, together with all else that is wrong with its columns.
    pub(crate) fn select_whole(
        &self,
        file: &str,
        names: &[String],
        named: bool,
    ) -> Result<Vec<bool>> {
        let decided = self.preparation.is_some() || self.expect.is_some() || self.only_aside;
        if decided {
            return self.select(file, names, named);
        }
        self.select_known(file, names, named)
            .map_err(|e| self.check(file, names).err().unwrap_or(e))
    }

    fn select_known(&self, file: &str, names: &[String], named: bool) -> Result<Vec<bool>> {
        let ids = self.preparation.as_ref().map(Preparation::ids).unwrap_or_default();
        let names_rows = |name: &String| ids.iter().any(|id| id.name == *name);
        let wanted = |name: &String| match (&self.preparation, &self.expect) {
            _ if self.is_kept(name) || names_rows(name) => true,
            _ if self.only_aside => false,
            (Some(_), _) | (_, Some(_)) if !named => self.wants(name),
            (Some(model), _) => model.features().any(|(column, _)| column.name == *name),
            (_, Some(expect)) => {
                let behind = |e: &String| {
                    e.strip_prefix(name.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
                };
                expect.iter().any(behind)
            }
            _ => self.wants(name),
        };
        let mask: Vec<bool> = names.iter().map(wanted).collect();
        let none = !names.iter().zip(&mask).any(|(name, wanted)| *wanted && !self.is_kept(name));
        if none && !self.only_aside && self.preparation.is_none() && self.expect.is_none() {
            return Err(Error::NoFeatures { file: file.to_owned() });
        }
        Ok(mask)
    }
}

/// What to say of a column that the table does not have.
pub(crate) fn unknown_column(
    file: &str,
    names: &[String],
    name: &str,
    option: &'static str,
) -> Error {
    let near = nearest_name(name, names.iter().map(String::as_str));
    let hint = match &near {
        Some(near) => format!(", did you mean \"{near}\"?"),
        None => format!("; the columns are {}", quoted_list(names)),
    };
    Error::UnknownColumn { file: file.to_owned(), name: name.to_owned(), option, hint, near }
}

/// The names of columns that are not read.
pub(crate) fn unselected(names: &[String], selected: &[bool]) -> Vec<String> {
    names.iter().zip(selected).filter(|(_, read)| !**read).map(|(name, _)| name.clone()).collect()
}

/// Whether the first row of a CSV file holds the column names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Header {
    /// It does when any of its fields is neither a number nor missing.
    #[default]
    Auto,
    /// It does, whatever it holds.
    Yes,
    /// It does not: columns are called `x1`, `x2`, ….
    No,
}

fn is_type(option: &str) -> bool {
    ["--categorical", "--numeric", "--text", "--date", "--order"].contains(&option)
}

fn with<'a>(
    names: &'a [String],
    option: &'static str,
) -> impl Iterator<Item = (&'a String, &'static str)> {
    names.iter().map(move |name| (name, option))
}

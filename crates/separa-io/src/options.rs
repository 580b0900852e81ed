//! What to take from a file: roles and types of columns, missing values, header.

use separa::preparation::{MissingRule, Preparation};

use crate::error::{Error, Result};
use crate::prepare::{self, PrepareOptions};

/// Options of [`read`](crate::read): what to take from a table, and what to make of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
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

impl ReadOptions {
    /// What is said about columns.
    pub fn prepare_options(&self) -> PrepareOptions {
        let kept = self.truth.iter().map(|name| (name.clone(), "--truth"));
        let aside = self.aside.iter().map(|name| (name.clone(), "the columns kept aside"));
        PrepareOptions {
            features: self.features.clone(),
            drop: self.drop.clone(),
            kept: kept.chain(aside).collect(),
            id: self.id.clone(),
            categorical: self.categorical.clone(),
            numeric: self.numeric.clone(),
            text: self.text.clone(),
            date: self.date.clone(),
            order: self.order.clone(),
            na: self.na.clone(),
            missing: self.missing,
            strict: self.strict,
        }
    }

    /// Which of a table's columns have to be read.
    pub(crate) fn select(&self, file: &str, names: &[String], named: bool) -> Result<Vec<bool>> {
        let options = self.prepare_options();
        options.check(file, names)?;
        let id = self.preparation.as_ref().and_then(prepare::model_id);
        let wanted = |name: &String| match (&self.preparation, &self.expect) {
            _ if options.is_kept(name) || id.as_ref() == Some(name) => true,
            _ if self.only_aside => false,
            (Some(_), _) | (_, Some(_)) if !named => options.wants(name),
            (Some(model), _) => model.features().any(|(column, _)| column.name == *name),
            (_, Some(expect)) => {
                let behind = |e: &String| {
                    e.strip_prefix(name.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
                };
                expect.iter().any(behind)
            }
            _ => options.wants(name),
        };
        let mask: Vec<bool> = names.iter().map(wanted).collect();
        let none = !names.iter().zip(&mask).any(|(name, wanted)| *wanted && !options.is_kept(name));
        if none && !self.only_aside && self.preparation.is_none() && self.expect.is_none() {
            return Err(Error::NoFeatures { file: file.to_owned() });
        }
        Ok(mask)
    }
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

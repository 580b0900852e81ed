//! What a person said about the columns, which comes before what is found out about them.

use std::collections::HashSet;

use separa::nearest_name;
use separa::preparation::MissingRule;

use crate::error::{Error, Result, quoted_list};

/// What to make of the columns of a table; the default leaves everything to what is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrepareOptions {
    /// Columns to use as features; empty means all that are fit for it.
    pub features: Vec<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Columns that are kept as text and never features, with the option that named each.
    pub kept: Vec<(String, &'static str)>,
    /// The column that names the rows.
    pub id: Option<String>,
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
    /// What to do about missing values; filled from similar rows unless said.
    pub missing: Option<MissingRule>,
    /// Every column is a number and a feature; missing values are refused unless a rule is given.
    pub strict: bool,
}

impl PrepareOptions {
    /// Every name with the option that gave it.
    fn named(&self) -> impl Iterator<Item = (&String, &'static str)> {
        let kept = self.kept.iter().map(|(name, option)| (name, *option));
        let order = self.order.iter().map(|(name, _)| (name, "--order"));
        kept.chain(self.id.iter().map(|name| (name, "--id")))
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
        let known: HashSet<&str> = names.iter().map(String::as_str).collect();
        let unknown = self.named().find(|(name, _)| !known.contains(name.as_str()));
        if let Some((name, option)) = unknown {
            let hint = match nearest_name(name, names.iter().map(String::as_str)) {
                Some(near) => format!(", did you mean \"{near}\"?"),
                None => format!("; the columns are {}", quoted_list(names)),
            };
            return Err(Error::UnknownColumn {
                file: source.to_owned(),
                name: name.clone(),
                option,
                hint,
            });
        }
        // A feature can have a type, everything else excludes everything else.
        let mut seen: Vec<(&String, &'static str)> = Vec::new();
        for (name, option) in self.named() {
            let apart = |other: &'static str| {
                other != option && !(is_type(option) && other == "--features")
            };
            let kept = |o: &'static str| self.kept.iter().any(|(_, k)| *k == o) || o == "--id";
            // One column may serve two of the kept roles, e.g. as classes and as bags.
            let clash =
                seen.iter().find(|(n, o)| *n == name && apart(o) && !(kept(o) && kept(option)));
            if let Some((_, first)) = clash {
                let (name, second) = (name.clone(), option);
                return Err(Error::RoleConflict { name, first, second });
            }
            seen.push((name, option));
        }
        Ok(())
    }

    /// Whether a column has to be read at all.
    pub(crate) fn wants(&self, name: &str) -> bool {
        let has = |list: &[String]| list.iter().any(|n| n == name);
        let kept = self.is_kept(name);
        kept || !has(&self.drop) && (self.features.is_empty() || has(&self.features))
    }

    /// Whether a column was named for another use than that of a feature.
    pub(crate) fn is_kept(&self, name: &str) -> bool {
        self.id.as_deref() == Some(name) || self.kept.iter().any(|(n, _)| n == name)
    }
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

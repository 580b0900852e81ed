//! Which role and which type every column has, and how it becomes features.

mod asked;
mod numbers;
mod times;
mod together;
mod words;

use separa::preparation::{
    ColumnPreparation, ColumnType, Encoding, MissingRule, Preparation, Role,
};

pub(crate) use numbers::numbers_of;

use super::say;
use super::stats::{self, NumberStats};
use crate::error::{Error, Result};
use crate::options::TableOptions;
use crate::table::{Column, Held, Table, Words};

/// Fewer equally spaced whole numbers can be data.
const FEWEST_COUNTED: usize = 10;
/// Of the values that are there, more must be numbers (or dates) for the others to count as missing.
const MAJORITY: f64 = 0.5;
/// A column that lacks more than this fraction of its values is left out.
const MOSTLY_EMPTY: f64 = 0.5;

/// What is decided about one column.
struct Decision {
    role: Role,
    kind: ColumnType,
    missing: usize,
    done: String,
    why: String,
    encoding: Option<Encoding>,
    /// A number that looks like a code for "missing", and in how many rows it is.
    suspect: Option<(f64, usize)>,
}

/// Decides about all columns of a table. Where no column varies, those of numbers are features all the same: rows that
/// are all equal are still rows. Also returns what is to be said of numbers that look like missing values.
pub(crate) fn decide(table: &Table, options: &TableOptions) -> Result<(Preparation, Vec<String>)> {
    table.check_room()?;
    let stats = stats::numbers(table);
    let mut judge = Judge { table, options, stats, rule: rule(options), keep_constants: false };
    let found = judge.all()?;
    if found.0.features().next().is_some() {
        return Ok(found);
    }
    judge.keep_constants = true;
    judge.all()
}

pub(crate) fn rule(options: &TableOptions) -> MissingRule {
    let default = if options.strict { MissingRule::Refuse } else { MissingRule::Nearest };
    options.missing.unwrap_or(default)
}

struct Judge<'a> {
    table: &'a Table,
    options: &'a TableOptions,
    stats: Vec<NumberStats>,
    rule: MissingRule,
    /// Whether columns of one number are features.
    keep_constants: bool,
}

impl Judge<'_> {
    fn all(&self) -> Result<(Preparation, Vec<String>)> {
        let (mut columns, mut errors) = (Vec::with_capacity(self.table.columns.len()), Vec::new());
        let mut suspects = Vec::new();
        for column in &self.table.columns {
            let decided = match self.column(column) {
                Ok(decided) => decided,
                Err(e) => {
                    errors.push(e);
                    continue;
                }
            };
            let Decision { role, kind, missing, done, why, encoding, suspect } = decided;
            let name = column.name.clone();
            let why = match suspect.filter(|_| role == Role::Feature) {
                Some((value, count)) => {
                    suspects.push((columns.len(), value, count));
                    say::with_suspicion(why, value, count)
                }
                None => why,
            };
            columns.push(ColumnPreparation { name, role, kind, missing, done, why, encoding });
        }
        if !errors.is_empty() {
            return Err(Error::all(self.table.source(), errors));
        }
        self.leave_out_copies(&mut columns);
        self.keep_named_id(&mut columns);
        let (rows, missing) = (self.table.rows(), self.rule);
        suspects.retain(|(at, ..)| columns[*at].role == Role::Feature);
        let suspicions = say::suspicions(&suspects, |at| &columns[at].name);
        Ok((Preparation { rows, columns, missing, ..Preparation::default() }, suspicions))
    }

    fn column(&self, column: &Column) -> Result<Decision> {
        let name = &column.name;
        let missing = self.missing(column);
        if self.options.is_kept(name) {
            let id = self.options.id.as_ref() == Some(name);
            let role = if id { Role::Id } else { Role::Kept };
            return Ok(Decision { role, ..plain(type_of(column), missing, "kept as it is") });
        }
        if let Held::Unreadable(what) = &column.held {
            return match self.options.features.contains(name) {
                true => Err(Error::UnreadableColumn {
                    file: self.table.source().to_owned(),
                    column: name.clone(),
                    what: what.clone(),
                    in_model: false,
                }),
                false => Ok(left_out(ColumnType::Unreadable, missing, format!("it holds {what}"))),
            };
        }
        let present = self.table.rows() - missing;
        if present == 0 {
            return Ok(left_out(ColumnType::Empty, missing, "it is empty".to_owned()));
        }
        if let Some(decision) = self.typed(column, missing)? {
            return Ok(decision);
        }
        if missing as f64 > MOSTLY_EMPTY * self.table.rows() as f64 && !self.is_asked(name) {
            let empty = 100.0 * missing as f64 / self.table.rows() as f64;
            return Ok(left_out(
                type_of(column),
                missing,
                format!("{empty:.0} % of it is missing"),
            ));
        }
        match &column.held {
            Held::Numbers(slot) => Ok(self.numbers(name, *slot, missing)),
            Held::Booleans(slot) => Ok(self.booleans(name, *slot, missing)),
            Held::Times(slot, kind) => {
                let seconds: Vec<f64> = self.table.number(*slot).collect();
                Ok(self.times(name, &seconds, *kind, false, missing))
            }
            Held::Words(at) => Ok(self.words(name, &self.table.words[*at], missing)),
            Held::Unreadable(_) => unreachable!("answered above"),
        }
    }

    /// Whether the user named the column as a feature or gave its type. In one or two rows, columns that do not
    /// vary say nothing, so none is left out.
    fn is_asked(&self, name: &str) -> bool {
        if self.table.rows() < 3 {
            return true;
        }
        let o = self.options;
        let has = |list: &[String]| list.iter().any(|n| n == name);
        o.strict
            || has(&o.features)
            || has(&o.numeric)
            || has(&o.categorical)
            || has(&o.date)
            || o.order.iter().any(|(n, _)| n == name)
    }

    fn missing(&self, column: &Column) -> usize {
        match &column.held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                self.stats[*slot].missing + self.stats[*slot].infinite
            }
            Held::Words(at) => {
                self.table.words[*at].codes.iter().filter(|c| **c == Words::MISSING).count()
            }
            Held::Unreadable(_) => 0,
        }
    }
}

pub(crate) fn same_word(a: &str, b: &str) -> bool {
    a.trim() == b.trim() || a.trim().to_lowercase() == b.trim().to_lowercase()
}

fn type_of(column: &Column) -> ColumnType {
    match &column.held {
        Held::Numbers(_) => ColumnType::Number,
        Held::Booleans(_) => ColumnType::Boolean,
        Held::Times(..) => ColumnType::Date,
        Held::Words(_) => ColumnType::Category,
        Held::Unreadable(_) => ColumnType::Unreadable,
    }
}

fn plain(kind: ColumnType, missing: usize, done: &str) -> Decision {
    let (done, why) = (done.to_owned(), String::new());
    Decision { role: Role::LeftOut, kind, missing, done, why, encoding: None, suspect: None }
}

fn left_out(kind: ColumnType, missing: usize, why: String) -> Decision {
    Decision { why, ..plain(kind, missing, "left out") }
}

fn id(kind: ColumnType, missing: usize, why: &str) -> Decision {
    Decision {
        role: Role::Id,
        why: why.to_owned(),
        ..plain(kind, missing, "kept beside the labels")
    }
}

fn feature(kind: ColumnType, missing: usize, done: String, encoding: Encoding) -> Decision {
    Decision { role: Role::Feature, done, encoding: Some(encoding), ..plain(kind, missing, "") }
}

//! From a table as it was found to features: roles, types, missing values.
//!
//! [`Table::prepare`] decides about every column and applies the decisions; [`Table::apply`] applies those of a
//! model to new rows. What was decided is a [`Preparation`], which the model stores.

mod apply;
mod decide;
mod gaps;
mod look;
mod reshape;
mod say;
mod stats;
mod texts;

pub use look::{ColumnLook, Look};
pub use say::{Alternative, alternative, gap_sentence, sentences};

use std::collections::HashMap;

use separa::preparation::{
    ColumnPreparation, ColumnType, Encoding, MissingRule, NumberStyle, Preparation, Role,
};

use crate::columns::{indicator, listed};
use crate::error::{Error, Result};
use crate::number::{Field, classify};
use crate::options::TableOptions;
use crate::prepared::{Aside, Prepared, Values};
use crate::table::{Column, Held, Table, Words};
use gaps::{complete_rows, donors, fill_from_donors};

impl Table {
    /// Decides what every column is, and makes features of those that are fit for it.
    ///
    /// ```
    /// use separa_io::{ColumnValues, Table, TableOptions, Words};
    ///
    /// let name = Words::from_texts((0..12).map(|i| Some(format!("shop {i}"))));
    /// let size = Words::from_texts((0..12).map(|i| Some(["low", "medium", "high"][i % 3])));
    /// let sales = (0..12).map(|i| if i == 4 { f64::NAN } else { (i * i) as f64 }).collect();
    /// let table = Table::from_columns("shops", vec![
    ///     ("name".into(), ColumnValues::Words(name)),
    ///     ("size".into(), ColumnValues::Words(size)),
    ///     ("sales".into(), ColumnValues::Numbers(sales)),
    /// ])?;
    /// let shops = table.prepare(&TableOptions::default())?;
    /// assert_eq!(shops.names, ["size", "sales"]); // the name tells every row apart: it goes beside the labels
    /// assert_eq!(shops.column("name").unwrap()[3], "shop 3");
    /// let done = shops.preparation.unwrap(); // what was done, for new rows to follow: `Table::apply`
    /// assert_eq!(done.filled, 1);
    /// # Ok::<(), separa_io::Error>(())
    /// ```
    pub fn prepare(mut self, options: &TableOptions) -> Result<Prepared> {
        let unknown = self.arrange(options)?;
        let decided = decide::decide(&self, options);
        if !unknown.is_empty() {
            return Err(Error::all(self.source(), Error::joined(unknown, decided.err())));
        }
        let (preparation, suspicions) = decided?;
        if preparation.features().next().is_none() {
            let only_ids = say::only_ids(&preparation);
            return Err(Error::NothingToUse {
                file: self.source().to_owned(),
                detail: say::reasons(&preparation),
                instead: say::instead(&preparation).filter(|_| !only_ids),
                text: say::free_text(&preparation).filter(|_| !only_ids),
                only_ids,
            });
        }
        let positions: Vec<usize> = (0..self.columns.len())
            .filter(|&j| {
                let column = &preparation.columns[j];
                column.role == Role::Feature && column.encoding.is_some()
            })
            .collect();
        let mut prepared = self.encode(preparation, &positions, Decided::Here)?;
        prepared.notices.extend(suspicions);
        if options.strict {
            // Nothing was decided that new rows would have to follow.
            prepared.preparation = None;
        }
        Ok(prepared)
    }

    /// Leaves the columns that are wanted, in the order in which features were named, without what means "missing". Also
    /// returns a refusal of every name that the table does not have.
    fn arrange(&mut self, options: &TableOptions) -> Result<Vec<Error>> {
        let unknown = options.unknown(self.source(), &self.all_names())?;
        self.leave_unread(options);
        self.blank(&options.na);
        let place = |column: &Column| options.features.iter().position(|name| *name == column.name);
        // A stable sort leaves the rest behind them.
        self.columns.sort_by_key(|column| place(column).unwrap_or(usize::MAX));
        Ok(unknown)
    }

    /// The names of all columns, of those that were not read, too.
    fn all_names(&self) -> Vec<String> {
        self.names().chain(self.unread.iter().map(String::as_str)).map(str::to_owned).collect()
    }

    /// Makes the features that a model was fitted on. Columns are found by name; a table without names must have
    /// as many columns as the model's. `missing` takes the place of the model's rule.
    pub fn apply(mut self, model: &Preparation, options: &TableOptions) -> Result<Prepared> {
        options.check(self.source(), &self.all_names())?;
        self.blank(&options.na);
        // The model's counts are those of its own rows.
        let (rows, filled, rows_left_out) = (self.rows(), 0, 0);
        let mut preparation = Preparation { rows, filled, rows_left_out, ..model.clone() };
        preparation.missing = options.missing.unwrap_or(model.missing);
        let positions = self.positions_for(&preparation, options)?;
        let names = model.features().map(|(column, _)| column.name.as_str());
        if !self.named && !names.eq(positions.iter().map(|&j| self.columns[j].name.as_str())) {
            let said =
                "the table has no column names; its columns were taken in the order of the model's";
            self.notices.push(format!("{}: {said}", self.source()));
        }
        preparation.columns.retain(|c| c.role == Role::Feature);
        let ids = match &options.id {
            Some(id) => vec![kept(id, Role::Id, ColumnType::Text)],
            None => self.model_ids(model, options),
        };
        preparation.columns.extend(ids);
        let aside = options.kept().map(|(name, _)| kept(name, Role::Kept, ColumnType::Text));
        preparation.columns.extend(aside);
        self.encode(preparation, &positions, Decided::Before)
    }

    /// The columns of this table that named the rows of the model's, but those with another use now.
    fn model_ids(&self, model: &Preparation, options: &TableOptions) -> Vec<ColumnPreparation> {
        let there =
            |c: &&ColumnPreparation| self.position(&c.name).is_some() && !options.is_kept(&c.name);
        model.of_role(Role::Id).filter(there).map(|c| kept(&c.name, Role::Id, c.kind)).collect()
    }

    /// Forgets columns that nobody wants; some formats are read whole.
    fn leave_unread(&mut self, options: &TableOptions) {
        let (wanted, others): (Vec<Column>, Vec<Column>) =
            std::mem::take(&mut self.columns).into_iter().partition(|c| options.wants(&c.name));
        self.columns = wanted;
        self.unread.extend(others.into_iter().map(|c| c.name));
    }

    /// Values that mean "missing" to the user.
    fn blank(&mut self, na: &[String]) {
        if na.is_empty() {
            return;
        }
        let numbers: Vec<f64> = na.iter().filter_map(|word| word.trim().parse().ok()).collect();
        let is_na = |value: &f64| numbers.contains(value);
        self.numbers.iter_mut().filter(|v| is_na(v)).for_each(|v| *v = f64::NAN);
        for words in &mut self.words {
            // Numbers as the column writes them, too: -999 is "-999,0" where the comma separates decimals.
            let read = decide::numbers_of(words);
            let gone: Vec<bool> = (words.levels.iter().zip(&read))
                .map(|(level, read)| {
                    let number = matches!(classify(level), Field::Number(v) if is_na(&v));
                    number || is_na(read) || na.iter().any(|word| word.trim() == level.trim())
                })
                .collect();
            for code in words.codes.iter_mut() {
                if gone.get(*code as usize) == Some(&true) {
                    *code = Words::MISSING;
                }
            }
            let kept = Words::from_texts((0..words.codes.len()).map(|i| words.get(i)));
            *words = kept;
        }
    }

    /// The table's columns behind the model's.
    fn positions_for(&self, model: &Preparation, options: &TableOptions) -> Result<Vec<usize>> {
        let wanted: Vec<&str> = model.features().map(|(column, _)| column.name.as_str()).collect();
        let places: HashMap<&str, usize> = self.names().zip(0..).collect();
        if !self.named {
            let free: Vec<usize> = (0..self.columns.len())
                .filter(|&j| !options.is_kept(&self.columns[j].name))
                .collect();
            if free.len() != wanted.len() {
                let detail =
                    "; the table has no column names, so the numbers must be equal".to_owned();
                let (file, table, model) = (self.source().to_owned(), free.len(), wanted.len());
                return Err(Error::ModelColumns { file, table, model, detail });
            }
            return Ok(free);
        }
        let missing: Vec<String> =
            wanted.iter().filter(|n| !places.contains_key(*n)).map(|n| (*n).to_owned()).collect();
        if !missing.is_empty() {
            let names: Vec<String> = self
                .names()
                .map(str::to_owned)
                .chain(self.unread.clone())
                .filter(|n| !wanted.contains(&n.as_str()))
                .collect();
            let detail = listed(&missing, &names.iter().collect::<Vec<_>>());
            return Err(Error::MissingColumns { file: self.source().to_owned(), detail });
        }
        Ok(wanted.iter().map(|name| places[name]).collect())
    }

    fn encode(
        mut self,
        mut preparation: Preparation,
        positions: &[usize],
        decided: Decided,
    ) -> Result<Prepared> {
        let rows = self.rows();
        let kept = preparation.columns.iter().filter(|c| matches!(c.role, Role::Id | Role::Kept));
        let places: Vec<usize> = kept.filter_map(|c| self.position(&c.name)).collect();
        let mut aside: Vec<Aside> =
            places.into_iter().map(|at| self.set_aside(at, positions.contains(&at))).collect();
        let mut notices = self.notices.clone();
        let shell = self.shell();
        let mut encoded = apply::encode(self, &preparation, positions)?;
        if decided == Decided::Before {
            notices.extend(apply::unknown_notices(&encoded.unknown, &preparation));
            gaps::count(&mut preparation, &encoded.gaps);
        }
        let mut source_rows = Vec::new();
        let mut kept_rows = rows;
        if !encoded.gaps.is_empty() {
            match preparation.missing {
                MissingRule::Refuse => {
                    return Err(gaps::refuse(&shell, &preparation, &encoded.gaps));
                }
                MissingRule::Drop => {
                    let whole = complete_rows(&encoded, rows);
                    if whole.is_empty() {
                        gaps::none_left(&shell)?;
                    }
                    let width = encoded.width;
                    for (to, &from) in whole.iter().enumerate() {
                        encoded.values.copy_within(from * width..(from + 1) * width, to * width);
                    }
                    encoded.values.truncate(whole.len() * width);
                    for column in &mut aside {
                        column.values =
                            whole.iter().map(|&i| std::mem::take(&mut column.values[i])).collect();
                    }
                    source_rows = whole.iter().map(|&i| i as u64 + 1).collect();
                    kept_rows = whole.len();
                    preparation.rows_left_out = rows - whole.len();
                }
                MissingRule::Nearest => {
                    if decided == Decided::Here {
                        preparation.donors = donors(&encoded, rows);
                    }
                    // Medians are in place already: they stay where too few rows could lend.
                    let few = preparation.donors.len() < gaps::NEAREST;
                    if few || decided == Decided::Here && !gaps::affordable(&encoded) {
                        preparation.missing = MissingRule::Median;
                        preparation.donors.clear();
                    } else {
                        fill_from_donors(&mut encoded, &preparation);
                    }
                    preparation.filled = encoded.gaps.len();
                }
                MissingRule::Median | MissingRule::Mean => preparation.filled = encoded.gaps.len(),
            }
        }
        if decided == Decided::Here {
            notices.extend(say::sentences(&preparation));
        } else {
            notices.extend(say::gap_sentence(&preparation));
        }
        Ok(Prepared {
            names: preparation.feature_names(),
            values: Values::Dense(encoded.values),
            rows: kept_rows,
            aside,
            source_rows,
            notices,
            preparation: Some(preparation),
        })
    }

    /// The columns as text, without features.
    pub(crate) fn kept_alone(mut self) -> Prepared {
        let aside = (0..self.columns.len()).map(|at| self.set_aside(at, false)).collect();
        Prepared {
            names: Vec::new(),
            values: Values::Dense(Vec::new()),
            rows: self.rows(),
            aside,
            source_rows: Vec::new(),
            notices: self.notices,
            preparation: None,
        }
    }

    /// A column as text; of one that is not `used` otherwise the texts are moved.
    fn set_aside(&mut self, at: usize, used: bool) -> Aside {
        let name = self.columns[at].name.clone();
        let values = match &self.columns[at].held {
            Held::Words(list) if !used => std::mem::take(&mut self.words[*list]).into_texts(),
            _ => self.texts(at),
        };
        Aside { name, values }
    }

    /// The table without its values, for messages.
    fn shell(&self) -> Table {
        Table { files: self.files.clone(), first_row: self.first_row, ..Table::default() }
    }
}

/// Whether decisions were made on this table or on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decided {
    Here,
    Before,
}

fn kept(name: &str, role: Role, kind: ColumnType) -> ColumnPreparation {
    ColumnPreparation {
        name: name.to_owned(),
        role,
        kind,
        missing: 0,
        done: "kept as it is".to_owned(),
        why: String::new(),
        encoding: None,
    }
}

/// The preparation behind the feature names of a model that stored none: numbers, and indicators `col=value`.
pub(crate) fn from_names(names: &[String], table: &Table) -> Preparation {
    let known: HashMap<&str, usize> = table.names().zip(0..).collect();
    let column = |name: &str, kind, encoding| ColumnPreparation {
        name: name.to_owned(),
        role: Role::Feature,
        kind,
        missing: 0,
        done: String::new(),
        why: String::new(),
        encoding: Some(encoding),
    };
    let number = || Encoding::Number { style: NumberStyle::default(), fill: f64::NAN };
    let mut columns: Vec<ColumnPreparation> = Vec::new();
    for name in names {
        let find = |col: &str| known.get(col).copied().filter(|_| !names.iter().any(|n| n == col));
        let found = if known.contains_key(name.as_str()) || !table.named {
            None
        } else {
            indicator(name, find)
        };
        let Some((place, Some(level))) = found else {
            columns.push(column(name, ColumnType::Number, number()));
            continue;
        };
        let source = table.columns[place].name.as_str();
        match columns.last_mut() {
            Some(ColumnPreparation {
                name,
                encoding: Some(Encoding::OneHot { levels, .. }),
                ..
            }) if name == source => {
                levels.push(level);
            }
            _ => {
                let encoding = Encoding::OneHot {
                    levels: vec![level],
                    base: None,
                    other: false,
                    fill: String::new(),
                };
                columns.push(column(source, ColumnType::Category, encoding));
            }
        }
    }
    Preparation { columns, missing: MissingRule::Refuse, ..Preparation::default() }
}

//! Rows that belong together: `--bag COL` and `--sequence COL`.

use crate::args::GroupArgs;
use crate::failure::{Failure, Result};
use crate::table::Input;
use separa::Grouping;
use std::ops::Range;

/// The bags or sequences of a table whose rows stand group by group.
#[derive(Debug)]
pub struct Groups {
    pub kind: Grouping,
    pub column: String,
    /// As the column calls them, in order of first appearance.
    pub names: Vec<String>,
    pub ranges: Vec<Range<usize>>,
}

/// Labels of bags are named by their bags, so a column that names rows has no use.
pub fn check_roles(groups: &GroupArgs, id: Option<&String>) -> Result<()> {
    match (&groups.bag, id) {
        (Some(bag), Some(_)) => Err(Failure::new(format!(
            "--id does not go with --bag: labels are named by column \"{bag}\"; leave out --id"
        ))),
        _ => Ok(()),
    }
}

impl Input {
    /// Rows that share the text of a column are one bag or sequence from here on. Those of a bag are
    /// put side by side; those of a sequence must be, since their order is part of what they say.
    pub fn grouped(mut self, groups: &GroupArgs) -> Result<Self> {
        let Some((kind, column)) = groups.chosen() else { return Ok(self) };
        let of_row = self.labels(column, |text, row| match text {
            "" => Err(self.no_group(kind, column, row)),
            _ => Ok(None),
        })?;
        let mut order: Vec<usize> = (0..of_row.len()).collect();
        order.sort_by_key(|&i| of_row[i]);
        if !order.is_sorted() {
            if kind == Grouping::Sequences {
                return Err(self.torn(column, &of_row));
            }
            self.table = self.table.rows_in(&order);
        }
        let (mut names, mut ranges): (Vec<String>, Vec<Range<usize>>) = Default::default();
        for (at, &i) in order.iter().enumerate() {
            if of_row[i] as usize == ranges.len() {
                names.push(self.column(column)[at].trim().to_owned());
                ranges.push(at..at);
            }
            ranges.last_mut().expect("the first row began a group").end = at + 1;
        }
        self.groups = Some(Groups { kind, column: column.clone(), names, ranges });
        Ok(self)
    }

    fn no_group(&self, kind: Grouping, column: &str, row: u64) -> Failure {
        Failure::new(format!(
            "{}: row {row}, column \"{column}\" is empty, expected the {} that the row belongs \
             to; fill it in or remove the row",
            self.name,
            kind.one()
        ))
    }

    /// A sequence whose rows do not stand together: joined unasked, two courses of one name would
    /// become one.
    fn torn(&self, column: &str, of_row: &[i32]) -> Failure {
        // Numbers are those of first appearance: one that is less than the last came before.
        let again = |&i: &usize| of_row[i] < of_row[i - 1];
        let back = (1..of_row.len()).find(again).expect("the rows are not in order");
        let last = of_row[..back].iter().rposition(|s| *s == of_row[back]).expect("it came before");
        Failure::new(format!(
            "{}: row {} belongs to sequence \"{}\", which ended at row {}, expected the rows of a \
             sequence side by side and in order; sort the rows by column \"{column}\" (keeping their \
             order within it), or give other sequences other names",
            self.name,
            self.table.source_row(back),
            self.column(column)[back].trim(),
            self.table.source_row(last)
        ))
    }

    /// Its bags, where they are what is clustered.
    pub fn bags(&self) -> Option<&Groups> {
        self.groups.as_ref().filter(|groups| groups.kind == Grouping::Bags)
    }
}

impl Groups {
    /// The one class of every bag, from those of its rows in `column`.
    pub fn one_each(&self, input: &Input, column: &str, of_rows: &[i32]) -> Result<Vec<i32>> {
        let one = |(range, name): (&Range<usize>, &String)| {
            let first = range.start;
            let Some(other) = range.clone().find(|&i| of_rows[i] != of_rows[first]) else {
                return Ok(of_rows[first]);
            };
            let said = |i: usize| {
                let text = input.column(column)[i].trim();
                format!("\"{text}\" (row {})", input.table.source_row(i))
            };
            Err(Failure::new(format!(
                "{}: bag \"{name}\" holds {} and {} in column \"{column}\", expected one class a \
                 bag; correct the rows or name another column",
                input.name,
                said(first),
                said(other)
            )))
        };
        self.ranges.iter().zip(&self.names).map(one).collect()
    }
}

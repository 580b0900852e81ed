//! Rows that are one thing together: `--bag COL`.

use crate::failure::{Failure, Result};
use crate::table::Input;
use std::ops::Range;

/// The bags of a table whose rows stand bag by bag.
#[derive(Debug)]
pub struct Bags {
    pub column: String,
    /// As the column calls them, in order of first appearance.
    pub names: Vec<String>,
    pub ranges: Vec<Range<usize>>,
}

/// Labels are named by their bags, so a column that names rows has no use.
pub fn check_roles(bag: Option<&String>, id: Option<&String>) -> Result<()> {
    match (bag, id) {
        (Some(bag), Some(_)) => Err(Failure::new(format!(
            "--id does not go with --bag: labels are named by column \"{bag}\"; leave out --id"
        ))),
        _ => Ok(()),
    }
}

impl Input {
    /// Puts rows that share the text of `column` side by side; they are one bag from here on.
    pub fn bagged(mut self, column: Option<&String>) -> Result<Self> {
        let Some(column) = column else { return Ok(self) };
        let of_row = self.labels(column, |text, row| match text {
            "" => Err(self.no_bag(column, row)),
            _ => Ok(None),
        })?;
        let mut order: Vec<usize> = (0..of_row.len()).collect();
        order.sort_by_key(|&i| of_row[i]);
        if !order.is_sorted() {
            self.table = self.table.rows_in(&order);
        }
        let (mut names, mut ranges): (Vec<String>, Vec<Range<usize>>) = Default::default();
        for (at, &i) in order.iter().enumerate() {
            if of_row[i] as usize == ranges.len() {
                names.push(self.column(column)[at].trim().to_owned());
                ranges.push(at..at);
            }
            ranges.last_mut().expect("the first row began a bag").end = at + 1;
        }
        self.bags = Some(Bags { column: column.clone(), names, ranges });
        Ok(self)
    }

    fn no_bag(&self, column: &str, row: u64) -> Failure {
        Failure::new(format!(
            "{}: row {row}, column \"{column}\" is empty, expected the bag that the row belongs \
             to; fill it in or remove the row",
            self.name
        ))
    }
}

impl Bags {
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

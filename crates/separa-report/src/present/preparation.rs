//! What was done to the columns of the table.

use crate::document::{Block, Cell, On, Section, Table};
use crate::number;
use separa::Fitted;
use separa::preparation::{ColumnPreparation, Role};

/// One line per column, on pages alone: the terminal says it in sentences before the fit.
pub fn section(found: &Fitted) -> Section {
    let mut section = Section::new("data-quality", "Data quality");
    let Some(done) = found.preparation() else { return section };
    let used = done.of_role(Role::Feature).count();
    let filled = match done.filled {
        0 => String::new(),
        count => format!(" {} filled.", number::counted(count, "missing value")),
    };
    let left_out = match done.rows_left_out {
        0 => String::new(),
        count => format!(" {} with missing values left out.", number::counted(count, "row")),
    };
    let columns = number::counted(done.columns.len(), "column");
    section.say(On::Page, format!("{used} of {columns} used as features.{filled}{left_out}"));
    let mut table = Table::new("Columns of the table")
        .text("column")
        .text("role")
        .text("type")
        .number("missing")
        .text("what was done")
        .shown(SHOWN);
    for column in &done.columns {
        table.row(vec![
            Cell::Name(column.name.clone()),
            Cell::Name(column.role.word().to_owned()),
            Cell::Name(column.kind.word().to_owned()),
            Cell::count(column.missing),
            Cell::Text(said(column)),
        ]);
    }
    section.add(On::Page, Block::Table(table));
    section
}

/// Rows of the table that are shown at once.
const SHOWN: usize = 30;

fn said(column: &ColumnPreparation) -> String {
    match column.why.is_empty() {
        true => column.done.clone(),
        false => format!("{}: {}", column.done, column.why),
    }
}

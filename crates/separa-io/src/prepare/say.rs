//! What was done to a table, in a few lines.

use separa::note::thousands;
use separa::preparation::{ColumnPreparation, ColumnType, MissingRule, Preparation, Role};

use crate::error::shell_word;

/// Columns that a line names.
const NAMED: usize = 6;

/// At most three sentences about what was done, for a person who did not ask for it.
pub fn sentences(preparation: &Preparation) -> Vec<String> {
    let features: Vec<&ColumnPreparation> = preparation.of_role(Role::Feature).collect();
    let others = preparation.columns.len() - features.len();
    let mut lines = Vec::new();
    if !features.iter().all(|c| is_plain(c) && c.why.is_empty()) {
        lines.push(format!("features: {}", used(&features)));
    }
    let unused: Vec<String> = preparation
        .columns
        .iter()
        .filter(|c| matches!(c.role, Role::Id | Role::LeftOut) && !c.why.is_empty())
        .map(|c| format!("\"{}\" ({})", c.name, c.why))
        .collect();
    if others > 0 && !unused.is_empty() {
        lines.push(format!("not used: {}", cut(&unused)));
    }
    lines.extend(gaps(preparation));
    lines
}

/// Whether a feature is the column's numbers as they are.
fn is_plain(column: &ColumnPreparation) -> bool {
    column.done == "number" || column.done == "1 or 0"
}

/// The sentence about missing values, if there were any.
pub(crate) fn gaps(preparation: &Preparation) -> Option<String> {
    if preparation.rows_left_out > 0 {
        let (gone, all) = (preparation.rows_left_out, preparation.rows);
        return Some(format!("left out {gone} of {all} rows with missing values"));
    }
    let rule = match preparation.missing {
        MissingRule::Mean => "the mean or the most frequent value of its column",
        MissingRule::Nearest => "values of similar rows",
        _ => "the median or the most frequent value of its column",
    };
    let features = preparation.of_role(Role::Feature).filter(|c| c.missing > 0);
    let names: Vec<String> = features.map(|c| format!("\"{}\" {}", c.name, c.missing)).collect();
    let whose = if names.is_empty() { String::new() } else { format!(" ({})", cut(&names)) };
    (preparation.filled > 0).then(|| {
        let (count, s) = (preparation.filled, if preparation.filled == 1 { "" } else { "s" });
        let each = if count == 1 { "" } else { "each " };
        format!("filled {} missing value{s}{whose}, {each}with {rule}", thousands(count))
    })
}

fn used(features: &[&ColumnPreparation]) -> String {
    let number =
        |c: &&ColumnPreparation| (c.kind == ColumnType::Number || is_plain(c)) && c.why.is_empty();
    let numbers = features.iter().copied().filter(number).count();
    let mut parts = Vec::new();
    match numbers {
        0 => {}
        1 => parts.push("1 number".to_owned()),
        n => parts.push(format!("{n} numbers")),
    }
    for column in features.iter().copied().filter(|c| !number(c)) {
        let why = if column.why.is_empty() { String::new() } else { format!("; {}", column.why) };
        parts.push(format!("\"{}\" ({}{why})", column.name, column.done));
    }
    cut(&parts)
}

fn cut(parts: &[String]) -> String {
    let more = parts.len().saturating_sub(NAMED);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{tail}", parts[..parts.len() - more].join(", "))
}

/// Every column that cannot be used, with the reason.
pub(crate) fn reasons(preparation: &Preparation) -> String {
    const SHOWN: usize = 20;
    let line = |c: &ColumnPreparation| {
        let why = if c.why.is_empty() { &c.done } else { &c.why };
        format!("\"{}\" ({why})", c.name)
    };
    let unused = || preparation.columns.iter().filter(|c| c.role != Role::Kept);
    let lines: Vec<String> = unused().take(SHOWN).map(line).collect();
    let more = unused().count() - lines.len();
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{tail}", lines.join(", "))
}

/// The option that makes features all the same of columns that hold numbers or words, if there are any.
pub(crate) fn instead(preparation: &Preparation) -> Option<(&'static str, String)> {
    let of = |kind: ColumnType| {
        let columns = preparation.columns.iter().filter(|c| c.role != Role::Kept && c.kind == kind);
        columns.map(|c| c.name.clone()).collect::<Vec<_>>().join(",")
    };
    let options = [("--numeric", ColumnType::Number), ("--categorical", ColumnType::Category)];
    options
        .into_iter()
        .map(|(option, kind)| (option, of(kind)))
        .find(|(_, names)| !names.is_empty())
}

/// The options that undo what was decided: only the plain numbers, ids as features, rows with gaps left out.
pub fn summary(preparation: &Preparation) -> Option<String> {
    let worked: Vec<String> = preparation
        .of_role(Role::Feature)
        .filter(|c| c.kind != ColumnType::Number && !is_plain(c))
        .map(|c| shell_word(&c.name))
        .collect();
    let mut options = Vec::new();
    if !worked.is_empty() && worked.len() < preparation.of_role(Role::Feature).count() {
        options.push(format!("--drop {}", worked.join(",")));
    }
    if preparation.filled > 0 {
        options.push("--missing drop".to_owned());
    }
    if options.is_empty() {
        let counted = |c: &&ColumnPreparation| c.role == Role::Id && c.kind == ColumnType::Number;
        let counters: Vec<String> =
            preparation.columns.iter().filter(counted).map(|c| shell_word(&c.name)).collect();
        if !counters.is_empty() {
            options.push(format!("--numeric {}", counters.join(",")));
        }
    }
    (!options.is_empty()).then(|| options.join(" "))
}

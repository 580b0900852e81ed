//! What was done to a table, in a few lines.

use separa::note::thousands;
use separa::preparation::{
    ColumnPreparation, ColumnType, Encoding, MissingRule, Preparation, Role,
};

use crate::error::quoted_list;

/// Columns that a line names.
const NAMED: usize = 6;
/// The end of what is said of a number such as -999.
const SUSPECTED: &str = "may stand for a missing value";

/// At most three sentences about what was done, for a person who did not ask for it.
pub fn sentences(preparation: &Preparation) -> Vec<String> {
    let features: Vec<&ColumnPreparation> = preparation.of_role(Role::Feature).collect();
    let others = preparation.columns.len() - features.len();
    let mut lines = Vec::new();
    if !features.iter().all(|c| is_plain(c) && plain_why(c).is_empty()) {
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
    lines.extend(gap_sentence(preparation));
    lines
}

/// Whether a feature is the column's numbers as they are.
fn is_plain(column: &ColumnPreparation) -> bool {
    column.done == "number" || column.done == "1 or 0"
}

/// The sentence about missing values, if there were any.
pub fn gap_sentence(preparation: &Preparation) -> Option<String> {
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
    let number = |c: &&ColumnPreparation| {
        (c.kind == ColumnType::Number || is_plain(c)) && plain_why(c).is_empty()
    };
    let numbers = features.iter().copied().filter(number).count();
    let mut parts = Vec::new();
    match numbers {
        0 => {}
        1 => parts.push("1 number".to_owned()),
        n => parts.push(format!("{n} numbers")),
    }
    for column in features.iter().copied().filter(|c| !number(c)) {
        let why = plain_why(column);
        let why = if why.is_empty() { String::new() } else { format!("; {why}") };
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

/// The last column of free text where no column holds anything else that could be used.
pub(crate) fn free_text(preparation: &Preparation) -> Option<String> {
    let mut texts = preparation.columns.iter().filter(|c| c.kind == ColumnType::Text);
    let last = texts.next_back().filter(|_| instead(preparation).is_none());
    last.map(|c| c.name.clone())
}

/// Whether every column that could be a feature counts or names the rows.
pub(crate) fn only_ids(preparation: &Preparation) -> bool {
    let mut columns = preparation.columns.iter().filter(|c| c.role != Role::Kept).peekable();
    columns.peek().is_some() && columns.all(|c| c.role == Role::Id)
}

/// What to say of numbers that look like missing values, one sentence per number: `suspects` are places of columns, each
/// with its number and in how many rows it is.
pub(crate) fn suspicions<'a>(
    suspects: &[(usize, f64, usize)],
    name: impl Fn(usize) -> &'a String,
) -> Vec<String> {
    let mut numbers: Vec<f64> = Vec::new();
    for (_, value, _) in suspects {
        if !numbers.contains(value) {
            numbers.push(*value);
        }
    }
    let sentence = |number: f64| {
        let of = suspects.iter().filter(|(_, value, _)| *value == number);
        let column =
            |(at, _, count): &(usize, f64, usize)| format!("\"{}\" ({})", name(*at), rows(*count));
        let columns = cut(&of.map(column).collect::<Vec<String>>());
        format!("{number} in {columns} {SUSPECTED}; if so: --na {number}")
    };
    numbers.into_iter().map(sentence).collect()
}

/// Why a column is what it is, with a suspicion behind it.
pub(crate) fn with_suspicion(mut why: String, value: f64, count: usize) -> String {
    if !why.is_empty() {
        why.push_str("; ");
    }
    why + &format!("{value} in {} {SUSPECTED}", rows(count))
}

/// Why a column is what it is, without a suspicion, which has a note of its own.
fn plain_why(column: &ColumnPreparation) -> &str {
    match column.why.ends_with(SUSPECTED) {
        true => column.why.rsplit_once("; ").map_or("", |(before, _)| before),
        false => &column.why,
    }
}

fn rows(count: usize) -> String {
    format!("{} row{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// Another way to prepare a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// What it leads to, e.g. `complete rows only`.
    pub purpose: String,
    /// The options for it with their values, e.g. `--missing` and `drop`.
    pub options: Vec<(&'static str, String)>,
}

/// The way that a person is most likely to want instead: numbers with a unit as features; or only plain numbers and
/// complete rows; or counters as features.
pub fn alternative(preparation: &Preparation) -> Option<Alternative> {
    let with_unit = preparation.of_role(Role::LeftOut).filter(|c| has_unit(c));
    let counters = preparation.of_role(Role::Id).filter(|c| c.kind == ColumnType::Number);
    as_numbers(with_unit).or_else(|| plainer(preparation)).or_else(|| as_numbers(counters))
}

/// Whether a column was left out because a unit stands behind its numbers.
fn has_unit(column: &ColumnPreparation) -> bool {
    matches!(&column.encoding, Some(Encoding::Number { style, .. }) if style.unit.is_some())
}

fn as_numbers<'a>(columns: impl Iterator<Item = &'a ColumnPreparation>) -> Option<Alternative> {
    let names: Vec<&str> = columns.map(|c| c.name.as_str()).collect();
    (!names.is_empty()).then(|| Alternative {
        purpose: format!("with {} as numbers", quoted_list(&names)),
        options: vec![("--numeric", names.join(","))],
    })
}

/// Without features that were made of words or dates, and without rows that have gaps.
fn plainer(preparation: &Preparation) -> Option<Alternative> {
    let worked: Vec<String> = preparation
        .of_role(Role::Feature)
        .filter(|c| c.kind != ColumnType::Number && !is_plain(c))
        .map(|c| c.name.clone())
        .collect();
    let (mut purposes, mut options) = (Vec::new(), Vec::new());
    if !worked.is_empty() && worked.len() < preparation.of_role(Role::Feature).count() {
        purposes.push("numbers");
        options.push(("--drop", worked.join(",")));
    }
    if preparation.filled > 0 {
        purposes.push("complete rows");
        options.push(("--missing", "drop".to_owned()));
    }
    (!options.is_empty())
        .then(|| Alternative { purpose: format!("{} only", purposes.join(" and ")), options })
}

//! `separa look INPUT`: what is in a table, and how it would be prepared.

use super::typed;
use crate::args::LookArgs;
use crate::failure::{ExitCode, Result};
use crate::repair;
use crate::text::{self, number, style};
use separa::preparation::{ColumnPreparation, Role};
use separa_io::Look;
use separa_io::prepare::{Alternative, ColumnLook, alternative};
use separa_report::{Cell, Table};

pub fn run(args: &LookArgs) -> Result<ExitCode> {
    let options = args.columns.complete(args.input.options());
    let table = separa_io::read_table(&args.input.input, &options)?;
    let look = table.look(&options)?;
    match args.json {
        true => text::print_json(&look)?,
        false => text::print(&shown(&args.input.input, &look))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn shown(input: &str, look: &Look) -> String {
    let width = text::width();
    let used = look.preparation.of_role(Role::Feature).count();
    let mut lines = vec![format!(
        "{}: {}, {}; {used} of them used, as {}",
        style::paint(style::TITLE, style::plain(input)),
        number::counted(look.rows, "row"),
        number::counted(look.columns.len(), "column"),
        number::counted(look.features, "feature"),
    )];
    let missing: usize = look.columns.iter().map(|c| c.missing).sum();
    let cells = look.rows * look.columns.len();
    let mut quality = vec![match missing {
        0 => "no missing values".to_owned(),
        _ => format!(
            "{} ({})",
            number::counted(missing, "missing value"),
            number::percent(missing as f64 / cells.max(1) as f64)
        ),
    }];
    if look.duplicate_rows > 0 {
        let s = if look.duplicate_rows == 1 { "s" } else { "" };
        quality.push(format!(
            "{} that repeat{s} another",
            number::counted(look.duplicate_rows, "row")
        ));
    }
    let outliers: usize = look.columns.iter().filter_map(|c| c.outliers).sum();
    if outliers > 0 {
        let values = number::counted(outliers, "value");
        quality.push(format!("{values} far from the others of the column"));
    }
    lines.push(quality.join(", "));
    lines.extend(outliers_at(look).map(|text| style::plain(&text)));
    // What was done to the columns is in the table.
    let told = separa_io::prepare::sentences(&look.preparation);
    let reading = look.notices.iter().filter(|notice| !told.contains(notice));
    lines.extend(reading.map(|notice| style::plain(notice)));
    let mut table = Table::new("")
        .text("column")
        .text("type")
        .text("values")
        .number("missing")
        .text("what is done")
        .number("distinct");
    for (column, seen) in look.preparation.columns.iter().zip(&look.columns) {
        table.row(vec![
            Cell::Title(style::plain(&column.name)),
            Cell::Name(column.kind.word().to_owned()),
            match seen.dates {
                Some(_) => Cell::Text(style::plain(&values(seen))),
                None => Cell::Name(style::plain(&values(seen))),
            },
            Cell::count(seen.missing),
            Cell::Text(style::plain(&done(column))),
            Cell::count(seen.distinct),
        ]);
    }
    lines.push(String::new());
    lines.push(style::table(&table, width));
    let next = typed(|_| true).replacen("separa look", "separa cluster", 1);
    lines.push(style::paint(style::DIM, format!("next: {next}")));
    if let Some(Alternative { purpose, options }) = alternative(&look.preparation) {
        let other = repair::with(crate::typed_words(), &options);
        let other = other.replacen("separa look", "separa cluster", 1);
        lines.push(style::paint(style::DIM, format!("{purpose}: {other}")));
    }
    lines.join("\n") + "\n"
}

/// Where the values are that lie far from the others: the farthest of the first columns that have some.
fn outliers_at(look: &Look) -> Option<String> {
    const COLUMNS: usize = 3;
    let have = || look.columns.iter().filter(|c| !c.outlier_rows.is_empty());
    let line = |c: &ColumnLook| {
        let rows: Vec<String> = c.outlier_rows.iter().map(|&row| number::count(row)).collect();
        let more = c.outliers.unwrap_or(0).saturating_sub(rows.len());
        let more =
            if more > 0 { format!(" and {} more", number::count(more)) } else { String::new() };
        let rows_word = if c.outlier_rows.len() == 1 { "row" } else { "rows" };
        format!("\"{}\" {rows_word} {}{more}", short(&c.name), rows.join(" "))
    };
    let shown: Vec<String> = have().take(COLUMNS).map(line).collect();
    let others = have().count().saturating_sub(COLUMNS);
    let others = if others > 0 { format!("; and {others} more columns") } else { String::new() };
    (!shown.is_empty()).then(|| format!("the farthest: {}{others}", shown.join("; ")))
}

fn values(seen: &ColumnLook) -> String {
    match (&seen.range, &seen.dates, &seen.most_frequent) {
        (Some([low, _, high]), ..) => {
            format!("{} to {}", number::value(*low), number::value(*high))
        }
        (_, Some([first, last]), _) => format!("{} to {}", short(first), short(last)),
        (.., Some((word, rows))) => format!("\"{}\" {}", short(word), number::count(*rows)),
        _ => String::new(),
    }
}

fn done(column: &ColumnPreparation) -> String {
    let role = match column.role {
        Role::Feature => String::new(),
        Role::LeftOut => String::new(),
        other => format!("{}: ", other.word()),
    };
    match column.why.is_empty() {
        // A number that stays one needs no word.
        true if column.done == column.kind.word() => "feature".to_owned(),
        true => format!("{role}{}", column.done),
        false => format!("{role}{}: {}", column.done, column.why),
    }
}

fn short(word: &str) -> String {
    const MOST: usize = 24;
    match word.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    }
}

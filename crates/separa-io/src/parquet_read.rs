//! Parquet files to a table: row groups and columns are decoded at the same time, straight into rows.

use rayon::prelude::*;

use crate::columns::{Feature, Plan};
use crate::error::{Error, Result};
use crate::load::{Origin, allocate};
use crate::number::EXACT;
use crate::options::{TableOptions, unselected};
use crate::parquet_file::ParquetFile;
use crate::parquet_group::Group;
use crate::parquet_schema::{Column, Holds};
use crate::source::Source;
use crate::table::{self, Held, Table, TimeKind, Words};

pub(crate) fn read(sources: Vec<Source>, options: &TableOptions) -> Result<Table> {
    let files: Vec<ParquetFile> =
        sources.into_iter().map(ParquetFile::open).collect::<Result<_>>()?;
    for file in &files[1..] {
        same_columns(&files[0], file)?;
    }
    let first = &files[0];
    let names: Vec<String> = first.columns.iter().map(|c| c.name.clone()).collect();
    let files_rows = files.iter().map(|f| (f.name.clone(), f.groups.iter().sum())).collect();
    let origin = Origin { files: files_rows };
    let selected = options.select_whole(&first.name, &names, true)?;
    if origin.rows() == 0 {
        return Err(Error::Empty { file: origin.name() });
    }
    load(&files, &selected, origin, options)
}

pub(crate) fn same_columns(a: &ParquetFile, b: &ParquetFile) -> Result<()> {
    let detail = if a.columns.len() != b.columns.len() {
        Some(format!("{} against {}", a.columns.len(), b.columns.len()))
    } else {
        a.columns.iter().zip(&b.columns).enumerate().find_map(|(i, (x, y))| {
            if x.name != y.name {
                return Some(format!(
                    "column {} is \"{}\" in one, \"{}\" in the other",
                    i + 1,
                    x.name,
                    y.name
                ));
            }
            (!x.holds.joins(y.holds)).then(|| format!("column \"{}\" has different types", x.name))
        })
    };
    match detail {
        None => Ok(()),
        Some(detail) => {
            Err(Error::SchemaDiffers { first: a.name.clone(), second: b.name.clone(), detail })
        }
    }
}

/// Where the columns that are read go.
pub(crate) struct Layout {
    /// The columns of numbers and times, in the order of their slots.
    pub plan: Plan,
    pub columns: Vec<table::Column>,
    /// The positions of columns of text, each with whether it is kept as it is.
    pub texts: Vec<(usize, bool)>,
    /// Slots and positions of integers that could be too large for numbers.
    wide: Vec<(usize, usize)>,
}

/// Numbers and times into rows, everything else as text.
pub(crate) fn lay_out(
    first: &ParquetFile,
    selected: &[bool],
    options: &TableOptions,
) -> Result<Layout> {
    let mut plan = Plan::default();
    let (mut columns, mut texts, mut wide) = (Vec::new(), Vec::new(), Vec::new());
    for (position, Column { name, holds, .. }) in first.columns.iter().enumerate() {
        if !selected[position] {
            continue;
        }
        let slot = plan.features.len();
        let held = match holds {
            Holds::Unreadable(what) if options.is_kept(name) => {
                let (file, column) = (first.name.clone(), name.clone());
                let what = (*what).to_owned();
                return Err(Error::UnreadableColumn { file, column, what, in_model: false });
            }
            Holds::Unreadable(what) => Held::Unreadable((*what).to_owned()),
            holds if options.is_kept(name) || matches!(holds, Holds::Text | Holds::Uuid) => {
                texts.push((position, options.is_kept(name)));
                Held::Words(texts.len() - 1)
            }
            Holds::Boolean => Held::Booleans(slot),
            Holds::Date => Held::Times(slot, TimeKind::Date),
            Holds::Timestamp(_) | Holds::Int96 => Held::Times(slot, TimeKind::DateTime),
            Holds::Time(_) => Held::Times(slot, TimeKind::Clock),
            holds => {
                if matches!(holds, Holds::Signed | Holds::Unsigned) {
                    wide.push((slot, position));
                }
                Held::Numbers(slot)
            }
        };
        if matches!(held, Held::Numbers(_) | Held::Booleans(_) | Held::Times(..)) {
            plan.features.push(Feature { name: name.clone(), position, as_text: false });
        }
        columns.push(table::Column { name: name.clone(), held });
    }
    Ok(Layout { plan, columns, texts, wide })
}

fn load(
    files: &[ParquetFile],
    selected: &[bool],
    origin: Origin,
    options: &TableOptions,
) -> Result<Table> {
    let schema = &files[0].columns;
    let Layout { plan, mut columns, texts, wide } = lay_out(&files[0], selected, options)?;
    let slots = plan.features.len();
    let mut numbers = allocate(&origin.name(), origin.rows(), slots)?;
    let mut words = read_groups(files, &plan, &texts, &mut numbers)?;
    // Integers that numbers cannot tell apart are names.
    let inexact =
        |slot: usize| numbers.iter().skip(slot).step_by(slots).any(|v| v.abs() >= EXACT as f64);
    let again: Vec<(usize, usize)> = wide.into_iter().filter(|(slot, _)| inexact(*slot)).collect();
    if !again.is_empty() {
        let positions: Vec<(usize, bool)> = again.iter().map(|(_, p)| (*p, false)).collect();
        let first = words.len();
        words.extend(read_groups(files, &Plan::default(), &positions, &mut [])?);
        for (i, (slot, _)) in again.iter().enumerate() {
            let column = columns.iter_mut().find(|c| c.held == Held::Numbers(*slot));
            column.expect("the slot is a column's").held = Held::Words(first + i);
        }
    }
    let names: Vec<String> = schema.iter().map(|column| column.name.clone()).collect();
    let unread = unselected(&names, selected);
    let (files, named) = (origin.files, true);
    let width = slots;
    Ok(Table { files, columns, unread, named, numbers, width, words, ..Table::default() })
}

/// Reads the row groups: numbers into `numbers`, and the texts of the columns at these positions, each with
/// whether it is kept as it is.
fn read_groups(
    files: &[ParquetFile],
    plan: &Plan,
    positions: &[(usize, bool)],
    numbers: &mut [f64],
) -> Result<Vec<Words>> {
    let slots = plan.features.len();
    let mut groups = Vec::new();
    let mut rest = numbers;
    for file in files {
        for (group, &rows) in file.groups.iter().enumerate() {
            let (out, after) = rest.split_at_mut(rows * slots);
            rest = after;
            groups.push((Group { file, group, rows, slots }, out));
        }
    }
    let all_slots: Vec<usize> = (0..slots).collect();
    let found: Vec<Result<Vec<Words>>> = groups
        .into_par_iter()
        .map(|(group, out)| {
            group.numbers(plan, &all_slots, out)?;
            group.words(positions)
        })
        .collect();
    let groups: Vec<Vec<Words>> = found.into_iter().collect::<Result<_>>()?;
    let rows = files.iter().flat_map(|file| &file.groups).sum();
    Words::concat_each(groups, positions.len()).map_err(|_| files[0].too_large(rows))
}

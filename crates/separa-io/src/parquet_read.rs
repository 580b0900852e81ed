//! Parquet files to a table: row groups and columns are decoded at the same time, straight into rows.

use rayon::prelude::*;

use crate::columns::{Offer, Plan, plan};
use crate::error::{Error, Result};
use crate::load::{Cell, Loaded, Origin, allocate, finish};
use crate::number::is_missing;
use crate::options::{Encode, ReadOptions};
use crate::parquet_file::ParquetFile;
use crate::parquet_group::{Cells, Group};
use crate::parquet_schema::{Column, Holds};
use crate::prepared::{Aside, Prepared};
use crate::source::Source;

/// Rows looked at to show what a text column holds.
const SAMPLE: usize = 1024;

pub(crate) fn read(sources: Vec<Source>, options: &ReadOptions) -> Result<Prepared> {
    let files: Vec<ParquetFile> =
        sources.into_iter().map(ParquetFile::open).collect::<Result<_>>()?;
    for file in &files[1..] {
        same_columns(&files[0], file)?;
    }
    let first = &files[0];
    let names: Vec<String> = first.columns.iter().map(|c| c.name.clone()).collect();
    let plan = plan(Offer { file: &first.name, names: &names, named: true }, options)?;
    let files_rows = files.iter().map(|f| (f.name.clone(), f.groups.iter().sum())).collect();
    let origin = Origin { files: files_rows };
    if origin.rows() == 0 {
        return Err(Error::Empty { file: origin.name() });
    }
    check_readable(&files, &plan, options)?;
    let loaded = load(&files, &plan, origin)?;
    finish(loaded, plan, options)
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

/// Refuses selected columns that cannot be read, before anything is.
pub(crate) fn check_readable(
    files: &[ParquetFile],
    plan: &Plan,
    options: &ReadOptions,
) -> Result<()> {
    let file = &files[0];
    let selected = plan.aside.iter().chain(plan.features.iter().map(|f| &f.position));
    for &position in selected {
        let Column { name: column, holds, .. } = &file.columns[position];
        if let Holds::Unreadable(what) = holds {
            let (file, column, what) = (file.name.clone(), column.clone(), (*what).to_owned());
            return Err(Error::UnreadableColumn { file, column, what, in_model: false });
        }
    }
    let refuse = options.encode == Encode::Refuse || plan.outputs.is_some();
    let text = |&&position: &&usize| !file.columns[position].holds.is_number();
    let numeric: Vec<usize> =
        plan.features.iter().filter(|f| !f.as_text).map(|f| f.position).collect();
    match numeric.iter().find(text) {
        Some(&position) if refuse => Err(text_column(file, &file.columns[position])),
        _ => Ok(()),
    }
}

/// The refusal of a text column, with its first value as evidence.
fn text_column(file: &ParquetFile, column: &Column) -> Error {
    let mut texts = Vec::new();
    if let Some(group) = file.groups.iter().position(|&rows| rows > 0) {
        let rows = file.groups[group].min(SAMPLE);
        let read = file.stream(group, column);
        let read = read.and_then(|mut s| file.decode(|| s.texts(rows, &mut texts)));
        if let Err(error) = read {
            return error;
        }
    }
    let row = texts.iter().position(|t| !is_missing(t)).unwrap_or(0);
    let value = texts.into_iter().nth(row).unwrap_or_default();
    let origin = Origin { files: vec![(file.name.clone(), row + 1)] };
    Cell { row, slot: 0, value }.text_column(&origin, &column.name)
}

fn load(files: &[ParquetFile], plan: &Plan, origin: Origin) -> Result<Loaded> {
    let columns = &files[0].columns;
    let is_text = |slot: usize| {
        let feature = &plan.features[slot];
        feature.as_text || !columns[feature.position].holds.is_number()
    };
    let slots = plan.features.len();
    let (text_slots, number_slots): (Vec<usize>, Vec<usize>) =
        (0..slots).partition(|&s| is_text(s));
    let text_positions: Vec<usize> = plan
        .aside
        .iter()
        .copied()
        .chain(text_slots.iter().map(|&s| plan.features[s].position))
        .collect();
    let mut values = allocate(&origin.name(), origin.rows(), slots)?;

    let mut groups = Vec::new();
    let (mut rest, mut first_row) = (values.as_mut_slice(), 0);
    for file in files {
        for (group, &rows) in file.groups.iter().enumerate() {
            let (out, after) = rest.split_at_mut(rows * slots);
            rest = after;
            groups.push((Group { file, group, rows, first_row, slots }, out));
            first_row += rows;
        }
    }
    let found: Vec<Result<(Vec<Vec<String>>, Cells)>> = groups
        .into_par_iter()
        .map(|(group, out)| {
            let cells = group.numbers(plan, &number_slots, out)?;
            Ok((group.texts(&text_positions)?, cells))
        })
        .collect();

    let mut texts = vec![Vec::new(); text_positions.len()];
    let mut cells = Cells::default();
    for group in found {
        let (group_texts, group_cells) = group?;
        for (all, part) in texts.iter_mut().zip(group_texts) {
            all.extend(part);
        }
        cells = cells.join(group_cells);
    }
    let missing = cells.verdict(plan, &origin)?;
    let mut texts = texts.into_iter();
    let aside = |(&position, values): (&usize, Vec<String>)| Aside {
        name: columns[position].name.clone(),
        values,
    };
    let aside = plan.aside.iter().zip(&mut texts).map(aside).collect();
    let texts = text_slots.into_iter().zip(texts).collect();
    Ok(Loaded { origin, values, texts, aside, missing, notices: Vec::new() })
}

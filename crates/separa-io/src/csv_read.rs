//! Delimited text files to a table: all parts of all files are parsed at the same time.

use rayon::prelude::*;

use crate::columns::{Offer, Plan, plan};
use crate::csv_layout::{Layout, layout, prepare};
use crate::csv_parse::{Fault, Found, Oddities, Take, Task, parse};
use crate::csv_split::Part;
use crate::error::{Error, Result};
use crate::load::{Cell, Loaded, Origin, allocate, earlier, finish};
use crate::options::{Encode, ReadOptions};
use crate::prepared::{Aside, Prepared};
use crate::source::Source;

/// A file in memory.
struct Text {
    bytes: Vec<u8>,
    layout: Layout,
    parts: Vec<Part>,
}

pub(crate) fn read(sources: Vec<Source>, options: &ReadOptions) -> Result<Prepared> {
    let names: Vec<String> = sources.iter().map(|s| s.name.clone()).collect();
    let texts: Vec<Text> =
        sources.into_par_iter().map(|s| open(s, options)).collect::<Result<_>>()?;
    for (text, name) in texts.iter().zip(&names).skip(1) {
        same_columns((&names[0], &texts[0].layout), (name, &text.layout))?;
    }
    let layout = &texts[0].layout;
    let offer = Offer { file: &names[0], names: &layout.names, named: layout.named };
    let plan = plan(offer, options)?;
    let rows = |t: &Text| t.parts.iter().map(|p| p.count).sum();
    let origin = Origin { files: names.into_iter().zip(texts.iter().map(rows)).collect() };
    if origin.rows() == 0 {
        return Err(Error::HeaderOnly { file: origin.name() });
    }
    let notices = texts.iter().flat_map(|t| t.layout.notices.clone()).collect();
    let mut loaded = load(&texts, &plan, origin, options)?;
    loaded.notices = notices;
    drop(texts);
    finish(loaded, plan, options)
}

fn open(source: Source, options: &ReadOptions) -> Result<Text> {
    let name = source.name.clone();
    let bytes = prepare(&name, source.into_bytes()?)?;
    let layout = layout(&name, &bytes, options.header)?;
    let parts = layout.dialect.split(&bytes, layout.body);
    Ok(Text { bytes, layout, parts })
}

fn same_columns(first: (&str, &Layout), second: (&str, &Layout)) -> Result<()> {
    let (a, b) = (&first.1.names, &second.1.names);
    if a == b && first.1.named == second.1.named {
        return Ok(());
    }
    let detail = match a.iter().zip(b).position(|(a, b)| a != b) {
        _ if a.len() != b.len() => format!("{} against {}", a.len(), b.len()),
        Some(i) => format!("column {} is \"{}\" in one, \"{}\" in the other", i + 1, a[i], b[i]),
        None => "only one of them has a header".to_owned(),
    };
    Err(Error::SchemaDiffers { first: first.0.to_owned(), second: second.0.to_owned(), detail })
}

fn load(texts: &[Text], plan: &Plan, origin: Origin, options: &ReadOptions) -> Result<Loaded> {
    let layout = &texts[0].layout;
    let slots = plan.features.len();
    let mut takes = vec![Take::Skip; layout.names.len()];
    for (list, &position) in plan.aside.iter().enumerate() {
        takes[position] = Take::Text(list);
    }
    let mut text_slots = Vec::new();
    for (slot, feature) in plan.features.iter().enumerate() {
        takes[feature.position] = if feature.as_text {
            text_slots.push(slot);
            Take::Text(plan.aside.len() + text_slots.len() - 1)
        } else {
            Take::Number(slot)
        };
    }
    let mut values = allocate(&origin.name(), origin.rows(), slots)?;
    let lists = plan.aside.len() + text_slots.len();
    let found =
        parse_all(texts, &origin, Want { takes: &takes, slots, texts: lists }, &mut values)?;
    let mut columns = found.texts.into_iter();
    let name = |&position: &usize| layout.names[position].clone();
    let aside = plan
        .aside
        .iter()
        .zip(&mut columns)
        .map(|(p, values)| Aside { name: name(p), values })
        .collect();
    let mut text_columns: Vec<(usize, Vec<String>)> = text_slots.into_iter().zip(columns).collect();

    let verdict = judge(&found.oddities, plan, &origin, options)?;
    text_columns.extend(texts_again(texts, &origin, plan, &verdict.texts)?);
    Ok(Loaded {
        origin,
        values,
        texts: text_columns,
        aside,
        missing: verdict.missing,
        notices: Vec::new(),
    })
}

/// What to take from the parts, see [`Task`].
#[derive(Clone, Copy)]
struct Want<'a> {
    takes: &'a [Take],
    slots: usize,
    texts: usize,
}

/// Parses every part and joins what was found, in the order of the files.
fn parse_all(texts: &[Text], origin: &Origin, want: Want<'_>, values: &mut [f64]) -> Result<Found> {
    let Want { takes, slots, texts: lists } = want;
    let mut tasks = Vec::new();
    let (mut rest, mut before) = (values, 0);
    for text in texts {
        for part in &text.parts {
            let (out, after) = rest.split_at_mut(part.count * slots);
            rest = after;
            let bytes = &text.bytes[part.range.clone()];
            let first_row = before + part.first;
            let dialect = text.layout.dialect;
            tasks.push((part, Task { bytes, first_row, dialect, takes, slots, texts: lists }, out));
        }
        before += text.parts.iter().map(|p| p.count).sum::<usize>();
    }
    let results: Vec<Result<Found>> = tasks
        .into_par_iter()
        .map(|(part, task, out)| {
            parse(task, out).map_err(|fault| explain(fault, origin, part, &texts[0].layout))
        })
        .collect();
    let mut all = Found { texts: vec![Vec::new(); lists], oddities: vec![None; slots] };
    for found in results {
        let found = found?;
        for (all, list) in all.texts.iter_mut().zip(found.texts) {
            all.extend(list);
        }
        for (all, odd) in all.oddities.iter_mut().zip(found.oddities) {
            match (all, odd) {
                (Some(all), Some(odd)) => all.merge(*odd),
                (all, odd @ Some(_)) => *all = odd,
                _ => {}
            }
        }
    }
    Ok(all)
}

fn explain(fault: Fault, origin: &Origin, part: &Part, layout: &Layout) -> Error {
    match fault {
        Fault::Ragged { row, found } => {
            let (file, row) = origin.locate(row);
            Error::Ragged { file, row, found, expected: layout.names.len() }
        }
        Fault::OpenQuote { row, column } => {
            let (file, row) = origin.locate(row);
            Error::OpenQuote { file, row, column: layout.names[column].clone() }
        }
        Fault::NotUtf8 { row, position, byte } => {
            let (file, row) = origin.locate(row);
            let offset = (part.range.start + position) as u64;
            Error::NotUtf8 { file, place: format!("row {row}"), byte, offset }
        }
    }
}

/// What the fields that are not numbers make of each column.
struct Verdict {
    /// Slots of text columns.
    texts: Vec<usize>,
    missing: Option<Cell>,
}

/// How to word a complaint about a cell.
type Say = fn(&Cell, &Origin, &str) -> Error;

fn judge(
    oddities: &[Option<Box<Oddities>>],
    plan: &Plan,
    origin: &Origin,
    options: &ReadOptions,
) -> Result<Verdict> {
    let mut verdict = Verdict { texts: Vec::new(), missing: None };
    let mut worst: Option<(Cell, Say)> = None;
    let mut blame = |cell: Option<Cell>, say: Say| {
        if let Some(cell) = cell
            && worst.as_ref().is_none_or(|(other, _)| cell < *other)
        {
            worst = Some((cell, say));
        }
    };
    // Indicators of a model are read as text from the start: for it, any other text is a fault.
    let refuse = options.encode == Encode::Refuse || plan.outputs.is_some();
    for (slot, odd) in oddities.iter().enumerate() {
        let Some(odd) = odd else { continue };
        let present = origin.rows() - odd.missing.count;
        let only_booleans = odd.boolean.count == present;
        let booleans = if only_booleans { 0 } else { odd.boolean.count };
        let words = odd.text.count + booleans;
        let first = if booleans > 0 { odd.boolean.first.clone() } else { None };
        let first = earlier(odd.text.first.clone(), first);
        if words > 0 && 2 * words >= present {
            if let (true, Some(cell)) = (refuse, &first) {
                return Err(cell.text_column(origin, &plan.features[slot].name));
            }
            verdict.texts.push(slot);
            continue;
        }
        blame(first, Cell::not_a_number);
        blame(odd.infinite.first.clone(), Cell::infinite);
        blame(odd.big_integer.first.clone(), Cell::big_integer);
        verdict.missing = earlier(verdict.missing.take(), odd.missing.first.clone());
    }
    match worst {
        Some((cell, say)) => Err(say(&cell, origin, &plan.features[cell.slot].name)),
        None => Ok(verdict),
    }
}

/// Text columns are known only after a first pass; a second one collects what they say.
fn texts_again(
    texts: &[Text],
    origin: &Origin,
    plan: &Plan,
    slots: &[usize],
) -> Result<Vec<(usize, Vec<String>)>> {
    if slots.is_empty() {
        return Ok(Vec::new());
    }
    let mut takes = vec![Take::Skip; texts[0].layout.names.len()];
    for (list, &slot) in slots.iter().enumerate() {
        takes[plan.features[slot].position] = Take::Text(list);
    }
    let found =
        parse_all(texts, origin, Want { takes: &takes, slots: 0, texts: slots.len() }, &mut [])?;
    Ok(slots.iter().copied().zip(found.texts).collect())
}

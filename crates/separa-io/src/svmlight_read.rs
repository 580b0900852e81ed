//! svmlight files (`label index:value index:value … # comment`) to a sparse table.
//!
//! The feature with index i is called `xi`, with the index as written: a file that counts from 0 has a
//! feature `x0`. A model's features are found by these names, so that a file without its first index is not
//! shifted. The labels become the column `label`, kept aside.

use std::collections::TryReserveError;

use rayon::prelude::*;
use separa::preparation::MissingRule;

use crate::columns::{Offer, Plan, plan};
use crate::csv_split::{Dialect, Part};
use crate::error::{Error, Result, quoted_list, shown};
use crate::load::{Cell, Origin};
use crate::missing::{Csr, Gaps};
use crate::number::{Field, classify, decimal};
use crate::options::TableOptions;
use crate::prepared::{Aside, Prepared, Values};
use crate::source::Source;

/// Beyond this an index is more likely a fault than a feature.
const LARGEST_INDEX: u32 = 10_000_000;
/// A file of few entries can have so many features. Every feature has a name and a place in the model, whether a row has it
/// or not: a line of ten bytes could ask for gigabytes.
const FEW_FEATURES: usize = 1_000_000;
/// More features than that need entries: so many features for each.
const FEATURES_PER_ENTRY: usize = 100;
/// What a feature takes from its name to its place in a result, about (measured: 6.0 GB for 10 million).
const FEATURE_BYTES: u64 = 600;

/// Whether the first line of a text looks like svmlight rather than like delimited text.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    let lines = bytes.split(|&b| b == b'\n').filter(|line| !is_comment(line));
    let Some(Ok(line)) = lines.map(std::str::from_utf8).next() else { return false };
    let is_pair = |word: &str| {
        let (index, value) = word.split_once(':').unwrap_or_default();
        (index == "qid" || index.parse::<u32>().is_ok()) && value.parse::<f64>().is_ok()
    };
    let mut words = strip(line).split_ascii_whitespace().peekable();
    words.next_if(|word| !word.contains(':'));
    words.peek().is_some() && words.all(is_pair)
}

fn strip(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

pub(crate) fn read(source: Source, options: &TableOptions) -> Result<Prepared> {
    let file = source.name.clone();
    let bytes = source.into_bytes()?;
    let parsed = parse_all(&file, &bytes)?;
    if parsed.labels.is_empty() {
        return Err(Error::Empty { file });
    }
    check_features(&file, &parsed)?;
    let labelled = parsed.labels.iter().any(|l| !l.is_empty());
    let Columns { base, mut names, named, notices } = columns(&file, &parsed, options)?;
    let mut with_label = options.clone();
    if labelled {
        names.insert(0, "label".to_owned());
        with_label.aside.push("label".to_owned());
    }
    let mut plan = plan(Offer { file: &file, names: &names, named }, &with_label)?;
    plan.notices.extend(notices);
    let shift = usize::from(labelled);
    let origin = Origin { files: vec![(file, parsed.labels.len())] };
    let rows = parsed.labels.len();
    let aside = aside(&plan, parsed.labels, &parsed.matrix, &names, base, shift);
    let matrix = select(parsed.matrix, &plan, base, shift, names.len());
    let matrix = matrix.map_err(|_| too_large(&origin.name(), rows, names.len()))?;
    finish(matrix, aside, plan, origin, options)
}

/// The features a file offers.
struct Columns {
    /// Index of the first one.
    base: u32,
    names: Vec<String>,
    /// Whether a model knows them by these names.
    named: bool,
    notices: Vec<String>,
}

fn columns(file: &str, parsed: &Parsed, options: &TableOptions) -> Result<Columns> {
    let base = u32::from(parsed.smallest != Some(0));
    let end = parsed.largest.map_or(base, |largest| largest + 1);
    let Some(expect) = &options.expect else {
        return Ok(Columns { base, names: names(base..end), named: false, notices: Vec::new() });
    };
    let Some(known) = expect.iter().map(|name| index_of(name)).collect::<Option<Vec<u32>>>() else {
        // The model knows other names than ours: its columns are taken in order.
        let wanted = base + expect.len() as u32;
        let notices = absent(file, names(end..wanted.max(end)));
        return Ok(Columns { base, names: names(base..end.max(wanted)), named: false, notices });
    };
    let dropped = options.drop.iter().any(|name| name == "x0");
    if base == 0 && !known.contains(&0) && !dropped {
        return Err(Error::IndexZero { file: file.to_owned() });
    }
    let base = if known.contains(&0) { 0 } else { base };
    let wanted = known.iter().max().map_or(base, |largest| largest + 1);
    // Trailing features may be zero in every row of this file.
    let mut late: Vec<u32> = known.iter().copied().filter(|&index| index >= end).collect();
    late.sort_unstable();
    let mut notices = absent(file, late.into_iter().map(name).collect());
    notices.extend(unknown(file, parsed, &known, options));
    Ok(Columns { base, names: names(base..end.max(wanted)), named: true, notices })
}

pub(crate) fn name(index: u32) -> String {
    format!("x{index}")
}

fn names(indices: std::ops::Range<u32>) -> Vec<String> {
    indices.map(name).collect()
}

/// The index in a name that this reader gives.
fn index_of(text: &str) -> Option<u32> {
    let index = text.strip_prefix('x')?.parse().ok().filter(|index| *index <= LARGEST_INDEX)?;
    (name(index) == text).then_some(index)
}

fn absent(file: &str, names: Vec<String>) -> Vec<String> {
    let say = |list| format!("{file}: no row has the model's features {list}; they were read as 0");
    (!names.is_empty()).then(|| say(quoted_list(&names))).into_iter().collect()
}

/// What to say of features that the model was not fitted on.
fn unknown(file: &str, parsed: &Parsed, known: &[u32], options: &TableOptions) -> Option<String> {
    let mut place = vec![false; parsed.largest? as usize + 1];
    parsed.matrix.indices.iter().for_each(|&index| place[index as usize] = true);
    known.iter().filter(|&&index| index <= parsed.largest.unwrap_or(0)).for_each(|&index| {
        place[index as usize] = false;
    });
    let met = (0..).zip(place).filter(|(_, met)| *met).map(|(index, _)| name(index));
    let kept = [&options.truth, &options.id].into_iter().flatten();
    let named: Vec<&String> = options.drop.iter().chain(&options.aside).chain(kept).collect();
    let others: Vec<String> = met.filter(|name| !named.contains(&name)).collect();
    let list = quoted_list(&others);
    (!others.is_empty()).then(|| {
        format!("{file}: the model was not fitted on {list}; these features were left out")
    })
}

struct Parsed {
    labels: Vec<String>,
    /// With the indices of the file.
    matrix: Csr,
    smallest: Option<u32>,
    largest: Option<u32>,
}

/// Refuses a largest index that the entries do not speak for, or whose features do not fit in memory.
fn check_features(file: &str, parsed: &Parsed) -> Result<()> {
    let (rows, entries) = (parsed.labels.len(), parsed.matrix.values.len());
    let features = parsed.largest.map_or(0, |largest| largest as usize);
    if features > FEW_FEATURES.max(FEATURES_PER_ENTRY * entries) {
        let at = parsed.matrix.indices.iter().position(|&index| index as usize == features);
        let ends = &parsed.matrix.indptr;
        let row = ends.partition_point(|&end| end <= at.unwrap_or(0)) as u64;
        let what = format!(
            "holds the index {features}, too large for a file of {entries} entries: each index up to it is a feature"
        );
        return Err(Error::Svmlight { file: file.to_owned(), row, what });
    }
    match separa::MemoryBudget::free().allows(FEATURE_BYTES * features as u64) {
        true => Ok(()),
        false => Err(too_large(file, rows, features)),
    }
}

fn too_large(file: &str, rows: usize, columns: usize) -> Error {
    Error::TooLarge { file: file.to_owned(), rows, columns }
}

/// Sparse rows without any yet, with room for so many rows and entries.
fn sparse(rows: usize, entries: usize) -> std::result::Result<Csr, TryReserveError> {
    let mut matrix = Csr::default();
    matrix.indptr.try_reserve_exact(rows + 1)?;
    matrix.indices.try_reserve_exact(entries)?;
    matrix.values.try_reserve_exact(entries)?;
    matrix.indptr.push(0);
    Ok(matrix)
}

fn parse_all(file: &str, bytes: &[u8]) -> Result<Parsed> {
    let parts = Dialect { delimiter: b' ', quotes: false }.split(bytes, 0);
    let results: Vec<Result<Vec<Line>>> =
        parts.par_iter().map(|part| parse_part(file, bytes, part)).collect();
    let parts = results.into_iter().collect::<Result<Vec<_>>>()?;
    let rows = parts.iter().map(Vec::len).sum();
    let entries = parts.iter().flatten().map(|line| line.entries.len()).sum();
    let held = |_| too_large(file, rows, entries / rows.max(1));
    let mut all = Parsed {
        labels: Vec::new(),
        matrix: sparse(rows, entries).map_err(held)?,
        smallest: None,
        largest: None,
    };
    all.labels.try_reserve_exact(rows).map_err(held)?;
    let mut labelled = None;
    for line in parts.into_iter().flatten() {
        let row = all.labels.len() as u64 + 1;
        if *labelled.get_or_insert(line.label.is_some()) != line.label.is_some() {
            let what = "has a label where other rows have none, or none where they have".to_owned();
            return Err(Error::Svmlight { file: file.to_owned(), row, what });
        }
        all.labels.push(line.label.unwrap_or_default());
        for (index, value) in line.entries {
            all.smallest = Some(all.smallest.map_or(index, |s| s.min(index)));
            all.largest = Some(all.largest.map_or(index, |l| l.max(index)));
            all.matrix.indices.push(index);
            all.matrix.values.push(value);
        }
        all.matrix.indptr.push(all.matrix.values.len());
    }
    Ok(all)
}

/// One row: its label, and its entries by ascending index.
pub(crate) struct Line {
    pub label: Option<String>,
    pub entries: Vec<(u32, f64)>,
}

/// The row of a line that is no comment.
pub(crate) fn parse_text(file: &str, line: &[u8], row: u64) -> Result<Line> {
    let text = std::str::from_utf8(line).map_err(|e| Error::NotUtf8 {
        file: file.to_owned(),
        place: format!("row {row}"),
        byte: line[e.valid_up_to()],
        offset: e.valid_up_to() as u64,
    })?;
    parse_line(strip(text)).map_err(|what| Error::Svmlight { file: file.to_owned(), row, what })
}

fn parse_part(file: &str, bytes: &[u8], part: &Part) -> Result<Vec<Line>> {
    // Comments are lines but not rows: rows are counted from the start only when one is at fault.
    let row_of = |at: usize| {
        let before = bytes[..at].split(|&b| b == b'\n');
        before.filter(|l| !is_comment(l)).count() as u64 + 1
    };
    let mut lines = Vec::new();
    lines.try_reserve_exact(part.count).map_err(|_| too_large(file, part.count, 1))?;
    let mut at = part.range.start;
    for line in bytes[part.range.clone()].split(|&b| b == b'\n') {
        let start = at;
        at += line.len() + 1;
        let text = std::str::from_utf8(line).map_err(|e| Error::NotUtf8 {
            file: file.to_owned(),
            place: format!("row {}", row_of(start)),
            byte: line[e.valid_up_to()],
            offset: (start + e.valid_up_to()) as u64,
        })?;
        let text = strip(text);
        if !text.is_empty() {
            let parsed = parse_line(text);
            lines.push(parsed.map_err(|what| Error::Svmlight {
                file: file.to_owned(),
                row: row_of(start),
                what,
            })?);
        }
    }
    Ok(lines)
}

pub(crate) fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [] | [b'#', ..])
}

fn parse_line(text: &str) -> std::result::Result<Line, String> {
    let mut words = text.split_ascii_whitespace().peekable();
    let label = words.next_if(|word| !word.contains(':')).map(str::to_owned);
    let mut entries: Vec<(u32, f64)> = Vec::new();
    for word in words.filter(|word| !word.starts_with("qid:")) {
        let quoted = shown(word);
        let (index, value) = word.split_once(':').ok_or_else(|| format!("holds \"{quoted}\""))?;
        let index: u32 = index
            .parse()
            .map_err(|_| format!("holds \"{quoted}\", whose index is no whole number"))?;
        if index > LARGEST_INDEX {
            return Err(format!("holds \"{quoted}\", whose index is beyond {LARGEST_INDEX}"));
        }
        let value = match decimal(value.as_bytes(), 0) {
            Some((number, end)) if end == value.len() => number,
            _ => match classify(value) {
                Field::Number(number) => number,
                Field::Missing => f64::NAN,
                Field::Infinite => {
                    return Err(format!("holds \"{quoted}\", whose value is infinite"));
                }
                Field::BigInteger => {
                    return Err(format!("holds \"{quoted}\", an integer beyond ±2^53"));
                }
                _ => return Err(format!("holds \"{quoted}\", whose value is no number")),
            },
        };
        entries.push((index, value));
    }
    entries.sort_by_key(|e| e.0);
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(format!("gives index {} twice", pair[0].0)),
        None => Ok(Line { label, entries }),
    }
}

/// The columns kept aside: the labels, and any feature asked for by name.
fn aside(
    plan: &Plan,
    labels: Vec<String>,
    matrix: &Csr,
    names: &[String],
    base: u32,
    shift: usize,
) -> Vec<Aside> {
    let column = |position: usize| {
        let index = (position - shift) as u32 + base;
        let entry = |row: usize| {
            let range = matrix.indptr[row]..matrix.indptr[row + 1];
            matrix.indices[range.clone()]
                .binary_search(&index)
                .map_or(0.0, |i| matrix.values[range.start + i])
        };
        (0..matrix.indptr.len() - 1).map(|row| entry(row).to_string()).collect()
    };
    // Only the label is before the features, and it is kept aside once.
    let mut labels = Some(labels);
    let mut values = |position: usize| match labels.take_if(|_| position < shift) {
        Some(labels) => labels,
        None => column(position),
    };
    plan.aside.iter().map(|&p| Aside { name: names[p].clone(), values: values(p) }).collect()
}

/// Keeps the features of the plan and numbers them by their place in it.
fn select(
    matrix: Csr,
    plan: &Plan,
    base: u32,
    shift: usize,
    columns: usize,
) -> std::result::Result<Csr, TryReserveError> {
    let mut place = vec![u32::MAX; columns];
    for (slot, feature) in plan.features.iter().enumerate() {
        place[feature.position] = slot as u32;
    }
    let mut selected = sparse(matrix.indptr.len() - 1, matrix.values.len())?;
    let mut row = Vec::new();
    for bounds in matrix.indptr.windows(2) {
        let entries = bounds[0]..bounds[1];
        row.clear();
        row.extend(
            entries.map(|e| (place[(matrix.indices[e] - base) as usize + shift], matrix.values[e])),
        );
        row.retain(|&(slot, value)| slot != u32::MAX && value != 0.0);
        row.sort_by_key(|&(slot, _)| slot);
        selected.indices.extend(row.iter().map(|e| e.0));
        selected.values.extend(row.iter().map(|e| e.1));
        selected.indptr.push(selected.values.len());
    }
    Ok(selected)
}

fn finish(
    matrix: Csr,
    mut aside: Vec<Aside>,
    plan: Plan,
    origin: Origin,
    options: &TableOptions,
) -> Result<Prepared> {
    let names: Vec<String> = match plan.outputs {
        Some(outputs) => outputs.into_iter().map(|o| o.name).collect(),
        None => plan.features.into_iter().map(|f| f.name).collect(),
    };
    let mut notices = plan.notices;
    let gap = matrix.values.iter().position(|v| v.is_nan());
    let mut gaps = Gaps { origin: &origin, names: &names, notices: &mut notices };
    let rule = options.missing.unwrap_or(MissingRule::Refuse);
    let (matrix, source_rows) = match (gap, rule) {
        (None, _) => (matrix, Vec::new()),
        (Some(entry), MissingRule::Refuse) => {
            let row = matrix.indptr.partition_point(|&end| end <= entry) - 1;
            let slot = matrix.indices[entry] as usize;
            return Err(Cell { row, slot, value: "NaN".to_owned() }.missing(&origin, &names[slot]));
        }
        (Some(_), MissingRule::Mean) => (gaps.fill_sparse(matrix)?, Vec::new()),
        (Some(_), MissingRule::Drop) => gaps.drop_sparse(&matrix, &mut aside)?,
        (Some(_), MissingRule::Median | MissingRule::Nearest) => {
            let what = "missing values of sparse rows cannot be filled by this rule".to_owned();
            let expected = "expected --missing mean or --missing drop".to_owned();
            return Err(Error::Unsupported { file: origin.name(), what, expected });
        }
    };
    let rows = matrix.indptr.len() - 1;
    let Csr { indptr, indices, values } = matrix;
    Ok(Prepared {
        names,
        values: Values::Sparse { indptr, indices, values },
        rows,
        aside,
        source_rows,
        notices,
        preparation: None,
    })
}

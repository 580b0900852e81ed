//! A preparation applied to a table: the same for the rows it was decided on and for new ones.

use std::collections::HashMap;
use std::f64::consts::TAU;

use rayon::prelude::*;
use separa::preparation::{Encoding, Preparation};

use super::decide::same_word;
use super::reshape::{Gap, Reshape};
use super::texts;
use crate::error::{Error, Result, quoted_list};
use crate::number::{Field, classify};
use crate::table::{Column, Held, Table, Words};

/// The value of a word that has no place in its encoding.
const UNKNOWN: f64 = -1.0;

/// Features of a table, with its gaps still open.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// Row by row, with what missing values become already in place.
    pub values: Vec<f64>,
    pub width: usize,
    /// Which values are missing: row, and feature column among those of the preparation.
    pub gaps: Vec<Gap>,
    /// Words that the preparation does not know, by column.
    pub unknown: Vec<(String, Vec<String>)>,
}

/// One column's values, before they are spread over features.
enum Values {
    Slot(usize),
    /// By the code of a text in this list.
    Mapped {
        list: usize,
        values: Vec<f64>,
    },
    /// By the bits of a number.
    Looked {
        slot: usize,
        values: HashMap<u64, f64>,
    },
}

/// Makes the features of a table, in the memory of its numbers.
pub(crate) fn encode(
    mut table: Table,
    preparation: &Preparation,
    positions: &[usize],
) -> Result<Encoded> {
    table.check_room()?;
    let encodings: Vec<&Encoding> = preparation.features().map(|(_, encoding)| encoding).collect();
    let mut unknown = Vec::new();
    let mut sources = Vec::new();
    for (&position, encoding) in positions.iter().zip(&encodings) {
        let column = &table.columns[position];
        let (values, strange) = values(&table, column, encoding)?;
        if !strange.is_empty() {
            unknown.push((column.name.clone(), strange));
        }
        sources.push(values);
    }
    let width: usize = encodings.iter().map(|e| e.width()).sum();
    let steps = steps(sources, &encodings);
    let mut values = std::mem::take(&mut table.numbers);
    let gaps = match &steps[..] {
        [Step::Run { from: 0, fills, .. }] if fills.len() == table.width => {
            fill_in_place(&mut values, fills)
        }
        _ => {
            let (rows, from) = (table.rows(), table.width);
            let shape = Reshape { source: table.source(), rows, from, to: width };
            shape.run(&mut values, |row, numbers, out, gaps| {
                let row = Row { place: row, numbers, words: &table.words };
                steps.iter().for_each(|step| step.write(row, out, gaps));
            })?
        }
    };
    Ok(Encoded { values, width, gaps, unknown })
}

/// A row of the table.
#[derive(Clone, Copy)]
struct Row<'a> {
    place: usize,
    numbers: &'a [f64],
    words: &'a [Words],
}

/// How some features of a row are made.
enum Step<'a> {
    /// Numbers that stand beside each other in the table, and so do their features.
    Run { from: usize, at: usize, feature: usize, fills: Vec<f64> },
    /// One column, spread over its features.
    Spread { source: Values, encoding: &'a Encoding, at: usize, feature: usize },
}

fn steps<'a>(sources: Vec<Values>, encodings: &[&'a Encoding]) -> Vec<Step<'a>> {
    let (mut steps, mut at): (Vec<Step<'a>>, usize) = (Vec::new(), 0);
    for (feature, (source, &encoding)) in sources.into_iter().zip(encodings).enumerate() {
        match (source, encoding, steps.last_mut()) {
            (
                Values::Slot(slot),
                Encoding::Number { fill, .. },
                Some(Step::Run { from, fills, .. }),
            ) if *from + fills.len() == slot => {
                fills.push(*fill);
            }
            (Values::Slot(slot), Encoding::Number { fill, .. }, _) => {
                steps.push(Step::Run { from: slot, at, feature, fills: vec![*fill] });
            }
            (source, encoding, _) => steps.push(Step::Spread { source, encoding, at, feature }),
        }
        at += encoding.width();
    }
    steps
}

impl Step<'_> {
    /// Writes this step's features of a row; gaps are noted and filled.
    fn write(&self, row: Row<'_>, out: &mut [f64], gaps: &mut Vec<Gap>) {
        match self {
            Self::Run { from, at, feature, fills } => {
                let out = &mut out[*at..at + fills.len()];
                out.copy_from_slice(&row.numbers[*from..from + fills.len()]);
                fill_row(out, fills, |j| gaps.push((row.place, feature + j)));
            }
            Self::Spread { source, encoding, at, feature } => {
                let value = source.get(row);
                if !value.is_finite() {
                    gaps.push((row.place, *feature));
                }
                spread(encoding, value, &mut out[*at..at + encoding.width()]);
            }
        }
    }
}

impl Values {
    fn get(&self, row: Row<'_>) -> f64 {
        match self {
            Self::Slot(slot) => row.numbers[*slot],
            Self::Mapped { list, values } => {
                let code = row.words[*list].codes[row.place];
                values.get(code as usize).copied().unwrap_or(f64::NAN)
            }
            Self::Looked { slot, values } => {
                values.get(&row.numbers[*slot].to_bits()).copied().unwrap_or(f64::NAN)
            }
        }
    }
}

/// Fills gaps where they are; returns them.
fn fill_in_place(values: &mut [f64], fills: &[f64]) -> Vec<Gap> {
    const PART: usize = 1 << 12;
    let width = fills.len().max(1);
    let found: Vec<Vec<Gap>> = values
        .par_chunks_mut(PART * width)
        .enumerate()
        .map(|(part, rows)| {
            let mut gaps = Vec::new();
            for (i, row) in rows.chunks_exact_mut(width).enumerate() {
                fill_row(row, fills, |j| gaps.push((part * PART + i, j)));
            }
            gaps
        })
        .collect();
    found.concat()
}

/// Fills what is missing in a row; `gap` hears where.
fn fill_row(row: &mut [f64], fills: &[f64], mut gap: impl FnMut(usize)) {
    // One fold per row, so that rows without gaps stay a vector loop.
    if row.iter().fold(0.0, |sum, v| sum + 0.0 * v) == 0.0 {
        return;
    }
    for (j, (value, fill)) in row.iter_mut().zip(fills).enumerate() {
        if !value.is_finite() {
            *value = *fill;
            gap(j);
        }
    }
}

/// One value over the features of its column.
pub(crate) fn spread(encoding: &Encoding, value: f64, out: &mut [f64]) {
    let missing = !value.is_finite();
    match encoding {
        Encoding::Number { fill, .. }
        | Encoding::Boolean { fill, .. }
        | Encoding::Ordered { fill, .. } => {
            out[0] = if missing { *fill } else { value };
        }
        Encoding::OneHot { levels, fill, .. } => {
            out.fill(0.0);
            let place = match missing {
                true => levels.iter().position(|l| l == fill),
                false => usize::try_from(value as i64).ok(),
            };
            if let Some(place) = place.filter(|p| *p < out.len()) {
                out[place] = 1.0;
            }
        }
        Encoding::Date { origin, cycles, fill, .. } => {
            let seconds = if missing { *fill } else { value };
            out[0] = (seconds - origin) / 86_400.0;
            for (pair, cycle) in out[1..].chunks_exact_mut(2).zip(cycles) {
                let turns = seconds / 86_400.0 / cycle.days();
                let angle = TAU * turns.rem_euclid(1.0);
                pair[0] = angle.sin();
                pair[1] = angle.cos();
            }
        }
    }
}

/// A column's values as its encoding takes them, and the words that it does not know.
fn values(table: &Table, column: &Column, encoding: &Encoding) -> Result<(Values, Vec<String>)> {
    match (&column.held, encoding) {
        (Held::Unreadable(what), _) => Err(Error::UnreadableColumn {
            file: table.source().to_owned(),
            column: column.name.clone(),
            what: what.clone(),
            in_model: true,
        }),
        (Held::Words(at), _) => {
            let words = &table.words[*at];
            let (mut values, mut strange) = (Vec::with_capacity(words.levels.len()), Vec::new());
            for level in &words.levels {
                let value = word_value(encoding, level);
                if value.is_nan() || value == UNKNOWN && matches!(encoding, Encoding::OneHot { .. })
                {
                    strange.push(level.clone());
                }
                values.push(value);
            }
            // Numbers that are no numbers were said when the preparation was made.
            Ok((Values::Mapped { list: *at, values }, strange))
        }
        (
            Held::Numbers(slot) | Held::Booleans(slot),
            Encoding::Number { .. } | Encoding::Boolean { .. },
        ) => Ok((Values::Slot(*slot), Vec::new())),
        (Held::Times(slot, _), Encoding::Date { .. }) => Ok((Values::Slot(*slot), Vec::new())),
        (Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _), _) => {
            let (slot, mut values, mut strange) = (*slot, HashMap::new(), Vec::new());
            // Few different numbers stand for words; each becomes text once.
            for number in table.number(slot).filter(|n| n.is_finite()) {
                values.entry(number.to_bits()).or_insert_with(|| {
                    let text = column.text(number);
                    let value = word_value(encoding, &text);
                    if value.is_nan() || value == UNKNOWN {
                        strange.push(text);
                    }
                    value
                });
            }
            Ok((Values::Looked { slot, values }, strange))
        }
    }
}

/// What a text is worth in an encoding; NaN if it is nothing there.
pub(crate) fn word_value(encoding: &Encoding, text: &str) -> f64 {
    match encoding {
        Encoding::Number { style, .. } => match classify(text) {
            Field::Number(value) if !style.decimal_comma => value,
            Field::Boolean(truth) => f64::from(u8::from(truth)),
            _ => texts::number(text, style).unwrap_or(f64::NAN),
        },
        Encoding::Boolean { yes, no, .. } => {
            let has = |words: &[String]| words.iter().any(|w| same_word(w, text));
            match (has(yes), has(no)) {
                (true, _) => 1.0,
                (_, true) => 0.0,
                _ => f64::NAN,
            }
        }
        Encoding::Ordered { levels, .. } => {
            levels.iter().position(|l| same_word(l, text)).map_or(f64::NAN, |p| p as f64)
        }
        Encoding::OneHot { levels, base, other, .. } => match levels.iter().position(|l| l == text)
        {
            Some(place) => place as f64,
            // A place beyond the last feature sets none.
            None if base.as_deref() == Some(text) => levels.len() as f64,
            None if *other => levels.len() as f64,
            None => UNKNOWN,
        },
        Encoding::Date { day_first, .. } => texts::date(text, *day_first).map_or(f64::NAN, |d| d.0),
    }
}

/// What to say of words that a model does not know.
pub(crate) fn unknown_notices(
    unknown: &[(String, Vec<String>)],
    model: &Preparation,
) -> Vec<String> {
    let what = |column: &String| {
        let known = model.features().find(|(c, _)| c.name == *column).map(|(_, encoding)| encoding);
        match known {
            Some(Encoding::Number { .. }) => ("are no numbers", "missing"),
            Some(Encoding::Date { .. }) => ("are no dates", "missing"),
            Some(Encoding::Boolean { .. } | Encoding::Ordered { .. }) => {
                ("the model was not fitted on", "missing")
            }
            _ => ("the model was not fitted on", "none of the known ones"),
        }
    };
    let notice = |(column, words): &(String, Vec<String>)| {
        let (why, taken) = what(column);
        format!(
            "column \"{column}\" holds values that {why} ({}): taken for {taken}",
            quoted_list(words)
        )
    };
    unknown.iter().map(notice).collect()
}

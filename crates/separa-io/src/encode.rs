//! Text columns to 0/1 indicator columns.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::columns::{Output, Plan};
use crate::error::{Error, Result, quoted_list};
use crate::load::{Cell, Loaded, Origin, allocate};
use crate::number::is_missing;

/// More levels than this are more likely a name or an address than a category.
const MOST_LEVELS: usize = 1000;
const MISSING: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

/// The columns of the result and its values, NaN where a value is missing.
pub(crate) fn encode(
    loaded: Loaded,
    plan: Plan,
    origin: &Origin,
    notices: &mut Vec<String>,
) -> Result<(Vec<String>, Vec<f64>)> {
    let from_model = plan.outputs.is_some();
    let outputs = match plan.outputs {
        Some(outputs) => outputs,
        None => free_outputs(&plan, &loaded, origin)?,
    };
    let names: Vec<String> = outputs.iter().map(|o| o.name.clone()).collect();
    // Slots are in the order of the outputs, so without text there is nothing to move.
    if loaded.texts.is_empty() {
        return Ok((names, loaded.values));
    }
    check_names(&names, origin)?;
    let columns: Vec<Column> =
        loaded.texts.iter().map(|(slot, texts)| code(*slot, texts, &outputs)).collect();
    if from_model {
        for column in &columns {
            notices.extend(column.unseen_notice(&plan.features[column.slot].name));
        }
    }
    let values = fill(&outputs, &columns, &loaded, plan.features.len(), origin)?;
    Ok((names, values))
}

/// The first missing value among the text features.
pub(crate) fn first_missing(texts: &[(usize, Vec<String>)]) -> Option<Cell> {
    let first = |(slot, values): &(usize, Vec<String>)| {
        let row = values.iter().position(|v| is_missing(v))?;
        Some(Cell { row, slot: *slot, value: values[row].clone() })
    };
    texts.iter().filter_map(first).min()
}

/// Without a model the values met decide which indicators there are.
fn free_outputs(plan: &Plan, loaded: &Loaded, origin: &Origin) -> Result<Vec<Output>> {
    let mut outputs = Vec::new();
    for (slot, feature) in plan.features.iter().enumerate() {
        let Some((_, texts)) = loaded.texts.iter().find(|(s, _)| *s == slot) else {
            outputs.push(Output { name: feature.name.clone(), slot, level: None });
            continue;
        };
        let levels: BTreeSet<&str> =
            texts.iter().map(|t| t.trim()).filter(|t| !is_missing(t)).collect();
        let (file, column) = (origin.name(), feature.name.clone());
        if levels.is_empty() {
            return Err(Error::NoMean { file, column, in_model: false });
        }
        if levels.len() > MOST_LEVELS {
            return Err(Error::TooManyLevels {
                file,
                column,
                levels: levels.len(),
                limit: MOST_LEVELS,
            });
        }
        outputs.extend(levels.into_iter().map(|level| Output {
            name: format!("{}={level}", feature.name),
            slot,
            level: Some(level.to_owned()),
        }));
    }
    Ok(outputs)
}

/// A text feature with each value replaced by the output that indicates it.
struct Column {
    slot: usize,
    codes: Vec<u32>,
    unseen: Vec<String>,
}

fn code(slot: usize, texts: &[String], outputs: &[Output]) -> Column {
    let of_slot = outputs.iter().enumerate().filter(|(_, o)| o.slot == slot);
    let mut known: HashMap<&str, u32> =
        of_slot.filter_map(|(i, o)| Some((o.level.as_deref()?, i as u32))).collect();
    let mut unseen = Vec::new();
    let mut code_of = |text: &'_ String| -> u32 {
        let text = text.trim();
        if is_missing(text) {
            return MISSING;
        }
        known.get(text).copied().unwrap_or(UNKNOWN)
    };
    let codes: Vec<u32> = texts.iter().map(&mut code_of).collect();
    for (text, _) in texts.iter().zip(&codes).filter(|(_, c)| **c == UNKNOWN) {
        // Each unseen value once.
        if known.insert(text.trim(), UNKNOWN).is_none() {
            unseen.push(text.trim().to_owned());
        }
    }
    Column { slot, codes, unseen }
}

impl Column {
    fn unseen_notice(&self, name: &str) -> Option<String> {
        (!self.unseen.is_empty()).then(|| {
            format!(
                "column \"{name}\" holds values the model was not fitted on ({}): their indicators are all 0",
                quoted_list(&self.unseen)
            )
        })
    }
}

fn fill(
    outputs: &[Output],
    columns: &[Column],
    loaded: &Loaded,
    slots: usize,
    origin: &Origin,
) -> Result<Vec<f64>> {
    let column_of: Vec<Option<&Column>> = outputs
        .iter()
        .map(|o| o.level.as_ref().and_then(|_| columns.iter().find(|c| c.slot == o.slot)))
        .collect();
    let mut values = allocate(&origin.name(), origin.rows(), outputs.len())?;
    values.par_chunks_exact_mut(outputs.len()).enumerate().for_each(|(row, out)| {
        for (i, (value, output)) in out.iter_mut().zip(outputs).enumerate() {
            *value = match column_of[i] {
                None => loaded.values[row * slots + output.slot],
                Some(column) if column.codes[row] == MISSING => f64::NAN,
                Some(column) => f64::from(u8::from(column.codes[row] == i as u32)),
            };
        }
    });
    Ok(values)
}

/// A column may already be called like an indicator.
fn check_names(names: &[String], origin: &Origin) -> Result<()> {
    let mut first = HashMap::new();
    for (second, name) in names.iter().enumerate() {
        if let Some(first) = first.insert(name, second) {
            let (file, name) = (origin.name(), name.clone());
            return Err(Error::DuplicateColumn {
                file,
                name,
                first: first + 1,
                second: second + 1,
                hint: "",
            });
        }
    }
    Ok(())
}

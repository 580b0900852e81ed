//! Which columns of a file are features, which are kept aside, and in what order.

use std::collections::{HashMap, HashSet};

use crate::error::{Error, Result};
use crate::options::{TableOptions, unknown_column};
use separa::nearest_name;

/// The columns a file offers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer<'a> {
    pub file: &'a str,
    pub names: &'a [String],
    /// False when the names were made up from positions (`x1`, `x2`, …).
    pub named: bool,
}

/// What to read.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Columns to read as features; a feature's place here is its slot.
    pub features: Vec<Feature>,
    /// Positions of the columns to keep aside.
    pub aside: Vec<usize>,
    /// The columns of the result when a model dictates them; otherwise they follow from the data.
    pub outputs: Option<Vec<Output>>,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Feature {
    pub name: String,
    /// Position in the file.
    pub position: usize,
    /// Read as text whatever it looks like, because a model knows it by its indicators.
    pub as_text: bool,
}

/// A column of the result: a numeric feature, or the indicator of one value of a text feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    pub name: String,
    pub slot: usize,
    pub level: Option<String>,
}

/// Gives every column its role.
pub(crate) fn plan(offer: Offer<'_>, options: &TableOptions) -> Result<Plan> {
    check_duplicates(offer)?;
    let index: HashMap<&str, usize> =
        offer.names.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
    let find = |name: &String, option| {
        index.get(name.as_str()).copied().ok_or_else(|| unknown(offer, name, option))
    };

    let mut aside: Vec<(usize, &'static str)> = Vec::new();
    let kept =
        options.truth.iter().map(|n| (n, "--truth")).chain(options.id.iter().map(|n| (n, "--id")));
    for (name, option) in kept.chain(options.aside.iter().map(|n| (n, "the columns kept aside"))) {
        let position = find(name, option)?;
        if aside.iter().all(|&(p, _)| p != position) {
            aside.push((position, option));
        }
    }
    let mut dropped = HashSet::new();
    for name in &options.drop {
        dropped.insert(find(name, "--drop")?);
    }

    let mut chosen: Vec<usize> = Vec::new();
    let mut seen = HashSet::new();
    for name in &options.features {
        let position = find(name, "--features")?;
        let other = aside.iter().find(|&&(p, _)| p == position).map(|&(_, option)| option);
        if let Some(first) = other.or(dropped.contains(&position).then_some("--drop")) {
            return Err(Error::RoleConflict { name: name.clone(), first, second: "--features" });
        }
        if seen.insert(position) {
            chosen.push(position);
        }
    }
    if options.features.is_empty() && !options.only_aside {
        let taken: HashSet<usize> = aside.iter().map(|&(p, _)| p).collect();
        chosen =
            (0..offer.names.len()).filter(|p| !taken.contains(p) && !dropped.contains(p)).collect();
    }

    let mut plan = match &options.expect {
        None => free_plan(offer, &chosen),
        Some(expect) => model_plan(offer, &chosen, expect)?,
    };
    if plan.features.is_empty() && !options.only_aside {
        return Err(Error::NoFeatures { file: offer.file.to_owned() });
    }
    plan.aside = aside.into_iter().map(|(p, _)| p).collect();
    Ok(plan)
}

fn free_plan(offer: Offer<'_>, chosen: &[usize]) -> Plan {
    let feature = |&position: &usize| Feature {
        name: offer.names[position].clone(),
        position,
        as_text: false,
    };
    Plan { features: chosen.iter().map(feature).collect(), ..Plan::default() }
}

/// The columns a fitted model wants, in its order.
fn model_plan(offer: Offer<'_>, chosen: &[usize], expect: &[String]) -> Result<Plan> {
    let by_name: HashMap<&str, usize> =
        chosen.iter().map(|&p| (offer.names[p].as_str(), p)).collect();
    if !offer.named {
        return by_position(offer, chosen, expect);
    }
    // A column that the model knows as numbers cannot be the text behind an indicator too.
    let numeric: HashSet<&str> = expect.iter().map(String::as_str).collect();
    let mut plan = Plan::default();
    let mut slots: HashMap<usize, usize> = HashMap::new();
    let mut outputs = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    for name in expect {
        let found = match by_name.get(name.as_str()) {
            Some(&position) => Some((position, None)),
            None => {
                indicator(name, |col| by_name.get(col).copied().filter(|_| !numeric.contains(col)))
            }
        };
        let Some((position, level)) = found else {
            if !missing.contains(name) {
                missing.push(name.clone());
            }
            continue;
        };
        let as_text = level.is_some();
        let slot = *slots.entry(position).or_insert_with(|| {
            plan.features.push(Feature { name: offer.names[position].clone(), position, as_text });
            plan.features.len() - 1
        });
        outputs.push(Output { name: name.clone(), slot, level });
    }
    if !missing.is_empty() {
        let free = chosen.iter().filter(|p| !slots.contains_key(*p));
        let free: Vec<&String> = free.map(|&p| &offer.names[p]).collect();
        let detail = listed(&missing, &free);
        return Err(Error::MissingColumns { file: offer.file.to_owned(), detail });
    }
    plan.outputs = Some(outputs);
    Ok(plan)
}

/// The columns a model misses, each with what may have been meant among those it has no use for.
pub(crate) fn listed(missing: &[String], free: &[&String]) -> String {
    const SHOWN: usize = 10;
    // Indicators `col=value` are missing together: their text column is named once.
    let mut sources: Vec<(&str, bool)> = Vec::new();
    for name in missing {
        let source = name.split_once('=').map_or((name.as_str(), false), |(col, _)| (col, true));
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    let word = |&(name, text): &(&str, bool)| {
        let kind = if text { " (text)" } else { "" };
        let hint = nearest_name(name, free.iter().map(|n| n.as_str()));
        let hint = hint.map_or(String::new(), |n| format!(" (did you mean \"{n}\"?)"));
        format!("\"{name}\"{kind}{hint}")
    };
    let words: Vec<String> = sources.iter().take(SHOWN).map(word).collect();
    let rest = sources.len().saturating_sub(SHOWN);
    let tail = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{tail}", words.join(", "))
}

/// `col=value` with the longest `col` that is a column.
pub(crate) fn indicator(
    name: &str,
    find: impl Fn(&str) -> Option<usize>,
) -> Option<(usize, Option<String>)> {
    name.rmatch_indices('=')
        .find_map(|(at, _)| Some((find(&name[..at])?, Some(name[at + 1..].to_owned()))))
}

/// A table without names can only be matched to a model by position.
fn by_position(offer: Offer<'_>, chosen: &[usize], expect: &[String]) -> Result<Plan> {
    if chosen.len() != expect.len() {
        let detail = "; the table has no column names, so the numbers must be equal".to_owned();
        let (file, table, model) = (offer.file.to_owned(), chosen.len(), expect.len());
        return Err(Error::ModelColumns { file, table, model, detail });
    }
    let mut plan = free_plan(offer, chosen);
    if plan.features.iter().zip(expect).any(|(f, e)| f.name != *e) {
        plan.notices.push(format!(
            "{}: the table has no column names; its columns were taken in the order of the model's",
            offer.file
        ));
    }
    let output = |(slot, name): (usize, &String)| Output { name: name.clone(), slot, level: None };
    plan.outputs = Some(expect.iter().enumerate().map(output).collect());
    Ok(plan)
}

fn check_duplicates(offer: Offer<'_>) -> Result<()> {
    let mut first = HashMap::new();
    for (second, name) in offer.names.iter().enumerate() {
        if let Some(first) = first.insert(name.as_str(), second) {
            let numeric = name.trim().parse::<f64>().is_ok();
            let hint = if numeric { ", or use --no-header if the first row is data" } else { "" };
            let (file, name) = (offer.file.to_owned(), name.clone());
            return Err(Error::DuplicateColumn {
                file,
                name,
                first: first + 1,
                second: second + 1,
                hint,
            });
        }
    }
    Ok(())
}

fn unknown(offer: Offer<'_>, name: &str, option: &'static str) -> Error {
    unknown_column(offer.file, offer.names, name, option)
}

/// Names made up from positions.
pub(crate) fn positional(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("x{i}")).collect()
}

//! `separa explain MODEL INPUT --row N`: why rows are in their clusters, and what would move them.

use crate::args::ExplainArgs;
use crate::failure::{ExitCode, Failure, Result};
use crate::table::Input;
use crate::text::{self, number};
use separa::model_file::Saved;
use separa::{ExplainOptions, Explanation};
use separa_report::Explained;
use serde_json::{Map, Value, json};

pub fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let saved = args.new.load()?;
    let input = args.new.read(&saved)?;
    let data = input.dataset()?;
    let mut rows = Vec::new();
    for number in &args.row {
        rows.push(by_number(&input, *number)?);
    }
    for id in &args.row_id {
        rows.push(by_id(&input, id)?);
    }
    let options = ExplainOptions { seed: saved.seed(), background: None };
    let found = saved.explain(&data, &rows, &options).map_err(|e| input.wrong(e))?;
    match args.json {
        true => text::print_json(&answer(&saved, &input, &found))?,
        false => show(&saved, &input, &found)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The place of a row that is named by its number in the file, as in messages.
fn by_number(input: &Input, wanted: u64) -> Result<usize> {
    let rows = input.table.rows;
    let found = (0..rows).find(|&i| input.table.source_row(i) == wanted);
    found.ok_or_else(|| {
        let last = (0..rows).map(|i| input.table.source_row(i)).max().unwrap_or(0);
        let why = match wanted >= 1 && wanted <= last {
            true => {
                "was left out because of its missing values; fill them, e.g. by --missing nearest"
                    .to_owned()
            }
            false => format!("is not in the table, expected a number from 1 to {last}"),
        };
        Failure::new(format!("{}: row {wanted} {why}", input.name))
    })
}

/// The place of a row that is named by the column of ids.
fn by_id(input: &Input, wanted: &str) -> Result<usize> {
    let Some(column) = input.id() else {
        return Err(Failure::new(format!(
            "{}: no column names the rows, so there is no row \"{wanted}\"; name the column with --id, or the row by its \
             number with --row",
            input.name
        )));
    };
    let names = input.column(column);
    let mut places = (0..names.len()).filter(|&i| names[i].trim() == wanted.trim());
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(one), Some(two)) => Err(Failure::new(format!(
            "{}: column \"{column}\" holds \"{wanted}\" more than once (rows {} and {}); name the row by its number with --row",
            input.name,
            input.table.source_row(one),
            input.table.source_row(two)
        ))),
        (None, _) => {
            let all = names.iter().map(String::as_str);
            let near = separa::nearest_name(wanted, all);
            let hint = match (near, names.first()) {
                (Some(near), _) => format!(", did you mean \"{near}\"?"),
                (None, Some(first)) => {
                    format!(", expected one of its values, e.g. \"{}\"", first.trim())
                }
                (None, None) => String::new(),
            };
            Err(Failure::new(format!(
                "{}: no row has \"{wanted}\" in column \"{column}\"{hint}",
                input.name
            )))
        }
    }
}

/// The name of a class, or the one that a user gave to a cluster.
fn name(saved: &Saved, c: i32) -> Option<&String> {
    match saved {
        Saved::Clustering(found) => found.names().get(&(c as usize)),
        Saved::Trained(trained) => trained.classes().get(c as usize),
    }
}

fn show(saved: &Saved, input: &Input, found: &[Explanation]) -> Result<()> {
    let ids = input.id().map(|column| input.column(column));
    let row = |i: usize| match ids {
        Some(ids) => format!("{} ({})", input.table.source_row(i), ids[i].trim()),
        None => input.table.source_row(i).to_string(),
    };
    let cluster = |c: i32| match saved {
        Saved::Clustering(found) => format!("cluster {}", found.called(c)),
        Saved::Trained(_) => format!("class {}", name(saved, c).map_or("", String::as_str)),
    };
    let kind = if saved.trained().is_some() { "class" } else { "cluster" };
    let kinds = match (kind, saved.k()) {
        ("class", k) if k != 1 => format!("{} classes", number::count(k)),
        (kind, k) => number::counted(k, kind),
    };
    text::show(&separa_report::explain(&Explained {
        input: &input.name,
        method: &format!("{}, {kinds}", saved.method_name()),
        row: &row,
        cluster: &cluster,
        rows: found,
    }))
}

/// Rows by their number in the file, and with their ids.
fn answer(saved: &Saved, input: &Input, found: &[Explanation]) -> Value {
    let ids = input.id().map(|column| input.column(column));
    let place = |value: &mut Map<String, Value>, i: usize| {
        value.insert("row".into(), input.table.source_row(i).into());
        if let Some(ids) = ids {
            value.insert("id".into(), ids[i].trim().into());
        }
    };
    let of_row = |found: &Explanation| {
        let mut value = json!(found);
        if let Value::Object(facts) = &mut value {
            place(facts, found.row);
            for (key, c) in [("cluster_name", found.cluster), ("runner_up_name", found.runner_up)] {
                if let Some(name) = name(saved, c) {
                    facts.insert(key.into(), name.clone().into());
                }
            }
            let near = facts.get_mut("exemplars").and_then(Value::as_array_mut);
            for (value, near) in near.into_iter().flatten().zip(&found.exemplars) {
                if let Value::Object(facts) = value {
                    place(facts, near.row);
                }
            }
        }
        value
    };
    json!({
        "separa": env!("CARGO_PKG_VERSION"),
        "method": saved.method_name(),
        "explanations": found.iter().map(of_row).collect::<Vec<_>>(),
    })
}

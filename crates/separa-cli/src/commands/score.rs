//! `separa score INPUT --labels COL`: the quality of any labelling.

use crate::args::ScoreArgs;
use crate::failure::{ExitCode, Failure, Result};
use crate::lake;
use crate::table::{self, Input};
use crate::text::{self, number};
use separa::note::{codes, thousands};
use separa::quality::{self, AssessOptions, Quality};
use separa::{MemoryBudget, Note, StreamFacts};
use separa_io::TableOptions;
use separa_report::{Scored, Truth};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;

#[derive(Debug, Serialize)]
struct ScoreAnswer {
    separa: &'static str,
    n: usize,
    d: usize,
    k: usize,
    /// The labels as they stand in the column, in the order of `sizes` and of the numbers in `pairs`.
    labels: Vec<String>,
    sizes: Vec<usize>,
    quality: Quality,
    truth: Option<Value>,
    /// Only of a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<StreamFacts>,
    notes: Vec<Note>,
}

pub fn run(args: &ScoreArgs) -> Result<ExitCode> {
    if !(args.reg >= 0.0 && args.reg.is_finite()) {
        return Err(Failure::new(format!("--reg must be a number, 0 or more, got {}", args.reg)));
    }
    let options =
        TableOptions { truth: args.truth.clone(), ..args.columns.complete(args.input.options()) };
    let (input, stream) = read(args, options)?;
    let (mut answer, truth) = assess(args, &input)?;
    if let Some((facts, said)) = stream {
        answer.stream = Some(facts);
        if !args.run.quiet {
            text::notice(&said.text);
        }
        answer.notes.insert(0, said);
    }
    match args.json {
        true => text::print_json(&answer)?,
        false => text::show(&separa_report::score(&Scored {
            input: &input.name,
            n: answer.n,
            d: answer.d,
            by: &args.labels,
            names: &answer.labels,
            columns: &input.table.names,
            sizes: &answer.sizes,
            quality: &answer.quality,
            reg: args.reg,
            truth: truth.as_ref(),
            cautions: &[quality::labels_as_given().text],
        }))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The table, or a sample of one that exceeds the memory, with what to say of it.
fn read(args: &ScoreArgs, options: TableOptions) -> Result<(Input, Option<(StreamFacts, Note)>)> {
    let (name, quiet) = (&args.input.input, args.run.quiet);
    let with = TableOptions { aside: vec![args.labels.clone()], ..options.clone() };
    let free = MemoryBudget::free();
    let opened = match lake::open(name, &with, args.stream, free) {
        // Read whole, it is named with the option.
        Err(_) if !args.stream => None,
        found => found?,
    };
    let Some(mut blocks) = opened else {
        let kept = [("--labels", Some(&args.labels))];
        return Ok((table::read(name, options, &kept, quiet)?, None));
    };
    let input = lake::sample(name, &mut blocks, &with, free, args.seed, quiet)?;
    let facts = StreamFacts {
        all_rows: false,
        sample_rows: input.table.rows,
        passes: 1,
        msp_rows: Some(input.table.rows),
    };
    let text = format!(
        "streamed: judged on a sample of {} of {}",
        thousands(input.table.rows),
        number::counted(blocks.rows(), "row")
    );
    Ok((input, Some((facts, Note::notice(codes::STREAMED, text)))))
}

fn assess(args: &ScoreArgs, input: &Input) -> Result<(ScoreAnswer, Option<Truth>)> {
    let (labels, names) = labels(input, &args.labels)?;
    let data = input.dataset()?;
    let options = AssessOptions { reg: args.reg, seed: args.seed, ..AssessOptions::default() };
    let quality = quality::assess(&data, &labels, &options).map_err(|e| input.wrong(e))?;
    let mut notes = input.notes();
    let mut truth = None;
    if let Some(column) = &args.truth {
        let classes = input.truth(column)?;
        notes.extend(table::unknown_classes(classes.unknown, input.thing()));
        truth = Some(classes.against(&labels).map_err(|e| input.wrong(e))?);
    }
    let size = |c: usize| labels.iter().filter(|label| **label == c as i32).count();
    let sizes: Vec<usize> = (0..names.len()).map(size).collect();
    let answer = ScoreAnswer {
        separa: env!("CARGO_PKG_VERSION"),
        n: data.n(),
        d: data.d(),
        k: names.len(),
        labels: names,
        sizes,
        quality,
        truth: truth.as_ref().map(Truth::answer),
        stream: None,
        notes,
    };
    Ok((answer, truth))
}

/// Labels as numbers, and what they are called. −1 beside two or more others marks outliers.
fn labels(input: &Input, column: &str) -> Result<(Vec<i32>, Vec<String>)> {
    let texts = input.column(column);
    let mut seen = HashSet::new();
    let mut names: Vec<&str> = texts.iter().map(|t| t.trim()).filter(|t| seen.insert(*t)).collect();
    if names.len() == texts.len() && names.len() > 2 {
        return Err(Failure::new(format!(
            "{}: column \"{column}\" has another label in every row, expected groups of rows; \
             name a column that holds them",
            input.name
        )));
    }
    let aside = names.len() > 2 && names.contains(&"-1");
    names.retain(|name| !aside || *name != "-1");
    let special = |text: &str, row| match text {
        "" => Err(input.no_label(column, row)),
        "-1" if aside => Ok(Some(-1)),
        _ => Ok(None),
    };
    let labels = input.labels(column, special)?;
    Ok((labels, names.into_iter().map(str::to_owned).collect()))
}

//! `separa train INPUT --target COL`: from rows with classes to a rule and what it promises.

use crate::answer::{Outputs, answer};
use crate::args::TrainArgs;
use crate::failure::{ExitCode, Failure, INTERRUPTED, NOT_CONVERGED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::table::{self, Input};
use crate::text::number;
use crate::{model_file, notes, outputs, report, text};
use separa::classify::{Mcpm, Stream};
use separa::registry::find_classifier;
use separa::{
    AnyFit, Ctx, DenseRef, Fit, MOST_CLASSES, MemoryBudget, Named, Note, Stop, Streamed, Target,
    Trained, Trainer,
};
use separa_io::{FileSet, TableOptions};
use separa_report::TrainingRows;
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let entry = find_classifier(&args.method)?;
    let request = request(args)?;
    for target in [&args.model, &args.report].into_iter().flatten() {
        outputs::check(target, &args.input.input)?;
    }
    outputs::check_distinct(&[
        ("model", args.model.as_deref()),
        ("report", args.report.as_deref()),
    ])?;
    if args.stream && entry.name != "mcpm" {
        return Err(Failure::new(format!(
            "--stream does not apply to {}, but to mcpm; leave it out",
            entry.name
        )));
    }
    let began = Instant::now();
    let done = if args.stream { from_stream(args, &request)? } else { whole(args, request)? };
    let seconds = began.elapsed().as_secs_f64();
    let Done { trained, rows, read } = done;
    let mut set = FileSet::default();
    if let Some(target) = &args.model {
        let bytes = trained.to_bytes()?;
        set.add(target, |out| out.write_all(&bytes))?;
    }
    let all = [read, trained.notes().to_vec()].concat();
    let rows = rows.as_ref().map_err(String::as_str);
    let document = report::train(args, &trained, seconds, &all, rows);
    if let Some(target) = &args.report {
        report::add(&mut set, target, &document)?;
    }
    set.commit()?;
    if !args.json && !args.run.quiet {
        notes::tell(trained.notes());
    }
    match args.json {
        true => {
            let outputs = Outputs::new(None, args.model.as_deref(), args.report.as_deref());
            text::print_json(&answer(&trained, seconds, &all, &outputs))?;
        }
        false => text::show(&document)?,
    }
    Ok(match trained.stop() {
        Stop::MaxIter => ExitCode::from(NOT_CONVERGED),
        Stop::Cancelled => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

/// What a training leads to.
struct Done {
    trained: Trained,
    /// What a report shows of the rows, or why it does not.
    rows: std::result::Result<TrainingRows, String>,
    /// What was said when the table was read.
    read: Vec<Note>,
}

fn request(args: &TrainArgs) -> Result<Trainer<'static>> {
    let mut request = Trainer::named(&args.method, &settings(args)?)?.seed(args.fit.seed);
    if let Some(memory) = args.fit.memory {
        request = request.memory(memory);
    }
    if let Some(folds) = args.cv {
        request = request.cross_validate(folds);
    }
    request.check()?;
    Ok(request)
}

fn settings(args: &TrainArgs) -> Result<Named> {
    let mut given = Named::new();
    for (name, value) in &args.set {
        if name == "random_state" {
            return Err(Failure::new(
                "--set random_state=… and --seed say the same thing; use --seed",
            ));
        }
        if given.insert(name.clone(), value.clone()).is_some() {
            return Err(Failure::new(format!("--set {name}=… is given twice; give it once")));
        }
    }
    Ok(given)
}

fn options(args: &TrainArgs) -> TableOptions {
    args.columns.complete(args.input.options())
}

/// Trains on a table that is read whole.
fn whole(args: &TrainArgs, request: Trainer<'_>) -> Result<Done> {
    let kept = [("--target", args.target.as_ref())];
    let input = table::read(&args.input.input, options(args), &kept, args.run.quiet)?;
    let (input, target) = match (&args.target, &args.from_labels) {
        (Some(column), _) => {
            let target = Target::from_texts(column, input.column(column));
            let target = target.map_err(|e| input.wrong(e))?;
            (input, target)
        }
        (None, Some(source)) => distilled(input, source)?,
        (None, None) => {
            return Err(Failure::new("give the classes with --target COL or --from-labels FILE"));
        }
    };
    let data = input.dataset()?;
    let watch = Watch::new(Interrupt::listen()?, args.run.quiet);
    let bar = watch.handle();
    let trained = request.observe(watch).fit(&data, &target);
    bar.finish_and_clear();
    let mut trained = trained.map_err(|e| input.wrong(e))?;
    input.preparation().into_iter().for_each(|done| trained.prepared_by(done));
    let rows = match args.report {
        Some(_) => {
            TrainingRows::of(&data, target.classes(), trained.labels(), trained.model().as_ref())
        }
        None => Err(String::new()),
    };
    Ok(Done { trained, rows, read: input.notes() })
}

/// The labels of a clustering as classes: those that a model gives the rows, or those in a file.
fn distilled(input: Input, source: &Path) -> Result<(Input, Target)> {
    let name = source.display();
    let texts: Vec<Option<String>> = match source.extension().is_some_and(|e| e == "separa") {
        true => labels_by_model(&input, source)?,
        false => labels_in_file(source)?,
    };
    if texts.len() != input.table.rows {
        return Err(Failure::new(format!(
            "{name}: {} labels for {} rows, expected one for each; give the labels of this very table",
            texts.len(),
            input.table.rows
        )));
    }
    let kept: Vec<usize> = (0..texts.len()).filter(|&i| texts[i].is_some()).collect();
    let mut input = input;
    if kept.len() < texts.len() {
        input.table = input.table.rows_in(&kept);
        let left_out = number::counted(texts.len() - kept.len(), "row");
        input
            .table
            .notices
            .push(format!("{left_out} that the clustering marked as outliers (-1) left out"));
    }
    let texts: Vec<&String> = texts.iter().flatten().collect();
    let target = Target::from_texts("label", &texts);
    let target = target.map_err(|e| Failure::new(format!("{name}: {e}")))?;
    Ok((input, target))
}

/// What a model file makes of the rows: clusters by number, classes by name; none for outliers.
fn labels_by_model(input: &Input, source: &Path) -> Result<Vec<Option<String>>> {
    let saved = model_file::load(source)?;
    saved.check_columns(Some(&input.table.names), input.table.cols())?;
    let labels = saved.predict(&input.dataset()?)?;
    let classes = saved.trained().map(|trained| trained.classes());
    let name = |&label: &i32| {
        let number = usize::try_from(label).ok()?;
        Some(classes.map_or_else(|| label.to_string(), |names| names[number].clone()))
    };
    Ok(labels.iter().map(name).collect())
}

/// The column `cluster` of a file that `separa cluster -o` wrote, or `label` of one that `separa predict` wrote by a
/// classifier, whatever else they hold.
fn labels_in_file(source: &Path) -> Result<Vec<Option<String>>> {
    let read = |column: &str| {
        let aside = vec![column.to_owned()];
        let options = TableOptions { aside, only_aside: true, ..TableOptions::default() };
        let table = separa_io::read(&source.to_string_lossy(), &options)?;
        let texts = table.column(column).expect("the reader keeps the columns it is told to keep");
        separa_io::Result::Ok(texts.to_vec())
    };
    let texts = read("cluster").or_else(|_| read("label"));
    let texts = texts.map_err(|e| named_by(e, "label", "--from-labels"))?;
    Ok(texts.iter().map(|t| (t.trim() != "-1").then(|| t.clone())).collect())
}

/// An error about a batch as one about the file: its columns have names, and rows came before.
fn placed(e: separa::Error, names: &[String], before: usize) -> separa::Error {
    match e {
        separa::Error::Value { row, column, value, expected } => {
            let place = column.parse::<usize>().ok().and_then(|j| names.get(j.wrapping_sub(1)));
            let column = place.map_or(column, |name| format!("\"{name}\""));
            separa::Error::Value { row: row + before, column, value, expected }
        }
        other => other,
    }
}

/// Trains in one pass over a Parquet input.
fn from_stream(args: &TrainArgs, request: &Trainer<'_>) -> Result<Done> {
    let params = request.method().params();
    let column = args.target.clone().expect("clap asks for one where labels are not given");
    let options = TableOptions { truth: Some(column.clone()), ..options(args) };
    let batches = separa_io::stream(&args.input.input, &options)
        .map_err(|e| named_by(e, &column, "--target"))?;
    let Some(mut batches) = batches else {
        return Err(Failure::new(format!(
            "{}: --stream reads Parquet files without --encode and --missing; leave it out",
            args.input.input
        )));
    };
    let mcpm: Mcpm = serde_json::from_value(params.clone().into())
        .map_err(|e| Failure::new(format!("the parameters cannot be read ({e})")))?;
    let names = batches.names();
    let interrupt = Interrupt::listen()?;
    let watch = Watch::new(interrupt.clone(), args.run.quiet);
    let bar = watch.handle();
    let budget = args.fit.memory.unwrap_or_else(MemoryBudget::free);
    let mut stream = Stream::new(mcpm, names.len(), args.fit.seed)?.within(budget);
    let mut classes = Classes { column, ..Classes::default() };
    let wrong = |e: separa::Error| Failure::new(format!("{}: {e}", args.input.input));
    while !interrupt.asked()
        && let Some(batch) = batches.next_batch()?
    {
        let numbers = classes.numbers_of(&batch.aside[0]).map_err(wrong)?;
        let rows = DenseRef::new(batch.rows, names.len(), &batch.values);
        let rows = rows.map_err(separa::Error::from)?;
        let seen = classes.rows - batch.rows;
        stream.see(&[(rows, &numbers)]).map_err(|e| match placed(e, &names, seen) {
            e @ separa::Error::Value { .. } => wrong(e),
            e => e.into(),
        })?;
        bar.set_message(format!("{} rows", classes.rows));
    }
    classes.check().map_err(wrong)?;
    let sizes = stream.sizes();
    let mut ctx = Ctx::observed(args.fit.seed, watch);
    ctx.memory = budget;
    let Fit { model, labels, report } =
        stream.finish(classes.names.clone(), &mut ctx).map_err(wrong)?;
    bar.finish_and_clear();
    let order = &report.learnt.as_ref().expect("every classifier reports what it learnt").classes;
    let sizes = order.iter().map(|name| sizes[classes.numbers[name] as usize]).collect();
    let fit: AnyFit = Fit { model: Box::new(model), labels, report };
    // Fewer than the file has if the reading was interrupted.
    let stream = Streamed { n: classes.rows, sizes, feature_names: names, seed: args.fit.seed };
    let trained = Trained::of_stream(params, "mcpm", fit, stream);
    let why = "the rows passed by in a stream and were not kept; without --stream they are drawn";
    Ok(Done { trained, rows: Err(why.into()), read: Vec::new() })
}

/// Names as they come, and their numbers.
#[derive(Debug, Default)]
struct Classes {
    column: String,
    /// Rows so far.
    rows: usize,
    names: Vec<String>,
    /// The row where each name came first.
    first: Vec<usize>,
    numbers: HashMap<String, u32>,
}

impl Classes {
    /// The numbers of the classes of the next rows; a new name gets the next one.
    fn numbers_of(&mut self, texts: &[String]) -> separa::Result<Vec<u32>> {
        let mut out = Vec::with_capacity(texts.len());
        for text in texts {
            self.rows += 1;
            let name = text.trim();
            let number = match self.numbers.get(name) {
                Some(&number) => number,
                None => self.add(name)?,
            };
            out.push(number);
        }
        Ok(out)
    }

    fn add(&mut self, name: &str) -> separa::Result<u32> {
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.first.push(self.rows);
        self.numbers.insert(name.to_owned(), number);
        if name.is_empty() || self.names.len() > MOST_CLASSES {
            self.check()?;
        }
        Ok(number)
    }

    /// As of a whole table: empty classes, measurements and identifiers are refused. A fraction is one only
    /// when no name is a word, so this is known at the end.
    fn check(&self) -> separa::Result<()> {
        Target::check_texts(&self.column, &self.names, |i| self.first[i])?;
        Target::from_texts(&self.column, &self.names).map(drop)
    }
}

/// Gives a column error the option that the user typed.
fn named_by(mut e: separa_io::Error, column: &str, typed: &'static str) -> Failure {
    if let separa_io::Error::UnknownColumn { name, option, .. } = &mut e
        && name == column
    {
        *option = typed;
    }
    e.into()
}

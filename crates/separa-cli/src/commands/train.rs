//! `separa train INPUT --target COL`: from rows with classes to a rule and what it promises.

use crate::answer::{Outputs, TrainAnswer};
use crate::args::TrainArgs;
use crate::failure::{Failure, INTERRUPTED, NOT_CONVERGED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::table::{self, Input};
use crate::text::number;
use crate::{model_file, outputs, report, text};
use separa::classify::{Mcpm, Stream};
use separa::model_file::{self as persist, About, Training};
use separa::registry::{AnyFit, ClassifierEntry, Named, find_classifier};
use separa::validate::{CrossValidated, cross_validate};
use separa::{Ctx, DenseRef, Fit, MOST_CLASSES, Stop, Target};
use separa_io::{ReadOptions, memory};
use separa_report::TrainingRows;
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let entry = find_classifier(&args.method)?;
    let given = settings(args)?;
    let params = (entry.params)(&given)?;
    if let Some(target) = &args.model {
        outputs::check(target, &args.input.input)?;
    }
    if let Some(target) = &args.report {
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
    let done = if args.stream { from_stream(args, &params)? } else { whole(args, entry, &given)? };
    let seconds = began.elapsed().as_secs_f64();
    let Done { fit, names, n, sizes, cv, rows, mut notices, told } = done;
    notices.extend(fit.report.notices.iter().cloned());
    let learnt = fit.report.trained.clone().expect("every classifier reports what it learnt");
    let answer = TrainAnswer {
        separa: env!("CARGO_PKG_VERSION"),
        method: entry.name,
        params,
        n,
        d: names.len(),
        sizes,
        learnt,
        cv,
        stop: fit.report.stop,
        seconds,
        warnings: fit.report.warnings.clone(),
        outputs: Outputs::new(None, args.model.as_deref(), args.report.as_deref()),
        notices,
    };
    if let Some(target) = &args.model {
        write(target, args.seed, &answer, &fit, &names)?;
    }
    let rows = rows.as_ref().map_err(String::as_str);
    let document = report::train(args, &answer, &fit, &names, rows)?;
    if let Some(target) = &args.report {
        report::write(target, &document)?;
    }
    if !args.json && !args.run.quiet {
        answer.notices.iter().skip(told).for_each(|sentence| text::notice(sentence));
    }
    match args.json {
        true => text::print_json(&answer)?,
        false => text::show(&document)?,
    }
    Ok(match answer.stop {
        Stop::MaxIter => ExitCode::from(NOT_CONVERGED),
        Stop::Cancelled => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

/// What came of the training.
struct Done {
    fit: AnyFit,
    names: Vec<String>,
    n: usize,
    sizes: Vec<usize>,
    cv: Option<CrossValidated>,
    /// What a report shows of them, or why it does not.
    rows: std::result::Result<TrainingRows, String>,
    notices: Vec<String>,
    /// How many of them were told when the table was read.
    told: usize,
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

fn options(args: &TrainArgs) -> ReadOptions {
    args.columns.complete(args.input.options())
}

/// Trains on a table that is read whole.
fn whole(args: &TrainArgs, entry: &'static ClassifierEntry, given: &Named) -> Result<Done> {
    let kept = [("--target", args.target.as_ref())];
    let input = table::read(&args.input.input, options(args), &kept, args.run.quiet)?;
    let told = input.table.notices.len();
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
    let interrupt = Interrupt::listen()?;
    let watch = Watch::new(interrupt, args.run.quiet);
    let bar = watch.handle();
    let mut ctx = Ctx::observed(args.seed, watch);
    ctx.memory = memory::budget(args.memory);
    let judge = |folds| cross_validate(entry, given, &data, &target, (folds, &mut ctx));
    let cv = args.cv.map(judge);
    let cv = cv.transpose().map_err(|e| input.wrong(e))?;
    let fit = (entry.fit)(given, &data, &target, &mut ctx);
    bar.finish_and_clear();
    let fit = fit.map_err(|e| input.wrong(e))?;
    let mut sizes = vec![0; target.k()];
    target.classes().iter().for_each(|&c| sizes[c as usize] += 1);
    let (names, n) = (input.table.names.clone(), data.n());
    let rows = match args.report {
        Some(_) => TrainingRows::of(&data, target.classes(), &fit.labels, fit.model.as_ref()),
        None => Err(String::new()),
    };
    Ok(Done { fit, names, n, sizes, cv, rows, notices: input.table.notices.clone(), told })
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
        input.table.notices.push(format!("{left_out} that the clustering set aside (-1) left out"));
    }
    let texts: Vec<&String> = texts.iter().flatten().collect();
    let target = Target::from_texts("label", &texts);
    let target = target.map_err(|e| Failure::new(format!("{name}: {e}")))?;
    Ok((input, target))
}

/// What a model file makes of the rows: clusters by number, classes by name; none where a row is set aside.
fn labels_by_model(input: &Input, source: &Path) -> Result<Vec<Option<String>>> {
    let saved = model_file::load(source)?;
    saved.header.check_columns(Some(&input.table.names), input.table.cols())?;
    let labels = saved.model.predict_on(&input.dataset()?)?;
    let classes = saved.header.training.report.trained.map(|t| t.classes);
    let name = |&label: &i32| {
        let number = usize::try_from(label).ok()?;
        Some(classes.as_ref().map_or_else(|| label.to_string(), |names| names[number].clone()))
    };
    Ok(labels.iter().map(name).collect())
}

/// The column `label` of a file that `separa cluster -o` wrote, whatever else it holds.
fn labels_in_file(source: &Path) -> Result<Vec<Option<String>>> {
    let aside = vec!["label".to_owned()];
    let options = ReadOptions { aside, only_aside: true, ..ReadOptions::default() };
    let table = separa_io::read(&source.to_string_lossy(), &options);
    let table = table.map_err(|e| named_by(e, "label", "--from-labels"))?;
    let texts = table.column("label").expect("the reader keeps the columns it is told to keep");
    Ok(texts.iter().map(|t| (t.trim() != "-1").then(|| t.clone())).collect())
}

/// Trains in one pass over a Parquet input.
fn from_stream(args: &TrainArgs, params: &Named) -> Result<Done> {
    let column = args.target.clone().expect("clap asks for one where labels are not given");
    let options = ReadOptions { truth: Some(column.clone()), ..options(args) };
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
    let budget = memory::budget(args.memory);
    let mut stream = Stream::new(mcpm, names.len(), args.seed)?.within(budget);
    let mut classes = Classes { column, ..Classes::default() };
    let wrong = |e: separa::Error| Failure::new(format!("{}: {e}", args.input.input));
    while !interrupt.asked()
        && let Some(batch) = batches.next_batch()?
    {
        let numbers = classes.numbers_of(&batch.aside[0]).map_err(wrong)?;
        let rows = DenseRef::new(batch.rows, names.len(), &batch.values);
        stream.see(&[(rows.map_err(separa::Error::from)?, &numbers)])?;
        bar.set_message(format!("{} rows", classes.rows));
    }
    classes.check().map_err(wrong)?;
    let sizes = stream.sizes();
    let mut ctx = Ctx::observed(args.seed, watch);
    ctx.memory = budget;
    let Fit { model, labels, report } =
        stream.finish(classes.names.clone(), &mut ctx).map_err(wrong)?;
    bar.finish_and_clear();
    let order = &report.trained.as_ref().expect("every classifier reports what it learnt").classes;
    let sizes = order.iter().map(|name| sizes[classes.numbers[name] as usize]).collect();
    let fit = Fit { model: Box::new(model) as Box<dyn separa::Model>, labels, report };
    // Fewer than the file has where the reading was interrupted.
    let rows =
        Err("the rows passed by in a stream and were not kept; without --stream they are drawn"
            .into());
    Ok(Done { fit, names, n: classes.rows, sizes, cv: None, rows, notices: Vec::new(), told: 0 })
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

fn write(
    target: &Path,
    seed: u64,
    answer: &TrainAnswer,
    fit: &AnyFit,
    names: &[String],
) -> Result<()> {
    let training =
        Training { n: answer.n, sizes: answer.sizes.clone(), ..Training::of(fit, seed, None) };
    let params = answer.params.clone();
    let about = About { method: answer.method, params, feature_names: Some(names), training };
    let bytes = persist::to_bytes(fit.model.as_ref(), about)?;
    Ok(separa_io::write_atomic(target, |out| out.write_all(&bytes))?)
}

//! `separa train INPUT --target COL`: from rows with classes to a rule and what it promises.

use super::train_stream;
use crate::answer::{Outputs, answer};
use crate::args::TrainArgs;
use crate::failure::{ExitCode, Failure, INTERRUPTED, NOT_CONVERGED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::table::{self, Input};
use crate::text::number;
use crate::{model_file, notes, outputs, repair, report, text};
use separa::model_file::Saved;
use separa::preparation::MissingRule;
use separa::{Grouping, Named, Note, Stop, Target, Trained, Trainer};
use separa_io::{FileSet, Repair, TableOptions};
use separa_report::TrainingRows;
use std::path::Path;
use std::time::Instant;

pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let request = request(args)?;
    for target in [&args.model, &args.report].into_iter().flatten() {
        outputs::check(target, &args.input.input)?;
    }
    outputs::check_distinct(&[
        ("model", args.model.as_deref()),
        ("report", args.report.as_deref()),
    ])?;
    let began = Instant::now();
    let done = match train_stream::run(args, &request)? {
        Some(done) => done,
        None => whole(args, request)?,
    };
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
pub struct Done {
    pub trained: Trained,
    /// What a report shows of the rows, or why it does not.
    pub rows: std::result::Result<TrainingRows, String>,
    /// What was said when the table was read.
    pub read: Vec<Note>,
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

pub fn options(args: &TrainArgs) -> TableOptions {
    args.columns.complete(args.input.options())
}

/// Trains on a table that is read whole.
fn whole(args: &TrainArgs, request: Trainer<'_>) -> Result<Done> {
    let kept = [("--target", args.target.as_ref())];
    let input = table::read(&args.input.input, options(args), &kept, args.run.quiet)?;
    let (input, target) = match (&args.target, &args.from_labels) {
        (Some(column), _) => {
            let input = with_classes(input, column, args)?;
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

/// The rows that have a class: all of them, unless rows with missing values are to be left out.
fn with_classes(mut input: Input, column: &str, args: &TrainArgs) -> Result<Input> {
    let texts = input.column(column);
    let kept: Vec<usize> = (0..texts.len()).filter(|&i| !texts[i].trim().is_empty()).collect();
    let (rows, count) = (texts.len(), texts.len() - kept.len());
    if count == 0 {
        return Ok(input);
    }
    if kept.is_empty() || !drops(args) {
        let first = (0..rows).find(|i| kept.get(*i) != Some(i)).unwrap_or(0);
        let first = input.table.source_row(first);
        return Err(no_class(&input.name, column, &Classless { count, rows, first }));
    }
    input.table = input.table.rows_in(&kept);
    let said = without_class(count);
    if !args.run.quiet {
        text::notice(&said);
    }
    input.table.notices.push(said);
    Ok(input)
}

/// Whether rows with missing values are to be left out.
pub fn drops(args: &TrainArgs) -> bool {
    options(args).missing == Some(MissingRule::Drop)
}

/// Rows that have no class.
pub struct Classless {
    pub count: usize,
    /// Of so many.
    pub rows: usize,
    /// The first of them, counted from 1.
    pub first: u64,
}

/// The refusal of rows without a class, with the command that leaves them out.
pub fn no_class(name: &str, column: &str, gaps: &Classless) -> Failure {
    let Classless { count, rows, first } = gaps;
    if count == rows {
        return Failure::new(format!(
            "{name}: column \"{column}\" is empty in every row, expected classes; name another column"
        ));
    }
    let have = if *count == 1 { "has" } else { "have" };
    let said = format!(
        "{name}: {} of {} {have} no class: column \"{column}\" is empty (the first in row {first}); fill it in, or \
         leave out rows with missing values with --missing drop",
        number::count(*count),
        number::counted(*rows, "row")
    );
    let drop = Repair::Set { option: "--missing", value: "drop".to_owned() };
    match repair::command(crate::typed_words(), &[drop]) {
        Some(command) => Failure::new(format!("{said}\n  {command}")),
        None => Failure::new(said),
    }
}

/// What to say of rows that were left out because they have no class.
pub fn without_class(count: usize) -> String {
    format!("{} without a class left out", number::counted(count, "row"))
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
    not_grouped(&saved, source)?;
    saved.check_columns(Some(&input.table.names), input.table.cols())?;
    let labels = saved.predict(&input.dataset()?)?;
    let classes = saved.trained().map(|trained| trained.classes());
    let name = |&label: &i32| {
        let number = usize::try_from(label).ok()?;
        Some(classes.map_or_else(|| label.to_string(), |names| names[number].clone()))
    };
    Ok(labels.iter().map(name).collect())
}

/// Rows that are labelled together are labelled by `predict`, which is told what belongs together; bags have no label of a row.
fn not_grouped(saved: &Saved, source: &Path) -> Result<()> {
    let name = source.display();
    match saved.model().grouping() {
        None => Ok(()),
        Some(Grouping::Sequences) => Err(Failure::new(format!(
            "{name}: the model labels rows of a sequence together; write its labels with `separa predict {name} TABLE \
             --sequence COL -o labels.csv`, then give --from-labels labels.csv"
        ))),
        Some(Grouping::Bags) => Err(Failure::new(format!(
            "{name}: the model labels bags, not rows, so there is no class for each row; train on the labels of a model that was \
             fitted without --bag"
        ))),
    }
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

/// Gives a column error the option that the user typed.
pub fn named_by(mut e: separa_io::Error, column: &str, typed: &'static str) -> Failure {
    if let separa_io::Error::UnknownColumn { name, option, .. } = &mut e
        && name == column
    {
        *option = typed;
    }
    e.into()
}

//! From the result of a command to its page.

use crate::answer::Answer;
use crate::args::{ClusterArgs, TrainArgs};
use crate::compare_args::CompareArgs;
use crate::failure::Result;
use crate::notes;
use crate::table::{Classes, Input};
use crate::text::trained;
use separa::compare::{Comparison, Plan};
use separa::judge::{cautions, curved, reg, unjudged};
use separa::registry::{AnyFit, Entry, find_classifier};
use separa::view::{Decided, Map, View, ViewOptions};
use separa::{Dataset, Grouping, Note, NoteKind, Stop};
use separa_report::{About, Apply, Clustering, Compared, Names, Training, TrainingRows, Truth};
use std::path::Path;

/// What a clustering's page is made from, beside its answer.
#[derive(Debug)]
pub struct Made<'a> {
    pub args: &'a ClusterArgs,
    pub entry: &'static Entry,
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub fit: &'a AnyFit,
    pub truth: Option<&'a Classes>,
}

/// Writes the page of `cluster`; what it found out about decisions is there for the screen.
pub fn cluster(target: &Path, made: &Made<'_>, answer: &Answer) -> Result<Option<Decided>> {
    let Made { args, entry, input, data, fit, .. } = *made;
    let columns = answer.quality.as_ref().and_then(separa_report::telling);
    let options = ViewOptions {
        seed: args.seed,
        features: unjudged(data, &answer.params).is_none(),
        flat: !curved(entry, &answer.params),
        columns: columns.as_deref(),
    };
    let view = match answer.stop {
        Stop::Cancelled => Err("interrupted: the rows were not drawn".to_owned()),
        _ => View::of(data, &fit.labels, fit.model.as_ref(), &options)
            .map_err(|e| format!("the rows could not be drawn: {e}")),
    };
    let named = input.row_names(args.columns.id.as_deref());
    let row = |i: usize| match &named {
        Some((_, names)) => names[i].clone(),
        None => input.table.source_row(i).to_string(),
    };
    let truth = made.truth.zip(args.truth.as_deref()).and_then(|(classes, column)| {
        Truth::new(column, &fit.labels, &classes.numbers, classes.names.clone()).ok()
    });
    let mut notices = notes::sentences(&answer.notes, NoteKind::Notice);
    if answer.quality.is_some() && !args.json {
        notices
            .extend(notes::sentences(&cautions(entry, answer.k, &answer.params), NoteKind::Notice));
    }
    let model = args.model.as_ref().map(|path| path.display().to_string());
    let apply = Apply {
        command: Some(super::commands::typed(|_| true)),
        model: model.as_deref(),
        written: answer.outputs.list(),
        options: predict_options(args.groups.chosen()),
    };
    let about = About {
        input: &input.name,
        method: [entry.name, entry.class, entry.about],
        params: &answer.params,
        seed: args.seed,
        thing: input.thing(),
        n: answer.n,
        d: answer.d,
        seconds: Some(answer.seconds),
        report: &fit.report,
        warnings: &notes::sentences(&answer.notes, NoteKind::Warning),
        notices: &notices,
        names: Names { column: &|j| input.table.names[j].clone(), row: &row },
        apply: &apply,
    };
    let page = separa_report::cluster(&Clustering {
        about,
        sizes: &answer.sizes,
        quality: answer.quality.as_ref(),
        reg: reg(answer.method, &answer.params),
        view: view.as_ref().map_err(String::as_str),
        truth: truth.as_ref(),
        stability: answer.stability.as_ref(),
    });
    write(target, &page)?;
    Ok(view.ok().map(|view| view.decided))
}

/// What `predict` must be told about bags or sequences.
pub fn predict_options(groups: Option<(Grouping, &String)>) -> String {
    let said = |(kind, column): (Grouping, &String)| {
        format!(" --{} {}", kind.one(), separa_report::shell_word(column))
    };
    groups.map(said).unwrap_or_default()
}

/// Writes the page of `train`.
pub fn train(
    target: &Path,
    args: &TrainArgs,
    answer: &trained::Answer,
    fit: &AnyFit,
    (names, rows): (&[String], std::result::Result<&TrainingRows, &str>),
) -> Result<()> {
    let entry = find_classifier(answer.method)?;
    let model = args.model.as_ref().map(|path| path.display().to_string());
    let apply = Apply {
        command: Some(super::commands::typed(|_| true)),
        model: model.as_deref(),
        written: answer.outputs.list(),
        options: String::new(),
    };
    let about = About {
        input: &args.input.input,
        method: [entry.name, entry.class, entry.about],
        params: &answer.params,
        seed: args.seed,
        thing: "row",
        n: answer.n,
        d: answer.d,
        seconds: Some(answer.seconds),
        report: &fit.report,
        warnings: &notes::sentences(&answer.notes, NoteKind::Warning),
        notices: &notes::sentences(&answer.notes, NoteKind::Notice),
        names: Names { column: &|j| names[j].clone(), row: &|i| (i + 1).to_string() },
        apply: &apply,
    };
    let page = separa_report::train(&Training {
        about,
        learnt: &answer.learnt,
        sizes: &answer.sizes,
        cv: answer.cv.as_ref(),
        rows,
    });
    write(target, &page)
}

/// Writes the page of `compare`.
pub fn compare(
    target: &Path,
    args: &CompareArgs,
    (input, data): (&Input, &Dataset<'_>),
    plan: &Plan,
    comparison: &Comparison,
    notes: &[Note],
) -> Result<()> {
    let first = comparison.lines.iter().find_map(|line| Some((line.labels.as_ref()?, line.k?)));
    let map = match first {
        Some((labels, k)) => Map::of(data, labels, k, args.seed).map_err(|e| e.to_string()),
        None => Err("no method has labels".to_owned()),
    };
    let map = map.map_err(|why| format!("the rows could not be drawn: {why}"));
    let notices: Vec<String> = notes.iter().map(|note| note.sentence(notes::word)).collect();
    let apply = Apply { command: Some(super::commands::typed(|_| true)), ..Apply::default() };
    let page = separa_report::compare(&Compared {
        input: &input.name,
        n: data.n(),
        d: data.d(),
        seed: args.seed,
        params: &plan.given,
        comparison,
        map: map.as_ref().map_err(String::as_str),
        truth: args.truth.as_deref(),
        notices: &notices,
        apply: &apply,
    });
    write(target, &page)
}

fn write(target: &Path, page: &str) -> Result<()> {
    Ok(separa_io::write_atomic(target, |out| out.write_all(page.as_bytes()))?)
}

//! From the result of a command to its page.

use crate::answer::Answer;
use crate::args::{ClusterArgs, TrainArgs};
use crate::compare_args::CompareArgs;
use crate::failure::Result;
use crate::notes;
use crate::table::{Classes, Input};
use crate::text::trained;
use separa::compare::Comparison;
use separa::registry::find_classifier;
use separa::view::{Decided, Map, View, ViewOptions};
use separa::{Dataset, Grouping, Named, Note, NoteKind, Stop, Trained};
use separa_report::{About, Apply, Clustering, Compared, Names, Training, TrainingRows, Truth};
use std::path::Path;

/// What a clustering's page is made from, beside its answer.
#[derive(Debug)]
pub struct Made<'a> {
    pub args: &'a ClusterArgs,
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub found: &'a separa::Clustering,
    pub truth: Option<&'a Classes>,
}

/// Writes the page of `cluster`; what it found out about decisions is there for the screen.
pub fn cluster(target: &Path, made: &Made<'_>, answer: &Answer) -> Result<Option<Decided>> {
    let Made { args, input, data, found, .. } = *made;
    let entry = found.method().entry();
    let columns = answer.quality.as_ref().and_then(separa_report::telling);
    let options = ViewOptions {
        seed: args.fit.seed,
        features: found.has_features(),
        flat: !found.is_curved(),
        columns: columns.as_deref(),
    };
    let view = match answer.stop {
        Stop::Cancelled => Err("interrupted: the rows were not drawn".to_owned()),
        _ => View::of(data, found.labels(), found.model().as_ref(), &options)
            .map_err(|e| format!("the rows could not be drawn: {e}")),
    };
    let named = input.row_names(args.columns.id.as_deref());
    let row = |i: usize| match &named {
        Some((_, names)) => names[i].clone(),
        None => input.table.source_row(i).to_string(),
    };
    let truth = made.truth.zip(args.truth.as_deref()).and_then(|(classes, column)| {
        Truth::new(column, found.labels(), &classes.numbers, classes.names.clone()).ok()
    });
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
        seed: args.fit.seed,
        thing: input.thing(),
        n: answer.n,
        d: answer.d,
        seconds: Some(answer.seconds),
        report: &fit.report,
        warnings: &notes::sentences(&answer.notes, NoteKind::Warning),
        notices: &notes::sentences(&answer.notes, NoteKind::Notice),
        names: Names { column: &|j| input.table.names[j].clone(), row: &row },
        apply: &apply,
    };
    let page = separa_report::cluster(&Clustering {
        about,
        sizes: &answer.sizes,
        quality: answer.quality.as_ref(),
        reg: found.method().quality_reg(),
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
    trained: &Trained,
    rows: std::result::Result<&TrainingRows, &str>,
) -> Result<()> {
    let entry = find_classifier(trained.method_name())?;
    let names = trained.feature_names().unwrap_or_default();
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
        seed: args.fit.seed,
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
    input: &Input,
    data: &Dataset<'_>,
    comparison: &Comparison,
    params: &Named,
    notes: &[Note],
) -> Result<()> {
    let first = comparison.results.iter().find_map(|result| result.clustering.as_ref());
    let map = match first {
        Some(found) => {
            Map::of(data, found.labels(), found.k(), args.fit.seed).map_err(|e| e.to_string())
        }
        None => Err("no method has labels".to_owned()),
    };
    let map = map.map_err(|why| format!("the rows could not be drawn: {why}"));
    let notices: Vec<String> = notes.iter().map(|note| note.sentence(notes::word)).collect();
    let apply = Apply { command: Some(super::commands::typed(|_| true)), ..Apply::default() };
    let page = separa_report::compare(&Compared {
        input: &input.name,
        n: data.n(),
        d: data.d(),
        seed: args.fit.seed,
        params,
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

//! From the result of a command to its document, which the page and the screen show.

use crate::answer::Outputs;
use crate::args::{ClusterArgs, TrainArgs};
use crate::commands::typed;
use crate::compare_args::CompareArgs;
use crate::failure::Result;
use crate::notes;
use crate::table::Input;
use separa::compare::Comparison;
use separa::view::{self, Map, View, ViewOptions};
use separa::{Clustering, Dataset, Grouping, Named, Note, NoteKind, Rules, Stop, Trained};
use separa_io::{FileSet, shell_word};
use separa_report::{
    About, Apply, Compared, Document, Names, SeenRows, Sentences, StateSequence, TrainingRows,
    Truth,
};
use std::path::Path;

/// What a clustering's document is made from.
#[derive(Debug)]
pub struct Made<'a> {
    pub args: &'a ClusterArgs,
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub found: &'a Clustering,
    pub rules: Option<&'a Rules>,
    pub truth: Option<&'a Truth>,
    pub notes: &'a [Note],
}

/// Notes as a document shows them.
fn sentences(notes: &[Note]) -> Sentences {
    let (cautions, others): (Vec<Note>, Vec<Note>) =
        notes.iter().cloned().partition(separa_report::is_caution);
    Sentences {
        warnings: notes::sentences(&others, NoteKind::Warning),
        notices: notes::sentences(&others, NoteKind::Notice),
        cautions: notes::sentences(&cautions, NoteKind::Notice),
    }
}

/// Where the rows of a clustering lie, or the sentence that says why that is not known.
pub fn view(data: &Dataset<'_>, found: &Clustering) -> std::result::Result<View, String> {
    let columns = found.quality().ok().and_then(separa_report::telling);
    let options = ViewOptions {
        seed: found.seed(),
        features: found.has_features(),
        flat: !found.is_curved(),
        columns: columns.as_deref(),
    };
    View::of(data, found.labels(), found.model().as_ref(), &options)
        .map_err(|e| format!("the rows could not be drawn: {e}"))
}

/// The document of `cluster`; rows are looked at as far as the page or the screen shows them.
pub fn cluster(
    made: &Made<'_>,
    written: Vec<(&'static str, String)>,
    next: Vec<String>,
) -> Document {
    let view = match (made.found.stop(), &made.args.report) {
        (Stop::Cancelled, _) => Err("interrupted: the rows were not drawn".to_owned()),
        (_, None) => Err(String::new()),
        _ => view(made.data, made.found),
    };
    cluster_seen(made, view.as_ref().map_err(String::as_str), written, next)
}

/// The same, of rows that were looked at already.
pub fn cluster_seen(
    made: &Made<'_>,
    view: std::result::Result<&View, &str>,
    written: Vec<(&'static str, String)>,
    next: Vec<String>,
) -> Document {
    let Made { args, input, data, found, .. } = *made;
    let (labels, model) = (found.labels(), found.model().as_ref());
    // Whoever interrupts does not want to wait for a drawing.
    let wanted = view.is_err() && !args.json && found.stop() != Stop::Cancelled;
    let decide = || view::decided(data, labels, model, found.seed()).ok();
    let decided = wanted.then(decide).flatten();
    let named = input.row_names();
    let row = |i: usize| match &named {
        Some((_, names)) => names[i].clone(),
        None => input.table.source_row(i).to_string(),
    };
    let model = args.model.as_ref().map(|path| path.display().to_string());
    let apply = Apply {
        command: Some(typed(|_| true)),
        model: model.as_deref(),
        predict: Some(predict(model.as_deref(), args.groups.chosen())),
        written,
        next,
    };
    let about = About {
        input: &input.name,
        said: &sentences(made.notes),
        names: Names {
            column: &|j| input.table.names[j].clone(),
            row: &row,
            cluster: &|c| found.called(c),
        },
        made: &separa_io::today(),
        seconds: found.seconds(),
        apply: &apply,
    };
    let sequences = match (&input.groups, data.sequences()) {
        (Some(groups), Some(ranges)) => {
            StateSequence::of(ranges, &|i| groups.names[i].clone(), labels)
        }
        _ => Vec::new(),
    };
    let seen = SeenRows {
        view,
        decided: decided.as_ref(),
        truth: made.truth,
        profile: args.profile,
        rules: made.rules,
        rules_asked: args.rules,
        sequences: &sequences,
    };
    separa_report::cluster(found, &about, &seen)
}

/// The command that labels new rows; bags and sequences must be named again.
pub fn predict(model: Option<&str>, groups: Option<(Grouping, &String)>) -> String {
    let said =
        |(kind, column): (Grouping, &String)| format!(" --{} {}", kind.one(), shell_word(column));
    let model = shell_word(model.unwrap_or("rule.separa"));
    format!("separa predict {model} NEW.csv{}", groups.map(said).unwrap_or_default())
}

/// The document of `train`.
pub fn train(
    args: &TrainArgs,
    trained: &Trained,
    seconds: f64,
    notes: &[Note],
    rows: std::result::Result<&TrainingRows, &str>,
) -> Document {
    let model = args.model.as_ref().map(|path| path.display().to_string());
    let predict = predict(model.as_deref(), None);
    let next = match &model {
        Some(_) => predict.clone(),
        None => "the same command with --model rule.separa".to_owned(),
    };
    let apply = Apply {
        command: Some(typed(|_| true)),
        model: model.as_deref(),
        predict: Some(predict),
        written: Outputs::new(None, args.model.as_deref(), args.report.as_deref()).list(),
        next: vec![next],
    };
    let names = trained.feature_names().unwrap_or_default();
    let about = About {
        input: &args.input.input,
        said: &sentences(notes),
        names: Names {
            column: &|j| names[j].clone(),
            row: &|i| (i + 1).to_string(),
            cluster: &|c| c.to_string(),
        },
        made: &separa_io::today(),
        seconds,
        apply: &apply,
    };
    separa_report::train(trained, &about, rows)
}

/// What a comparison's document is made from.
#[derive(Debug)]
pub struct Ranked<'a> {
    pub args: &'a CompareArgs,
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub params: &'a Named,
    pub comparison: &'a Comparison,
    pub notices: &'a [Note],
    pub cautions: &'a [Note],
}

/// The document of `compare`.
pub fn compare(ranked: &Ranked<'_>) -> Document {
    let Ranked { args, input, data, params, comparison, notices, cautions } = *ranked;
    let first = comparison.results.iter().find_map(|result| result.clustering.as_ref());
    let map = match (&args.report, first) {
        (None, _) => Err(String::new()),
        (_, Some(found)) => {
            Map::of(data, found.labels(), found.k(), args.fit.seed).map_err(|e| e.to_string())
        }
        (_, None) => Err("no method has labels".to_owned()),
    };
    let map = map.map_err(|why| format!("the rows could not be drawn: {why}"));
    let written = Outputs::new(None, None, args.report.as_deref()).list();
    let apply = Apply { command: Some(typed(|_| true)), written, ..Apply::default() };
    separa_report::compare(&Compared {
        input: &input.name,
        n: data.n(),
        d: data.d(),
        seed: args.fit.seed,
        params,
        comparison,
        map: map.as_ref().map_err(String::as_str),
        truth: args.truth.as_deref(),
        notices: &notes::sentences(notices, NoteKind::Notice),
        cautions: &cautions.iter().map(|note| note.sentence(notes::word)).collect::<Vec<_>>(),
        word: &notes::word,
        apply: &apply,
    })
}

/// Prepares the page of a document.
pub fn add(set: &mut FileSet, target: &Path, document: &Document) -> Result<()> {
    let page = document.html();
    Ok(set.add(target, |out| out.write_all(page.as_bytes()))?)
}

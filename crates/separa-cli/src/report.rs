//! From the result of a command to its document, which the page and the screen show.

use crate::answer::{Answer, TrainAnswer};
use crate::args::{ClusterArgs, TrainArgs};
use crate::commands::typed;
use crate::compare_args::CompareArgs;
use crate::failure::Result;
use crate::table::{Classes, Input};
use separa::compare::{Comparison, Plan};
use separa::judge::{cautions, curved, reg, unjudged};
use separa::registry::{AnyFit, Entry, find_classifier};
use separa::view::{self, Map, View, ViewOptions};
use separa::{Dataset, Grouping, Stop};
use separa_io::shell_word;
use separa_report::{
    About, Apply, Clustering, Compared, Document, Names, Training, TrainingRows, Truth,
};
use std::path::Path;

/// What a clustering's document is made from, beside its answer.
#[derive(Debug)]
pub struct Made<'a> {
    pub args: &'a ClusterArgs,
    pub entry: &'static Entry,
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub fit: &'a AnyFit,
    pub truth: Option<&'a Classes>,
}

/// The document of `cluster`; rows are looked at as far as the page or the screen shows them.
pub fn cluster(made: &Made<'_>, answer: &Answer, next: Vec<String>) -> Document {
    let Made { args, entry, input, data, fit, .. } = *made;
    let columns = answer.quality.as_ref().and_then(separa_report::telling);
    let options = ViewOptions {
        seed: args.seed,
        features: unjudged(data, &answer.params).is_none(),
        flat: !curved(entry, &answer.params),
        columns: columns.as_deref(),
    };
    let view = match (answer.stop, &args.report) {
        (Stop::Cancelled, _) => Err("interrupted: the rows were not drawn".to_owned()),
        (_, None) => Err(String::new()),
        _ => View::of(data, &fit.labels, fit.model.as_ref(), &options)
            .map_err(|e| format!("the rows could not be drawn: {e}")),
    };
    // Whoever interrupts does not want to wait for a drawing.
    let wanted = view.is_err() && !args.json && answer.stop != Stop::Cancelled;
    let decide = || view::decided(data, &fit.labels, fit.model.as_ref(), args.seed).ok();
    let decided = wanted.then(decide).flatten();
    let named = input.row_names(args.columns.id.as_deref());
    let row = |i: usize| match &named {
        Some((_, names)) => names[i].clone(),
        None => input.table.source_row(i).to_string(),
    };
    let truth = made.truth.zip(args.truth.as_deref()).and_then(|(classes, column)| {
        Truth::new(column, &fit.labels, &classes.numbers, classes.names.clone()).ok()
    });
    // The JSON answer has them among its notices.
    let cautions = match answer.quality.is_some() && !args.json {
        true => cautions(entry, answer.k, &answer.params),
        false => Vec::new(),
    };
    let within = match (answer.rows, answer.sequences) {
        (Some(rows), _) => format!(" of {}", crate::text::number::counted(rows, "row")),
        (None, Some(many)) => format!(" in {}", crate::text::number::counted(many, "sequence")),
        (None, None) => String::new(),
    };
    let model = args.model.as_ref().map(|path| path.display().to_string());
    let apply = Apply {
        command: Some(typed(|_| true)),
        model: model.as_deref(),
        predict: Some(predict(model.as_deref(), args.groups.chosen())),
        written: answer.outputs.list(),
        next,
    };
    let about = About {
        input: &input.name,
        method: [entry.name, entry.class, entry.about],
        params: &answer.params,
        seed: args.seed,
        thing: input.thing(),
        n: answer.n,
        within: &within,
        d: answer.d,
        seconds: Some(answer.seconds),
        report: &fit.report,
        warnings: &answer.warnings,
        notices: &answer.notices,
        cautions: &cautions,
        names: Names {
            column: &|j| input.table.names[j].clone(),
            row: &row,
            cluster: &|c| c.to_string(),
        },
        apply: &apply,
    };
    separa_report::cluster(&Clustering {
        about,
        sizes: &answer.sizes,
        quality: answer.quality.as_ref(),
        reg: reg(answer.method, &answer.params),
        view: view.as_ref().map_err(String::as_str),
        decided: decided.as_ref(),
        truth: truth.as_ref(),
        stability: answer.stability.as_ref(),
    })
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
    answer: &TrainAnswer,
    fit: &AnyFit,
    names: &[String],
    rows: std::result::Result<&TrainingRows, &str>,
) -> Result<Document> {
    let entry = find_classifier(answer.method)?;
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
        written: answer.outputs.list(),
        next: vec![next],
    };
    let about = About {
        input: &args.input.input,
        method: [entry.name, entry.class, entry.about],
        params: &answer.params,
        seed: args.seed,
        thing: "row",
        n: answer.n,
        within: "",
        d: answer.d,
        seconds: Some(answer.seconds),
        report: &fit.report,
        warnings: &answer.warnings,
        notices: &answer.notices,
        cautions: &[],
        names: Names {
            column: &|j| names[j].clone(),
            row: &|i| (i + 1).to_string(),
            cluster: &|c| c.to_string(),
        },
        apply: &apply,
    };
    let (learnt, cv) = (&answer.learnt, answer.cv.as_ref());
    Ok(separa_report::train(&Training { about, learnt, sizes: &answer.sizes, cv, rows }))
}

/// What a comparison's document is made from.
#[derive(Debug)]
pub struct Ranked<'a> {
    pub args: &'a CompareArgs,
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub plan: &'a Plan,
    pub comparison: &'a Comparison,
    pub notices: &'a [String],
    pub cautions: &'a [String],
}

/// The document of `compare`.
pub fn compare(ranked: &Ranked<'_>) -> Document {
    let Ranked { args, input, data, plan, comparison, notices, cautions } = *ranked;
    let first = comparison.lines.iter().find_map(|line| Some((line.labels.as_ref()?, line.k?)));
    let map = match (&args.report, first) {
        (None, _) => Err(String::new()),
        (_, Some((labels, k))) => Map::of(data, labels, k, args.seed).map_err(|e| e.to_string()),
        (_, None) => Err("no method has labels".to_owned()),
    };
    let map = map.map_err(|why| format!("the rows could not be drawn: {why}"));
    let written = crate::answer::Outputs::new(None, None, args.report.as_deref()).list();
    let apply = Apply { command: Some(typed(|_| true)), written, ..Apply::default() };
    separa_report::compare(&Compared {
        input: &input.name,
        n: data.n(),
        d: data.d(),
        seed: args.seed,
        params: &plan.given,
        comparison,
        map: map.as_ref().map_err(String::as_str),
        truth: args.truth.as_deref(),
        notices,
        cautions,
        apply: &apply,
    })
}

/// Writes the page of a document.
pub fn write(target: &Path, document: &Document) -> Result<()> {
    let page = document.html();
    Ok(separa_io::write_atomic(target, |out| out.write_all(page.as_bytes()))?)
}

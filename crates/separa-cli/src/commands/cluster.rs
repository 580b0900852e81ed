//! `separa cluster INPUT -k N`: from a table to labels, a rule and a number to trust them by.

use super::stream;
use crate::answer::{Outputs, answer};
use crate::args::{ClusterArgs, Clusters};
use crate::failure::{ExitCode, Failure, INTERRUPTED, NOT_CONVERGED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::report::{self, Made};
use crate::table::{self, Classes, Input};
use crate::text::{self, number};
use crate::{groups, lake, notes, outputs, repair, settings};
use separa::note::codes;
use separa::{Clustering, Dataset, Note, Rules, Stop};
use separa_io::prepare::Alternative;
use separa_io::{FileSet, Shown, TableOptions, shell_word};
use separa_report::Truth;
use serde_json::json;
use std::ffi::OsString;
use std::path::Path;

pub fn run(args: &ClusterArgs) -> Result<ExitCode> {
    // Everything that can be refused without reading the table is refused first.
    let mut request = settings::request(args)?;
    check_targets(args)?;
    groups::check_roles(&args.groups, args.columns.id.as_ref())?;
    check_names(args)?;
    if let Some(done) = stream::run(args, &request)? {
        return Ok(done);
    }

    let input = read(args, request.method().is_precomputed())?;
    if let Some(column) = &args.init_labels {
        request = request.begin_from(&starting_labels(&input, column, args.number.k)?)?;
    }
    if let (Some(done), false) = (&input.table.preparation, args.run.quiet) {
        let other = separa_io::prepare::alternative(done);
        other.iter().for_each(|Alternative { purpose, options }| {
            let command = repair::with(crate::typed_words(), options);
            text::notice(&format!("{purpose}: {command}"));
        });
    }
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    let data = input.dataset()?;
    request.check_on(&data).map_err(|e| input.wrong(e))?;

    let watch = Watch::new(Interrupt::listen()?, args.run.quiet);
    let bar = watch.handle();
    let found = request.observe(watch).fit(&data);
    bar.finish_and_clear();
    let mut found = found.map_err(|e| input.wrong(e))?;
    input.preparation().into_iter().for_each(|done| found.prepared_by(done));
    found.rename(args.names.clone())?;

    let mut set = FileSet::default();
    add_model(&mut set, args, &found)?;
    add_labels(&mut set, args, &input, &data, &found)?;
    let truth = truth.as_ref();
    tell(&Told { args, input: &input, data: &data, found: &found, truth }, set)
}

/// What there is to tell of a clustering.
pub struct Told<'a> {
    pub args: &'a ClusterArgs,
    pub input: &'a Input,
    /// The rows that `found` has labels of.
    pub data: &'a Dataset<'a>,
    pub found: &'a Clustering,
    pub truth: Option<&'a Classes>,
}

/// Writes `set` and the page, all or none; then notes, screen or JSON, and the exit code.
pub fn tell(told: &Told<'_>, mut set: FileSet) -> Result<ExitCode> {
    let Told { args, input, data, found, truth } = told;
    let mut said = found.notes().to_vec();
    let known = truth.map(|classes| classes.against(found.labels()));
    if let Some(classes) = truth {
        said.extend(table::unknown_classes(classes.unknown, input.thing()));
    }
    if let Some(Err(e)) = &known {
        let text = format!("the clusters were not compared with known classes: {e}");
        said.push(Note::warning(codes::NOT_COMPARED, text));
    }
    let known = known.and_then(separa::Result::ok);
    if args.output.is_some() {
        said.extend(found.confidence_note());
    }
    let rules = rules(args, data, found, &mut said);
    let written =
        Outputs::new(args.output.as_deref(), args.model.as_deref(), args.report.as_deref());
    let document = (args.report.is_some() || !args.json).then(|| {
        let all = [input.notes(), said.clone()].concat();
        let made = Made {
            args,
            input,
            data,
            found,
            rules: rules.as_ref(),
            truth: known.as_ref(),
            notes: &all,
        };
        report::cluster(&made, written.list(), next(args, found))
    });
    if let (Some(target), Some(document)) = (&args.report, &document) {
        report::add(&mut set, target, document)?;
    }
    set.commit()?;
    if !args.run.quiet {
        notes::tell(&said);
    }
    if let (Some(document), false) = (&document, args.json) {
        text::show(document)?;
    }
    if args.json {
        let all = [input.notes(), said].concat();
        let mut answer = answer(found, found.seconds(), &all, &written);
        answer.insert("truth".into(), json!(known.as_ref().map(Truth::answer)));
        if args.rules {
            answer.insert("rules".into(), json!(rules));
        }
        exemplars(input, found, &mut answer);
        text::print_json(&answer)?;
    }
    Ok(match found.stop() {
        _ if found.was_interrupted() => ExitCode::from(INTERRUPTED),
        Stop::MaxIter => ExitCode::from(NOT_CONVERGED),
        _ => ExitCode::SUCCESS,
    })
}

/// The clusters as rules in words, if they are to be shown; a note says why there are none.
fn rules(
    args: &ClusterArgs,
    data: &Dataset<'_>,
    found: &Clustering,
    said: &mut Vec<Note>,
) -> Option<Rules> {
    if !(args.rules || args.report.is_some()) || found.was_interrupted() {
        return None;
    }
    let rules = found.rules(data);
    if let (Err(e), true) = (&rules, args.rules) {
        said.push(Note::warning(codes::NO_RULES, format!("there are no rules: {e}")));
    }
    rules.ok()
}

/// Exemplars by their place in the file, counted from 0, and by the column that names the rows.
fn exemplars(
    input: &Input,
    found: &Clustering,
    answer: &mut serde_json::Map<String, serde_json::Value>,
) {
    if found.exemplars().is_empty() {
        return;
    }
    let places = by_place(found.exemplars(), |i| input.table.source_row(i) as usize - 1);
    answer.insert("exemplars".into(), json!(places));
    if let Some(id) = input.id() {
        let names = input.column(id);
        let named = by_place(found.exemplars(), |i| names[i].clone());
        answer.insert("exemplar_ids".into(), json!(named));
    }
}

fn check_targets(args: &ClusterArgs) -> Result<()> {
    if let Some(target) = args.output.as_ref().filter(|target| !lake::is_folder(target)) {
        outputs::check_labels(target, &args.input.input)?;
    }
    if let Some(target) = &args.model {
        outputs::check(target, &args.input.input)?;
    }
    if let Some(target) = &args.report {
        outputs::check(target, &args.input.input)?;
    }
    outputs::check_distinct(&[
        ("labels", args.output.as_deref()),
        ("model", args.model.as_deref()),
        ("report", args.report.as_deref()),
    ])
}

/// Names must be for clusters that will exist: nobody should wait for a fit to hear of a slip. How many auto finds
/// is known after it; whether names are given twice is known before.
fn check_names(args: &ClusterArgs) -> Result<()> {
    let named = args.names.iter().map(|(cluster, _)| cluster + 1).max().unwrap_or(0);
    let k = match args.number.k {
        Clusters::Auto => named,
        Clusters::Given(k) => k,
    };
    for (at, (cluster, name)) in args.names.iter().enumerate() {
        let before = &args.names[..at];
        if before.iter().any(|(other, _)| other == cluster) {
            return Err(Failure::new(format!(
                "--names gives cluster {cluster} two names; give it one"
            )));
        }
        if let Some((other, _)) = before.iter().find(|(_, other)| other.trim() == name.trim()) {
            return Err(Failure::new(format!(
                "--names gives clusters {other} and {cluster} the same name, \"{}\"; give each its own",
                name.trim()
            )));
        }
    }
    Clustering::checked_names(k, args.names.clone())?;
    Ok(())
}

/// What to take from the table.
pub fn options(args: &ClusterArgs, strict: bool) -> TableOptions {
    TableOptions {
        truth: args.truth.clone(),
        strict,
        ..args.columns.complete(args.input.options())
    }
}

/// Reads the table, its columns in the roles that the options name.
pub fn read(args: &ClusterArgs, strict: bool) -> Result<Input> {
    let options = options(args, strict);
    let mut kept = vec![("--init-labels", args.init_labels.as_ref())];
    kept.extend(args.groups.kept());
    table::read(&args.input.input, options, &kept, args.run.quiet)?.grouped(&args.groups)
}

/// Starting labels: none missing, as many groups as clusters are asked for.
fn starting_labels(input: &Input, column: &str, k: Clusters) -> Result<Vec<i32>> {
    let special = |text: &str, row| match text {
        "" => Err(input.no_label(column, row)),
        _ => Ok(None),
    };
    let labels = input.labels(column, special)?;
    let labels = match input.bags() {
        Some(bags) => bags.one_each(input, column, &labels)?,
        None => labels,
    };
    // Numbered by first appearance, so the largest tells how many there are.
    let found = labels.iter().max().map_or(0, |last| *last as usize + 1);
    if Clusters::Given(found) == k {
        return Ok(labels);
    }
    Err(Failure::new(format!(
        "{}: column \"{column}\" starts from {}, but -k asks for another number; \
         use -k {found} or another column",
        input.name,
        number::counted(found, "cluster")
    )))
}

/// Lists of rows, each row by what `place` says of it.
fn by_place<T>(lists: &[Vec<usize>], place: impl Fn(usize) -> T) -> Vec<Vec<T>> {
    lists.iter().map(|list| list.iter().map(|&i| place(i)).collect()).collect()
}

/// The model, ready to be named together with the other outputs.
pub fn add_model(set: &mut FileSet, args: &ClusterArgs, found: &Clustering) -> Result<()> {
    if let Some(target) = &args.model {
        let bytes = found.to_bytes()?;
        set.add(target, |out| out.write_all(&bytes))?;
    }
    Ok(())
}

/// The labels, too.
fn add_labels(
    set: &mut FileSet,
    args: &ClusterArgs,
    input: &Input,
    data: &Dataset<'_>,
    found: &Clustering,
) -> Result<()> {
    match &args.output {
        Some(target) => labels_into(set, target, args.excel_safe, &Labelled { input, data, found }),
        None => Ok(()),
    }
}

/// Rows with their clusters.
pub struct Labelled<'a> {
    pub input: &'a Input,
    pub data: &'a Dataset<'a>,
    pub found: &'a Clustering,
}

/// The file of labels, as its ending says.
pub fn labels_into(
    set: &mut FileSet,
    target: &Path,
    excel_safe: bool,
    Labelled { input, data, found }: &Labelled<'_>,
) -> Result<()> {
    let names = input.row_names();
    let id = names.as_ref().map(|(name, values)| (*name, values.as_ref()));
    let names = ["agreement".to_owned()];
    let agreement = found.stability().map(|s| (names.as_slice(), s.agreement.as_slice()));
    let sure = found.confidence(*data)?.marked(found.labels());
    let called = outputs::called(found);
    let labels = Shown::from(found.labels()).called(&called).sure(outputs::sure(&sure));
    let more = input.more_ids();
    let labels = labels.excel_safe(excel_safe).more_ids(&more);
    Ok(separa_io::add_labels(set, target, id, labels, agreement)?)
}

/// What a person may want to type after this: this command again with something added.
fn next(args: &ClusterArgs, found: &Clustering) -> Vec<String> {
    let mut next = Vec::new();
    if found.stop() == Stop::MaxIter {
        let iterations = 10 * found.iterations().max(10);
        next.push(format!("{} --set max_iter={iterations}", typed(|word| !sets_max_iter(word))));
    }
    // A rule that gives every row the same label is worth neither a file nor a try.
    if let Some(counted) = found.count().filter(|counted| counted.k == 1) {
        next.extend(counted.best_segments.map(|k| typed_with_k(crate::typed_words(), k)));
        if counted.segments.is_empty() && counted.segments_time_limit.is_some() {
            let longer = [("--time-limit", "2m".to_owned())];
            next.push(repair::with(crate::typed_words(), &longer));
        }
        return next;
    }
    match (&args.model, &args.output) {
        (Some(model), _) => {
            next.push(report::predict(Some(&model.to_string_lossy()), args.groups.chosen()));
        }
        (None, Some(_)) => next.push(format!("{} --model rule.separa", typed(|_| true))),
        (None, None) => {
            next.push(format!("{} -o labels.csv --model rule.separa", typed(|_| true)));
        }
    }
    next
}

fn sets_max_iter(setting: &str) -> bool {
    setting.trim_start_matches("--set=").starts_with("max_iter=")
}

/// A command with this number of clusters in place of what was given for it.
pub fn typed_with_k(words: impl Iterator<Item = OsString>, k: usize) -> String {
    let mut all = vec!["separa".to_owned()];
    let (mut given, mut skipped) = (false, false);
    for word in words {
        let word = word.to_string_lossy().into_owned();
        let names_k = word.starts_with("-k") || word.starts_with("--clusters");
        let names_most = word.starts_with("--k-max");
        match word.as_str() {
            _ if skipped => skipped = false,
            "-k" | "--clusters" | "--k-max" => {
                skipped = true;
                if names_k && !given {
                    all.push(format!("-k {k}"));
                    given = true;
                }
            }
            _ if names_k && !given => {
                all.push(format!("-k {k}"));
                given = true;
            }
            // What was looked for at most goes with the search.
            _ if names_most => {}
            _ => all.push(shell_word(&word)),
        }
    }
    if !given {
        all.push(format!("-k {k}"));
    }
    all.join(" ")
}

/// The command as it was typed, without the settings that `keep` refuses.
pub fn typed(keep: impl Fn(&str) -> bool) -> String {
    let mut words = vec!["separa".to_owned()];
    for word in crate::typed_words() {
        // What is no text cannot be shown as it was typed, but it is no reason to fail.
        let word = word.to_string_lossy();
        if keep(&word) {
            words.push(shell_word(&word));
        } else if words.last().is_some_and(|last| last == "--set") {
            words.pop();
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::typed_with_k;

    #[test]
    fn a_command_for_segments_is_the_one_that_was_typed_with_their_number() {
        for (typed, with) in [
            ("cluster t.csv -k auto -m kmeans", "separa cluster t.csv -k 4 -m kmeans"),
            ("cluster t.csv -kauto --k-max 9 -q", "separa cluster t.csv -k 4 -q"),
            ("cluster --clusters=auto t.csv --k-max=9", "separa cluster -k 4 t.csv"),
            ("cluster --clusters auto t.csv", "separa cluster -k 4 t.csv"),
            ("cluster t.csv", "separa cluster t.csv -k 4"),
        ] {
            let words = typed.split(' ').map(Into::into);
            assert_eq!(typed_with_k(words, 4), with, "{typed}");
        }
    }
}

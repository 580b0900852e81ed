//! `separa cluster INPUT -k N`: from a table to labels, a rule and a number to trust them by.

use crate::answer::{Answer, Outputs};
use crate::args::{ClusterArgs, Clusters};
use crate::failure::{Failure, INTERRUPTED, NOT_CONVERGED, Result};
use crate::groups;
use crate::interrupt::Interrupt;
use crate::judge;
use crate::outputs;
use crate::progress::Watch;
use crate::report::{self, Made};
use crate::settings::Settings;
use crate::stability;
use crate::table::{self, Input};
use crate::text::{self, number};
use separa::judge::{Origin, cautions, unjudged};
use separa::k_auto as auto;
use separa::model_file::{self as persist, About, Training};
use separa::registry::AnyFit;
use separa::{Ctx, Dataset, Stop};
use separa_io::{ReadOptions, memory, shell_word};
use std::process::ExitCode;
use std::time::Instant;

pub fn run(args: &ClusterArgs) -> Result<ExitCode> {
    // Everything that can be refused without reading the table is refused first.
    let mut settings = Settings::new(args)?;
    check_targets(args)?;
    groups::check_roles(&args.groups, args.columns.id.as_ref())?;

    let input = read(args)?;
    if let Some(column) = &args.init_labels {
        settings.start_from(starting_labels(&input, column, args.k)?);
    }
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    let data = input.dataset()?;
    if let Some(refits) = args.stability {
        separa::stability::check(&data, &settings.given, refits).map_err(|e| input.wrong(e))?;
    }

    let interrupt = Interrupt::listen()?;
    let began = Instant::now();
    let mut fit = fit(args, &mut settings, &data, interrupt.clone()).map_err(|e| input.wrong(e))?;
    let seconds = began.elapsed().as_secs_f64();

    let mut warnings = fit.report.warnings.clone();
    let origin = Origin {
        entry: settings.entry,
        given: &settings.given,
        seed: args.seed,
        memory: memory::budget(args.memory),
    };
    let unjudged = unjudged(&data, &settings.given).or_else(|| auto::unjudged(&fit.report));
    let quality = match unjudged {
        None => judge::fitted(&data, &mut fit, &origin, &interrupt, &mut warnings),
        Some(_) => None,
    };
    let stability = args.stability.and_then(|refits| {
        let watch = (&interrupt, args.run.quiet);
        stability::of(&data, &fit, (&origin, refits), watch, &mut warnings)
    });
    let params = settings.complete()?;
    let k = fit.model.n_clusters();
    let mut notices = notices(&input, &fit, truth.as_ref().map_or(0, |classes| classes.unknown));
    notices.extend(unjudged);
    if args.json && quality.is_some() {
        notices.extend(cautions(settings.entry, k, &params));
    }
    let answer = Answer {
        separa: env!("CARGO_PKG_VERSION"),
        method: settings.entry.name,
        params,
        n: data.n(),
        rows: data.bags().map(|_| data.x().rows()),
        sequences: data.sequences().map(<[_]>::len),
        d: data.d(),
        k,
        sizes: sizes(&fit),
        objective: fit.report.objective,
        iterations: fit.report.iterations,
        stop: fit.report.stop,
        seconds,
        quality,
        truth: truth.as_ref().and_then(|c| judge::against(&fit.labels, c, &mut warnings)),
        stability,
        warnings,
        outputs: Outputs::new(
            args.output.as_deref(),
            args.model.as_deref(),
            args.report.as_deref(),
        ),
        auto: fit.report.counted.clone(),
        starts: fit.report.starts.clone(),
        typical: by_place(&fit.report.typical, |i| input.table.source_row(i) as usize - 1),
        typical_ids: args
            .columns
            .id
            .as_deref()
            .map(|id| input.column(id))
            .filter(|_| !fit.report.typical.is_empty())
            .map(|names| by_place(&fit.report.typical, |i| names[i].clone())),
        notices,
    };
    write(args, &input, &answer, &fit)?;
    tell(args, &input, &answer);
    if args.report.is_some() || !args.json {
        let (entry, truth) = (settings.entry, truth.as_ref());
        let made = Made { args, entry, input: &input, data: &data, fit: &fit, truth };
        let document = report::cluster(&made, &answer, next(args, &answer));
        if let Some(target) = &args.report {
            report::write(target, &document)?;
        }
        if !args.json {
            text::show(&document)?;
        }
    }
    if args.json {
        text::print_json(&answer)?;
    }
    Ok(match answer.stop {
        Stop::MaxIter => ExitCode::from(NOT_CONVERGED),
        Stop::Cancelled => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

fn check_targets(args: &ClusterArgs) -> Result<()> {
    if let Some(target) = &args.output {
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

fn read(args: &ClusterArgs) -> Result<Input> {
    let options =
        ReadOptions { truth: args.truth.clone(), ..args.columns.complete(args.input.options()) };
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

fn fit(
    args: &ClusterArgs,
    settings: &mut Settings,
    data: &Dataset<'_>,
    interrupt: Interrupt,
) -> separa::Result<AnyFit> {
    let watch = Watch::new(interrupt, args.run.quiet);
    let bar = watch.handle();
    let mut ctx = Ctx::observed(args.seed, watch);
    ctx.memory = memory::budget(args.memory);
    let fit = match auto::asked(&settings.given) {
        false => (settings.entry.fit)(&settings.given, data, &mut ctx),
        true => auto::fit(settings.entry, &settings.given, data, settings.k_max, &mut ctx).map(
            |found| {
                settings.given = found.given;
                found.fit
            },
        ),
    };
    bar.finish_and_clear();
    fit
}

fn sizes(fit: &AnyFit) -> Vec<usize> {
    let mut sizes = vec![0; fit.model.n_clusters()];
    for label in fit.labels.iter().filter(|label| **label >= 0) {
        sizes[*label as usize] += 1;
    }
    sizes
}

/// Lists of rows, each row by what `place` says of it.
fn by_place<T>(lists: &[Vec<usize>], place: impl Fn(usize) -> T) -> Vec<Vec<T>> {
    lists.iter().map(|list| list.iter().map(|&i| place(i)).collect()).collect()
}

fn notices(input: &Input, fit: &AnyFit, unknown: usize) -> Vec<String> {
    let mut notices = input.table.notices.clone();
    notices.extend(fit.report.notices.iter().cloned());
    notices.extend(table::unknown_classes(unknown, input.thing()));
    notices
}

/// Model first: should the labels not fit on the disk, `predict` can make them again.
fn write(args: &ClusterArgs, input: &Input, answer: &Answer, fit: &AnyFit) -> Result<()> {
    if let Some(target) = &args.model {
        let about = About {
            method: answer.method,
            params: answer.params.clone(),
            feature_names: Some(&input.table.names),
            training: Training::of(fit, args.seed, answer.quality.as_ref()),
        };
        let bytes = persist::to_bytes(fit.model.as_ref(), about)?;
        separa_io::write_atomic(target, |out| out.write_all(&bytes))?;
    }
    if let Some(target) = &args.output {
        let names = input.row_names(args.columns.id.as_deref());
        let id = names.as_ref().map(|(name, values)| (*name, values.as_ref()));
        let names = ["agreement".to_owned()];
        let agreement =
            answer.stability.as_ref().map(|s| (names.as_slice(), s.agreement.as_slice()));
        separa_io::write_labels(target, id, &fit.labels, agreement)?;
    }
    Ok(())
}

/// Notices that were not told when the table was read.
fn tell(args: &ClusterArgs, input: &Input, answer: &Answer) {
    if !args.run.quiet {
        let shown = input.table.notices.len();
        answer.notices[shown..].iter().for_each(|sentence| text::notice(sentence));
    }
}

/// What a person may want to type after this: this command again with something added.
fn next(args: &ClusterArgs, answer: &Answer) -> Vec<String> {
    let mut next = Vec::new();
    if answer.stop == Stop::MaxIter {
        let iterations = 10 * answer.iterations.max(10);
        next.push(format!("{} --set max_iter={iterations}", typed(|word| !sets_max_iter(word))));
    }
    // A rule that gives every row the same label is worth neither a file nor a try.
    if answer.auto.as_ref().is_some_and(|found| found.k == 1) {
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

/// The command as it was typed, without the settings that `keep` refuses.
pub fn typed(keep: impl Fn(&str) -> bool) -> String {
    let mut words = vec!["separa".to_owned()];
    for word in std::env::args_os().skip(1) {
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

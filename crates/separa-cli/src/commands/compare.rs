//! `separa compare INPUT -k N`: every method on one table, ranked without labels.

use crate::answer::Outputs;
use crate::compare_args::CompareArgs;
use crate::failure::{INTERRUPTED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::table::{self, Input};
use crate::text::{self, compared, summary};
use crate::{outputs, report, settings};
use separa::compare::{self, Comparison};
use separa::{Comparer, Named, Note};
use separa_io::ReadOptions;
use serde::Serialize;
use serde_json::Value;
use std::process::ExitCode;

#[derive(Debug, Serialize)]
struct Answer<'a> {
    separa: &'static str,
    n: usize,
    d: usize,
    params: &'a serde_json::Map<String, Value>,
    #[serde(flatten)]
    comparison: &'a Comparison,
    outputs: Outputs,
    notices: Vec<String>,
}

pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    let request = request(args)?;
    if let Some(target) = &args.report {
        outputs::check(target, &args.input.input)?;
    }
    let options =
        ReadOptions { truth: args.truth.clone(), ..args.columns.complete(args.input.options()) };
    let input = table::read(&args.input.input, options, &[], args.run.quiet)?;
    let mut notes = input.notes();
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    notes.extend(
        truth.as_ref().and_then(|classes| table::unknown_classes(classes.unknown, input.thing())),
    );
    let data = input.dataset()?;

    let interrupt = Interrupt::listen()?;
    let watch = Watch::new(interrupt.clone(), args.run.quiet);
    let bar = watch.handle();
    let known = truth.as_ref().map(|classes| classes.numbers.as_slice());
    let params = request.params().clone();
    let found = request.observe(watch).fit(&data, known);
    bar.finish_and_clear();
    let found = found.map_err(|e| input.wrong(e))?;

    notes.extend(compare::cautions(&found));
    let notices: Vec<String> = notes.iter().map(Note::to_string).collect();
    if let Some(target) = &args.report {
        report::compare(target, args, &input, &data, &found, &params, &notices)?;
    }
    show(args, &input, &params, &found, notices)?;
    Ok(if interrupt.asked() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Everything that can be refused without reading the table is refused here.
fn request(args: &CompareArgs) -> Result<Comparer<'static>> {
    let names: Vec<&str> = args.methods.iter().map(|name| name.trim()).collect();
    let params = Named::from_iter([("n_clusters".to_owned(), settings::how_many(args.number)?)]);
    let mut request = Comparer::named(&names, &params)?.seed(args.fit.seed);
    if let Some(k_max) = args.number.k_max {
        request = request.k_max(k_max);
    }
    if let Some(memory) = args.fit.memory {
        request = request.memory(memory);
    }
    if let Some(limit) = args.time_limit {
        request = request.time_limit(limit);
    }
    request.check()?;
    Ok(request)
}

fn show(
    args: &CompareArgs,
    input: &Input,
    params: &Named,
    found: &Comparison,
    notices: Vec<String>,
) -> Result<()> {
    let (n, d) = (input.table.rows, input.table.cols());
    let outputs = Outputs::new(None, None, args.report.as_deref());
    if args.json {
        let separa = env!("CARGO_PKG_VERSION");
        let comparison = found;
        return text::print_json(&Answer { separa, n, d, params, comparison, outputs, notices });
    }
    let size = (input.name.as_str(), n, d);
    let mut screen = compared::describe(found, size, args.truth.as_deref(), &notices);
    screen.push_str(&summary::closing(&outputs.list(), &[]));
    text::print(&screen)
}

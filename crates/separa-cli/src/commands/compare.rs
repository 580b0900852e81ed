//! `separa compare INPUT -k N`: every method on one table, ranked without labels.

use crate::answer::Outputs;
use crate::compare_args::CompareArgs;
use crate::failure::{ExitCode, INTERRUPTED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::report::{self, Ranked};
use crate::{outputs, settings, table, text};
use separa::compare::{self, Comparison};
use separa::{Comparer, Named, Note};
use separa_io::{FileSet, TableOptions};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct CompareAnswer<'a> {
    separa: &'static str,
    n: usize,
    d: usize,
    params: &'a Named,
    #[serde(flatten)]
    comparison: &'a Comparison,
    outputs: Outputs,
    notes: Vec<Note>,
}

pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    let request = request(args)?;
    if let Some(target) = &args.report {
        outputs::check(target, &args.input.input)?;
    }
    let options =
        TableOptions { truth: args.truth.clone(), ..args.columns.complete(args.input.options()) };
    let input = table::read(&args.input.input, options, &[], args.run.quiet)?;
    let mut notices = input.notes();
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    notices.extend(
        truth.as_ref().and_then(|classes| table::unknown_classes(classes.unknown, input.thing())),
    );
    let data = input.dataset()?;

    let interrupt = Interrupt::listen()?;
    let watch = Watch::new(interrupt.clone(), args.run.quiet).of_methods();
    let bar = watch.handle();
    let known = truth.as_ref().map(|classes| classes.numbers.as_slice());
    let params = request.params().clone();
    let found = request.observe(watch).fit(&data, known);
    bar.finish_and_clear();
    let found = found.map_err(|e| input.wrong(e))?;

    let cautions = compare::cautions(&found);
    let ranked = Ranked {
        args,
        input: &input,
        data: &data,
        params: &params,
        comparison: &found,
        notices: &notices,
        cautions: &cautions,
    };
    let document = report::compare(&ranked);
    if let Some(target) = &args.report {
        let mut set = FileSet::default();
        report::add(&mut set, target, &document)?;
        set.commit()?;
    }
    match args.json {
        true => text::print_json(&CompareAnswer {
            separa: env!("CARGO_PKG_VERSION"),
            n: input.table.rows,
            d: input.table.cols(),
            params: &params,
            comparison: &found,
            outputs: Outputs::new(None, None, args.report.as_deref()),
            notes: [notices, cautions].concat(),
        })?,
        false => text::show(&document)?,
    }
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

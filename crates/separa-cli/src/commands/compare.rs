//! `separa compare INPUT -k N`: every method on one table, ranked without labels.

use crate::answer::Outputs;
use crate::compare_args::CompareArgs;
use crate::failure::{INTERRUPTED, Result};
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::report::{self, Ranked};
use crate::{outputs, settings, table, text};
use separa::compare::{self, Comparison, Plan};
use separa::k_auto::count::Options;
use separa_io::{ReadOptions, memory};
use serde::Serialize;
use serde_json::Value;
use std::process::ExitCode;

#[derive(Debug, Serialize)]
struct CompareAnswer<'a> {
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
    let plan = plan(args)?;
    if let Some(target) = &args.report {
        outputs::check(target, &args.input.input)?;
    }
    let options =
        ReadOptions { truth: args.truth.clone(), ..args.columns.complete(args.input.options()) };
    let input = table::read(&args.input.input, options, &[], args.run.quiet)?;
    let mut notices = input.table.notices.clone();
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    notices.extend(
        truth.as_ref().and_then(|classes| table::unknown_classes(classes.unknown, input.thing())),
    );
    let data = input.dataset()?;

    let interrupt = Interrupt::listen()?;
    let mut watch = Watch::new(interrupt.clone(), args.run.quiet);
    let bar = watch.handle();
    let known = truth.as_ref().map(|classes| classes.numbers.as_slice());
    let found = compare::compare(&data, &plan, known, (&interrupt, &mut watch));
    bar.finish_and_clear();
    let found = found.map_err(|e| input.wrong(e))?;

    let cautions = compare::cautions(&found);
    let ranked = Ranked {
        args,
        input: &input,
        data: &data,
        plan: &plan,
        comparison: &found,
        notices: &notices,
        cautions: &cautions,
    };
    let document = report::compare(&ranked);
    if let Some(target) = &args.report {
        report::write(target, &document)?;
    }
    match args.json {
        true => text::print_json(&CompareAnswer {
            separa: env!("CARGO_PKG_VERSION"),
            n: input.table.rows,
            d: input.table.cols(),
            params: &plan.given,
            comparison: &found,
            outputs: Outputs::new(None, None, args.report.as_deref()),
            notices: [notices, cautions].concat(),
        })?,
        false => text::show(&document)?,
    }
    Ok(if interrupt.asked() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Everything that can be refused without reading the table is refused here.
fn plan(args: &CompareArgs) -> Result<Plan> {
    let names: Vec<&str> = args.methods.iter().map(|name| name.trim()).collect();
    let methods = compare::methods(&names)?;
    let k = settings::how_many(args.k, args.k_max)?;
    let given = [("n_clusters".to_owned(), k)].into_iter().collect();
    let k_max = args.k_max.unwrap_or(Options::default().k_max);
    let workers = compare::together(methods.len()) as u64;
    let memory = match args.memory {
        Some(asked) => memory::budget(Some(asked)),
        None => separa::MemoryBudget(memory::budget(None).0.map(|all| all / workers)),
    };
    let (seed, time_limit) = (args.seed, args.time_limit);
    let plan = Plan { methods, given, k_max, seed, time_limit, memory };
    plan.refuse()?;
    Ok(plan)
}

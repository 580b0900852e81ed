//! `separa cluster` on Parquet files that are read block by block: a sample in memory, then passes over all rows.

use super::cluster::{self, Told};
use crate::args::ClusterArgs;
use crate::failure::{ExitCode, Result};
use crate::interrupt::Interrupt;
use crate::lake::{self, Labeller, Lake};
use crate::outputs;
use crate::progress::Watch;
use crate::table::Input;
use crate::text;
use separa::model_file::Saved;
use separa::{Clusterer, Clustering, MemoryBudget, source};
use separa_io::{Blocks, FileSet, TableOptions};

/// Rows of the sample at most: more cost time and hardly change the rule that the passes begin from.
const SAMPLE: usize = 50_000;
/// The sample is this small a part of the memory, because the fit of it needs copies.
const PART: u64 = 8;

/// Clusters the table in blocks if it has to be, or is to be; None if it is read whole.
pub fn run(args: &ClusterArgs, request: &Clusterer<'_>) -> Result<Option<ExitCode>> {
    let options = cluster::options(args, request.method().is_precomputed());
    let folder = args.output.as_deref().is_some_and(lake::is_folder);
    let forced = args.stream || folder;
    let name = &args.input.input;
    let whole = args.groups.chosen().is_some()
        || args.init_labels.is_some()
        || request.method().is_precomputed();
    if whole {
        let why = "bags, sequences, given labels and measures of pairs need the whole table";
        return if forced { Err(lake::not_streamed(name, why)) } else { Ok(None) };
    }
    let budget = args.fit.memory.unwrap_or_else(MemoryBudget::free);
    match lake::open(name, &options)? {
        None if forced => Err(lake::not_streamed(name, "this is no Parquet file")),
        Some(blocks) if forced || !budget.allows(blocks.bytes()) => {
            in_blocks(args, request, blocks, &options, budget).map(Some)
        }
        _ => Ok(None),
    }
}

fn in_blocks(
    args: &ClusterArgs,
    request: &Clusterer<'_>,
    mut blocks: Blocks,
    options: &TableOptions,
    budget: MemoryBudget,
) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let input = sample(args, &mut blocks, options, budget)?;
    drop(blocks);
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    let data = input.dataset()?;
    request.check_on(&data).map_err(|e| input.wrong(e))?;

    // Only the columns that became features, and the one that names the rows.
    let done = input.table.preparation.clone();
    let again = TableOptions { preparation: done, truth: None, ..options.clone() };
    let blocks = separa_io::blocks(&args.input.input, &again)?;
    let blocks = blocks.expect("it was opened as blocks before");
    let mut rows = Lake::new(blocks, again, input.table.names.clone());
    let watch = Watch::new(interrupt, args.run.quiet);
    let bar = watch.handle();
    let found = request.clone().observe(watch).fit_source(&mut rows, &data);
    bar.finish_and_clear();
    let mut found = found?;
    input.preparation().into_iter().for_each(|done| found.prepared_by(done));
    found.rename(args.names.clone())?;

    let mut set = FileSet::default();
    cluster::add_model(&mut set, args, &found)?;
    write_labels(args, &input, &found, &mut rows)?;
    if !args.run.quiet {
        let new = rows.notices.iter().filter(|said| !input.table.notices.contains(said));
        new.for_each(|sentence| text::notice(sentence));
    }
    // Pages and comparisons show the rows of the sample.
    let labels = found.predict(&data)?;
    let shown = Saved::Clustering(Box::new(found)).with_labels(Some(labels));
    let found = shown.clustering()?;
    let told = Told { args, input: &input, data: &data, found, truth: truth.as_ref() };
    cluster::tell(&told, set)
}

/// A seeded sample of the rows, prepared as the whole table would be.
fn sample(
    args: &ClusterArgs,
    blocks: &mut Blocks,
    options: &TableOptions,
    budget: MemoryBudget,
) -> Result<Input> {
    let row = (blocks.bytes() / blocks.rows().max(1) as u64).max(1);
    let most = budget.0.map_or(SAMPLE, |bytes| ((bytes / PART / row) as usize).clamp(1000, SAMPLE));
    let places = source::sample(blocks.rows(), most, args.fit.seed);
    let table = separa_io::prepare_block(blocks.pick(&places)?, options)?;
    Ok(Input::of(&args.input.input, table, options.id.clone(), args.run.quiet))
}

fn write_labels(
    args: &ClusterArgs,
    input: &Input,
    found: &Clustering,
    rows: &mut Lake,
) -> Result<()> {
    let Some(target) = &args.output else { return Ok(()) };
    if found.was_interrupted() {
        if !args.run.quiet {
            text::notice(
                "interrupted: labels were not written; `separa predict` writes them by the model",
            );
        }
        return Ok(());
    }
    let missing = lake::missing_of(input.table.preparation.as_ref());
    let rule = Labeller::new(found, input.id().map(str::to_owned), missing);
    let rule = rule.called(outputs::called(found));
    rows.write_labels(target, &rule)
}

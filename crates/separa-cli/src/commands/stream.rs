//! `separa cluster` on a table that is read block by block: a sample in memory, then passes over all rows.

use super::cluster::{self, Told};
use crate::args::ClusterArgs;
use crate::failure::{ExitCode, Failure, Result};
use crate::interrupt::Interrupt;
use crate::lake::{self, Labeller, Lake};
use crate::outputs;
use crate::progress::Watch;
use crate::table::Input;
use crate::text;
use separa::model_file::Saved;
use separa::source::Checkpoint;
use separa::{Clusterer, Clustering, Dataset, MemoryBudget};
use separa_io::{Blocks, FileSet, TableOptions};
use std::path::Path;

/// Clusters the table in blocks if it has to be, or is to be; None if it is read whole.
pub fn run(args: &ClusterArgs, request: &Clusterer<'_>) -> Result<Option<ExitCode>> {
    let options = cluster::options(args, request.method().is_precomputed());
    let folder = args.output.as_deref().is_some_and(lake::is_folder);
    let forced = args.stream || folder || args.checkpoint.is_some();
    let name = &args.input.input;
    let whole = args.groups.chosen().is_some()
        || args.init_labels.is_some()
        || request.method().is_precomputed();
    if whole {
        let why = "bags, sequences, given labels and measures of pairs need the whole table";
        return if forced { Err(lake::not_streamed(name, why)) } else { Ok(None) };
    }
    let budget = args.fit.memory.unwrap_or_else(MemoryBudget::free);
    match lake::open(name, &options, forced, budget)? {
        Some(blocks) => in_blocks(args, request, blocks, &options, budget).map(Some),
        None => Ok(None),
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
    let (name, quiet) = (&args.input.input, args.run.quiet);
    let input = lake::sample(name, &mut blocks, options, budget, args.fit.seed, quiet)?;
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    let data = input.dataset()?;
    request.check_on(&data).map_err(|e| input.wrong(e))?;

    // Only the columns that became features, and those that name the rows.
    let done = input.table.preparation.clone();
    let again = TableOptions { preparation: done, truth: None, ..options.clone() };
    let blocks = match blocks.projects() {
        true => lake::blocks(&args.input.input, &again, budget)?.unwrap_or(blocks),
        false => blocks,
    };
    let mut rows = Lake::new(blocks, again, input.table.names.clone());
    let watch = Watch::new(interrupt, args.run.quiet);
    let bar = watch.handle();
    let request = request.clone().observe(watch);
    let found = match &args.checkpoint {
        Some(file) => with_checkpoints(&request, file, args.resume, &mut rows, &data),
        None => request.fit_source(&mut rows, &data),
    };
    bar.finish_and_clear();
    let mut found = found?;
    input.preparation().into_iter().for_each(|done| found.prepared_by(done));
    found.rename(args.names.clone())?;

    let mut set = FileSet::default();
    cluster::add_model(&mut set, args, &found)?;
    write_labels(args, &input, &found, &mut rows)?;
    if !args.run.quiet {
        let mut new = rows.notices();
        new.retain(|said| !input.table.notices.contains(said));
        new.iter().for_each(|sentence| text::notice(sentence));
    }
    // Pages and comparisons show the rows of the sample.
    let labels = found.predict(&data)?;
    let shown = Saved::Clustering(Box::new(found)).with_labels(Some(labels));
    let found = shown.clustering()?;
    let told = Told { args, input: &input, data: &data, found, truth: truth.as_ref() };
    cluster::tell(&told, set)
}

/// Goes on from the checkpoint, if asked to, and writes one after every pass.
fn with_checkpoints(
    request: &Clusterer<'_>,
    file: &Path,
    resume: bool,
    rows: &mut Lake,
    data: &Dataset<'_>,
) -> Result<Clustering> {
    let shown = file.display();
    let bytes = match resume {
        true => Some(std::fs::read(file).map_err(|e| {
            Failure::new(format!(
                "{shown}: the checkpoint cannot be read ({e}); leave out --resume to begin anew"
            ))
        })?),
        false => None,
    };
    let mut save = |bytes: &[u8]| Ok(separa_io::write_atomic(file, |out| out.write_all(bytes))?);
    let checkpoint = Checkpoint { resume: bytes.as_deref(), save: &mut save };
    request.fit_source_with(rows, data, checkpoint).map_err(|e| {
        let said = e.sentence();
        match said.split_once("this checkpoint") {
            Some((_, why)) => Failure::new(format!(
                "{shown}: this checkpoint{why}; leave out --resume to begin anew"
            )),
            None => e,
        }
    })
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
    let first = input.id().map(str::to_owned);
    let ids = first.into_iter().chain(input.more_ids().iter().map(|id| id.name.clone())).collect();
    let rule = Labeller::new(found, ids, missing);
    let rule = rule.called(outputs::called(found));
    rows.write_labels(target, &rule).map(drop)
}

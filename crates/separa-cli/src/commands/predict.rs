//! `separa predict MODEL INPUT`: labels for new rows, columns matched by name.

use crate::args::PredictArgs;
use crate::failure::{ExitCode, Failure, Result};
use crate::lake::{self, Labeller, Lake};
use crate::table::Input;
use crate::text::{self, number};
use crate::{notes, outputs};
use separa::model_file::Saved;
use separa::preparation::Preparation;
use separa::{Dense, MemoryBudget};
use separa_io::{Blocks, Shown, TableOptions};
use std::path::Path;

pub fn run(args: &PredictArgs) -> Result<ExitCode> {
    let folder = args.output.as_deref().is_some_and(lake::is_folder);
    if let Some(target) = args.output.as_ref().filter(|_| !folder) {
        outputs::check_labels(target, &args.new.input.input)?;
    }
    let (new, saved) = (&args.new, args.new.load()?);
    let options = new.options(&saved);
    if let Some(target) = args.output.as_ref().filter(|_| args.new.groups.chosen().is_none()) {
        let forced = args.stream || folder;
        let free = MemoryBudget::free();
        if let Some(blocks) = lake::open(&args.new.input.input, &options, forced, free)? {
            return in_blocks(args, &saved, blocks, options, target);
        }
    } else if args.stream || folder {
        let why = "bags and sequences need the whole table";
        return Err(lake::not_streamed(&args.new.input.input, why));
    }
    let input = new.read(&saved)?;
    let data = input.dataset()?;
    let classes = saved.trained().map(|trained| trained.classes());
    let (labels, sure) = match classes {
        Some(_) => (saved.predict(&data)?, None),
        None => {
            let sure = saved.confidence(&data)?;
            (sure.labels.clone(), Some(sure))
        }
    };
    let mut extra = Extra::default();
    if args.scores {
        extra.add("score", classes, saved.decision(&data)?);
    }
    if args.proba {
        extra.add("proba", classes, saved.proba(&data)?);
    }
    let novelty = if args.novelty { Some(saved.novelty(&data)?) } else { None };
    if let Some(found) = &novelty {
        extra.add_named(outputs::NOVELTY.map(str::to_owned).to_vec(), outputs::novelty(found)?);
    }
    let shown = match classes {
        Some(names) => Shown::named(&labels, names),
        None => (&labels).into(),
    };
    let called = saved.clustering().map_or_else(|_| Vec::new(), outputs::called);
    let shown = shown.called(&called);
    let shown = sure.iter().fold(shown, |shown, sure| shown.sure(outputs::sure(sure)));
    write(args, &input, shown, &extra)?;
    if let (Some(target), false) = (&args.output, args.new.run.quiet) {
        text::notice(&written(labels.len(), target));
    }
    if let (Some(note), Some(_), false) = (saved.confidence_note(), &sure, args.new.run.quiet) {
        text::notice(&note.sentence(notes::word));
    }
    if let (Some(note), false) = (novelty.and_then(|found| found.note()), args.new.run.quiet) {
        text::notice(&note.sentence(notes::word));
    }
    Ok(ExitCode::SUCCESS)
}

/// Labels block by block: memory for one of them, whatever the number of rows.
fn in_blocks(
    args: &PredictArgs,
    saved: &Saved,
    blocks: Blocks,
    options: TableOptions,
    target: &Path,
) -> Result<ExitCode> {
    let names = saved.feature_names().map(<[String]>::to_vec).unwrap_or_default();
    let found = saved.preparation().map(Preparation::ids).unwrap_or_default();
    let missing = options.missing.or(lake::missing_of(saved.preparation()));
    let classes = saved.trained().map(|trained| trained.classes().to_vec());
    let mut extra = Extra::default();
    let columns = |wide: usize| Dense::zeros(0, wide);
    let wide = if saved.k() == 2 { 1 } else { saved.k() };
    if args.scores {
        extra.add("score", classes.as_deref(), columns(wide));
    }
    if args.proba {
        extra.add("proba", classes.as_deref(), columns(saved.k()));
    }
    if args.novelty {
        extra.add_named(outputs::NOVELTY.map(str::to_owned).to_vec(), columns(2));
    }
    let ids = match &args.new.id {
        Some(id) => vec![id.clone()],
        None => found.iter().map(|column| column.name.clone()).collect(),
    };
    let rule = Labeller::new(saved, ids, missing).with(
        extra.names,
        [args.scores, args.proba, args.novelty],
        classes,
    );
    let called = saved.clustering().map_or_else(|_| Vec::new(), outputs::called);
    let rule = rule.called(called);
    let mut rows = Lake::new(blocks, options, names);
    let count = rows.write_labels(target, &rule)?;
    if !args.new.run.quiet {
        text::notice(&written(count, target));
        rows.notices().iter().for_each(|sentence| text::notice(sentence));
    }
    Ok(ExitCode::SUCCESS)
}

/// Nobody should have to open a file to see that it was written.
fn written(rows: usize, target: &Path) -> String {
    format!("labels of {} written to {}", number::counted(rows, "row"), target.display())
}

/// Columns beside the labels, with a name for each.
#[derive(Debug, Default)]
struct Extra {
    names: Vec<String>,
    /// Row by row.
    values: Vec<f64>,
}

impl Extra {
    /// Adds columns: `name` for one, `name_0`, `name_1`, … or the classes' names for many.
    fn add(&mut self, name: &str, classes: Option<&[String]>, columns: Dense) {
        let names = match (columns.cols(), classes) {
            (1, _) => vec![name.to_owned()],
            (_, Some(classes)) => classes.iter().map(|class| format!("{name}_{class}")).collect(),
            (k, None) => (0..k).map(|c| format!("{name}_{c}")).collect(),
        };
        self.add_named(names, columns);
    }

    /// Adds columns of these names.
    fn add_named(&mut self, names: Vec<String>, columns: Dense) {
        let before = self.names.len();
        self.names.extend(names);
        if before == 0 {
            self.values = columns.into_vec();
            return;
        }
        let rows = self.values.chunks_exact(before).enumerate();
        self.values = rows.flat_map(|(i, row)| [row, columns.row(i)].concat()).collect();
    }
}

fn write(args: &PredictArgs, input: &Input, labels: Shown<'_>, extra: &Extra) -> Result<()> {
    let ids = input.row_names();
    let id = ids.as_ref().map(|(name, values)| (*name, values.as_ref()));
    let scores = Some((extra.names.as_slice(), extra.values.as_slice()));
    let scores = scores.filter(|(names, _)| !names.is_empty());
    let more = input.more_ids();
    let labels = labels.excel_safe(args.excel_safe).more_ids(&more);
    match &args.output {
        Some(target) => Ok(separa_io::write_labels(target, id, labels, scores)?),
        None => {
            let mut bytes = Vec::new();
            separa_io::labels_to_csv(&mut bytes, id, labels, scores)
                .map_err(|e| Failure::new(format!("the labels cannot be written ({e})")))?;
            text::print_bytes(&bytes)
        }
    }
}

//! `separa predict MODEL INPUT`: labels for new rows, columns matched by name.

use crate::args::PredictArgs;
use crate::failure::{ExitCode, Failure, Result};
use crate::table::Input;
use crate::{groups, model_file, outputs, table, text};
use separa::Dense;
use separa_io::{Shown, TableOptions};

pub fn run(args: &PredictArgs) -> Result<ExitCode> {
    if let Some(target) = &args.output {
        outputs::check_labels(target, &args.input.input)?;
    }
    groups::check_roles(&args.groups, args.id.as_ref())?;
    let saved = model_file::load(&args.model)?;
    let options = TableOptions {
        drop: args.drop.clone(),
        id: args.id.clone(),
        preparation: saved.preparation().cloned(),
        expect: saved.feature_names().map(<[String]>::to_vec),
        ..args.gaps.complete(args.input.options())
    };
    let input = table::read(&args.input.input, options, &args.groups.kept(), args.run.quiet)?;
    let input = input.grouped(&args.groups)?;
    saved.check_columns(Some(&input.table.names), input.table.cols())?;
    let data = input.dataset()?;
    let labels = saved.predict(&data)?;
    let classes = saved.trained().map(|trained| trained.classes());
    let mut extra = Extra::default();
    if args.scores {
        extra.add("score", classes, saved.decision(&data)?);
    }
    if args.proba {
        extra.add("proba", classes, saved.proba(&data)?);
    }
    let labels = match classes {
        Some(names) => Shown::named(&labels, names),
        None => (&labels).into(),
    };
    write(args, &input, labels, &extra)?;
    Ok(ExitCode::SUCCESS)
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
        let before = self.names.len();
        match (columns.cols(), classes) {
            (1, _) => self.names.push(name.to_owned()),
            (_, Some(classes)) => {
                self.names.extend(classes.iter().map(|class| format!("{name}_{class}")));
            }
            (k, None) => self.names.extend((0..k).map(|c| format!("{name}_{c}"))),
        }
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

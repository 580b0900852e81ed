//! `separa predict MODEL INPUT`: labels for new rows, columns matched by name.

use crate::args::{PredictArgs, missing};
use crate::bags;
use crate::failure::{Failure, Result};
use crate::table::Input;
use crate::{model_file, outputs, table, text};
use separa::persist::Saved;
use separa_io::{ReadOptions, Shown};
use std::process::ExitCode;

pub fn run(args: &PredictArgs) -> Result<ExitCode> {
    if let Some(target) = &args.output {
        outputs::check_labels(target, &args.input.input)?;
    }
    bags::check_roles(args.bag.as_ref(), args.id.as_ref())?;
    let saved = model_file::load(&args.model)?;
    let options = ReadOptions {
        drop: args.drop.clone(),
        id: args.id.clone(),
        missing: missing(args.missing),
        expect: saved.header.feature_names.clone(),
        ..args.input.options()
    };
    let kept = [("--bag", args.bag.as_ref())];
    let input = table::read(&args.input.input, options, &kept, args.run.quiet)?;
    let input = input.bagged(args.bag.as_ref())?;
    saved.header.check_columns(Some(&input.table.names), input.table.cols())?;
    let labels = saved.model.predict_on(&input.dataset()?)?;
    let scores = if args.scores { Some(Scores::new(&saved, &input)?) } else { None };
    let labels = match classes(&saved) {
        Some(names) => Shown::named(&labels, names),
        None => (&labels).into(),
    };
    write(args, &input, labels, scores.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

/// The names of the classes, where the model is a classifier.
fn classes(saved: &Saved) -> Option<&[String]> {
    saved.header.training.report.trained.as_ref().map(|t| t.classes.as_slice())
}

/// Decision values with a name for each column.
#[derive(Debug)]
struct Scores {
    names: Vec<String>,
    values: Vec<f64>,
}

impl Scores {
    fn new(saved: &Saved, input: &Input) -> Result<Self> {
        let decision = saved.model.decision_on(&input.dataset()?)?;
        let names = match decision.cols() {
            1 => vec!["score".to_owned()],
            k => match classes(saved) {
                Some(names) => names.iter().map(|name| format!("score_{name}")).collect(),
                None => (0..k).map(|c| format!("score_{c}")).collect(),
            },
        };
        Ok(Self { names, values: decision.data().to_vec() })
    }
}

fn write(
    args: &PredictArgs,
    input: &Input,
    labels: Shown<'_>,
    scores: Option<&Scores>,
) -> Result<()> {
    let ids = input.row_names(args.id.as_deref());
    let id = ids.as_ref().map(|(name, values)| (*name, values.as_ref()));
    let scores = scores.map(|s| (s.names.as_slice(), s.values.as_slice()));
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

//! New rows for a saved model: what `predict`, `explain` and `drift` are told of them, and how they are read.

use crate::args::{GapArgs, GroupArgs, InputArgs, RunArgs};
use crate::failure::Result;
use crate::table::{self, Input};
use crate::{groups, model_file};
use clap::Args;
use separa::model_file::Saved;
use separa_io::TableOptions;
use std::path::PathBuf;

/// A saved model and a table of new rows.
#[derive(Debug, Args)]
pub struct NewRowsArgs {
    /// Model file written by `separa cluster --model` or `separa train --model`
    pub model: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    /// Columns to leave out, for tables without names
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub drop: Vec<String>,
    /// Column that names the rows, repeated beside what is found
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
    #[command(flatten)]
    pub groups: GroupArgs,
    #[command(flatten)]
    pub gaps: GapArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

impl NewRowsArgs {
    /// The model.
    pub fn load(&self) -> Result<Saved> {
        groups::check_roles(&self.groups, self.id.as_ref())?;
        model_file::load(&self.model)
    }

    /// Columns are found by name and become features as those of the model did.
    pub fn options(&self, saved: &Saved) -> TableOptions {
        TableOptions {
            drop: self.drop.clone(),
            id: self.id.clone(),
            preparation: saved.preparation().cloned(),
            expect: saved.feature_names().map(<[String]>::to_vec),
            ..self.gaps.complete(self.input.options())
        }
    }

    /// Reads the rows, prepared as those of the model were, with its columns.
    pub fn read(&self, saved: &Saved) -> Result<Input> {
        let (options, kept) = (self.options(saved), self.groups.kept());
        let input = table::read(&self.input.input, options, &kept, self.run.quiet)?;
        let input = input.grouped(&self.groups)?;
        saved.check_columns(Some(&input.table.names), input.table.cols())?;
        Ok(input)
    }
}

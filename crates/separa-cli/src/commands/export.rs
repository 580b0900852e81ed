//! `separa export MODEL --to LANGUAGE`: the rule for another system.

use crate::export_args::ExportArgs;
use crate::failure::{ExitCode, Failure, Result};
use crate::{model_file, outputs, text};
use separa::export::{Dialect, Language, SqlOptions};

pub fn run(args: &ExportArgs) -> Result<ExitCode> {
    let language = language(args)?;
    match &args.output {
        Some(target) => outputs::check(target, &args.model.to_string_lossy())?,
        None if language.is_binary() => {
            return Err(Failure::new(format!(
                "{} is no text for a screen; name a file with -o FILE",
                args.to
            )));
        }
        None => {}
    }
    let saved = model_file::load(&args.model)?;
    let bytes = saved.portable()?.write(&language)?;
    match &args.output {
        Some(target) => separa_io::write_atomic(target, |out| out.write_all(&bytes))?,
        None => text::print_bytes(&bytes)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn language(args: &ExportArgs) -> Result<Language> {
    let only_sql = [
        ("--dialect", args.dialect.is_some()),
        ("--table", args.table.is_some()),
        ("--keep", !args.keep.is_empty()),
    ];
    if let (Some((option, _)), true) = (only_sql.iter().find(|(_, given)| *given), args.to != "sql")
    {
        return Err(Failure::new(format!(
            "{option} does not apply to {}, but to sql; leave it out",
            args.to
        )));
    }
    let dialect = args.dialect.as_deref().map_or(Ok(Dialect::default()), Dialect::named)?;
    let mut sql = SqlOptions { keep: args.keep.clone(), ..SqlOptions::new(dialect) };
    if let Some(table) = &args.table {
        sql.table.clone_from(table);
    }
    Ok(Language::named(&args.to, sql)?)
}

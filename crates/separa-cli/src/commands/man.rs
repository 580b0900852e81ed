//! `separa man FOLDER`: manual pages from the same definitions as `--help`.

use crate::args::Cli;
use crate::failure::{ExitCode, Failure, Result};
use clap::CommandFactory;
use std::path::Path;

pub fn run(folder: &Path) -> Result<ExitCode> {
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(Cli::command(), folder)
    };
    write().map_err(|e| Failure::new(format!("{}: cannot be written: {e}", folder.display())))?;
    Ok(ExitCode::SUCCESS)
}

//! `separa completions SHELL`: a script for the shell's own completion.

use crate::args::Cli;
use crate::failure::{ExitCode, Result};
use crate::text;
use clap::CommandFactory;
use clap_complete::Shell;

pub fn run(shell: Shell) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "separa", &mut script);
    text::print_bytes(&script)?;
    Ok(ExitCode::SUCCESS)
}

//! The command line: reads a table, asks the library, says what came out.

mod answer;
mod args;
mod commands;
mod compare_args;
mod failure;
mod groups;
mod interrupt;
mod model_file;
mod notes;
mod outputs;
mod progress;
mod report;
mod settings;
mod table;
mod text;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    separa_io::hush_decoder();
    match commands::run(args::Cli::parse().command) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

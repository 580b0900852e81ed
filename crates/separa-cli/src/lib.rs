//! The command line: reads a table, asks the library, says what came out.
//!
//! A library so that the Python package brings the same commands: [`run`] is all there is.

mod answer;
mod app;
mod args;
mod commands;
mod compare_args;
mod export_args;
mod failure;
mod groups;
mod interrupt;
mod lake;
mod model_file;
mod new_rows;
mod notes;
mod outputs;
mod progress;
mod repair;
mod report;
mod serve_args;
mod settings;
mod table;
mod text;

use clap::Parser;
use std::ffi::OsString;
use std::io::Write;
use std::sync::RwLock;

/// The words of the one command that this process runs: Python's own are others.
static WORDS: RwLock<Vec<OsString>> = RwLock::new(Vec::new());

/// The words that were typed after the program's name.
fn typed_words() -> impl Iterator<Item = OsString> {
    let words = WORDS.read().unwrap_or_else(|e| e.into_inner()).clone();
    words.into_iter().skip(1)
}

/// Takes these for the words that were typed: the page runs one command after the other.
fn speak_as<W: Into<OsString>>(words: impl IntoIterator<Item = W>) {
    let words = words.into_iter().map(Into::into).collect();
    *WORDS.write().unwrap_or_else(|e| e.into_inner()) = words;
}

/// Runs one command, given as the words that were typed, the program's name first. Returns the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    separa_io::hush_decoder();
    let words: Vec<OsString> = words.into_iter().collect();
    speak_as(&words);
    let code = match args::Cli::try_parse_from(words) {
        Ok(cli) => commands::run(cli.command).unwrap_or_else(|failure| failure.report()).0,
        Err(said) => {
            // Nobody is left to tell if this fails.
            let _ = said.print();
            said.exit_code() as u8
        }
    };
    // Another language's process does not do it at its end.
    let _ = std::io::stdout().flush();
    code
}

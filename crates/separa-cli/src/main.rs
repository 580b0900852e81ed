//! `separa`: see the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(separa_cli::run(std::env::args_os()))
}

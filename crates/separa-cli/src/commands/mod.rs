//! One file per verb.

mod app;
mod cluster;
mod compare;
mod completions;
mod demo;
mod drift;
mod explain;
mod export;
mod inspect;
mod look;
mod man;
mod methods;
mod predict;
mod score;
mod serve;
mod stream;
mod train;
mod train_stream;

pub use cluster::{
    Labelled, labels_into, options as cluster_options, read as read_cluster, typed, typed_with_k,
};

use crate::args::{Command, RunArgs};
use crate::failure::{ExitCode, Result};
use separa::Threads;

pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Cluster(args) => on(args.run, || cluster::run(&args)),
        Command::Look(args) => on(args.run, || look::run(&args)),
        Command::Compare(args) => on(args.run, || compare::run(&args)),
        Command::Predict(args) => on(args.new.run, || predict::run(&args)),
        Command::Explain(args) => on(args.new.run, || explain::run(&args)),
        Command::Drift(args) => on(args.new.run, || drift::run(&args)),
        Command::Train(args) => on(args.run, || train::run(&args)),
        Command::Export(args) => export::run(&args),
        Command::Score(args) => on(args.run, || score::run(&args)),
        Command::Methods { name } => methods::run(name.as_deref()),
        Command::Inspect { model, json } => inspect::run(&model, json),
        Command::App(args) => app::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Demo => demo::run(),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { folder } => man::run(&folder),
    }
}

/// Reads, fits and judges on as many threads as asked.
fn on(run: RunArgs, work: impl FnOnce() -> Result<ExitCode> + Send) -> Result<ExitCode> {
    Threads(run.threads.map(usize::from)).install(work)
}

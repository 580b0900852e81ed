//! What `separa compare` takes.

use crate::args::{ColumnArgs, FitArgs, InputArgs, NumberArgs, RunArgs, parse_time};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa compare wines.csv -k 3 --drop cultivar
  separa compare wines.csv -k auto --drop cultivar
  separa compare wines.csv -k 3 --truth cultivar --methods mspc,kmeans,cdsk
  separa compare pixels.parquet -k 10 --time-limit 30s --memory 2G --json")]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub number: NumberArgs,
    /// Methods to compare, or all that are made for rows without an order
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    pub methods: Vec<String>,
    /// Column with known classes to compare with afterwards; never a feature
    #[arg(long, value_name = "COL")]
    pub truth: Option<String>,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Time that each method may take, and counting with -k auto, e.g. 30s, 5m or 500ms: each is stopped with its
    /// best so far
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Write a page to look at: one HTML file, no network
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub fit: FitArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

//! What `separa export` takes.

use clap::Args;
use clap::builder::PossibleValuesParser;
use separa::export::{Dialect, Language};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa export rule.separa --to sql --table customers -o rule.sql
  separa export rule.separa --to sql --dialect sqlite --table customers --keep customer,city
  separa export rule.separa --to onnx -o rule.onnx
  separa export rule.separa --to python -o rule.py
Rules that compare rows with training rows cannot be exported: train a classifier on their labels
(`separa train TABLE --from-labels MODEL --model rule.separa`) and export that.")]
pub struct ExportArgs {
    /// Model file written by `separa cluster --model` or `separa train --model`
    pub model: PathBuf,
    /// Language to write the rule in
    #[arg(long, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(Language::NAMES))]
    pub to: String,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// System that a query is for [default: duckdb]
    #[arg(long, value_name = "SYSTEM", value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name)))]
    pub dialect: Option<String>,
    /// Table that a query reads, e.g. customers or shop.customers [default: data]
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// Columns that a query repeats beside the label [default: the one that names the rows, or all that the rule looks at]
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub keep: Vec<String>,
}

//! What `separa serve` and `separa app` can be told.

use crate::args::{parse_memory, parse_time};
use clap::Args;
use separa::MemoryBudget;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa serve rule.separa
  curl http://127.0.0.1:8000/
  curl http://127.0.0.1:8000/predict -d '[{\"width\": 1.5, \"height\": 2}]'
  curl http://127.0.0.1:8000/predict --data-binary @new.csv
POST /predict takes JSON and the formats of tables; GET /, /health and /metrics say how it is. Ctrl-C stops.")]
pub struct ServeArgs {
    /// Model file written by `separa cluster --model` or `separa train --model`
    pub model: PathBuf,
    /// Port; 0 takes a free one
    #[arg(long, default_value_t = 8000)]
    pub port: u16,
    /// Address to listen at; 0.0.0.0 is reachable from other machines, without a password and without encryption
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Largest body of a request
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "32M")]
    pub max_body: MemoryBudget,
    /// Longest time for the body of a request, and for its answer, e.g. 500ms or 30s
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30s")]
    pub timeout: Duration,
    /// Threads that label rows [default: all]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa app
  separa app customers.xlsx
The page is for this machine alone: its address holds a secret, and no other page can use it. No file is changed. Ctrl-C stops.")]
pub struct AppArgs {
    /// Table to begin with, in any format that `separa cluster` reads
    pub file: Option<String>,
    /// Port [default: a free one]
    #[arg(long, value_name = "P", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address and leave the browser alone
    #[arg(long)]
    pub no_open: bool,
    /// Stop when the page has been closed for a minute and a half
    #[arg(long)]
    pub once: bool,
    /// Largest file that the page may send
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "2G")]
    pub max_body: MemoryBudget,
}

//! What `separa compare` takes.

use crate::args::{ColumnArgs, FitArgs, InputArgs, NumberArgs, RunArgs};
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

/// `30`, `30s`, `0.5m`, `2h`, `500ms`; more than nothing.
fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time above zero, like 500ms, 30s, 5m or 1h".to_owned();
    let trimmed = text.trim();
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with = |(name, unit)| Some((trimmed.strip_suffix(name)?, unit));
    let (number, unit) = units.into_iter().find_map(with).unwrap_or((trimmed, 1.0));
    let seconds = number.trim().parse::<f64>().map_err(|_| wrong())? * unit;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("30", 30.0),
            ("1.5s", 1.5),
            ("2m", 120.0),
            (" 1 h ", 3600.0),
            ("1ms", 0.001),
            ("0.5m", 30.0),
        ] {
            assert_eq!(parse_time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "0", "0s", "0ms", "ms", "-1", "soon", "s", "1d", "nan", "inf"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}

//! What can be typed.

use crate::new_rows::NewRowsArgs;
use crate::settings::{parse_name, parse_setting};
use crate::table::Kept;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use separa::preparation::MissingRule;
use separa::{Grouping, MemoryBudget};
use separa_io::{Header, TableOptions};
use std::path::PathBuf;
use std::time::Duration;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::White.on_default().bold())
    .usage(AnsiColor::White.on_default().bold())
    .literal(AnsiColor::Cyan.on_default());

/// Finds clusters in the rows of a table, says whether they are real, and keeps a rule for new rows.
#[derive(Debug, Parser)]
#[command(name = "separa", version, styles = STYLES, max_term_width = 80, disable_help_flag = true)]
#[command(after_help = "Start with `separa demo`. Exit codes: 0 done, 1 done but not converged \
                        (drift: drift found), 2 bad input, 130 interrupted.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort, display_order = 1000)]
    help: Option<bool>,
    /// Print help with all options
    #[arg(long, global = true, action = ArgAction::HelpLong, display_order = 1001)]
    help_all: Option<bool>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Cluster the rows of a table
    Cluster(Box<ClusterArgs>),
    /// See what is in a table, and how it would be prepared
    Look(LookArgs),
    /// Run several methods on a table and rank them without labels
    Compare(Box<crate::compare_args::CompareArgs>),
    /// Label the rows of a table with a saved model
    Predict(PredictArgs),
    /// Explain why a row is in its cluster, and what would move it
    Explain(ExplainArgs),
    /// Check whether new rows are distributed like the training rows
    Drift(DriftArgs),
    /// Learn a rule from rows whose classes are known
    Train(Box<TrainArgs>),
    /// Write the rule of a saved model as SQL, ONNX, Python, Rust or JSON
    Export(crate::export_args::ExportArgs),
    /// Judge the clusters of a given labelling: how separable are they?
    Score(ScoreArgs),
    /// List the methods, or the parameters of one
    Methods {
        /// Method whose parameters to show
        name: Option<String>,
    },
    /// Show what a model file holds
    Inspect {
        model: PathBuf,
        /// Print the whole header as JSON
        #[arg(long)]
        json: bool,
    },
    /// Cluster a table on a page in your browser; nothing leaves this machine
    App(crate::serve_args::AppArgs),
    /// Label rows over HTTP with a saved model
    Serve(crate::serve_args::ServeArgs),
    /// See on one screen what separa does (writes small files here)
    #[command(after_help = "Writes into the current folder: separa-demo-labels.csv (the labels), \
                            separa-demo.separa (the model) and, unless the source tree is at hand, \
                            separa-demo-wine.csv (the data).")]
    Demo,
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages into a folder
    Man {
        /// Folder, made if it is not there
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa cluster customers.csv
  separa cluster wines.csv -k 3 --truth cultivar --report wines.html
  separa cluster pixels.parquet -k 10 -o labels.csv --model pixels.separa
Words: docs/glossary.md. All options: --help-all.")]
#[command(after_long_help = "Examples:
  separa cluster customers.csv
  separa cluster wines.csv -k 3 --truth cultivar
  separa cluster pixels.parquet -k 10 -o labels.csv --model pixels.separa
  separa cluster data.csv -k 2 -m kmeans --set n_init=20 --json
  separa cluster data.csv --k-max 40 --missing drop --categorical region
  separa cluster regions.csv -k 4 -m msc --bag image --truth topic
  separa cluster sensors.csv -k 3 -m crf --sequence machine -o states.csv")]
pub struct ClusterArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub number: NumberArgs,
    /// Method, see `separa methods`
    #[arg(short, long, default_value = "mspc")]
    pub method: String,
    /// Set a parameter of the method; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, serde_json::Value)>,
    /// How columns are brought to one scale (short for --set scaling=…)
    #[arg(long, value_enum, hide_short_help = true)]
    pub scaling: Option<Scaling>,
    /// The former name of --scaling
    #[arg(long, hide = true)]
    pub units: Option<String>,
    /// Rows that stand for all in large tables (short for --set landmarks=…)
    #[arg(long, value_name = "M", hide_short_help = true)]
    pub landmarks: Option<usize>,
    /// Outliers are excluded from the fit: label them by the rule (assign) or -1 (mark)
    #[arg(long, value_enum, hide_short_help = true)]
    pub outliers: Option<Outliers>,
    /// Column with the labels to start from; never a feature
    #[arg(long, value_name = "COL", hide_short_help = true)]
    pub init_labels: Option<String>,
    /// Known classes to compare with; never a feature
    #[arg(long, value_name = "COL")]
    pub truth: Option<String>,
    #[command(flatten)]
    pub groups: GroupArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Show what sets each cluster apart from the rest
    #[arg(long)]
    pub profile: bool,
    /// Name clusters, e.g. "0=bulk,1=premium"; the model keeps the names
    #[arg(long, value_name = "N=NAME,…", value_delimiter = ',', value_parser = parse_name, hide_short_help = true)]
    pub names: Vec<(usize, String)>,
    /// Say in words what makes a row belong to a cluster
    #[arg(long)]
    pub rules: bool,
    /// Refit on B random halves: is each cluster stable?
    #[arg(long, value_name = "B")]
    pub stability: Option<usize>,
    /// Stop after this time, e.g. 30s, 2m or 500ms, with the best result so far; -k auto gets half of it [default: none, 10s
    /// for -k auto]
    #[arg(long, value_name = "TIME", value_parser = parse_time, hide_short_help = true)]
    pub time_limit: Option<Duration>,
    /// Read the table block by block, in several passes, even if it fits in memory (Parquet, CSV, NPY, svmlight)
    #[arg(long, hide_short_help = true)]
    pub stream: bool,
    /// Write where a streamed fit is after every pass, for --resume
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint: the result is that of a fit that was not interrupted
    #[arg(long, requires = "checkpoint", hide_short_help = true)]
    pub resume: bool,
    /// Write one label per row or bag (.csv, .tsv, .parquet or .xlsx; FOLDER/ for a file per file that is read)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write an apostrophe before text in CSV that a spreadsheet would take for a formula (=, +, -, @); ids are written
    /// as they are unless asked for, so that tables can be joined by them
    #[arg(long, hide_short_help = true)]
    pub excel_safe: bool,
    /// Write the model, for `separa predict`
    #[arg(long, value_name = "FILE.separa")]
    pub model: Option<PathBuf>,
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

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa train patients.csv --target sick --model rule.separa
  separa train patients.csv --target sick -m mcpm --cv 10 --json
  separa train 'flows/*.parquet' --target attack --stream --model rule.separa
  separa train wines.csv --from-labels clusters.separa -m mcpm --model rule.separa
Then `separa predict rule.separa NEW.csv`.")]
pub struct TrainArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Column with the classes; never a feature
    #[arg(long, value_name = "COL", required_unless_present = "from_labels")]
    pub target: Option<String>,
    /// Take the labels of a clustering for classes: a model file (.separa), which labels the rows, or a file
    /// of labels as `separa cluster -o` writes it, one for each row in order; outliers (-1) are left out
    #[arg(long, value_name = "FILE", conflicts_with = "target", hide_short_help = true)]
    pub from_labels: Option<PathBuf>,
    /// Classifier: mpm, mcpm or scm
    #[arg(short, long, default_value = "mpm")]
    pub method: String,
    /// Set a parameter of the classifier; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, serde_json::Value)>,
    /// Judge the whole training by nested cross-validation in so many folds
    #[arg(long, value_name = "FOLDS")]
    pub cv: Option<usize>,
    /// Read the table block by block, even if it fits in memory (Parquet, CSV, NPY, svmlight)
    #[arg(long, conflicts_with_all = ["cv", "from_labels"], hide_short_help = true)]
    pub stream: bool,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Write the model, for `separa predict`
    #[arg(long, value_name = "FILE.separa")]
    pub model: Option<PathBuf>,
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

#[derive(Debug, Args)]
pub struct PredictArgs {
    /// Where to write the labels (.csv, .tsv, .parquet or .xlsx; FOLDER/ for a file per file that is read) [default: CSV
    /// on standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Read the table block by block, even if it fits in memory (Parquet, CSV, NPY, svmlight); needs -o
    #[arg(long, requires = "output", hide_short_help = true)]
    pub stream: bool,
    /// Write an apostrophe before text in CSV that a spreadsheet would take for a formula (=, +, -, @); ids are written
    /// as they are unless asked for, so that tables can be joined by them
    #[arg(long, hide_short_help = true)]
    pub excel_safe: bool,
    /// Add the decision values: one column for two clusters, else one per cluster
    #[arg(long)]
    pub scores: bool,
    /// Add the probability of every cluster
    #[arg(long)]
    pub proba: bool,
    /// Add how far each row is from its cluster, and the p-value of that
    #[arg(long)]
    pub novelty: bool,
    #[command(flatten)]
    pub new: NewRowsArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa explain wines.separa wines.csv --row 17
  separa explain wines.separa wines.csv --row 3,17 --json
  separa explain customers.separa customers.csv --row-id C-1043")]
pub struct ExplainArgs {
    /// Rows to explain, by their number in the table from 1; separated by commas, or repeated
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        allow_negative_numbers = true,
        required_unless_present = "row_id"
    )]
    pub row: Vec<u64>,
    /// Rows to explain, by the column that names the rows; may be repeated
    #[arg(long, value_name = "ID")]
    pub row_id: Vec<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub new: NewRowsArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa drift customers.separa june.csv
  separa drift customers.separa june.csv --json --alpha 0.001 || mail-the-team
Exit codes: 0 no drift, 1 drift, 2 bad input.")]
pub struct DriftArgs {
    /// The largest chance of a finding where nothing has changed
    #[arg(long, default_value_t = separa::drift::ALPHA)]
    pub alpha: f64,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub new: NewRowsArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  separa look customers.csv
  separa look customers.csv --na -999 --date joined --json")]
pub struct LookArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Column with the labelling to judge (-1: outlier); never a feature
    #[arg(long, value_name = "COL")]
    pub labels: String,
    /// Known classes to compare with; never a feature
    #[arg(long, value_name = "COL")]
    pub truth: Option<String>,
    /// Judge a sample of the rows, even if the table fits in memory (Parquet, CSV, NPY, svmlight)
    #[arg(long, hide_short_help = true)]
    pub stream: bool,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Weight of the regulariser, as in `mspc`
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub reg: f64,
    /// Seed of the random halves
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How many clusters.
#[derive(Debug, Clone, Copy, Args)]
pub struct NumberArgs {
    /// Number of clusters; auto finds it
    #[arg(short, long = "clusters", value_name = "N|auto", value_parser = parse_clusters, default_value = "auto")]
    pub k: Clusters,
    /// Clusters that -k auto looks for at most [default: 24]
    #[arg(long, value_name = "N", value_parser = parse_k_max, hide_short_help = true)]
    pub k_max: Option<usize>,
}

/// What a fit depends on beside the data and the method, and what it may use.
#[derive(Debug, Clone, Copy, Args)]
pub struct FitArgs {
    /// Seed of all random choices: same seed, same answer
    #[arg(long, default_value_t = 0, hide_short_help = true)]
    pub seed: u64,
    /// Memory the fit may use beyond the data, e.g. 4G [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, hide_short_help = true)]
    pub memory: Option<MemoryBudget>,
}

/// Where the table is and how it begins.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Table: .csv, .tsv, .parquet (file, folder, pattern), .xlsx, .ods, .json, .jsonl, .sqlite, .npy, .svm, also
    /// .gz/.zst; book.xlsx::SHEET, shop.sqlite::TABLE; - for stdin
    pub input: String,
    /// The first row of a CSV file holds names, even if they look like numbers
    #[arg(long, conflicts_with = "no_header", hide_short_help = true)]
    pub header: bool,
    /// The first row of a CSV file is data; columns are called x1, x2, …
    #[arg(long, hide_short_help = true)]
    pub no_header: bool,
}

/// Which columns are features, and what to do with those that are not numbers.
#[derive(Debug, Args)]
pub struct ColumnArgs {
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COLS", value_delimiter = ',')]
    pub drop: Vec<String>,
    /// Columns to use [default: all without another role]
    #[arg(long, value_name = "COLS", value_delimiter = ',', hide_short_help = true)]
    pub features: Vec<String>,
    /// Column that names the rows; never a feature
    #[arg(long, value_name = "COL", hide_short_help = true)]
    pub id: Option<String>,
    #[command(flatten)]
    pub types: TypeArgs,
    #[command(flatten)]
    pub gaps: GapArgs,
}

/// What columns hold, where that is not found out.
#[derive(Debug, Args)]
pub struct TypeArgs {
    /// Columns of categories, even if they look like numbers
    #[arg(long, value_name = "COLS", value_delimiter = ',', hide_short_help = true)]
    pub categorical: Vec<String>,
    /// Columns of numbers; other values in them count as missing
    #[arg(long, value_name = "COLS", value_delimiter = ',', hide_short_help = true)]
    pub numeric: Vec<String>,
    /// Columns of free text, which are left out
    #[arg(long, value_name = "COLS", value_delimiter = ',', hide_short_help = true)]
    pub text: Vec<String>,
    /// Columns of dates
    #[arg(long, value_name = "COLS", value_delimiter = ',', hide_short_help = true)]
    pub date: Vec<String>,
    /// Column of ordered words, from low to high, e.g. size=S,M,L; may be repeated
    #[arg(long, value_name = "COL=WORDS", value_parser = parse_order, hide_short_help = true)]
    pub order: Vec<(String, Vec<String>)>,
}

/// Missing values.
#[derive(Debug, Args)]
pub struct GapArgs {
    /// Values that mean "missing", besides NA, null and the like, e.g. .,-999
    #[arg(
        long,
        value_name = "WORDS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    pub na: Vec<String>,
    /// Missing values: fill them, leave out their rows, or refuse them [default: nearest]
    #[arg(long, value_enum, hide_short_help = true)]
    pub missing: Option<MissingChoice>,
}

/// What rows are together.
#[derive(Debug, Args)]
pub struct GroupArgs {
    /// Column that says which bag a row belongs to: bags are clustered, not rows; never a feature
    #[arg(long, value_name = "COL", hide_short_help = true)]
    pub bag: Option<String>,
    /// Column that says which sequence a row belongs to, rows in order; never a feature
    #[arg(long, value_name = "COL", conflicts_with = "bag", hide_short_help = true)]
    pub sequence: Option<String>,
}

#[derive(Debug, Clone, Copy, Args)]
pub struct RunArgs {
    /// Threads to use [default: all]; the answer does not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..), hide_short_help = true)]
    pub threads: Option<u16>,
    /// No progress, no notes
    #[arg(short, long, hide_short_help = true)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clusters {
    Auto,
    Given(usize),
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Scaling {
    /// Standard or contraharmonic, whichever separates better
    Auto,
    /// By standard deviations
    Standard,
    /// By contraharmonic means of absolute deviations
    Contraharmonic,
    /// The table as it is
    None,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Outliers {
    Assign,
    Mark,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum MissingChoice {
    /// The column's median, or its most frequent word
    Median,
    /// The column's mean, or its most frequent word
    Mean,
    /// From the five most similar rows
    Nearest,
    /// Leave out the rows
    Drop,
    /// Stop with a message
    Refuse,
}

impl InputArgs {
    pub fn options(&self) -> TableOptions {
        let header = match (self.header, self.no_header) {
            (true, _) => Header::Yes,
            (_, true) => Header::No,
            _ => Header::Auto,
        };
        TableOptions { header, ..TableOptions::default() }
    }
}

impl GroupArgs {
    /// What rows are together, and the column that says so.
    pub fn chosen(&self) -> Option<(Grouping, &String)> {
        let bag = self.bag.as_ref().map(|column| (Grouping::Bags, column));
        bag.or(self.sequence.as_ref().map(|column| (Grouping::Sequences, column)))
    }

    /// The columns with their options.
    pub fn kept(&self) -> [Kept<'_>; 2] {
        [("--bag", self.bag.as_ref()), ("--sequence", self.sequence.as_ref())]
    }
}

impl ColumnArgs {
    /// Adds the choice of columns to what [`InputArgs::options`] said.
    pub fn complete(&self, options: TableOptions) -> TableOptions {
        TableOptions {
            features: self.features.clone(),
            drop: self.drop.clone(),
            id: self.id.clone(),
            categorical: self.types.categorical.clone(),
            numeric: self.types.numeric.clone(),
            text: self.types.text.clone(),
            date: self.types.date.clone(),
            order: self.types.order.clone(),
            ..self.gaps.complete(options)
        }
    }
}

impl GapArgs {
    /// Adds what is missing and what to do about it.
    pub fn complete(&self, options: TableOptions) -> TableOptions {
        let missing = self.missing.map(|choice| match choice {
            MissingChoice::Median => MissingRule::Median,
            MissingChoice::Mean => MissingRule::Mean,
            MissingChoice::Nearest => MissingRule::Nearest,
            MissingChoice::Drop => MissingRule::Drop,
            MissingChoice::Refuse => MissingRule::Refuse,
        });
        TableOptions { na: self.na.clone(), missing, ..options }
    }
}

/// `size=S,M,L`.
fn parse_order(text: &str) -> Result<(String, Vec<String>), String> {
    let wrong = || "expected COL=LOW,…,HIGH with at least two words, e.g. size=S,M,L".to_owned();
    let (column, words) = text.split_once('=').ok_or_else(wrong)?;
    let words: Vec<String> = words.split(',').map(|word| word.trim().to_owned()).collect();
    let twice = (1..words.len()).any(|i| words[..i].contains(&words[i]));
    if column.is_empty() || words.len() < 2 || twice || words.iter().any(String::is_empty) {
        return Err(wrong());
    }
    Ok((column.to_owned(), words))
}

pub fn parse_clusters(text: &str) -> Result<Clusters, String> {
    match text {
        "auto" => Ok(Clusters::Auto),
        _ => text
            .parse()
            .map(Clusters::Given)
            .map_err(|_| "expected a whole number or auto, e.g. -k 3".to_owned()),
    }
}

/// Bytes, or a size like 4G.
pub fn parse_memory(text: &str) -> Result<MemoryBudget, String> {
    MemoryBudget::parse(text).map_err(|e| e.to_string())
}

/// The range is checked where it is known, with the number that was given.
pub fn parse_k_max(text: &str) -> Result<usize, String> {
    let wrong = |_| "expected a whole number from 2 to 1000, e.g. --k-max 40".to_owned();
    text.trim().parse().map_err(wrong)
}

/// `30`, `30s`, `0.5m`, `2h`, `500ms`; more than nothing.
pub fn parse_time(text: &str) -> Result<Duration, String> {
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

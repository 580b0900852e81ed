//! Errors are for input that cannot be used; not converging is a [`Stop`](crate::Stop).

use crate::data::Grouping;
use crate::note::Remedy;

/// What was wrong, what was expected, what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter's value.
    #[error("{method}: parameter `{name}` must be {expected}, got {found}")]
    Param { method: &'static str, name: &'static str, expected: String, found: String },
    /// A parameter's name.
    #[error("unknown parameter `{name}` for {method}{}", suggest(.suggestion))]
    UnknownParam { method: String, name: String, suggestion: Option<String> },
    /// A method's name.
    #[error("unknown method `{name}`{}", suggest_method(.suggestion))]
    UnknownMethod { name: String, suggestion: Option<String> },
    /// The table as a whole.
    #[error("{0}")]
    Data(String),
    /// One value of the table; rows count from 1.
    #[error("row {row}, column {column} holds {value:?}, expected {expected}")]
    Value { row: usize, column: String, value: f64, expected: &'static str },
    /// New rows that do not fit the model.
    #[error("table has {found} feature columns, but the model was fitted on {expected}{}", missing_list(.missing))]
    Features { found: usize, expected: usize, missing: Vec<String> },
    /// The fit would need more memory than it may use.
    #[error("{method}: the fit needs about {} of memory, but {} may be used; {remedy}", bytes(*.needed), bytes(*.budget))]
    Memory { method: &'static str, needed: u64, budget: u64, remedy: Remedy },
    /// A model file.
    #[error("not a usable model file: {0}")]
    Model(String),
    /// The workshop refused; a bug or a degenerate table.
    #[error("numerical step failed: {0}")]
    Numerics(#[source] separa_math::Error),
    /// A row of another width than the first.
    #[error("row {row} has {found} values, expected {expected} as in the first row")]
    Width { row: usize, found: usize, expected: usize },
    /// Names that do not fit the columns.
    #[error("{found} column names were given for {expected} columns")]
    ColumnNames { found: usize, expected: usize },
    /// The columns of the model, in another order.
    #[error("column {column} is \"{found}\", but the model expects \"{}\" there; put the columns in the order {}", .expected[*column - 1], .expected.join(", "))]
    ColumnOrder { column: usize, found: String, expected: Vec<String> },
    /// A size of memory that cannot be read.
    #[error("expected {expected}, got \"{found}\"")]
    MemorySize { found: String, expected: &'static str },
    /// No time at all.
    #[error("the time limit is 0 s, expected more; leave it out for none")]
    ZeroTimeLimit,
    /// Labels to begin from, for a method that has its own beginning.
    #[error("{method} does not begin from labels; leave them out")]
    NoInit { method: &'static str },
    /// Labels to begin from, with an open number of clusters.
    #[error(
        "labels to start from say how many clusters there are; give that number instead of \"auto\""
    )]
    AutoFromLabels,
    /// The number of clusters of something other than rows of features.
    #[error(
        "the number of clusters is found among rows of features, which bags and precomputed tables have not; {}",
        Remedy::GiveNumberOfClusters
    )]
    AutoWithoutFeatures,
    /// A number of clusters was found that the method refuses.
    #[error(
        "auto found {k} clusters, but {why}; change that parameter, choose another method, or give the number of clusters"
    )]
    AutoRefused { k: usize, why: Box<Error> },
    /// Probabilities of a method that has none.
    #[error("{method} gives no probabilities; methods that do: {}", .methods.join(", "))]
    NoProba { method: String, methods: Vec<&'static str> },
    /// The quality of a clustering that was not judged.
    #[error("{}", .why.as_deref().unwrap_or("the separability of the clusters was not judged"))]
    NotJudged { why: Option<String> },
    /// Bags or sequences cannot be compared on.
    #[error("methods are compared on tables of rows, not on {}; {}", .kind.many(), Remedy::FitClustering)]
    CompareGroups { kind: Grouping },
    /// A method that is named twice.
    #[error("method `{name}` is named twice; name it once")]
    MethodTwice { name: String },
    /// No method to run.
    #[error("no method is named; name some, or `all`")]
    NoMethod,
    /// The work was ended too early for a result.
    #[error("interrupted before {before}")]
    Interrupted { before: &'static str },
    /// No method of several has labels.
    #[error("all methods failed: {}", .reasons.join("; "))]
    AllFailed { reasons: Vec<String> },
    /// A classifier where a clustering is needed.
    #[error("{method} is a classifier, not a clustering")]
    NotAClustering { method: String },
    /// A model file that cannot be read or written.
    #[error("{path}: cannot be {done} ({why})")]
    File { path: String, done: &'static str, why: String },
}

impl Error {
    /// What to do about it, if anything can be done; the sentence ends with it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Memory { remedy, .. } => Some(remedy.clone()),
            Self::AutoWithoutFeatures => Some(Remedy::GiveNumberOfClusters),
            Self::CompareGroups { .. } => Some(Remedy::FitClustering),
            _ => None,
        }
    }

    /// The sentence, with the remedy in the words of `word`.
    pub fn sentence(&self, word: impl Fn(&Remedy) -> String) -> String {
        let neutral = self.to_string();
        let Some(remedy) = self.remedy() else { return neutral };
        match neutral.strip_suffix(&remedy.to_string()) {
            Some(start) => format!("{start}{}", word(&remedy)),
            None => neutral,
        }
    }
}

impl From<separa_math::Error> for Error {
    /// What is wrong with a table that was given is no failure of a step.
    fn from(error: separa_math::Error) -> Self {
        use separa_math::Error as Found;
        match error {
            Found::Shape { .. } | Found::Entry { .. } | Found::Bag { .. } => {
                Self::Data(error.to_string())
            }
            other => Self::Numerics(other),
        }
    }
}

pub type Result<T> = std::result::Result<T, Error>;

fn suggest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |s| format!(", did you mean `{s}`?"))
}

fn suggest_method(suggestion: &Option<String>) -> String {
    match suggestion {
        Some(_) => suggest(suggestion),
        None => "; `separa methods` lists them".into(),
    }
}

fn missing_list(missing: &[String]) -> String {
    if missing.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = missing.iter().take(10).map(|m| format!("\"{m}\"")).collect();
    let more = missing.len().saturating_sub(10);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("; missing: {}{tail}", quoted.join(", "))
}

/// 1536 → "1.5 KB".
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit < UNITS.len() - 1 {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// The candidate nearest to `name` by edit distance, where it is near enough to be a slip; small and
/// capital letters, dashes and underscores count as the same.
pub(crate) fn nearest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let plain = |s: &str| s.to_lowercase().replace('_', "-");
    candidates
        .into_iter()
        .map(|c| (edit_distance(&plain(name), &plain(c)), c))
        .min()
        .filter(|(distance, c)| *distance <= 1.max(c.len() / 3))
        .map(|(_, c)| c.to_owned())
}

/// Letters added, left out, replaced, or swapped with their neighbour.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { table[i - 2][j - 2] + 1 } else { usize::MAX };
                replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1).min(swap)
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let names = ["n_clusters", "max_iter", "tol"];
        assert_eq!(nearest_name("n_cluster", names).as_deref(), Some("n_clusters"));
        assert_eq!(nearest_name("maxiter", names).as_deref(), Some("max_iter"));
        assert_eq!(nearest_name("colour", names), None);
        assert_eq!(nearest_name("units", ["init", "tol"]), None);
        assert_eq!(nearest_name("mpsc", ["kmeans", "mspc"]).as_deref(), Some("mspc"));
        assert_eq!(nearest_name("MSC", ["mspc", "msc"]).as_deref(), Some("msc"));
    }

    #[test]
    fn sentences_name_the_value_and_the_remedy() {
        let e = Error::Memory {
            method: "mspc",
            needed: 3 << 30,
            budget: 1 << 20,
            remedy: Remedy::FewerLandmarks,
        };
        assert_eq!(
            e.to_string(),
            "mspc: the fit needs about 3.0 GB of memory, but 1.0 MB may be used; use fewer landmarks"
        );
        let e = Error::Features {
            found: 12,
            expected: 10,
            missing: vec!["age".into(), "income".into()],
        };
        assert_eq!(
            e.to_string(),
            "table has 12 feature columns, but the model was fitted on 10; missing: \"age\", \"income\""
        );
    }
}

//! Errors are for input that cannot be used; not converging is a [`Stop`](crate::Stop).

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
    /// A parameter's old name.
    #[error("unknown parameter `{name}` for {method}: it is now `{now}`")]
    RenamedParam { method: String, name: String, now: &'static str },
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
    Memory { method: &'static str, needed: u64, budget: u64, remedy: String },
    /// A model file.
    #[error("not a usable model file: {0}")]
    Model(String),
    /// The workshop refused; a bug or a degenerate table.
    #[error("numerical step failed: {0}")]
    Numerics(#[source] separa_math::Error),
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
            remedy: "set landmarks".into(),
        };
        assert_eq!(
            e.to_string(),
            "mspc: the fit needs about 3.0 GB of memory, but 1.0 MB may be used; set landmarks"
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

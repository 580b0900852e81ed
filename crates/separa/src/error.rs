//! Errors are for input that cannot be used; not converging is a [`Stop`](crate::Stop).
//!
//! Every error has a code for programs, a sentence for people (what was wrong, what was expected, what
//! to do) and, where one can be named, a [`Remedy`] that a front end words its own way.

use crate::note::Remedy;

/// Declares the errors: meaning, code, sentence and fields stand once.
macro_rules! errors {
    ($(#[doc = $doc:literal] $code:literal $(#[$meta:meta])+ $name:ident $({ $($field:tt)* })? $(( $($inner:tt)* ))?;)*) => {
        /// Why something could not be done. The sentence of each variant says what its fields are.
        #[derive(Debug, Clone, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum Error {
            $(#[doc = $doc] $(#[$meta])+ $name $({ $($field)* })? $(( $($inner)* ))?,)*
        }

        impl Error {
            /// Every code with its meaning.
            pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];

            /// The same for the same mistake, whatever the values in its sentence.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => $code,)*
                }
            }
        }
    };
}

errors! {
    /// A parameter's value.
    "parameter-value"
    #[error("{method}: parameter `{name}` must be {expected}, got {found}")]
    Param { method: &'static str, name: &'static str, expected: String, found: String };
    /// A parameter's name.
    "unknown-parameter"
    #[error("unknown parameter `{name}` for {method}{}", suggest(.suggestion))]
    UnknownParam { method: String, name: String, suggestion: Option<String> };
    /// A parameter's old name.
    "renamed-parameter"
    #[error("unknown parameter `{name}` for {method}: it is now `{now}`")]
    RenamedParam { method: String, name: String, now: &'static str };
    /// A method's name.
    "unknown-method"
    #[error("unknown method `{name}`{}", suggest_method(.suggestion))]
    UnknownMethod { name: String, suggestion: Option<String> };
    /// A clustering method in place of a classifier.
    "not-a-classifier"
    #[error("{name} is a clustering method: it needs no classes; {}", Remedy::FitClustering)]
    NotAClassifier { name: String };
    /// A classifier in place of a clustering method.
    "not-a-clustering-method"
    #[error("{name} is a classifier: it learns from rows whose classes are known; {}", train(.class))]
    NotAClustering { name: String, class: &'static str };
    /// A method that is named twice.
    "method-named-twice"
    #[error("method `{name}` is named twice; name it once")]
    MethodTwice { name: String };
    /// No method is named.
    "no-method"
    #[error("no method is named; name some, or `all`")]
    NoMethods;

    /// A table without rows.
    "no-rows"
    #[error("the table has no rows; at least one is needed")]
    NoRows;
    /// A table without feature columns.
    "no-columns"
    #[error("the table has no feature columns; keep at least one numeric column")]
    NoColumns;
    /// Lists of different length.
    "length"
    #[error("{found} {what} were given for {expected} {of}")]
    Length { what: &'static str, found: usize, expected: usize, of: &'static str };
    /// A row of another width than the first; rows count from 1.
    "row-width"
    #[error("row {row} has {found} values, expected {expected} as in the first row")]
    RowWidth { row: usize, found: usize, expected: usize };
    /// One value of the table; rows count from 1.
    "value"
    #[error("row {row}, column {column} holds {value:?}, expected {expected}")]
    Value { row: usize, column: String, value: f64, expected: &'static str };
    /// A row with a value that is not finite; rows count from 1.
    "not-finite"
    #[error("row {row} holds a value that is not a finite number; drop the row or fill it in")]
    NotFinite { row: usize };
    /// A matrix that is not what it must be: its shape, an entry, an empty bag.
    "matrix"
    #[error("{0}")]
    Matrix(#[source] separa_math::Error);
    /// A distance matrix of the wrong size.
    "distance-shape"
    #[error("the distance matrix is {rows} x {cols}, expected {n} x {n} for {n} labels")]
    DistanceShape { rows: usize, cols: usize, n: usize };
    /// Columns that hold one value each.
    "constant-table"
    #[error("every column is constant, so there is nothing to separate rows by; add a column that varies")]
    ConstantTable;
    /// Distances between all pairs that were given as sparse rows.
    "sparse-distances"
    #[error("distances must be a dense matrix, got sparse rows; a pair that is left out would be at distance 0")]
    SparseDistances;
    /// Another table than the one of the fit.
    "other-table"
    #[error("the rows are not those that the model was fitted on ({why}); give the training table, or none")]
    OtherTable { why: String };
    /// Anything else about the table: for methods of other crates.
    "data"
    #[error("{0}")]
    Data(String);

    /// A bag or sequence without rows; they count from 1.
    "empty-group"
    #[error("{kind} {index} holds no rows, expected at least one; leave it out")]
    EmptyGroup { kind: &'static str, index: usize };
    /// Bags or sequences that do not follow each other; they count from 1.
    "group-start"
    #[error("{kind} {index} begins at row {found}, expected row {expected}, the next one")]
    GroupStart { kind: &'static str, index: usize, found: usize, expected: usize };
    /// Bags or sequences that do not cover the table.
    "group-end"
    #[error("the {kinds} end at row {found}, expected row {expected}, the last one")]
    GroupEnd { kinds: &'static str, found: usize, expected: usize };
    /// A method that takes rows only.
    "groups-not-taken"
    #[error("{method} {why}{}", takers(.methods, .kinds))]
    GroupsNotTaken { method: String, why: &'static str, kinds: &'static str, methods: Vec<&'static str> };
    /// A model that was fitted on bags or sequences, and is given rows.
    "groups-missing"
    #[error("the model was fitted on {kind}s of rows; {}", name_groups(.kind))]
    GroupsMissing { kind: &'static str };
    /// A model that was fitted on rows, and is given bags or sequences.
    "groups-unexpected"
    #[error("the model was fitted on rows, not on {kind}s of rows; {}", ungroup(.kind))]
    GroupsUnexpected { kind: &'static str };
    /// A model that was fitted on something else than it is given.
    "groups-differ"
    #[error("the model was fitted on {fitted}, not on {found}")]
    GroupsDiffer { fitted: &'static str, found: &'static str };

    /// Sample weights that are all zero.
    "zero-weights"
    #[error("all sample weights are zero; one must be positive")]
    ZeroWeights;
    /// Rows of one sequence with different weights.
    "sequence-weights"
    #[error("crf: row {row} of sequence {sequence} weighs {found}, but its first row weighs {first}, expected one weight for all rows of a sequence")]
    SequenceWeights { sequence: usize, row: usize, found: f64, first: f64 };
    /// Sample weights for a method that learns weights.
    "weights-not-taken"
    #[error("weights of the rows cannot be given when they are learnt; {}", no_weights())]
    WeightsNotTaken;

    /// Kernel values too large to be summed.
    "kernel-overflow"
    #[error("{of} is {value}, expected a magnitude below {most}; {}", rescale())]
    KernelOverflow { of: String, value: f64, most: &'static str };
    /// A kernel with one value.
    "constant-kernel"
    #[error("the kernel is the same for all rows, so it separates nothing; {}", another_kernel())]
    ConstantKernel;
    /// Similarities that are, or may be, negative.
    "negative-similarities"
    #[error("{method}: {what}; {}", Remedy::lower("rho"))]
    NegativeSimilarities { method: &'static str, what: String };

    /// A class number without a name; rows count from 1.
    "class-number"
    #[error("row {row} has class number {found}, expected one below {most}")]
    ClassNumber { row: usize, found: u32, most: usize };
    /// A classifier that cannot learn from rows that pass by.
    "not-streamed"
    #[error("{method} needs all rows at once; give it a table that fits in memory")]
    NotStreamed { method: &'static str };
    /// A row without a class.
    "no-class"
    #[error("row {row}, column \"{column}\" is empty, expected a class; fill it in or remove the row")]
    NoClass { row: usize, column: String };
    /// A measurement in place of a class.
    "not-a-class"
    #[error("row {row}, column \"{column}\" holds {value}, expected a class, not a measurement; name another column")]
    NotAClass { row: usize, column: String, value: String };
    /// A target with one class.
    "one-class"
    #[error("{method} needs at least two classes, but the target has 1 class{only}; name another column")]
    OneClass { method: &'static str, only: String };
    /// A class with too few rows.
    "small-class"
    #[error("{method} needs at least 2 rows of every class, but class \"{class}\" has {rows} with a weight; remove the class or merge it with another")]
    SmallClass { method: &'static str, class: String, rows: usize };
    /// A target with too many classes.
    "too-many-classes"
    #[error("{what} holds {found} classes, expected at most {most}; is it an identifier or a measurement? name another column")]
    TooManyClasses { what: String, found: String, most: usize };
    /// Folds that cannot be made.
    "folds"
    #[error("cross-validation in {folds} folds needs from 2 folds to as many as the smallest class (\"{class}\") has rows with a weight ({rows}), and 2 of them besides each fold to learn from; give another number")]
    Folds { folds: usize, class: String, rows: usize };

    /// Labels of which none counts.
    "no-labels"
    #[error("no row has {what}; negative ones are left out")]
    NoLabels { what: &'static str };
    /// Labels that cannot be judged.
    "not-judged"
    #[error("{why}")]
    NotJudged { why: String };
    /// A name for a cluster that does not exist.
    "name-of-no-cluster"
    #[error("cluster {cluster} cannot be named \"{name}\": there are {k} clusters, numbered from 0")]
    NameOfNoCluster { cluster: usize, k: usize, name: String };
    /// A name that cannot be shown.
    "not-a-name"
    #[error("the name of cluster {cluster} must be text in one line, got {name:?}")]
    NotAName { cluster: usize, name: String };
    /// A name or a cluster that was given twice.
    "named-twice"
    #[error("cluster {cluster}: the name \"{name}\" or its cluster was given before; every cluster has one name, and no \
             two have the same")]
    NamedTwice { cluster: usize, name: String };
    /// A decision that cannot be explained.
    "not-explained"
    #[error("{why}")]
    NotExplained { why: String };
    /// A row that the table does not have; rows count from 1.
    "row-range"
    #[error("row {row} is not in the table, expected a number from 1 to {rows}")]
    RowRange { row: usize, rows: usize };
    /// A rule that other systems cannot follow.
    "not-portable"
    #[error("the rule of {method} compares rows with training rows or with each other, which other systems cannot do; {}", Remedy::TrainOnLabels)]
    NotPortable { method: String };
    /// A table too wide or an option that another system cannot take.
    "export"
    #[error("{0}")]
    Export(String);
    /// A method without probabilities.
    "no-probabilities"
    #[error("{method} gives no probabilities; {}", methods_that_do(.methods))]
    NoProbabilities { method: String, methods: Vec<&'static str> };

    /// A model that keeps nothing to compare new rows with.
    "no-baseline"
    #[error("the model keeps nothing of its training rows to measure {what} by: {why}; fit it again{otherwise}")]
    NoBaseline { what: &'static str, why: &'static str, otherwise: &'static str };
    /// A level of significance that is none.
    "alpha"
    #[error("the largest chance of a false finding (alpha) must be above 0 and below 1, got {found}; 0.01 is usual")]
    Alpha { found: f64 };

    /// Initial labels for a method that takes none.
    "no-init"
    #[error("{method} does not begin from labels; leave them out")]
    NoInit { method: &'static str };
    /// A number of clusters to look for that is out of range.
    "k-max"
    #[error("the largest number of clusters to look for (k_max) must be 2 to {most}, got {found}; {}", Remedy::ChangeKMax)]
    KMax { most: usize, found: usize };
    /// Initial labels while the number of clusters is to be found.
    "auto-init"
    #[error("labels to start from say how many clusters there are, so that the number is not \"auto\"; {}", Remedy::GiveNumberOfClusters)]
    AutoInit;
    /// Data among which the number of clusters cannot be found.
    "auto-data"
    #[error("the number of clusters is found among rows of features, which bags and precomputed tables have not; {}", Remedy::GiveNumberOfClusters)]
    AutoData;
    /// Too few rows to find the number of clusters.
    "auto-rows"
    #[error("{} too few to tell how many clusters there are, expected at least {least}; {}", rows_beside(*.rows, *.outliers), Remedy::GiveNumberOfClusters)]
    AutoRows { rows: usize, outliers: usize, least: usize };
    /// A method that refuses the number of clusters that was found.
    "auto-method"
    #[error("auto found {k} clusters, but {why}; {}", other_number())]
    AutoMethod { k: usize, why: Box<Error> };

    /// Too few refits.
    "few-refits"
    #[error("stability needs at least {least} refits, got {found}; 20 are usual")]
    FewRefits { least: usize, found: usize };
    /// Halves with fewer rows than clusters.
    "small-halves"
    #[error("stability refits halves of the rows: {rows} rows have fewer in a half than clusters ({k}); {}", Remedy::FewerClusters)]
    SmallHalves { rows: usize, k: usize };
    /// Data that cannot be halved.
    "no-halves"
    #[error("stability refits halves of the rows, which bags, sequences and tables of pairs do not have; give a table of features")]
    NoHalves;
    /// Work that was ended before it had a result.
    "interrupted"
    #[error("interrupted before {before}")]
    Interrupted { before: &'static str };

    /// Bags or sequences that methods are to be compared on.
    "compare-groups"
    #[error("methods are compared on tables of rows, not on {kinds}; {}", Remedy::FitClustering)]
    CompareGroups { kinds: &'static str };
    /// A time limit of nothing.
    "time-limit-zero"
    #[error("the time limit is 0 s, expected more; {}", Remedy::DropTimeLimit)]
    NoTime;
    /// A memory limit of nothing.
    "memory-zero"
    #[error("the memory limit is 0 B, expected more; {}", Remedy::RaiseMemory)]
    NoMemory;
    /// Not one method has labels.
    "all-failed"
    #[error("all methods failed: {reasons}")]
    AllFailed { reasons: String };

    /// A size of memory that cannot be read.
    "memory-size"
    #[error("expected {expected}, got \"{found}\"")]
    MemorySize { found: String, expected: &'static str };
    /// The fit would need more memory than it may use.
    "memory"
    #[error("{method}: the fit needs about {} of memory, but {} may be used; {remedy}", bytes(*.needed), bytes(*.budget))]
    Memory { method: &'static str, needed: u64, budget: u64, remedy: Box<Remedy> };
    /// New rows that do not fit the model.
    "features"
    #[error("table has {found} feature columns, but the model was fitted on {expected}{}", missing_list(.missing))]
    Features { found: usize, expected: usize, missing: Vec<String> };
    /// Columns in another order than the model's.
    "column-order"
    #[error("column {index} is \"{found}\", but the model expects \"{expected}\" there; put the columns in the order {order}")]
    ColumnOrder { index: usize, found: String, expected: String, order: String };
    /// A model file.
    "model-file"
    #[error("not a usable model file: {0}")]
    Model(String);
    /// A fitted model whose file could not be read again.
    "unsaved"
    #[error("{method}: the fitted model could not be loaded again, so it is not saved: {why}; {}", rescale())]
    Unsaved { method: String, why: String };
    /// A model file that cannot be read or written.
    "file"
    #[error("{path}: cannot be {done} ({why})")]
    File { path: String, done: &'static str, why: String };
    /// A numerical step failed: a bug or a degenerate table.
    "numerics"
    #[error("numerical step failed: {0}")]
    Numerics(#[source] separa_math::Error);
}

impl Error {
    /// A lack of memory beside so many bytes that were taken before: both count.
    pub(crate) fn beside(mut self, bytes: u64) -> Self {
        if let Self::Memory { needed, budget, .. } = &mut self {
            (*needed, *budget) = (*needed + bytes, *budget + bytes);
        }
        self
    }

    /// What to do about it, if anything can be done; the sentence ends with it, or has its own words for it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Memory { remedy, .. } => remedy.as_ref().clone(),
            Self::UnknownMethod { suggestion: None, .. } => Remedy::ListMethods,
            Self::NotAClassifier { .. } | Self::CompareGroups { .. } => Remedy::FitClustering,
            Self::NotAClustering { class, .. } => train(class),
            Self::GroupsNotTaken { methods, .. } | Self::NoProbabilities { methods, .. }
                if !methods.is_empty() =>
            {
                methods_that_do(methods)
            }
            Self::GroupsMissing { kind } => name_groups(kind),
            Self::GroupsUnexpected { kind } => ungroup(kind),
            Self::NotPortable { .. } => Remedy::TrainOnLabels,
            Self::KMax { .. } => Remedy::ChangeKMax,
            Self::WeightsNotTaken => no_weights(),
            Self::KernelOverflow { .. } | Self::Unsaved { .. } => rescale(),
            Self::ConstantKernel => another_kernel(),
            Self::NegativeSimilarities { .. } => Remedy::lower("rho"),
            Self::AutoInit | Self::AutoData | Self::AutoRows { .. } => Remedy::GiveNumberOfClusters,
            Self::AutoMethod { .. } => other_number(),
            Self::SmallHalves { .. } => Remedy::FewerClusters,
            Self::NoTime => Remedy::DropTimeLimit,
            Self::NoMemory => Remedy::RaiseMemory,
            _ => return None,
        })
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

    /// Whether the table, not a setting or the machine, is at fault.
    pub fn is_about_data(&self) -> bool {
        use Error as E;
        !matches!(
            self,
            E::Param { .. }
                | E::NotStreamed { .. }
                | E::UnknownParam { .. }
                | E::UnknownMethod { .. }
                | E::Features { .. }
                | E::Memory { .. }
                | E::Model(_)
                | E::Numerics(_)
        )
    }

    /// About rows that `before` others come before: they are counted from the first of all.
    pub(crate) fn further(self, before: usize) -> Self {
        match self {
            Self::NotFinite { row } => Self::NotFinite { row: row + before },
            Self::Value { row, column, value, expected } => {
                Self::Value { row: row + before, column, value, expected }
            }
            other => other,
        }
    }
}

impl From<separa_math::Error> for Error {
    /// What is wrong with a table that was given is no failure of a step.
    fn from(error: separa_math::Error) -> Self {
        use separa_math::Error as Found;
        match error {
            Found::Shape { .. } | Found::Entry { .. } | Found::Bag { .. } => Self::Matrix(error),
            other => Self::Numerics(other),
        }
    }
}

/// What the library's functions return.
pub type Result<T> = std::result::Result<T, Error>;

fn train(class: &str) -> Remedy {
    Remedy::TrainClassifier { class: class.into() }
}

fn methods_that_do(methods: &[&str]) -> Remedy {
    Remedy::AnotherMethod { methods: methods.iter().map(|m| (*m).to_owned()).collect() }
}

fn name_groups(kind: &str) -> Remedy {
    Remedy::NameGroups { kind: kind.into() }
}

fn ungroup(kind: &str) -> Remedy {
    Remedy::UngroupRows { kind: kind.into() }
}

fn no_weights() -> Remedy {
    Remedy::DropWeights.or(Remedy::set("variant", "graph"))
}

fn rescale() -> Remedy {
    Remedy::RescaleColumns.or(Remedy::change("kernel"))
}

fn another_kernel() -> Remedy {
    Remedy::change("gamma").or(Remedy::change("degree")).or(Remedy::change("coef0"))
}

fn other_number() -> Remedy {
    Remedy::another_method().or(Remedy::GiveNumberOfClusters)
}

fn takers(methods: &[&str], kinds: &str) -> String {
    match methods {
        [] => String::new(),
        some => format!("; methods that take {kinds}: {}", some.join(", ")),
    }
}

fn rows_beside(rows: usize, outliers: usize) -> String {
    let (word, verb) = if rows == 1 { ("row", "is") } else { ("rows", "are") };
    match outliers {
        0 => format!("{rows} {word} {verb}"),
        1 => format!("{rows} {word} (beside one outlier) {verb}"),
        many => format!("{rows} {word} (beside {many} outliers) {verb}"),
    }
}

fn suggest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |s| format!(", did you mean `{s}`?"))
}

fn suggest_method(suggestion: &Option<String>) -> String {
    match suggestion {
        Some(_) => suggest(suggestion),
        None => format!("; {}", Remedy::ListMethods),
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

/// The candidate nearest to `name` by edit distance, if it is near enough to be a slip; small and
/// capital letters, dashes and underscores count as the same. Of two that are as near, the one that begins with it.
pub fn nearest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let plain = |s: &str| s.to_lowercase().replace('_', "-");
    candidates
        .into_iter()
        .map(|c| {
            let (typed, known) = (plain(name), plain(c));
            (edit_distance(&typed, &known), !known.starts_with(&typed), c)
        })
        .min()
        .filter(|(distance, _, c)| *distance <= 1.max(c.len() / 3))
        .map(|(_, _, c)| c.to_owned())
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
    fn codes_are_unique_and_kebab_case() {
        let mut seen = std::collections::BTreeSet::new();
        for (code, about) in Error::CODES {
            assert!(seen.insert(code), "{code} stands for two things");
            assert!(code.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{code}");
            assert!(!about.trim().is_empty(), "{code} has no meaning");
        }
    }

    #[test]
    fn a_name_that_was_cut_short_is_the_one_that_begins_with_it() {
        assert_eq!(nearest_name("msp", ["msc", "mspc"]).as_deref(), Some("mspc"));
        assert_eq!(nearest_name("mcs", ["msc", "mspc"]).as_deref(), Some("msc"));
        assert_eq!(nearest_name("kmean", ["kmeans", "kernel-kmeans"]).as_deref(), Some("kmeans"));
        assert_eq!(nearest_name("dbscan", ["msc", "mspc"]), None);
    }

    #[test]
    fn a_sentence_ends_with_its_remedy_so_that_a_front_end_can_word_it() {
        let name = || "m".to_owned();
        let budget = Error::Memory {
            method: "m",
            needed: 2,
            budget: 1,
            remedy: Box::new(Remedy::RaiseMemory),
        };
        let why = Box::new(budget.clone());
        let all = [
            budget,
            Error::UnknownMethod { name: name(), suggestion: None },
            Error::NotAClassifier { name: name() },
            Error::NotAClustering { name: name(), class: "C" },
            Error::CompareGroups { kinds: "bags" },
            Error::NoProbabilities { method: name(), methods: vec!["crf"] },
            Error::GroupsMissing { kind: "bag" },
            Error::GroupsUnexpected { kind: "bag" },
            Error::NotPortable { method: name() },
            Error::KMax { most: 9, found: 1 },
            Error::WeightsNotTaken,
            Error::KernelOverflow { of: name(), value: 1.0, most: "1" },
            Error::Unsaved { method: name(), why: name() },
            Error::ConstantKernel,
            Error::NegativeSimilarities { method: "m", what: name() },
            Error::AutoInit,
            Error::AutoData,
            Error::AutoRows { rows: 1, outliers: 0, least: 2 },
            Error::AutoMethod { k: 2, why },
            Error::SmallHalves { rows: 1, k: 2 },
            Error::NoTime,
            Error::NoMemory,
        ];
        for error in all {
            assert!(error.remedy().is_some(), "{error}");
            assert!(error.sentence(|_| "so".into()).ends_with("; so"), "{error}");
        }
    }

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
            remedy: Box::new(Remedy::FewerLandmarks),
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

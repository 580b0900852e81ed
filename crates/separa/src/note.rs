//! What a fit has to say about itself, as values: kind, stable code, sentence, remedy.
//!
//! The library words a remedy neutrally ("raise the memory limit"). The command line and Python have
//! words of their own for it: see [`Note::sentence`] and [`Remedy::worded`].

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Read it before you use the result.
    Warning,
    /// Good to know.
    Notice,
}

/// Codes of notices that a user should act on.
pub const TO_ACT_ON: [&str; 7] = [
    codes::SEGMENTS,
    codes::NUMBER_UNCERTAIN,
    codes::COUNT_STOPPED,
    codes::DUPLICATE_ROWS,
    codes::METHOD_HINT,
    codes::LANDMARKS,
    codes::TIME_LIMIT,
];

/// One remark about a fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Warning or notice.
    pub kind: NoteKind,
    /// One of [`codes`]: the same for the same remark, whatever the numbers in its text.
    pub code: Cow<'static, str>,
    /// What is the case, without what to do about it.
    pub text: String,
    /// What to do about it, if anything can be done.
    pub remedy: Option<Remedy>,
}

impl Note {
    /// A remark to read before the result is used.
    pub fn warning(code: &'static str, text: impl Into<String>) -> Self {
        Self { kind: NoteKind::Warning, code: code.into(), text: text.into(), remedy: None }
    }

    /// A remark that is good to know.
    pub fn notice(code: &'static str, text: impl Into<String>) -> Self {
        Self { kind: NoteKind::Notice, ..Self::warning(code, text) }
    }

    /// The same with a remedy.
    pub fn with(self, remedy: Remedy) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    /// Whether this is a warning.
    pub fn is_warning(&self) -> bool {
        self.kind == NoteKind::Warning
    }

    /// Whether a user should do something about it, or know that something else was done than asked for: warnings, and
    /// the notices of [`TO_ACT_ON`]. Front ends that show little show these.
    pub fn is_to_act_on(&self) -> bool {
        self.is_warning() || TO_ACT_ON.contains(&self.code.as_ref())
    }

    /// The text, and the remedy in the words of `word`.
    pub fn sentence(&self, word: impl Fn(&Remedy) -> String) -> String {
        match &self.remedy {
            Some(remedy) => format!("{}; {}", self.text, word(remedy)),
            None => self.text.clone(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Remedy::to_string))
    }
}

/// What a user can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Remedy {
    /// Allow more memory.
    RaiseMemory,
    /// Approximate the kernel with fewer landmarks.
    FewerLandmarks,
    /// Ask for fewer clusters.
    FewerClusters,
    /// Ask for more clusters.
    MoreClusters,
    /// Give the number of clusters instead of having it found.
    GiveNumberOfClusters,
    /// Look for more clusters.
    RaiseKMax,
    /// Choose another largest number of clusters to look for.
    ChangeKMax,
    /// Fit again with another seed.
    AnotherSeed,
    /// Ask how stable the clusters are.
    AskStability,
    /// Give a parameter this value.
    SetParameter {
        /// Its name.
        name: String,
        /// The value that helps.
        value: Value,
    },
    /// Give a parameter a larger value.
    RaiseParameter {
        /// Its name.
        name: String,
    },
    /// Give a parameter a smaller value.
    LowerParameter {
        /// Its name.
        name: String,
    },
    /// Give a parameter another value.
    ChangeParameter {
        /// Its name.
        name: String,
    },
    /// Drop rows that are copies of others.
    DropDuplicates,
    /// Use fewer rows.
    FewerRows,
    /// Drop columns.
    DropColumns,
    /// Bring the columns to a common scale.
    RescaleColumns,
    /// Leave the sample weights out.
    DropWeights,
    /// Leave the time limit out.
    DropTimeLimit,
    /// Allow more time.
    MoreTime,
    /// Ask for this many clusters, where there are none with a gap between them.
    FitSegments {
        /// How many.
        k: usize,
    },
    /// Say which rows belong together.
    NameGroups {
        /// "bag" or "sequence".
        kind: String,
    },
    /// Give rows, not bags or sequences of them.
    UngroupRows {
        /// "bag" or "sequence".
        kind: String,
    },
    /// Choose another method.
    AnotherMethod {
        /// Those that can do it; empty if any may.
        methods: Vec<String>,
    },
    /// Try a method that suits the table better; a comparison shows which.
    TryMethods {
        /// Their names.
        methods: Vec<String>,
    },
    /// Look up which methods there are.
    ListMethods,
    /// Fit one clustering method.
    FitClustering,
    /// Train a classifier.
    TrainClassifier {
        /// Its class in Python.
        class: String,
    },
    /// Train a classifier on the labels of a clustering.
    TrainOnLabels,
    /// Any of these.
    AnyOf {
        /// At least two.
        remedies: Vec<Remedy>,
    },
}

impl Remedy {
    /// Gives a parameter this value.
    pub fn set(name: &str, value: impl Into<Value>) -> Self {
        Self::SetParameter { name: name.into(), value: value.into() }
    }

    /// Gives a parameter a larger value.
    pub fn raise(name: &str) -> Self {
        Self::RaiseParameter { name: name.into() }
    }

    /// Gives a parameter a smaller value.
    pub fn lower(name: &str) -> Self {
        Self::LowerParameter { name: name.into() }
    }

    /// Gives a parameter another value.
    pub fn change(name: &str) -> Self {
        Self::ChangeParameter { name: name.into() }
    }

    /// Chooses another method, whichever.
    pub fn another_method() -> Self {
        Self::AnotherMethod { methods: Vec::new() }
    }

    /// This or another.
    pub fn or(self, other: Self) -> Self {
        let list = |remedy| match remedy {
            Self::AnyOf { remedies } => remedies,
            one => vec![one],
        };
        Self::AnyOf { remedies: [list(self), list(other)].concat() }
    }

    /// In the words of a front end where `own` has some, else in neutral ones.
    pub fn worded(&self, own: &dyn Fn(&Self) -> Option<String>) -> String {
        match self {
            Self::AnyOf { remedies } => {
                let all: Vec<String> = remedies.iter().map(|r| r.worded(own)).collect();
                match all.split_last() {
                    Some((last, first)) if !first.is_empty() => {
                        format!("{}, or {last}", first.join(", "))
                    }
                    _ => all.concat(),
                }
            }
            one => own(one).unwrap_or_else(|| one.neutral()),
        }
    }

    fn neutral(&self) -> String {
        let plain = match self {
            Self::RaiseMemory => "raise the memory limit",
            Self::FewerLandmarks => "use fewer landmarks",
            Self::FewerClusters => "ask for fewer clusters",
            Self::MoreClusters => "ask for more clusters",
            Self::GiveNumberOfClusters => "give the number of clusters",
            Self::RaiseKMax => "raise the largest number of clusters to look for",
            Self::ChangeKMax => "choose another",
            Self::UngroupRows { .. } => "give it one table",
            Self::AnotherSeed => "try another seed",
            Self::AskStability => "ask for the stability of the clusters",
            Self::DropDuplicates => "drop duplicate rows",
            Self::FewerRows => "use fewer rows",
            Self::DropColumns => "use fewer columns",
            Self::DropWeights => "leave the sample weights out",
            Self::DropTimeLimit => "leave the time limit out",
            Self::MoreTime => "allow more time",
            Self::FitSegments { k } => return format!("ask for {k} clusters"),
            Self::ListMethods => "look at the list of methods",
            Self::FitClustering => "fit a clustering method",
            Self::TrainClassifier { .. } => "train it as a classifier",
            Self::TrainOnLabels => "train a linear classifier on its labels, and export that",
            Self::RescaleColumns => "rescale the columns",
            Self::SetParameter { name, value } => match value {
                Value::String(word) => return format!("set {name}={word}"),
                other => return format!("set {name}={other}"),
            },
            Self::RaiseParameter { name } => return format!("raise `{name}`"),
            Self::LowerParameter { name } => return format!("lower `{name}`"),
            Self::ChangeParameter { name } => return format!("choose another `{name}`"),
            Self::NameGroups { kind } => return format!("say which {kind} each row belongs to"),
            Self::AnotherMethod { methods } if methods.is_empty() => "try another method",
            Self::AnotherMethod { methods } => {
                return format!("methods that do: {}", methods.join(", "));
            }
            Self::TryMethods { methods } => {
                return format!("try {}, and compare", methods.join(" or "));
            }
            Self::AnyOf { .. } => return self.to_string(),
        };
        plain.to_owned()
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&|_| None))
    }
}

/// The codes of notes and errors.
pub mod codes {
    macro_rules! codes {
        ($($(#[doc = $doc:literal])+ $name:ident = $code:literal;)*) => {
            $($(#[doc = $doc])+ pub const $name: &str = $code;)*
            /// Every code with its meaning.
            pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),+))),*];
        };
    }

    codes! {
        // What was found.
        /// Fewer clusters than asked for were found.
        FEWER_CLUSTERS = "fewer-clusters";
        /// A cluster is smaller than the smallest size asked for.
        SMALL_CLUSTER = "small-cluster";
        /// A cluster holds a few rows only.
        LONE_ROWS = "lone-rows";
        /// Some rows of a cluster lie apart from the rest of it.
        MISSED_CLUSTER = "missed-cluster";
        /// Another initialization leads to different clusters that are separated about as well.
        RIVAL_CLUSTERS = "rival-clusters";
        /// All values are tiny: the fit saw them times a power of two.
        TINY_VALUES = "tiny-values";
        /// The iterations or the solver ended before the tolerance was reached.
        NOT_CONVERGED = "not-converged";
        /// Eigenvectors are approximate.
        INEXACT_EIGENVECTORS = "inexact-eigenvectors";
        /// No split was found that is better than none.
        NO_SPLIT = "no-split";
        /// All distances are equal, so that the split is arbitrary.
        EQUAL_DISTANCES = "equal-distances";
        /// The metric is not Euclidean, and distant rows share a cluster.
        POSITIVE_EIGENVALUE = "positive-eigenvalue";
        /// The threshold asked for would leave too few rows on a side, so another was used.
        THRESHOLD_MOVED = "threshold-moved";
        /// A cluster is as small as it is allowed to be.
        SIZE_LIMIT_BINDS = "size-limit-binds";
        /// The balance, not the rows, decides where the split is.
        BALANCE_BINDS = "balance-binds";
        /// The decision function does not change its sign where the split is.
        UNCLEAR_SPLIT = "unclear-split";
        /// Every row keeps the label that it starts with.
        FROZEN_LABELS = "frozen-labels";
        /// The graph has several components.
        DISCONNECTED_GRAPH = "disconnected-graph";
        /// Rows without a neighbour in the graph.
        ISOLATED_ROWS = "isolated-rows";
        /// Few rows carry all of the learnt weight.
        WEIGHTS_COLLAPSED = "weights-collapsed";
        /// How the weights of the rows were learnt.
        WEIGHTS_LEARNT = "weights-learnt";
        /// The similarity stands for its eigen-split, for which there are too many rows.
        EIGEN_SPLIT_SKIPPED = "eigen-split-skipped";
        /// Rows at the mean have no direction.
        NO_DIRECTION = "no-direction";

        // What was chosen for you.
        /// The kernel or the distances are approximated with landmarks.
        LANDMARKS = "landmarks";
        /// Distances are held in single precision.
        SINGLE_PRECISION = "single-precision";
        /// Kernel rows are computed when they are needed.
        KERNEL_CACHE = "kernel-cache";
        /// A similarity was left out.
        SIMILARITY_SKIPPED = "similarity-skipped";
        /// Which similarity was chosen.
        SIMILARITY_CHOSEN = "similarity-chosen";
        /// Which kernel width was chosen.
        KERNEL_WIDTH_CHOSEN = "kernel-width-chosen";
        /// A parameter is larger than the table allows, so a smaller value was used.
        PARAMETER_REDUCED = "parameter-reduced";
        /// A parameter has no effect.
        PARAMETER_UNUSED = "parameter-unused";

        /// Rows were read block by block, and which of them took part.
        STREAMED = "streamed";

        // What is in the table.
        /// Columns with (nearly) one value.
        CONSTANT_COLUMNS = "constant-columns";
        /// Outliers were excluded from the fit.
        OUTLIERS = "outliers";
        /// Outliers are numerous enough for a cluster and took part in the fit.
        OUTLIERS_INCLUDED = "outliers-included";
        /// Which column scaling was chosen, and why.
        SCALING_CHOSEN = "scaling-chosen";
        /// The automatic weight of the regulariser was lowered to keep clusters alive.
        REG_LOWERED = "reg-lowered";
        /// Rows are taken as unrelated where sequences could be given.
        UNRELATED_ROWS = "unrelated-rows";
        /// Copies of rows look like evidence of gaps.
        DUPLICATE_ROWS = "duplicate-rows";
        /// Columns with few different values.
        DISCRETE_FEATURES = "discrete-features";
        /// What was done to the table when it was read.
        TABLE = "table";
        /// Rows without a known class.
        UNKNOWN_CLASSES = "unknown-classes";

        // The number of clusters.
        /// The number of clusters was found, not given.
        NUMBER_FOUND = "number-found";
        /// As many clusters as were looked for.
        K_MAX_REACHED = "k-max-reached";
        /// Runs disagree about the number of clusters.
        NUMBER_UNCERTAIN = "number-uncertain";
        /// Counting ended early.
        COUNT_STOPPED = "count-stopped";
        /// Too few rows to show a gap.
        FEW_ROWS = "few-rows";
        /// No clusters were found.
        NO_CLUSTERS = "no-clusters";
        /// How reproducible segments are where there are no clusters.
        SEGMENTS = "segments";

        /// Another method suits such a table.
        METHOD_HINT = "method-hint";

        // Quality and stability.
        /// Quality is not defined for such data.
        NOT_JUDGED = "not-judged";
        /// Quality could not be computed.
        QUALITY_UNKNOWN = "quality-unknown";
        /// Split halves show no gap where the labels do.
        SPLIT_HALVES_DIFFER = "split-halves-differ";
        /// p-values treat the labels as given, and are too small for fitted ones.
        LABELS_AS_GIVEN = "labels-as-given";
        /// Quality is judged by flat boundaries, the method's are curved.
        CURVED_BOUNDARIES = "curved-boundaries";
        /// Confidence was not measured on refits.
        CONFIDENCE_UNMEASURED = "confidence-unmeasured";
        /// Rows unlike those that the rule learnt from.
        NOVEL_ROWS = "novel-rows";
        /// Stability is unknown.
        STABILITY_UNKNOWN = "stability-unknown";
        /// Some refits failed.
        REFITS_FAILED = "refits-failed";
        /// The clusters could not be compared with known classes.
        NOT_COMPARED = "not-compared";
        /// The clusters could not be put into words.
        NO_RULES = "no-rules";
        /// How compared methods are ranked.
        RANKED = "ranked";
        /// The method was stopped at its time limit.
        TIME_LIMIT = "time-limit";

        // Classifiers.
        /// No boundary guarantees the floor.
        FLOOR_NOT_MET = "floor-not-met";
        /// The kernel has next to no value between a row and what was learnt.
        KERNEL_TOO_SMALL = "kernel-too-small";
        /// The means of two classes are equal.
        EQUAL_MEANS = "equal-means";

        /// A sentence from a model file of an earlier version.
        UNCLASSIFIED = "unclassified";
    }
}

/// A number as people write it: 1,310.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_kebab_case() {
        let mut seen = std::collections::BTreeSet::new();
        for (code, about) in codes::ALL {
            assert!(seen.insert(code), "{code} stands for two things");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(code.chars().all(plain) && !code.starts_with('-'), "{code}");
            assert!(!about.trim().is_empty(), "{code} has no meaning");
        }
    }

    #[test]
    fn a_front_end_words_what_it_knows_and_the_rest_is_neutral() {
        let remedy =
            Remedy::FewerLandmarks.or(Remedy::set("kernel", "linear")).or(Remedy::RaiseMemory);
        assert_eq!(
            remedy.to_string(),
            "use fewer landmarks, set kernel=linear, or raise the memory limit"
        );
        let own = |r: &Remedy| (*r == Remedy::RaiseMemory).then(|| "buy memory".to_owned());
        let note = Note::warning(codes::LANDMARKS, "too many pairs").with(remedy);
        assert_eq!(
            note.sentence(|r| r.worded(&own)),
            "too many pairs; use fewer landmarks, set kernel=linear, or buy memory"
        );
    }

    #[test]
    fn notes_survive_json() {
        let remedy = Remedy::set("robust", false).or(Remedy::NameGroups { kind: "bag".into() });
        let note = Note::notice(codes::OUTLIERS, "3 outliers").with(remedy);
        let text = serde_json::to_string(&note).unwrap();
        assert!(
            text.contains(r#""remedy":{"do":"any-of","remedies":[{"do":"set-parameter""#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Note>(&text).unwrap(), note);
    }
}

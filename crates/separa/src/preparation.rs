//! How the columns of a user's table became features: what a model must know to do the same to new rows.
//!
//! The decisions are made, and applied, where tables are read (`separa-io`); a model file stores them, and reports
//! show them.

use serde::{Deserialize, Serialize};

/// How the columns of a table became features, column by column in the table's order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Preparation {
    /// Rows of the table that the decisions were made on.
    pub rows: usize,
    /// The columns of that table.
    pub columns: Vec<ColumnPreparation>,
    /// What is done about missing values.
    pub missing: MissingRule,
    /// Cells of features that were filled.
    pub filled: usize,
    /// Rows that were left out because of missing values.
    pub rows_left_out: usize,
    /// Complete rows that lend their values to others, if the rule is [`MissingRule::Nearest`]: features as the
    /// model sees them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub donors: Vec<Vec<f64>>,
}

/// Words that stand for a missing value: nothing at all, and these spellings exactly (`none` and `na` can be words).
pub const MISSING_WORDS: [&str; 12] =
    ["", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "Null", "None", "?"];

/// What became of one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnPreparation {
    /// Its name in the table.
    pub name: String,
    /// What it is used for.
    pub role: Role,
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Values that are missing.
    pub missing: usize,
    /// What was done with it.
    pub done: String,
    /// Why, if that is not plain.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// How it becomes features, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
}

/// What a column is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The clusters are found by it.
    Feature,
    /// It counts or names the rows.
    Id,
    /// It was named for another use: known classes, labels to begin from, bags, sequences.
    Kept,
    /// It is not used.
    LeftOut,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// Numbers.
    Number,
    /// Two opposite words, such as yes and no.
    Boolean,
    /// Dates or times.
    Date,
    /// Words with an order, such as low, medium, high.
    Ordered,
    /// Words without an order.
    Category,
    /// Sentences, or words that are nearly all different.
    Text,
    /// Nothing.
    Empty,
    /// Nothing that could be read, such as nested values.
    Unreadable,
}

/// What is done about missing values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingRule {
    /// Numbers get the column's median, words its most frequent one.
    Median,
    /// Numbers get the column's mean, words its most frequent one.
    Mean,
    /// Values of the five most similar of some complete rows: their median, or their most frequent word.
    #[default]
    Nearest,
    /// Rows with a missing value are left out.
    Drop,
    /// A missing value is an error.
    Refuse,
}

/// How a column becomes features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "snake_case")]
pub enum Encoding {
    /// One feature.
    Number {
        /// How its numbers are written, if they are text.
        #[serde(default, skip_serializing_if = "NumberStyle::is_plain")]
        style: NumberStyle,
        /// What a missing value becomes.
        fill: f64,
    },
    /// One feature, 1 for these words and 0 for others.
    Boolean {
        /// The words for 1, in lower case.
        yes: Vec<String>,
        /// The words for 0, in lower case.
        no: Vec<String>,
        /// What a missing value becomes.
        fill: f64,
    },
    /// One feature: the place in this list, from 0.
    Ordered {
        /// The words from low to high.
        levels: Vec<String>,
        /// What a missing value becomes.
        fill: f64,
    },
    /// One feature per word, 1 in rows that hold it.
    OneHot {
        /// The words that have a feature.
        levels: Vec<String>,
        /// The word that has none, because it is one of two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<String>,
        /// Whether all other words share one more feature.
        other: bool,
        /// The word that a missing value becomes.
        fill: String,
    },
    /// Days since `origin`, and sine and cosine of the parts that come round again.
    Date {
        /// Seconds since 1970-01-01 that count as 0.
        origin: f64,
        /// Month, weekday, hour: those that vary.
        cycles: Vec<Cycle>,
        /// Whether 3/4/2024 is the third of April.
        day_first: bool,
        /// Seconds since 1970-01-01 that a missing value becomes.
        fill: f64,
    },
}

/// A part of a date that comes round again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cycle {
    /// The day in the year.
    Year,
    /// The day in the week.
    Week,
    /// The time in the day.
    Day,
}

/// How numbers are written in text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberStyle {
    /// Whether the comma separates decimals; otherwise it groups thousands.
    #[serde(default)]
    pub decimal_comma: bool,
    /// Whether the column held text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text: bool,
    /// A unit behind every number, e.g. "kg".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

impl NumberStyle {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

impl Cycle {
    /// What the features are called after.
    pub fn word(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Week => "week",
            Self::Day => "day",
        }
    }

    /// Its length in days.
    pub fn days(self) -> f64 {
        match self {
            Self::Year => 365.2425,
            Self::Week => 7.0,
            Self::Day => 1.0,
        }
    }
}

impl ColumnType {
    /// As JSON and people say it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Ordered => "ordered",
            Self::Category => "category",
            Self::Text => "text",
            Self::Empty => "empty",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Role {
    /// As JSON and people say it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Feature => "feature",
            Self::Id => "id",
            Self::Kept => "kept",
            Self::LeftOut => "left out",
        }
    }
}

impl Encoding {
    /// The features that a column of this name becomes.
    pub fn feature_names(&self, column: &str) -> Vec<String> {
        match self {
            Self::Number { .. } | Self::Boolean { .. } | Self::Ordered { .. } => {
                vec![column.to_owned()]
            }
            Self::OneHot { levels, other, .. } => {
                let mut names: Vec<String> =
                    levels.iter().map(|level| format!("{column}={level}")).collect();
                if *other {
                    names.push(Self::other_name(column, levels));
                }
                names
            }
            Self::Date { cycles, .. } => {
                let pair =
                    |c: &Cycle| ["sin", "cos"].map(|f| format!("{column} ({} {f})", c.word()));
                std::iter::once(column.to_owned()).chain(cycles.iter().flat_map(pair)).collect()
            }
        }
    }

    /// How many features there are.
    pub fn width(&self) -> usize {
        match self {
            Self::Number { .. } | Self::Boolean { .. } | Self::Ordered { .. } => 1,
            Self::OneHot { levels, other, .. } => levels.len() + usize::from(*other),
            Self::Date { cycles, .. } => 1 + 2 * cycles.len(),
        }
    }

    /// A name for all other words that none of the words has.
    fn other_name(column: &str, levels: &[String]) -> String {
        let mut word = "other".to_owned();
        while levels.contains(&word) {
            word.push('…');
        }
        format!("{column}={word}")
    }
}

impl Preparation {
    /// The columns that become features, with their encodings.
    pub fn features(&self) -> impl Iterator<Item = (&ColumnPreparation, &Encoding)> {
        let used = |column: &&ColumnPreparation| column.role == Role::Feature;
        self.columns.iter().filter(used).filter_map(|c| Some((c, c.encoding.as_ref()?)))
    }

    /// The names of all features.
    pub fn feature_names(&self) -> Vec<String> {
        self.features()
            .flat_map(|(column, encoding)| encoding.feature_names(&column.name))
            .collect()
    }

    /// For every feature, which of the table's columns it came from, counted among those that have features.
    pub fn feature_columns(&self) -> Vec<usize> {
        let widths = self.features().map(|(_, encoding)| encoding.width()).enumerate();
        widths.flat_map(|(i, width)| std::iter::repeat_n(i, width)).collect()
    }

    /// What differences to a donor's features are multiplied by: one over the deviation of each feature among the
    /// donors, so that the features of one column weigh like one.
    pub fn donor_scales(&self) -> Vec<f64> {
        let n = self.donors.len().max(1) as f64;
        let deviation = |f: usize| {
            let mean = self.donors.iter().map(|d| d[f]).sum::<f64>() / n;
            (self.donors.iter().map(|d| (d[f] - mean).powi(2)).sum::<f64>() / n).sqrt()
        };
        let widths = self.features().flat_map(|(_, e)| std::iter::repeat_n(e.width(), e.width()));
        let scale = |(f, width): (usize, usize)| match deviation(f) {
            deviation if deviation > 0.0 => 1.0 / (width as f64).sqrt() / deviation,
            _ => 0.0,
        };
        widths.enumerate().map(scale).collect()
    }

    /// The columns that name the rows; first the one that does it best: the first of text, else the first.
    pub fn ids(&self) -> Vec<&ColumnPreparation> {
        let mut ids: Vec<&ColumnPreparation> = self.of_role(Role::Id).collect();
        if let Some(best) = ids.iter().position(|column| column.kind == ColumnType::Text) {
            ids[..=best].rotate_right(1);
        }
        ids
    }

    /// The columns of a role.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &ColumnPreparation> {
        self.columns.iter().filter(move |column| column.role == role)
    }
}

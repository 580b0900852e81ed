//! A rule that any system can follow: columns of a table, features, scores, a label.

use crate::clustering::{Fitted, Trained};
use crate::data::Grouping;
use crate::error::{Error, Result};
use crate::flat_rule::{FlatRule, LabelChoice};
use crate::model_file::Saved;
use crate::preparation::{Encoding, MissingRule, NumberStyle, Preparation, Role};
use serde::Serialize;
use std::ops::Range;

/// Rows that must be able to lend their values for gaps to be filled from the most similar ones.
pub(super) const NEAREST: usize = 5;

/// The complete rule as numbers: what `export` writes, in any language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PortableRule {
    /// "separa-rule".
    pub format: &'static str,
    /// Of this form.
    pub format_version: u32,
    /// The version of separa that fitted the rule.
    pub separa: String,
    /// The method's name.
    pub method: String,
    /// The columns of the table that the rule looks at, and how they become features.
    pub inputs: Vec<InputColumn>,
    /// The column that names the rows, if the table had one.
    pub id: Option<String>,
    /// What is done about missing values; rows that have one get no label if they are dropped or refused.
    pub missing: MissingRule,
    /// Complete rows of features that lend their values, if `missing` is the nearest rows' business.
    pub donors: Vec<Vec<f64>>,
    /// What differences of features are multiplied by before donors are compared.
    pub donor_scales: Vec<f64>,
    /// The names of the features.
    pub features: Vec<String>,
    /// How features are clipped and scaled.
    pub scaled: Vec<ScaledFeature>,
    /// One row per score, one entry per scaled feature.
    pub weights: Vec<Vec<f64>>,
    /// One per score.
    pub intercepts: Vec<f64>,
    /// How scores choose a label.
    pub choice: LabelChoice,
    /// Whether rows beyond the limits in more than half of the scaled features get the label −1.
    pub marks_outliers: bool,
    /// What the labels are called: numbers of clusters, or names of classes.
    pub labels: Vec<RuleLabel>,
}

/// A column of the table and how it becomes features.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputColumn {
    /// Its name in the table.
    pub name: String,
    /// Its features.
    pub encoding: Encoding,
}

/// z = (clamp(x, lo, hi) − shift)·factor of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ScaledFeature {
    /// Its place among the features.
    pub feature: usize,
    /// Values below are taken for this one.
    pub lo: Option<f64>,
    /// Values above are taken for this one.
    pub hi: Option<f64>,
    /// What is subtracted.
    pub shift: f64,
    /// What the difference is multiplied by.
    pub factor: f64,
}

/// What a label is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RuleLabel {
    /// A cluster.
    Number(usize),
    /// A class.
    Name(String),
}

impl PortableRule {
    /// The rule of what was fitted; `classes` names its labels where a classifier was.
    pub fn of(fitted: &Fitted, classes: Option<&[String]>) -> Result<Self> {
        let flat = match fitted.model().grouping() {
            None => fitted.model().flat(),
            Some(Grouping::Sequences) => None,
            Some(Grouping::Bags) => {
                let why = "the rule labels bags by all of their rows together, which other systems cannot do; fit the \
                           rows without bags";
                return Err(Error::Export(why.into()));
            }
        };
        let not_portable = || Error::NotPortable { method: fitted.method_name().to_owned() };
        let mut flat = flat.ok_or_else(not_portable)?;
        if fitted.k() == 1 {
            flat = flat.of_one_label();
        }
        let FlatRule { columns, weights, intercepts, choice, marks_outliers } = flat;
        let plain = as_they_are(fitted);
        let preparation = fitted.preparation().unwrap_or(&plain);
        let lends =
            preparation.missing == MissingRule::Nearest && preparation.donors.len() >= NEAREST;
        let missing = match preparation.missing {
            MissingRule::Nearest if !lends => MissingRule::Median,
            other => other,
        };
        let input = |(column, encoding): (&crate::preparation::ColumnPreparation, &Encoding)| {
            InputColumn { name: column.name.clone(), encoding: encoding.clone() }
        };
        let finite = |limit: f64| Some(limit).filter(|v| v.is_finite());
        let scaled = columns.iter().map(|c| ScaledFeature {
            feature: c.source,
            lo: finite(c.lo),
            hi: finite(c.hi),
            shift: c.shift,
            factor: c.factor,
        });
        let labels = match classes {
            Some(names) => names.iter().cloned().map(RuleLabel::Name).collect(),
            None => (0..fitted.k()).map(RuleLabel::Number).collect(),
        };
        Ok(Self {
            format: "separa-rule",
            format_version: 1,
            separa: fitted.version().to_owned(),
            method: fitted.method_name().to_owned(),
            inputs: preparation.features().map(input).collect(),
            id: preparation.ids().first().map(|column| column.name.clone()),
            missing,
            donors: if lends { preparation.donors.clone() } else { Vec::new() },
            donor_scales: if lends { preparation.donor_scales() } else { Vec::new() },
            features: preparation.feature_names(),
            scaled: scaled.collect(),
            weights: (0..weights.rows()).map(|r| weights.row(r).to_vec()).collect(),
            intercepts,
            choice,
            marks_outliers,
            labels,
        })
    }

    /// Whether rows with a missing value get a label.
    pub fn fills_gaps(&self) -> bool {
        !matches!(self.missing, MissingRule::Drop | MissingRule::Refuse)
    }

    /// The features of each input.
    pub(super) fn ranges(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let mut range = |input: &InputColumn| {
            at += input.encoding.width();
            at - input.encoding.width()..at
        };
        self.inputs.iter().map(&mut range).collect()
    }

    /// Whether labels are names of classes.
    pub(super) fn is_classifier(&self) -> bool {
        matches!(self.labels.first(), Some(RuleLabel::Name(_)))
    }
}

impl Saved {
    /// The rule in a form that other systems can follow, if they can.
    pub fn portable(&self) -> Result<PortableRule> {
        PortableRule::of(self, self.trained().map(Trained::classes))
    }
}

/// The preparation of rows that were fitted as they are: numbers, none of them missing.
fn as_they_are(fitted: &Fitted) -> Preparation {
    let names = match fitted.feature_names() {
        Some(names) => names.to_vec(),
        None => (1..=fitted.d()).map(|j| format!("x{j}")).collect(),
    };
    let column = |name: String| crate::preparation::ColumnPreparation {
        name,
        role: Role::Feature,
        kind: crate::preparation::ColumnType::Number,
        missing: 0,
        done: String::new(),
        why: String::new(),
        encoding: Some(Encoding::Number { style: NumberStyle::default(), fill: 0.0 }),
    };
    let columns = names.into_iter().map(column).collect();
    Preparation { columns, missing: MissingRule::Refuse, ..Preparation::default() }
}

//! How sure a label is: the one place to ask the model.

use super::label::{Label, Places, spread};
use separa::model_file::Saved;
use separa::{Confidence, Dataset, Result};
use serde::Serialize;

/// How sure the labels are, row by row. Lists are absent where the model has nothing to say.
#[derive(Debug, Default, Serialize)]
pub(super) struct Sure {
    /// How many of refits would leave the row where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Vec<Option<f64>>>,
    /// The label that comes second.
    #[serde(skip_serializing_if = "Option::is_none")]
    runner_up: Option<Vec<Option<Label>>>,
    /// Score of the label less that of the runner-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<Vec<Option<f64>>>,
}

impl Sure {
    /// Asks the model.
    pub fn of(saved: &Saved, data: &Dataset<'_>) -> Result<Self> {
        let Confidence { confidence, runner_up, margin, .. } = saved.confidence(data)?;
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let runner = |label: i32| (label >= 0).then_some(Label::Number(label));
        Ok(Self {
            confidence: Some(confidence.into_iter().map(finite).collect()),
            runner_up: Some(runner_up.into_iter().map(runner).collect()),
            margin: Some(margin.into_iter().map(finite).collect()),
        })
    }

    /// With names for the runners-up.
    pub fn named(mut self, name: impl Fn(i32) -> Label) -> Self {
        for label in self.runner_up.iter_mut().flatten().flatten() {
            if let Label::Number(number) = *label {
                *label = name(number);
            }
        }
        self
    }

    /// With every entry at the place of its row.
    pub fn placed(self, places: Option<&Places>) -> Self {
        Self {
            confidence: self.confidence.map(|list| spread(list, places)),
            runner_up: self.runner_up.map(|list| spread(list, places)),
            margin: self.margin.map(|list| spread(list, places)),
        }
    }
}

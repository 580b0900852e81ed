//! A trained classifier.

use super::{Facts, Fitted};
use crate::any_classifier::AnyClassifier;
use crate::data::Dataset;
use crate::method::AnyFit;
use crate::model::Model;
use crate::report::Learnt;
use crate::validate::CrossValidated;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// A trained classifier: what [`Trainer::fit`](crate::Trainer::fit) returns and a model file holds.
///
/// Serialised it is the answer of `separa train --json` and the header of a model file. Everything that it
/// shares with a clustering is in [`Fitted`], which it can be used as.
#[derive(Debug, Clone)]
pub struct Trained {
    pub(crate) fitted: Fitted,
    pub(crate) learnt: Learnt,
    pub(crate) cv: Option<CrossValidated>,
}

impl Deref for Trained {
    type Target = Fitted;
    fn deref(&self) -> &Fitted {
        &self.fitted
    }
}

impl DerefMut for Trained {
    fn deref_mut(&mut self) -> &mut Fitted {
        &mut self.fitted
    }
}

impl Trained {
    pub(crate) fn new(
        method: &dyn AnyClassifier,
        fit: AnyFit,
        data: &Dataset<'_>,
        seed: u64,
        sizes: Vec<usize>,
    ) -> Self {
        let learnt = fit.report.learnt.clone().expect("every classifier reports what it learnt");
        let mut fitted = Fitted::new(method.entry().name, method.params(), fit, data, seed);
        fitted.facts.sizes = sizes;
        Self { fitted, learnt, cv: None }
    }

    /// What it learnt: the classes, accuracy, guarantees and chosen settings.
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// The names of the classes, in the order of the labels.
    pub fn classes(&self) -> &[String] {
        &self.learnt.classes
    }

    /// What the whole training is worth on rows it has not seen, if that was asked for.
    pub fn cross_validated(&self) -> Option<&CrossValidated> {
        self.cv.as_ref()
    }
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredTrained {
    #[serde(flatten)]
    pub facts: Facts,
    #[serde(flatten)]
    pub learnt: Learnt,
    #[serde(default)]
    pub cv: Option<CrossValidated>,
}

impl Serialize for Trained {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        let (facts, learnt) = (self.fitted.facts.clone(), self.learnt.clone());
        StoredTrained { facts, learnt, cv: self.cv.clone() }.serialize(out)
    }
}

impl StoredTrained {
    /// With the rule that the file holds beside it.
    pub fn with(self, model: Box<dyn Model>) -> Trained {
        let Self { facts, learnt, cv } = self;
        Trained {
            fitted: Fitted {
                facts,
                model: model.into(),
                labels: None,
                baseline: None,
                seconds: 0.0,
            },
            learnt,
            cv,
        }
    }
}

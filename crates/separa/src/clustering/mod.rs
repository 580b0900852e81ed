//! The result: a rule, the labels it gave, and what is known about them.

mod fitted;
mod names;
mod trained;
mod verdict;

pub(crate) use fitted::Facts;
pub use fitted::{Fitted, StreamFacts};
pub use names::ClusterNames;
pub(crate) use trained::StoredTrained;
pub use trained::Trained;
pub use verdict::{Verdict, VerdictCode};

use crate::any_method::AnyMethod;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::k_auto::Counted;
use crate::method::AnyFit;
use crate::note::codes;
use crate::profile::Profile;
use crate::quality::Quality;
use crate::stability::Stability;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// Notes that say why there is no quality.
const UNJUDGED: [&str; 3] = [codes::NOT_JUDGED, codes::QUALITY_UNKNOWN, codes::NO_CLUSTERS];

/// A clustering: what [`Clusterer::fit`](crate::Clusterer::fit) returns and a model file holds.
///
/// Serialised it is the answer of `separa cluster --json` and the header of a model file. Everything that it
/// shares with a trained classifier is in [`Fitted`], which it can be used as.
#[derive(Debug, Clone)]
pub struct Clustering {
    fitted: Fitted,
    method: Box<dyn AnyMethod>,
    quality: Option<Quality>,
    count: Option<Counted>,
    pub(crate) stability: Option<Stability>,
    pub(crate) profile: Option<Profile>,
    names: ClusterNames,
    /// Whether the observer ended the work.
    pub(crate) interrupted: bool,
}

impl Deref for Clustering {
    type Target = Fitted;
    fn deref(&self) -> &Fitted {
        &self.fitted
    }
}

impl DerefMut for Clustering {
    fn deref_mut(&mut self) -> &mut Fitted {
        &mut self.fitted
    }
}

impl Clustering {
    pub(crate) fn new(
        method: Box<dyn AnyMethod>,
        fit: AnyFit,
        data: &Dataset<'_>,
        seed: u64,
        quality: Option<Quality>,
        count: Option<Counted>,
    ) -> Self {
        let fitted = Fitted::new(method.entry().name, method.params(), fit, data, seed);
        Self {
            fitted,
            method,
            quality,
            count,
            stability: None,
            profile: None,
            names: ClusterNames::new(),
            interrupted: false,
        }
    }

    /// The method with its parameters; the number of clusters is the one that was found if it was open.
    pub fn method(&self) -> &dyn AnyMethod {
        self.method.as_ref()
    }

    pub(crate) fn quality_mut(&mut self) -> Option<&mut Quality> {
        self.quality.as_mut()
    }

    /// How separable the clusters are. An error says why that is not known.
    pub fn quality(&self) -> Result<&Quality> {
        self.quality.as_ref().ok_or_else(|| {
            let said = self.notes().iter().find(|note| UNJUDGED.contains(&note.code.as_ref()));
            let why =
                said.map_or("the separability of the clusters was not judged", |note| &note.text);
            Error::NotJudged { why: why.to_owned() }
        })
    }

    /// How the number of clusters was found, if it was not given.
    pub fn count(&self) -> Option<&Counted> {
        self.count.as_ref()
    }

    /// Which clusters are stable when the rows change, if that was asked for.
    pub fn stability(&self) -> Option<&Stability> {
        self.stability.as_ref()
    }

    /// What every cluster is: its features compared with those of all other rows. None for one cluster, for bags and
    /// measures of pairs, and if the clusters were not judged.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// Names the features of a fit that saw none, or names them anew: everywhere, and in the names that are suggested
    /// for the clusters.
    pub fn name_features(&mut self, names: &[String]) -> Result<()> {
        self.fitted.name_features(names)?;
        if let Some(profile) = &mut self.profile {
            profile.name_features(names);
        }
        let pairs = self.quality.iter_mut().flat_map(|quality| &mut quality.importance);
        pairs.flat_map(|pair| &mut pair.features).for_each(|feature| {
            feature.name = Some(names[feature.feature].clone());
        });
        Ok(())
    }

    /// The clustering in one sentence, with a code for programs.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self)
    }

    /// Whether the table held measures of pairs of rows instead of features.
    pub fn is_precomputed(&self) -> bool {
        self.method.is_precomputed()
    }

    /// Whether the boundaries between clusters can be curved in the features.
    pub fn is_curved(&self) -> bool {
        self.method.is_curved()
    }

    /// Whether the columns of the table are features, which can be shown one by one.
    pub fn has_features(&self) -> bool {
        self.rows_are_features() && !self.is_precomputed()
    }

    fn rows_are_features(&self) -> bool {
        self.fitted.facts.rows.is_none()
    }

    /// Whether the work was interrupted: the labels are the best so far.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted
    }
}

/// The serialised form.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredClustering {
    #[serde(flatten)]
    pub facts: Facts,
    #[serde(skip_deserializing)]
    pub verdict: Option<Verdict>,
    pub quality: Option<Quality>,
    /// How the number of clusters was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<Counted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<Stability>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// The names that a user gave to clusters.
    #[serde(default, skip_serializing_if = "ClusterNames::is_empty")]
    pub names: ClusterNames,
}

impl Serialize for Clustering {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        StoredClustering {
            facts: self.fitted.facts.clone(),
            verdict: Some(self.verdict()),
            quality: self.quality.clone(),
            auto: self.count.clone(),
            stability: self.stability.clone(),
            profile: self.profile.clone(),
            names: self.names.clone(),
        }
        .serialize(out)
    }
}

impl StoredClustering {
    /// With the rule that the file holds beside it.
    pub fn with(self, model: Box<dyn crate::model::Model>) -> Result<Clustering> {
        let Self { facts, quality, auto, stability, profile, names, .. } = self;
        let method = crate::registry::restore(&facts.method, &facts.params)?;
        let fitted =
            Fitted { facts, model: model.into(), labels: None, baseline: None, seconds: 0.0 };
        let mut found = Clustering {
            fitted,
            method,
            quality,
            count: auto,
            stability,
            profile,
            names: ClusterNames::new(),
            interrupted: false,
        };
        found.rename(names)?;
        Ok(found)
    }
}

//! A clustering in one sentence, with a code for programs.

use super::Clustering;
use crate::k_auto;
use crate::quality::Quality;
use serde::Serialize;

/// What can be said about a clustering, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The same for the same conclusion, whatever the numbers in its text.
    pub code: VerdictCode,
    /// One sentence.
    pub text: String,
}

/// What the quality of a clustering amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum VerdictCode {
    /// A gap between every two clusters.
    Gap,
    /// A gap between every two clusters that are large enough to test.
    GapWhereTested,
    /// A gap between some clusters, but not between all.
    SomeGaps,
    /// The data have a gap, but these clusters do not follow it.
    GapElsewhere,
    /// Not a single Gaussian, but no gap either.
    NoGap,
    /// No more separable than a single Gaussian.
    SingleGaussian,
    /// There is one cluster.
    OneCluster,
    /// Too few rows to say.
    TooFewRows,
    /// The quality is not known.
    NotJudged,
}

impl Verdict {
    pub(crate) fn of(found: &Clustering) -> Self {
        if let Some(counted) = found.count().filter(|counted| counted.k == 1) {
            return Self { code: VerdictCode::OneCluster, text: k_auto::none_found(counted) };
        }
        match found.quality() {
            Ok(quality) => Self { code: quality.verdict_code(), text: quality.verdict() },
            Err(why) => Self { code: VerdictCode::NotJudged, text: why.to_string() },
        }
    }
}

impl Quality {
    /// What the p-values and the null MSP say together.
    pub fn verdict_code(&self) -> VerdictCode {
        use VerdictCode::*;
        match (self.p_unimodal, self.p_gauss) {
            _ if self.closest().is_some() => SomeGaps,
            (Some(_), _) if self.has_gap() && !self.beyond_one_cloud() => GapElsewhere,
            (Some(_), _) if self.has_gap() && self.untested() > 0 => GapWhereTested,
            (Some(_), _) if self.has_gap() => Gap,
            (Some(_), Some(p)) if p <= Self::LEVEL => NoGap,
            (Some(_), Some(_)) => SingleGaussian,
            _ if self.pairs.is_empty() => OneCluster,
            _ => TooFewRows,
        }
    }
}

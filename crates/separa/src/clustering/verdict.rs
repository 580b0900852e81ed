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
    /// The number was found by gaps in the table, but the method's clusters do not all have one between them.
    Suggested,
    /// There is one cluster.
    OneCluster,
    /// Too few rows to say.
    TooFewRows,
    /// The quality is not known.
    NotJudged,
}

impl Verdict {
    pub(crate) fn of(found: &Clustering) -> Self {
        match (found.count(), found.quality()) {
            (Some(counted), _) if counted.k == 1 => {
                let none = k_auto::none_found(counted);
                let text = match k_auto::segments_said(counted) {
                    Some(segments) => format!("{none}; {segments}"),
                    None => none,
                };
                Self { code: VerdictCode::OneCluster, text }
            }
            (Some(counted), Ok(quality)) if quality.denies_a_gap() => {
                let text = format!("{}: {}", k_auto::suggested(counted), quality.verdict());
                Self { code: VerdictCode::Suggested, text }
            }
            (_, Ok(quality)) => Self { code: quality.verdict_code(), text: quality.verdict() },
            (_, Err(why)) => Self { code: VerdictCode::NotJudged, text: why.to_string() },
        }
    }
}

impl Quality {
    /// Whether a gap was tested for between these clusters and not found between all of them.
    fn denies_a_gap(&self) -> bool {
        self.p_unimodal.is_some() && !(self.has_gap() && self.beyond_one_cloud())
    }

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

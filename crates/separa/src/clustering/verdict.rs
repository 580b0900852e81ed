//! A clustering in one sentence, with a code for programs.

use super::Clustering;
use crate::error::Result;
use crate::k_auto::{self, Counted};
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
        Self::said(found.count(), found.quality())
    }

    /// What the number of clusters and their quality amount to.
    pub(crate) fn said(counted: Option<&Counted>, quality: Result<&Quality>) -> Self {
        match (counted, quality) {
            (Some(counted), _) if counted.k == 1 => {
                let none = k_auto::none_found(counted);
                let segments = k_auto::segments_said(counted);
                let text = match segments.or_else(|| k_auto::segments_untried(counted)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_method::AnyMethod;
    use crate::context::Ctx;
    use crate::data::Dataset;
    use crate::k_auto::{Counted, Segmentation};
    use crate::methods::KMeans;
    use crate::quality::{AssessOptions, assess};
    use separa_math::matrix::DenseRef;
    use separa_testkit::clouds::two_gaussians;

    /// Two clear clusters, judged with these p-values, their number found like this or given.
    fn verdict(change: impl Fn(&mut Quality), counted: Option<Counted>) -> Verdict {
        let cloud = two_gaussians(100, 2, 0.5, 9.0, 3);
        let data = Dataset::new(DenseRef::new(100, 2, &cloud.x).unwrap().into()).unwrap();
        let method: Box<dyn AnyMethod> = Box::new(KMeans::default());
        let fit = method.solve(&data, &mut Ctx::new(0)).unwrap();
        let mut quality = assess(&data, &fit.labels, &AssessOptions::default()).unwrap();
        change(&mut quality);
        Clustering::new(method, fit, &data, 0, Some(quality), counted).verdict()
    }

    fn counted(k: usize, k_per_run: Vec<usize>) -> Counted {
        let spread = k_per_run.iter().max().unwrap() - k_per_run.iter().min().unwrap();
        Counted { k, k_per_run, spread, p: 0.4, ..Counted::default() }
    }

    #[test]
    fn a_number_that_was_found_without_gaps_between_the_labels_is_suggested_in_one_sentence() {
        let denied = |q: &mut Quality| q.p_unimodal = Some(0.4);
        let found = verdict(denied, Some(counted(2, vec![2, 2, 2])));
        assert_eq!(found.code, VerdictCode::Suggested);
        assert!(found.text.starts_with("2 clusters suggested, not all separated by a gap: "));
        // Runs that disagree give a range.
        let range = verdict(denied, Some(counted(8, vec![5, 8, 12])));
        let said = "between 5 and 12 clusters suggested (8 taken), not all separated by a gap: ";
        assert!(range.text.starts_with(said), "{}", range.text);
        // The same labels with a number that was given are judged as ever.
        assert_eq!(verdict(denied, None).code, VerdictCode::NoGap);
        // A gap elsewhere is none between these clusters.
        let elsewhere = |q: &mut Quality| q.msp_null = Some(1.0);
        let found = verdict(elsewhere, Some(counted(2, vec![2, 2, 2])));
        assert_eq!(found.code, VerdictCode::Suggested, "{}", found.text);
        assert_eq!(serde_json::to_value(found.code).unwrap(), "suggested");
    }

    #[test]
    fn clusters_with_gaps_and_too_few_rows_are_not_called_suggested() {
        let gap = verdict(|_| {}, Some(counted(2, vec![2, 2, 2])));
        assert_eq!(gap.code, VerdictCode::Gap);
        let untested = |q: &mut Quality| {
            (q.p_unimodal, q.p_gauss) = (None, None);
            q.pairs.iter_mut().for_each(|pair| pair.p_unimodal = None);
        };
        let few = verdict(untested, Some(counted(2, vec![2, 2, 2])));
        assert_eq!(few.code, VerdictCode::TooFewRows);
    }

    #[test]
    fn no_clusters_come_with_a_next_step() {
        let one = |k, agreement, chance| Segmentation { k, agreement, chance, smallest: 0.2 };
        let mut none = counted(1, vec![1, 1, 1]);
        assert!(verdict(|_| {}, Some(none.clone())).text.ends_with("all rows are one cluster"));
        let late = Counted { segments_time_limit: Some(0.5), ..none.clone() };
        let said = verdict(|_| {}, Some(late)).text;
        assert!(
            said.ends_with(
                "; segments were not tried, because the time limit of 0.5 s was reached"
            )
        );
        none.segments = vec![one(2, 0.9, 0.5), one(3, 0.934, 0.351)];
        none.best_segments = Some(3);
        let found = verdict(|_| {}, Some(none.clone()));
        assert_eq!(
            (found.code, found.text.as_str()),
            (
                VerdictCode::OneCluster,
                "no natural clusters (p = 0.40): all rows are one cluster; if you need segments anyway, 3 are the most \
                 reproducible of 2 to 3: rules learnt on two halves of the rows agree on 93 % of them (by chance 35 %)"
            )
        );
        none.best_segments = None;
        assert!(verdict(|_| {}, Some(none)).text.contains("; segments would be arbitrary: "));
    }
}

//! How a number of clusters was found, as reports and model files tell it.

use separa_math::stats::beyond_chance;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number of clusters that was not given but found, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// The number of clusters.
    pub k: usize,
    /// The number that each run found: samples, pieces and halves are drawn anew in each.
    #[serde(alias = "k_by_seed")]
    pub k_per_run: Vec<usize>,
    /// The largest less the smallest of them.
    pub spread: usize,
    /// The least and the most that runs found, without a tenth of them on either side.
    #[serde(default)]
    pub range: Option<[usize; 2]>,
    /// Clusters that were looked for at most.
    pub k_max: usize,
    /// One cluster: the p-value of the deepest gap within all rows. More: the largest p-value of a gap
    /// between two of them.
    pub p: f64,
    /// Outliers that took no part, because they are too few to be a cluster.
    #[serde(alias = "aside")]
    pub outliers: usize,
    /// Rows that were looked at in each run.
    #[serde(alias = "rows")]
    pub sample_size: usize,
    /// Columns that hold counts or codes: their steps were blurred, for they are no gaps.
    #[serde(alias = "lattice")]
    pub discrete_features: usize,
    /// Of those rows: copies of others, where not all columns hold counts or codes.
    #[serde(default, alias = "copies")]
    pub duplicate_rows: usize,
    /// Whether it was stopped before the runs were enough.
    #[serde(default)]
    pub stopped: bool,
    /// The limit in seconds, if the clock stopped it: then the number can differ on another machine.
    #[serde(default)]
    pub time_limit: Option<f64>,
    /// Whether it was given up: runs differ so much that no number of them would settle it.
    #[serde(default)]
    pub undecided: bool,
    /// The decisions of the run that was kept, in order.
    #[serde(alias = "path")]
    pub history: Vec<Decision>,
    /// One cluster: how reproducible 2 to 8 segments would be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segmentation>,
    /// The most reproducible number of segments, if it is better than arbitrary.
    #[serde(default)]
    pub best_segments: Option<usize>,
    /// Rows that segments were tried on.
    #[serde(default)]
    pub segments_rows: usize,
    /// Whether k-means on scaled columns stood for the method there.
    #[serde(default)]
    pub segments_by_kmeans: bool,
    /// The limit in seconds, if the clock ended the trials of segments: then larger numbers were not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments_time_limit: Option<f64>,
}

/// How reproducible k segments of the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Segmentation {
    /// How many segments.
    pub k: usize,
    /// Held-out agreement: the fraction of rows that rules learnt on two halves put into the same segment.
    pub agreement: f64,
    /// What labels of the same frequencies agree on by chance.
    pub chance: f64,
    /// The fraction of rows in the smallest segment.
    pub smallest: f64,
}

impl Segmentation {
    /// (agreement − chance) / (1 − chance): 1 for rules that agree on every row, 0 for chance.
    pub fn corrected(&self) -> f64 {
        beyond_chance(self.agreement, self.chance)
    }
}

impl Counted {
    /// Runs that found no clusters.
    pub fn none(&self) -> usize {
        self.k_per_run.iter().filter(|k| **k == 1).count()
    }

    /// The least and the most of these numbers, without a tenth of them on either side.
    pub(crate) fn range_of(k_per_run: &[usize]) -> Option<[usize; 2]> {
        let mut sorted = k_per_run.to_vec();
        sorted.sort_unstable();
        let cut = sorted.len() / 10;
        Some([*sorted.get(cut)?, sorted[sorted.len() - 1 - cut]])
    }

    /// "between 5 and 12", where runs disagree. All runs speak where nine in ten agree, and a file of an earlier
    /// version has no range.
    pub fn between(&self) -> Option<String> {
        let all = [*self.k_per_run.iter().min()?, *self.k_per_run.iter().max()?];
        let [low, high] = self.range.filter(|[low, high]| low < high).unwrap_or(all);
        self.is_uncertain().then(|| format!("between {low} and {high}"))
    }

    /// Whether the number is better taken as a range: runs differ by two or more, or one in five found none
    /// where others did, or the other way round.
    pub fn is_uncertain(&self) -> bool {
        let (none, of) = (self.none(), self.k_per_run.len());
        self.spread > 1 || (of > 0 && 5 * none >= of && 5 * (of - none) >= of)
    }

    /// What the runs found: one by one where they are few, else how often each number.
    pub fn runs(&self) -> String {
        const FEW: usize = 12;
        let found = &self.k_per_run;
        if let [first, .., _] = found[..]
            && found.iter().all(|k| *k == first)
        {
            return format!("{first} every time");
        }
        if found.len() <= FEW {
            return found.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        }
        let mut often = BTreeMap::new();
        found.iter().for_each(|k| *often.entry(k).or_insert(0) += 1);
        let said = |(k, times): (&&usize, &usize)| match times {
            1 => format!("{k} (once)"),
            _ => format!("{k} ({times} times)"),
        };
        often.iter().map(said).collect::<Vec<_>>().join(", ")
    }
}

/// Two pieces joined, or one cut in two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Whether two pieces were merged or one was split.
    pub step: Step,
    /// The numbers of the two pieces: those of the beginning are 0, 1, and so on; each piece that a step
    /// makes has the next number.
    #[serde(alias = "pieces")]
    pub children: [usize; 2],
    /// The number of both together.
    #[serde(alias = "whole")]
    pub parent: usize,
    /// Rows of the two pieces, among those looked at.
    pub sizes: [usize; 2],
    /// Of the gap between them: joined where it is large, cut where it is small.
    pub p: f64,
    /// Pieces after the step.
    pub k: usize,
}

/// One decision of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Two pieces became one.
    Merge,
    /// One piece became two.
    Split,
}

#[cfg(test)]
mod tests {
    use super::Counted;

    #[test]
    fn many_runs_are_told_by_how_often_they_found_a_number() {
        let of = |k_per_run: Vec<usize>| {
            let least = k_per_run.iter().min().copied().unwrap_or(0);
            let spread = k_per_run.iter().max().map_or(0, |most| most - least);
            Counted { k: 2, k_per_run, spread, ..Counted::default() }
        };
        assert_eq!(of(vec![3, 2, 3]).runs(), "3, 2, 3");
        assert_eq!(of(vec![3; 3]).runs(), "3 every time");
        assert_eq!(of([vec![3; 10], vec![2; 5]].concat()).runs(), "2 (5 times), 3 (10 times)");
        assert_eq!(of(Vec::new()).runs(), "");
        assert!(!of(vec![3, 2, 3]).is_uncertain() && of(vec![2, 4, 2]).is_uncertain());
        // One or two is the question that matters most.
        assert!(of([vec![1; 20], vec![2; 22]].concat()).is_uncertain());
        assert!(!of([vec![1; 2], vec![2; 40]].concat()).is_uncertain());
        assert!(!of(vec![1, 1, 1]).is_uncertain() && !of(Vec::new()).is_uncertain());
    }

    #[test]
    fn a_range_leaves_a_tenth_of_the_runs_out_on_either_side() {
        let mut found: Vec<usize> = [vec![2], vec![5; 4], vec![12; 4], vec![24]].concat();
        assert_eq!(Counted::range_of(&found), Some([5, 12]));
        found.truncate(9);
        assert_eq!(Counted::range_of(&found), Some([2, 12]));
        assert_eq!(Counted::range_of(&[]), None);
        let spread =
            |k_per_run: Vec<usize>, spread| Counted { k_per_run, spread, ..Counted::default() };
        assert_eq!(spread(found, 10).between().as_deref(), Some("between 2 and 12"));
        assert_eq!(spread(vec![3, 3, 4], 1).between(), None);
        let one_astray = Counted { range: Some([3, 3]), ..spread(vec![3, 3, 9], 6) };
        assert_eq!(one_astray.between().as_deref(), Some("between 3 and 9"));
    }
}

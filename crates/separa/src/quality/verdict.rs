//! The one sentence that says whether clusters are real; every screen, page and notebook shows it.

use super::{Pair, Quality};
use separa_math::stats::beyond_chance;

impl Quality {
    /// How many rows get the same cluster from rules that were learnt without them, and whether there is a gap between the
    /// clusters, and how sure that is: the start of a sentence, without a full stop.
    pub fn verdict(&self) -> String {
        match (self.agreement, self.agreement_chance) {
            (Some(agreement), Some(chance)) => format!(
                "{}{} of rows left out of the fit get the same cluster (by chance {}); {}",
                if self.is_reproducible() == Some(false) { "only " } else { "" },
                percent(agreement),
                percent(chance),
                self.gaps_said()
            ),
            _ => self.gaps_said(),
        }
    }

    /// Whether rules learnt on two halves of the rows agree clearly more than chance; None if that is not known.
    pub fn is_reproducible(&self) -> Option<bool> {
        let (agreement, chance) = self.agreement.zip(self.agreement_chance)?;
        Some(beyond_chance(agreement, chance) >= REPRODUCIBLE)
    }

    /// Whether there is a gap between the clusters, and how sure that is.
    fn gaps_said(&self) -> String {
        let Some(gap) = self.p_unimodal else {
            return match self.pairs.is_empty() {
                true => "one cluster, so nothing is separated".to_owned(),
                false => "too few rows to test the separation".to_owned(),
            };
        };
        let p = p_value(gap);
        let said = match (self.has_gap(), self.closest(), self.p_gauss) {
            (true, _, _) if !self.beyond_one_cloud() => format!(
                "the data have a gap ({p}), but not along these clusters, which are no better separated than a single \
                 Gaussian split in the same place"
            ),
            // Of more than two clusters, no p-value knows that they were fitted to the same rows.
            (true, _, _) if self.pairs.len() > 1 => {
                format!("a gap between {} ({p}, taking the clusters as given)", self.tested())
            }
            (true, _, _) => format!("a gap between {} ({p})", self.tested()),
            (false, Some(Pair { a, b, .. }), _) => format!(
                "a gap between some clusters, but none between {a} and {b} ({p}), so fewer clusters may fit better"
            ),
            (false, None, Some(gauss)) if gauss <= Self::LEVEL => {
                format!(
                    "more than a single Gaussian ({}), but no gap between the clusters ({p})",
                    p_value(gauss)
                )
            }
            (false, None, _) => {
                format!("no better separated than a single Gaussian split into clusters ({p})")
            }
        };
        match self.untested() {
            0 => said,
            few => format!("{said}; {few} of {} pairs are too small to test", self.pairs.len()),
        }
    }

    fn tested(&self) -> &'static str {
        match (self.pairs.len(), self.untested()) {
            (_, 1..) => "the clusters that could be tested",
            (0 | 1, 0) => "the clusters",
            (_, 0) => "every two clusters",
        }
    }
}

/// An agreement that is no further from chance than this is arbitrary (docs/how-many.md has the figures).
pub(crate) const REPRODUCIBLE: f64 = 0.6;

/// Whole per cents, but not 100 of not all.
pub(crate) fn percent(fraction: f64) -> String {
    match fraction * 100.0 {
        p if (99.5..100.0).contains(&p) => "over 99 %".into(),
        p => format!("{p:.0} %"),
    }
}

/// "p < 0.001" or "p = 0.012".
fn p_value(p: f64) -> String {
    if p < 1e-3 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quality(msp: f64, null: Option<f64>, gauss: f64, gap: f64) -> Quality {
        Quality {
            agreement: None,
            agreement_chance: None,
            msp,
            msp_null: null,
            p_gauss: Some(gauss),
            p_unimodal: Some(gap),
            msp_held_out: Some(msp),
            min_fraction: 0.3,
            pairs: Vec::new(),
            importance: Vec::new(),
        }
    }

    #[test]
    fn clusters_no_better_separated_than_one_gaussian_have_no_gap_between_them() {
        for (msp, null, real) in [
            (0.7, Some(0.6), true),
            (0.7, None, true),
            (0.6, Some(0.6), false),
            (0.4, Some(0.6), false),
        ] {
            let q = quality(msp, null, 1e-9, 1e-9);
            assert_eq!(
                q.verdict() == "a gap between the clusters (p < 0.001)",
                real,
                "{}",
                q.verdict()
            );
            assert_eq!(q.is_real(), real);
            assert_eq!(q.verdict().contains("but not along these clusters"), !real);
        }
    }

    #[test]
    fn held_out_agreement_comes_first() {
        let held_out = |agreement, chance| {
            let (agreement, agreement_chance) = (Some(agreement), Some(chance));
            Quality { agreement, agreement_chance, ..quality(0.7, Some(0.6), 1e-9, 1e-9) }
        };
        let clear = held_out(0.997, 0.34);
        assert_eq!(
            clear.verdict(),
            "over 99 % of rows left out of the fit get the same cluster (by chance 34 %); a gap between the clusters (p < \
             0.001)"
        );
        assert_eq!(clear.is_reproducible(), Some(true));
        let doubtful = held_out(0.7, 0.5);
        assert!(doubtful.verdict().starts_with("only 70 % of rows"), "{}", doubtful.verdict());
        assert_eq!(doubtful.is_reproducible(), Some(false));
        assert_eq!(quality(0.7, None, 0.1, 0.1).is_reproducible(), None);
    }

    #[test]
    fn doubts_are_told() {
        let said = |gauss, gap| quality(0.6, Some(0.5), gauss, gap).verdict();
        assert!(said(0.001, 0.3).ends_with("but no gap between the clusters (p = 0.300)"));
        assert!(said(0.5, 0.5).starts_with("no better separated than a single Gaussian"));
        let unknown = Quality { p_unimodal: None, ..quality(0.5, None, 0.0, 0.0) };
        assert!(unknown.verdict().starts_with("one cluster"));
        let pair = Pair { a: 0, b: 1, msp: 0.5, p_gauss: None, p_unimodal: None };
        assert!(Quality { pairs: vec![pair], ..unknown }.verdict().starts_with("too few rows"));
    }

    #[test]
    fn pairs_that_were_not_tested_are_not_called_real() {
        let pair = |b, p| Pair { a: 0, b, msp: 0.7, p_gauss: p, p_unimodal: p };
        let pairs = vec![pair(1, Some(1e-9)), pair(2, None), pair(3, None)];
        let q = Quality { pairs, ..quality(0.7, Some(0.4), 1e-9, 1e-9) };
        assert!(!q.is_real());
        assert_eq!(
            q.verdict(),
            "a gap between the clusters that could be tested (p < 0.001, taking the clusters as given); 2 of 3 pairs are too \
             small to test"
        );
    }

    #[test]
    fn two_clusters_of_many_without_a_gap_are_named() {
        let pair = |a, b, p| Pair { a, b, msp: 0.7, p_gauss: Some(p), p_unimodal: Some(p) };
        let pairs = vec![pair(0, 1, 0.9), pair(0, 2, 1e-9), pair(1, 2, 1e-9)];
        let q = Quality { pairs, ..quality(0.4, Some(0.5), 0.9, 0.9) };
        let said = "a gap between some clusters, but none between 0 and 1 (p = 0.900)";
        assert!(q.verdict().starts_with(said), "{}", q.verdict());
        let all = vec![pair(0, 1, 1e-9), pair(0, 2, 1e-9), pair(1, 2, 1e-9)];
        let q = Quality { pairs: all, ..quality(0.7, Some(0.5), 1e-9, 1e-9) };
        assert_eq!(
            q.verdict(),
            "a gap between every two clusters (p < 0.001, taking the clusters as given)"
        );
    }
}

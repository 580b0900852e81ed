//! How sure the cluster of a row is: of rows with confidence 0.9, nine of ten keep their cluster in refits.
//!
//! Given     rows, the rule that labels them, and its [`Calibration`].
//! Returns   per row the confidence, the runner-up and the margin; probabilities for rules that have none of their own.
//! How       held-out agreement refits the method to halves of the rows. How often these rules leave a row in its
//!           cluster, seen against the margin of the row under the rule of all rows, is a curve with one width and one
//!           height per cluster ([`calibrate`]), which the model keeps.

pub(crate) mod calibrate;
mod margins;
mod spread;

pub(crate) use margins::Margins;

use crate::error::{Error, Result};
use crate::model::Labels;
use crate::note::{Note, codes};
use separa_math::matrix::Dense;
use separa_math::par;
use separa_math::stats::normal_cdf;
use serde::{Deserialize, Serialize};

/// The width without refits, in margins of the middle row: such a row has a confidence of 0.93.
const WIDTH: f64 = 0.68;
/// How far the winner is above an even spread, at least: the largest probability is that of the label.
const LEAD: f64 = 1e-9;

/// How sure the cluster of every row is.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// The cluster of each row, as [`Fitted::predict`](crate::Fitted::predict) says.
    pub labels: Labels,
    /// How many of refits would leave the row in its cluster, from 0 to 1.
    pub confidence: Vec<f64>,
    /// The cluster with the second largest score; −1 if there is one cluster only.
    pub runner_up: Labels,
    /// The score of the cluster minus that of the runner-up; not a number if there is one cluster only.
    pub margin: Vec<f64>,
}

impl Confidence {
    /// The same for labels in which outliers are marked: they belong to no cluster, so their confidence is 0.
    pub fn marked(mut self, labels: &[i32]) -> Self {
        for (i, label) in labels.iter().enumerate().filter(|(_, label)| **label < 0) {
            self.labels[i] = *label;
            (self.confidence[i], self.runner_up[i], self.margin[i]) = (0.0, -1, f64::NAN);
        }
        self
    }
}

/// From the margin of a row to its confidence.
///
/// A row of cluster c with margin m keeps its cluster in a fraction `kept[c]` · Φ(m / (`unit` · `width`)) of refits: half of
/// them on the boundary, `kept[c]` far from it. Φ is the normal distribution function: boundaries move by normal amounts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The median margin of the training rows.
    pub unit: f64,
    /// How far a refit moves the boundaries, in units.
    pub width: f64,
    /// Of each cluster: how many of refits keep its rows far from a boundary.
    pub kept: Vec<f64>,
    /// Refits that it was measured on; 0 if there were none.
    pub refits: usize,
}

impl Calibration {
    /// Of a rule without refits, by the margins of its training rows if they are known.
    pub(crate) fn unmeasured(k: usize, unit: Option<f64>) -> Self {
        Self { unit: unit.unwrap_or(1.0), width: WIDTH, kept: vec![1.0; k], refits: 0 }
    }

    /// Whether it was measured on refits.
    pub fn is_measured(&self) -> bool {
        self.refits > 0
    }

    /// The same for all clusters, whose numbers have changed.
    pub(crate) fn forget_clusters(&mut self) {
        let mean = self.kept.iter().sum::<f64>() / self.kept.len().max(1) as f64;
        self.kept.fill(mean);
    }

    /// Refuses numbers that no fit makes.
    pub(crate) fn check(&self, k: usize) -> Result<()> {
        let positive = |v: f64| v.is_finite() && v > 0.0;
        let fractions = self.kept.iter().all(|v| (0.0..=1.0).contains(v));
        match self.kept.len() == k && positive(self.unit) && positive(self.width) && fractions {
            true => Ok(()),
            false => Err(Error::Model("its calibration of confidence is damaged".into())),
        }
    }

    /// The confidence of a row of this cluster with this margin. A label against the scores (the likeliest path of a
    /// sequence) has a negative margin, which counts as none.
    pub fn confidence(&self, label: i32, margin: f64) -> f64 {
        let k = self.kept.len() as f64;
        let depth = margin.max(0.0) / (self.unit * self.width);
        let kept = self.kept[label as usize] * normal_cdf(depth);
        kept.clamp(1.0 / k + LEAD, 1.0)
    }

    /// The confidence of every row.
    pub(crate) fn of_margins(&self, labels: Labels, margins: Margins) -> Confidence {
        let all = labels.iter().zip(&margins.margin);
        let confidence = all.map(|(label, margin)| self.confidence(*label, *margin)).collect();
        Confidence { labels, confidence, runner_up: margins.runner_up, margin: margins.margin }
    }

    /// A probability for every cluster: the confidence for that of the label, the rest for the others by their scores.
    pub(crate) fn proba(&self, labels: &[i32], decision: &Dense) -> Dense {
        let k = self.kept.len();
        let mut out = Dense::zeros(labels.len(), k);
        par::fill_chunks(out.data_mut(), k, |range, part| {
            for (i, p) in range.zip(part.chunks_exact_mut(k)) {
                // A marked outlier is asked for as any other row.
                let label = labels[i].max(0) as usize;
                let scores = margins::scores(decision.row(i));
                let margin = margins::margin(&scores, label).0;
                let confidence = self.confidence(label as i32, margin);
                spread::spread(&scores, label, confidence, self.unit * self.width, p);
            }
        });
        out
    }
}

/// Every row is in the one cluster there is.
pub(crate) fn of_one_cluster(labels: Labels) -> Confidence {
    let n = labels.len();
    Confidence {
        labels,
        confidence: vec![1.0; n],
        runner_up: vec![-1; n],
        margin: vec![f64::NAN; n],
    }
}

/// The note if confidence was not measured on refits.
pub(crate) fn unmeasured_note(own: bool) -> Note {
    let instead = match own {
        true => "the method's own probabilities",
        false => "made of the margins alone",
    };
    let text = format!(
        "the confidence is {instead}: the model holds no refits to measure it on, which need rows of features, at least \
         five per cluster in each half, and a fit that is judged"
    );
    Note::notice(codes::CONFIDENCE_UNMEASURED, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration(kept: Vec<f64>) -> Calibration {
        Calibration { unit: 2.0, width: 0.5, kept, refits: 6 }
    }

    #[test]
    fn half_of_the_rows_on_a_boundary_stay_and_all_that_can_far_from_it() {
        let c = calibration(vec![1.0, 0.8]);
        assert!((c.confidence(0, 0.0) - 0.5).abs() < 1e-8);
        // Φ(1).
        assert!((c.confidence(0, 1.0) - 0.841_344_746_068_542_9).abs() < 1e-12);
        assert_eq!((c.confidence(0, 1e9), c.confidence(1, 1e9)), (1.0, 0.8));
        // Never below an even chance, whatever the margin says.
        assert!(c.confidence(1, -3.0) > 0.5);
    }

    #[test]
    fn probabilities_sum_to_one_keep_the_order_of_the_scores_and_the_label_first() {
        let c = calibration(vec![0.9, 0.5, 0.35]);
        let scores = Dense::from_vec(
            4,
            3,
            vec![
                1.0, 1.0, 1.0, //
                5.0, 4.0, -2.0, //
                -1.0, 0.5, 0.4, //
                0.0, 0.0, 1e-12,
            ],
        );
        let scores = scores.unwrap();
        let labels = crate::model::labels_of(&scores).unwrap();
        let p = c.proba(&labels, &scores);
        for i in 0..4 {
            let (row, label) = (p.row(i), labels[i] as usize);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{row:?}");
            let largest = (1..3).fold(0, |b, c| if row[c] > row[b] { c } else { b });
            assert_eq!(largest, label, "{row:?}");
            let order = |a: usize, b: usize| scores[(i, a)] > scores[(i, b)];
            assert!((0..3).all(|a| (0..3).all(|b| !order(a, b) || row[a] >= row[b])), "{row:?}");
        }
        // Two clusters have one score: a tie is cluster 1.
        let two = Dense::from_vec(3, 1, vec![0.0, -3.0, 3.0]).unwrap();
        let p = calibration(vec![1.0, 0.6]).proba(&[1, 0, 1], &two);
        assert!(
            p[(0, 1)] > p[(0, 0)]
                && p[(1, 0)] > 0.99
                && (p[(2, 1)] - 0.6 * 0.998_650_1).abs() < 1e-6
        );
    }

    #[test]
    fn marked_outliers_are_in_no_cluster() {
        let margins = Margins::of(&Dense::from_vec(2, 1, vec![4.0, -4.0]).unwrap(), &[1, 0]);
        let found = calibration(vec![1.0, 1.0]).of_margins(vec![1, 0], margins).marked(&[1, -1]);
        assert_eq!((found.labels, found.runner_up), (vec![1, -1], vec![0, -1]));
        assert_eq!((found.confidence[1], found.margin[1].is_nan()), (0.0, true));
    }
}

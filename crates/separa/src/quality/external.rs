//! Measures that need a truth: how well clusters agree with known classes.
//!
//! Rows with a negative label on either side (outliers, or of unknown class) are left out of all
//! of them. Degenerate cases take scikit-learn's values: two trivial labelings agree perfectly.

use crate::error::{Error, Result};
use separa_math::stats::{adjusted_rand, best_matching};
use serde::Serialize;

/// How many rows of each cluster belong to each class.
#[derive(Debug, Clone, PartialEq)]
pub struct Contingency {
    /// The labels in use, ascending; row i of `counts` belongs to `clusters[i]`.
    pub clusters: Vec<i32>,
    /// The classes in use, ascending; column j of `counts` belongs to `classes[j]`.
    pub classes: Vec<i32>,
    /// Rows of each cluster in each class.
    pub counts: Vec<Vec<f64>>,
}

/// Agreement of a labeling with a truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct External {
    /// Fraction of rows outside the best one-to-one matching of clusters with classes.
    pub error: f64,
    /// Fraction of rows inside that matching: 1 − `error`.
    pub accuracy: f64,
    /// Mutual information over the mean of the two entropies.
    pub nmi: f64,
    /// Mutual information over the larger of the two entropies.
    pub nmi_max: f64,
    /// Rand index, adjusted for chance.
    pub ari: f64,
    /// Fraction of rows that belong to the largest class of their cluster.
    pub purity: f64,
    /// Entropy of the classes within a cluster over ln(number of classes), averaged over rows.
    pub entropy: f64,
}

/// One cluster against the classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterPurity {
    /// Its label.
    pub cluster: i32,
    /// Rows in it.
    pub size: usize,
    /// Fraction of its largest class.
    pub purity: f64,
    /// −Σ s_c ln s_c / ln(number of classes), s_c the fraction of class c.
    pub entropy: f64,
    /// Its largest class (the first of equals).
    pub class: i32,
    /// Its rows of each class, in the order of [`Contingency::classes`].
    pub counts: Vec<usize>,
}

impl External {
    /// Labels against classes; rows with a negative one in either are left out.
    pub fn new(labels: &[i32], truth: &[i32]) -> Result<Self> {
        Ok(Self::of(&Contingency::new(labels, truth)?))
    }

    /// All measures of one contingency table.
    pub fn of(table: &Contingency) -> Self {
        let accuracy = table.accuracy();
        let information = table.mutual_information();
        let (a, b) = (table.cluster_entropy(), table.class_entropy());
        let (purity, entropy) = table.purity_and_entropy();
        Self {
            error: 1.0 - accuracy,
            accuracy,
            nmi: normalised(information, 0.5 * (a + b), table),
            nmi_max: normalised(information, a.max(b), table),
            ari: table.adjusted_rand(),
            purity,
            entropy,
        }
    }
}

fn normalised(information: f64, by: f64, table: &Contingency) -> f64 {
    if table.clusters.len() == 1 && table.classes.len() == 1 {
        return 1.0;
    }
    if information <= f64::EPSILON {
        return 0.0;
    }
    (information / by.max(f64::EPSILON)).min(1.0)
}

impl Contingency {
    /// Counts the rows of each label and class; rows with a negative one in either are left out.
    pub fn new(labels: &[i32], truth: &[i32]) -> Result<Self> {
        if labels.len() != truth.len() {
            let (found, expected) = (labels.len(), truth.len());
            return Err(Error::Length { what: "labels", found, expected, of: "rows of truth" });
        }
        let kept = || labels.iter().zip(truth).filter(|(l, t)| **l >= 0 && **t >= 0);
        let clusters = distinct(kept().map(|(l, _)| *l));
        let classes = distinct(kept().map(|(_, t)| *t));
        if clusters.is_empty() {
            return Err(Error::NoLabels { what: "both a label and a class" });
        }
        let mut counts = vec![vec![0.0; classes.len()]; clusters.len()];
        for (l, t) in kept() {
            counts[place(&clusters, *l)][place(&classes, *t)] += 1.0;
        }
        Ok(Self { clusters, classes, counts })
    }

    /// Rows counted.
    pub fn n(&self) -> f64 {
        self.cluster_sizes().iter().sum()
    }
    /// Rows in each cluster.
    pub fn cluster_sizes(&self) -> Vec<f64> {
        self.counts.iter().map(|row| row.iter().sum()).collect()
    }
    /// Rows in each class.
    pub fn class_sizes(&self) -> Vec<f64> {
        (0..self.classes.len()).map(|j| self.counts.iter().map(|row| row[j]).sum()).collect()
    }

    /// The class matched with each cluster, where there are enough of them.
    pub fn matching(&self) -> Vec<Option<i32>> {
        let columns = best_matching(&self.counts);
        columns.into_iter().map(|j| j.map(|j| self.classes[j])).collect()
    }

    /// Fraction of rows on the best one-to-one matching.
    pub fn accuracy(&self) -> f64 {
        let chosen = best_matching(&self.counts);
        let hits = chosen.iter().enumerate().filter_map(|(i, j)| Some(self.counts[i][(*j)?]));
        hits.sum::<f64>() / self.n()
    }

    /// I(cluster; class) in nats.
    pub fn mutual_information(&self) -> f64 {
        let (n, a, b) = (self.n(), self.cluster_sizes(), self.class_sizes());
        let mut sum = 0.0;
        for (i, row) in self.counts.iter().enumerate() {
            for (j, c) in row.iter().enumerate().filter(|(_, c)| **c > 0.0) {
                sum += c / n * ((c / n).ln() - (a[i] / n).ln() - (b[j] / n).ln());
            }
        }
        sum.max(0.0)
    }
    /// Entropy of the cluster sizes, in nats.
    pub fn cluster_entropy(&self) -> f64 {
        entropy(&self.cluster_sizes())
    }
    /// Entropy of the class sizes, in nats.
    pub fn class_entropy(&self) -> f64 {
        entropy(&self.class_sizes())
    }

    /// (Rand − expected) / (largest − expected) over pairs of rows (Hubert & Arabie 1985).
    pub fn adjusted_rand(&self) -> f64 {
        adjusted_rand(&self.counts)
    }

    /// Size-weighted means over clusters. Chen & Bi print plain means of [`Self::by_cluster`],
    /// in which a cluster of one row counts as much as one of a thousand.
    pub fn purity_and_entropy(&self) -> (f64, f64) {
        let n = self.n();
        self.by_cluster().iter().fold((0.0, 0.0), |(purity, entropy), c| {
            let weight = c.size as f64 / n;
            (purity + weight * c.purity, entropy + weight * c.entropy)
        })
    }

    /// Purity and entropy of each cluster as Chen & Bi define them (§4.3).
    pub fn by_cluster(&self) -> Vec<ClusterPurity> {
        let scale = (self.classes.len() as f64).ln();
        let line = |(row, cluster): (&Vec<f64>, &i32)| {
            let size: f64 = row.iter().sum();
            let top = row.iter().enumerate().fold(0, |t, (j, c)| if *c > row[t] { j } else { t });
            ClusterPurity {
                cluster: *cluster,
                size: size as usize,
                purity: row[top] / size,
                entropy: if scale > 0.0 { entropy(row) / scale } else { 0.0 },
                class: self.classes[top],
                counts: row.iter().map(|c| *c as usize).collect(),
            }
        };
        self.counts.iter().zip(&self.clusters).map(line).collect()
    }
}

fn distinct(values: impl Iterator<Item = i32>) -> Vec<i32> {
    let mut all: Vec<i32> = values.collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn place(sorted: &[i32], value: i32) -> usize {
    sorted.binary_search(&value).expect("every label was collected before")
}

/// −Σ p ln p of counts.
fn entropy(counts: &[f64]) -> f64 {
    let n: f64 = counts.iter().sum();
    let term = |c: &f64| if *c > 0.0 { -c / n * (c / n).ln() } else { 0.0 };
    counts.iter().map(term).sum::<f64>().max(0.0)
}

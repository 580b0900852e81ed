//! The clusters in words: the leaves of a small decision tree.
//!
//! Given     rows and their labels; rows with a negative label are left out.
//! Returns   rules in the table's own units, learnt on half of the rows of every cluster, drawn by the seed; what they cover
//!           and how often they are right is counted on the other half.
//! Cost      of more than 100,000 rows, or 4 million values, a sample is looked at; of more than 1,024 features those
//!           whose cluster means differ most.

use super::conditions::conditions;
use super::tree::{Node, Tree, TreeRows};
use super::words::{CellValue, table_columns};
use crate::clustering::{Clustering, Fitted, Trained};
use crate::data::{AsRows, Dataset};
use crate::error::{Error, Result};
use crate::model_file::Saved;
use separa_math::matrix::{Dense, Rows as _};
use separa_math::rng::Rng;
use separa_math::scaling::GroupedStats;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Thresholds on the way to a leaf.
const DEPTH: usize = 4;
/// Rows, values and features that are looked at.
const MOST_ROWS: usize = 100_000;
const MOST_VALUES: usize = 4 << 20;
const MOST_COLUMNS: usize = 1024;
const STREAM: u64 = 0x7275;

/// The clusters as rules in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Of the rows that the rules were not learnt on, the fraction that they put into the right cluster.
    pub fidelity: f64,
    /// What the largest cluster alone would get right.
    pub baseline: f64,
    /// Rows that the rules were learnt on.
    pub rows: usize,
    /// Rows that they were tested on.
    pub held_out: usize,
    /// Rows of the table, if only a sample of them was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_of: Option<usize>,
    /// Cluster by cluster, the rule that covers most of it first.
    pub rules: Vec<ClusterRule>,
    /// Clusters that no rule leads to: too small, or nowhere in the majority.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<i32>,
}

/// One way into a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClusterRule {
    /// The cluster.
    pub cluster: i32,
    /// What it is called, if it has a name: a class has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it is a class, which is called by its name alone.
    #[serde(skip)]
    class: bool,
    /// What must be true of a row, all of it; nothing if it is every row.
    pub conditions: Vec<Condition>,
    /// The same in words.
    pub text: String,
    /// Of the cluster's held-out rows, the fraction that the rule holds for; none if it has no such rows.
    pub covers: Option<f64>,
    /// Of the held-out rows that the rule holds for, the fraction that is in the cluster; none if there are none.
    pub right: Option<f64>,
}

/// What a rule asks of one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The column of the table.
    pub column: String,
    /// How it is compared.
    pub op: Operator,
    /// With what.
    pub value: CellValue,
}

/// How a column is compared with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    /// Larger, or later.
    #[serde(rename = ">")]
    Above,
    /// Not larger, or not later.
    #[serde(rename = "<=")]
    AtMost,
    /// This word.
    #[serde(rename = "is")]
    Is,
    /// Any other word.
    #[serde(rename = "is not")]
    IsNot,
}

impl Clustering {
    /// The clusters as rules in words, learnt from these rows; see [`Fitted::rules`]. An error for measures of pairs.
    pub fn rules(&self, rows: &(impl AsRows + ?Sized)) -> Result<Rules> {
        super::check_features(self.is_precomputed())?;
        let mut found = Fitted::rules(self, rows)?;
        for rule in &mut found.rules {
            rule.name = self.names().get(&(rule.cluster as usize)).cloned();
        }
        Ok(found)
    }
}

impl Trained {
    /// The classes, as the classifier tells them apart, as rules in words; see [`Fitted::rules`].
    pub fn rules(&self, rows: &(impl AsRows + ?Sized)) -> Result<Rules> {
        let mut found = Fitted::rules(self, rows)?;
        for rule in &mut found.rules {
            rule.name = self.classes().get(rule.cluster as usize).cloned();
            rule.class = true;
        }
        Ok(found)
    }
}

impl Saved {
    /// [`Clustering::rules`] or [`Trained::rules`].
    pub fn rules(&self, rows: &(impl AsRows + ?Sized)) -> Result<Rules> {
        match self {
            Self::Clustering(found) => found.rules(rows),
            Self::Trained(trained) => trained.rules(rows),
        }
    }
}

impl Fitted {
    /// The clusters or classes as rules in words: a tree of at most four thresholds, learnt on half of these rows as the
    /// model labels them (the labels of the fit, if these are its rows), and tested on the other half.
    pub fn rules(&self, rows: &(impl AsRows + ?Sized)) -> Result<Rules> {
        rows.with_rows(|data| {
            self.check_columns(data.names(), data.d())?;
            if data.bags().is_some() {
                let why = "bags of rows have no rule in the features: their rows have; fit the rows without bags";
                return Err(Error::NotExplained { why: why.into() });
            }
            let known = self.labels();
            let labels = match known.len() == data.n() {
                true => known.to_vec(),
                false => self.predict(data)?,
            };
            self.learn_rules(data, &labels)
        })
    }

    fn learn_rules(&self, data: &Dataset<'_>, labels: &[i32]) -> Result<Rules> {
        let used: Vec<usize> =
            (0..data.n()).filter(|&i| labels[i] >= 0 && data.weight(i) > 0.0).collect();
        let k = self.k();
        let first = used.first().map(|&i| labels[i]);
        if used.iter().all(|&i| Some(labels[i]) == first) {
            let why = "there is one cluster in these rows: a rule needs two or more to tell apart";
            return Err(Error::NotExplained { why: why.into() });
        }
        let most = MOST_ROWS.min(MOST_VALUES / data.d().clamp(1, MOST_COLUMNS));
        let drawn = Rng::new(self.seed(), STREAM).sample(used.len(), most);
        let sample: Vec<usize> = drawn.into_iter().map(|i| used[i]).collect();
        let stats = GroupedStats::of(data.x(), data.weights(), &sample, labels, k);
        let scaler = stats.expect("two clusters have rows").scaler(MOST_COLUMNS);
        let columns: Vec<usize> = scaler.columns.iter().map(|c| c.source).collect();
        let (one, other) = halves(&sample, labels, k, self.seed());
        let learnt = Part::of(data, labels, &one, &columns);
        let smallest = (0..k as u32)
            .map(|c| learnt.labels.iter().filter(|l| **l == c).count())
            .filter(|size| *size > 0)
            .min()
            .unwrap_or(1);
        let min_leaf = (one.len() / 100).min(smallest / 2).max(2).min(one.len());
        let tree = Tree::fit(&learnt.rows_of(k), DEPTH, min_leaf);
        let tested = Part::of(data, labels, &other, &columns);
        let count = Count::of(&tree, &tested, k);
        let words = table_columns(self, data.names());
        let mut rules: Vec<ClusterRule> = tree
            .leaves_under(0)
            .into_iter()
            .map(|leaf| {
                let Node::Leaf { label } = tree.nodes[leaf] else { unreachable!("leaves only") };
                let (conditions, text) = conditions(&tree, leaf, &columns, &words);
                let (inside, hits) = (count.leaf[leaf], count.hits[leaf]);
                ClusterRule {
                    cluster: label as i32,
                    name: None,
                    class: false,
                    conditions,
                    text,
                    covers: fraction(hits, count.size[label as usize]),
                    right: fraction(hits, inside),
                }
            })
            .collect();
        let weight = |rule: &ClusterRule| rule.covers.unwrap_or(0.0);
        rules.sort_by(|a, b| a.cluster.cmp(&b.cluster).then(weight(b).total_cmp(&weight(a))));
        let led = |c: &i32| rules.iter().any(|rule| rule.cluster == *c);
        let there = |c: &i32| learnt.labels.contains(&(*c as u32));
        let without = (0..k as i32).filter(|c| there(c) && !led(c)).collect();
        let total: f64 = count.size.iter().sum();
        Ok(Rules {
            fidelity: count.hits.iter().sum::<f64>() / total,
            baseline: count.size.iter().fold(0.0_f64, |a, b| a.max(*b)) / total,
            rows: one.len(),
            held_out: other.len(),
            sample_of: (sample.len() < used.len()).then_some(used.len()),
            rules,
            without,
        })
    }
}

impl fmt::Display for Rules {
    /// One line per rule, and a last one with the fidelity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            writeln!(f, "{rule}")?;
        }
        let (fidelity, baseline) = (100.0 * self.fidelity, 100.0 * self.baseline);
        write!(
            f,
            "{fidelity:.0} % of {} held-out rows are in the cluster that the rules say (the largest cluster alone: \
             {baseline:.0} %)",
            crate::note::thousands(self.held_out)
        )
    }
}

impl fmt::Display for ClusterRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |value: Option<f64>| {
            value.map_or_else(|| "unknown".to_owned(), |v| format!("{:.0} %", 100.0 * v))
        };
        let (covers, right) = (percent(self.covers), percent(self.right));
        let whose = match (&self.name, self.class) {
            (Some(name), true) => format!("class {name}"),
            (Some(name), false) => format!("cluster {name} ({})", self.cluster),
            (None, _) => format!("cluster {}", self.cluster),
        };
        write!(f, "{whose} {} (covers {covers}, right {right})", self.text)
    }
}

fn fraction(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// Half of the rows of every cluster, the larger one first; both ascending.
fn halves(sample: &[usize], labels: &[i32], k: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    let mut members = vec![Vec::new(); k];
    sample.iter().for_each(|&i| members[labels[i] as usize].push(i));
    for (c, mut members) in members.into_iter().enumerate() {
        Rng::new(seed, STREAM + 1 + c as u64).shuffle(&mut members);
        let rest = members.split_off(members.len().div_ceil(2));
        one.extend(members);
        other.extend(rest);
    }
    one.sort_unstable();
    other.sort_unstable();
    (one, other)
}

/// Some rows and columns of the table.
struct Part {
    rows: Dense,
    labels: Vec<u32>,
    weights: Vec<f64>,
}

impl Part {
    fn of(data: &Dataset<'_>, labels: &[i32], index: &[usize], columns: &[usize]) -> Self {
        let mut rows = Dense::zeros(index.len(), columns.len());
        let mut whole = vec![0.0; data.d()];
        for (r, &i) in index.iter().enumerate() {
            data.x().copy_row(i, &mut whole);
            rows.row_mut(r).iter_mut().zip(columns).for_each(|(v, &j)| *v = whole[j]);
        }
        Self {
            rows,
            labels: index.iter().map(|&i| labels[i] as u32).collect(),
            weights: index.iter().map(|&i| data.weight(i)).collect(),
        }
    }

    fn rows_of(&self, k: usize) -> TreeRows<'_> {
        TreeRows { rows: &self.rows, labels: &self.labels, weights: &self.weights, k }
    }
}

/// What held-out rows say about the leaves: weights of rows.
struct Count {
    /// Of each node: rows in it, and those of its label.
    leaf: Vec<f64>,
    hits: Vec<f64>,
    /// Of each cluster.
    size: Vec<f64>,
}

impl Count {
    fn of(tree: &Tree, part: &Part, k: usize) -> Self {
        let nodes = tree.nodes.len();
        let mut count = Self { leaf: vec![0.0; nodes], hits: vec![0.0; nodes], size: vec![0.0; k] };
        for (r, (&label, &w)) in part.labels.iter().zip(&part.weights).enumerate() {
            let leaf = tree.leaf(part.rows.row(r));
            count.leaf[leaf] += w;
            count.size[label as usize] += w;
            if tree.nodes[leaf] == (Node::Leaf { label }) {
                count.hits[leaf] += w;
            }
        }
        count
    }
}

//! Margins of rows, and rows worth looking at.

use super::DECISIONS;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::{Labels, Model};
use separa_math::matrix::{Dense, Rows, Stored, pick};
use std::ops::Range;

/// Exemplars of each cluster; one of each where there are more clusters than `MANY`.
const TYPICAL: usize = 3;
const MANY: usize = 20;
/// Rows that another cluster nearly had.
const BORDERLINE: usize = 10;

/// Rows with what decided them; for all rows where that is cheap, else for those that are drawn.
#[derive(Debug, Clone, Default)]
pub struct Decided {
    /// By their place, ascending.
    pub rows: Vec<usize>,
    /// The label of each.
    pub labels: Labels,
    /// The cluster that came second.
    pub other: Labels,
    /// Two clusters: the decision value, cluster 1 where it is 0 or more. More: by how much the best cluster
    /// is ahead of the second.
    pub values: Vec<f64>,
}

/// One row as people look at it.
#[derive(Debug, Clone, PartialEq)]
pub struct RowLine {
    /// Its place in the table, from 0.
    pub row: usize,
    /// Its cluster.
    pub label: i32,
    /// The cluster that came second; −1 for one cluster.
    pub other: i32,
    /// As in [`Decided::values`]; none where it was not computed.
    pub value: Option<f64>,
    /// Its values in the columns that are shown.
    pub cells: Vec<f64>,
}

/// Decisions of many rows, and the decision values of the `drawn` ones.
pub fn decide(
    data: &Dataset<'_>,
    labels: &[i32],
    model: &dyn Model,
    drawn: &[usize],
) -> Result<(Decided, Dense)> {
    let k = model.n_clusters();
    if k < 2 {
        return Ok((Decided::default(), Dense::zeros(drawn.len(), 0)));
    }
    let columns = if k == 2 { 1 } else { k };
    let cheap = model.linear().is_some() && data.n() * columns <= DECISIONS;
    // Rows of a sequence are decided together.
    if cheap || data.sequences().is_some() || drawn.len() == data.n() {
        let scores = model.decision_on(data)?;
        let rows: Vec<usize> = (0..data.n()).collect();
        return Ok((decided(rows, labels, &scores), pick(&scores, drawn)));
    }
    let scores = match data.bags() {
        Some(bags) => decide_bags(data, bags, drawn, model)?,
        None => model.decision(Stored::of(&data.x(), drawn).matrix())?,
    };
    Ok((decided(drawn.to_vec(), labels, &scores), scores))
}

/// Decision values of some bags: each is decided by itself, and all of them are as dear as a fit.
fn decide_bags(
    data: &Dataset<'_>,
    bags: &[Range<usize>],
    drawn: &[usize],
    model: &dyn Model,
) -> Result<Dense> {
    let rows: Vec<usize> = drawn.iter().flat_map(|&b| bags[b].clone()).collect();
    let mut ranges = Vec::with_capacity(drawn.len());
    let mut end = 0;
    for &b in drawn {
        ranges.push(end..end + bags[b].len());
        end += bags[b].len();
    }
    let rows = Stored::of(&data.x(), &rows);
    model.decision_on(&data.part(rows.matrix())?.with_bags(&ranges)?)
}

/// The first `most` columns of the decision values of all rows. Blocks of rows are decided one after the other:
/// what is held grows with `most`, not with the number of clusters.
pub fn leading_scores(data: &Dataset<'_>, model: &dyn Model, most: usize) -> Result<Dense> {
    let width = if model.n_clusters() == 2 { 1 } else { model.n_clusters() };
    let kept = width.min(most);
    if kept == width || data.grouping().is_some() {
        return model.decision_on(data);
    }
    let block = (DECISIONS / (width + data.d())).max(1);
    let mut scores = Dense::zeros(data.n(), kept);
    for start in (0..data.n()).step_by(block) {
        let rows: Vec<usize> = (start..data.n().min(start + block)).collect();
        let part = model.decision(Stored::of(&data.x(), &rows).matrix())?;
        for &i in &rows {
            scores.row_mut(i).copy_from_slice(&part.row(i - start)[..kept]);
        }
    }
    Ok(scores)
}

fn decided(rows: Vec<usize>, labels: &[i32], scores: &Dense) -> Decided {
    let mut out = Decided { labels: rows.iter().map(|&i| labels[i]).collect(), ..<_>::default() };
    for r in 0..rows.len() {
        let (other, value) = match scores.row(r) {
            [value] => (i32::from(*value < 0.0), *value),
            line => second(line),
        };
        out.other.push(other);
        out.values.push(value);
    }
    Decided { rows, ..out }
}

/// The second best cluster, and by how much it is behind.
fn second(scores: &[f64]) -> (i32, f64) {
    let (mut best, mut next) = (0, 1);
    if scores[1] > scores[0] {
        (best, next) = (1, 0);
    }
    for c in 2..scores.len() {
        if scores[c] > scores[best] {
            (best, next) = (c, best);
        } else if scores[c] > scores[next] {
            next = c;
        }
    }
    (next as i32, scores[best] - scores[next])
}

/// What lines about rows are made from.
#[derive(Debug)]
pub struct Lines<'a> {
    pub data: &'a Dataset<'a>,
    pub labels: &'a [i32],
    pub decided: &'a Decided,
    pub shown: &'a [usize],
}

impl Lines<'_> {
    /// The rows nearest to the middle of each cluster, among those that are drawn.
    pub fn typical(&self, drawn: &[usize], z: &Dense, k: usize) -> Vec<RowLine> {
        let labels: Labels = drawn.iter().map(|&i| self.labels[i]).collect();
        let (means, _) = super::group_means(z, &labels, k);
        let mut near: Vec<Vec<(f64, usize)>> = vec![Vec::new(); k];
        for (r, &c) in labels.iter().enumerate().filter(|(_, c)| **c >= 0) {
            let pairs = z.row(r).iter().zip(means.row(c as usize));
            near[c as usize].push((pairs.map(|(v, m)| (v - m).powi(2)).sum(), drawn[r]));
        }
        for group in &mut near {
            group.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let most = if k > MANY { 1 } else { TYPICAL };
        let places = near.iter().flat_map(|group| group.iter().take(most));
        places.map(|(_, row)| self.line(*row, self.decided.rows.binary_search(row).ok())).collect()
    }

    pub fn borderline(&self) -> Vec<RowLine> {
        let d = self.decided;
        let mut order: Vec<usize> = (0..d.rows.len()).filter(|i| d.labels[*i] >= 0).collect();
        let close = |i: &usize| d.values[*i].abs();
        order.sort_by(|a, b| close(a).total_cmp(&close(b)).then(a.cmp(b)));
        order.truncate(BORDERLINE);
        order.into_iter().map(|i| self.line(d.rows[i], Some(i))).collect()
    }

    fn line(&self, row: usize, at: Option<usize>) -> RowLine {
        let mut whole = vec![0.0; if self.shown.is_empty() { 0 } else { self.data.d() }];
        if !whole.is_empty() {
            self.data.x().copy_row(row, &mut whole);
        }
        RowLine {
            row,
            label: self.labels[row],
            other: at.map_or(-1, |i| self.decided.other[i]),
            value: at.map(|i| self.decided.values[i]),
            cells: self.shown.iter().map(|&j| whole[j]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_second_best_is_what_sorting_says(scores in prop::collection::vec(-3i8..3, 2..9)) {
            let scores: Vec<f64> = scores.into_iter().map(f64::from).collect();
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
            let (other, ahead) = second(&scores);
            prop_assert_eq!(ahead, scores[order[0]] - scores[order[1]]);
            prop_assert_eq!(scores[other as usize], scores[order[1]]);
        }
    }
}

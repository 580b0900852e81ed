//! Asking the rule about rows that differ from a given one.

use crate::clustering::Fitted;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::{Labels, labels_of};
use separa_math::matrix::{Dense, Rows as _};
use std::ops::Range;

/// A row, and the rule that decides about it and others in its place.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    fitted: &'a Fitted,
    data: &'a Dataset<'a>,
    pub row: usize,
}

impl<'a> Asker<'a> {
    pub fn new(fitted: &'a Fitted, data: &'a Dataset<'a>, row: usize) -> Self {
        Self { fitted, data, row }
    }

    /// The row itself.
    pub fn own(&self) -> Vec<f64> {
        let mut own = vec![0.0; self.data.d()];
        self.data.x().copy_row(self.row, &mut own);
        own
    }

    /// Decision values of rows in its place.
    pub fn decision(&self, variants: &Dense) -> Result<Dense> {
        match self.sequence() {
            None => self.fitted.model().decision(variants.view().into()),
            Some(range) => {
                let found = self.among(variants, &range, |model, data| model.decision_on(data))?;
                let rows: Vec<usize> = self.places(variants, &range).collect();
                Ok(separa_math::matrix::pick(&found, &rows))
            }
        }
    }

    /// Labels of rows in its place.
    pub fn labels(&self, variants: &Dense) -> Result<Labels> {
        match self.sequence() {
            None => labels_of(&self.fitted.model().decision(variants.view().into())?),
            Some(range) => {
                let all = self.among(variants, &range, |model, data| model.predict_on(data))?;
                Ok(self.places(variants, &range).map(|i| all[i]).collect())
            }
        }
    }

    /// How sure its cluster is; None of an outlier, and of classifiers.
    pub fn confidence(&self) -> Result<Option<f64>> {
        if self.fitted.is_classifier() {
            return Ok(None);
        }
        let own = Dense::from_vec(1, self.data.d(), self.own())?;
        let (found, at) = match self.sequence() {
            None => (self.fitted.confidence(&own)?, 0),
            Some(range) => {
                let all = self.among(&own, &range, |_, data| self.fitted.confidence(data))?;
                (all, self.row - range.start)
            }
        };
        Ok((found.labels[at] >= 0).then_some(found.confidence[at]))
    }

    /// Rows that the rule looks at to decide about one: the sequence that it stands in.
    pub fn length(&self) -> usize {
        self.sequence().map_or(1, |range| range.len())
    }

    /// The sequence that the row stands in.
    fn sequence(&self) -> Option<Range<usize>> {
        let all = self.data.sequences()?;
        all.iter().find(|range| range.contains(&self.row)).cloned()
    }

    /// Where the variants stand in a table that repeats the sequence for each of them.
    fn places(&self, variants: &Dense, range: &Range<usize>) -> impl Iterator<Item = usize> {
        let (length, at) = (range.len(), self.row - range.start);
        (0..variants.rows()).map(move |v| v * length + at)
    }

    /// Asks about the whole sequence, once with each variant in the row's place.
    fn among<T>(
        &self,
        variants: &Dense,
        range: &Range<usize>,
        ask: impl FnOnce(&dyn crate::model::Model, &Dataset<'_>) -> Result<T>,
    ) -> Result<T> {
        let (d, length) = (self.data.d(), range.len());
        let mut rows = Dense::zeros(variants.rows() * length, d);
        for v in 0..variants.rows() {
            for (step, i) in range.clone().enumerate() {
                let out = rows.row_mut(v * length + step);
                match i == self.row {
                    true => out.copy_from_slice(variants.row(v)),
                    false => self.data.x().copy_row(i, out),
                }
            }
        }
        let sequences: Vec<Range<usize>> =
            (0..variants.rows()).map(|v| v * length..(v + 1) * length).collect();
        let data = Dataset::new(rows.view().into())?.with_sequences(&sequences)?;
        ask(self.fitted.model().as_ref(), &data)
    }
}

/// How much a decision favours cluster a over b.
pub(super) fn favour(decision: &[f64], a: usize, b: usize) -> f64 {
    match decision {
        // One column: cluster 1 where it is 0 or more.
        [value] => value * (a as f64 - b as f64).signum(),
        _ => decision[a] - decision[b],
    }
}

/// The best cluster of a decision and the runner-up.
pub(super) fn two_best(decision: &[f64]) -> (usize, usize) {
    if let [value] = decision {
        return if *value >= 0.0 { (1, 0) } else { (0, 1) };
    }
    let mut order: Vec<usize> = (0..decision.len()).collect();
    order.sort_by(|a, b| decision[*b].total_cmp(&decision[*a]).then(a.cmp(b)));
    (order[0], order[1])
}

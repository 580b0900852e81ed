//! Contributions to any decision: Shapley values by permutation sampling (Štrumbelj & Kononenko 2014).
//!
//! A row x is compared with points r on the boundary of the two clusters, where the margin is 0: places where segments
//! between rows of the one and rows of the other cross it. The columns of r are exchanged for those of x one by one, in a
//! random order and in the reverse of it; what the margin gains at a step is the column's. The gains of an order
//! telescope, so that contributions and the margin of r add up to the margin of x whatever the number of orders.

use super::ask::{Asker, favour};
use super::background::Background;
use super::exact::Parts;
use super::words::TableColumn;
use crate::error::{Error, Result};
use separa_math::matrix::Dense;
use separa_math::rng::Rng;

/// Orders that are drawn at most, and at least; both are even.
const MOST: usize = 64;
const FEWEST: usize = 8;
/// Values of rows that the rule is asked about, in all and at a time.
const EFFORT: usize = 1 << 23;
const AT_ONCE: usize = 1 << 21;
/// Bisections of a segment.
const STEPS: usize = 60;
const STREAM: u64 = 0x7368;

/// Who is asked about what.
#[derive(Clone, Copy)]
pub(super) struct Sampling<'a> {
    pub asker: Asker<'a>,
    pub columns: &'a [TableColumn<'a>],
    pub background: &'a Background,
    pub seed: u64,
}

impl Sampling<'_> {
    /// Contributions to the margin of cluster `a` over `b`; one value per feature, those of a column in its first.
    pub fn parts(&self, row: &[f64], [a, b]: [i32; 2]) -> Result<Parts> {
        let d = row.len();
        let mut rng = Rng::new(self.seed, STREAM + self.asker.row as u64);
        let count = (EFFORT / (d * self.columns.len()).max(1)).clamp(FEWEST, MOST) & !1;
        let references = self.references(row, [a, b], count / 2, &mut rng)?;
        let value = |rows: &Dense| -> Result<Vec<f64>> {
            let found = self.asker.decision(rows)?;
            Ok((0..found.rows()).map(|i| favour(found.row(i), a as usize, b as usize)).collect())
        };
        let margin = value(&Dense::from_vec(1, d, row.to_vec())?)?[0];
        let (mut terms, mut base) = (vec![0.0; d], 0.0);
        let mut reference = vec![0.0; d];
        let share = 1.0 / (2 * references.rows()) as f64;
        for m in 0..references.rows() {
            let from = references.row(m);
            reference.iter_mut().zip(from).for_each(|(r, v)| *r += 2.0 * share * v);
            // Columns that are the same add nothing, whatever the order.
            let differs =
                |c: &&TableColumn<'_>| row[c.features.clone()] != from[c.features.clone()];
            let mut order: Vec<&TableColumn<'_>> = self.columns.iter().filter(differs).collect();
            rng.shuffle(&mut order);
            for _ in 0..2 {
                let values = self.along(from, &order, row, value)?;
                base += share * values[0];
                for (step, column) in order.iter().enumerate() {
                    terms[column.features.start] += share * (values[step + 1] - values[step]);
                }
                order.reverse();
            }
        }
        Ok(Parts { margin, base, terms, reference, samples: Some(2 * references.rows()) })
    }

    /// The margins on the way from one row to another, column by column.
    fn along(
        &self,
        from: &[f64],
        order: &[&TableColumn<'_>],
        to: &[f64],
        value: impl Fn(&Dense) -> Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        let most = AT_ONCE / self.asker.length();
        let (mut at, mut block) = (from.to_vec(), from.to_vec());
        let mut values = Vec::with_capacity(order.len() + 1);
        for column in order {
            let own = column.features.clone();
            at[own.clone()].copy_from_slice(&to[own]);
            block.extend_from_slice(&at);
            if block.len() >= most {
                let rows = std::mem::take(&mut block);
                values.extend(value(&Dense::from_vec(rows.len() / at.len(), at.len(), rows)?)?);
            }
        }
        if !block.is_empty() {
            values.extend(value(&Dense::from_vec(block.len() / at.len(), at.len(), block)?)?);
        }
        Ok(values)
    }

    /// Points of the boundary between the two clusters.
    fn references(
        &self,
        row: &[f64],
        [a, b]: [i32; 2],
        count: usize,
        rng: &mut Rng,
    ) -> Result<Dense> {
        let members = [a, b].map(|c| self.background.members(c));
        if members[1].is_empty() {
            return Err(Error::NotExplained {
                why: format!(
                    "no row of the table is in cluster {b}, the runner-up of the row, so there is nothing to compare \
                     the row with; give a table that has such rows, e.g. the one that the model was fitted on"
                ),
            });
        }
        let d = row.len();
        let mut ends = [Dense::zeros(count, d), Dense::zeros(count, d)];
        for m in 0..count {
            for (side, members) in members.iter().enumerate() {
                let drawn = match members.is_empty() {
                    true => row,
                    false => self.background.rows.row(members[rng.below(members.len())]),
                };
                ends[side].row_mut(m).copy_from_slice(drawn);
            }
        }
        let mut middle = Dense::zeros(count, d);
        for _ in 0..STEPS {
            for (i, v) in middle.data_mut().iter_mut().enumerate() {
                *v = 0.5 * ends[0].data()[i] + 0.5 * ends[1].data()[i];
            }
            let found = self.asker.decision(&middle)?;
            for m in 0..count {
                let side = usize::from(favour(found.row(m), a as usize, b as usize) <= 0.0);
                ends[side].row_mut(m).copy_from_slice(middle.row(m));
            }
        }
        Ok(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::table_columns;
    use super::*;
    use crate::data::Dataset;
    use crate::prelude::*;

    #[test]
    fn on_a_linear_rule_sampling_gives_its_terms() {
        let mut rng = Rng::new(7, 0);
        let value = |i: usize| if i % 6 < 3 { 0.0 } else { 4.0 };
        let values: Vec<f64> = (0..180).map(|i| value(i) + rng.normal()).collect();
        let rows = Dense::from_vec(60, 3, values).unwrap();
        let data = Dataset::new(rows.view().into()).unwrap();
        let fitted = KMeans::new(2).scaling(Scaling::None).fit(&data).unwrap();
        let background = Background::of(&fitted, &data, 0).unwrap();
        let columns = table_columns(&fitted, None);
        for at in [0, 1, 17] {
            let asker = Asker::new(&fitted, &data, at);
            let sampling = Sampling { asker, columns: &columns, background: &background, seed: 3 };
            let (row, a) = (asker.own(), fitted.labels()[at]);
            let parts = sampling.parts(&row, [a, 1 - a]).unwrap();
            let flat = fitted.model().flat().unwrap();
            let plane = flat.pair(a as usize, (1 - a) as usize, 3).unwrap();
            for j in 0..3 {
                let term = plane.weights[j] * (row[j] - parts.reference[j]);
                assert!((parts.terms[j] - term).abs() < 1e-10 * (1.0 + term.abs()), "{term}");
            }
            assert!((parts.margin - plane.value(&row)).abs() < 1e-10 * (1.0 + parts.margin));
        }
    }
}

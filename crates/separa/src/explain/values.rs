//! The values of a row, column by column of the user's table.

use super::words::{CellValue, TableColumn, date};
use crate::preparation::Encoding;

impl TableColumn<'_> {
    /// What a row holds in this column.
    pub fn value(&self, row: &[f64]) -> CellValue {
        let own = &row[self.features.clone()];
        match self.encoding {
            Some(Encoding::Boolean { yes, no, .. }) => {
                let words = if own[0] >= 0.5 { yes } else { no };
                words
                    .first()
                    .map_or(CellValue::Number(own[0]), |word| CellValue::Word(word.clone()))
            }
            Some(Encoding::Ordered { levels, .. }) => {
                let last = levels.len().saturating_sub(1) as f64;
                CellValue::Word(levels[own[0].round().clamp(0.0, last) as usize].clone())
            }
            Some(Encoding::OneHot { levels, base, .. }) => {
                let set = (0..own.len()).find(|&i| own[i] >= 0.5);
                let other = || base.clone().unwrap_or_else(|| "another word".to_owned());
                CellValue::Word(set.and_then(|i| levels.get(i).cloned()).unwrap_or_else(other))
            }
            Some(Encoding::Date { origin, .. }) => CellValue::Word(date(*origin, own[0])),
            _ => CellValue::Number(own[0]),
        }
    }

    /// The features of every other level, where the column has levels.
    pub fn levels(&self) -> Vec<Vec<f64>> {
        match self.encoding {
            Some(Encoding::Boolean { .. }) => vec![vec![0.0], vec![1.0]],
            Some(Encoding::Ordered { levels, .. }) => {
                (0..levels.len()).map(|i| vec![i as f64]).collect()
            }
            Some(Encoding::OneHot { levels, base, .. }) => {
                let one = |i: usize| -> Vec<f64> {
                    (0..self.features.len()).map(|j| f64::from(u8::from(i == j))).collect()
                };
                let mut all: Vec<Vec<f64>> = (0..levels.len()).map(one).collect();
                if base.is_some() {
                    all.push(vec![0.0; self.features.len()]);
                }
                all
            }
            _ => Vec::new(),
        }
    }
}

//! Missing values: refused, rows left out, or filled.

use separa::preparation::{ColumnPreparation, Encoding, Preparation, Role};

use super::apply::Encoded;
use crate::error::{Error, Result, shell_word};
use crate::table::Table;

/// Rows that lend their values, at most: what a model file can hold.
const DONORS: usize = 128;
/// Similar rows that are asked.
pub(crate) const NEAREST: usize = 5;

/// Where each feature column's features are.
fn ranges(preparation: &Preparation) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let mut range = |encoding: &Encoding| {
        at += encoding.width();
        at - encoding.width()..at
    };
    preparation.features().map(|(_, encoding)| range(encoding)).collect()
}

/// Counts the gaps of every feature column.
pub(crate) fn count(preparation: &mut Preparation, gaps: &[(usize, usize)]) {
    let used = |c: &&mut ColumnPreparation| c.role == Role::Feature && c.encoding.is_some();
    let mut columns: Vec<_> = preparation.columns.iter_mut().filter(used).collect();
    columns.iter_mut().for_each(|column| column.missing = 0);
    gaps.iter().for_each(|&(_, column)| columns[column].missing += 1);
}

/// The refusal of all gaps at once.
pub(crate) fn refuse(table: &Table, preparation: &Preparation, gaps: &[(usize, usize)]) -> Error {
    let names: Vec<&str> = preparation.features().map(|(c, _)| c.name.as_str()).collect();
    let mut of_column = vec![(0, usize::MAX); names.len()];
    for &(row, column) in gaps {
        let (count, first) = &mut of_column[column];
        *count += 1;
        *first = row.min(*first);
    }
    let lack: Vec<(usize, (usize, usize))> =
        of_column.into_iter().enumerate().filter(|(_, (count, _))| *count > 0).collect();
    let line = |(column, (count, first)): &(usize, (usize, usize))| {
        let (file, row) = table.locate(*first);
        let file = if table.files.len() > 1 { format!(" of {file}") } else { String::new() };
        format!("\"{}\" {count} (the first in row {row}{file})", names[*column])
    };
    const SHOWN: usize = 20;
    let mut detail = lack.iter().take(SHOWN).map(line).collect::<Vec<_>>().join(", ");
    if lack.len() > SHOWN {
        detail.push_str(&format!(" and {} more columns", lack.len() - SHOWN));
    }
    let drop: Vec<String> = lack.iter().map(|(column, _)| shell_word(names[*column])).collect();
    Error::Gaps { file: table.source().to_owned(), count: gaps.len(), detail, drop: drop.join(",") }
}

/// Keeps the rows without gaps: their places.
pub(crate) fn complete_rows(encoded: &Encoded, rows: usize) -> Vec<usize> {
    let mut whole = vec![true; rows];
    encoded.gaps.iter().for_each(|&(row, _)| whole[row] = false);
    (0..rows).filter(|&row| whole[row]).collect()
}

/// Whether filling from donors is worth its time; otherwise the median must do.
pub(crate) fn affordable(encoded: &Encoded) -> bool {
    const MOST: usize = 4_000_000_000;
    encoded.gaps.len().saturating_mul(DONORS * encoded.width) < MOST
}

/// Complete rows, evenly chosen, that lend their values to others.
pub(crate) fn donors(encoded: &Encoded, rows: usize) -> Vec<Vec<f64>> {
    let whole = complete_rows(encoded, rows);
    let step = whole.len().div_ceil(DONORS).max(1);
    let row = |&i: &usize| encoded.values[i * encoded.width..(i + 1) * encoded.width].to_vec();
    whole.iter().step_by(step).map(row).collect()
}

/// Fills every gap from the most similar donors: their median, or for indicators the most frequent of them.
///
/// Cost: rows with gaps x donors x features.
pub(crate) fn fill_from_donors(encoded: &mut Encoded, preparation: &Preparation) {
    let donors = &preparation.donors;
    let ranges = ranges(preparation);
    let scales = preparation.donor_scales();
    let mut at = 0;
    while at < encoded.gaps.len() {
        let row = encoded.gaps[at].0;
        let end = at + encoded.gaps[at..].iter().take_while(|gap| gap.0 == row).count();
        let lacking: Vec<usize> = encoded.gaps[at..end].iter().map(|gap| gap.1).collect();
        at = end;
        let values = &mut encoded.values[row * encoded.width..(row + 1) * encoded.width];
        let seen: Vec<usize> = (0..ranges.len()).filter(|j| !lacking.contains(j)).collect();
        let distance = |donor: &Vec<f64>| -> f64 {
            let of = |&j: &usize| -> f64 {
                ranges[j].clone().map(|f| ((values[f] - donor[f]) * scales[f]).powi(2)).sum()
            };
            seen.iter().map(of).sum()
        };
        let mut order: Vec<(f64, usize)> =
            donors.iter().enumerate().map(|(i, donor)| (distance(donor), i)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let nearest: Vec<&Vec<f64>> =
            order.iter().take(NEAREST).map(|(_, i)| &donors[*i]).collect();
        for j in lacking {
            let chosen = middle(&nearest, &ranges[j]);
            values[ranges[j].clone()].copy_from_slice(&chosen);
        }
    }
}

/// The donors' median of one feature; of several, those of the donor that is nearest to their mean.
fn middle(nearest: &[&Vec<f64>], range: &std::ops::Range<usize>) -> Vec<f64> {
    if range.len() == 1 {
        let mut values: Vec<f64> = nearest.iter().map(|donor| donor[range.start]).collect();
        values.sort_by(f64::total_cmp);
        return vec![super::stats::median(&values)];
    }
    let mean: Vec<f64> = range
        .clone()
        .map(|f| nearest.iter().map(|donor| donor[f]).sum::<f64>() / nearest.len() as f64)
        .collect();
    let off = |donor: &Vec<f64>| -> f64 {
        range.clone().zip(&mean).map(|(f, m)| (donor[f] - m).powi(2)).sum()
    };
    let best = nearest.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    best.map_or(mean, |donor| donor[range.clone()].to_vec())
}

/// Refuses a table of which no row is left.
pub(crate) fn none_left(table: &Table) -> Result<()> {
    Err(Error::NoRowsLeft { file: table.source().to_owned(), rows: table.rows() })
}

//! Rows of one width become rows of another in the same memory, so that a table is never held twice.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::{Error, Result};

/// Rows that a thread takes at a time.
const PART: usize = 1 << 10;
/// Fewer rows are not worth several threads.
const FEW: usize = 2 * PART;

/// A missing value: its row, and its column among those that are features.
pub(crate) type Gap = (usize, usize);

/// The rows of a table before and after.
pub(crate) struct Reshape<'a> {
    /// How messages call the table.
    pub source: &'a str,
    pub rows: usize,
    /// Values of a row before.
    pub from: usize,
    /// Values of a row after.
    pub to: usize,
}

impl Reshape<'_> {
    /// Lets `write` make every row: it gets the row's place, its values before and the room for those after, and notes gaps.
    /// Returns the gaps by row.
    ///
    /// Wider rows are made from the last, narrower ones from the first, in groups that overwrite no row still to be read: rows
    /// `a..b` go behind all rows up to `b` if `a·to ≥ b·from`, and before all rows from `a` if `b·to ≤ a·from`.
    pub fn run<W>(&self, values: &mut Vec<f64>, write: W) -> Result<Vec<Gap>>
    where
        W: Fn(usize, &[f64], &mut [f64], &mut Vec<Gap>) + Sync,
    {
        self.grow(values)?;
        let mut gaps = match self.to.cmp(&self.from) {
            std::cmp::Ordering::Equal => self.in_place(values, &write),
            std::cmp::Ordering::Greater => self.widen(values, &write),
            std::cmp::Ordering::Less => self.narrow(values, &write),
        };
        values.truncate(self.rows * self.to);
        values.shrink_to_fit();
        gaps.sort();
        Ok(gaps)
    }

    fn grow(&self, values: &mut Vec<f64>) -> Result<()> {
        let (rows, columns) = (self.rows, self.to);
        let too_large = || Error::TooLarge { file: self.source.to_owned(), rows, columns };
        let length = rows.checked_mul(columns).ok_or_else(too_large)?;
        values.try_reserve_exact(length.saturating_sub(values.len())).map_err(|_| too_large())?;
        values.resize(length.max(values.len()), 0.0);
        Ok(())
    }

    fn in_place<W>(&self, values: &mut [f64], write: &W) -> Vec<Gap>
    where
        W: Fn(usize, &[f64], &mut [f64], &mut Vec<Gap>) + Sync,
    {
        let parts = values.par_chunks_mut(PART * self.to.max(1)).enumerate();
        let gaps = parts.map(|(part, values)| {
            let rows = values.len() / self.to.max(1);
            self.one_by_one(
                0..rows,
                values,
                &|i, before: &[f64], after: &mut [f64], gaps: &mut _| {
                    write(part * PART + i, before, after, gaps)
                },
            )
        });
        gaps.collect::<Vec<_>>().concat()
    }

    fn widen<W>(&self, values: &mut [f64], write: &W) -> Vec<Gap>
    where
        W: Fn(usize, &[f64], &mut [f64], &mut Vec<Gap>) + Sync,
    {
        let (mut gaps, mut end) = (Vec::new(), self.rows);
        loop {
            let begin = (end * self.from).div_ceil(self.to);
            if end - begin < FEW {
                break;
            }
            let (before, after) = values.split_at_mut(begin * self.to);
            gaps.extend(self.apart(begin..end, &before[begin * self.from..], after, write));
            end = begin;
        }
        gaps.extend(self.one_by_one((0..end).rev(), values, write));
        gaps
    }

    fn narrow<W>(&self, values: &mut [f64], write: &W) -> Vec<Gap>
    where
        W: Fn(usize, &[f64], &mut [f64], &mut Vec<Gap>) + Sync,
    {
        let end = |begin: usize| (begin * self.from / self.to.max(1)).min(self.rows);
        let first = (0..self.rows).step_by(PART).find(|&begin| end(begin) - begin >= FEW);
        let mut begin = first.unwrap_or(self.rows);
        let mut gaps = self.one_by_one(0..begin, values, write);
        while begin < self.rows {
            let (after, before) = values.split_at_mut(begin * self.from);
            let rows = begin..end(begin);
            begin = rows.end;
            gaps.extend(self.apart(
                rows.clone(),
                before,
                &mut after[rows.start * self.to..],
                write,
            ));
        }
        gaps
    }

    /// Rows whose values before and after lie apart, on all cores; both begin with those of the first row.
    fn apart<W>(&self, rows: Range<usize>, before: &[f64], after: &mut [f64], write: &W) -> Vec<Gap>
    where
        W: Fn(usize, &[f64], &mut [f64], &mut Vec<Gap>) + Sync,
    {
        let after = &mut after[..rows.len() * self.to];
        let parts = after.par_chunks_mut(PART * self.to.max(1)).enumerate();
        let gaps = parts.map(|(part, after)| {
            let mut gaps = Vec::new();
            for (i, after) in after.chunks_exact_mut(self.to).enumerate() {
                let at = part * PART + i;
                let before = &before[at * self.from..(at + 1) * self.from];
                write(rows.start + at, before, after, &mut gaps);
            }
            gaps
        });
        gaps.collect::<Vec<_>>().concat()
    }

    /// Rows whose values before and after can overlap.
    fn one_by_one<W>(
        &self,
        rows: impl Iterator<Item = usize>,
        values: &mut [f64],
        write: &W,
    ) -> Vec<Gap>
    where
        W: Fn(usize, &[f64], &mut [f64], &mut Vec<Gap>),
    {
        let (mut before, mut gaps) = (vec![0.0; self.from], Vec::new());
        for i in rows {
            before.copy_from_slice(&values[i * self.from..(i + 1) * self.from]);
            write(i, &before, &mut values[i * self.to..(i + 1) * self.to], &mut gaps);
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_width_equal_those_that_are_copied_to_new_memory() {
        for rows in [0, 1, 7, PART, 3 * PART + 5, 9 * PART + 1] {
            for from in [0, 1, 2, 5, 8] {
                for to in [0, 1, 2, 5, 6, 9] {
                    let before: Vec<f64> = (0..rows * from).map(|v| v as f64).collect();
                    let write = |i: usize,
                                 before: &[f64],
                                 after: &mut [f64],
                                 gaps: &mut Vec<Gap>| {
                        let sum: f64 = before.iter().sum();
                        after.iter_mut().enumerate().for_each(|(j, v)| *v = sum + (i * j) as f64);
                        if i.is_multiple_of(3) {
                            gaps.extend([(i, 0), (i, 1)]);
                        }
                    };
                    let mut wanted = vec![0.0; rows * to];
                    let mut gaps_wanted = Vec::new();
                    for i in 0..rows {
                        let (a, b) = (&before[i * from..(i + 1) * from], i * to..(i + 1) * to);
                        write(i, a, &mut wanted[b], &mut gaps_wanted);
                    }
                    let mut values = before.clone();
                    let gaps =
                        Reshape { source: "t", rows, from, to }.run(&mut values, write).unwrap();
                    assert_eq!(values, wanted, "{rows} rows, {from} to {to}");
                    assert!(to == 0 || gaps == gaps_wanted, "{rows} rows, {from} to {to}");
                }
            }
        }
    }

    #[test]
    fn rows_beyond_all_memory_are_refused() {
        let shape = Reshape { source: "t.csv", rows: usize::MAX / 4, from: 0, to: 8 };
        let wrong = shape.run(&mut Vec::new(), |_, _, _, _| {}).unwrap_err();
        assert!(matches!(wrong, Error::TooLarge { .. }));
    }
}

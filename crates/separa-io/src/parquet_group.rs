//! One Parquet row group to rows of the table.

use rayon::prelude::*;

use crate::columns::Plan;
use crate::error::Result;
use crate::parquet_file::ParquetFile;
use crate::table::{Words, WordsBuilder};

/// Rows decoded at a time: with the columns of a stripe, few enough to stay in cache.
const ROWS: usize = 1024;
/// Rows turned at a time: one cache line of every column.
const TILE: usize = 8;
/// From one decoded column to the next: not a power of two, which would send them all to one cache set.
const STRIDE: usize = ROWS + TILE;

/// A row group and the rows of the table it fills.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    pub file: &'a ParquetFile,
    pub group: usize,
    pub rows: usize,
    pub slots: usize,
}

impl Group<'_> {
    /// Decodes the numeric columns into their slots of the rows in `out`.
    ///
    /// The rows are cut into stripes of neighbouring slots, and each stripe is filled by one thread from
    /// start to end: no two ever wait for each other.
    pub fn numbers(&self, plan: &Plan, number_slots: &[usize], out: &mut [f64]) -> Result<()> {
        if self.slots == 0 {
            return Ok(());
        }
        let width = stripe_width(self.slots);
        let count = self.slots.div_ceil(width);
        let stripes = (0..count).map(|_| {
            let mut pieces: Vec<&mut [f64]> = Vec::new();
            let room = pieces.try_reserve_exact(self.rows);
            room.map(|()| pieces).map_err(|_| self.file.too_large(self.rows))
        });
        let mut stripes = stripes.collect::<Result<Vec<_>>>()?;
        for row in out.chunks_exact_mut(self.slots) {
            for (stripe, piece) in stripes.iter_mut().zip(row.chunks_mut(width)) {
                stripe.push(piece);
            }
        }
        let filled: Vec<Result<()>> = stripes
            .into_par_iter()
            .enumerate()
            .map(|(stripe, mut rows)| {
                let first = stripe * width;
                let inside = |slot: &&usize| (first..first + width).contains(*slot);
                let slots: Vec<usize> = number_slots.iter().filter(inside).copied().collect();
                self.fill(plan, &slots, first, &mut rows)
            })
            .collect();
        filled.into_iter().collect()
    }

    /// Fills the pieces of rows that begin at slot `first`, block by block.
    fn fill(
        &self,
        plan: &Plan,
        slots: &[usize],
        first: usize,
        rows: &mut [&mut [f64]],
    ) -> Result<()> {
        let column = |&slot: &usize| &self.file.columns[plan.features[slot].position];
        let streams = slots.iter().map(|slot| self.file.stream(self.group, column(slot)));
        let mut streams = streams.collect::<Result<Vec<_>>>()?;
        let places: Vec<usize> = slots.iter().map(|slot| slot - first).collect();
        let mut buffer = vec![0.0; STRIDE * slots.len()];
        for rows in rows.chunks_mut(ROWS) {
            for (stream, out) in streams.iter_mut().zip(buffer.chunks_exact_mut(STRIDE)) {
                self.file.decode(|| stream.numbers(&mut out[..rows.len()]))?;
            }
            turn(&buffer, &places, rows);
        }
        Ok(())
    }

    /// The texts of the columns at these positions, each with whether it is kept as it is.
    pub fn words(&self, positions: &[(usize, bool)]) -> Result<Vec<Words>> {
        let read = |&(position, kept): &(usize, bool)| {
            let mut texts = Vec::new();
            let mut words = WordsBuilder::default();
            let mut stream = self.file.stream(self.group, &self.file.columns[position])?;
            let mut left = self.rows;
            while left > 0 {
                let count = left.min(ROWS);
                texts.clear();
                self.file.decode(|| stream.texts(count, &mut texts))?;
                for text in &texts {
                    if kept { words.push_kept(text) } else { words.push(Some(text)) }
                }
                left -= count;
            }
            words.finish().map_err(|_| self.file.too_large(self.rows))
        };
        positions.par_iter().map(read).collect()
    }
}

/// Slots per stripe: whole cache lines, enough stripes to share out evenly, and wide enough that a visit to
/// a row, usually a memory page of its own, is worth it.
fn stripe_width(slots: usize) -> usize {
    (slots / 8).next_multiple_of(8).clamp(8, 128)
}

/// Copies columns of `STRIDE` values, of which one per row counts, to their places in the rows.
fn turn(columns: &[f64], places: &[usize], rows: &mut [&mut [f64]]) {
    for (tile, rows) in rows.chunks_mut(TILE).enumerate() {
        let values = tile * TILE..tile * TILE + rows.len();
        for (columns, places) in columns.chunks(TILE * STRIDE).zip(places.chunks(TILE)) {
            let in_a_row = places.len() == TILE && places[TILE - 1] == places[0] + TILE - 1;
            if in_a_row && rows.len() == TILE {
                square(&columns[tile * TILE..], places[0], rows);
                continue;
            }
            for (column, &place) in columns.chunks(STRIDE).zip(places) {
                for (row, &value) in rows.iter_mut().zip(&column[values.clone()]) {
                    row[place] = value;
                }
            }
        }
    }
}

/// The usual case of [`turn`]: as many neighbouring slots as rows, one cache line of each.
#[inline]
fn square(columns: &[f64], place: usize, rows: &mut [&mut [f64]]) {
    let mut lines = [[0.0; TILE]; TILE];
    for (line, column) in lines.iter_mut().zip(columns.chunks(STRIDE)) {
        line.copy_from_slice(&column[..TILE]);
    }
    for (i, row) in rows.iter_mut().enumerate() {
        let mut piece = [0.0; TILE];
        for (value, line) in piece.iter_mut().zip(&lines) {
            *value = line[i];
        }
        row[place..place + TILE].copy_from_slice(&piece);
    }
}

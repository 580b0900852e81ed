//! What a pass over the numbers of a table tells about each column.

use rayon::prelude::*;

use crate::table::Table;

/// Rows of a part; the same whatever the number of threads.
const PART: usize = 1 << 14;
/// Rows looked at where all are not needed.
pub(crate) const SAMPLE: usize = 10_000;

/// Of one column of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NumberStats {
    pub missing: usize,
    pub infinite: usize,
    /// Of the finite values.
    pub min: f64,
    pub max: f64,
    /// Whether every value is a whole number.
    pub whole: bool,
    /// Whether every value differs from that of the row before by the same amount, which is not 0.
    pub spaced: bool,
    /// Equal for columns that hold the same.
    pub fingerprint: u64,
}

impl NumberStats {
    fn empty() -> Self {
        Self {
            missing: 0,
            infinite: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            whole: true,
            spaced: true,
            fingerprint: 0,
        }
    }

    fn add(&mut self, value: f64, step: Option<(f64, f64)>) {
        self.fingerprint = mix(self.fingerprint, value.to_bits());
        if !value.is_finite() {
            self.missing += usize::from(value.is_nan());
            self.infinite += usize::from(value.is_infinite());
            self.spaced = false;
            return;
        }
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.whole &= value.fract() == 0.0;
        if let Some((before, step)) = step.filter(|_| self.spaced) {
            self.spaced = value - before == step;
        }
    }

    fn join(self, later: Self) -> Self {
        Self {
            missing: self.missing + later.missing,
            infinite: self.infinite + later.infinite,
            min: self.min.min(later.min),
            max: self.max.max(later.max),
            whole: self.whole && later.whole,
            spaced: self.spaced && later.spaced,
            fingerprint: mix(self.fingerprint, later.fingerprint),
        }
    }

    pub fn is_constant(&self) -> bool {
        self.min == self.max
    }
}

fn mix(hash: u64, bits: u64) -> u64 {
    (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// The facts of every slot, in one pass.
pub(crate) fn numbers(table: &Table) -> Vec<NumberStats> {
    let width = table.width;
    if width == 0 {
        return Vec::new();
    }
    let all = &table.numbers;
    // Rows of a sample are some rows apart.
    let apart = |at: usize| match &table.places[..] {
        [] => 1.0,
        places => (places[at] - places[at - 1]) as f64,
    };
    // A first step of 0 is none.
    let step = |slot: usize| match table.rows() {
        0 | 1 => 0.0,
        _ => (all[width + slot] - all[slot]) / apart(1),
    };
    let steps: Vec<f64> = (0..width).map(step).collect();
    let parts: Vec<Vec<NumberStats>> = all
        .par_chunks(PART * width)
        .enumerate()
        .map(|(part, rows)| {
            let mut stats = vec![NumberStats::empty(); width];
            for (i, row) in rows.chunks_exact(width).enumerate() {
                let at = part * PART + i;
                let apart = if at > 0 { apart(at) } else { 1.0 };
                for (slot, (stats, &value)) in stats.iter_mut().zip(row).enumerate() {
                    let step = (at > 0 && stats.spaced)
                        .then(|| (all[(at - 1) * width + slot], apart * steps[slot]));
                    stats.add(value, step);
                }
            }
            stats
        })
        .collect();
    let mut total = vec![NumberStats::empty(); width];
    for part in parts {
        for (total, part) in total.iter_mut().zip(part) {
            *total = total.join(part);
        }
    }
    for (stats, step) in total.iter_mut().zip(&steps) {
        stats.spaced &= *step != 0.0 && stats.min.is_finite();
    }
    total
}

/// Values that are there, all of them or evenly chosen ones, in ascending order.
pub(crate) fn sorted(values: impl Iterator<Item = f64>, rows: usize, all: bool) -> Vec<f64> {
    let step = if all { 1 } else { rows.div_ceil(SAMPLE).max(1) };
    let mut found: Vec<f64> = values.step_by(step).filter(|v| v.is_finite()).collect();
    found.sort_unstable_by(f64::total_cmp);
    found
}

/// The median of values in any order, which are moved.
pub(crate) fn middle_of(values: &mut [f64]) -> f64 {
    let n = values.len();
    if n == 0 {
        return f64::NAN;
    }
    let (below, upper, _) = values.select_nth_unstable_by(n / 2, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if n % 2 == 1 { *upper } else { 0.5 * lower + 0.5 * *upper }
}

/// The value in the middle.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => 0.5 * sorted[n / 2 - 1] + 0.5 * sorted[n / 2],
    }
}

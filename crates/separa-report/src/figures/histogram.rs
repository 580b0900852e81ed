//! Counts of rows by decision value or margin.

use crate::html::Html;
use crate::number;
use crate::svg::{Frame, Scale, Sheet, axes::WIDE};
use separa::view::Decided;

const HEIGHT: f64 = 260.0;
const BINS: usize = 40;
/// Clusters that have a colour each; more are drawn together.
const COLOURED: usize = 8;

/// Counts of values in equal bins between two ends, a list for each cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Bins {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Counts by cluster and bin.
    pub counts: Vec<Vec<usize>>,
}

impl Bins {
    /// Of clusters 0 to `k` − 1; values beyond the ends count at the ends.
    pub fn of(decided: &Decided, k: usize) -> Option<Self> {
        let bins = BINS;
        let used = || (0..decided.rows.len()).filter(|i| decided.labels[*i] >= 0);
        let values = || used().map(|i| decided.values[i]);
        let (around, high) = Scale::around(values(), (0.0, 1.0)).range();
        // There is no room below margins of 0.
        let low = if values().all(|v| v >= 0.0) { around.max(0.0) } else { around };
        let scale = Scale::new((low, high), (0.0, bins as f64));
        let mut counts = vec![vec![0; bins]; k];
        for i in used() {
            let bin = (scale.at(decided.values[i]) as usize).min(bins - 1);
            counts[decided.labels[i] as usize][bin] += 1;
        }
        used().next().map(|_| Self { low, high, counts })
    }

    /// Rows of all clusters in a bin.
    pub fn total(&self, bin: usize) -> usize {
        self.counts.iter().map(|group| group[bin]).sum()
    }
}

/// `rows` were counted.
pub fn draw(bins: &Bins, k: usize, rows: usize) -> Html {
    let frame = Frame { width: WIDE, height: HEIGHT };
    let most = (0..BINS).map(|b| bins.total(b)).max().unwrap_or(1).max(1);
    let x = Scale::new((bins.low, bins.high), frame.across());
    let y = Scale::new((0.0, most as f64 * 1.05), frame.up());
    let name = match k {
        2 => "decision value (boundary at 0)",
        _ => "margin",
    };
    let says = format!(
        "Histogram of {} rows by {name}, at most {} in one of {BINS} bins.",
        number::count(rows),
        number::count(most)
    );
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says);
    frame.draw(&mut sheet, (&x, name), (&y, "rows"));
    let width = (bins.high - bins.low) / BINS as f64;
    let edge = |b: usize| x.at(bins.low + b as f64 * width);
    let mut below = vec![0; BINS];
    let groups = if k <= COLOURED {
        bins.counts.clone()
    } else {
        vec![(0..BINS).map(|b| bins.total(b)).collect()]
    };
    for (c, counts) in groups.iter().enumerate() {
        sheet.coloured(c, |sheet| {
            for b in (0..BINS).filter(|b| counts[*b] > 0) {
                let (from, to) = (y.at(below[b] as f64), y.at((below[b] + counts[b]) as f64));
                sheet.rect("bar", (edge(b) + 0.5, from), (edge(b + 1) - 0.5, to));
            }
        });
        counts.iter().zip(&mut below).for_each(|(n, sum)| *sum += n);
    }
    if k == 2 && x.holds(0.0) {
        let (bottom, top) = frame.up();
        sheet.line("boundary", (x.at(0.0), bottom), (x.at(0.0), top));
    }
    sheet.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_with_a_cluster_is_counted_once() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) - 500.0).chain([1e12]).collect();
        let labels: Vec<i32> = (0..1001).map(|i| if i % 10 == 0 { -1 } else { i % 2 }).collect();
        let decided = Decided { rows: (0..1001).collect(), other: vec![0; 1001], labels, values };
        let bins = Bins::of(&decided, 2).unwrap();
        assert_eq!((0..BINS).map(|b| bins.total(b)).sum::<usize>(), 900);
        assert!(Bins::of(&Decided::default(), 2).is_none());
    }
}

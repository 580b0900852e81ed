//! Is there a gap between two micro-clusters? Held-out counts of [`Windows`].
//!
//! Every split halves all rows at random. A direction and three windows are chosen on one half of the
//! two micro-clusters' rows and counted on the other, then the halves swap; counts are pooled over the splits.

use crate::error::Result;
use separa_math::discriminant::{self, Ridge, factor, within};
use separa_math::matrix::Dense;
use separa_math::moments::Moments;
use separa_math::rng::Rng;
use separa_math::stats::{Counts, Windows, fair_binomial_cdf};

/// Rows within the less crowded outer window and within the middle one, summed over `splits`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Evidence {
    pub mode: u64,
    pub antimode: u64,
    pub splits: u64,
}

impl Evidence {
    pub fn add(&mut self, counts: Counts) {
        self.mode += counts.mode;
        self.antimode += counts.antimode;
    }

    /// Of the counts of a mean split: the rows are the same in every one, so more splits are no more
    /// evidence, but steadier.
    pub fn p(&self) -> f64 {
        let per = |sum: u64| (sum as f64 / self.splits.max(1) as f64).round() as u64;
        fair_binomial_cdf(per(self.mode + self.antimode), per(self.antimode))
    }

    /// Larger: a deeper antimode.
    pub fn depth(&self) -> f64 {
        let (m, c) = (self.mode as f64, self.antimode as f64);
        (m - c) / (m + c + self.splits as f64).sqrt()
    }
}

/// Random halves of all rows, several times.
#[derive(Debug)]
pub(super) struct SplitHalves(Vec<Vec<bool>>);

impl SplitHalves {
    pub fn draw(n: usize, splits: usize, seed: u64) -> Self {
        let one = |s: usize| {
            let mut side: Vec<bool> = (0..n).map(|i| i % 2 == 0).collect();
            Rng::new(seed, 0x100 + s as u64).shuffle(&mut side);
            side
        };
        Self((0..splits).map(one).collect())
    }

    pub fn splits(&self) -> usize {
        self.0.len()
    }

    /// Those of `rows` in one half of a split.
    pub fn part(&self, rows: &[usize], split: usize, half: bool) -> Vec<usize> {
        rows.iter().copied().filter(|&i| self.0[split][i] == half).collect()
    }
}

/// Rows of two micro-clusters that are looked at, the same fraction of both: a large micro-cluster that was thinned beside a
/// small one that was not would look emptier than it is, and their border like a gap.
pub(super) const SHOWN: usize = 1200;
/// With a p-value outside of these after a split, the other splits are spared.
const CLEAR: [f64; 2] = [1e-3, 0.9];

/// Some rows that belong together.
#[derive(Debug, Clone)]
pub(super) struct MicroCluster {
    /// What it is called on the [`History`](super::history::History).
    pub number: usize,
    pub rows: Vec<usize>,
    pub mean: Vec<f64>,
    /// Of both halves in every split.
    pub moments: Vec<[Moments; 2]>,
}

/// The first `most` rows, which stand for all: rows are in random order.
pub(super) fn first(rows: &[usize], most: usize) -> &[usize] {
    &rows[..rows.len().min(most)]
}

impl MicroCluster {
    pub fn new(y: &Dense, split_halves: &SplitHalves, rows: Vec<usize>, number: usize) -> Self {
        let half = |s: usize, h: bool| Moments::of_rows(y, &split_halves.part(&rows, s, h), None);
        let moments: Vec<[Moments; 2]> =
            (0..split_halves.splits()).map(|s| [half(s, false), half(s, true)]).collect();
        let mut all = moments[0][0].clone();
        all.merge(&moments[0][1]);
        let mean = all.mean().to_vec();
        Self { number, rows, mean, moments }
    }

    /// Both, under the number of the first.
    pub fn join(&self, other: &Self) -> Self {
        let mut rows = [self.rows.as_slice(), other.rows.as_slice()].concat();
        rows.sort_unstable();
        let moments = self.moments.iter().zip(&other.moments);
        let moments = moments.map(|(a, b)| {
            let mut both = a.clone();
            both.iter_mut().zip(b).for_each(|(x, y)| x.merge(y));
            both
        });
        let (n, m) = (self.rows.len() as f64, other.rows.len() as f64);
        let mean = self.mean.iter().zip(&other.mean).map(|(a, b)| (n * a + m * b) / (n + m));
        Self { number: self.number, mean: mean.collect(), moments: moments.collect(), rows }
    }
}

/// The gap between two micro-clusters, seen along the leading `widths` axes.
pub(super) fn between(
    y: &Dense,
    split_halves: &SplitHalves,
    widths: &[usize],
    [a, b]: [&MicroCluster; 2],
) -> Result<Evidence> {
    let mut evidence = Evidence::default();
    // Rows are in random order, so those before some place are a sample.
    let all = a.rows.len() + b.rows.len();
    let before = if all <= SHOWN { y.rows() } else { y.rows() * SHOWN / all };
    let seen = [a, b].map(|micro_cluster| {
        &micro_cluster.rows[..micro_cluster.rows.partition_point(|&i| i < before)]
    });
    for split in 0..split_halves.splits() {
        let rows = [false, true].map(|h| {
            let mut rows = split_halves.part(seen[0], split, h);
            rows.extend(split_halves.part(seen[1], split, h));
            rows
        });
        for (learn, judge) in [(0, 1), (1, 0)] {
            let sides = [&a.moments[split][learn], &b.moments[split][learn]];
            if sides.iter().any(|m| m.n() < 2.0) {
                continue;
            }
            let mut best: Option<(f64, Windows, Vec<f64>)> = None;
            for &q in widths {
                let (w, cut) = direction(sides, q)?;
                let t = projected(y, &rows[learn], &w);
                if let Some((score, windows)) = Windows::choose(&t, cut)
                    && best.as_ref().is_none_or(|b| score > b.0)
                {
                    best = Some((score, windows, w));
                }
            }
            if let Some((_, windows, w)) = best {
                evidence.add(windows.count(&projected(y, &rows[judge], &w)));
            }
        }
        evidence.splits += 1;
        if !(CLEAR[0]..=CLEAR[1]).contains(&evidence.p()) {
            break;
        }
    }
    Ok(evidence)
}

/// (S_w + τI)⁻¹(m₁ − m₀) along the leading q axes, τ their mean variance; and the middle between the
/// two means.
fn direction([low, high]: [&Moments; 2], q: usize) -> Result<(Vec<f64>, f64)> {
    let [m0, m1] = [low, high].map(|m| &m.mean()[..q]);
    let all = within(&[low, high]);
    let mut cov = Dense::zeros(q, q);
    (0..q).for_each(|i| cov.row_mut(i).copy_from_slice(&all.row(i)[..q]));
    let n = low.n() + high.n();
    let gap: f64 = m1.iter().zip(m0).map(|(a, b)| (a - b) * (a - b)).sum();
    let between = low.n() / n * (high.n() / n) * gap;
    let tau = ((0..q).map(|j| cov[(j, j)]).sum::<f64>() + between) / q as f64;
    if tau <= 0.0 {
        return Ok((m1.iter().zip(m0).map(|(a, b)| a - b).collect(), 0.0));
    }
    let w = discriminant::direction(&factor(cov, Ridge::Constant(tau))?, m0, m1);
    let at = |m: &Moments| w.iter().zip(m.mean()).map(|(a, b)| a * b).sum::<f64>();
    let cut = 0.5 * (at(low) + at(high));
    Ok((w, cut))
}

/// Ascending projections.
pub(super) fn projected(y: &Dense, rows: &[usize], w: &[f64]) -> Vec<f64> {
    let mut t: Vec<f64> = rows.iter().map(|&i| along(y.row(i), w)).collect();
    t.sort_unstable_by(f64::total_cmp);
    t
}

/// The place of a row along `w`, which may name the leading axes only.
pub(super) fn along(row: &[f64], w: &[f64]) -> f64 {
    separa_math::linalg::dot_lanes(&row[..w.len()], w)
}

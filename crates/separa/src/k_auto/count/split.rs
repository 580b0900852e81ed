//! Is one micro-cluster two? A search for a gap within it, on held-out rows.

use super::gap::{Evidence, MicroCluster, SplitHalves, along, first, projected};
use super::history::History;
use super::space::PrincipalSpace;
use crate::error::Result;
use separa_math::discriminant::{self, Ridge, factor};
use separa_math::kmeans::{Limits, Restarts, kmeans};
use separa_math::matrix::{Dense, pick};
use separa_math::moments::Moments;
use separa_math::stats::Windows;

/// Parts that a half is cut into, to find directions along which it may have a gap.
const PARTS: [usize; 3] = [2, 3, 5];
/// Rows of a part at least.
const FEWEST: usize = 8;
/// Rows that are looked at.
const SHOWN: usize = 1000;
/// A micro-cluster is cut where the gap within it has a smaller p-value.
const LEVEL: f64 = 0.01;
/// With a p-value above this after a split, the other splits are spared.
const CLEAR: f64 = 0.3;

/// Cuts micro-clusters that have a gap within, and their parts, while there are fewer than `most`.
pub(super) fn split(
    space: &PrincipalSpace,
    split_halves: &SplitHalves,
    micro_clusters: Vec<MicroCluster>,
    most: usize,
    seed: u64,
    history: &mut History,
) -> Result<Vec<MicroCluster>> {
    let y = &space.y;
    let (mut done, mut open) = (Vec::new(), micro_clusters);
    while let Some(micro_cluster) = open.pop() {
        let k = done.len() + open.len() + 2;
        let p =
            if k > most { 1.0 } else { within(y, split_halves, &micro_cluster.rows, seed)?.p() };
        match if p <= LEVEL { cut(y, &micro_cluster.rows, seed)? } else { None } {
            Some(parts) => {
                let parts = parts
                    .map(|rows| MicroCluster::new(y, split_halves, rows, micro_cluster.number));
                open.extend(history.cut(&micro_cluster, parts, p, k));
            }
            None => done.push(micro_cluster),
        }
    }
    Ok(done)
}

/// The gap within some rows: the best place that one half knows, counted on the other.
pub(super) fn within(
    y: &Dense,
    split_halves: &SplitHalves,
    rows: &[usize],
    seed: u64,
) -> Result<Evidence> {
    let mut evidence = Evidence::default();
    let rows = first(rows, SHOWN);
    for split in 0..split_halves.splits() {
        let parts = [false, true].map(|h| split_halves.part(rows, split, h));
        for (learn, judge) in [(0, 1), (1, 0)] {
            if let Some((windows, w)) = best_gap(y, &parts[learn], seed ^ split as u64)? {
                evidence.add(windows.count(&projected(y, &parts[judge], &w)));
            }
        }
        evidence.splits += 1;
        if evidence.p() > CLEAR {
            break;
        }
    }
    Ok(evidence)
}

/// The two sides of the deepest gap within some rows; None where there is none.
fn cut(y: &Dense, rows: &[usize], seed: u64) -> Result<Option<[Vec<usize>; 2]>> {
    let Some((windows, w)) = best_gap(y, first(rows, SHOWN), seed)? else { return Ok(None) };
    let at = windows.middle + 0.5 * windows.width;
    let (low, high): (Vec<usize>, Vec<usize>) =
        rows.iter().partition(|&&i| along(y.row(i), &w) < at);
    Ok((low.len() >= FEWEST && high.len() >= FEWEST).then_some([low, high]))
}

/// The deepest antimode along any direction between parts of these rows.
fn best_gap(y: &Dense, rows: &[usize], seed: u64) -> Result<Option<(Windows, Vec<f64>)>> {
    let mut best: Option<(f64, Windows, Vec<f64>)> = None;
    let table = pick(y, rows);
    for k in PARTS.into_iter().filter(|k| rows.len() >= FEWEST * k) {
        for (w, cut) in directions(&table, k, seed)? {
            let t = projected(y, rows, &w);
            if let Some((score, windows)) = Windows::choose(&t, cut)
                && best.as_ref().is_none_or(|b| score > b.0)
            {
                best = Some((score, windows, w));
            }
        }
    }
    Ok(best.map(|(_, windows, w)| (windows, w)))
}

/// (S_w + τI)⁻¹δ for the differences δ of every two of k parts, and of each from the rest.
fn directions(part: &Dense, k: usize, seed: u64) -> Result<Vec<(Vec<f64>, f64)>> {
    let limits = Limits { max_iter: 20, tol: 1e-3 };
    let run = kmeans(part, None, k, Restarts { n_init: 1, limits, seed }, &mut || false);
    let labels: Vec<i32> = run.labels.iter().map(|&l| l as i32).collect();
    let moments = Moments::by_label(part, None, &labels, k);
    let used: Vec<&Moments> = moments.iter().filter(|m| m.n() >= 2.0).collect();
    let (n, d) = (used.iter().map(|m| m.n()).sum::<f64>(), part.cols());
    let total = Moments::of(part, None);
    let tau = total.variances().iter().sum::<f64>() / d as f64;
    if tau <= 0.0 || used.len() < 2 {
        return Ok(Vec::new());
    }
    let factor = factor(discriminant::within(&used), Ridge::Constant(tau))?;
    let solve = |low: &[f64], high: &[f64]| {
        let w = discriminant::direction(&factor, low, high);
        let cut =
            0.5 * w.iter().zip(low.iter().zip(high)).map(|(w, (a, b))| w * (a + b)).sum::<f64>();
        (w, cut)
    };
    let mut found = Vec::new();
    for (a, low) in used.iter().enumerate() {
        found.extend(used[a + 1..].iter().map(|high| solve(low.mean(), high.mean())));
        if used.len() > 2 {
            // The mean of the others.
            let rest: Vec<f64> = total
                .mean()
                .iter()
                .zip(low.mean())
                .map(|(all, own)| (n * all - low.n() * own) / (n - low.n()))
                .collect();
            found.push(solve(low.mean(), &rest));
        }
    }
    Ok(found)
}

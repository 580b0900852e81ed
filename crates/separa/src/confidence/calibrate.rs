//! How often refits leave a row in its cluster, seen against its margin.
//!
//! Problem   max over the width w of the likelihood of "kept or not", with P(kept) = a_c · Φ(m / w).
//! Given     margins and labels of some rows under the rule of all rows, and the labels that rules learnt on halves of
//!           them give. a_c is the fraction kept among the rows of cluster c with a margin above its median, halfway to that
//!           of all clusters, and in one more refit that keeps them all: a few refits say little of one cluster alone, and
//!           seldom show how rare another outcome is.
//! Returns   the [`Calibration`], its width brought from such halves to refits on as many other rows as the fit had.
//! How       Boundaries move by the root of the sum of the variances: the rule of n rows and that of h among them differ
//!           by σ² (1/h − 1/n), two rules of n rows each by 2 σ² / n, those of two halves by 2 σ² / h. The first holds for
//!           rules that average what their rows say; others share less with their halves than that. How many rows two
//!           halves disagree on, compared with a half and all rows, tells how much. A refit that ends elsewhere
//!           altogether is no matter of n: that is in a_c.
//! Cost      [`STEPS`] passes over the rows.

use super::{Calibration, Margins};
use crate::error::Result;
use crate::quality::Contingency;
use separa_math::stats::normal_cdf;

/// Widths that are tried, from [`NARROW`] to [`WIDE`] units in equal ratios.
const STEPS: usize = 60;
const NARROW: f64 = 1e-3;
const WIDE: f64 = 10.0;
/// No row is surer than this of the likelihood: one row that moved is no proof against a width.
const SURE: f64 = 1e-3;

/// Two halves that are no farther apart than either is from the rule of all rows: nothing is shared.
const LEAST: f64 = 0.5;

/// What was seen of the refits.
pub(crate) struct RefitLabels<'a> {
    /// The labels of the rows by each refit: those of a half, then those of the other half of the same split.
    pub labels: Vec<&'a [i32]>,
    /// Median margin of rows that a refit has not seen over that of those it learnt from; 0 if that is not known.
    pub unseen: f64,
    /// Rows that each learnt from, and the fit itself.
    pub rows: [usize; 2],
    /// Whether the rule averages what its rows say, as flat ones do.
    pub averaged: bool,
}

/// Some rows under the rule of all rows.
pub(crate) struct Rows<'a> {
    pub labels: &'a [i32],
    pub margins: &'a Margins,
}

/// The median of the margins that are positive, if there are any.
pub(crate) fn unit(margins: &[f64]) -> Option<f64> {
    let usable = |m: &f64| m.is_finite() && *m > 0.0;
    let mut all: Vec<f64> = margins.iter().copied().filter(usable).collect();
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// The calibration of `k` clusters.
pub(crate) fn calibrate(
    k: usize,
    rows: &Rows<'_>,
    refits: &RefitLabels<'_>,
) -> Result<Calibration> {
    let Some(unit) = unit(&rows.margins.margin) else {
        return Ok(Calibration::unmeasured(k, None));
    };
    let depth: Vec<f64> = rows.margins.margin.iter().map(|m| m.max(0.0) / unit).collect();
    let fraction = kept(rows.labels, &refits.labels)?;
    let (each, all) = far_rows(k, rows.labels, &depth, &fraction);
    let refitted = refits.labels.len() as f64;
    let shrunk = |kept: f64| (refitted * (kept + all) + 1.0) / (2.0 * refitted + 1.0);
    let far: Vec<f64> = each.into_iter().map(shrunk).collect();
    let loss = |width: f64| -> f64 {
        let each = depth.iter().zip(rows.labels).zip(&fraction);
        each.filter(|((_, label), _)| **label >= 0)
            .map(|((depth, label), kept)| {
                let p = far[*label as usize] * normal_cdf(depth / width);
                let p = p.clamp(SURE, 1.0 - SURE);
                -kept * p.ln() - (1.0 - kept) * (1.0 - p).ln()
            })
            .sum()
    };
    let ratio = (WIDE / NARROW).powf(1.0 / (STEPS - 1) as f64);
    // The widest first: where no row moved, all widths up to the smallest margin are as likely, and none is known between.
    let tried = (0..STEPS).rev().map(|step| NARROW * ratio.powi(step as i32));
    let losses = tried.map(|width| (loss(width), width));
    let best = losses.min_by(|a, b| a.0.total_cmp(&b.0)).expect("some widths are tried");
    // Measured, the part that is shared is known from a few refits only: not for rules of which it is known.
    let shared = if refits.averaged { 1.0 } else { shared(rows.labels, &fraction, refits)? };
    let width = best.1 * other_rows(refits.rows) * shared;
    // Rows to come have the margins of rows that a rule has not seen; those it learnt from can be larger.
    let unit = if refits.unseen > 0.0 { unit * refits.unseen.min(1.0) } else { unit };
    Ok(Calibration { unit, width, kept: far, refits: refits.labels.len() })
}

/// How much farther boundaries move between two fits to n rows than between such a fit and one to `half` of its rows.
fn other_rows([half, n]: [usize; 2]) -> f64 {
    let (half, n) = (half as f64, n as f64);
    (2.0 * half / (n - half).max(1.0)).sqrt()
}

/// What is left of that where halves differ from the rule of all rows by more than their part in it explains: the rows on
/// which two halves disagree are then fewer, compared with those on which one of them and the rule of all rows do.
fn shared(labels: &[i32], fraction: &[f64], refits: &RefitLabels<'_>) -> Result<f64> {
    // Outliers may be marked: no refit keeps those.
    let inside = || labels.iter().zip(fraction).filter(|(label, _)| **label >= 0);
    let moved = inside().map(|(_, kept)| 1.0 - kept).sum::<f64>() / inside().count().max(1) as f64;
    let mut apart = Vec::new();
    for split in refits.labels.chunks_exact(2) {
        apart.push(1.0 - Contingency::new(split[0], split[1])?.accuracy());
    }
    if moved <= 0.0 || apart.is_empty() {
        return Ok(1.0);
    }
    let (half, n) = (refits.rows[0] as f64, refits.rows[1] as f64);
    let average = (2.0 * n / (n - half).max(1.0)).sqrt();
    let found = apart.iter().sum::<f64>() / apart.len() as f64 / moved;
    Ok((found / average).clamp(LEAST, 1.0))
}

/// Of each row the fraction of refits in which the cluster that matches its own has it.
fn kept(labels: &[i32], refits: &[&[i32]]) -> Result<Vec<f64>> {
    let mut fraction = vec![0.0; labels.len()];
    for refit in refits {
        let table = Contingency::new(labels, refit)?;
        let matched = table.matching();
        for ((fraction, label), found) in fraction.iter_mut().zip(labels).zip(*refit) {
            let place = table.clusters.iter().position(|c| c == label);
            let stays = place.is_some_and(|place| matched[place] == Some(*found));
            *fraction += f64::from(u8::from(stays)) / refits.len() as f64;
        }
    }
    Ok(fraction)
}

/// Of each cluster the fraction kept among its rows far from a boundary, and that of all rows, which stands for a cluster
/// without rows.
fn far_rows(k: usize, labels: &[i32], depth: &[f64], fraction: &[f64]) -> (Vec<f64>, f64) {
    let mean = |rows: &[usize]| match rows.len() {
        0 => None,
        n => Some(rows.iter().map(|&i| fraction[i]).sum::<f64>() / n as f64),
    };
    let far = |mut rows: Vec<usize>| {
        rows.sort_by(|a, b| depth[*a].total_cmp(&depth[*b]));
        mean(&rows[rows.len() / 2..])
    };
    let of = |c: usize| (0..labels.len()).filter(|&i| labels[i] == c as i32).collect();
    let all = far((0..labels.len()).filter(|&i| labels[i] >= 0).collect()).unwrap_or(1.0);
    ((0..k).map(|c| far(of(c)).unwrap_or(all)).collect(), all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Labels;
    use separa_math::rng::Rng;

    fn refits(labels: &[Labels], rows: [usize; 2]) -> RefitLabels<'_> {
        RefitLabels {
            labels: labels.iter().map(Vec::as_slice).collect(),
            unseen: 1.0,
            rows,
            averaged: false,
        }
    }

    /// Rows at places from −4 to 4 of two clusters with the boundary at 0, and refits whose boundaries moved by
    /// `deviation` times normal numbers; those of the two halves of a split are correlated.
    fn moved(deviation: f64, correlation: f64) -> (Vec<i32>, Margins, Vec<Labels>) {
        let places: Vec<f64> = (0..801).map(|i| f64::from(i) / 100.0 - 4.0).collect();
        let side = |at: f64| places.iter().map(|x| i32::from(*x >= at)).collect::<Labels>();
        let labels = side(0.0);
        let runner_up = labels.iter().map(|l| 1 - l).collect();
        let margins = Margins { margin: places.iter().map(|x| x.abs()).collect(), runner_up };
        let mut rng = Rng::new(5, 0);
        let mut split = || {
            let (first, own) = (rng.normal(), rng.normal());
            [first, correlation * first + (1.0 - correlation * correlation).sqrt() * own]
        };
        let moves: Vec<f64> = (0..200).flat_map(|_| split()).collect();
        let refits = moves.into_iter().map(|by| side(deviation * by)).collect();
        (labels, margins, refits)
    }

    #[test]
    fn the_width_is_how_far_boundaries_move() {
        for deviation in [0.1, 0.5] {
            // Averages of a third of the rows, each: the rule of all averages them and the last third.
            let (labels, margins, thirds) = moved(deviation, -0.5);
            let rows = Rows { labels: &labels, margins: &margins };
            // A third of the rows: 2 h / (n − h) = 1.
            let found = calibrate(2, &rows, &refits(&thirds, [300, 900])).unwrap();
            let width = found.unit * found.width;
            // Steps of 17 %, and the deviation of 400 normal numbers is known to 4 %.
            assert!((width / deviation).ln().abs() < 0.2, "{width} for {deviation}");
            assert!(found.kept.iter().all(|kept| *kept > 0.999), "{:?}", found.kept);
            // Halves of all rows lie on two sides of their average, and two fits of 2 h rows differ by the root of 2 more
            // than such a fit and that of half its rows.
            let (_, _, halves) = moved(deviation, -1.0);
            let wider = calibrate(2, &rows, &refits(&halves, [300, 600])).unwrap();
            let wider = wider.unit * wider.width / 2f64.sqrt();
            assert!((wider / deviation).ln().abs() < 0.2, "{wider} for {deviation}");
            // Halves that have nothing in common with the rule of all rows are no farther from each other by the root of
            // 2 than from it: two fits of 2 h rows differ by σ √2 / √2.
            let (_, _, others) = moved(deviation, 0.0);
            let narrow = calibrate(2, &rows, &refits(&others, [300, 600])).unwrap();
            let narrow = narrow.unit * narrow.width;
            assert!((narrow / deviation).ln().abs() < 0.2, "{narrow} for {deviation}");
        }
    }

    #[test]
    fn refits_that_end_elsewhere_are_in_the_height_of_their_clusters() {
        // Three clusters; in half of the refits the last two are divided the other way.
        let labels: Labels = (0..600).map(|i| i / 200).collect();
        let other = |i: i32| if i < 200 { 0 } else { 1 + i % 2 };
        let again: Vec<Labels> = (0..8)
            .map(|r| match r % 2 {
                0 => labels.clone(),
                _ => (0..600).map(other).collect(),
            })
            .collect();
        let margins = Margins { margin: vec![1.0; 600], runner_up: vec![0; 600] };
        let rows = Rows { labels: &labels, margins: &margins };
        let found = calibrate(3, &rows, &refits(&again, [300, 600])).unwrap();
        // Half of the last two stay in half of the refits: 0.75, and so it is among the second half of all rows, which are
        // these two. Eight refits of the cluster, eight of all, and one that keeps all.
        let want = |kept: f64| (8.0 * kept + 8.0 * 0.75 + 1.0) / 17.0;
        let close = |c: usize, kept: f64| (found.kept[c] - want(kept)).abs() < 0.02;
        assert!(close(0, 1.0) && close(1, 0.75) && close(2, 0.75), "{:?}", found.kept);
    }

    #[test]
    fn rules_without_margins_are_not_measured() {
        let margins = Margins { margin: vec![0.0; 4], runner_up: vec![0; 4] };
        let rows = Rows { labels: &[0, 1, 0, 1], margins: &margins };
        let again = [vec![0, 1, 0, 1]];
        assert!(!calibrate(2, &rows, &refits(&again, [2, 4])).unwrap().is_measured());
    }
}

//! Many small pieces, joined until every two that are left have a gap between them.

use super::gap::{Evidence, Halves, Piece, SHOWN, between};
use super::path::Path;
use super::space::Space;
use crate::error::Result;
use crate::start::lloyd::{Limits, Restarts, kmeans};
use rayon::prelude::*;
use separa_math::matrix::Dense;
use std::collections::{BTreeMap, BTreeSet};

/// Pieces are compared with this many of their nearest.
const NEAREST: usize = 6;
/// Two pieces are joined where the gap between them has a p-value above LEAST_LEVEL + EASE/n, n the rows
/// that are looked at, or above MOST_LEVEL: small pieces hardly reach small ones.
const LEAST_LEVEL: f64 = 0.15;
const MOST_LEVEL: f64 = 0.25;
const EASE: f64 = 20.0;
/// With more axes than this only those longer than noise are looked along; cuts look along all.
const MANY_AXES: usize = 32;

/// `k` pieces by k-means.
pub(super) fn pieces(space: &Space, halves: &Halves, k: usize, seed: u64) -> Vec<Piece> {
    let limits = Limits { max_iter: 50, tol: 1e-4 };
    let n_init = if space.n() <= 1000 { 8 } else { 2 };
    let run = kmeans(&space.rough, None, k, Restarts { n_init, limits, seed }, &mut || false);
    let mut members = vec![Vec::new(); k];
    run.labels.iter().enumerate().for_each(|(i, &l)| members[l as usize].push(i));
    let filled: Vec<Vec<usize>> = members.into_iter().filter(|m| !m.is_empty()).collect();
    filled
        .into_par_iter()
        .enumerate()
        .map(|(number, rows)| Piece::new(&space.y, halves, rows, number))
        .collect()
}

/// What joining left.
#[derive(Debug)]
pub(super) struct Merged {
    pub pieces: Vec<Piece>,
    /// Of the shallowest and of the deepest gap that is left between two pieces.
    pub p: Option<[f64; 2]>,
}

/// Joins the two pieces with the least gap between them while its p-value is large, or more than
/// `most` pieces are left.
pub(super) fn merge(
    space: &Space,
    halves: &Halves,
    pieces: Vec<Piece>,
    (most, path): (usize, &mut Path),
) -> Result<Merged> {
    let y = &space.y;
    let widths: &[usize] = &[space.signal, y.cols()];
    let alone = space.signal == y.cols() || y.cols() > MANY_AXES;
    let widths = if alone { &widths[..1] } else { widths };
    let mut pieces: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    let mut known: BTreeMap<(usize, usize), Evidence> = BTreeMap::new();
    loop {
        let wanted = neighbours(&pieces);
        test(y, halves, widths, (&pieces, &wanted), &mut known)?;
        // The p-value that is the largest share of its level, of equal ones the shallowest valley.
        let size = |i: usize| pieces[i].as_ref().map_or(0, |piece| piece.rows.len());
        let share =
            |(a, b): (usize, usize)| known[&(a, b)].p() / level((size(a) + size(b)).min(SHOWN));
        let worst = wanted
            .iter()
            .map(|pair| (share(*pair), known[pair], *pair))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.depth().total_cmp(&a.1.depth())));
        let left = pieces.iter().flatten().count();
        let deepest = wanted.iter().map(|pair| known[pair].p()).fold(1.0, f64::min);
        let p = worst.map(|(_, evidence, _)| [evidence.p(), deepest]);
        let Some((_, evidence, (a, b))) = worst.filter(|w| w.0 > 1.0 || left > most) else {
            return Ok(Merged { pieces: pieces.into_iter().flatten().collect(), p });
        };
        let [one, two] = [a, b].map(|i| pieces[i].take().expect("neighbours are alive"));
        pieces[a] = Some(path.join([&one, &two], (evidence.p(), left - 1)));
        known.retain(|(i, j), _| ![a, b].contains(i) && ![a, b].contains(j));
    }
}

fn level(rows: usize) -> f64 {
    (LEAST_LEVEL + EASE / rows as f64).min(MOST_LEVEL)
}

/// Tests those wanted pairs that are not known yet.
fn test(
    y: &Dense,
    halves: &Halves,
    widths: &[usize],
    (pieces, wanted): (&[Option<Piece>], &BTreeSet<(usize, usize)>),
    known: &mut BTreeMap<(usize, usize), Evidence>,
) -> Result<()> {
    let piece = |i: usize| pieces[i].as_ref().expect("neighbours are alive");
    let missing: Vec<(usize, usize)> =
        wanted.iter().copied().filter(|pair| !known.contains_key(pair)).collect();
    let found: Vec<Evidence> = missing
        .par_iter()
        .map(|&(a, b)| between(y, halves, widths, [piece(a), piece(b)]))
        .collect::<Result<_>>()?;
    known.extend(missing.into_iter().zip(found));
    Ok(())
}

/// Every piece with its nearest ones, by the distance of their means.
fn neighbours(pieces: &[Option<Piece>]) -> BTreeSet<(usize, usize)> {
    let alive: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].is_some()).collect();
    let mean = |i: usize| &pieces[i].as_ref().expect("alive").mean;
    let mut pairs = BTreeSet::new();
    for &a in &alive {
        let square =
            |b: usize| -> f64 { mean(a).iter().zip(mean(b)).map(|(x, y)| (x - y).powi(2)).sum() };
        let mut others: Vec<(f64, usize)> =
            alive.iter().filter(|&&b| b != a).map(|&b| (square(b), b)).collect();
        others.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        pairs.extend(others.iter().take(NEAREST).map(|(_, b)| (a.min(*b), a.max(*b))));
    }
    pairs
}

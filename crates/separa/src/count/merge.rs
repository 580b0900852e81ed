//! Many small pieces, joined until every two that are left have a gap between them.

use super::gap::{Evidence, Halves, Piece, between};
use crate::error::Result;
use crate::start::lloyd::{Limits, Restarts, kmeans};
use rayon::prelude::*;
use separa_math::matrix::{Dense, pick};
use std::collections::BTreeMap;

/// Pieces are compared with this many of their nearest.
const NEAREST: usize = 6;

/// Two pieces that were joined, and why.
#[derive(Debug, Clone, Copy)]
pub(super) struct Join {
    pub sizes: [usize; 2],
    pub p: f64,
    /// Pieces that were left.
    pub left: usize,
}

/// Small pieces by k-means along the leading axes.
pub(super) fn pieces(
    y: &Dense,
    halves: &Halves,
    (k, axes): (usize, usize),
    seed: u64,
) -> Vec<Piece> {
    let all: Vec<usize> = (0..y.rows()).collect();
    let mut short = Dense::zeros(y.rows(), axes);
    (0..y.rows()).for_each(|i| short.row_mut(i).copy_from_slice(&y.row(i)[..axes]));
    let limits = Limits { max_iter: 50, tol: 1e-4 };
    let run = kmeans(&short, None, k, Restarts { n_init: 2, limits, seed }, &mut || false);
    let mut members = vec![Vec::new(); k];
    all.iter().for_each(|&i| members[run.labels[i] as usize].push(i));
    let filled: Vec<Vec<usize>> = members.into_iter().filter(|m| !m.is_empty()).collect();
    filled.into_par_iter().map(|rows| Piece::new(y, halves, rows)).collect()
}

/// Joins the two pieces with the least gap between them while its p-value is above `level`, or more
/// than `most` are left. Returns what is left, the path, and the largest p-value that is left.
pub(super) fn merge(
    y: &Dense,
    halves: &Halves,
    widths: &[usize],
    pieces: Vec<Piece>,
    (level, most): (f64, usize),
) -> Result<(Vec<Piece>, Vec<Join>)> {
    let mut pieces: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    let mut known: BTreeMap<(usize, usize), Evidence> = BTreeMap::new();
    let mut path = Vec::new();
    loop {
        let wanted = neighbours(&pieces);
        let missing: Vec<(usize, usize)> =
            wanted.iter().copied().filter(|pair| !known.contains_key(pair)).collect();
        let found: Vec<Evidence> = missing
            .par_iter()
            .map(|&(a, b)| {
                let piece = |i: usize| pieces[i].as_ref().expect("neighbours are alive");
                between(y, halves, widths, [piece(a), piece(b)])
            })
            .collect::<Result<_>>()?;
        known.extend(missing.into_iter().zip(found));
        // The largest p, of equal ones the shallowest valley.
        let worst = wanted
            .iter()
            .map(|pair| (known[pair], *pair))
            .max_by(|a, b| a.0.p().total_cmp(&b.0.p()).then(b.0.depth().total_cmp(&a.0.depth())));
        let left = pieces.iter().flatten().count();
        let Some((evidence, (a, b))) = worst else { break };
        if evidence.p() <= level && left <= most {
            break;
        }
        let (one, two) = (pieces[a].take(), pieces[b].take());
        let (one, two) = (one.expect("alive"), two.expect("alive"));
        path.push(Join {
            sizes: [one.rows.len(), two.rows.len()],
            p: evidence.p(),
            left: left - 1,
        });
        pieces[a] = Some(one.join(&two));
        known.retain(|(i, j), _| ![a, b].contains(i) && ![a, b].contains(j));
    }
    Ok((pieces.into_iter().flatten().collect(), path))
}

/// Every piece with its nearest ones, by the distance of their means.
fn neighbours(pieces: &[Option<Piece>]) -> Vec<(usize, usize)> {
    let alive: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].is_some()).collect();
    let mean = |i: usize| &pieces[i].as_ref().expect("alive").mean;
    let mut pairs = std::collections::BTreeSet::new();
    for &a in &alive {
        let square =
            |b: usize| -> f64 { mean(a).iter().zip(mean(b)).map(|(x, y)| (x - y) * (x - y)).sum() };
        let mut others: Vec<(f64, usize)> =
            alive.iter().filter(|&&b| b != a).map(|&b| (square(b), b)).collect();
        others.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        pairs.extend(others.iter().take(NEAREST).map(|(_, b)| (a.min(*b), a.max(*b))));
    }
    pairs.into_iter().collect()
}

/// The rows of a piece as a table of their own.
pub(super) fn table(y: &Dense, rows: &[usize]) -> Dense {
    pick(y, rows)
}

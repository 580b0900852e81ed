//! Which similarities are tried, by what the memory allows.

use super::params::Cdsk;
use super::similarity::{Form, Lens, PORTFOLIO, Similarity};
use crate::context::{Ctx, PairCost, in_words};
use crate::error::{Result, bytes};
use crate::note::{Note, Remedy, codes};
use crate::params::Params;
use separa_math::linalg::{Precision, SymMatrix};
use separa_math::matrix::Rows;

/// Rows above which a number for every pair is not worth its time in a portfolio.
const DENSE_ROWS: usize = 5000;
/// Directions in fewer columns than these say too little to choose by.
const FLAT: usize = 3;

/// The members of a fit: the one that was asked for, or the portfolio as far as it fits.
pub(super) fn members(
    p: &Cdsk,
    similarity: Similarity,
    rows: &dyn Rows,
    notes: &mut Vec<Note>,
    ctx: &Ctx<'_>,
) -> Result<Vec<Similarity>> {
    if similarity != Similarity::Auto {
        let remedy = match similarity.dense() {
            true => Remedy::set("similarity", "h-x7")
                .or(Remedy::set("similarity", "landmark"))
                .or(Remedy::RaiseMemory),
            false => Remedy::RaiseMemory,
        };
        ctx.memory.require(Cdsk::NAME, needed(p, similarity, rows), remedy)?;
        return Ok(vec![similarity]);
    }
    if PairCost::GRAPHS.is_long(rows.n_rows(), rows.n_cols()) {
        let text = format!(
            "graphs of the neighbours of {} rows would take {}: similarity landmark stands for them",
            rows.n_rows(),
            in_words(PairCost::GRAPHS.of_all(rows.n_rows(), rows.n_cols()))
        );
        notes.push(Note::notice(codes::LANDMARKS, text).with(Remedy::set("similarity", "h-x7")));
        let landmark = Similarity::Of(Form::Landmark.own_lens(), Form::Landmark);
        ctx.memory.require(Cdsk::NAME, needed(p, landmark, rows), Remedy::RaiseMemory)?;
        return Ok(vec![landmark]);
    }
    let fits = |s: &Similarity| match s {
        Similarity::Of(Lens::Cosine | Lens::Half, _) => rows.n_cols() >= FLAT,
        _ => true,
    };
    let (dense, sparse): (Vec<_>, Vec<_>) =
        PORTFOLIO.into_iter().filter(fits).partition(|s| s.dense());
    let most = sparse.iter().map(|s| needed(p, *s, rows)).max().unwrap_or(0);
    let remedy = Remedy::set("similarity", "landmark").or(Remedy::RaiseMemory);
    ctx.memory.require(Cdsk::NAME, most, remedy)?;
    let small = |s: &Similarity| {
        let needed = needed(p, *s, rows);
        let stays = rows.n_rows() <= DENSE_ROWS && ctx.memory.allows(needed);
        if !stays {
            let text = format!(
                "similarity {s} is left out: the similarities of all pairs of {} rows need about {} of memory",
                rows.n_rows(),
                bytes(needed)
            );
            let remedy = Remedy::set("similarity", s.to_string());
            notes.push(Note::notice(codes::SIMILARITY_SKIPPED, text).with(remedy));
        }
        stays
    };
    let kept: Vec<Similarity> = dense.into_iter().filter(small).collect();
    Ok(PORTFOLIO.into_iter().filter(|s| sparse.contains(s) || kept.contains(s)).collect())
}

/// Bytes beyond the table.
fn needed(p: &Cdsk, similarity: Similarity, rows: &dyn Rows) -> u64 {
    let (n, d, k) = (rows.n_rows() as u64, rows.n_cols() as u64, p.n_clusters as u64);
    // The basis of the eigenvectors, the embedding, k-means.
    let trials = 2 + (p.n_clusters as f64).ln() as u64;
    let rest = 8 * n * (7 * k + 2 * trials + 40);
    let Similarity::Of(lens, form) = similarity else {
        let entries = rows.sparse().map_or(n * n, |x| x.nnz() as u64);
        return rest + if entries < n * n / 2 { entries * 80 } else { 4 * n * n };
    };
    let axes = d.min(100);
    let view = match lens {
        Lens::Raw => 8 * n * d,
        _ => 2 * 8 * n * axes + 3 * 8 * d.min(2048) * d.min(2048) + 8 * axes * d,
    };
    let graph = match form {
        Form::Blend { k, .. } => n * k as u64 * 160,
        Form::Shared { k } => n * (k * k) as u64 * 40,
        Form::Pursuit { most } => n * most as u64 * 160,
        Form::Landmark => {
            let m = (p.landmarks as u64).min(n);
            n * 100 + 3 * 8 * m * m + 16 * 8 * m * axes * 2
        }
        Form::SelfTuned { .. } | Form::Rbf => {
            SymMatrix::bytes(n as usize, Precision::Double) + 2_000_000
        }
    };
    rest + view + graph
}

//! Learnt weights, for the variants that have them.

use super::alpha::{Exact, Lambda, Learnt, Paper, Rows, Similarities, learn_exact, learn_paper};
use super::joined::UnitGram;
use super::params::{Cdsk, CdskVariant};
use super::similarity::Similarity;
use crate::context::Ctx;
use crate::error::{Error, Result};
use crate::note::{Note, Remedy, codes};
use crate::progress::Event;
use crate::report::Stop;
use crate::start::graph_notes::inexact;
use separa_math::linalg::{Precision, SymMatrix, SymOp, SymRows, absolute};
use separa_math::matrix::Dense;
use separa_math::par;

/// Iterations of the weights at most: each is an eigenproblem or more.
const ITERATIONS: usize = 100;
/// Fewer rows than so many a cluster that carry the weight are a collapse in all but name.
const FEW: f64 = 2.0;

/// Entries of |K| nearer than this to those of K are K's, but for rounding.
const ROUNDING: f64 = 1e-9;
/// Rows up to which an indefinite similarity is split by its eigenvalues: all of them are needed.
const SPLIT_ROWS: usize = 3000;

/// Learns α on a similarity with ones on its diagonal.
pub(super) fn learn(
    p: &Cdsk,
    member: Similarity,
    gram: &UnitGram<'_>,
    weights: &[f64],
    notes: &mut Vec<Note>,
    ctx: &mut Ctx<'_>,
) -> Result<Learnt> {
    if weights.iter().any(|w| *w != weights[0]) {
        return Err(Error::WeightsNotTaken);
    }
    let held = if member.semidefinite() { None } else { split(gram, notes, ctx)? };
    let max_iter = p.max_iter.min(ITERATIONS);
    let seed = ctx.seed;
    let mut watch = |iteration, objective| {
        ctx.emit(Event::Iteration { iteration, max_iter, objective, changed: 0 })
    };
    let learnt = match p.variant {
        CdskVariant::Paper => {
            let options = Paper { lambda: Lambda::Entropy, h: p.h, seed, ..Paper::default() };
            let held = held.as_ref().map(|held| held as &dyn Similarities);
            learn_paper(gram, held, p.n_clusters, &options, &mut watch)?
        }
        _ => {
            let (rho, h, rows) = (p.rho, p.h, Rows::Unit);
            let options = Exact { rho, h, max_iter, rows, seed, ..Exact::default() };
            let held = held.as_ref().map(|held| held as &dyn SymOp);
            learn_exact(gram, held, p.n_clusters, &options, &mut watch)?
        }
    };
    let carried = learnt.effective_rows();
    if learnt.collapsed || carried < FEW * p.n_clusters as f64 {
        let text = format!(
            "the learnt weights collapsed: {carried:.1} of {} rows carry them, the heaviest {:.0} %",
            weights.len(),
            100.0 * learnt.alpha.iter().fold(0.0_f64, |top, a| top.max(*a)),
        );
        let remedy = Remedy::set("variant", "graph").or(Remedy::set("variant", "exact"));
        notes.push(Note::warning(codes::WEIGHTS_COLLAPSED, text).with(remedy));
    }
    if learnt.stop == Stop::MaxIter && p.variant == CdskVariant::Exact {
        let iterations = learnt.iterations;
        let text = format!("the weights were still changing after {iterations} iterations");
        notes.push(Note::notice(codes::NOT_CONVERGED, text));
    }
    let (first, last) = (learnt.objective[0], learnt.objective[learnt.iterations]);
    let text = format!(
        "weights of the rows learnt in {} iterations with λ = {:.4}: Q from {first:.6} to {last:.6}",
        learnt.iterations, learnt.lambda
    );
    notes.push(Note::notice(codes::WEIGHTS_LEARNT, text));
    notes.extend(inexact(learnt.settled));
    Ok(learnt)
}

/// |K| of an indefinite similarity K, what (6) holds the weights apart by; None where it is K itself.
fn split(gram: &UnitGram<'_>, notes: &mut Vec<Note>, ctx: &Ctx<'_>) -> Result<Option<SymMatrix>> {
    let n = gram.dim();
    // The matrix, its vectors twice over, and what becomes of them.
    if n > SPLIT_ROWS || !ctx.memory.allows(5 * 8 * (n * n) as u64) {
        let text = format!(
            "the weights repel each other by the similarity itself, not by its eigen-split: {n} rows are too many for it"
        );
        notes.push(Note::notice(codes::EIGEN_SPLIT_SKIPPED, text));
        return Ok(None);
    }
    let mut full = Dense::zeros(n, n);
    par::fill_chunks(full.data_mut(), n, |rows, part| {
        rows.zip(part.chunks_exact_mut(n)).for_each(|(i, row)| gram.copy_row(i, row));
    });
    let held = absolute(&full)?;
    let gap = held.data().iter().zip(full.data()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    Ok((gap > ROUNDING).then(|| SymMatrix::from_dense(&held, Precision::Double)))
}

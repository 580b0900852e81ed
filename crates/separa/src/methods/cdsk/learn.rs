//! Learnt weights, for the variants that have them.

use super::alpha::{Exact, Lambda, Learnt, Paper, Rows, learn_exact, learn_paper};
use super::joined::UnitGram;
use super::params::{Cdsk, CdskVariant};
use crate::error::{Error, Result};
use crate::estimator::{Ctx, Stop};
use crate::progress::Event;
use crate::start::walk::Notes;

/// Rounds of the weights at most: each is an eigenproblem or more.
const ROUNDS: usize = 100;
/// Fewer rows than so many a cluster that carry the weight are a collapse in all but name.
const FEW: f64 = 2.0;

/// Learns α on a similarity with ones on its diagonal.
pub(super) fn learn(
    p: &Cdsk,
    gram: &UnitGram<'_>,
    weights: &[f64],
    notes: &mut Notes,
    ctx: &mut Ctx<'_>,
) -> Result<Learnt> {
    if weights.iter().any(|w| *w != weights[0]) {
        return Err(Error::Data(
            "weights of the rows cannot be given where they are learnt: leave the sample weights out, or use variant graph".into(),
        ));
    }
    let max_iter = p.max_iter.min(ROUNDS);
    let seed = ctx.seed;
    let mut watch = |iteration, objective| {
        ctx.emit(Event::Iteration { iteration, max_iter, objective, changed: 0 })
    };
    let learnt = match p.variant {
        CdskVariant::Paper => {
            let options = Paper { lambda: Lambda::Entropy, h: p.h, seed, ..Paper::default() };
            learn_paper(gram, p.n_clusters, &options, &mut watch)?
        }
        _ => {
            let (rho, h, rows) = (p.rho, p.h, Rows::Unit);
            let options = Exact { rho, h, max_iter, rows, seed, ..Exact::default() };
            learn_exact(gram, p.n_clusters, &options, &mut watch)?
        }
    };
    let carried = learnt.effective_rows();
    if learnt.collapsed || carried < FEW * p.n_clusters as f64 {
        notes.warnings.push(format!(
            "the learnt weights collapsed: {carried:.1} of {} rows carry them, the heaviest {:.0} %; use variant graph or exact",
            weights.len(),
            100.0 * learnt.alpha.iter().fold(0.0_f64, |top, a| top.max(*a)),
        ));
    }
    if learnt.stop == Stop::MaxIter && p.variant == CdskVariant::Exact {
        let rounds = learnt.rounds;
        notes.notices.push(format!("the weights were still changing after {rounds} rounds"));
    }
    let (first, last) = (learnt.objective[0], learnt.objective[learnt.rounds]);
    notes.notices.push(format!(
        "weights of the rows learnt in {} rounds with λ = {:.4}: Q from {first:.6} to {last:.6}",
        learnt.rounds, learnt.lambda
    ));
    notes.say_convergence(learnt.settled);
    Ok(learnt)
}

//! THE restart loop.

use crate::context::{Ctx, UNFINISHED};
use crate::error::{Error, Result};
use crate::progress::Event;
use crate::report::InitializationReport;

/// What one initialization led to.
#[derive(Debug)]
pub struct Candidate<T> {
    /// Larger is better; compared between initializations.
    pub score: f64,
    pub iterations: usize,
    pub value: T,
}

/// Runs every initialization and keeps the best whole result (the first of equals).
///
/// When the observer says stop, the best so far is returned; the initialization that was under way counts
/// with what it had reached. Initializations within an initialization are not told.
pub fn best_of<S, T>(
    ctx: &mut Ctx<'_>,
    initializations: Vec<(String, S)>,
    mut run: impl FnMut(&mut Ctx<'_>, S) -> Result<Candidate<T>>,
) -> Result<(T, Vec<InitializationReport>)> {
    let of = initializations.len();
    let mut best: Option<(usize, Candidate<T>)> = None;
    let mut reports = Vec::with_capacity(of);
    for (index, (name, start)) in initializations.into_iter().enumerate() {
        let stop = match ctx.nested {
            true => ctx.cancelled(),
            false => ctx.emit(Event::Start { index, of, name: name.clone() }),
        };
        if stop && best.is_some() {
            break;
        }
        let outer = std::mem::replace(&mut ctx.nested, true);
        let candidate = ctx.step(|ctx| run(ctx, start)).unwrap_or(Err(UNFINISHED));
        ctx.nested = outer;
        let candidate = match candidate {
            // Ended in the middle: what there is counts.
            Err(Error::Interrupted { .. }) if best.is_some() => break,
            other => other?,
        };
        let (score, iterations) = (candidate.score, candidate.iterations);
        reports.push(InitializationReport { name, score, iterations, chosen: false });
        // A score that is no number never wins against one that is.
        let better = |(_, b): &(usize, Candidate<T>)| score > b.score || b.score.is_nan();
        if best.as_ref().is_none_or(better) {
            best = Some((index, candidate));
        }
    }
    let (index, candidate) = best.expect("callers give at least one initialization");
    reports[index].chosen = true;
    Ok((candidate.value, reports))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Observer;
    use std::ops::ControlFlow;

    fn initializations(scores: &[f64]) -> Vec<(String, f64)> {
        scores.iter().map(|s| (format!("s{s}"), *s)).collect()
    }

    fn score(_: &mut Ctx<'_>, s: f64) -> Result<Candidate<f64>> {
        Ok(Candidate { score: s, iterations: 1, value: s })
    }

    #[test]
    fn the_best_start_wins_and_the_first_of_equals() {
        let (value, reports) =
            best_of(&mut Ctx::new(0), initializations(&[1.0, 3.0, 2.0, 3.0]), score).unwrap();
        assert_eq!(value, 3.0);
        let chosen: Vec<bool> = reports.iter().map(|r| r.chosen).collect();
        assert_eq!(chosen, [false, true, false, false]);
    }

    #[test]
    fn starts_within_a_start_are_not_told() {
        struct Count<'a>(&'a mut usize);
        impl Observer for Count<'_> {
            fn on(&mut self, _: &Event) -> ControlFlow<()> {
                *self.0 += 1;
                ControlFlow::Continue(())
            }
        }
        let mut told = 0;
        let mut ctx = Ctx::observed(0, Count(&mut told));
        let inner = |ctx: &mut Ctx<'_>, s: f64| {
            let (value, _) = best_of(ctx, initializations(&[s, s + 1.0]), score)?;
            Ok(Candidate { score: value, iterations: 1, value })
        };
        assert_eq!(best_of(&mut ctx, initializations(&[1.0, 2.0]), inner).unwrap().0, 3.0);
        drop(ctx);
        assert_eq!(told, 2);
    }

    #[test]
    fn a_score_that_is_not_a_number_loses() {
        let (value, _) =
            best_of(&mut Ctx::new(0), initializations(&[f64::NAN, -5.0]), score).unwrap();
        assert_eq!(value, -5.0);
    }

    #[test]
    fn cancelling_keeps_the_best_so_far() {
        struct After(usize);
        impl Observer for After {
            fn on(&mut self, event: &Event) -> ControlFlow<()> {
                match event {
                    Event::Start { index, .. } if *index >= self.0 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            }
        }
        for (after, want) in [(0, 1.0), (1, 1.0), (2, 2.0)] {
            let mut ctx = Ctx::observed(0, After(after));
            let (value, _) = best_of(&mut ctx, initializations(&[1.0, 2.0, 3.0]), score).unwrap();
            assert_eq!(value, want);
        }
    }
}

//! `--stability B`: refits on halves of the rows, asked for after the fit.

use crate::interrupt::Interrupt;
use crate::progress::Watch;
use separa::judge::Origin;
use separa::note::codes;
use separa::registry::AnyFit;
use separa::stability::{self, Stability};
use separa::{Dataset, Note};

/// The stability of a fit; the labels are worth keeping where it cannot be had.
pub fn of(
    data: &Dataset<'_>,
    fit: &AnyFit,
    (origin, refits): (&Origin<'_>, usize),
    (interrupt, quiet): (&Interrupt, bool),
    notes: &mut Vec<Note>,
) -> Option<Stability> {
    if fit.report.counted.as_ref().is_some_and(|found| found.k == 1) {
        let text = "the stability was left out: one cluster is always the same";
        notes.push(Note::warning(codes::STABILITY_UNKNOWN, text));
        return None;
    }
    let mut watch = Watch::new(interrupt.clone(), quiet);
    let bar = watch.handle();
    let found = stability::stability(data, &fit.labels, origin, refits, (interrupt, &mut watch));
    bar.finish_and_clear();
    let unknown = |e| {
        let text = format!("the stability is unknown: {e}");
        notes.push(Note::warning(codes::STABILITY_UNKNOWN, text));
    };
    let found = found.map_err(unknown).ok();
    notes.extend(found.as_ref().and_then(Stability::trouble));
    found
}

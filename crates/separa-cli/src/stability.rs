//! `--stability B`: refits on halves of the rows, asked for after the fit.

use crate::interrupt::Interrupt;
use crate::progress::Watch;
use separa::Dataset;
use separa::judge::Origin;
use separa::registry::AnyFit;
use separa::stability::{self, Stability};

/// The stability of a fit; the labels are worth keeping where it cannot be had.
pub fn of(
    data: &Dataset<'_>,
    fit: &AnyFit,
    (origin, refits): (&Origin<'_>, usize),
    (interrupt, quiet): (&Interrupt, bool),
    warnings: &mut Vec<String>,
) -> Option<Stability> {
    if fit.report.counted.as_ref().is_some_and(|found| found.k == 1) {
        warnings.push(
            "the stability was left out: one group, so nothing that could come back".to_owned(),
        );
        return None;
    }
    let mut watch = Watch::new(interrupt.clone(), quiet);
    let bar = watch.handle();
    let found = stability::stability(data, &fit.labels, origin, refits, (interrupt, &mut watch));
    bar.finish_and_clear();
    let found = found.map_err(|e| warnings.push(format!("the stability is unknown: {e}"))).ok();
    warnings.extend(found.as_ref().and_then(Stability::trouble));
    found
}

//! Quality and agreement for the screen: where they cannot be had, that is a warning.

use crate::answer::Truth;
use crate::interrupt::Interrupt;
use crate::table::Classes;
use separa::Dataset;
use separa::judge::{self, Origin};
use separa::k_auto as auto;
use separa::quality::Quality;
use separa::registry::AnyFit;

/// Judges fitted labels; they are worth keeping even where they cannot be judged.
pub fn fitted(
    data: &Dataset<'_>,
    fit: &mut AnyFit,
    origin: &Origin<'_>,
    interrupt: &Interrupt,
    warnings: &mut Vec<String>,
) -> Option<Quality> {
    // Whoever interrupts wants to leave: the labels are written, their quality can be had by `score`.
    if interrupt.asked() {
        warnings.push("interrupted: the separability of the clusters was not judged".to_owned());
        return None;
    }
    match judge::fitted(data, fit, origin, interrupt) {
        Ok(mut judged) => {
            judge::ask_rule(&mut judged.quality, data, fit, origin);
            fit.report.notices.extend(judged.caution);
            fit.report.notices.extend(auto::doubt(&fit.report, &judged.quality));
            Some(judged.quality)
        }
        Err(e) => {
            warnings.push(judge::unknown(&e));
            None
        }
    }
}

/// Agreement with known classes, or a warning.
pub fn against(labels: &[i32], classes: &Classes, warnings: &mut Vec<String>) -> Option<Truth> {
    match Truth::new(labels, classes) {
        Ok(measures) => Some(measures),
        Err(e) => {
            warnings.push(format!("the clusters were not compared with known classes: {e}"));
            None
        }
    }
}

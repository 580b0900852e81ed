//! Quality and agreement for the screen: where they cannot be had, that is a warning.

use crate::answer::Truth;
use crate::interrupt::Interrupt;
use crate::table::Classes;
use separa::judge::{self, Origin};
use separa::k_auto as auto;
use separa::note::codes;
use separa::quality::Quality;
use separa::registry::AnyFit;
use separa::{Dataset, Note};

/// Judges fitted labels; they are worth keeping even where they cannot be judged.
pub fn fitted(
    data: &Dataset<'_>,
    fit: &mut AnyFit,
    origin: &Origin<'_>,
    interrupt: &Interrupt,
    notes: &mut Vec<Note>,
) -> Option<Quality> {
    // Whoever interrupts wants to leave: the labels are written, their quality can be had by `score`.
    if interrupt.asked() {
        let text = "interrupted: the separability of the clusters was not judged";
        notes.push(Note::warning(codes::QUALITY_UNKNOWN, text));
        return None;
    }
    match judge::fitted(data, fit, origin, interrupt) {
        Ok(mut judged) => {
            judge::ask_rule(&mut judged.quality, data, fit, origin);
            let doubt = auto::doubt(&fit.report, &judged.quality);
            fit.report.notes.extend(judged.caution.into_iter().chain(doubt));
            Some(judged.quality)
        }
        Err(e) => {
            notes.push(judge::unknown(&e));
            None
        }
    }
}

/// Agreement with known classes, or a warning.
pub fn against(labels: &[i32], classes: &Classes, notes: &mut Vec<Note>) -> Option<Truth> {
    match Truth::new(labels, classes) {
        Ok(measures) => Some(measures),
        Err(e) => {
            let text = format!("the clusters were not compared with known classes: {e}");
            notes.push(Note::warning(codes::NOT_COMPARED, text));
            None
        }
    }
}

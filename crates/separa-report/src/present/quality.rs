//! Is the separation real: MSP and all that it must be compared with.

use crate::document::{Cell, On, Section, Table};
use crate::figures::standing;
use crate::number;
use separa::note::{Note, codes};
use separa::quality::Quality;

/// Whether a note is about the numbers of the quality, and stands under them.
pub fn is_caution(note: &Note) -> bool {
    [codes::LABELS_AS_GIVEN, codes::CURVED_BOUNDARIES].contains(&note.code.as_ref())
}

/// What to keep in mind about the quality of a clustering.
pub fn cautions(notes: &[Note]) -> Vec<String> {
    notes.iter().filter(|note| is_caution(note)).map(|note| note.text.clone()).collect()
}

/// The measures with what each means; `reg` is the regulariser that MSP was computed with. The `cautions` stand
/// beside the numbers that they are about.
pub fn section(q: &Quality, reg: f64, cautions: &[String]) -> Section {
    let mut section = Section::new("quality", "Is the separation real?");
    let mut table = Table::new("Separability").text("measure").number("value").text("meaning");
    let mut say = |name: &str, value: Option<f64>, text: fn(f64) -> String, meaning: &str| {
        let value = Cell::number(value, text);
        table.row(vec![Cell::Name(name.into()), value, Cell::Note(meaning.into())]);
    };
    if q.agreement.is_some() {
        let meaning = "of held-out rows get the same cluster";
        say("held-out agreement", q.agreement, number::percent, meaning);
        say(
            "agreement by chance",
            q.agreement_chance,
            number::percent,
            "the same for labels in random order",
        );
    }
    if !q.pairs.is_empty() {
        let of = if q.pairs.len() > 1 { "the closest pair" } else { "the clusters" };
        let msp = format!("worst-case separability of {of}");
        say("MSP", Some(q.msp), number::fraction, &msp);
        say(
            "null MSP",
            q.msp_null,
            number::fraction,
            "of a single Gaussian, split in the same place",
        );
        say("held-out MSP", q.msp_held_out, number::fraction, "on rows not used for the boundary");
        say("p (single Gaussian)", q.p_gauss, number::p_value, "small: more than one Gaussian");
        say("p (unimodal)", q.p_unimodal, number::p_value, "small: a gap between the clusters");
        let caption = format!(
            "MSP, the minimum separation probability{}: whatever the distributions of the clusters, at least this \
             fraction of each lies on its own side of a flat boundary. Compare it with the null MSP, not with 0: a single \
             Gaussian that is split scores that much. Both have the regulariser {reg}.",
            if q.pairs.len() > 1 { " of the closest pair" } else { "" },
        );
        section.figure(standing::draw(q), caption);
    }
    section.table(table);
    cautions.iter().for_each(|caution| {
        section.say(On::Everywhere, format!("Caution: {caution}."));
    });
    section.say(
        On::Page,
        "Boxes and crescents are more than a single Gaussian, too: p (unimodal) is the one to trust.",
    );
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Medium;
    use separa::quality::Pair;

    #[test]
    fn msp_is_never_shown_without_what_it_is_compared_with() {
        let pair = Pair { a: 0, b: 1, msp: 0.6, p_gauss: None, p_unimodal: None };
        let q = Quality {
            agreement: Some(0.97),
            agreement_chance: Some(0.34),
            msp: 0.6,
            msp_null: Some(0.4),
            p_gauss: Some(1e-9),
            p_unimodal: None,
            msp_held_out: Some(0.55),
            min_fraction: 0.1,
            pairs: vec![pair],
            importance: Vec::new(),
        };
        let section = section(&q, 1.0, &["p-values are too small".into()]);
        for medium in [Medium::Page, Medium::Terminal, Medium::Notebook] {
            let shown = format!("{:?}", section.on(medium).collect::<Vec<_>>());
            for part in [
                "97 %",
                "34 %",
                "0.600",
                "0.400",
                "0.550",
                "< 0.001",
                "unknown",
                "p-values are too small",
            ] {
                assert!(shown.contains(part), "{part}: {shown}");
            }
        }
    }
}

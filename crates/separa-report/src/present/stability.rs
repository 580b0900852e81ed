//! Which clusters are found again when the method is fitted to other rows.

use crate::document::{Cell, On, Section, Table};
use crate::number;
use separa::stability::Stability;

/// Hennig's (2007) marks: from the first on a cluster is stable, below the second it is not.
const STABLE: f64 = 0.75;
const DOUBTFUL: f64 = 0.6;
/// Clusters shown where room is scarce.
const SHOWN: usize = 12;

/// A mean Jaccard index in a word, and whether the cluster can be trusted.
fn judged(jaccard: f64) -> Cell {
    match jaccard {
        j if j >= STABLE => Cell::Judged("stable", true),
        j if j >= DOUBTFUL => Cell::Judged("doubtful", false),
        _ => Cell::Judged("unstable", false),
    }
}

/// A row for each cluster, then the rows that are uncertain and the refits that failed.
pub fn section(found: &Stability, thing: &str) -> Section {
    let refits = number::counted(found.refits, "refit");
    let caption = format!("mean Jaccard index over {refits} of half the {thing}s");
    let mut section = Section::new("stability", "Stability");
    section.say(
        On::Page,
        format!(
            "The method was fitted again to random halves of the {thing}s. A cluster is stable if the refits have one \
             with nearly the same {thing}s: 1 is the same, from {STABLE} on a cluster is stable, below {DOUBTFUL} it \
             is unstable."
        ),
    );
    let mut table = Table::new(sentence_case(&caption)).text("cluster").number("Jaccard");
    table = table.column("", false, On::Html).text("stability").shown(SHOWN);
    section.say(On::Terminal, format!("{}.", sentence_case(&caption)));
    for (c, jaccard) in found.jaccard.iter().enumerate() {
        table.row(vec![
            Cell::Cluster(c as i32, c.to_string()),
            Cell::Number(number::fraction(*jaccard), *jaccard),
            Cell::Bar(*jaccard, c),
            judged(*jaccard),
        ]);
    }
    let mut said = format!(
        "{} agree less than {:.0} % of the time; mean agreement {}.",
        number::counted(found.uncertain, thing),
        100.0 * Stability::SURE,
        number::percent(found.mean_agreement)
    );
    if let Some(trouble) = found.note().map(|note| note.text) {
        said.push_str(&format!(" {}.", sentence_case(&trouble)));
    }
    section.table(table).say(On::Everywhere, said).clone()
}

/// With a capital letter.
pub fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    let capital = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{capital}{}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::render::{page, terminal};

    #[test]
    fn every_cluster_has_its_word_and_failures_are_told() {
        let found = Stability {
            refits: 18,
            failed: 2,
            why: Some("too <few> rows".into()),
            jaccard: vec![0.75, 0.6, 0.59],
            uncertain: 12,
            mean_agreement: 0.87,
            agreement: Vec::new(),
        };
        let of = |found: &Stability| {
            let mut document = Document::default();
            document.add(section(found, "row"));
            document
        };
        let (html, text) = (page::render(&of(&found)), terminal::render(&of(&found), 400));
        for part in [
            "ean Jaccard index over 18 refits of half the rows",
            "0.750",
            "stable",
            "doubtful",
            "unstable",
            "12 rows agree less than 80 % of the time; mean agreement 87 %.",
        ] {
            assert!(html.contains(part), "{part} is missing in {html}");
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        let failed = "2 of 20 refits failed and are left out of the stability: too";
        assert!(html.contains(&format!("{failed} &lt;few&gt; rows.")), "{html}");
        assert!(text.contains(&format!("{failed} <few> rows.")), "{text}");
        let fine = of(&Stability { failed: 0, why: None, ..found });
        assert!(!page::render(&fine).contains("failed"));
    }
}

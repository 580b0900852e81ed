//! Which groups come back when the method sees other rows.

use super::{Cell, Table};
use crate::html::Html;
use crate::number;
use separa::stability::Stability;

/// Hennig's marks: from the first on a group is stable, below the second it is not to be trusted.
const STABLE: f64 = 0.75;
const DOUBTFUL: f64 = 0.6;

/// A mean Jaccard index in words, and whether the group can be trusted.
pub fn word(jaccard: f64) -> (&'static str, bool) {
    match jaccard {
        j if j >= STABLE => ("comes back", true),
        j if j >= DOUBTFUL => ("doubtful", false),
        _ => ("does not come back", false),
    }
}

/// A line a group, then the rows that are uncertain and the refits that failed.
pub fn section(found: &Stability, thing: &str) -> Html {
    let refits = number::counted(found.refits, "refit");
    let heads = [("group", false), ("Jaccard", true), ("", false), ("says", false)];
    let caption = format!("Mean Jaccard index over {refits} of half the {thing}s");
    let mut table = Table::new(&caption, &heads);
    for (g, jaccard) in found.jaccard.iter().enumerate() {
        table.row(&[
            Cell::Group(g as i32),
            Cell::Number(number::fraction(*jaccard), *jaccard),
            Cell::Bar(*jaccard, g),
            Cell::Text(word(*jaccard).0.into()),
        ]);
    }
    let mut said = format!(
        "The method was fitted anew to random halves of the {thing}s. A group comes back where a refit has one \
         with nearly the same {thing}s: 1 is the same, from {STABLE} on a group is stable, below {DOUBTFUL} do not \
         trust it. {} agree less than {:.0} % of the time; mean agreement {}.",
        number::counted(found.uncertain, thing),
        100.0 * Stability::SURE,
        number::percent(found.mean_agreement)
    );
    if let Some(trouble) = found.trouble() {
        said.push_str(&format!(" {trouble}."));
    }
    let mut html = Html::new();
    html.raw("<p>").text(&said).raw("</p>").add(&table.finish());
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_its_word_and_failures_are_told() {
        let found = Stability {
            refits: 18,
            failed: 2,
            why: Some("too <few> rows".into()),
            jaccard: vec![0.75, 0.6, 0.59],
            uncertain: 12,
            mean_agreement: 0.87,
            agreement: Vec::new(),
        };
        let html = section(&found, "row").into_string();
        for part in [
            "over 18 refits of half the rows",
            "0.750",
            ">comes back<",
            ">doubtful<",
            ">does not come back<",
            "12 rows agree less than 80 % of the time; mean agreement 87.0 %.",
            "2 of 20 refits failed and are left out of the stability: too &lt;few&gt; rows.",
        ] {
            assert!(html.contains(part), "{part} is missing in {html}");
        }
        let fine = section(&Stability { failed: 0, why: None, ..found }, "row");
        assert!(!fine.as_str().contains("failed"));
    }
}

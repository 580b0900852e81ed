//! What the words of a page mean: those of docs/glossary.md, for whoever has the page alone.

use crate::document::{Block, Cell, On, Section, Table};

const WORDS: [(&str, &str); 15] = [
    (
        "held-out agreement",
        "how often rules learnt on two random halves of the rows put a row into the same cluster, and what labels \
         in random order would give",
    ),
    (
        "MSP",
        "minimum separation probability, the worst-case separability of the closest pair of clusters: whatever \
         the distributions, at least this fraction of each lies on its own side of a flat boundary",
    ),
    (
        "null MSP",
        "what a single Gaussian scores if it is split in the same place: the level to compare MSP with",
    ),
    ("held-out MSP", "MSP on rows not used for the boundary"),
    (
        "p (single Gaussian)",
        "small: the rows are more than one Gaussian. Boxes and heavy tails are, too",
    ),
    (
        "p (unimodal)",
        "small: there is a gap between the clusters. In a sentence, large: \"no gap between the clusters\"",
    ),
    (
        "margin",
        "the score of the best cluster minus that of the runner-up: small is a close call. For two clusters, the \
         decision value",
    ),
    ("runner-up", "the second-best cluster of a row"),
    ("exemplars", "rows that stand for a cluster"),
    (
        "outliers",
        "rows excluded from the fit because they are extreme in most features. They get a label by the rule, \
         or −1",
    ),
    (
        "feature importance",
        "which features separate a pair of clusters: exact for flat boundaries, by permutation for curved ones",
    ),
    (
        "effect",
        "Cohen's d: the difference of the means of a cluster and of all other rows in standard deviations, with \
         its 95 % interval; 0.8 and more is large",
    ),
    (
        "fidelity",
        "the fraction of held-out rows that rules in words put into the same cluster as the model",
    ),
    (
        "segments",
        "a split of rows that have no gap between them: useful perhaps, but not a finding",
    ),
    (
        "scaling",
        "how features are brought to one scale: auto, standard (z-scores), contraharmonic, none",
    ),
];

/// The words of a clustering's page.
pub fn section() -> Section {
    let mut table = Table::new("Words of this page").text("term").text("what it means");
    for (term, meaning) in WORDS {
        table.row(vec![Cell::Name(term.to_owned()), Cell::Text(meaning.to_owned())]);
    }
    Section::new("glossary", "Glossary").add(On::Page, Block::Table(table)).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_the_same_as_in_the_glossary_of_the_docs() {
        let page = include_str!("../../../../docs/glossary.md");
        for (term, meaning) in WORDS {
            let start = format!("| **{term}** |");
            let line = page.lines().find(|line| line.starts_with(&start)).expect(term);
            let said = line.replace('`', "");
            let cell = said.rsplit(" | ").next().unwrap().trim_end_matches('|').trim();
            // A link that the page cannot follow stands behind a few of them.
            let (before, link) = cell.split_once(" ([").unwrap_or((cell, ""));
            assert_eq!(meaning, before, "{term}");
            assert!(link.is_empty() || link.ends_with("))"), "{term}: {cell}");
        }
    }
}

//! The document of labels that were given.

use super::{importance, pairs, quality, sizes, verdict};
use crate::document::Document;
use crate::{Scored, number};

/// Their quality, and their agreement with known classes.
pub fn document(s: &Scored<'_>) -> Document {
    let (n, d) = (number::counted(s.n, "row"), number::counted(s.d, "feature"));
    let clusters = number::counted(s.names.len(), "cluster");
    let name = |c: i32| usize::try_from(c).map_or("-1".into(), |c: usize| s.names[c].clone());
    let mut document = Document {
        title: s.input.to_owned(),
        kind: "score".to_owned(),
        facts: vec![(s.input.to_owned(), format!("{n}, {d}, {clusters} by {}", s.by))],
        verdict: match s.sizes.len() {
            1 => s.quality.verdict(),
            _ => verdict::summary(s.sizes, s.n, "row", Some(s.quality)),
        },
        good: Some(s.quality.is_real()),
        ..Document::default()
    };
    document.add(sizes::section("Cluster sizes", ["cluster", "row"], s.sizes, s.n, &name));
    document.add(quality::section(s.quality, s.reg, s.cautions));
    if s.quality.pairs.len() > 1 {
        document.add(pairs::section(s.quality, s.names.len(), &name));
    }
    let column = |j: usize| s.columns[j].clone();
    document.add(importance::section(s.quality, &column, &name));
    if let Some(truth) = s.truth {
        document.add(truth.section("row", &name));
    }
    document
}

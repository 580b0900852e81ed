//! The way from the root of a tree to a leaf, in words.

use super::rules::{Condition, Operator};
use super::tree::{Node, Tree};
use super::words::{CellValue, ColumnKind, TableColumn};

/// What the way to a leaf asks of one feature: more than `above`, at most `at_most`.
struct Asked {
    feature: usize,
    above: Option<f64>,
    at_most: Option<f64>,
}

/// The conditions of a leaf, each feature once, and a sentence of them that begins with "if".
///
/// `sources` are the features that the tree's columns are.
pub(super) fn conditions(
    tree: &Tree,
    leaf: usize,
    sources: &[usize],
    table: &[TableColumn<'_>],
) -> (Vec<Condition>, String) {
    let mut asked: Vec<Asked> = Vec::new();
    for (column, threshold, above) in way(tree, leaf) {
        let feature = sources[column];
        let at = asked.iter().position(|a| a.feature == feature).unwrap_or_else(|| {
            asked.push(Asked { feature, above: None, at_most: None });
            asked.len() - 1
        });
        // The later threshold is the tighter one.
        match above {
            true => asked[at].above = Some(threshold),
            false => asked[at].at_most = Some(threshold),
        }
    }
    let column = |feature: usize| -> &TableColumn<'_> {
        table.iter().find(|c| c.features.contains(&feature)).expect("every feature has a column")
    };
    // A word that it is makes words that it is not needless.
    let set = |a: &Asked| a.above.is_some() && column(a.feature).is_indicator();
    let known: Vec<String> =
        asked.iter().filter(|a| set(a)).map(|a| column(a.feature).name.clone()).collect();
    asked.retain(|a| {
        set(a) || !column(a.feature).is_indicator() || !known.contains(&column(a.feature).name)
    });
    let (mut all, mut words) = (Vec::new(), Vec::new());
    for a in &asked {
        let (found, text) = in_words(a, column(a.feature));
        all.extend(found);
        words.push(text);
    }
    let text = match words.is_empty() {
        true => "always".to_owned(),
        false => format!("if {}", words.join(" and ")),
    };
    (all, text)
}

/// Column, threshold and whether the way goes above it, from the root down.
fn way(tree: &Tree, leaf: usize) -> Vec<(usize, f64, bool)> {
    let mut way = Vec::new();
    let mut at = leaf;
    while at > 0 {
        let parent =
            |node: &Node| matches!(node, Node::Split { left, .. } if *left == at || left + 1 == at);
        let up = tree.nodes.iter().position(parent).expect("every node but the root has a parent");
        if let Node::Split { column, threshold, left } = tree.nodes[up] {
            way.push((column, threshold, at == left + 1));
        }
        at = up;
    }
    way.reverse();
    way
}

fn in_words(a: &Asked, column: &TableColumn<'_>) -> (Vec<Condition>, String) {
    let name = column.feature_name(a.feature);
    let condition =
        |op, value: &CellValue| Condition { column: name.clone(), op, value: value.clone() };
    if column.is_indicator() {
        let (level, other) = column.indicated(a.feature);
        let (op, word) = match (a.above.is_some(), other) {
            (true, _) => (Operator::Is, level),
            (false, Some(other)) => (Operator::Is, other),
            (false, None) => (Operator::IsNot, level),
        };
        let said = if op == Operator::Is { "is" } else { "is not" };
        let text = format!("{name} {said} {word}");
        return (vec![condition(op, &CellValue::Word(word))], text);
    }
    let bound = |threshold: f64| column.bound(a.feature, threshold);
    let (low, high) = (a.above.map(bound), a.at_most.map(bound));
    let mut all: Vec<Condition> = low.iter().map(|v| condition(Operator::Above, v)).collect();
    all.extend(high.iter().map(|v| condition(Operator::AtMost, v)));
    let dated = column.kind() == ColumnKind::Date && a.feature == column.features.start;
    let text = match (low, high) {
        (Some(low), Some(high)) if dated => format!("{name} after {low} and up to {high}"),
        (Some(low), None) if dated => format!("{name} after {low}"),
        (None, Some(high)) if dated => format!("{name} up to {high}"),
        (Some(low), Some(high)) => format!("{low} < {name} ≤ {high}"),
        (Some(low), None) => format!("{name} > {low}"),
        (None, Some(high)) => format!("{name} ≤ {high}"),
        (None, None) => String::new(),
    };
    (all, text)
}

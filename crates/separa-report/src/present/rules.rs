//! The clusters as rules in words.

use crate::document::{Block, Cell, On, Section, Table};
use crate::number;
use separa::explain::Rules;

/// A row per rule, then how far the rules can be trusted. A terminal shows them if it is `asked` to.
pub fn section(found: &Rules, asked: bool, name: &dyn Fn(i32) -> String) -> Section {
    let on = if asked { On::Everywhere } else { On::Html };
    let caption = "A row that a rule holds for is in its cluster. Covers: the part of the cluster that the rule holds \
                   for. Right: the part of the rows that the rule holds for that is in the cluster. Both on held-out rows";
    let mut table =
        Table::new(caption).text("cluster").text("rule").number("covers").number("right");
    for rule in &found.rules {
        table.row(vec![
            Cell::Cluster(rule.cluster, name(rule.cluster)),
            Cell::Text(rule.text.clone()),
            Cell::number(rule.covers, number::percent),
            Cell::number(rule.right, number::percent),
        ]);
    }
    let mut section = Section::new("rules", "Rules");
    section.add(on, Block::Table(table)).say(on, trust(found, name)).clone()
}

/// How often the rules are right, and what they were learnt on.
fn trust(found: &Rules, name: &dyn Fn(i32) -> String) -> String {
    let of = match found.sample_of {
        Some(all) => format!(" of a sample of the {} rows", number::count(all)),
        None => String::new(),
    };
    let mut said = format!(
        "Learnt on {} and tested on {} others{of}: {} are in the cluster that the rules say (the largest cluster alone: {}).",
        number::counted(found.rows, "row"),
        number::count(found.held_out),
        number::percent(found.fidelity),
        number::percent(found.baseline)
    );
    if !found.without.is_empty() {
        let names: Vec<String> = found.without.iter().map(|c| name(*c)).collect();
        said.push_str(&format!(" No rule leads to cluster {}.", names.join(", ")));
    }
    said
}
